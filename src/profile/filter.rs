//! Rules that leave rows out, name what may go, and hold the other orders back.

use serde::Deserialize;

use crate::field::normalised;
use crate::finding::order::held_back;
use crate::finding::{Finding, Remedy, Value};
use crate::sheet::Row;

use super::made;
use super::recipe::{NUMBER, PRODUCTS_MAX, Part};

/// A rule that leaves rows out, or holds their orders back.
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the profile's file, whose shape this is")]
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// The header of the column that decides. `{n}` stands for 1, 2, 3 … of products side by side.
    pub column: String,
    /// The key whose value decides where the cell is keyed text: `name:Shirt|quantity:2`.
    pub key: Option<String>,
    /// Where the cell is one of these, whatever its case, spaces and punctuation; `cancelled*` is all that begins so.
    #[serde(default, alias = "one_of")]
    pub is: Vec<String>,
    /// Where one of these stands somewhere in the cell, whatever its case.
    #[serde(default)]
    pub contains: Vec<String>,
    /// Where the cell begins with one of these, whatever its case.
    #[serde(default)]
    pub begins: Vec<String>,
    /// Where the cell ends with one of these, whatever its case.
    #[serde(default)]
    pub ends: Vec<String>,
    /// Where the cell is filled and none of these.
    #[serde(default)]
    pub is_not: Vec<String>,
    /// Where the cell is filled.
    #[serde(default)]
    pub filled: bool,
    /// Where the cell of an order's first row is blank.
    #[serde(default)]
    pub blank: bool,
    /// Where the cell is filled with anything but zero.
    #[serde(default)]
    pub not_zero: bool,
    /// Where nothing is left of the cell's number less those of these columns.
    #[serde(default)]
    pub less: Vec<String>,
    /// What is said of the rows: `the order is cancelled`.
    pub because: String,
    /// Leave out only the row's product; what the row says of its order stays.
    #[serde(default)]
    pub line: bool,
    /// The row says what holds for its order, whose products stand on rows of their own: without them it is held back.
    #[serde(default)]
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
    #[serde(default)]
    pub optional: bool,
    /// Whether the row's order is held back as a problem instead: `[[hold]]`.
    #[serde(skip)]
    pub hold: bool,
    /// Whether `is_not` is all that may go, and an order's first cell has to be filled: `[[go]]`.
    #[serde(skip)]
    pub go: bool,
    /// Whether it comes with the program.
    #[serde(skip)]
    pub built_in: bool,
}

/// What may go: every other order is held back.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Go {
    column: String,
    is: Vec<String>,
    without: Option<String>,
    instead: Option<String>,
    #[serde(default)]
    optional: bool,
}

impl Filter {
    /// Whether it leaves out whole rows.
    pub(crate) const fn leaves_out_rows(&self) -> bool {
        !self.line && !self.hold
    }

    /// Whether a sheet without its column is not to be sent: the column decides which orders go.
    pub(crate) const fn is_needed(&self) -> bool {
        !self.optional && (!self.built_in || self.go || self.leaves_out_rows())
    }

    /// What to do with an order that it holds back. Nothing holds what is no longer in its cell.
    fn way_out(&self) -> Finding {
        let Self { column, is_not, filled, blank, not_zero, hint, .. } = self;
        if let Some(hint) = hint {
            return held_back::way_of_profile(hint);
        }
        if *blank {
            return held_back::way_to_fill();
        }
        if *not_zero {
            held_back::way_to_zero(column)
        } else if *filled || self.names_words() {
            held_back::way_to_empty(column)
        } else if let Some(word) = is_not.iter().find(|word| !word.is_empty()) {
            held_back::way_to_write(word, column)
        } else {
            held_back::way_to_correct()
        }
    }

    /// Whether the cell contains, begins or ends with what the rule says.
    fn has_part(&self, text: &str) -> bool {
        let Self { contains, begins, ends, .. } = self;
        if [contains, begins, ends].iter().all(|words| words.is_empty()) {
            return false;
        }
        let text = text.to_lowercase();
        let any = |words: &[String], has: fn(&str, &str) -> bool| {
            words.iter().any(|word| !word.is_empty() && has(&text, &word.to_lowercase()))
        };
        any(contains, |text, word| text.contains(word))
            || any(begins, |text, word| text.starts_with(word))
            || any(ends, |text, word| text.ends_with(word))
    }

    /// Whether it names words that take a cell.
    pub(super) fn names_words(&self) -> bool {
        let Self { is, contains, begins, ends, .. } = self;
        [is, contains, begins, ends].iter().any(|words| !words.is_empty())
    }

    /// Whether the rule is for a cell.
    fn takes(&self, text: &str, same_order: bool) -> bool {
        let among = |words: &[String]| words.iter().any(|word| is_word(word, text));
        if text.is_empty() {
            return !same_order && (self.blank || (self.go && !self.is_not.iter().any(String::is_empty)));
        }
        self.filled
            || among(&self.is)
            || self.has_part(text)
            || (self.not_zero && !is_zero(text))
            || (!self.is_not.is_empty() && !among(&self.is_not))
    }
}

