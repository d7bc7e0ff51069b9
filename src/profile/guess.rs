//! A profile as it is proposed for a sheet: what each column is taken for, what a person says of it, and the file that keeps it.

use std::collections::BTreeMap;

use crate::field::{ExtraRole, Field, HeaderReading, Id, Kind, Level, Need, Version, is_further_line};
use crate::origin::Column;
use crate::text::toml_quoted;

use super::recipe::{Part, Recipe};
use super::totals::LINES;

/// What a column is taken for.
#[derive(Debug, Clone)]
pub struct GuessedColumn {
    /// The column.
    pub column: Column,
    /// The field that it feeds, where one is likely.
    pub field: Option<&'static Field>,
    /// How sure that is, in percent: 100 is a known name, less is a likeness.
    pub confidence: u8,
    /// The field that it may be, where that is not sure enough to be taken.
    pub perhaps: Option<&'static Field>,
    /// A value from the sheet.
    pub sample: String,
    /// What its cells hold: `text`, `number`, `digits`, `date` or nothing.
    pub kind: &'static str,
    /// The unit that its numbers are in, where it is not the one that is sent.
    pub unit: Option<&'static str>,
    /// How its cells say the value, where that is not as they stand.
    pub recipe: Recipe,
    /// The amount that it says of its order beside all fields, because a person said so.
    pub amount: Option<ExtraRole>,
    /// Whether it may hold money, so that it is not left out before a person was asked about it.
    pub may_be_money: bool,
}

impl GuessedColumn {
    /// Whether nobody has said what it is, and it feeds nothing.
    pub(crate) const fn is_free(&self) -> bool {
        self.field.is_none() && self.amount.is_none()
    }
}

/// Whether a header is that of a further product beside the column of the first one, which is sent without being named.
fn is_further_product(first: &GuessedColumn, header: &str) -> bool {
    first.field.is_some_and(|field| field.level == Level::Line) && is_further_line(&first.column.header, header)
}

/// A proposal for a sheet.
#[derive(Debug, Clone)]
pub struct Guess {
    /// Every column with a header.
    pub columns: Vec<GuessedColumn>,
    /// One value for all orders, for fields without a column.
    pub constants: BTreeMap<Id, String>,
    /// Fields that are needed and have neither: the file says where to name them.
    pub missing: Vec<Missing>,
    /// Whether cells say how orders are paid: then one payment for all orders would be wrong.
    pub speaks_of_payment: bool,
    /// Whether rows without an order number are lines of the order above.
    pub fill_down: bool,
    /// The columns of the time and of the phone that number the orders, where no column has their number.
    pub numbered_by: Option<[String; 2]>,
    /// The fields that the end of the address gives, and the street as what stands before them.
    pub parted: BTreeMap<Id, Part>,
    /// Whether the cells of the receiver's name end with the phone number, which no other column has.
    pub phone_in_name: bool,
    /// The format of its dates, where they show whether the day or the month comes first: another sheet may not.
    pub date_format: Option<String>,
}

/// A needed field that nothing feeds.
#[derive(Debug, Clone)]
pub struct Missing {
    /// The field.
    pub field: &'static Field,
    /// A column that may be it, by what it holds.
    pub perhaps: Option<String>,
}

impl Guess {
    /// The proposal as a profile's file.
    #[must_use]
    pub fn to_toml(&self, name: &str) -> String {
        let (fed, left): (Vec<_>, Vec<_>) = self.columns.iter().partition(|guessed| guessed.field.is_some());
        // Columns that say more than fields are compared by themselves; one that names a field would feed it again.
        let is_left = |guessed: &&&GuessedColumn| {
            let reading = HeaderReading::of(&guessed.column.header);
            guessed.is_free()
                && !guessed.may_be_money
                && (reading.field.is_some() || !reading.says_more())
                && !fed.iter().any(|own| is_further_product(own, &guessed.column.header))
        };
        let quoted = |guessed: &&GuessedColumn| toml_quoted(&guessed.column.header);
        let recognised_by: Vec<String> = fed.iter().map(quoted).collect();
        let left_out: Vec<String> = left.iter().filter(is_left).map(quoted).collect();
        let fill_down = if self.fill_down {
            "# A row without an order number is one more line of the order above.\nfill_down = true\n"
        } else {
            ""
        };
        let dates = self.date_format.as_ref().map(|format| {
            format!("\n# Day and month come in this order.\n[dates]\nformats = [{}]\n", toml_quoted(format))
        });
        let held = fed.iter().filter(|guessed| !guessed.kind.is_empty());
        let kinds: Vec<String> =
            held.map(|guessed| format!("{} = {}\n", quoted(guessed), toml_quoted(guessed.kind))).collect();
        format!(
            "# Proposed from a sheet; correct what is wrong.\nname = {}\nrecognised_by = [{}]\n{fill_down}\
             # Columns that are not sent; take one out of this list and name it below to send it.\nleft_out = [{}]\n\n\
             [columns]\n{}{}{}{}\n# What the columns held; a sheet where this changes is held back.\n[kinds]\n{}{}",
            toml_quoted(name),
            recognised_by.join(", "),
            left_out.join(", "),
            self.column_lines(),
            self.open_lines(),
            self.defaults(),
            self.totals(),
            kinds.concat(),
            dates.unwrap_or_default(),
        )
    }

