//! The lines of an order: one for each product.

use crate::field::{ExtraRole, Id, is_amount_name};
use crate::finding::money;
use crate::finding::order::{missing_product, row_left_out, too_many_lines};
use crate::finding::{Finding, RuleId};
use crate::parse::{Value, is_no_value};
use crate::text::Text;
use crate::text::{Decimal, RoundingStrategy};

use super::amounts::tax_on_top;
use super::discounts::is_in_percent;
use super::raw_order::{RawCell, RawLine};
use super::read::{Doubt, ValueReader};
use super::rows::{CellRef, Rows};
use super::sheet_amounts::shown;
use super::types::Line;

/// More lines than this in one order are a mistake in the order numbers.
const LINES_MAX: usize = 1_000;

/// The order's lines.
pub(crate) fn lines(reader: &mut ValueReader<'_>) -> Vec<Line> {
    let drafts = &reader.rows.draft.lines;
    if drafts.len() > LINES_MAX {
        reader.say(too_many_lines::lines(drafts.len(), LINES_MAX), Id::OrderNumber, reader.rows.first);
        if !reader.rows.let_go.contains(&RuleId::TooManyLines) {
            return Vec::new();
        }
    }
    if drafts.is_empty() && !reader.rows.draft.problems.iter().any(Finding::holds) {
        reader.say(missing_product::summary_alone(), Id::ProductName, reader.rows.first);
    }
    drafts.iter().map(|draft| line(reader, draft)).collect()
}

fn line<'a>(reader: &mut ValueReader<'a>, draft: &'a RawLine) -> Line {
    if let Some(named) = amount_as_product(&reader.rows, draft) {
        say_amount_as_product(reader, draft, named);
        if !reader.rows.let_go.contains(&RuleId::AmountAsProduct) {
            // One currency for all, so that nothing is said of this one.
            return Line { currency_code: reader.rows.currency.clone(), ..Line::default() };
        }
    }
    // A later line that names no currency has that of the lines before it.
    if reader.rows.draft.cell_of(draft, Id::CurrencyCode).is_some() || reader.rows.currency.is_empty() {
        // What a code means does not hang on the one before.
        reader.rows.currency = Text::default();
        reader.rows.currency = reader.line_text(Id::CurrencyCode, draft);
    }
    let optional = |text: Text| if text.is_empty() { None } else { Some(text) };
    let quantity = reader.number(Id::Quantity, Some(draft));
    let price = reader.number(Id::Price, Some(draft));
    Line {
        product_name: reader.line_text(Id::ProductName, draft),
        price: piece_price(reader, price, quantity, draft),
        quantity,
        category: optional(reader.line_text(Id::Category, draft)),
        currency_code: reader.rows.currency.clone(),
        sku: reader.line_text(Id::Sku, draft),
        tax_rate: reader.number(Id::TaxRate, Some(draft)),
        discount: line_discount(reader, quantity, draft),
        taxes_included: matches!(reader.read(Id::TaxesIncluded, Some(draft)), Some(Value::Flag(true)))
            && tax_on_top(&reader.rows).is_none(),
        description: optional(reader.line_text(Id::Description, draft)),
        hs_code: optional(reader.line_text(Id::HsCode, draft)),
    }
}

/// The discount of the order; one in percent is reckoned with its totals.
pub(super) fn order_discount(reader: &mut ValueReader<'_>) -> Decimal {
    let in_percent = reader.rows.cell(Id::Discount).is_some_and(|slot| is_in_percent(&reader.rows, &slot));
    if in_percent { Decimal::ZERO } else { reader.number(Id::Discount, None) }
}

