//! One run at a time.

use super::*;
use crate::ledger::LockError;

#[test]
fn the_second_is_refused_and_told_who_holds_it() {
    let bench = Bench::new();
    let first = RunLock::acquire(&bench.path(), "import").unwrap();
    let refused = RunLock::acquire(&bench.path(), "resume").unwrap_err();
    let expected = format!("import, process {}", std::process::id());
    assert!(matches!(&refused, LockError::Held { holder } if holder.starts_with(&expected)), "{refused}");
    drop(first);
    RunLock::acquire(&bench.path(), "resume").unwrap();
}

/// Promise 10: the lock holds through links, and if its file is deleted.
#[cfg(unix)]
#[test]
fn links_to_one_ledger_meet_at_one_lock() {
    let bench = Bench::new();
    let link = bench.folder.path().join("link.sqlite");
    std::os::unix::fs::symlink(bench.path(), &link).unwrap();
    let _first = RunLock::acquire(&bench.path(), "import").unwrap();
    assert!(RunLock::acquire(&link, "import").is_err());
}

#[test]
fn readers_are_never_refused() {
    let mut bench = Bench::new();
    let _lock = RunLock::acquire(&bench.path(), "import").unwrap();
    bench.settle("a", booked("A1"));
    let reader = Ledger::open_read_only(&bench.path()).unwrap();
    assert_eq!(reader.order("a").unwrap()[0].awb.as_deref(), Some("A1"));
}
