//! A draft's values, one by one: from their cells, or from what stands in for them.

use rust_decimal::Decimal;

use crate::check::{
    Asked, Condition, Input, Payments, Value, country_name, is_no_value, postal_code_form, tariff_fault, unmarked,
    value,
};
use crate::field::{Id, Kind, Need, normalised};
use crate::finding;
use crate::problem::{Code, Problem};
use crate::text::{Text, list};

use super::build::{Reader, Spot};
use super::draft::{LineDraft, Slot};
use super::standing::stand_in;

impl<'a> Reader<'a> {
    pub(super) fn text(&mut self, id: Id) -> Text {
        into_text(self.read(id, None))
    }

    pub(super) fn line_text(&mut self, id: Id, line: &'a LineDraft) -> Text {
        into_text(self.read(id, Some(line)))
    }

    pub(super) fn number(&mut self, id: Id, line: Option<&'a LineDraft>) -> Decimal {
        if line.is_none() && self.layouts.of(self.first.sheet()).in_parts(id) {
            return self.sum_of_parts(id);
        }
        match self.read(id, line) {
            Some(Value::Number(number)) => number,
            _ => Decimal::ZERO,
        }
    }

    /// An amount of the order of which each row has its part.
    fn sum_of_parts(&mut self, id: Id) -> Decimal {
        let draft = self.draft;
        let parts: Vec<Slot> = draft.cells.iter().filter(|slot| slot.id == id).copied().collect();
        let mut read = |slot: Option<Slot>| match self.read_cell(id, slot, self.first, None) {
            Some(Value::Number(number)) => number,
            _ => Decimal::ZERO,
        };
        if parts.is_empty() { read(None) } else { parts.into_iter().map(|slot| read(Some(slot))).sum() }
    }

    pub(super) fn read(&mut self, id: Id, line: Option<&'a LineDraft>) -> Option<Value> {
        self.read_of(id, line, None)
    }

    /// A field's value: from its cell, else from its header's unit, the sheet's constant or the configuration's default.
    pub(super) fn read_of(&mut self, id: Id, line: Option<&'a LineDraft>, country: Option<&str>) -> Option<Value> {
        let cell = match line {
            Some(line) => self.draft.cells_of(line).iter().find(|slot| slot.id == id).copied(),
            None => self.cell(id),
        };
        if cell.is_none()
            && let Some(same) = self.standing.same(line.map_or(self.first.sheet(), |line| line.at.sheet), id)
        {
            return same.clone();
        }
        let row = match line {
            None => self.first,
            Some(line) if cell.is_some() || line.product == 0 => Spot::row(line.at),
            Some(line) => self.blank_of(id, line),
        };
        self.read_cell(id, cell, row, country)
    }

    /// The blank cell of one of the products that stand side by side; its row where it has no column of its own.
    fn blank_of(&self, id: Id, line: &LineDraft) -> Spot {
        let products = self.layouts.of(line.at.sheet).products();
        let own = products.get(usize::from(line.product)).and_then(|product| product.iter().find(|fed| fed.id == id));
        own.map_or(Spot::row(line.at), |fed| Spot::cell(line.at, fed.column))
    }

    /// A field's value from a cell, or from what stands in for it in that row.
    pub(super) fn read_cell(&mut self, id: Id, cell: Option<Slot>, row: Spot, country: Option<&str>) -> Option<Value> {
        let Some(slot) = cell.filter(|slot| !slot.condition.is_fault()) else {
            return self.read_anew(id, cell, row, country);
        };
        let draft = self.draft;
        let text = draft.text(&slot);
        let (sheet, column, native) = (slot.at.sheet, slot.column, slot.condition == Condition::Native);
        if let Some(value) =
            self.memo.known(&Asked { sheet, column, id, native, text, country, currency: &self.currency })
        {
            return Some(value.clone());
        }
        let told = self.problems.len();
        let value = self.read_anew(id, cell, row, country);
        // Beside letters that could not be read, others that look lost are not told.
        let all_told = self.problems.iter().all(|problem| problem.id != Code::BadEncoding);
        if let Some(value) = value.as_ref().filter(|_| self.problems.len() == told && all_told) {
            self.memo.keep(&Asked { sheet, column, id, native, text, country, currency: &self.currency }, value);
        }
        value
    }

