//! Backups, copies and moves of a history's ledger, and disks that forget.

use std::path::Path;

use shipsheet::ledger::{Ledger, NewAcceptance};

use super::disk::{COMPANIONS, Snapshot, attempts, beside, lock_of};
use super::plan::{Address, End, ORDERS, Pace, Says, Taking, What};
use super::world::World;

impl World {
    pub(super) fn back_up(&mut self) {
        self.copies += 1;
        let to = self.folder.path().join(format!("backup-{}.sqlite", self.copies));
        if self.ledger.exists() {
            Ledger::open_read_only(&self.ledger).unwrap().backup(&to).unwrap();
            self.backup = Some((to, self.doubts_max, self.model.clone()));
        }
    }

    /// Puts the backup in the ledger's place; unless it knows all that the ledger knew, it must be refused.
    pub(super) fn restore(&mut self, accept: bool) {
        let Some((backup, doubts_max, model)) = self.backup.clone() else { return };
        let newest = Snapshot::take(&self.ledger, &self.marks());
        let (before, after) = (attempts(&self.ledger), attempts(&backup));
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(beside(&self.ledger, suffix));
        }
        std::fs::copy(&backup, &self.ledger).unwrap();
        let (sources, noted) = (model.counts.sources, self.noted);
        let opened = self.open();
        let refused = opened.is_err();
        drop(opened);
        self.figures.refused_backups += u64::from(refused);
        self.figures.refused_for_words += u64::from(refused && after == before && sources < noted);
        if !refused && (after < before || sources < noted) {
            let lost = format!("{after} of {before} attempts and {sources} of {noted} sources");
            self.faults.push(format!("a backup with {lost} was taken for the ledger"));
        }
        if !refused {
            // It knows all that the ledger knew, and is the ledger from here on.
            self.noted = sources;
            self.model = model;
            return;
        }
        if !accept {
            for suffix in ["-wal", "-shm"] {
                let _ = std::fs::remove_file(beside(&self.ledger, suffix));
            }
            return newest.put_back();
        }
        let word = NewAcceptance {
            user: "asha".into(),
            host: "desk".into(),
            because: "the disk broke; the portal was looked through".into(),
            at_ms: 5_000,
        };
        if let Err(error) = Ledger::accept(lock_of(&self.ledger), &self.watch(), &word) {
            return self.faults.push(format!("a person could not accept a backup: {error}"));
        }
        // What was said since then is said no more, and what was on its way when the backup was made is on its way once more.
        self.figures.accepted_backups += 1;
        self.noted = model.counts.sources;
        self.model = model;
        self.doubts_max = doubts_max;
        // Whatever the lost ledger had sent is that person's affair, also what the service books only now.
        self.service.begin(0, None);
        let known = rusqlite::Connection::open(&self.ledger).unwrap();
        for (number, awb) in &self.service.pages().bookings {
            let has = known.query_row("SELECT 1 FROM orders WHERE awb = ?1", [awb], |_| Ok(())).is_ok();
            if !has {
                *self.words.entry(number.clone()).or_default() += 1;
                self.given_up.push(awb.clone());
            }
        }
        self.note_known();
    }

    /// The disk forgets what it said that it had; what the user's own folder knows is elsewhere.
    pub(super) fn lie(&mut self) {
        if !self.ledger.exists() {
            return;
        }
        let before = Snapshot::take(&self.ledger, Path::new("/nowhere"));
        let attempts_before = attempts(&self.ledger);
        let (all, sources) = (What::Sheet { says: [Says::Same; ORDERS], taking: Taking::Booked }, self.noted);
        self.session((all, Address::Usual), Pace { width: 2, most: None }, 0, (End::Done, None));
        let newest = Snapshot::take(&self.ledger, Path::new("/nowhere"));
        let lost = attempts(&self.ledger) - attempts_before;
        let _ = std::fs::remove_file(beside(&self.ledger, "-shm"));
        before.put_back();
        self.figures.lost_by_disks += lost;
        let noted = self.noted;
        if self.open().is_ok() && (lost > 0 || sources < noted) {
            let sources = noted - sources;
            self.faults
                .push(format!("a disk lost {lost} attempts and {sources} sources, and the ledger was taken for good"));
        }
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(beside(&self.ledger, suffix));
        }
        newest.put_back();
    }

    /// A copy in another place must not book while the ledger itself is there; once a person says that the copy is right, the
    /// other one must not.
    pub(super) fn book_with_copy(&mut self, accept: bool) {
        let sent = attempts(&self.ledger) > 0;
        if !self.ledger.exists() || !sent {
            return;
        }
        self.copies += 1;
        let copy = self.folder.path().join(format!("copy-{}.sqlite", self.copies));
        for suffix in COMPANIONS {
            let _ = std::fs::copy(beside(&self.ledger, suffix), beside(&copy, suffix));
        }
        let ours = std::mem::replace(&mut self.ledger, copy);
        let taken = self.open().is_ok();
        self.figures.refused_copies += u64::from(!taken);
        if taken {
            self.faults.push("a copy was taken for the ledger".to_owned());
        }
        if !accept {
            self.ledger = ours;
            return;
        }
        let word =
            NewAcceptance { user: "asha".into(), host: "desk".into(), because: "the disk broke".into(), at_ms: 5_500 };
        if let Err(error) = Ledger::accept(lock_of(&self.ledger), &self.watch(), &word) {
            return self.faults.push(format!("a person could not accept a copy: {error}"));
        }
        if let Err(error) = self.open() {
            return self.faults.push(format!("a copy that was accepted is refused: {error}"));
        }
        self.figures.accepted_copies += 1;
        let copy = std::mem::replace(&mut self.ledger, ours);
        if self.open().is_ok() {
            self.faults.push("a ledger books beside its accepted copy".to_owned());
        }
        self.ledger = copy;
    }

    pub(super) fn relocate(&mut self) {
        if !self.ledger.exists() {
            return;
        }
        self.copies += 1;
        let to = self.folder.path().join(format!("moved-{}", self.copies)).join("ledger.sqlite");
        let word =
            NewAcceptance { user: "asha".into(), host: "desk".into(), because: "a larger disk".into(), at_ms: 6_000 };
        drop(lock_of(&self.ledger));
        match Ledger::relocate(&self.ledger, &to, &self.watch(), &word) {
            Ok(relocated) => {
                self.ledger = relocated.to;
                self.figures.moves += 1;
            }
            Err(error) => self.faults.push(format!("the ledger could not be moved: {error}")),
        }
    }

    pub(super) fn rename(&mut self) {
        if !self.ledger.exists() {
            return;
        }
        self.copies += 1;
        let to = self.folder.path().join(format!("renamed-{}.sqlite", self.copies));
        for suffix in COMPANIONS {
            let _ = std::fs::rename(beside(&self.ledger, suffix), beside(&to, suffix));
        }
        self.ledger = to;
    }
}
