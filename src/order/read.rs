//! The values of an order, one by one: from their cells, or from what stands in for them.

use crate::field::{Id, Kind, Need};
use crate::finding::column::{ambiguous_number, bad_unit, missing_column};
use crate::finding::money::{bad_payment, held_back};
use crate::finding::order::{missing_value, no_value, text_mark};
use crate::finding::{self, Finding, Remedy, column};
use crate::parse::{
    Condition, Decimals, Input, NoRates, ParsedValue, Payments, Value, country_name, is_no_value, postal_code_form,
    tariff_fault, unmarked, value,
};
use crate::profile::Meaning;
use crate::text::Decimal;
use crate::text::Text;

use super::raw_order::{RawCell, RawLine};
use super::rows::{CellRef, Rows, code};

/// What there is to doubt of a value, or why there is none.
#[derive(Debug)]
pub(crate) struct Doubt {
    pub(crate) finding: Finding,
    /// Whether it holds the order whatever level its rule has: without a value no request can be formed.
    pub(crate) is_fault: bool,
}

/// Reads the values of an order one by one and gathers what there is to doubt of them.
pub(crate) struct ValueReader<'a> {
    pub(crate) rows: Rows<'a>,
    pub(crate) doubts: Vec<Doubt>,
}

impl<'a> ValueReader<'a> {
    pub(crate) const fn new(rows: Rows<'a>) -> Self {
        Self { rows, doubts: Vec::new() }
    }

    /// Says something of a value that stands all the same.
    pub(crate) fn say(&mut self, problem: Finding, id: Id, spot: CellRef) {
        let finding = self.rows.placed(problem, id, spot);
        self.doubts.push(Doubt { finding, is_fault: false });
    }

    /// Says why there is no value.
    pub(super) fn say_no_value(&mut self, problem: Finding, id: Id, spot: CellRef) {
        let finding = self.rows.placed(problem, id, spot).hold();
        self.doubts.push(Doubt { finding, is_fault: true });
    }

    pub(crate) fn text(&mut self, id: Id) -> Text {
        into_text(self.read(id, None))
    }

    pub(super) fn line_text(&mut self, id: Id, line: &'a RawLine) -> Text {
        into_text(self.read(id, Some(line)))
    }

    pub(crate) fn number(&mut self, id: Id, line: Option<&'a RawLine>) -> Decimal {
        if line.is_none() && self.rows.sheets.of(self.rows.first.at.sheet).in_parts(id) {
            return self.sum_of_parts(id);
        }
        self.read(id, line).and_then(Value::number).unwrap_or_default()
    }

    /// An amount of the order of which each row has its part.
    fn sum_of_parts(&mut self, id: Id) -> Decimal {
        let draft = self.rows.draft;
        let parts: Vec<RawCell> = draft.cells.iter().filter(|slot| slot.id == id).copied().collect();
        let first = self.rows.first;
        let mut read = |slot| self.read_cell(id, slot, first, None).and_then(Value::number).unwrap_or_default();
        if parts.is_empty() { read(None) } else { parts.into_iter().map(|slot| read(Some(slot))).sum() }
    }

    pub(crate) fn read(&mut self, id: Id, line: Option<&'a RawLine>) -> Option<Value> {
        self.read_of(id, line, None)
    }

    /// A field's value: from its cell, else from its header's unit, the sheet's constant or the configuration's default.
    pub(super) fn read_of(&mut self, id: Id, line: Option<&'a RawLine>, country: Option<&str>) -> Option<Value> {
        let cell = line.map_or_else(|| self.rows.cell(id), |line| self.rows.draft.cell_of(line, id));
        let row = match line {
            None => self.rows.first,
            Some(line) if cell.is_some() || line.product == 0 => CellRef::row(line.at),
            // The blank cell of one of the products that stand side by side; its row where it has no column of its own.
            Some(line) => {
                let own = self.rows.sheets.of(line.at.sheet).products.get(usize::from(line.product));
                let fed = own.and_then(|product| product.iter().find(|fed| fed.id() == id));
                fed.map_or(CellRef::row(line.at), |fed| CellRef::cell(line.at, fed.column))
            }
        };
        self.read_cell(id, cell, row, country)
    }

