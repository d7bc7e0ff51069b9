//! Why a value is refused.

use crate::problem::Code;

/// Why a value is refused, before its place is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Which kind of problem.
    pub code: Code,
    /// What is wrong and what is accepted.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl Fault {
    pub(super) fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into() }
    }

    /// Says one more thing of a value; a value is told of at one place, by the code of what was seen first.
    pub(super) fn add_to(self, note: &mut Option<Self>) {
        match note {
            Some(first) => {
                first.message.push_str("; ");
                first.message.push_str(&self.message);
            }
            None => *note = Some(self),
        }
    }
}
