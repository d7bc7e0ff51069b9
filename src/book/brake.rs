//! Rules that stop or slow a run before it burns the sheet. Pure: time comes in as a number.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use crate::api::outcome::{Doubt, Outcome, Signal, masked, purchase_error_text};

use super::adapt::Concurrency;
use super::retry::RetryPolicy;

/// What stopped a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoppedBy {
    /// The token is not accepted.
    Authentication,
    /// Nothing is there at the configured address.
    Address,
    /// TLS failed.
    Tls,
    /// The service answers with a redirect.
    Redirect,
    /// The account cannot pay.
    Funds,
    /// The same refusal over and over.
    Refusals,
    /// Too many outcomes unknown.
    Doubts,
    /// An answer contradicts itself or the ledger.
    Contradiction,
    /// An answer is not understood.
    Answer,
    /// The ledger cannot be written.
    Ledger,
    /// The service cannot be reached.
    Unreachable,
    /// A limit of time, a person's or the service's.
    Limit,
    /// A limit of orders, value or failures that a person set.
    OwnLimit,
    /// A person or the system asked.
    Signal,
}

impl StoppedBy {
    /// The stable word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Authentication => "authentication",
            Self::Address => "address",
            Self::Tls => "tls",
            Self::Redirect => "redirect",
            Self::Funds => "funds",
            Self::Refusals => "refusals",
            Self::Doubts => "doubts",
            Self::Contradiction => "contradiction",
            Self::Answer => "answer",
            Self::Ledger => "ledger",
            Self::Unreachable => "unreachable",
            Self::Limit | Self::OwnLimit => "limit",
            Self::Signal => "signal",
        }
    }
}

impl fmt::Display for StoppedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What makes a run pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PausedBy {
    /// The service asks for it (429).
    TooMany,
    /// The service cannot be reached.
    Unreachable,
    /// Several orders ended in doubt.
    Doubts,
}

impl PausedBy {
    /// The stable word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooMany => "too-many",
            Self::Unreachable => "unreachable",
            Self::Doubts => "doubts",
        }
    }

    /// What stops the run where such a pause is longer than anybody waits.
    const fn stops(self) -> StoppedBy {
        match self {
            Self::TooMany => StoppedBy::Limit,
            Self::Unreachable => StoppedBy::Unreachable,
            Self::Doubts => StoppedBy::Doubts,
        }
    }
}

/// What the brake decides on an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// Go on.
    Go,
    /// The token must be renewed before anything else goes.
    RenewToken,
    /// Send nothing for a while.
    Pause {
        /// What makes it wait.
        by: PausedBy,
        /// For how long.
        wait: Duration,
        /// Why, for people.
        reason: String,
    },
    /// A pause that has begun lasts at least this much longer.
    Lengthen {
        /// From now.
        wait: Duration,
    },
    /// Start nothing new.
    Stop {
        /// Which brake.
        by: StoppedBy,
        /// What happened and what to fix, for people.
        reason: String,
    },
}

/// The brake's settings.
#[derive(Debug, Clone, Copy)]
pub struct BrakeOptions {
    /// Orders in flight at most.
    pub concurrency: Concurrency,
    /// The longest time without a useful answer that is waited out.
    pub wait_max: Duration,
    /// Waits between tries.
    pub retry: RetryPolicy,
    /// The shortest pause before a probe.
    pub probe_wait: Duration,
}

impl BrakeOptions {
    /// The shortest pause before a probe, usually.
    pub const PROBE_WAIT: Duration = Duration::from_secs(5);
}

/// Refusals with one fingerprint in a row that stop the run.
const REFUSALS_MAX: u32 = 5;
/// Equal rejections in a row that stop a run which has booked: many neighbours may share one PIN code.
const REJECTIONS_MAX: u32 = 25;
/// Doubts among the last [`DOUBT_WINDOW`] attempts that pause it.
const DOUBTS_MAX: usize = 3;
const DOUBT_WINDOW: usize = 20;
/// Probes that may end in doubt before the run stops.
const PROBES_MAX: u32 = 3;

