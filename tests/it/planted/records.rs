//! Bugs in the ledger.

use super::Bug;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "what a crash left is sent again at the next start",
        edits: &[(
            "ledger",
            "let outcome = Outcome::InDoubt { doubt: Doubt::Crashed };",
            "let outcome = Outcome::Waiting { reason: Doubt::Crashed.to_string() };",
        )],
        tests: "--test it kills::",
    },
    Bug {
        name: "commits are not synced",
        edits: &[("ledger", "\"synchronous\", \"FULL\"", "\"synchronous\", \"NORMAL\"")],
        tests: "--test it kills::power_cuts",
    },
    Bug {
        name: "answers that the disk did not take are forgotten",
        edits: &[("ledger", "if answers == 0 || spool.keep(entries).is_err() {", "drop(entries); if answers == 0 {")],
        tests: "--test it ledger::a_write_that_fails",
    },
    Bug {
        name: "an answer to an attempt that is in doubt already is dropped",
        edits: &[("ledger", "Taken::Late => late.push(entry)", "Taken::Late => drop(entry)")],
        tests: "--lib ledger::tests::late",
    },
    Bug {
        name: "a restored backup is taken for the ledger",
        edits: &[(
            "ledger",
            "let accepted = found.refuse_older(&self.connection, path)?; found.refuse_behind(&self.connection, path)?;",
            "let (accepted, _) = (None, found);",
        )],
        tests: "--test it ledger::a_restored",
    },
    Bug {
        name: "two runs at a time",
        edits: &[
            (
                "ledger",
                "Ok(()) => {} Err(TryLockError::WouldBlock) => return Err(LockError::Held { holder: named_in(&mut file) }),",
                "Ok(()) | Err(TryLockError::WouldBlock) => {}",
            ),
            ("ledger", "handle::try_lock(ledger)", "Ok(Some(InodeLock::nothing()))"),
            (
                "ledger",
                "Err(TryLockError::WouldBlock) => Err(MarkError::InUse)",
                "Err(TryLockError::WouldBlock) => Ok(file)",
            ),
        ],
        tests: "--test it locks::",
    },
    Bug {
        name: "the lock is the file beside the ledger alone",
        edits: &[("ledger", "handle::try_lock(ledger)", "Ok(Some(InodeLock::nothing()))")],
        tests: "--test it places::the_lock_holds",
    },
    Bug {
        name: "a ledger may be mounted without its folder",
        edits: &[("ledger", "if is_mounted(&mounts(), ledger) {", "if is_mounted(\"\", ledger) {")],
        tests: "--test it places::a_mounted",
    },
    Bug {
        name: "a mount point is never recognised",
        edits: &[(
            "ledger",
            ".any(|(point, _)| point == path)",
            ".any(|(point, _)| point == path && point.is_relative())",
        )],
        tests: "--lib ledger::network",
    },
    Bug {
        name: "a copy is taken for the ledger",
        edits: &[("ledger", "(false, false) => Standing::CopyOf(noted)", "(false, false) => Standing::ToBeNoted")],
        tests: "--test it places::a_copy",
    },
    Bug {
        name: "a ledger goes on although its accepted copy has gone on",
        edits: &[("ledger", "found.refuse_behind(&self.connection, path)?;", "")],
        tests: "--test it places::an_accepted_copy",
    },
    Bug {
        name: "two copies book at a time",
        edits: &[(
            "ledger",
            "Err(TryLockError::WouldBlock) => Err(MarkError::InUse), Ok(()) | Err(TryLockError::Error(_)) => Ok(file)",
            "Ok(()) | Err(TryLockError::WouldBlock | TryLockError::Error(_)) => Ok(file)",
        )],
        tests: "--lib ledger::tests::moving",
    },
    Bug {
        name: "a file that a ledger was moved from still books",
        edits: &[(
            "ledger",
            "Some((_, to)) => Err(LedgerError::Moved { path: path.to_owned(), to })",
            "Some(_) if path.as_os_str().is_empty() => Err(LedgerError::Missing(path.to_owned())), Some(_) => Ok(())",
        )],
        tests: "--test it places::",
    },
    Bug {
        name: "links beside the ledger are followed",
        edits: &[
            ("ledger", "if metadata.is_symlink() {", "if false {"),
            ("ledger", "OFlags::NOFOLLOW | OFlags::NONBLOCK", "OFlags::NONBLOCK"),
        ],
        tests: "--test it places::what_is_planted",
    },
    Bug {
        name: "retry takes orders in doubt",
        edits: &[
            ("ledger", "\"'rejected', 'refused'\"", "\"'rejected', 'refused', 'in_doubt'\""),
            ("ledger", "state IN ('rejected', 'refused')\"", "state IN ('rejected', 'refused', 'in_doubt')\""),
        ],
        tests: "--test it doubts::retry",
    },
    Bug {
        name: "orders of another address are not asked about",
        edits: &[("ledger", "if service == SANDBOX {", "if !service.is_empty() {")],
        tests: "--test it addresses::",
    },
    Bug {
        name: "only one address of a service is looked at",
        edits: &[("ledger", "for service in addresses {", "for service in &addresses[..1] {")],
        tests: "--lib ledger::tests::addresses",
    },
    Bug {
        name: "what a crash let through is usual",
        edits: &[(
            "ledger",
            "AND r.already = 0 AND r.behind = 0 AND o.standing NOT IN ('abandoned', 'held', 'left_out', 'dismissed')",
            "AND r.already = 0 AND o.state = 'booked'",
        )],
        tests: "--test it usual::",
    },
    Bug {
        name: "orders that were corrected have no label",
        edits: &[(
            "ledger",
            "WHERE r.run_id = ?1 AND o.awb IS NOT NULL",
            "WHERE r.run_id = ?1 AND r.behind = 0 AND o.awb IS NOT NULL",
        )],
        tests: "--test it labels::whatever",
    },
    Bug {
        name: "a ledger on a read-only file system is not read",
        edits: &[("ledger", "if sealed::is_sealed(path) =>", "if path.is_dir() =>")],
        tests: "--test it ledger::a_ledger_on",
    },
    Bug {
        name: "a ledger is read without what its log holds",
        edits: &[("ledger", "if log > 0 {", "if log > u64::MAX / 2 {")],
        tests: "--lib ledger::tests::files",
    },
    Bug {
        name: "a renamed ledger leaves no fence at its old place",
        edits: &[("ledger", "fence::put(&fence, from)?;", "remove(Some(fence));")],
        tests: "--test it places::an_old_place",
    },
    Bug {
        name: "a file is taken for the ledger by a number alone",
        edits: &[("ledger", "same_number && (self.born_ns != 0 ||", "same_number && (self.born_ns >= 0 ||")],
        tests: "--lib ledger::home",
    },
    Bug {
        name: "the message on hard links advises a copy",
        edits: &[("ledger", "unseen: remove the other names", "unseen: copy it, remove the other names")],
        tests: "--lib ledger::tests::files",
    },
    Bug {
        name: "of two who answer on one sheet both are told that it is kept",
        edits: &[(
            "ledger",
            "if noted.needs_revision() && found != revision {",
            "if noted.is_change() && found < revision {",
        )],
        tests: "--lib ledger::tests::drafts::",
    },
    Bug {
        name: "what was said of a sheet since it was checked is booked all the same",
        edits: &[(
            "app",
            "DraftKept::ChangedSince => return Err(super::Error::DraftChanged),",
            "DraftKept::ChangedSince => {}",
        )],
        tests: "--test it meanwhile::",
    },
    Bug {
        name: "a sheet that is cleared stays in pages that nothing uses",
        edits: &[("ledger", "\"PRAGMA secure_delete = ON\"", "\"PRAGMA secure_delete = OFF\"")],
        tests: "--lib ledger::tests::drafts::a_note",
    },
    Bug {
        name: "what was open in an earlier version is forgotten",
        edits: &[("ledger", "Some(folder) => Err(LedgerError::OpenBefore { folder }),", "Some(_) => Ok(()),")],
        tests: "--test it desk::lists::what_was_open",
    },
    Bug {
        name: "a copy of a sheet that is not what came is read",
        edits: &[("app", "if !is_there || file_sha256(&path).ok() != Some(self.record.sha256) {", "if !is_there {")],
        tests: "--test it saved::a_sheet_is_read",
    },
    Bug {
        name: "an order that an open sheet keeps back is held nowhere but there",
        edits: &[(
            "ledger",
            "mark(connection, were.symmetric_difference(&are).map(|(number, _)| number.as_str()))?;",
            "",
        )],
        tests: "--lib ledger::tests::draft_holds::",
    },
    Bug {
        name: "a run of an open sheet lets all go that the sheet keeps back",
        edits: &[("ledger", "stay.push(row);", "drop(row);")],
        tests: "--lib ledger::tests::draft_holds::",
    },
    Bug {
        name: "a run of an open sheet lets go what it leaves in doubt",
        edits: &[("ledger", "WHERE o.state IN ('staged', 'waiting', 'booked') OR EXISTS", "WHERE o.id > 0 OR EXISTS")],
        tests: "--lib ledger::tests::draft_holds::",
    },
    Bug {
        name: "an answer lets all other orders of its sheet go",
        edits: &[(
            "ledger",
            "Looked::At(of) => take(connection, draft, Some(of))?",
            "Looked::At(_) => take(connection, draft, None)?",
        )],
        tests: "--test it desk::kept::a_watcher",
    },
    Bug {
        name: "what was sent from elsewhere is held again by every answer",
        edits: &[("ledger", "were.symmetric_difference(&are)", "were.union(&are)")],
        tests: "--lib ledger::tests::draft_holds::",
    },
    Bug {
        name: "a new hold of an open sheet is no link of the evidence",
        edits: &[(
            "ledger",
            "new.service.filter(|_| !newly.is_empty())",
            "new.service.filter(|_| newly.len() > usize::MAX / 2)",
        )],
        tests: "--lib ledger::tests::draft_holds::",
    },
    Bug {
        name: "what was typed over is sent as it was before",
        edits: &[("app", "holds.insert(number.clone(), otherwise(number, DraftHoldKind::Typed));", "")],
        tests: "--test it desk::kept::what_was_typed",
    },
    Bug {
        name: "what is otherwise in an open sheet is sent as it was staged",
        edits: &[("app", "Some(entry) => is_answered && !entry.is_as_staged,", "Some(_) => false,")],
        tests: "--test it desk::kept::what_an_answer",
    },
];