    /// Lines to complete, for what is not sure and for what is missing.
    fn open_lines(&self) -> String {
        let is_missing = |field: &Field| self.missing.iter().any(|own| own.field.id == field.id);
        let asked = self.columns.iter().filter_map(|guessed| Some((guessed, guessed.perhaps?)));
        let asked = asked.filter(|(_, field)| !is_missing(field)).map(|(guessed, field)| {
            let (path, header) = (toml_quoted(field.path), toml_quoted(&guessed.column.header));
            format!("# {path} = {header} # perhaps, {} % sure\n", guessed.confidence)
        });
        let is_total = |guessed: &&GuessedColumn| {
            guessed.field.is_none() && HeaderReading::of(&guessed.column.header).amount == Some(ExtraRole::Total)
        };
        let missing = self.missing.iter().map(|Missing { field, perhaps }| {
            let path = toml_quoted(field.path);
            let total = || self.columns.iter().find(is_total).filter(|_| field.id == Id::Price);
            match perhaps {
                Some(header) => format!("# {path} = {} # perhaps\n", toml_quoted(header)),
                None if let Some(total) = total() => format!(
                    "# {path} = {{ column = {}, line_total = true }} # if that is what all pieces of a row come to; a column \
                     with the price of one piece is named without line_total\n",
                    toml_quoted(&total.column.header)
                ),
                None if field.may_be_said_once() => String::new(),
                None => format!("# {path} = \"the column with the {}\"\n", field.header),
            }
        });
        asked.chain(missing).collect()
    }

    /// What is said here, on top of a profile that comes with the program.
    pub(crate) fn on_top_of(&self, base: &str, name: &str) -> String {
        let mut toml = format!("name = {}\nbased_on = {}\n", toml_quoted(name), toml_quoted(base));
        let columns = self.column_lines();
        if !columns.is_empty() {
            toml.extend(["\n[columns]\n", &columns]);
        }
        toml + &self.defaults() + &self.totals()
    }

    /// The section of the amounts that columns say beside the fields; empty without any.
    fn totals(&self) -> String {
        let headers = |role: ExtraRole| {
            let own = self.columns.iter().filter(|own| own.amount == Some(role));
            own.map(|own| toml_quoted(&own.column.header)).collect::<Vec<_>>()
        };
        let lines = LINES.iter().map(|(name, role, _)| (name, headers(*role))).filter(|(_, own)| !own.is_empty());
        let lines: Vec<String> = lines.map(|(name, own)| format!("{name} = [{}]\n", own.join(", "))).collect();
        if lines.is_empty() {
            return String::new();
        }
        format!("\n# Amounts that the sheet says beside the fields.\n[totals]\n{}", lines.concat())
    }

    /// The section for all orders, with a line to fill in for each field that could stand there; empty without any.
    fn defaults(&self) -> String {
        let constants = self.constants.iter();
        let lines = constants.map(|(id, text)| format!("{} = {}\n", toml_quoted(id.field().path), toml_quoted(text)));
        let constant =
            |field: &Field| field.may_be_said_once() && !(self.speaks_of_payment && field.id == Id::OrderType);
        let missing = self.missing.iter().filter(|missing| constant(missing.field) && missing.perhaps.is_none());
        let missing = missing
            .map(|Missing { field, .. }| format!("# {} = {}\n", toml_quoted(field.path), toml_quoted(field.example)));
        let lines: String = lines.chain(missing).collect();
        if lines.is_empty() { lines } else { format!("\n# One value for all orders.\n[defaults]\n{lines}") }
    }