/// What a 429 says.
const TOO_MANY: &str = "the service asks for a pause (429)";

/// Words of a rejection that tell of an empty account.
const FUNDS_WORDS: &[&str] = &["balance", "wallet", "insufficient fund", "recharge", "credit limit"];

/// Whether what the service said tells of an empty account.
#[must_use]
pub fn is_for_want_of_money(said: &str) -> bool {
    let said = said.to_lowercase();
    // Of a status alone there may be no word.
    said.contains("(http 402)") || FUNDS_WORDS.iter().any(|word| said.contains(word))
}

/// Watches the answers of a run.
#[derive(Debug)]
pub struct Brake {
    options: BrakeOptions,
    booked: u64,
    width: usize,
    clean_at_width: usize,
    ramping: bool,
    fingerprint: Option<String>,
    refusals: u32,
    forbidden: u32,
    rejection: Option<String>,
    rejections: u32,
    recent_doubts: VecDeque<bool>,
    probing: bool,
    probes_failed: u32,
    unreachable: u32,
    waited: Duration,
    throttled: u32,
    renewed: bool,
}

impl Brake {
    /// A brake at rest: the first order goes alone.
    #[must_use]
    pub fn new(options: BrakeOptions) -> Self {
        Self {
            options,
            booked: 0,
            width: 1,
            clean_at_width: 0,
            ramping: true,
            fingerprint: None,
            refusals: 0,
            forbidden: 0,
            rejection: None,
            rejections: 0,
            recent_doubts: VecDeque::with_capacity(DOUBT_WINDOW),
            probing: false,
            probes_failed: 0,
            unreachable: 0,
            waited: Duration::ZERO,
            throttled: 0,
            renewed: false,
        }
    }