    /// A field's value from a cell, or from what stands in for it in that row.
    pub(super) fn read_cell(
        &mut self,
        id: Id,
        cell: Option<RawCell>,
        row: CellRef,
        country: Option<&str>,
    ) -> Option<Value> {
        let spot = cell.as_ref().map_or(row, CellRef::of);
        let codes = code(country.unwrap_or_default()).zip(code(&self.rows.currency));
        let about = |cell: Option<RawCell>| {
            let at = cell.map(|slot| (slot.column, slot.condition));
            codes.map(|codes| (id, spot.at.sheet, at, codes))
        };
        let known = |about: Option<_>, text| self.rows.recurring.values.find(id as u32, &about?, text);
        // Most texts recur, and there is nothing to say of them.
        if let Some(slot) = cell.filter(|slot| !slot.condition.is_fault())
            && let Some(value) = known(about(cell), self.rows.text(&slot))
        {
            return Some(value);
        }
        let cell = self.filled(id, cell, country);
        let text = if let Some(slot) = &cell {
            self.sound(slot)?
        } else if let Some(text) = self.rows.stand_in(id, spot) {
            text
        } else {
            self.say_blank(id, self.rows.rules.need_in(id, country), country, spot);
            return None;
        };
        if cell.is_none()
            && let Some(value) = known(about(None), text)
        {
            return Some(value);
        }
        let said = self.doubts.len();
        let value = self.value(id, text, cell, spot, country)?;
        // Of what is doubted, each order is told; whether a word for nothing is a name hangs on other cells.
        let is_sure = said == self.doubts.len() && !is_no_value(id.field(), text);
        if let Some(about) = about(cell).filter(|_| is_sure) {
            self.rows.recurring.values.keep(id as u32, about, text, value.clone());
        }
        Some(value)
    }

