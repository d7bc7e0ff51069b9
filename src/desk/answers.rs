//! What came of a call over shipments, one answer for each.

/// What came of a call over many shipments, until the next one.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers {
    pub(super) title: &'static str,
    pub(super) list: Vec<Answer>,
    /// Why some were not reached.
    pub(super) stopped: Option<String>,
}

/// What came of one shipment.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) order: String,
    pub(super) awb: String,
    pub(super) tone: &'static str,
    pub(super) said: String,
}
