//! A draft's values, one by one: from their cells, or from what stands in for them.

use rust_decimal::Decimal;

use crate::check::{
    Asked, Condition, Input, Payments, Value, as_written, country_name, is_no_value, postal_code_form, tariff_fault,
    unmarked, value,
};
use crate::field::{Id, Kind, Need, normalised};
use crate::finding::column::{self, missing_column};
use crate::finding::money::bad_payment;
use crate::finding::order::{missing_value, no_value, text_mark};
use crate::finding::{self, Finding, Remedy};
use crate::text::Text;

use super::draft::{LineDraft, Slot};
use super::reader::{Reader, Spot};
use super::standing::stand_in;

impl<'a> Reader<'a> {
    pub(super) fn text(&mut self, id: Id) -> Text {
        into_text(self.read(id, None))
    }

    pub(super) fn line_text(&mut self, id: Id, line: &'a LineDraft) -> Text {
        into_text(self.read(id, Some(line)))
    }

    pub(super) fn number(&mut self, id: Id, line: Option<&'a LineDraft>) -> Decimal {
        if line.is_none() && self.sheets.of(self.first.sheet()).in_parts(id) {
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
        let products = self.sheets.of(line.at.sheet).products();
        let own = products.get(usize::from(line.product)).and_then(|product| product.iter().find(|fed| fed.id() == id));
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
        let all_told = self.problems.iter().all(|problem| problem.id != finding::Id::BadEncoding);
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
        if let Some(fault) = (id == Id::HsCode).then(|| tariff_fault(text)).flatten()
            && self.say(fault.hold().found(text), id, spot)
        {
            return None;
        }
        let columns = self.sheets.of(spot.sheet());
        let currency = Some(self.currency.as_str()).filter(|currency| !currency.is_empty());
        let input = Input {
            native: cell.is_some_and(|slot| slot.condition == Condition::Native),
            // What the configuration says was never in a spreadsheet.
            marked: text.len() < whole || cell.is_none(),
            country,
            currency,
            habit: columns.habit(id),
            dates: columns.dates(),
            means_paid: columns.means_are_paid(),
            ..Input::new(id.field(), text)
        };
        // A profile's unit is that of its column; what stands in for a cell has its own.
        let scale = columns.scale(id).filter(|_| cell.is_some());
        let default = |said: Finding| {
            let said = said.found(text);
            if cell.is_none() { said.also(finding::cell::note::configured_default()) } else { said }
        };
        let found = match value(input, self.rules) {
            Ok(reading) => {
                if let Some(note) = reading.note {
                    self.say(default(note.warn()), id, spot);
                }
                Some(scaled(reading.value, scale))
            }
            Err(fault) => {
                let said = default(self.unpaid(*fault, text, spot).hold());
                if let Some(written) = as_written(id.field().kind, text) {
                    (!self.say(said, id, spot)).then(|| scaled(written, scale))
                } else {
                    self.say_no_value(said, id, spot);
                    None
                }
            }
        };
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
    fn unpaid(&self, fault: Finding, text: &str, spot: Spot) -> Finding {
        let is_payment = fault.id == finding::Id::BadPayment;
        let Some(paid) = self.sheets.of(spot.sheet()).paid_where().filter(|_| is_payment) else { return fault };
        let bare = normalised(text);
        if paid.unless.iter().any(|word| bare.contains(word.as_str())) {
            return fault;
        }
        bad_payment::paid_elsewhere(text, &paid.column, &paid.is)
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
            let missing = no_value::for_needed_value(text, header, id.field().kind.accepted());
            self.say(missing.found(text), id, place);
            return None;
        }
        self.say(no_value::taken_for_blank(header).found(text), id, place);
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
            self.say(text_mark::taken_off(bare).found(text), id, spot);
        }
        bare
    }

    /// A unit that disagrees with the one in a header.
    fn check_unit(&mut self, id: Id, unit: &str, spot: Spot) {
        let columns = self.sheets.of(spot.sheet());
        let Some(in_header) = columns.unit(id).filter(|in_header| !in_header.words.contains(&unit)) else { return };
        let header = columns.cell(spot.row_number(), in_header.column);
        let named = header.column.map_or_else(String::new, |column| column.header);
        let clash = match id {
            Id::CurrencyCode => column::currency_clash::with_header,
            _ => column::unit_clash::with_header,
        };
        self.say(clash(&named, in_header.words[0], unit).found(unit), id, spot);
    }

    /// A slot's text, or the problem that makes it worthless.
    fn sound(&mut self, slot: &Slot) -> Option<&'a str> {
        let draft = self.draft;
        let text = draft.text(slot);
        let Some(fault) = slot.condition.fault() else { return Some(text) };
        let fault = fault.hold().found(text);
        if text.is_empty() {
            self.say_no_value(fault, slot.id, Spot::of(slot));
            return None;
        }
        (!self.say(fault, slot.id, Spot::of(slot))).then_some(text)
    }

    pub(super) fn stand_in(&self, id: Id, spot: Spot) -> Option<&'a str> {
        stand_in(id, self.sheets.of(spot.sheet()), self.rules)
    }

    /// Of a column that says what is to be collected and that is blank here, while the others do not say that a blank cell
    /// means nothing.
    fn blank_collected(&self, header: &str) -> Finding {
        let all = self.sheets.of(self.first.sheet()).habit(Id::OrderType).payments == Payments::None;
        let blank = if all { missing_value::payment_of_all_blank } else { missing_value::payment_blank };
        let field = Id::OrderType.field().header;
        blank(header, field).remedy(Remedy::add_column(field))
    }

    /// Says of an order of which nothing is collected that only a blank cell says so.
    pub(super) fn note_blank_collected(&mut self) {
        let columns = self.sheets.of(self.first.sheet());
        let Some(header) = columns.collecting() else { return };
        if self.is_given(Id::OrderType) || self.rules.configured(Id::OrderType).is_some() {
            return;
        }
        if stand_in(Id::OrderType, columns, self.rules).is_none() {
            return;
        }
        let spot = columns.column(Id::OrderType).map_or(self.first, |column| self.first.in_column(column));
        self.say(no_value::nothing_collected(header), Id::OrderType, spot);
    }

    /// Says that a needed value is missing; of an address, in its country's words.
    pub(super) fn say_blank(&mut self, id: Id, need: Need, country: Option<&str>, spot: Spot) {
        if need != Need::Required {
            return;
        }
        let field = id.field();
        let columns = self.sheets.of(spot.sheet());
        let add = Remedy::add_column(field.header);
        let missing = if columns.column(id).is_some() {
            match (
                columns.collecting().filter(|_| id == Id::OrderType),
                country.filter(|_| field.kind == Kind::PinCode),
            ) {
                (Some(header), _) => self.blank_collected(header),
                (None, Some(code)) => {
                    let name = country_name(code).unwrap_or(code);
                    missing_value::blank_postal_code(field.header, name, postal_code_form(country))
                }
                (None, None) => missing_value::blank(field.header, field.kind.accepted()),
            }
        } else if id == Id::OrderType && columns.speaks_of_payment() {
            missing_column::of_sheet_payment(field.header, add)
        } else if field.may_be_constant() {
            let set = Remedy::default_of(field.path, Some(field.example));
            missing_column::of_sheet_constant(field.header, add, set)
        } else {
            missing_column::of_sheet(field.header, add)
        };
        self.say(missing, id, spot);
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
