//! What happened in histories, counted.

use super::model::Counts;

/// What happened, counted: a proof that histories are no walks in the park.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Figures {
    pub(super) orders: usize,
    pub(super) bookings: usize,
    /// What was said of orders.
    pub(super) said: Counts,
    pub(super) refused_sheets: u64,
    pub(super) sessions: u64,
    pub(super) crashes: u64,
    pub(super) crash_doubts: usize,
    pub(super) late: usize,
    pub(super) contradictions: usize,
    pub(super) words: usize,
    pub(super) refused_backups: u64,
    /// Those that had every attempt, and lacked what was said.
    pub(super) refused_for_words: u64,
    pub(super) accepted_backups: u64,
    pub(super) refused_copies: u64,
    pub(super) accepted_copies: u64,
    pub(super) refused_addresses: u64,
    pub(super) lost_by_disks: i64,
    pub(super) moves: u64,
    pub(super) meddled: u64,
}

impl Figures {
    pub(super) fn add(&mut self, more: &Self) {
        self.orders += more.orders;
        self.bookings += more.bookings;
        self.said.add(&more.said);
        self.refused_sheets += more.refused_sheets;
        self.sessions += more.sessions;
        self.crashes += more.crashes;
        self.crash_doubts += more.crash_doubts;
        self.late += more.late;
        self.contradictions += more.contradictions;
        self.words += more.words;
        self.refused_backups += more.refused_backups;
        self.refused_for_words += more.refused_for_words;
        self.accepted_backups += more.accepted_backups;
        self.refused_copies += more.refused_copies;
        self.accepted_copies += more.accepted_copies;
        self.refused_addresses += more.refused_addresses;
        self.lost_by_disks += more.lost_by_disks;
        self.moves += more.moves;
        self.meddled += more.meddled;
    }

    /// Events that never happened, where they should have; what is rare may be missing from a short run.
    pub(super) fn missing(&self, is_long: bool) -> Vec<&'static str> {
        let counts = [
            ("crashes", self.crashes > 0),
            ("doubts after crashes", self.crash_doubts > 0),
            ("late answers", self.late > 0),
            ("words", self.words > 0),
            ("refused backups", self.refused_backups > 0 || !is_long),
            ("backups refused for what was said", self.refused_for_words > 0 || !is_long),
            ("accepted backups", self.accepted_backups > 0 || !is_long),
            ("cancellations", self.said.cancelled > 0),
            ("holds", self.said.held > 0),
            ("questions", self.said.asked > 0),
            ("old sheets", self.said.old > 0),
            ("answers", self.said.released > 0),
            ("refused sheets", self.refused_sheets > 0),
            ("refused copies", self.refused_copies > 0),
            ("accepted copies", self.accepted_copies > 0),
            ("refused addresses", self.refused_addresses > 0),
            ("disks that lost attempts", self.lost_by_disks > 0),
            ("moves", self.moves > 0),
            ("second operators", self.meddled > 0),
        ];
        counts.into_iter().filter(|(_, happened)| !happened).map(|(name, _)| name).collect()
    }
}
