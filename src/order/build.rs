//! From a draft to an order, or to the problems that keep it back.

use std::sync::Arc;

use rust_decimal::{Decimal, RoundingStrategy};

use crate::check::{Input, Memo, Rules, Value, is_no_value, value};
use crate::column::Sheets;
use crate::field::{AmountRole, Id, day_at_end};
use crate::finding::money::{bad_number, currency_clash};
use crate::finding::order::{missing_product, no_value, row_left_out, too_many_lines};
use crate::finding::{self, Finding};
use crate::text::Text;

use super::basis::settled;
use super::draft::{Draft, LineDraft};
use super::goes::Goes;
use super::no_goods::NoGoods;
use super::place::{DESTINATION, RECEIVER};
use super::reader::{Reader, Spot};
use super::standing::Standing;
use super::types::{Line, Order, Parcel};
use super::weight;
use super::written::as_written;

/// More lines than this in one order are a mistake in the order numbers.
const LINES_MAX: usize = 1_000;

/// What drafts are judged by.
#[derive(Debug, Clone, Copy)]
pub struct Builder<'a> {
    /// The sheets' columns.
    pub sheets: &'a Sheets,
    /// The configuration's word on values.
    pub rules: &'a Rules,
    /// What stands in for fields without a column, by the same sheets and rules.
    pub standing: &'a Standing,
}

/// What a draft came to.
#[derive(Debug)]
pub struct Built {
    /// The order, where nothing is wrong with it.
    pub order: Option<Box<Order>>,
    /// Everything that there is to say.
    pub problems: Vec<Finding>,
    /// What its sheet says of whether it goes.
    pub goes: Goes,
}

impl Builder<'_> {
    /// Judges a draft: the order where nothing is wrong with it, and everything that there is to say.
    ///
    /// The memo must have seen no other sheets and rules.
    #[must_use]
    pub fn build(&self, draft: &Draft, memo: &mut Memo) -> Built {
        let mut reader = Reader::new(draft, (self.sheets, self.rules), self.standing, memo);
        let of_rows = draft.problems.iter().filter(|problem| !self.is_of_today(problem));
        reader.problems.extend(of_rows.cloned().filter_map(|problem| settled(draft, problem, self.sheets)));
        let (order, goes) = reader.order();
        let failed = goes.is_over() || reader.has_failed();
        let told = reader.problems.into_iter().map(|problem| draft.point_out(problem, self.sheets));
        Built { order: if failed { None } else { Some(Box::new(order)) }, problems: told.collect(), goes }
    }

    /// Whether a row stands below a title that is the day of today, or of yesterday: that keeps nothing back.
    fn is_of_today(&self, problem: &Finding) -> bool {
        let Some(title) = problem.found.as_deref().filter(|_| problem.id == finding::Id::BelowTitle) else {
            return false;
        };
        let today = self.rules.today();
        let is_plain =
            |before: &str| before.is_empty() || before.trim_end_matches([':', ' ']).eq_ignore_ascii_case("date");
        let day = day_at_end(title).filter(|(before, _)| is_plain(before)).and_then(|(_, day)| day.near(today));
        day.is_some_and(|day| day == today || day.tomorrow().is_ok_and(|next| next == today))
    }
}

impl<'a> Reader<'a> {
    fn order(&mut self) -> (Order, Goes) {
        self.check_number();
        // The lines know the currency that the order's own amounts must be in.
        let mut no_goods = Vec::new();
        let lines = self.lines(&mut no_goods);
        self.check_currencies(&lines);
        self.currency = lines.first().map_or_else(Text::default, |line| line.currency_code.clone());
        let mut destination = self.address(DESTINATION);
        self.complete(&mut destination);
        let receiver = self.contact(&RECEIVER, &destination.country_code);
        let placement = self.placement();
        let parcel = self.parcel();
        let computed: Decimal = lines.iter().map(|line| line.price * line.quantity).sum();
        let computed = computed + self.left_over;
        let mut order = Order {
            number: self.draft.number.as_str().into(),
            created_ms: match self.read(Id::OrderCreatedAt, None) {
                Some(Value::Instant(milliseconds)) => Some(milliseconds),
                _ => None,
            },
            channel_id: self.text(Id::ChannelId),
            shipment_type: self.text(Id::ShipmentType),
            seller_note: self.text(Id::SellerNote),
            tags: self.text(Id::Tags),
            carrier: self.text(Id::Carrier),
            service: self.text(Id::Service),
            receiver,
            destination,
            placement,
            parcel,
            lines,
            order_type: self.text(Id::OrderType),
            sub_total: match self.read(Id::SubTotal, None) {
                Some(Value::Number(given)) => given,
                _ => computed,
            },
            shipping_charges: self.number(Id::ShippingCharges, None),
            other_charges: self.number(Id::OtherCharges, None),
            discount: self.order_discount(),
            as_written: as_written(self),
            omit_empty: Arc::clone(&self.rules.omit_empty),
        };
        self.note_blank_collected();
        if !self.say_no_goods(&order, &no_goods) && !self.settle_singles(&mut order) {
            self.check_totals(&mut order);
        }
        self.check_rivals(&order);
        self.check_pin(&order);
        self.check_measured(&order);
        self.check_total(&order);
        self.check_worth(&order);
        self.check_said(&order);
        let goes = self.check_goes(&order);
        (order, goes)
    }