    fn read_anew(&mut self, id: Id, cell: Option<Slot>, row: Spot, country: Option<&str>) -> Option<Value> {
        let spot = cell.as_ref().map_or(row, Spot::of);
        let need = self.rules.need_in(id, country);
        let cell = self.filled(id, cell, need)?;
        let text = if let Some(slot) = &cell {
            self.sound(slot)?
        } else if let Some(text) = self.stand_in(id, spot) {
            text
        } else {
            self.say_blank(id, need, country, spot);
            return None;
        };
        let whole = text.len();
        let text = if cell.is_some() { self.unmarked(id, text, spot) } else { text };
        if let Some(fault) = (id == Id::HsCode).then(|| tariff_fault(text)).flatten() {
            self.say(fault.hold().found(text), id, spot);
            return None;
        }
        let layout = self.layouts.of(spot.sheet());
        let currency = Some(self.currency.as_str()).filter(|currency| !currency.is_empty());
        let input = Input {
            native: cell.is_some_and(|slot| slot.condition == Condition::Native),
            // What the configuration says was never in a spreadsheet.
            marked: text.len() < whole || cell.is_none(),
            country,
            currency,
            habit: layout.habit(id),
            dates: layout.dates(),
            means_paid: layout.means_are_paid(),
            ..Input::new(id.field(), text)
        };
        let (found, said) = match value(input, self.rules) {
            Ok(reading) => {
                // A profile's unit is that of its column; what stands in for a cell has its own.
                let scale = layout.scale(id).filter(|_| cell.is_some());
                (Some(scaled(reading.value, scale)), reading.note.map(|note| note.warn()))
            }
            Err(fault) => (None, Some(self.unpaid(*fault, text, spot).hold())),
        };
        if let Some(mut said) = said {
            if cell.is_none() {
                said = said.also(finding::cell::note::configured_default());
            }
            self.say(said.found(text), id, spot);
        }
        match &found {
            Some(Value::Text(unit)) => self.check_unit(id, unit, spot),
            Some(Value::Number(number)) if !number.is_zero() => {
                if let Some(problem) = cell.and_then(|slot| self.header_doubt(&slot, *number)) {
                    self.say(problem.found(text), id, spot);
                }
            }
            _ => {}
        }
        found
    }

    /// Of a payment that counts as paid elsewhere, that it does not here: what kind it is, everybody knows.
    fn unpaid(&self, fault: Problem, text: &str, spot: Spot) -> Problem {
        let Some(paid) = self.layouts.of(spot.sheet()).paid_where().filter(|_| fault.id == Code::BadPayment) else {
            return fault;
        };
        let bare = normalised(text);
        if paid.unless.iter().any(|word| bare.contains(word.as_str())) {
            return fault;
        }
        let words: Vec<String> = paid.is.iter().map(|word| format!("\"{word}\"")).collect();
        let message = format!(
            "is this order paid? \"{text}\" counts as PREPAID only where \"{}\" is {}",
            paid.column,
            list(&words, "or")
        );
        let hint = "write PREPAID here if it is paid for, or COD if the courier collects it; delete its rows if it is not \
                    to go";
        fault.reworded(Code::BadPayment, message, hint)
    }

    /// The cell of a field, unless it only says that there is nothing: a needed field is then missing, and any other has
    /// what stands in for a blank cell. Nothing at all where that is a problem.
    #[expect(clippy::option_option, reason = "no cell is one thing, and a cell that ends the reading another")]
    fn filled(&mut self, id: Id, cell: Option<Slot>, need: Need) -> Option<Option<Slot>> {
        let draft = self.draft;
        let Some(slot) = cell.filter(|slot| !slot.condition.is_fault() && self.is_absent(id, draft.text(slot))) else {
            return Some(cell);
        };
        let text = draft.text(&slot);
        let place = Spot::of(&slot);
        let header = id.field().header;
        if need == Need::Required && self.stand_in(id, place).is_none() {
            let accepted = id.field().kind.accepted();
            let message = format!("\"{text}\" stands where the {header} should be; accepted is {accepted}");
            let problem = Problem::error(Code::NoValue, message).found(text);
            self.say(problem.hint("write what is meant; a name that is spelled so is written Null or Nan"), id, place);
            return None;
        }
        let problem = Problem::warning(Code::NoValue, format!("taken for a blank {header}")).found(text);
        self.say(problem.hint("empty the cell to be rid of this notice"), id, place);
        Some(None)
    }

    /// Whether a text only says that there is nothing. Where both names of a person are asked, a short one may be real:
    /// `NA LI` has a last name.
    fn is_absent(&self, id: Id, text: &str) -> bool {
        let other = match id {
            Id::ReceiverFirstName => Id::ReceiverLastName,
            Id::ReceiverLastName => Id::ReceiverFirstName,
            _ => return is_no_value(id.field(), text),
        };
        let letters = || text.bytes().all(|byte| byte.is_ascii_uppercase());
        let real = |slot: Slot| !is_no_value(other.field(), self.draft.text(&slot));
        is_no_value(id.field(), text) && !(letters() && self.cell(other).is_some_and(real))
    }

    /// Whether the order's own cell of a field holds a value.
    pub(super) fn is_given(&self, id: Id) -> bool {
        self.cell(id).is_some_and(|slot| !self.is_absent(id, self.draft.text(&slot)))
    }

