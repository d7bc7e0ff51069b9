//! Rules by what cells say: rows that are left out, orders that may go, and orders that are held back.

use serde::Deserialize;

use crate::field::{StateRole, Status, is_named, is_said, normalised};
use crate::finding::order::held_back;
use crate::finding::{Finding, Remedy};
use crate::sheet::Row;
use crate::text::Decimal;

use super::recipe::{NUMBER, PRODUCTS_MAX, Part};
use super::step::left;

/// What becomes of a row or its order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Section {
    /// It is left out: `[[skip]]`.
    #[default]
    Skip,
    /// It may go, and nothing else may: `[[go]]`.
    Go,
    /// It is held back as a problem: `[[hold]]`.
    Hold,
}

/// What else a rule shows of an order that it leaves out or holds back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// It is cancelled.
    Cancelled,
    /// It was sent, or a courier has it.
    Sent,
    /// It comes back from the customer.
    Returned,
}

/// A rule by what the cells of one column say.
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the profile's file, whose shape this is")]
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Filter {
    /// The header of the column that decides. `{n}` stands for 1, 2, 3 … of products side by side.
    pub column: String,
    /// In place of it, what the column is, in any sheet: `state`, `sent`. Only the program's own rules for all sheets have it.
    pub role: Vec<StateRole>,
    /// The key whose value decides where the cell is keyed text: `name:Shirt|quantity:2`.
    pub key: Option<String>,
    /// Where the cell is one of these, whatever its case, spaces and punctuation; `cancelled*` is all that begins so.
    #[serde(alias = "one_of")]
    pub is: Vec<String>,
    /// Where one of these stands somewhere in the cell, whatever its case.
    pub contains: Vec<String>,
    /// Where the cell begins with one of these, whatever its case.
    pub begins: Vec<String>,
    /// Where the cell ends with one of these, whatever its case.
    pub ends: Vec<String>,
    /// Where the cell is filled and none of these.
    pub is_not: Vec<String>,
    /// Where the cell says one of these in whatever words: `cancelled`, `sent`.
    pub says: Vec<String>,
    /// Beside `says`, where it says one of these as well.
    pub with: Vec<String>,
    /// Beside `says`, where it says none of these.
    pub unless: Vec<String>,
    /// Where the cell is filled.
    pub filled: bool,
    /// Where the cell of an order's first row is blank.
    pub blank: bool,
    /// Where the cell is filled with anything but zero.
    pub not_zero: bool,
    /// Where nothing is left of the cell's number less those of these columns.
    pub less: Vec<String>,
    /// What is said of the rows: `the order is cancelled`.
    pub because: String,
    /// What else it shows of the order.
    pub shows: Option<Shows>,
    /// Leave out only the row's product; what the row says of its order stays.
    pub line: bool,
    /// The row says what holds for its order, whose products stand on rows of their own: without them it is held back.
    pub summary: bool,
    /// A column of whose sheets the rule says nothing.
    pub without: Option<String>,
    /// A column whose sheets may lack that of the rule.
    pub instead: Option<String>,
    /// A column whose cell is said along.
    pub beside: Option<String>,
    /// What to do with an order that is held back, where emptying the cell is not all.
    pub hint: Option<String>,
    /// Whether a sheet may lack the column.
    pub optional: bool,
    /// What becomes of its rows.
    #[serde(skip)]
    pub section: Section,
    /// Whether it comes with the program.
    #[serde(skip)]
    pub built_in: bool,
}

impl Filter {
    /// Whether it leaves out whole rows.
    pub(crate) fn leaves_out_rows(&self) -> bool {
        !self.line && self.section == Section::Skip
    }

    /// Whether a sheet without its column is not to be sent: the column decides which orders go.
    pub(crate) fn is_needed(&self) -> bool {
        !self.optional && (!self.built_in || self.section == Section::Go || self.leaves_out_rows())
    }

    /// What to do with an order that it holds back. Nothing holds what is no longer in its cell.
    fn way_out(&self) -> Finding {
        let Self { column, is_not, hint, .. } = self;
        let word = is_not.iter().find(|word| !word.is_empty());
        match () {
            () if hint.is_some() => held_back::way_of_profile(hint.as_deref().unwrap_or_default()),
            () if self.blank => held_back::way_to_fill(),
            () if self.not_zero => held_back::way_to_zero(column),
            () if self.filled || self.names_words() => held_back::way_to_empty(column),
            () => word.map_or_else(held_back::way_to_correct, |word| held_back::way_to_write(word, column)),
        }
    }

    /// Whether it names words that take a cell.
    fn names_words(&self) -> bool {
        let Self { is, contains, begins, ends, says, .. } = self;
        [is, contains, begins, ends, says].into_iter().flatten().any(|word| !word.is_empty())
    }

