//! The files of `examples/desk`, as a double click starts them.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::rig::Rig;

/// A program in the place of ours that notes how it was called, and where.
const PROGRAM: &str = "#!/bin/sh\nprintf '%s\\n' \"$*\" \"$PWD\" > \"$HOME/called\"\n";

fn example(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/desk").join(name)).unwrap()
}

/// A file that can be run, in a folder that is made for it.
fn executable(rig: &Rig, name: &str, text: &str) -> std::path::PathBuf {
    std::fs::create_dir_all(rig.path(name).parent().unwrap()).unwrap();
    let path = rig.file(name, text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Runs a command as a file manager does, with no program of ours on the path, and gives what our program was asked.
fn called(rig: &Rig, command: &[String]) -> String {
    let mut started = Command::new(&command[0]);
    let status = started
        .args(&command[1..])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", rig.path(""))
        .current_dir(rig.path(""))
        .status()
        .unwrap();
    assert!(status.success(), "{command:?}");
    rig.read("called")
}

/// The command of a desktop entry, taken apart by the rules for it: first the escapes of a text, then those inside quotes.
fn command_of(entry: &str) -> Vec<String> {
    let line = entry.lines().find_map(|line| line.strip_prefix("Exec=")).unwrap();
    let line = line.replace("\\\\", "\\");
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '\\' if is_quoted => word.extend(letters.next()),
            ' ' if !is_quoted => words.push(std::mem::take(&mut word)),
            _ => word.push(letter),
        }
    }
    words.push(word);
    words
}

#[test]
fn a_double_click_on_macos_finds_the_program_beside_it_and_where_it_was_installed() {
    for place in ["My desk/shipsheet", ".cargo/bin/shipsheet"] {
        let rig = Rig::alone();
        executable(&rig, place, PROGRAM);
        let file = executable(&rig, "My desk/shipsheet-desk.command", &example("shipsheet-desk.command"));
        assert!(called(&rig, &[file.display().to_string()]).starts_with("desk\n"), "{place}");
    }
}

#[test]
fn a_double_click_on_linux_finds_the_program_where_it_was_installed() {
    let entry = example("shipsheet-desk.desktop");
    assert!(entry.starts_with("[Desktop Entry]\nType=Application\n") && entry.contains("\nTerminal=true\n"), "{entry}");
    for place in [".cargo/bin/shipsheet", ".local/bin/shipsheet"] {
        let rig = Rig::alone();
        executable(&rig, place, PROGRAM);
        assert!(called(&rig, &command_of(&entry)).starts_with("desk\n"), "{place}");
    }
}

#[test]
fn a_double_click_on_windows_begins_at_home_and_keeps_its_window_where_it_fails() {
    let script = example("shipsheet-desk.bat");
    let lines: Vec<&str> = script.lines().collect();
    let at = |line: &str| lines.iter().position(|own| *own == line).unwrap_or_else(|| panic!("{line}: {script}"));
    // A configuration that lies beside a sheet that came by mail is not this desk's.
    assert!(at("cd /d \"%USERPROFILE%\"") < at("shipsheet desk") && at("shipsheet desk") < at("if errorlevel 1 pause"));
}