    /// How many orders may be in flight now.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width.min(self.options.concurrency.ceiling()).max(1)
    }

    /// Judges one answer. `fresh` says that its order was sent after the last pause began: what was in flight before
    /// spoils no probe, and lengthens the pause only where the service asks for more. `jitter` lies between 0 and 1.
    pub fn judge(&mut self, outcome: &Outcome, signal: &Signal, fresh: bool, jitter: f64) -> Ruling {
        let is_doubt = matches!(outcome, Outcome::InDoubt { .. });
        self.note_doubt(is_doubt);
        if !fresh {
            match signal {
                Signal::TooMany { retry_after_ms } => return self.lengthen(*retry_after_ms),
                Signal::Unreachable | Signal::Doubt => return Ruling::Go,
                _ => {}
            }
        }
        if !matches!(signal, Signal::Refusal { .. } | Signal::Address) {
            (self.fingerprint, self.refusals) = (None, 0);
        }
        if !matches!(signal, Signal::Forbidden) {
            self.forbidden = 0;
        }
        match signal {
            Signal::Clear => self.clear(outcome),
            Signal::Refusal { fingerprint } => self.refusal(fingerprint, outcome),
            Signal::Address if self.booked == 0 => stop(
                StoppedBy::Address,
                format!("{}; nothing that books is at this address: check base_url", message(outcome)),
            ),
            Signal::Address => self.refusal("address", outcome),
            Signal::Forbidden => self.forbidden(outcome),
            Signal::Unauthorized => self.unauthorized(outcome),
            Signal::Funds => stop(StoppedBy::Funds, format!("the account cannot pay: {}; top it up", message(outcome))),
            Signal::Tls => stop(
                StoppedBy::Tls,
                format!("{}; check base_url, this machine's clock and its certificates (ca_file)", message(outcome)),
            ),
            Signal::Redirect { location } => stop(
                StoppedBy::Redirect,
                format!(
                    "the service answers with a redirect to {}; redirects are never followed: correct base_url",
                    location.as_deref().unwrap_or("nowhere")
                ),
            ),
            Signal::Contradiction => {
                stop(StoppedBy::Contradiction, format!("{}; ask the service before going on", message(outcome)))
            }
            Signal::TooMany { retry_after_ms } => {
                let asked = retry_after_ms.map_or(Duration::ZERO, Duration::from_millis);
                let ruling = if is_doubt { self.doubt(outcome, asked) } else { Ruling::Go };
                if ruling == Ruling::Go { self.too_many(*retry_after_ms, jitter) } else { ruling }
            }
            Signal::Unreachable => self.unreachable(outcome, jitter),
            Signal::Doubt => self.doubt(outcome, Duration::ZERO),
            Signal::NotUnderstood => self.not_understood(outcome),
        }
    }

    /// Notes that a fresh token is in use.
    pub fn token_renewed(&mut self) {
        self.renewed = true;
    }

    fn clear(&mut self, outcome: &Outcome) -> Ruling {
        self.answered();
        match outcome {
            Outcome::Booked(_) => {
                self.booked += 1;
                (self.rejection, self.rejections) = (None, 0);
            }
            Outcome::Rejected { error, .. } => {
                if let Some(ruling) = self.rejection(error) {
                    return ruling;
                }
            }
            _ => {}
        }
        self.widen();
        Ruling::Go
    }

    /// One answer over and over speaks of the account and not of the orders, above all where nothing was booked yet.
    fn rejection(&mut self, error: &str) -> Option<Ruling> {
        let error = purchase_error_text(error);
        let fingerprint = masked(&error.to_lowercase());
        if self.rejection.as_ref() == Some(&fingerprint) {
            self.rejections += 1;
        } else {
            self.rejections = 1;
        }
        let for_want_of_money = is_for_want_of_money(&fingerprint);
        self.rejection = Some(fingerprint);
        let rejections = self.rejections;
        if for_want_of_money && rejections >= REFUSALS_MAX {
            let reason = format!("{rejections} orders in a row were rejected for want of money; top up the account");
            return Some(stop(StoppedBy::Funds, reason));
        }
        let max = if self.booked == 0 { REFUSALS_MAX } else { REJECTIONS_MAX };
        (rejections >= max).then(|| {
            stop(
                StoppedBy::Refusals,
                format!(
                    "{rejections} orders in a row were rejected for the same reason: {error}; see to it, then go on"
                ),
            )
        })
    }

    fn refusal(&mut self, fingerprint: &str, outcome: &Outcome) -> Ruling {
        self.answered();
        if self.fingerprint.as_deref() == Some(fingerprint) {
            self.refusals += 1;
        } else {
            self.fingerprint = Some(fingerprint.to_owned());
            self.refusals = 1;
        }
        if self.refusals >= REFUSALS_MAX {
            return stop(
                StoppedBy::Refusals,
                format!("{} orders in a row were refused for the same reason: {}", self.refusals, message(outcome)),
            );
        }
        Ruling::Go
    }

    fn forbidden(&mut self, outcome: &Outcome) -> Ruling {
        self.answered();
        self.forbidden += 1;
        if self.forbidden >= 2 {
            return stop(
                StoppedBy::Authentication,
                format!("{}; this account may not book: ask the service for the right", message(outcome)),
            );
        }
        Ruling::Go
    }

    fn unauthorized(&mut self, outcome: &Outcome) -> Ruling {
        if self.renewed {
            return stop(
                StoppedBy::Authentication,
                format!("{}; the token was renewed and is refused again", message(outcome)),
            );
        }
        Ruling::RenewToken
    }

    fn too_many(&mut self, retry_after_ms: Option<u64>, jitter: f64) -> Ruling {
        self.unreachable = 0;
        self.ramping = false;
        self.width = (self.width() / 2).max(1);
        self.clean_at_width = 0;
        self.throttled += 1;
        let asked = retry_after_ms.map(Duration::from_millis);
        let wait = self.options.retry.delay(self.throttled, asked, jitter);
        self.wait(wait, PausedBy::TooMany, TOO_MANY)
    }

    /// One storm halves the width once, but the longest wait that it asked for counts.
    fn lengthen(&mut self, retry_after_ms: Option<u64>) -> Ruling {
        let Some(wait) = retry_after_ms.map(Duration::from_millis) else { return Ruling::Go };
        if wait > self.options.wait_max {
            return self.wait(wait, PausedBy::TooMany, TOO_MANY);
        }
        self.waited = self.waited.max(wait);
        Ruling::Lengthen { wait }
    }

    fn unreachable(&mut self, outcome: &Outcome, jitter: f64) -> Ruling {
        self.unreachable += 1;
        self.restart_ramp();
        let wait = self.options.retry.delay(self.unreachable, None, jitter.max(0.25));
        self.wait(wait, PausedBy::Unreachable, &message(outcome))
    }

    /// A pause for doubts is as long as the service asks for at least.
    fn doubt(&mut self, outcome: &Outcome, asked: Duration) -> Ruling {
        let doubts = self.recent_doubts.iter().filter(|doubt| **doubt).count();
        if !self.probing && doubts < DOUBTS_MAX {
            return Ruling::Go;
        }
        if self.probing {
            self.probes_failed += 1;
        }
        if self.probes_failed >= PROBES_MAX {
            return stop(
                StoppedBy::Doubts,
                format!("too many orders ended in doubt, the last because of this: {}", message(outcome)),
            );
        }
        self.probing = true;
        self.restart_ramp();
        let wait = self.options.probe_wait.saturating_mul(1 << self.probes_failed.min(8)).min(self.options.wait_max);
        self.wait(wait.max(asked), PausedBy::Doubts, "several orders ended in doubt; one will be tried alone")
    }

    /// What nobody here understands stops the run at once, so that it costs one doubt. Where answers were understood before,
    /// one without any sense is damage on its way and counts as a doubt.
    fn not_understood(&mut self, outcome: &Outcome) -> Ruling {
        let is_damage = matches!(outcome, Outcome::InDoubt { doubt: Doubt::Unreadable { .. } });
        if is_damage && self.booked > 0 {
            return self.doubt(outcome, Duration::ZERO);
        }
        stop(StoppedBy::Answer, format!("{}; the order may be booked, and nothing more is sent", message(outcome)))
    }

    fn wait(&mut self, wait: Duration, by: PausedBy, reason: &str) -> Ruling {
        self.waited += wait;
        if self.waited > self.options.wait_max {
            return stop(by.stops(), format!("{reason}; it was waited for as long as the longest wait allows"));
        }
        Ruling::Pause { by, wait, reason: reason.to_owned() }
    }

    /// A whole answer came: whatever waits were needed are over.
    fn answered(&mut self) {
        self.unreachable = 0;
        self.throttled = 0;
        self.renewed = false;
        self.waited = Duration::ZERO;
        if self.probing {
            self.probing = false;
            self.probes_failed = 0;
            self.recent_doubts.clear();
        }
    }

    fn note_doubt(&mut self, doubt: bool) {
        if self.recent_doubts.len() == DOUBT_WINDOW {
            self.recent_doubts.pop_front();
        }
        self.recent_doubts.push_back(doubt);
    }

    fn restart_ramp(&mut self) {
        self.width = 1;
        self.clean_at_width = 0;
        self.ramping = true;
    }

    /// Doubles while ramping; after a 429 grows by one.
    fn widen(&mut self) {
        self.clean_at_width += 1;
        if self.clean_at_width < self.width || self.width >= self.options.concurrency.ceiling() {
            return;
        }
        self.clean_at_width = 0;
        self.width = if self.ramping { self.width * 2 } else { self.width + 1 }.min(self.options.concurrency.ceiling());
    }
}

fn stop(by: StoppedBy, reason: String) -> Ruling {
    Ruling::Stop { by, reason }
}

fn message(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Booked(_) => "booked".to_owned(),
        Outcome::Rejected { error, .. } => error.clone(),
        Outcome::Refused { message } => message.clone(),
        Outcome::Waiting { reason } => reason.clone(),
        Outcome::InDoubt { doubt } => doubt.to_string(),
    }
}
