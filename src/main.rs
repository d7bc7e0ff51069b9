//! The command line program; everything it does is in the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Orders are built on one core and let go on another, which this allocator does at a third of the usual cost.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    shipsheet::cli::main()
}