    /// Whether a column holds the receiver's whole names, which are parted at their last word.
    pub(crate) fn parts_names(&self, guessed: &GuessedColumn) -> bool {
        guessed.field.is_some_and(|field| field.id == Id::ReceiverFirstName)
            && !self.feeds(Id::ReceiverLastName)
            && !self.phone_in_name
            && !HeaderReading::of(&guessed.column.header).says("part-of-name")
    }

    fn column_lines(&self) -> String {
        let first = |(guessed, field): &(&GuessedColumn, &Field)| {
            self.columns_of(field.id).next().is_some_and(|first| first.column.index == guessed.column.index)
        };
        let fed = self.columns.iter().filter_map(|guessed| Some((guessed, guessed.field?))).filter(first);
        let lines = fed.flat_map(|(guessed, field)| {
            let sure =
                if guessed.confidence == 100 { String::new() } else { format!(" # {} % sure", guessed.confidence) };
            let header = toml_quoted(&guessed.column.header);
            let with = |more: &str| format!("{{ column = {header}, {more} }}");
            let own = &guessed.recipe;
            let words = own.map.iter().map(|(from, to)| format!("{} = {}", toml_quoted(from), toml_quoted(to)));
            let several: Vec<String> = self.columns_of(field.id).map(|own| toml_quoted(&own.column.header)).collect();
            let sources = match guessed.unit {
                _ if several.len() > 1 && self.has_further_phones(field) => {
                    vec![(field, format!("{{ first = [{}] }}", several.join(", ")))]
                }
                _ if several.len() > 1 => {
                    let between = toml_quoted(field.between());
                    vec![(field, format!("{{ join = [{}], with = {between} }}", several.join(", ")))]
                }
                _ if field.id == Id::DestinationLine1 && !self.parted.is_empty() => {
                    let whole = (!self.parted.contains_key(&field.id)).then(|| (field, header.clone()));
                    let parts = self.parted.iter().filter_map(|(id, part)| Some((id.field(), part.of_address()?)));
                    let parts = parts.map(|(field, part)| (field, with(&format!("part = \"{part}\""))));
                    whole.into_iter().chain(parts).collect()
                }
                _ if field.id == Id::ReceiverFirstName && self.phone_in_name => {
                    vec![(field, with("part = \"name\"")), (Id::ReceiverPhone.field(), with("part = \"phone\""))]
                }
                _ if self.parts_names(guessed) => vec![
                    (Id::ReceiverFirstName.field(), with("part = \"first-name\"")),
                    (Id::ReceiverLastName.field(), with("part = \"last-name\"")),
                ],
                _ if own.is_line_total() => vec![(field, with("line_total = true"))],
                _ if own.collects => vec![(field, with("collects = true"))],
                Some(unit) => vec![(field, with(&format!("unit = \"{unit}\"")))],
                None if own.map.is_empty() => vec![(field, header.clone())],
                None => vec![(field, with(&format!("map = {{ {} }}", words.collect::<Vec<_>>().join(", "))))],
            };
            let line =
                move |(field, source): (&Field, String)| format!("{} = {source}{sure}\n", toml_quoted(field.path));
            sources.into_iter().map(line)
        });
        let by_time = self.numbered_by.iter().map(|own| {
            let [time, phone] = own.each_ref().map(|header| toml_quoted(header));
            let path = toml_quoted(Id::OrderNumber.field().path);
            format!("{path} = {{ join = [{time}, {phone}], with = \"-\", part = \"moment\" }}\n")
        });
        by_time.chain(lines).collect()
    }

    /// Whether each of several columns has a whole phone number, so that one stands in where another is blank; else an area code and
    /// the number behind it are one.
    fn has_further_phones(&self, field: &Field) -> bool {
        const DIGITS_MIN: usize = 6;
        let digits = |own: &GuessedColumn| own.sample.chars().filter(|c| c.is_numeric()).count();
        field.id == Id::ReceiverPhone && self.columns_of(field.id).all(|own| digits(own) >= DIGITS_MIN)
    }

