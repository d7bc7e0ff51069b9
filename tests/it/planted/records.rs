//! Bugs in the ledger.

use super::Bug;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "what a crash left is sent again at the next start",
        edits: &[(
            "src/ledger/recover.rs",
            "let outcome = Outcome::InDoubt { doubt: Doubt::Crashed };",
            "let outcome = Outcome::Waiting { reason: Doubt::Crashed.to_string() };",
        )],
        tests: "--test it kills::",
    },
    Bug {
        name: "commits are not synced",
        edits: &[("src/ledger/sqlite/open.rs", "\"synchronous\", \"FULL\"", "\"synchronous\", \"NORMAL\"")],
        tests: "--test it kills::power_cuts",
    },
    Bug {
        name: "answers that the disk did not take are forgotten",
        edits: &[(
            "src/ledger/commit.rs",
            "        if answers == 0 || spool.keep(entries).is_err() {",
            "        drop(entries);\n        if answers == 0 {",
        )],
        tests: "--test it ledger::a_write_that_fails",
    },
    Bug {
        name: "an answer to an attempt that is in doubt already is dropped",
        edits: &[(
            "src/ledger/recover.rs",
            "                Taken::Late => late.push(entry),\n",
            "                Taken::Late => drop(entry),\n",
        )],
        tests: "--lib ledger::tests::late",
    },
    Bug {
        name: "a restored backup is taken for the ledger",
        edits: &[(
            "src/ledger/open.rs",
            "        let accepted = found.refuse_older(&self.connection, path)?;\n        found.refuse_behind(&self.connection, path)?;\n",
            "        let (accepted, _) = (None, found);\n",
        )],
        tests: "--test it ledger::a_restored",
    },
    Bug {
        name: "two runs at a time",
        edits: &[
            (
                "src/ledger/lock.rs",
                "            Ok(()) => {}\n            Err(TryLockError::WouldBlock) => return Err(LockError::Held { holder: named_in(&mut file) }),\n",
                "            Ok(()) | Err(TryLockError::WouldBlock) => {}\n",
            ),
            ("src/ledger/lock.rs", "    handle::try_lock(ledger)\n", "    Ok(Some(InodeLock::nothing()))\n"),
            (
                "src/ledger/mark.rs",
                "Err(TryLockError::WouldBlock) => Err(MarkError::InUse),",
                "Err(TryLockError::WouldBlock) => Ok(file),",
            ),
        ],
        tests: "--test it locks::",
    },
    Bug {
        name: "the lock is the file beside the ledger alone",
        edits: &[("src/ledger/lock.rs", "    handle::try_lock(ledger)\n", "    Ok(Some(InodeLock::nothing()))\n")],
        tests: "--test it places::the_lock_holds",
    },
    Bug {
        name: "a ledger may be mounted without its folder",
        edits: &[(
            "src/ledger/network.rs",
            "    if is_mounted(&mounts(), ledger) {",
            "    if is_mounted(\"\", ledger) {",
        )],
        tests: "--test it places::a_mounted",
    },
    Bug {
        name: "a mount point is never recognised",
        edits: &[(
            "src/ledger/network.rs",
            ".any(|(point, _)| point == path)",
            ".any(|(point, _)| point == path && point.is_relative())",
        )],
        tests: "--lib ledger::network",
    },
    Bug {
        name: "a copy is taken for the ledger",
        edits: &[(
            "src/ledger/home.rs",
            "(false, false) => Standing::CopyOf(noted),",
            "(false, false) => Standing::ToBeNoted,",
        )],
        tests: "--test it places::a_copy",
    },
    Bug {
        name: "a ledger goes on although its accepted copy has gone on",
        edits: &[("src/ledger/open.rs", "        found.refuse_behind(&self.connection, path)?;\n", "")],
        tests: "--test it places::an_accepted_copy",
    },
    Bug {
        name: "two copies book at a time",
        edits: &[(
            "src/ledger/mark.rs",
            "        Err(TryLockError::WouldBlock) => Err(MarkError::InUse),\n        // Where the file system has no locks, the ledger's own are left.\n        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),",
            "        Ok(()) | Err(TryLockError::WouldBlock | TryLockError::Error(_)) => Ok(file),",
        )],
        tests: "--lib ledger::tests::moving",
    },
    Bug {
        name: "a file that a ledger was moved from still books",
        edits: &[(
            "src/ledger/home.rs",
            "        Some((_, to)) => Err(LedgerError::Moved { path: path.to_owned(), to }),",
            "        Some(_) if path.as_os_str().is_empty() => Err(LedgerError::Missing(path.to_owned())),\n        Some(_) => Ok(()),",
        )],
        tests: "--test it places::",
    },
    Bug {
        name: "links beside the ledger are followed",
        edits: &[
            ("src/ledger/place.rs", "    if metadata.is_symlink() {", "    if false {"),
            ("src/ledger/place.rs", "OFlags::NOFOLLOW | OFlags::NONBLOCK", "OFlags::NONBLOCK"),
        ],
        tests: "--test it places::what_is_planted",
    },
    Bug {
        name: "retry takes orders in doubt",
        edits: &[
            ("src/ledger/adopt.rs", "\"'rejected', 'refused'\"", "\"'rejected', 'refused', 'in_doubt'\""),
            (
                "src/ledger/adopt.rs",
                "state IN ('rejected', 'refused')\",",
                "state IN ('rejected', 'refused', 'in_doubt')\",",
            ),
        ],
        tests: "--test it doubts::retry",
    },
    Bug {
        name: "orders of another address are not asked about",
        edits: &[("src/ledger/elsewhere.rs", "if service == SANDBOX {", "if !service.is_empty() {")],
        tests: "--test it addresses::",
    },
    Bug {
        name: "only one address of a service is looked at",
        edits: &[("src/ledger/known.rs", "for service in addresses {", "for service in &addresses[..1] {")],
        tests: "--lib ledger::tests::addresses",
    },
    Bug {
        name: "what a crash let through is usual",
        edits: &[(
            "src/ledger/reconcile.rs",
            "AND r.already = 0 AND o.state <> 'abandoned'",
            "AND r.already = 0 AND o.state = 'booked'",
        )],
        tests: "--test it usual::",
    },
    Bug {
        name: "orders that were corrected have no label",
        edits: &[(
            "src/ledger/after.rs",
            "WHERE i.run_id = ?1 AND o.awb IS NOT NULL\n",
            "WHERE i.run_id = ?1 AND o.awb IS NULL\n",
        )],
        tests: "--test it labels::whatever",
    },
    Bug {
        name: "a ledger on a read-only file system is not read",
        edits: &[("src/ledger/open.rs", "if sealed::is_sealed(path) =>", "if path.is_dir() =>")],
        tests: "--test it ledger::a_ledger_on",
    },
    Bug {
        name: "a ledger is read without what its log holds",
        edits: &[("src/ledger/sqlite/sealed.rs", "    if log > 0 {", "    if log > u64::MAX / 2 {")],
        tests: "--lib ledger::tests::files",
    },
    Bug {
        name: "a renamed ledger leaves no fence at its old place",
        edits: &[("src/ledger/relocate.rs", "fence::put(&fence, from)?;", "remove(Some(fence));")],
        tests: "--test it places::an_old_place",
    },
    Bug {
        name: "a file is taken for the ledger by a number alone",
        edits: &[(
            "src/ledger/home.rs",
            "same_number && (self.born_ns != 0 ||",
            "same_number && (self.born_ns >= 0 ||",
        )],
        tests: "--lib ledger::home",
    },
    Bug {
        name: "the message on hard links advises a copy",
        edits: &[("src/ledger/error.rs", "unseen: remove the other names", "unseen: copy it, remove the other names")],
        tests: "--lib ledger::tests::files",
    },
];
