//! What happens in a history, drawn from a seed.

use fastrand::Rng;

/// How a session ends before it is done, after so many requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// The process is gone from one moment to the next.
    Crash(u64),
    /// The same, and what is on disk is what was there at that very moment.
    Kill(u64),
    /// Ctrl-C once, twice.
    Drain(u64),
    Cut(u64),
    /// From here on the disk takes nothing.
    DiskFails(u64),
}

/// What a session books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A sheet of these orders, with this version of their rows.
    Sheet {
        orders: u16,
        version: u8,
    },
    Outstanding,
    Failed,
}

/// Where a session books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Address {
    Usual,
    /// The same service elsewhere; a person who is asked says so.
    Other,
    /// The same, and nobody is there to be asked.
    OtherUnattended,
}

/// One step of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Session {
        what: What,
        address: Address,
        width: usize,
        trouble: u64,
        end: End,
        meddler: Option<Meddler>,
    },
    /// A person looks every doubt up and says what is true.
    LookUp,
    /// A person gives up whatever is in doubt.
    GiveUp,
    Backup,
    /// The backup is put in the ledger's place, and somebody tries to book.
    Restore,
    /// The same, and a person says that it is right.
    RestoreAndAccept,
    /// What is on disk is what was there some time ago: the disk had not written what it said it had.
    LyingDisk,
    /// A copy lies elsewhere, and somebody tries to book with it.
    BookWithCopy,
    /// The same, and a person says that the copy is right: from then on the other one must not book.
    AcceptCopy,
    /// The service's clock jumps by so many minutes.
    ClockJump(i64),
    /// The ledger moves to another folder.
    Move,
    /// The ledger's file is renamed without the program.
    Rename,
}

/// What a second operator does while the first one books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meddler {
    Books,
    DeletesTheLockFile,
}

/// Orders that a history knows.
pub(super) const ORDERS: u16 = 10;

pub(super) fn plan(seed: u64) -> Vec<Step> {
    let mut rng = Rng::with_seed(seed);
    let steps = rng.usize(2..7);
    let mut plan: Vec<Step> = (0..steps).map(|_| step(&mut rng)).collect();
    plan.insert(0, session(&mut rng, true));
    plan
}

fn step(rng: &mut Rng) -> Step {
    match rng.u8(..22) {
        0..=8 => session(rng, false),
        9..=11 => Step::LookUp,
        12 => Step::GiveUp,
        13 => Step::Backup,
        14 => Step::Restore,
        15 => Step::RestoreAndAccept,
        16 => Step::LyingDisk,
        17 => Step::BookWithCopy,
        18 => Step::Move,
        19 => Step::AcceptCopy,
        20 => Step::ClockJump(rng.i64(-90..90)),
        _ => Step::Rename,
    }
}

fn session(rng: &mut Rng, first: bool) -> Step {
    let sheet = |rng: &mut Rng| What::Sheet { orders: rng.u16(1..1 << ORDERS), version: rng.u8(..2) };
    let what = match rng.u8(..4) {
        0 if !first => What::Outstanding,
        1 if !first => What::Failed,
        _ => sheet(rng),
    };
    let after = rng.u64(1..8);
    let end = match rng.u8(..16) {
        0..=2 => End::Crash(after),
        3..=5 => End::Kill(after),
        6 => End::Drain(after),
        7 => End::Cut(after),
        8 if rng.u8(..3) == 0 => End::DiskFails(after),
        _ => End::Done,
    };
    let meddler = match rng.u8(..8) {
        0 => Some(Meddler::Books),
        1 => Some(Meddler::DeletesTheLockFile),
        _ => None,
    };
    let address = match rng.u8(..12) {
        0 => Address::Other,
        1 => Address::OtherUnattended,
        _ => Address::Usual,
    };
    let (width, trouble) = ([1, 2, 4, 8][rng.usize(..4)], [0, 5, 15, 40][rng.usize(..4)]);
    Step::Session { what, address, width, trouble, end, meddler }
}