    /// The order number's own form; its cell was found when the rows were grouped.
    fn check_number(&mut self) {
        if is_no_value(Id::OrderNumber.field(), &self.draft.number) {
            let missing = no_value::for_order_number(&self.draft.number).found(self.draft.number.clone());
            self.say(missing, Id::OrderNumber, self.first);
            return;
        }
        let marked = self
            .draft
            .problems
            .iter()
            .any(|problem| problem.id == finding::Id::TextMark && problem.is_on(Id::OrderNumber.field().path));
        let input = Input { marked, ..Input::new(Id::OrderNumber.field(), &self.draft.number) };
        let said = match value(input, self.rules) {
            Ok(reading) => reading.note.map(|note| note.warn()),
            Err(fault) => Some(fault.hold()),
        };
        if let Some(said) = said {
            self.say(said.found(self.draft.number.clone()), Id::OrderNumber, self.first);
        }
    }

    fn parcel(&mut self) -> Parcel {
        let (dimension_unit, weight_unit) = (self.text(Id::DimensionUnit), self.text(Id::WeightUnit));
        let parcel = Parcel {
            length: self.measure(Id::Length, Id::DimensionUnit, &dimension_unit),
            width: self.measure(Id::Width, Id::DimensionUnit, &dimension_unit),
            height: self.measure(Id::Height, Id::DimensionUnit, &dimension_unit),
            dimension_unit,
            weight: self.measure(Id::Weight, Id::WeightUnit, &weight_unit),
            weight_unit,
        };
        let said = self.is_weight_unit_said();
        if let Some(problem) = weight::doubt(parcel.weight, &parcel.weight_unit, said, self.rules.heaviest_kg) {
            let found = self.cell(Id::Weight).map(|slot| self.draft.text(&slot).to_owned());
            let found = found.unwrap_or_else(|| parcel.weight.normalize().to_string());
            self.say(problem.found(found), Id::Weight, self.spot_of(Id::Weight));
        }
        parcel
    }

    /// The order's lines; those that name no product are given apart as well.
    fn lines(&mut self, no_goods: &mut Vec<NoGoods>) -> Vec<Line> {
        let drafts = &self.draft.lines;
        if drafts.len() > LINES_MAX {
            self.say(too_many_lines::lines(drafts.len(), LINES_MAX), Id::OrderNumber, self.first);
            return Vec::new();
        }
        let settled = |problem: &Finding| settled(self.draft, problem.clone(), self.sheets);
        if drafts.is_empty() && !self.draft.problems.iter().filter_map(settled).any(|problem| problem.holds()) {
            self.say(missing_product::summary_alone(), Id::ProductName, self.first);
        }
        drafts.iter().map(|draft| self.line(draft, no_goods)).collect()
    }