    /// Whether the rule is for a cell, of which `says` knows in what sense it is written. What may go by its column's words is
    /// all that may, so that the rule is for every other cell.
    pub fn takes(&self, text: &str, same_order: bool, says: impl FnMut(&str) -> bool) -> bool {
        let is_go = self.section == Section::Go && self.role.is_empty();
        if text.is_empty() {
            return !same_order && (self.blank || (is_go && !self.is.iter().any(String::is_empty)));
        }
        self.fits(text, says) != is_go
    }

    fn fits(&self, text: &str, mut says: impl FnMut(&str) -> bool) -> bool {
        let Self { is, contains, begins, ends, is_not, .. } = self;
        let among = |words: &[String]| words.iter().any(|word| is_word(word, text));
        let any = |words: &[String], has: fn(&str, &str) -> bool| {
            !words.is_empty() && {
                let text = text.to_lowercase();
                words.iter().any(|word| !word.is_empty() && has(&text, &word.to_lowercase()))
            }
        };
        let mut said = |senses: &[String]| senses.iter().any(|sense| says(sense));
        let fits = self.filled
            || among(is)
            || any(contains, |text, word| text.contains(word))
            || any(begins, |text, word| text.starts_with(word))
            || any(ends, |text, word| text.ends_with(word))
            || (self.not_zero && !is_zero(text))
            || (!is_not.is_empty() && !among(is_not))
            || said(&self.says);
        fits && (self.with.is_empty() || said(&self.with)) && !said(&self.unless)
    }

    /// What is wrong with it as a rule of its section.
    fn fault(&self) -> Option<String> {
        let Self { column, role, section, .. } = self;
        let says = [&self.says, &self.with, &self.unless];
        let is_known = |sense: &String| self.built_in || Status::of_name(sense).is_some();
        let is_stray = says.into_iter().flatten().any(|sense| !is_known(sense));
        let others = [!self.is_not.is_empty(), !self.less.is_empty(), self.filled, self.blank, self.not_zero];
        let others = others.iter().filter(|given| **given).count();
        let is_go = *section == Section::Go;
        let within = |word: &String| word.trim_end_matches('*').contains('*') && word.contains(char::is_alphanumeric);
        let fault = match () {
            () if column.is_empty() == role.is_empty() || !(role.is_empty() || self.built_in) => {
                "needs `column`, the header of the column that decides"
            }
            () if is_stray => {
                "has a sense that nobody knows; known are nothing, no, yes, cancelled, sent, ready, booked, \
                done and unclear"
            }
            () if self.is.iter().chain(&self.is_not).any(within) => {
                "has a word with `*` before its end, where it would match nothing; write `contains` or `ends` instead"
            }
            () if is_go && (others > 0 || !self.because.is_empty() || !self.names_words()) => {
                "needs `is` with the words of orders that may go, and nothing else beside `without`, `instead` and `optional`"
            }
            () if !is_go && self.because.is_empty() && role.is_empty() => "needs `because`, which is said of its rows",
            () if !is_go && others + usize::from(self.names_words()) != 1 => {
                "needs exactly one of `is`, `is_not`, `says`, `filled`, `blank`, `not_zero` and `less`; `contains`, `begins` and \
                 `ends` go with `is`, or stand for it"
            }
            () if self.hint.is_some() && *section != Section::Hold => "has `hint`, which belongs to [[hold]]",
            () if self.line && *section != Section::Skip => "has `line`, which belongs to [[skip]]",
            () if self.summary && !self.line => "has `summary`, which goes with `line = true`",
            () => return None,
        };
        Some(format!("[[{}]] of \"{column}\" {fault}", format!("{section:?}").to_lowercase()))
    }
}

/// Why a row, or its product, is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut<'a> {
    /// The profile's word for it; none for a row of totals.
    pub because: Option<&'a str>,
    /// The column that decided.
    pub column: u32,
    /// Whether the row only says what holds for its order, whose products stand on rows of their own.
    pub is_summary: bool,
}

/// A rule at work on one sheet.
#[derive(Debug, Clone)]
pub(super) struct BoundFilter {
    pub(super) column: u32,
    less: Vec<u32>,
    beside: Option<u32>,
    part: Option<Part>,
    pub(super) filter: Filter,
}

impl BoundFilter {
    /// The rules of a filter by a sheet's columns: one for each product where they stand side by side.
    pub(super) fn all(filter: &Filter, find: &impl Fn(&str) -> Option<u32>) -> Vec<Self> {
        let products = if filter.column.contains(NUMBER) { PRODUCTS_MAX } else { 1 };
        let column = |product: u16| filter.column.replace(NUMBER, &product.to_string());
        let of_product = |product| Self::of(Filter { column: column(product), ..filter.clone() }, find);
        (1..=products).filter_map(of_product).collect()
    }

    /// The rule by a sheet's columns; nothing where the sheet lacks its column, or has the one of which it says nothing.
    fn of(filter: Filter, find: impl Fn(&str) -> Option<u32>) -> Option<Self> {
        if filter.column.is_empty() || filter.without.as_ref().is_some_and(|other| find(other).is_some()) {
            return None;
        }
        Some(Self {
            column: find(&filter.column)?,
            less: filter.less.iter().filter_map(|header| find(header)).collect(),
            beside: filter.beside.as_ref().and_then(|header| find(header)),
            part: filter.key.clone().map(Part::Key),
            filter,
        })
    }

