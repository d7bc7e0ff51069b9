//! Why nobody knows what became of a request: a closed list with the words for people.

/// Why an outcome is unknown. What the service or the system said in its own words stands in it as it came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// No answer within the request's time.
    #[error("no answer came in time")]
    TimedOut,
    /// The connection was closed or reset.
    #[error("the connection broke before the answer: {0}")]
    Broken(String),
    /// An answer began.
    #[error("the answer (HTTP {status}) is not whole: {why}")]
    Partial {
        /// The HTTP status.
        status: u16,
        /// What went wrong.
        why: String,
    },
    /// An answer that may be somebody else's.
    #[error("the answer{} may be another request's: {why}", .status.map(|s| format!(" (HTTP {s})")).unwrap_or_default())]
    Unbelievable {
        /// The HTTP status, where it has one.
        status: Option<u16>,
        /// What makes it so.
        why: String,
    },
    /// An answer that names another order.
    #[error("the answer (HTTP {status}) is about another order ({other})")]
    OtherOrder {
        /// The HTTP status.
        status: u16,
        /// The order that it names.
        other: String,
    },
    /// A refusal with an AWB in it.
    #[error("the answer (HTTP {0}) says no and yet holds an AWB")]
    NoWithAwb(u16),
    /// A refusal that speaks of an order that is there already.
    #[error("the service may have this order already: {0}")]
    Duplicate(String),
    /// A redirect that says nothing of the request.
    #[error("the service answered with a redirect: {0}")]
    Redirect(String),
    /// A status that may come after a booking.
    #[error("it may have been booked: {0}")]
    PerhapsBooked(String),
    /// The service failed.
    #[error("the service failed: {0}")]
    Failed(String),
    /// A success that cannot be read.
    #[error("the answer (HTTP {status}) cannot be read as a shipment: {answer}")]
    Unreadable {
        /// The HTTP status.
        status: u16,
        /// The answer, as people are shown it.
        answer: String,
    },
    /// A success that names no AWB where it is looked for, and no error.
    #[error(
        "the answer (HTTP {status}) is not understood as a shipment; if its AWB stands elsewhere in it, set {setting} in \
         shipsheet.toml; it was: {answer}"
    )]
    NotUnderstood {
        /// The HTTP status.
        status: u16,
        /// The answer, as people are shown it.
        answer: String,
        /// The setting that would read it.
        setting: String,
    },
    /// An AWB that cannot be one.
    #[error("the answer's AWB cannot be believed: {0}")]
    StrangeAwb(&'static str),
    /// A success that is a failure as well.
    #[error("the answer holds both an AWB ({0}) and an error")]
    AwbAndError(String),
    /// A success that says nothing.
    #[error("the answer holds neither an AWB nor an error")]
    Neither,
    /// A shipment that another order has.
    #[error("order {order} was answered with a shipment that order {other} already has")]
    SharedShipment {
        /// The order that was answered.
        order: String,
        /// The order that has the shipment.
        other: String,
    },
    /// A person wanted to leave at once.
    #[error("the program was told to leave before the answer came")]
    Cut,
    /// A fault of the program.
    #[error("the worker that sent it failed")]
    WorkerFailed,
    /// The program ended while the request was on its way.
    #[error("the program ended between sending and the answer")]
    Crashed,
    /// One of which only the words were kept.
    #[error("{0}")]
    Kept(String),
}

impl Doubt {
    /// What tells this reason from the others, whatever its words are.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::TimedOut => "timed-out",
            Self::Broken(_) => "broken",
            Self::Partial { .. } => "partial",
            Self::Unbelievable { .. } => "unbelievable",
            Self::OtherOrder { .. } => "other-order",
            Self::NoWithAwb(_) => "no-with-awb",
            Self::Duplicate(_) => "duplicate",
            Self::Redirect(_) => "redirect",
            Self::PerhapsBooked(_) => "perhaps-booked",
            Self::Failed(_) => "failed",
            Self::Unreadable { .. } => "unreadable",
            Self::NotUnderstood { .. } => "not-understood",
            Self::StrangeAwb(_) => "strange-awb",
            Self::AwbAndError(_) => "awb-and-error",
            Self::Neither => "neither",
            Self::SharedShipment { .. } => "shared-shipment",
            Self::Cut => "cut",
            Self::WorkerFailed => "worker-failed",
            Self::Crashed => "crashed",
            Self::Kept(_) => "kept",
        }
    }

    /// What the service or the system said in its own words; nothing where all words are ours.
    #[must_use]
    pub fn said(&self) -> &str {
        match self {
            Self::Broken(said)
            | Self::Partial { why: said, .. }
            | Self::Unbelievable { why: said, .. }
            | Self::Duplicate(said)
            | Self::Redirect(said)
            | Self::PerhapsBooked(said)
            | Self::Failed(said)
            | Self::Unreadable { answer: said, .. }
            | Self::NotUnderstood { answer: said, .. }
            | Self::Kept(said) => said,
            Self::StrangeAwb(what) => what,
            Self::TimedOut
            | Self::OtherOrder { .. }
            | Self::NoWithAwb(_)
            | Self::AwbAndError(_)
            | Self::Neither
            | Self::SharedShipment { .. }
            | Self::Cut
            | Self::WorkerFailed
            | Self::Crashed => "",
        }
    }
}
