//! Sheets that are no regular files: refused at once, unless somebody hands them over open.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::rig::{Ran, Rig, ran, sheet_of};

/// Runs a line of the shell in which `$CHECK` is a check.
fn shell(rig: &Rig, line: &str) -> Ran {
    let program = rig.command(&[]);
    let mut command = Command::new("bash");
    command.args(["-c", line]).env_clear().current_dir(rig.path(".")).stdin(Stdio::null());
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("CHECK", format!("{} check", program.get_program().to_str().unwrap()));
    ran(command)
}

#[test]
fn named_pipes_and_devices_are_refused_at_once() {
    let rig = Rig::alone();
    assert!(Command::new("mkfifo").arg(rig.path("orders.csv")).status().unwrap().success());
    rig.run(&["check", "orders.csv"]).exits(1).says("orders.csv is a named pipe, not a sheet");
    // Somebody who writes does not make it a file.
    let mut pipe = File::options().read(true).write(true).open(rig.path("orders.csv")).unwrap();
    pipe.write_all(sheet_of(2).as_bytes()).unwrap();
    rig.run(&["check", "orders.csv"]).exits(1).says("`shipsheet check - < NAME`");
    for device in ["/dev/zero", "/dev/full", "/dev/urandom"] {
        rig.run(&["check", device]).exits(1).says("is a device, not a sheet");
    }
    let _socket = std::os::unix::net::UnixListener::bind(rig.path("socket.csv")).unwrap();
    rig.run(&["check", "socket.csv"]).says("is a socket, not a sheet");
    // What the hint names works.
    pipe.flush().unwrap();
    let writes = "cat sheet.csv > orders.csv & $CHECK - < orders.csv";
    drop(pipe);
    rig.file("sheet.csv", &sheet_of(3));
    let read = shell(&rig, writes);
    read.exits(0).prints("3 orders good");
}

#[test]
fn what_is_handed_over_open_is_read() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet_of(3));
    for line in [
        "cat orders.csv | $CHECK -",
        "cat orders.csv | $CHECK /dev/stdin",
        "cat orders.csv | $CHECK /dev/fd/0",
        "$CHECK - < orders.csv",
        "$CHECK /dev/stdin < orders.csv",
        "$CHECK <(cat orders.csv)",
        "$CHECK <(sleep 0.2; cat orders.csv)",
        "$CHECK /dev/fd/7 7< <(cat orders.csv)",
        "$CHECK /dev/fd/7 7< orders.csv",
    ] {
        let read = shell(&rig, line);
        read.exits(0).prints("3 orders good");
    }
    // A pipe whose other end nobody holds any more is at its end, and not waited for.
    let ended = shell(&rig, "mkfifo p; exec 7<>p; exec 8<p; exec 7>&-; $CHECK /dev/fd/8");
    ended.exits(1).says("has no rows");
}
