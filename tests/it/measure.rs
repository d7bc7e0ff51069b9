//! What a command takes: memory and processor time, its helper process included.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::rig::{Ran, words_of};

/// A command that ended, or had to be ended.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) ran: Ran,
    /// Processor time in user and system mode, of the process and of the helpers that it waited for.
    pub(crate) processor: Duration,
    /// The most memory at a time that was seen, in bytes; zero where the system does not tell.
    pub(crate) memory: u64,
    /// Whether it had to be ended.
    pub(crate) hung: bool,
}

/// Runs a command to its end, at most for `patience`; `folder` takes its output.
pub(crate) fn measured(mut command: Command, folder: &Path, patience: Duration) -> Measured {
    let (out, err) = (folder.join("measured.out"), folder.join("measured.err"));
    let file = |path: &Path| Stdio::from(File::create(path).unwrap());
    let started = Instant::now();
    let mut child = command.stdout(file(&out)).stderr(file(&err)).spawn().unwrap();
    let (mut memory, mut hung) = (0, false);
    while !has_ended(&mut child) {
        memory = memory.max(memory_of(child.id()));
        hung = started.elapsed() > patience;
        if hung {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let processor = processor_of(child.id());
    let exit = child.wait().unwrap().code().unwrap_or(-1);
    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let ran = Ran { exit, stdout: text(&out), stderr: text(&err), command: words_of(&command) };
    Measured { ran, processor, memory, hung }
}

/// Whether the process is over. What it took can be asked until somebody waits for it, which only Linux lets us put off.
fn has_ended(child: &mut Child) -> bool {
    if cfg!(target_os = "linux") {
        return fields(child.id()).is_none_or(|fields| fields[0] == "Z");
    }
    child.try_wait().unwrap().is_some()
}

/// The fields of a process's status line from its state on, as `proc(5)` has them.
fn fields(process: u32) -> Option<Vec<String>> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The program's name stands in parentheses and may hold anything.
    let (_, fields) = line.rsplit_once(") ")?;
    Some(fields.split(' ').map(str::to_owned).collect())
}

fn processor_of(process: u32) -> Duration {
    const TICK: Duration = Duration::from_millis(10);
    let Some(fields) = fields(process) else { return Duration::ZERO };
    // utime, stime, and both of the children that were waited for.
    let ticks: u32 = fields[11..=14].iter().map(|field| field.parse::<u32>().unwrap()).sum();
    TICK * ticks
}

/// The highest memory so far of a process and the helpers that it has now.
fn memory_of(process: u32) -> u64 {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let helpers: String = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok()).collect();
    high_water(process) + helpers.split_whitespace().map(|helper| high_water(helper.parse().unwrap())).sum::<u64>()
}

fn high_water(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn memory_and_processor_time_of_a_helper_count() {
    let folder = crate::rig::folder();
    let mut command = Command::new("sh");
    // A shell within a shell: the inner one grows to 64 MiB and works for a while.
    let inner = "x=$(head -c 67108864 /dev/zero | tr '\\0' a); i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    command.args(["-c", "sh -c \"$1\"; exit 3", "sh", inner]);
    let measured = measured(command, folder.path(), Duration::from_mins(1));
    assert!(measured.ran.exit == 3 && !measured.hung, "{measured:?}");
    assert!(measured.memory >= 64 << 20, "{measured:?}");
    assert!(measured.processor >= Duration::from_millis(30), "{measured:?}");

    let mut endless = Command::new("sh");
    endless.args(["-c", "while true; do :; done"]);
    let ended = self::measured(endless, folder.path(), Duration::from_millis(200));
    assert!(ended.hung && ended.ran.exit == -1, "{ended:?}");
}