/// A rule at work on one sheet.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) column: u32,
    less: Vec<u32>,
    beside: Option<u32>,
    part: Option<Part>,
    pub(super) filter: Filter,
}

impl Rule {
    /// The rules of a filter by a sheet's columns: one for each product where they stand side by side.
    pub(super) fn all(filter: &Filter, find: &impl Fn(&str) -> Option<u32>) -> Vec<Self> {
        if !filter.column.contains(NUMBER) {
            return Self::of(filter, find).into_iter().collect();
        }
        let of_product = |product: u16| {
            let column = filter.column.replace(NUMBER, &product.to_string());
            Self::of(&Filter { column, ..filter.clone() }, find)
        };
        (1..=PRODUCTS_MAX).filter_map(of_product).collect()
    }

    /// The rule by a sheet's columns; nothing where the sheet lacks its column, or has the one of which it says nothing.
    fn of(filter: &Filter, find: impl Fn(&str) -> Option<u32>) -> Option<Self> {
        if filter.without.as_ref().is_some_and(|other| find(other).is_some()) {
            return None;
        }
        let less: Vec<u32> = filter.less.iter().filter_map(|header| find(header)).collect();
        let beside = filter.beside.as_ref().and_then(|header| find(header));
        let part = filter.key.clone().map(Part::Key);
        Some(Self { column: find(&filter.column)?, less, beside, part, filter: filter.clone() })
    }

    /// Whether the rule is for a row, which may belong to the order of the row above.
    pub(super) fn takes(&self, row: &Row, same_order: bool) -> bool {
        let text = row.cell(self.column as usize).text;
        if let Some(part) = &self.part {
            let mut value = String::new();
            part.take(text, &mut value);
            return self.filter.takes(&value, same_order);
        }
        if self.filter.less.is_empty() {
            return self.filter.takes(text, same_order);
        }
        let used = self.less.iter().map(|column| row.cell(*column as usize).text);
        made::left(text, used).is_some_and(|left| left.is_zero())
    }

    /// Whether the rule may hold an order back; what the same column leaves out already is not asked about.
    pub(super) fn holds(&self, settled: Option<u32>) -> bool {
        self.filter.hold && !(self.filter.go && settled == Some(self.column))
    }

