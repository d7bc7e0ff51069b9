//! A disk that fails and a clock that is wrong: `disk.c` and `clock.c`, loaded in front of the C library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::ran;

/// The disk as a library that is loaded before all others.
pub(crate) fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| preloaded("disk"))
}

/// A source in C as a library that is loaded before all others.
pub(crate) fn preloaded(name: &str) -> PathBuf {
    let folder = option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("{name}-{}.so", std::process::id()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/{name}.c"));
    // A C compiler is there: the database is built with it.
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&path).arg(source);
    ran(compiler).exits(0);
    path
}

/// Puts the ledger of a command on this disk.
pub(crate) fn on_disk(command: &mut Command, settings: &[(&str, &str)]) {
    command.env("LD_PRELOAD", library()).env("DISK_FILES", "/ledger.sqlite").envs(settings.iter().copied());
}