    /// A text without the marks of spreadsheets and programs around it, which are said.
    fn unmarked(&mut self, id: Id, text: &'a str, spot: Spot) -> &'a str {
        let bare = unmarked(id.field(), text);
        if bare.len() < text.len() {
            let problem = Problem::warning(Code::TextMark, format!("a spreadsheet's writing; taken as {bare}"));
            self.say(problem.found(text).hint("format the column as text to be rid of this notice"), id, spot);
        }
        bare
    }

    /// A unit that disagrees with the one in a header.
    fn check_unit(&mut self, id: Id, unit: &str, spot: Spot) {
        let layout = self.layouts.of(spot.sheet());
        let Some(in_header) = layout.unit(id).filter(|in_header| !in_header.words.contains(&unit)) else { return };
        let header = layout.cell(spot.row_number(), in_header.column);
        let named = header.column.map_or_else(String::new, |column| column.header);
        let code = if id == Id::CurrencyCode { Code::CurrencyClash } else { Code::UnitClash };
        let message = format!("the header \"{named}\" says {}, but this says {unit}", in_header.words[0]);
        let problem = Problem::error(code, message).found(unit);
        self.say(problem.hint("correct the header or the unit, so that they agree"), id, spot);
    }

    /// A slot's text, or the problem that makes it worthless.
    fn sound(&mut self, slot: &Slot) -> Option<&'a str> {
        let draft = self.draft;
        let text = draft.text(slot);
        let Some(fault) = slot.condition.fault() else { return Some(text) };
        self.say(fault.hold().found(text), slot.id, Spot::of(slot));
        None
    }

    pub(super) fn stand_in(&self, id: Id, spot: Spot) -> Option<&'a str> {
        stand_in(id, self.layouts.of(spot.sheet()), self.rules)
    }

    /// Of a column that says what is to be collected and that is blank here, while the others do not say that a blank cell
    /// means nothing.
    fn blank_collected(&self, header: &str) -> Problem {
        let all = self.layouts.of(self.first.sheet()).habit(Id::OrderType).payments == Payments::None;
        let message = if all {
            format!("\"{header}\" is blank for every order, and no other column says how orders are paid")
        } else {
            format!("\"{header}\" is blank here, while other orders that are paid have a no or a zero there")
        };
        let hint = format!(
            "write yes or the amount into \"{header}\" where the courier collects it, and no where it is paid; or add a column \
             \"{}\" with COD or PREPAID for each order",
            Id::OrderType.field().header
        );
        Problem::error(Code::MissingValue, message).hint(hint)
    }

    /// Says of an order of which nothing is collected that only a blank cell says so.
    pub(super) fn note_blank_collected(&mut self) {
        let layout = self.layouts.of(self.first.sheet());
        let Some(header) = layout.collecting() else { return };
        if self.is_given(Id::OrderType) || self.rules.configured(Id::OrderType).is_some() {
            return;
        }
        if stand_in(Id::OrderType, layout, self.rules).is_none() {
            return;
        }
        let message = format!("a blank \"{header}\" is taken for PREPAID: nothing is collected of this order");
        let hint = "write no there where it is paid, to be rid of this notice; yes or the amount where the courier is to \
                    collect it";
        let spot = layout.column(Id::OrderType).map_or(self.first, |column| self.first.in_column(column));
        self.say(Problem::warning(Code::NoValue, message).hint(hint), Id::OrderType, spot);
    }

    /// Says that a needed value is missing; of an address, in its country's words.
    pub(super) fn say_blank(&mut self, id: Id, need: Need, country: Option<&str>, spot: Spot) {
        if need != Need::Required {
            return;
        }
        let field = id.field();
        let problem = if self.layouts.of(spot.sheet()).column(id).is_some() {
            let mut message = format!("the {} is missing; accepted is ", field.header);
            match country.filter(|_| field.kind == Kind::PinCode) {
                Some(code) => {
                    let name = country_name(code).unwrap_or(code);
                    message.extend(["a postal code of ", name, ": ", postal_code_form(country)]);
                }
                None => message.push_str(field.kind.accepted()),
            }
            let problem = Problem::error(Code::MissingValue, message);
            match self.layouts.of(spot.sheet()).collecting().filter(|_| id == Id::OrderType) {
                Some(header) => self.blank_collected(header),
                None => problem.hint("fill in the cell"),
            }
        } else {
            let message = format!("no column of this sheet holds the {}", field.header);
            let column = format!("add a column \"{}\"", field.header);
            let hint = if id == Id::OrderType && self.layouts.of(spot.sheet()).speaks_of_payment() {
                format!("{column} with COD or PREPAID for each order")
            } else if field.may_be_constant() {
                let set = format!("[defaults] \"{}\" = \"{}\"", field.path, field.example);
                format!("{column}, or set it for all orders in shipsheet.toml: {set}")
            } else {
                column
            };
            Problem::error(Code::MissingColumn, message).hint(hint)
        };
        self.say(problem, id, spot);
    }
}

/// A number in the unit that is sent.
fn scaled(value: Value, factor: Option<Decimal>) -> Value {
    match (value, factor) {
        (Value::Number(number), Some(factor)) => Value::Number((number * factor).normalize()),
        (value, _) => value,
    }
}

pub(super) fn into_text(value: Option<Value>) -> Text {
    match value {
        Some(Value::Text(text)) => text,
        _ => Text::default(),
    }
}
