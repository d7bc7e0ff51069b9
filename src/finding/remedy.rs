//! What can be done about a finding, as data: a terminal shows a command or a line of the configuration, a page a button.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parameters::Value;

/// One thing that can be done; `do` says which kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Remedy {
    /// Write something else into the cell.
    EditCell {
        /// The text to write.
        to: String,
    },
    /// Let a column feed a field, in the profile.
    MapColumn {
        /// The field's API path.
        field: String,
        /// The column's header.
        column: String,
    },
    /// Add a column to the sheet.
    AddColumn {
        /// Its header.
        header: String,
    },
    /// Give a column another header.
    RenameHeader {
        /// The header as it is.
        from: String,
        /// The header as it should be.
        to: String,
    },
    /// Leave columns out in every sheet.
    IgnoreColumns {
        /// Their headers.
        headers: Vec<String>,
    },
    /// Take one value for all orders.
    SetDefault {
        /// The field's API path.
        field: String,
        /// The value; null where none can be named.
        value: Option<String>,
    },
    /// Take one value each for all orders, of several fields.
    SetDefaults {
        /// Pairs of a field's API path and a value such as its own.
        values: Vec<(String, String)>,
    },
    /// Set a value in the configuration.
    SetSetting {
        /// The table of the configuration file.
        section: String,
        /// The setting's name.
        name: String,
        /// Its value; null where a person has to choose.
        value: Option<Value>,
    },
    /// Say in the configuration which warehouse is called so.
    NameWarehouse {
        /// The name that the sheet has for it.
        name: String,
    },
    /// Read the sheet by a profile.
    UseProfile {
        /// The profile's name.
        name: String,
    },
    /// Save a profile that is made for the sheet.
    SaveProfile {
        /// The sheet's file.
        #[schemars(with = "String")]
        sheet: PathBuf,
        /// How the sheet is read, where a person said so.
        reading: Reading,
        /// The profile's name.
        name: String,
        /// Whether a profile of that name is replaced.
        replace: bool,
    },
    /// Change the file of a profile.
    EditProfile {
        /// The file, or what the profile is called where it has none.
        file: String,
    },
    /// Read another worksheet.
    ChooseWorksheet {
        /// The worksheet; null where a person has to choose.
        name: Option<String>,
    },
    /// Say which row is the header.
    NameHeaderRow,
    /// Say in which encoding the sheet is written.
    NameEncoding {
        /// One that may be meant.
        example: String,
    },
    /// Have everything printed as JSON.
    PrintJson,
    /// Say from which PIN code parcels are picked up.
    NamePickup,
    /// Hold back orders for which nobody could tell whether a courier goes there, or no longer hold them back.
    RequireServiceability {
        /// Whether to hold them back.
        on: bool,
    },
    /// Name no profile, so that the sheet is recognised by its headers.
    RecogniseSheet,
    /// Accept the finding: the order goes as it stands, as long as its cells stay as they are.
    Accept {
        /// The rule, as `rules` lists them.
        rule: String,
        /// The order number; null where it is about a whole sheet.
        order: Option<String>,
        /// The sheet, where it is about no order; otherwise null.
        sheet: Option<String>,
    },
    /// Run a command of the program.
    RunCommand {
        /// The command.
        command: Command,
    },
}

/// A command of the program; `run` says which one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "run", rename_all = "kebab-case")]
pub enum Command {
    /// List the profiles.
    ListProfiles,
    /// Cancel the shipment of an order.
    CancelShipment {
        /// The order number.
        order: String,
    },
    /// Check what is handed over on standard input.
    CheckInput,
    /// Import a sheet.
    Import {
        /// The sheet's file.
        #[schemars(with = "String")]
        sheet: PathBuf,
    },
    /// List the orders in doubt.
    ListDoubts,
    /// Send what is outstanding.
    Resume,
    /// Send an order that failed once more.
    Retry {
        /// The order number.
        order: String,
    },
    /// Send the orders of a run that failed once more.
    RetryRun {
        /// The run's number.
        number: i64,
    },
    /// Show where a run stands.
    ShowRun {
        /// The run's number.
        number: i64,
    },
    /// Write a configuration with every setting.
    WriteConfiguration,
    /// Copy the ledger.
    BackUp,
    /// Take from everybody else the right to read files.
    MakePrivate {
        /// The files.
        #[schemars(with = "Vec<String>")]
        files: Vec<PathBuf>,
    },
    /// Send a test to everybody who is told of a night.
    TryNotices,
    /// Write the report.
    WriteReport,
    /// Write the rows that are to be corrected.
    WriteRejects,
}

/// How a person said that a sheet is to be read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Reading {
    /// The worksheet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub worksheet: Option<String>,
    /// The row of the header, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub header_row: Option<u32>,
    /// Rows above the header.
    #[serde(default)]
    pub skip_rows: u32,
    /// The encoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub encoding: Option<String>,
    /// The character between cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "char")]
    pub delimiter: Option<char>,
}

impl Remedy {
    /// To accept a finding as such: what a face calls that inside a sentence.
    pub const ACCEPTING: Self = Self::Accept { rule: String::new(), order: None, sheet: None };

    /// Run a command.
    #[must_use]
    pub const fn run(command: Command) -> Self {
        Self::RunCommand { command }
    }

    /// Ignore a column.
    #[must_use]
    pub fn ignore(header: impl Into<String>) -> Self {
        Self::IgnoreColumns { headers: vec![header.into()] }
    }

    /// Add a column with this header.
    #[must_use]
    pub fn add_column(header: impl Into<String>) -> Self {
        Self::AddColumn { header: header.into() }
    }

    /// Ignore several columns.
    #[must_use]
    pub fn ignore_all(headers: &[impl AsRef<str>]) -> Self {
        Self::IgnoreColumns { headers: headers.iter().map(|header| header.as_ref().to_owned()).collect() }
    }

    /// Take one value of this field for all orders.
    #[must_use]
    pub fn default_of(field: &str, value: Option<&str>) -> Self {
        Self::SetDefault { field: field.to_owned(), value: value.map(str::to_owned) }
    }

    /// Set a text or a list of texts in the configuration.
    #[must_use]
    pub fn setting(section: &str, name: &str, value: Option<Value>) -> Self {
        Self::SetSetting { section: section.to_owned(), name: name.to_owned(), value }
    }

    /// Name this in a list of texts in the configuration.
    #[must_use]
    pub fn listed(section: &str, name: &str, text: &str) -> Self {
        Self::setting(section, name, Some(Value::List(vec![text.to_owned()])))
    }

    /// Write this into the cell.
    #[must_use]
    pub fn edit(to: impl Into<String>) -> Self {
        Self::EditCell { to: to.into() }
    }

    /// Give a column another header.
    #[must_use]
    pub fn rename(from: impl Into<String>, to: impl Into<String>) -> Self {
        Self::RenameHeader { from: from.into(), to: to.into() }
    }

    /// Read the sheet by this profile.
    #[must_use]
    pub fn profile(name: impl Into<String>) -> Self {
        Self::UseProfile { name: name.into() }
    }

    /// Save a profile that is made for the sheet.
    #[must_use]
    pub fn save_profile(sheet: &Path, reading: Reading, name: impl Into<String>, replace: bool) -> Self {
        Self::SaveProfile { sheet: sheet.to_owned(), reading, name: name.into(), replace }
    }
}
