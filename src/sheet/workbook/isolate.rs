//! A process of its own for readers that can exhaust memory: an allocation that fails ends the helper, not the run.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use super::render::{self, WholeFormat};
use crate::sheet::Limits;
use crate::sheet::input::Input;

/// The first argument of the helper: the executable that gets it hands the others to [`helper_main`].
pub const HELPER_ARGUMENT: &str = "__read-workbook";

/// The most that is taken of what a helper says about its failure.
const REASON_BYTES_MAX: u64 = 1_000;

/// Reads a workbook under limits and writes its cells to standard output, for [`Options::helper`](crate::sheet::Options).
///
/// Takes the arguments after [`HELPER_ARGUMENT`]: format, bytes of memory, seconds of processor time, bytes of cells, path. Call it
/// before anything else, in a process that does nothing else: the limits stay.
#[must_use]
pub fn helper_main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // A panic is told as its reason, not as a trace.
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let done = match arguments.as_slice() {
        [format, bytes, seconds, cells, path] => limit(bytes, seconds)
            .and_then(|()| cells.to_str()?.parse().ok())
            .ok_or_else(|| "the helper cannot set its limits".to_owned())
            .and_then(|cells| render(format, Path::new(path), (io::stdout().lock(), cells))),
        _ => Err("the helper takes a format, three limits and a path".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // Nothing can be done if nobody listens.
            let _ = io::stderr().write_all(reason.as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn render(format: &OsString, path: &Path, out: (impl Write, u64)) -> Result<(), String> {
    let format = format.to_str().and_then(WholeFormat::named).ok_or("the helper does not know the format")?;
    let file = File::open(path).map_err(|error| error.to_string())?;
    render::render(file, format, out)
}

/// Sets the limits of this process; `None` where that fails.
fn limit(bytes: &OsString, seconds: &OsString) -> Option<()> {
    let bytes: u64 = bytes.to_str()?.parse().ok()?;
    let seconds: u64 = seconds.to_str()?.parse().ok()?;
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let set = |resource, value| setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) }).ok();
        set(Resource::As, bytes)?;
        set(Resource::Cpu, seconds)?;
        set(Resource::Core, 0)?;
    }
    // Elsewhere the process of its own is all the protection there is.
    let _ = (bytes, seconds);
    Some(())
}

/// Starts the helper, whose output goes straight into `out`.
pub(super) fn start(
    helper: &Path,
    format: WholeFormat,
    input: &Input,
    limits: &Limits,
    out: File,
) -> Result<(), String> {
    let mut child = Command::new(helper)
        .arg(HELPER_ARGUMENT)
        .arg(format.name())
        .arg(limits.helper_bytes(input.bytes).to_string())
        .arg(limits.helper_seconds(input.bytes).to_string())
        .arg(limits.cells_bytes(input.bytes).to_string())
        .arg(input.path())
        .env_clear()
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the process that reads it cannot be started: {error}"))?;
    let mut said = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        // What goes beyond the limit meets a closed pipe.
        let _ = stderr.take(REASON_BYTES_MAX).read_to_end(&mut said);
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    match status.code() {
        Some(0) => Ok(()),
        Some(1) => Err(String::from_utf8_lossy(&said).into_owned()),
        _ => Err(render::OUT_OF_BOUNDS.to_owned()),
    }
}