/// The discount of all pieces of a line, where the sheet gives that of one.
fn line_discount<'a>(reader: &mut ValueReader<'a>, quantity: Decimal, draft: &'a RawLine) -> Decimal {
    let slot = reader.rows.draft.cell_of(draft, Id::LineDiscount);
    if slot.is_some_and(|slot| is_in_percent(&reader.rows, &slot)) {
        return Decimal::ZERO;
    }
    let discount = reader.number(Id::LineDiscount, Some(draft));
    let columns = reader.rows.sheets.of(draft.at.sheet);
    let is_per_piece = |slot: RawCell| columns.per_piece || columns.get(slot.column).says("per-piece");
    if slot.is_some_and(is_per_piece) { discount * quantity } else { discount }
}

/// The price of one piece, where the sheet gives that of the line.
///
/// Of 3 pieces for 1000 none has a whole price: each goes as 333.33, and what is left over is in the subtotal, so that
/// the customer pays 1000.
fn piece_price<'a>(reader: &mut ValueReader<'a>, price: Decimal, quantity: Decimal, draft: &'a RawLine) -> Decimal {
    if !reader.rows.sheets.of(draft.at.sheet).line_total || quantity.is_zero() {
        return price;
    }
    let pieces = pieces(reader, draft, quantity);
    let piece = (price / pieces).round_dp(4).normalize();
    if piece * pieces == price {
        return piece;
    }
    let piece = (price / pieces).round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    let worth = (price * quantity / pieces).round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    reader.rows.left_over += worth - piece * quantity;
    piece
}

/// How many pieces the line's amount is for: where fewer are sent, the sheet says both.
pub(crate) fn pieces<'a>(reader: &mut ValueReader<'a>, draft: &'a RawLine, quantity: Decimal) -> Decimal {
    let Some((slot, pieces)) = reader.rows.amount_of_line(ExtraRole::Pieces, draft) else { return quantity };
    if pieces > quantity {
        let notice = row_left_out::pieces(quantity, pieces).found(quantity.to_string());
        reader.say(notice, Id::Quantity, CellRef::of(&slot));
    }
    if pieces.is_zero() { quantity } else { pieces }
}

/// The cell with the name of a line that is a word of money and nothing else.
fn amount_as_product(rows: &Rows<'_>, line: &RawLine) -> Option<RawCell> {
    let of = |id: Id| rows.draft.cell_of(line, id).filter(|slot| !slot.condition.is_fault());
    let (name, sku) = (of(Id::ProductName), of(Id::Sku));
    let is_none =
        |slot: &RawCell| rows.recurring.is_amount_name.ask(slot.id as u32, (), rows.text(slot), is_amount_name);
    let slot = name.or(sku).filter(is_none)?;
    // A code of its own is that of a product.
    let is_code = |text: &str| {
        text.contains(char::is_alphanumeric) && !is_no_value(Id::Sku.field(), text) && !is_amount_name(text)
    };
    (!sku.is_some_and(|sku| is_code(rows.text(&sku)))).then_some(slot)
}

/// Says once of an order that it has lines which name no product. Where a person lets them go, they are products.
fn say_amount_as_product(reader: &mut ValueReader<'_>, line: &RawLine, slot: RawCell) {
    let is_said = |doubt: &Doubt| doubt.finding.rule() == Some(RuleId::AmountAsProduct);
    if reader.doubts.iter().any(is_said) {
        return;
    }
    let price = reader.rows.draft.cell_of(line, Id::Price);
    let amount = price.and_then(|slot| {
        let text = reader.rows.text(&slot).trim_start_matches(['-', '−', '(', ' ']).trim_end_matches(')');
        reader.rows.readings_of(&slot, text).first().copied()
    });
    let columns = reader.rows.sheets.of(line.at.sheet);
    let [shipping, charges, discount] =
        [Id::ShippingCharges, Id::OtherCharges, Id::Discount].map(|id| columns.header_of(id));
    let text = reader.rows.text(&slot);
    let held = money::missing_product::amount_as_product(text, amount.map(shown), shipping, charges, discount);
    reader.say(held.found(text), slot.id, CellRef::of(&slot));
}