    /// What a text comes to.
    fn value(
        &mut self,
        id: Id,
        text: &'a str,
        cell: Option<RawCell>,
        spot: CellRef,
        country: Option<&str>,
    ) -> Option<Value> {
        let whole = text.len();
        let text = if cell.is_some() { self.unmarked(id, text, spot) } else { text };
        if let Some(fault) = (id == Id::HsCode).then(|| tariff_fault(text)).flatten() {
            self.say(fault.hold().found(text), id, spot);
        }
        let columns = self.rows.sheets.of(spot.at.sheet);
        let meaning = cell.filter(|_| id == Id::OrderType).and_then(|slot| columns.meaning(slot.column, text));
        if let Some(payment) = meaning.and_then(|meaning| self.payment_said(meaning, text, spot)) {
            return Some(payment);
        }
        let currency = Some(self.rows.currency.as_str()).filter(|currency| !currency.is_empty());
        let habit = columns.habit(id);
        // Under the API's own name a number is written as the API takes it, unless its column shows otherwise.
        let is_as_api = |slot: RawCell| {
            matches!(id.field().kind, Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Quantity | Kind::Rate)
                && !(matches!(habit.decimals, Decimals::Comma | Decimals::Mixed) || text.contains(','))
                && columns.header(slot.column) == id.field().path
        };
        let input = Input {
            // A configured value was never in a spreadsheet, and follows no habit of a column.
            native: cell.map_or(!text.contains(','), |slot| slot.condition == Condition::Native || is_as_api(slot)),
            marked: text.len() < whole || cell.is_none(),
            country,
            currency,
            habit,
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
        let ParsedValue { value, said } = value(input, self.rows.rules);
        let found = value.map(|value| scaled(value, scale));
        match said.map(|said| default(self.unpaid(*said, text, spot))) {
            None => {}
            Some(said) if found.is_none() => self.say_no_value(said, id, spot),
            Some(said) => self.say(said, id, spot),
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

    /// How an order is paid by what a person said of such cells.
    fn payment_said(&mut self, meaning: Meaning, text: &str, spot: CellRef) -> Option<Value> {
        let payment = match meaning {
            Meaning::Paid | Meaning::Unpaid | Meaning::OnCredit => "PREPAID",
            Meaning::Collect => "COD",
            Meaning::Rest | Meaning::Go | Meaning::Hold | Meaning::Cancelled | Meaning::Sent => return None,
        };
        if meaning == Meaning::Unpaid {
            let header = self.rows.sheets.of(spot.at.sheet).header_of(Id::OrderType);
            self.say(held_back::unpaid_as_answered(header, text).found(text), Id::OrderType, spot);
        }
        Some(Value::Text(payment.into()))
    }

    /// Of a payment that counts as paid elsewhere, that it does not here: what kind it is, everybody knows.
    fn unpaid(&self, fault: Finding, text: &str, spot: CellRef) -> Finding {
        let columns = self.rows.sheets.of(spot.at.sheet);
        match &columns.paid_where {
            Some(paid) if fault.id == finding::Id::BadPayment && !columns.never_paid(text) => {
                bad_payment::paid_elsewhere(text, &paid.column, &paid.is)
            }
            _ => fault,
        }
    }

    /// The cell of a field, unless it only says that there is nothing: a needed field is then missing, and any other has
    /// what stands in for a blank cell.
    fn filled(&mut self, id: Id, cell: Option<RawCell>, country: Option<&str>) -> Option<RawCell> {
        let draft = self.rows.draft;
        let Some(slot) = cell.filter(|slot| !slot.condition.is_fault() && self.rows.is_absent(id, draft.text(slot)))
        else {
            return cell;
        };
        let text = draft.text(&slot);
        let place = CellRef::of(&slot);
        let header = id.field().header;
        let is_needed = self.rows.rules.need_in(id, country) == Need::Required;
        if is_needed && self.rows.stand_in(id, place).is_none() {
            let missing = no_value::for_needed_value(text, header, accepted(id.field().kind));
            self.say(missing.found(text), id, place);
            return cell;
        }
        self.say(no_value::taken_for_blank(header).found(text), id, place);
        None
    }

    /// A text without the marks of spreadsheets and programs around it, which are said.
    pub(crate) fn unmarked(&mut self, id: Id, text: &'a str, spot: CellRef) -> &'a str {
        let bare = unmarked(id.field(), text);
        if bare.len() < text.len() {
            self.say(text_mark::taken_off(bare).found(text), id, spot);
        }
        bare
    }

    /// A unit that disagrees with the one in a header.
    fn check_unit(&mut self, id: Id, unit: &str, spot: CellRef) {
        let columns = self.rows.sheets.of(spot.at.sheet);
        let Some(in_header) = columns.unit(id).filter(|in_header| !in_header.words.contains(&unit)) else { return };
        let header = columns.cell(spot.at.row, in_header.column);
        let named = header.column.map_or_else(String::new, |column| column.header);
        let clash = match id {
            Id::CurrencyCode => column::currency_clash::with_header,
            _ => column::unit_clash::with_header,
        };
        self.say(clash(&named, in_header.words[0], unit).found(unit), id, spot);
    }

    /// A slot's text, or the problem that makes it worthless.
    fn sound(&mut self, slot: &RawCell) -> Option<&'a str> {
        let draft = self.rows.draft;
        let text = draft.text(slot);
        let Some(fault) = slot.condition.fault() else { return Some(text) };
        let fault = fault.hold().found(text);
        if text.is_empty() {
            self.say_no_value(fault, slot.id, CellRef::of(slot));
            return None;
        }
        self.say(fault, slot.id, CellRef::of(slot));
        Some(text)
    }

    /// Says that a needed value is missing; of an address, in its country's words.
    pub(super) fn say_blank(&mut self, id: Id, need: Need, country: Option<&str>, spot: CellRef) {
        if need != Need::Required {
            return;
        }
        let field = id.field();
        let columns = self.rows.sheets.of(spot.at.sheet);
        let add = Remedy::add_column(field.header);
        let missing = if columns.column(id).is_some() {
            match (
                columns.collecting().filter(|_| id == Id::OrderType),
                country.filter(|_| field.kind == Kind::PinCode),
            ) {
                // What is to be collected is blank here, and the others do not say that a blank cell means nothing.
                (Some(header), _) => {
                    let all = columns.habit(id).payments == Payments::None;
                    let blank = if all { missing_value::payment_of_all_blank } else { missing_value::payment_blank };
                    blank(header, field.header).remedy(add)
                }
                (None, Some(code)) => {
                    let name = country_name(code).unwrap_or(code);
                    missing_value::blank_postal_code(field.header, name, postal_code_form(country))
                }
                (None, None) => missing_value::blank(field.header, accepted(field.kind)),
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

    /// Why a figure cannot be taken as its field's, by the header that it stands under.
    fn header_doubt(&self, slot: &RawCell, number: Decimal) -> Option<Finding> {
        let column = self.rows.column(slot);
        let (field, header) = (slot.id.field(), column.header.as_str());
        match field.kind {
            Kind::Money | Kind::MoneyText if column.says("in-percent") => {
                Some(bad_unit::percent_in_header(header, field.header))
            }
            Kind::Rate if !column.is_rate() => {
                let shown = self.rows.sheets.of(slot.at.sheet).habit(slot.id).no_rates.max(NoRates::of(number));
                let gst = self.rows.currency == "INR" || column.says("gst");
                let money = column.says("names-amount");
                if !(money || shown == NoRates::TooHigh || (gst && shown == NoRates::NotOfGst)) {
                    return None;
                }
                let doubt = if money { ambiguous_number::amount_in_header } else { ambiguous_number::rate_or_money };
                Some(doubt(header, field.header))
            }
            _ => None,
        }
    }
}

/// What a value should be, where that is more than any text.
fn accepted(kind: Kind) -> Option<&'static str> {
    (!matches!(kind, Kind::Text | Kind::NullableText)).then(|| kind.accepted())
}

/// A number in the unit that is sent.
fn scaled(value: Value, factor: Option<Decimal>) -> Value {
    match (value, factor) {
        (Value::Number(number), Some(factor)) => Value::Number((number * factor).normalize()),
        (value, _) => value,
    }
}

pub(super) fn into_text(value: Option<Value>) -> Text {
    if let Some(Value::Text(text)) = value { text } else { Text::default() }
}
