//! How a use case ended, in one word; a face for scripts ends with its number.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::report::Orders;

/// How a use case ended, for scripts. 2 is left to faces that can be called wrongly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Exit {
    /// Every order asked for is booked, or there was nothing to do.
    #[default]
    Done = 0,
    /// It could not run: configuration, file, ledger, no token.
    CouldNotRun = 1,
    /// The sheet has problems and nothing was sent.
    SheetProblems = 3,
    /// Finished; some orders are invalid, held, left out, rejected, refused or abandoned.
    SomeFailed = 4,
    /// Orders are outstanding: `resume`.
    Outstanding = 5,
    /// Orders are in doubt: a person must settle them.
    InDoubt = 6,
}

impl Exit {
    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// How a finished run ends: the gravest thing wins. `others` are filled rows that name
    /// no order, and files that were left aside.
    #[must_use]
    pub const fn of(orders: &Orders, others: u64, sent_nothing: bool) -> Self {
        let good = orders.total - orders.invalid - orders.held - orders.left_out - orders.dismissed;
        if orders.in_doubt > 0 {
            Self::InDoubt
        } else if orders.outstanding > 0 {
            Self::Outstanding
        } else if orders.invalid + orders.held + orders.left_out + others > 0 && good == 0 && sent_nothing {
            Self::SheetProblems
        } else if orders.invalid
            + others
            + orders.rejected
            + orders.refused
            + orders.held
            + orders.left_out
            + orders.abandoned
            > 0
        {
            Self::SomeFailed
        } else {
            Self::Done
        }
    }
}

impl Serialize for Exit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.code())
    }
}

impl JsonSchema for Exit {
    fn schema_name() -> Cow<'static, str> {
        "Exit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"enum": [0, 1, 3, 4, 5, 6], "description":
            "The exit code of the command, as the README lists them: 0 done, 1 could not run, 3 the sheet has problems and nothing \
             was sent, 4 some failed, 5 orders are outstanding, 6 orders are in doubt."})
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_thing_wins() {
        let all =
            Orders { total: 9, booked: 4, invalid: 1, rejected: 1, outstanding: 2, in_doubt: 1, ..Orders::default() };
        assert_eq!(Exit::of(&all, 0, false), Exit::InDoubt);
        assert_eq!(Exit::of(&Orders { in_doubt: 0, total: 8, ..all }, 0, false), Exit::Outstanding);
        let some = Orders { total: 2, booked: 1, invalid: 1, ..Orders::default() };
        assert_eq!(Exit::of(&some, 0, false), Exit::SomeFailed);
        let none = Orders { total: 2, invalid: 2, ..Orders::default() };
        assert_eq!(Exit::of(&none, 0, true), Exit::SheetProblems);
        assert_eq!(
            Exit::of(&Orders { total: 2, booked: 1, already_booked: 1, ..Orders::default() }, 0, false),
            Exit::Done
        );
        assert_eq!(Exit::of(&Orders { total: 1, booked: 1, ..Orders::default() }, 1, false), Exit::SomeFailed);
        assert_eq!(Exit::of(&Orders::default(), 1, true), Exit::SheetProblems);
    }
}
