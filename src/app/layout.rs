//! Questions about a sheet's layout before its orders can be read, and a person's answers.

use serde::{Deserialize, Serialize};

use crate::column::Candidate;
use crate::column::decide::{Sample, ValueQuestion, candidates};
use crate::field::Field;
use crate::origin::{Column, Place};
use crate::profile::{AmountUse, Feeding, Guess, Meaning, Profile};

/// What a person has to say of a sheet's layout before its orders can be read.
#[derive(Debug, Clone)]
pub enum LayoutQuestion {
    /// Which of these profiles is meant.
    Several {
        /// The sheet's place among all.
        number: usize,
        /// What people call it.
        sheet: String,
        /// Its file's name.
        file: String,
        /// The profiles that fit it.
        profiles: Vec<Profile>,
    },
    /// Which columns hold what is needed.
    Unknown(Box<UnknownLayout>),
    /// The meaning of values of a column.
    Values(Box<UnknownValues>),
    /// The uses of amounts.
    Amounts(Box<UnknownAmounts>),
    /// Whether rows without an order number are more products of the order above.
    Lines(UnknownLines),
    /// Whether a column has the weight or a side of the parcel.
    Measure(Box<UnknownMeasure>),
}

/// A sheet whose columns are not all known.
#[derive(Debug, Clone)]
pub struct UnknownLayout {
    /// Its place among all.
    pub number: usize,
    /// What people call it.
    pub sheet: String,
    /// Its file's name.
    pub file: String,
    /// What its columns hold.
    pub sample: Sample,
    /// What its columns are by their headers and by what they hold.
    pub guess: Guess,
    /// The needed fields that nothing holds.
    pub missing: Vec<&'static Field>,
    /// The profile that knows the rest, where one does.
    pub base: Option<String>,
    /// The currencies that headers name, the likeliest first, where the configuration or another header names another one:
    /// which one holds is asked.
    pub currencies: Vec<&'static str>,
    /// The columns whose headers name units that differ, each with its own unit: whether that is so is asked.
    pub units: Vec<(u32, &'static str)>,
}

/// Columns of one sheet that hold amounts, of which nobody can tell what they are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmountQuestion {
    /// Each of them with its first different values, and the number of rows that have them.
    pub columns: Vec<(Column, Vec<(String, u32)>)>,
    /// The uses that they may have: a field that another column feeds is not among them.
    pub choices: Vec<AmountUse>,
}

/// Values of one column of a sheet that are not known.
#[derive(Debug, Clone)]
pub struct UnknownValues {
    /// The sheet's place among all.
    pub number: usize,
    /// What people call it.
    pub sheet: String,
    /// Its file's name.
    pub file: String,
    /// The column with its values.
    pub question: ValueQuestion,
    /// Whether an answer can be kept under a new name: no profile of the person's own reads the sheet.
    pub asks_name: bool,
}

/// Columns of a sheet with amounts that no header explains.
#[derive(Debug, Clone)]
pub struct UnknownAmounts {
    /// The sheet's place among all.
    pub number: usize,
    /// Its name for people.
    pub sheet: String,
    /// Its file's name.
    pub file: String,
    /// The columns.
    pub question: AmountQuestion,
    /// As of values.
    pub asks_name: bool,
}

/// Rows of a sheet that have a product and no order number.
#[derive(Debug, Clone)]
pub struct UnknownLines {
    /// The sheet's place among all.
    pub number: usize,
    /// Its file's name.
    pub file: String,
    /// The first of them.
    pub place: Place,
    /// As of values.
    pub asks_name: bool,
}

/// A column with a weight or a side that may be the parcel's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureQuestion {
    /// The column.
    pub column: Column,
    /// Its first different values.
    pub values: Vec<String>,
    /// The field that it may feed.
    pub field: &'static Field,
    /// The question.
    pub asks: MeasureAsks,
}

/// A question about a weight or a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeasureAsks {
    /// Is it the parcel's? All orders have this value otherwise, by the settings.
    IsSent(String),
    /// Is the weight that of a piece, of a row or of the parcel? It differs between rows of an order.
    Whose,
    /// Which unit is the weight in? No parcel has so many of the usual one.
    Unit,
}

impl MeasureAsks {
    /// The units that are offered, the likeliest first.
    pub const UNITS: [&str; 4] = ["g", "kg", "oz", "lb"];
}

/// The same on its sheet.
#[derive(Debug, Clone)]
pub struct UnknownMeasure {
    /// The sheet's place among all.
    pub number: usize,
    /// Its name for people.
    pub sheet: String,
    /// Its file's name.
    pub file: String,
    /// The column.
    pub question: MeasureQuestion,
    /// As of values.
    pub asks_name: bool,
}

/// A person's answer.
#[derive(Debug, Clone)]
pub enum LayoutAnswer {
    /// This profile is meant.
    Profile {
        /// The sheet's place among all.
        number: usize,
        /// One of those that were offered.
        profile: Box<Profile>,
        /// A name under which columns that go by their headers and cells are recognised from now on.
        keep_as: Option<String>,
    },
    /// The columns are these.
    Columns {
        /// The sheet's place among all.
        number: usize,
        /// Which column is which.
        guess: Box<Guess>,
        /// The profile that knows the rest.
        base: Option<String>,
        /// A name under which the layout is recognised from now on; without one it holds this once.
        keep_as: Option<String>,
    },
    /// The profile that the sheet is read by changes so.
    Change {
        /// The sheet's place among all.
        number: usize,
        /// The change.
        change: LayoutChange,
        /// As of columns. Where a person's own profile reads the sheet, that one is changed.
        keep_as: Option<String>,
    },
}

/// A change of the profile that a sheet is read by, as a person says it on any face.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "kebab-case", deny_unknown_fields)]
pub enum LayoutChange {
    /// This column feeds that field, or nothing.
    Column {
        /// The column, counted from 0.
        column: u32,
        /// The field's API path; nothing has the column ignored.
        field: Option<String>,
        /// How it does that.
        #[serde(default)]
        how: Feeding,
    },
    /// Weights without a unit are in this one.
    Unit {
        /// The unit, as the API has it.
        unit: String,
    },
    /// Values of a column mean this; what is not among them is left open.
    Values {
        /// The column, counted from 0.
        column: u32,
        /// Each of them with its meaning; nothing where the column is about something else.
        means: Option<Vec<(String, Meaning)>>,
    },
    /// Columns of amounts are for this; what is not among them is left open.
    Amounts {
        /// Each column, counted from 0, with its use.
        uses: Vec<(u32, AmountUse)>,
    },
    /// Rows without an order number are more products of the order above, or are not.
    Lines {
        /// Whether they are.
        are: bool,
    },
}

impl UnknownLayout {
    /// Every free column that may hold a field, the likeliest first.
    #[must_use]
    pub fn candidates(&self, field: &'static Field) -> Vec<Candidate> {
        candidates(field, &self.guess.free_for(field), &self.sample)
    }

    /// The answer that the columns are what `guess` says by now; a name has the layout recognised from now on, without one
    /// it holds this once.
    #[must_use]
    pub fn answer(self, keep_as: Option<&str>) -> LayoutAnswer {
        let Self { number, guess, base, .. } = self;
        LayoutAnswer::Columns { number, guess: Box::new(guess), base, keep_as: keep_as.map(str::to_owned) }
    }
}