    fn line(&mut self, draft: &'a LineDraft, no_goods: &mut Vec<NoGoods>) -> Line {
        if let Some(row) = self.no_goods(draft) {
            no_goods.push(row);
            // One currency for all, so that nothing is said of this one.
            return Line { currency_code: self.currency.clone(), ..Line::default() };
        }
        // A later line that names no currency has that of the lines before it.
        let named = self.draft.cells_of(draft).iter().any(|slot| slot.id == Id::CurrencyCode);
        if named || self.currency.is_empty() {
            self.currency = self.line_text(Id::CurrencyCode, draft);
        }
        let optional = |text: Text| if text.is_empty() { None } else { Some(text) };
        let quantity = self.number(Id::Quantity, Some(draft));
        let price = self.number(Id::Price, Some(draft));
        Line {
            product_name: self.line_text(Id::ProductName, draft),
            price: self.piece_price(price, quantity, draft),
            quantity,
            category: optional(self.line_text(Id::Category, draft)),
            currency_code: self.currency.clone(),
            sku: self.line_text(Id::Sku, draft),
            tax_rate: self.number(Id::TaxRate, Some(draft)),
            discount: self.line_discount(quantity, draft),
            taxes_included: matches!(self.read(Id::TaxesIncluded, Some(draft)), Some(Value::Flag(true)))
                && self.tax_on_top().is_none(),
            description: optional(self.line_text(Id::Description, draft)),
            hs_code: optional(self.line_text(Id::HsCode, draft)),
        }
    }

    /// The discount of the order; one in percent is reckoned with its totals.
    fn order_discount(&mut self) -> Decimal {
        let in_percent = self.cell(Id::Discount).is_some_and(|slot| self.is_in_percent(&slot));
        if in_percent { Decimal::ZERO } else { self.number(Id::Discount, None) }
    }

    /// The discount of all pieces of a line, where the sheet gives that of one.
    fn line_discount(&mut self, quantity: Decimal, draft: &'a LineDraft) -> Decimal {
        let slot = self.draft.cells_of(draft).iter().find(|slot| slot.id == Id::LineDiscount);
        if slot.is_some_and(|slot| self.is_in_percent(slot)) {
            return Decimal::ZERO;
        }
        let discount = self.number(Id::LineDiscount, Some(draft));
        let columns = self.sheets.of(draft.at.sheet);
        if slot.is_some_and(|slot| columns.is_per_piece(slot.column)) { discount * quantity } else { discount }
    }

    /// The price of one piece, where the sheet gives that of the line.
    ///
    /// Of 3 pieces for 1000 none has a whole price: each goes as 333.33, and what is left over is in the subtotal, so that
    /// the customer pays 1000.
    fn piece_price(&mut self, price: Decimal, quantity: Decimal, draft: &'a LineDraft) -> Decimal {
        if !self.sheets.of(draft.at.sheet).line_total() || quantity.is_zero() {
            return price;
        }
        let pieces = self.pieces(draft, quantity);
        let piece = (price / pieces).round_dp(4).normalize();
        if piece * pieces == price {
            return piece;
        }
        let piece = (price / pieces).round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
        let worth = (price * quantity / pieces).round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
        self.left_over += worth - piece * quantity;
        piece
    }

    /// How many pieces the line's amount is for: where fewer are sent, the sheet says both.
    fn pieces(&mut self, draft: &'a LineDraft, quantity: Decimal) -> Decimal {
        let Some((slot, pieces)) = self.amount_of_line(AmountRole::Pieces, draft) else { return quantity };
        if pieces > quantity {
            let notice = row_left_out::pieces(quantity, pieces).found(quantity.to_string());
            self.say(notice, Id::Quantity, Spot::of(&slot));
        }
        if pieces.is_zero() { quantity } else { pieces }
    }

    /// One order has one currency.
    fn check_currencies(&mut self, lines: &[Line]) {
        let drafts = &self.draft.lines;
        let Some((first, other)) = lines
            .iter()
            .position(|line| line.currency_code != lines[0].currency_code && !line.currency_code.is_empty())
            .and_then(|index| Some((drafts.first()?, drafts.get(index).map(|draft| (index, draft))?)))
            .filter(|_| !lines[0].currency_code.is_empty())
        else {
            return;
        };
        let spot = |draft: &LineDraft| {
            let slot = self.draft.cells_of(draft).iter().find(|slot| slot.id == Id::CurrencyCode);
            slot.map_or(Spot::row(draft.at), Spot::of)
        };
        let (index, other) = other;
        let (here, there) = (spot(other), spot(first));
        let (currency, before) = (&lines[index].currency_code, &lines[0].currency_code);
        let clash = currency_clash::in_order(before, &self.place(there), currency, &self.place(here));
        self.say(clash.found(currency.clone()), Id::CurrencyCode, here);
    }

    fn check_total(&mut self, order: &Order) {
        if order.total() < Decimal::ZERO {
            let found = bad_number::discount_above_total(order.discount).found(order.discount.to_string());
            self.say(found, Id::Discount, self.spot_of(Id::Discount));
        }
    }
}