    /// The columns that feed no other field, or one that orders need less.
    pub(crate) fn free_for(&self, field: &Field) -> Vec<Column> {
        let is_needed = |own: &Field| own.need(Version::V2) == Need::Required;
        let is_free = |own: &Field| own.id == field.id || (is_needed(field) && own.kind == Kind::NullableText);
        let free = self.columns.iter().filter(|guessed| guessed.field.is_none_or(is_free));
        free.map(|guessed| guessed.column.clone()).collect()
    }

    /// The column that feeds a field; the first of several.
    #[must_use]
    pub fn column_of(&self, id: Id) -> Option<&GuessedColumn> {
        self.columns_of(id).next()
    }

    /// The columns that feed a field, one behind the other.
    pub fn columns_of(&self, id: Id) -> impl Iterator<Item = &GuessedColumn> {
        self.columns.iter().filter(move |guessed| guessed.field.is_some_and(|field| field.id == id))
    }

    /// Whether a column or a constant feeds a field.
    #[must_use]
    pub fn feeds(&self, id: Id) -> bool {
        let is_numbered = id == Id::OrderNumber && self.numbered_by.is_some();
        let is_part = self.parted.contains_key(&id) || id == Id::ReceiverPhone && self.phone_in_name;
        self.column_of(id).is_some() || self.constants.contains_key(&id) || is_numbered || is_part
    }

    /// Takes a column for a field, because a person said so; further lines of an address go with its first one.
    pub fn take(&mut self, field: &'static Field, index: u32) {
        self.leave(field.id);
        self.feed(field, index);
        for line in self.further_lines(field, index) {
            self.also(field, line);
        }
    }

    /// Takes a further column for a field.
    pub fn also(&mut self, field: &'static Field, index: u32) {
        self.feed(field.further(), index);
    }

    /// Columns that nothing takes, whose headers are that of an address's first line but for their numbers.
    fn further_lines(&self, field: &Field, index: u32) -> Vec<u32> {
        let own =
            self.columns.iter().find(|own| own.column.index == index).filter(|_| field.id == Id::DestinationLine1);
        let Some(first) = own.map(|own| own.column.header.as_str()) else { return Vec::new() };
        let is_further = |own: &&GuessedColumn| own.field.is_none() && is_further_line(first, &own.column.header);
        self.columns.iter().filter(is_further).map(|own| own.column.index).collect()
    }

    fn feed(&mut self, field: &'static Field, index: u32) {
        if let Some(guessed) = self.columns.iter_mut().find(|guessed| guessed.column.index == index) {
            (guessed.field, guessed.perhaps, guessed.confidence, guessed.unit) = (Some(field), None, 100, None);
            (guessed.recipe, guessed.amount) = (Recipe::default(), None);
        }
    }

    /// Says how the column of a field says its values.
    pub fn mean(&mut self, id: Id, recipe: &Recipe) {
        for guessed in self.columns.iter_mut().filter(|guessed| guessed.field.is_some_and(|field| field.id == id)) {
            guessed.recipe.clone_from(recipe);
        }
    }

    /// Takes one value for all orders.
    pub fn fix(&mut self, id: Id, text: &str) {
        self.leave(id);
        self.constants.insert(id, text.to_owned());
    }

    /// Feeds a field from nothing.
    pub fn leave(&mut self, id: Id) {
        self.constants.remove(&id);
        if id == Id::OrderNumber {
            self.numbered_by = None;
        }
        // An address is taken apart anew where it is another one, or where its city stands elsewhere.
        if self.parted.contains_key(&id) {
            self.parted.clear();
        }
        for guessed in self.columns.iter_mut().filter(|guessed| guessed.field.is_some_and(|field| field.id == id)) {
            guessed.may_be_money |=
                guessed.field.is_some_and(|field| matches!(field.kind, Kind::Money | Kind::MoneyText));
            (guessed.field, guessed.confidence, guessed.unit) = (None, 0, None);
        }
    }

    /// Takes a column for an amount that is compared and not sent, because a person said so.
    pub fn compare(&mut self, index: u32, role: ExtraRole) {
        if let Some(guessed) = self.columns.iter_mut().find(|guessed| guessed.column.index == index) {
            guessed.amount = Some(role);
        }
    }

    /// Says which unit the numbers of some fields are in.
    pub fn measure(&mut self, fields: &[Id], unit: Option<&'static str>) {
        for guessed in &mut self.columns {
            if guessed.field.is_some_and(|field| fields.contains(&field.id)) {
                guessed.unit = unit;
            }
        }
    }
}