    /// What to say of an order that is held back.
    pub(super) fn held(&self, row: &Row) -> Finding {
        let Filter { column, because, is_not, .. } = &self.filter;
        let own = row.cell(self.column as usize).text;
        if self.filter.go {
            let words: Vec<String> = is_not.iter().filter(|word| !word.is_empty()).cloned().collect();
            let first = words.first().cloned().unwrap_or_default();
            let may_be_blank = words.len() < is_not.len();
            let setting = Remedy::setting("check", "ready", Some(Value::List(vec![own.to_owned()])));
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
    if !word.chars().any(char::is_alphabetic) || !shares_start(word, text) {
        return false;
    }
    let (wanted, found) = (normalised(word), normalised(text));
    if word.ends_with('*') { found.starts_with(&wanted) } else { found == wanted }
}

/// Whether the first letters or digits are the same: what most words differ in.
fn shares_start(word: &str, text: &str) -> bool {
    let first = |text: &str| text.chars().find(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase());
    first(word) == first(text)
}

/// Whether a cell is zero, in whatever currency.
fn is_zero(text: &str) -> bool {
    let mut digits = text.chars().filter(char::is_ascii_digit).peekable();
    digits.peek().is_some() && digits.all(|digit| digit == '0')
}

/// The rules that leave rows out, those that hold orders back, and those that name what may go.
pub(super) fn filters(skip: Vec<Filter>, hold: Vec<Filter>, go: Vec<Go>) -> Result<Vec<Filter>, String> {
    let hold = hold.into_iter().map(|filter| Filter { hold: true, ..filter });
    let mut filters: Vec<Filter> = skip.into_iter().chain(hold).collect();
    for filter in &filters {
        let section = if filter.hold { "hold" } else { "skip" };
        let lists = [&filter.is_not, &filter.less].map(|list| !list.is_empty());
        let flags = [filter.names_words(), filter.filled, filter.blank, filter.not_zero];
        if lists.iter().chain(&flags).filter(|given| **given).count() != 1 {
            let column = &filter.column;
            return Err(format!(
                "[[{section}]] of \"{column}\" needs exactly one of `is`, `is_not`, `filled`, `blank`, `not_zero` and `less`; `contains`, \
                 `begins` and `ends` go with `is`, or stand for it"
            ));
        }
        if filter.hint.is_some() && !filter.hold {
            return Err("[[skip]] has `hint`, which belongs to [[hold]]".to_owned());
        }
        if filter.hold && filter.line {
            return Err("[[hold]] has `line`, which belongs to [[skip]]".to_owned());
        }
        if filter.summary && !filter.line {
            return Err(format!("[[{section}]] of \"{}\" has `summary`, which goes with `line = true`", filter.column));
        }
    }
    for Go { column, is, without, instead, optional } in go {
        if !is.iter().any(|word| !word.is_empty()) {
            return Err(format!("[[go]] of \"{column}\" needs `is` with the words of orders that may go"));
        }
        filters.push(Filter {
            because: "the order is not known to be ready to go".to_owned(),
            is_not: is,
            hold: true,
            go: true,
            column,
            without,
            instead,
            optional,
            ..Filter::default()
        });
    }
    Ok(filters)
}

/// A profile's own rules on top of another's: its `[[go]]` adds words to that of the same column and takes them from
/// what is left out there, and rules by a column that it ignores fall away.
pub(super) fn layered(base: &[Filter], mut own: Vec<Filter>, ignored: &[String]) -> Vec<Filter> {
    let same = |one: &str, other: &str| normalised(one) == normalised(other);
    let mut all = Vec::new();
    for filter in base.iter().filter(|filter| !ignored.iter().any(|header| same(header, &filter.column))) {
        let had_words = filter.names_words();
        let mut filter = filter.clone();
        for mine in own.iter().filter(|mine| mine.go && same(&mine.column, &filter.column)) {
            if filter.go {
                filter.is_not.extend(mine.is_not.iter().cloned());
            } else {
                filter.is.retain(|word| !mine.is_not.iter().any(|other| is_word(word, other)));
            }
        }
        all.extend((!had_words || filter.names_words()).then_some(filter));
    }
    own.retain(|mine| !(mine.go && all.iter().any(|known| known.go && same(&known.column, &mine.column))));
    all.extend(own);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::english;

    #[test]
    fn filters_take_cells_whatever_their_case() {
        let filter = |text: &str| toml::from_str::<Filter>(text).unwrap();
        let is = filter("column = \"S\"\nis = [\"cancelled\"]\nbecause = \"so\"");
        let is_not = filter("column = \"S\"\nis_not = [\"Paid\"]\nbecause = \"so\"");
        let filled = filter("column = \"S\"\nfilled = true\nbecause = \"so\"");
        let not_zero = filter("column = \"S\"\nnot_zero = true\nbecause = \"so\"");
        for (text, expected) in [
            ("Cancelled", [true, true, true, true]),
            ("paid", [false, false, true, true]),
            ("", [false; 4]),
            ("$0.00", [false, true, true, false]),
        ] {
            let found = [&is, &is_not, &filled, &not_zero].map(|filter| filter.takes(text, false));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn words_stand_for_their_spellings() {
        for (word, text, expected) in [
            ("rto complete", "RTO_COMPLETE", true),
            ("on-hold", "On hold", true),
            ("cancelled*", "Cancelled by customer", true),
            ("cancelled", "Cancelled by customer", false),
            ("cancelled*", "Not cancelled", false),
            ("0", "0", true),
            ("1", "-1", false),
        ] {
            assert_eq!(is_word(word, text), expected, "{word} {text}");
        }
    }

    #[test]
    fn the_word_that_lets_an_order_go_is_quoted() {
        let setting = Remedy::setting("check", "ready", Some(Value::List(vec!["holded".to_owned()])));
        let words = vec!["paid".to_owned(), "packed".to_owned()];
        let held = held_back::not_known_ready("Status", "holded", words, "paid", true, setting);
        let advice = english::advice(&held, &|_| "X".to_owned());
        assert_eq!(
            english::message(&held),
            "the Status is \"holded\", and only orders with \"paid\", \"packed\" or none are known to be ready to go"
        );
        assert_eq!(
            advice,
            "if it is to go, write \"paid\" there or empty the cell; if not, delete its rows; if orders with this always go, \
             in shipsheet.toml: X"
        );
    }

    #[test]
    fn an_own_profile_may_let_more_go() {
        let rules = |text: &str| crate::profile::Profile::parse("x", text).unwrap().filters;
        let status =
            |rules: &[Filter]| rules.iter().filter(|rule| rule.go).flat_map(|rule| rule.is_not.clone()).count();
        let base = rules("based_on = \"woocommerce\"");
        let own = rules("based_on = \"woocommerce\"\n[[go]]\ncolumn = \"Status\"\nis = [\"packed\", \"pending\"]");
        assert_eq!((own.len(), status(&own)), (base.len(), status(&base) + 2));
        let skips = |rules: &[Filter]| rules.iter().any(|rule| rule.is.iter().any(|word| word == "pending"));
        assert!(skips(&base) && !skips(&own));
        let without = rules("based_on = \"woocommerce\"\nignore = [\"status\"]");
        assert!(without.iter().all(|rule| rule.column != "status"));
    }
}
