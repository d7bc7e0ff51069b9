//! From the rows of an order to the order, with what there is to doubt of its values.

use std::sync::Arc;

use crate::field::Id;
use crate::finding::cell::bad_number;
use crate::finding::order::no_value;
use crate::finding::{self, RuleId};
use crate::parse::{Input, Value, is_no_value, unmarked, value};
use crate::text::Decimal;
use crate::text::Text;

use super::address_parts::complete;
use super::addresses::{address, contact, placement};
use super::amounts::{ComputedAmounts, compute_amounts};
use super::line::{lines, order_discount};
use super::parcel::parcel;
use super::read::{Doubt, ValueReader};
use super::rows::{CellRef, Rows};
use super::types::Order;

/// Rules whose findings end the building of an order, unless a person lets them go.
pub(crate) const ENDING: [RuleId; 2] = [RuleId::AmountAsProduct, RuleId::TooManyLines];

/// What the rows of an order come to.
pub(crate) struct Built {
    /// The order, as far as it could be read.
    pub(crate) order: Order,
    /// What there is to doubt of its values, and why some are missing.
    pub(crate) doubts: Vec<Doubt>,
    /// What it comes to by the sheet's own amounts; nothing where not even its lines are clear.
    pub(crate) settled: Option<ComputedAmounts>,
}

/// Builds an order from its rows.
///
/// Whatever a value is doubted for, it stands; the rules' levels decide later whether the order goes.
pub(crate) fn build(rows: &Rows<'_>) -> Built {
    let mut reader = ValueReader::new(rows.clone());
    let (order, settled) = order(&mut reader);
    Built { order, doubts: reader.doubts, settled }
}

fn order(reader: &mut ValueReader<'_>) -> (Order, Option<ComputedAmounts>) {
    check_number(reader);
    // The lines know the currency that the order's own amounts must be in.
    let lines = lines(reader);
    reader.rows.currency = lines.first().map_or_else(Text::default, |line| line.currency_code.clone());
    let mut destination = address(reader, Id::DestinationLine1);
    complete(reader, &mut destination);
    let receiver = contact(reader, Id::ReceiverFirstName, &destination.country_code);
    let placement = placement(reader);
    let parcel = parcel(reader);
    let computed: Decimal = lines.iter().map(|line| line.price * line.quantity).sum();
    let computed = computed + reader.rows.left_over;
    let mut order = Order {
        number: reader.rows.draft.number.as_str().into(),
        created_ms: if let Some(Value::Instant(ms)) = reader.read(Id::OrderCreatedAt, None) { Some(ms) } else { None },
        channel_id: reader.text(Id::ChannelId),
        shipment_type: reader.text(Id::ShipmentType),
        seller_note: reader.text(Id::SellerNote),
        tags: reader.text(Id::Tags),
        carrier: reader.text(Id::Carrier),
        service: reader.text(Id::Service),
        receiver,
        destination,
        placement,
        parcel,
        lines,
        order_type: reader.text(Id::OrderType),
        sub_total: reader.read(Id::SubTotal, None).and_then(Value::number).unwrap_or(computed),
        shipping_charges: reader.number(Id::ShippingCharges, None),
        other_charges: reader.number(Id::OtherCharges, None),
        discount: order_discount(reader),
        as_written: as_written(&reader.rows),
        omit_empty: Arc::clone(&reader.rows.rules.omit_empty),
    };
    note_blank_collected(reader);
    // Where a line is an amount of the order and no product, nobody knows what the products come to.
    let is_amount = |doubt: &Doubt| doubt.finding.rule() == Some(RuleId::AmountAsProduct);
    let has_amounts = !reader.rows.let_go.contains(&RuleId::AmountAsProduct) && reader.doubts.iter().any(is_amount);
    let settled = (!has_amounts).then(|| compute_amounts(reader, &mut order));
    check_size(reader, &order);
    (order, settled)
}

/// No cell is too large; what they come to may be.
fn check_size(reader: &mut ValueReader<'_>, order: &Order) {
    let mut amounts = order.lines.iter().map(|line| line.discount).chain([order.sub_total, order.total()]);
    if let Some(amount) = amounts.find(|amount| amount.abs() > Decimal::LARGEST) {
        reader.say_no_value(bad_number::too_large().found(amount.to_string()), Id::SubTotal, reader.rows.first);
    }
}

/// What the order's cells say of the fields that a person wants to be sent as they are written.
fn as_written(rows: &Rows<'_>) -> Vec<(Id, Text)> {
    let given = rows.rules.as_written.iter().copied().filter(|id| rows.is_given(*id));
    given.filter_map(|id| Some((id, unmarked(id.field(), rows.text(&rows.cell(id)?)).into()))).collect()
}

/// The order number's own form; its cell was found when the rows were grouped.
fn check_number(reader: &mut ValueReader<'_>) {
    // What a profile puts before the number hides nothing of what is wrong with the cell.
    let prefix = reader.rows.sheets.of(reader.rows.first.at.sheet).prefix();
    let number = &reader.rows.draft.number;
    let number = number.strip_prefix(prefix).unwrap_or(number);
    if is_no_value(Id::OrderNumber.field(), number) {
        let missing = no_value::for_order_number(&reader.rows.draft.number).found(reader.rows.draft.number.clone());
        reader.say(missing, Id::OrderNumber, reader.rows.first);
        return;
    }
    let marked = reader
        .rows
        .draft
        .problems
        .iter()
        .any(|problem| problem.id == finding::Id::TextMark && problem.is_on(Id::OrderNumber.field().path));
    let input = Input { marked, ..Input::new(Id::OrderNumber.field(), number) };
    if let Some(said) = value(input, reader.rows.rules).said {
        reader.say(said.found(reader.rows.draft.number.clone()), Id::OrderNumber, reader.rows.first);
    }
}

/// Says of an order of which nothing is collected that only a blank cell says so.
fn note_blank_collected(reader: &mut ValueReader<'_>) {
    let columns = reader.rows.sheets.of(reader.rows.first.at.sheet);
    let Some(header) = columns.collecting() else { return };
    if reader.rows.is_given(Id::OrderType) || reader.rows.rules.configured(Id::OrderType).is_some() {
        return;
    }
    if reader.rows.stand_in(Id::OrderType, reader.rows.first).is_none() {
        return;
    }
    let spot =
        columns.column(Id::OrderType).map_or(reader.rows.first, |column| CellRef::cell(reader.rows.first.at, column));
    reader.say(no_value::nothing_collected(header), Id::OrderType, spot);
}