    /// What its column says in a row.
    pub(super) fn cell<'r>(&self, row: &'r Row) -> &'r str {
        row.cell(self.column as usize).text
    }

    /// Why a row is left out that it is for.
    pub(super) fn left_out(&self) -> LeftOut<'_> {
        let Filter { because, summary, .. } = &self.filter;
        LeftOut { because: Some(because), column: self.column, is_summary: *summary }
    }

    /// Whether the rule is for a row, which may belong to the order of the row above.
    pub(super) fn takes(&self, row: &Row, same_order: bool) -> bool {
        let text = self.cell(row);
        if let Some(part) = &self.part {
            let mut value = String::new();
            part.take(text, &mut value);
            return self.filter.takes(&value, same_order, |sense| is_said(&value, sense));
        }
        if self.filter.less.is_empty() {
            return self.filter.takes(text, same_order, |sense| is_said(text, sense));
        }
        let used = self.less.iter().map(|column| row.cell(*column as usize).text);
        left(text, used).is_some_and(Decimal::is_zero)
    }

    /// Whether the rule may hold an order back; what the same column leaves out already is not asked about.
    pub(super) fn holds(&self, settled: Option<u32>) -> bool {
        match self.filter.section {
            Section::Skip => false,
            Section::Go => settled != Some(self.column),
            Section::Hold => true,
        }
    }

    /// What to say of an order that is held back.
    pub(super) fn held(&self, row: &Row) -> Finding {
        let Filter { column, because, is, .. } = &self.filter;
        let own = self.cell(row);
        if self.filter.section == Section::Go {
            let words: Vec<String> = is.iter().filter(|word| !word.is_empty()).cloned().collect();
            let first = words.first().cloned().unwrap_or_default();
            let may_be_blank = words.len() < is.len();
            let setting = Remedy::listed("check", "ready", own);
            return held_back::not_known_ready(column, own, words, &first, may_be_blank, setting);
        }
        let beside = self
            .beside
            .zip(self.filter.beside.as_ref())
            .map(|(index, header)| held_back::beside(column, own, header, row.cell(index as usize).text));
        held_back::by_rule(because, beside, self.filter.way_out())
    }
}

/// Whether a cell is a profile's word, whatever its case, and for words that hold a letter, its spaces and punctuation.
fn is_word(word: &str, text: &str) -> bool {
    if word.eq_ignore_ascii_case(text) {
        return true;
    }
    // Most words differ in their first letter or digit.
    let first = |text: &str| text.chars().find(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase());
    if !word.chars().any(char::is_alphabetic) || first(word) != first(text) {
        return false;
    }
    let (wanted, found) = (normalised(word), normalised(text));
    if word.ends_with('*') { found.starts_with(&wanted) } else { found == wanted }
}

/// Whether a cell is zero, in whatever currency.
fn is_zero(text: &str) -> bool {
    let mut digits = text.chars().filter(char::is_ascii_digit).peekable();
    digits.peek().is_some() && digits.all(|digit| digit == '0')
}

/// The rules of a profile's three sections.
pub(super) fn filters(sections: [(Section, Vec<Filter>); 3], built_in: bool) -> Result<Vec<Filter>, String> {
    let all = sections.into_iter().flat_map(|(section, own)| own.into_iter().map(move |filter| (section, filter)));
    let checked = all.map(|(section, filter)| {
        let mut filter = Filter { section, built_in, ..filter };
        if let Some(fault) = filter.fault() {
            return Err(fault);
        }
        if section == Section::Go {
            filter.because.push_str("the order is not known to be ready to go");
        }
        Ok(filter)
    });
    checked.collect()
}

/// A profile's own rules on top of another's: its `[[go]]` adds words to that of the same column and takes them from
/// what is left out there, and rules by a column that it ignores fall away.
pub(super) fn layered(base: &[Filter], mut own: Vec<Filter>, ignored: &[String]) -> Vec<Filter> {
    let is_go = |filter: &Filter| filter.section == Section::Go;
    let mut all: Vec<Filter> = Vec::new();
    for filter in base.iter().filter(|filter| !is_named(ignored, &filter.column)) {
        let had_words = filter.names_words();
        let mut filter = filter.clone();
        for mine in own.iter().filter(|mine| is_go(mine) && is_same(&mine.column, &filter.column)) {
            if is_go(&filter) {
                filter.is.extend(mine.is.iter().cloned());
            } else {
                filter.is.retain(|word| !mine.is.iter().any(|other| is_word(word, other)));
            }
        }
        all.extend((!had_words || filter.names_words()).then_some(filter));
    }
    own.retain(|mine| !(is_go(mine) && all.iter().any(|known| is_go(known) && is_same(&known.column, &mine.column))));
    all.extend(own);
    all
}

fn is_same(one: &str, other: &str) -> bool {
    normalised(one) == normalised(other)
}
