//! What happens in a history, drawn from a seed.

use fastrand::Rng;

/// How a session ends before it is done, after so many requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// The process is killed while its sheet is being recorded.
    KillUnstaged,
    /// The process is killed once its run is recorded, before anything is sent.
    KillStaged,
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

impl End {
    /// Whether the process ends by no will of its own.
    pub(super) const fn is_sudden(self) -> bool {
        matches!(self, Self::KillUnstaged | Self::KillStaged | Self::Crash(_) | Self::Kill(_))
    }
}

/// What a sheet says of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Nothing,
    /// What the shop's last sheet had of it.
    Same,
    /// Another address.
    Corrected,
    /// One product in the place of two.
    Fewer,
    /// An order of another shop that has the same number.
    OtherShop,
    Cancelled,
    /// Nothing is left to be done.
    Delivered,
    /// A remark: do not ship.
    DoNotShip,
    NoPinCode,
}

/// What becomes of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taking {
    Booked,
    /// It is refused as a whole, for instance because not every order is good.
    Refused,
    /// It is checked, or its plan is declined.
    LookedAt,
}

/// What a session books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Sheet {
        says: [Says; ORDERS],
        taking: Taking,
    },
    /// The very sheet that came so many sheets ago.
    Again {
        back: usize,
        taking: Taking,
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

/// How many orders a session sends at a time, and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    pub(super) width: usize,
    pub(super) most: Option<u64>,
}

/// One step of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Session {
        what: What,
        address: Address,
        pace: Pace,
        trouble: u64,
        end: End,
        meddler: Option<Meddler>,
    },
    /// A person looks every doubt up and says what is true.
    LookUp,
    /// A person gives up whatever is in doubt.
    GiveUp,
    /// A person accepts what rules hold of one of the orders that are held.
    Accept(usize),
    /// A person abandons one of the orders that are not booked.
    Abandon(usize),
    /// A person lets one of the orders go that are abandoned, held or left out.
    Release(usize),
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
pub(super) const ORDERS: usize = 10;

pub(super) fn plan(seed: u64) -> Vec<Step> {
    let mut rng = Rng::with_seed(seed);
    let steps = rng.usize(2..6);
    let mut plan: Vec<Step> = (0..steps).map(|_| step(&mut rng)).collect();
    plan.insert(0, session(&mut rng, true));
    if rng.u8(..8) == 0 {
        let at = rng.usize(1..=plan.len());
        plan.splice(at..at, backup_before_a_cancellation(&mut rng));
    }
    plan
}

/// A backup that knows all that was sent, and nothing of what a sheet said since then.
fn backup_before_a_cancellation(rng: &mut Rng) -> [Step; 3] {
    let mut says = [Says::Nothing; ORDERS];
    says.fill_with(|| [Says::Nothing, Says::Cancelled, Says::DoNotShip][rng.usize(..3)]);
    let taking = if rng.bool() { Taking::Booked } else { Taking::Refused };
    let pace = Pace { width: 1, most: None };
    let (what, address, end, meddler) = (What::Sheet { says, taking }, Address::Usual, End::Done, None);
    let sheet = Step::Session { what, address, pace, trouble: 0, end, meddler };
    [Step::Backup, sheet, if rng.bool() { Step::Restore } else { Step::RestoreAndAccept }]
}

fn step(rng: &mut Rng) -> Step {
    match rng.u8(..32) {
        0..=11 => session(rng, false),
        12..=14 => Step::LookUp,
        15 => Step::GiveUp,
        16 => Step::Backup,
        17 => Step::Restore,
        18 => Step::RestoreAndAccept,
        19 => Step::LyingDisk,
        20 => Step::BookWithCopy,
        21 => Step::Move,
        22 => Step::AcceptCopy,
        23 => Step::ClockJump(rng.i64(-90..90)),
        24..=27 => Step::Accept(rng.usize(..ORDERS)),
        28 => Step::Abandon(rng.usize(..ORDERS)),
        29..=30 => Step::Release(rng.usize(..ORDERS)),
        _ => Step::Rename,
    }
}

fn says(rng: &mut Rng) -> Says {
    match rng.u8(..32) {
        0..=11 => Says::Nothing,
        12..=19 => Says::Same,
        20..=22 => Says::Corrected,
        23 => Says::Fewer,
        24 => Says::OtherShop,
        25..=27 => Says::Cancelled,
        28 => Says::Delivered,
        29..=30 => Says::DoNotShip,
        _ => Says::NoPinCode,
    }
}

fn sheet(rng: &mut Rng, first: bool) -> What {
    let taking = match rng.u8(..12) {
        0 if !first => Taking::Refused,
        1 if !first => Taking::LookedAt,
        _ => Taking::Booked,
    };
    if !first && rng.u8(..4) == 0 {
        return What::Again { back: rng.usize(1..4), taking };
    }
    // The first one has mostly orders that go.
    let says = std::array::from_fn(|_| if first && rng.u8(..3) > 0 { Says::Same } else { says(rng) });
    What::Sheet { says, taking }
}

fn session(rng: &mut Rng, first: bool) -> Step {
    let what = match rng.u8(..4) {
        0 if !first => What::Outstanding,
        1 if !first => What::Failed,
        _ => sheet(rng, first),
    };
    let after = rng.u64(1..8);
    let end = match rng.u8(..18) {
        0..=2 => End::Crash(after),
        3..=5 => End::Kill(after),
        6 => End::Drain(after),
        7 => End::Cut(after),
        8 if rng.u8(..3) == 0 => End::DiskFails(after),
        9 => End::KillUnstaged,
        10 => End::KillStaged,
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
    let most = if rng.u8(..3) > 0 { Some(rng.u64(1..5)) } else { None };
    let (width, trouble) = ([1, 2, 4, 8][rng.usize(..4)], [0, 5, 15, 40][rng.usize(..4)]);
    Step::Session { what, address, pace: Pace { width, most }, trouble, end, meddler }
}
