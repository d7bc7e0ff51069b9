//! From a draft to an order, or to the problems that keep it back.

use rust_decimal::Decimal;

use crate::check::{Condition, Input, Rules, Value, country_name, value};
use crate::field::{Id, Need, Version};
use crate::problem::{Code, Problem, Severity};

use super::draft::{Draft, LineDraft, RowRef, Slot};
use super::layout::Layouts;
use super::types::{Address, Contact, Line, Order, Parcel, Placement};

/// More lines than this in one order are a mistake in the order numbers.
const LINES_MAX: usize = 1_000;

/// Payment types that were seen to work.
const PAYMENT_TYPES: &[&str] = &["PREPAID", "COD"];

/// Judges a draft: the order where nothing is wrong with it, and everything that there is to say.
#[must_use]
pub fn build(draft: &Draft, layouts: &Layouts, rules: &Rules) -> (Option<Order>, Vec<Problem>) {
    let first = draft.rows.first().copied().unwrap_or(RowRef { sheet: 0, row: 0 });
    let mut reader = Reader { draft, layouts, rules, first, problems: draft.problems.clone() };
    let order = reader.order();
    let failed = reader.problems.iter().any(|problem| problem.severity == Severity::Error);
    (if failed { None } else { Some(order) }, reader.problems)
}

/// The fields of a contact.
struct ContactIds {
    first: Id,
    last: Id,
    email: Id,
    phone: Id,
    company: Id,
}

const RECEIVER: ContactIds = ContactIds {
    first: Id::ReceiverFirstName,
    last: Id::ReceiverLastName,
    email: Id::ReceiverEmail,
    phone: Id::ReceiverPhone,
    company: Id::ReceiverCompany,
};

const SENDER: ContactIds = ContactIds {
    first: Id::SenderFirstName,
    last: Id::SenderLastName,
    email: Id::SenderEmail,
    phone: Id::SenderPhone,
    company: Id::SenderCompany,
};

/// The fields of an address: lines 1 and 2, city, state, country, code, PIN code, type.
type AddressIds = [Id; 8];

const DESTINATION: AddressIds = [
    Id::DestinationLine1,
    Id::DestinationLine2,
    Id::DestinationCity,
    Id::DestinationState,
    Id::DestinationCountry,
    Id::DestinationCountryCode,
    Id::DestinationPinCode,
    Id::DestinationType,
];

const ORIGIN: AddressIds = [
    Id::OriginLine1,
    Id::OriginLine2,
    Id::OriginCity,
    Id::OriginState,
    Id::OriginCountry,
    Id::OriginCountryCode,
    Id::OriginPinCode,
    Id::OriginType,
];

const RETURN_ADDRESS: AddressIds = [
    Id::ReturnLine1,
    Id::ReturnLine2,
    Id::ReturnCity,
    Id::ReturnState,
    Id::ReturnCountry,
    Id::ReturnCountryCode,
    Id::ReturnPinCode,
    Id::ReturnType,
];

/// Reads a draft's values one by one and gathers what is wrong with them.
struct Reader<'a> {
    draft: &'a Draft,
    layouts: &'a Layouts,
    rules: &'a Rules,
    first: RowRef,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn order(&mut self) -> Order {
        self.check_number();
        let destination = self.address(DESTINATION);
        let receiver = self.contact(&RECEIVER, &destination.country_code);
        let placement = self.placement();
        let parcel = self.parcel();
        let lines = self.lines();
        let computed: Decimal = lines.iter().map(|line| line.price * line.quantity).sum();
        let order = Order {
            number: self.draft.number.clone(),
            created_ms: match self.read(Id::OrderCreatedAt, None, None) {
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
            order_type: self.payment(),
            sub_total: self.sub_total(computed),
            shipping_charges: self.number(Id::ShippingCharges, None),
            other_charges: self.number(Id::OtherCharges, None),
            discount: self.number(Id::Discount, None),
        };
        self.check_total(&order);
        order
    }

    /// The order number's own form; its cell was found when the rows were grouped.
    fn check_number(&mut self) {
        let input = Input { field: Id::OrderNumber.field(), text: &self.draft.number, country: None };
        if let Err(fault) = value(input, self.rules) {
            let problem = Problem::error(fault.code, fault.message).hint(fault.hint).found(self.draft.number.clone());
            self.say(problem, Id::OrderNumber, self.first);
        }
    }

    fn contact(&mut self, ids: &ContactIds, country: &str) -> Contact {
        let country = if country.is_empty() { None } else { Some(country) };
        Contact {
            first_name: self.text(ids.first),
            last_name: self.text(ids.last),
            email: self.text(ids.email),
            phone: into_text(self.read(ids.phone, None, country)),
            company: self.text(ids.company),
        }
    }

    fn address(&mut self, ids: AddressIds) -> Address {
        let [line1, line2, city, state, country, code, pin, kind] = ids;
        let country_code = self.text(code);
        let named = self.text(country);
        let known = if country_code.is_empty() { None } else { Some(country_code.as_str()) };
        Address {
            line1: self.text(line1),
            line2: self.text(line2),
            city: self.text(city),
            state: self.text(state),
            country: if named.is_empty() { known.and_then(country_name).unwrap_or_default().to_owned() } else { named },
            pin_code: into_text(self.read(pin, None, known)),
            kind: self.text(kind),
            country_code,
        }
    }

    fn placement(&mut self) -> Placement {
        match self.rules.version {
            Version::V2 => Placement::Warehouse {
                warehouse_id: self.text(Id::WarehouseId),
                return_address_id: self.text(Id::ReturnAddressId),
            },
            Version::V1 => {
                let origin = self.address(ORIGIN);
                Placement::Written {
                    sender: self.contact(&SENDER, &origin.country_code),
                    return_address: self.address(RETURN_ADDRESS),
                    origin,
                }
            }
        }
    }

    fn parcel(&mut self) -> Parcel {
        Parcel {
            length: self.number(Id::Length, None),
            width: self.number(Id::Width, None),
            height: self.number(Id::Height, None),
            dimension_unit: self.text(Id::DimensionUnit),
            weight: self.number(Id::Weight, None),
            weight_unit: self.text(Id::WeightUnit),
        }
    }

    fn lines(&mut self) -> Vec<Line> {
        let drafts = &self.draft.lines;
        if drafts.len() > LINES_MAX {
            let message = format!("{} lines in one order; at most {LINES_MAX} are accepted", drafts.len());
            let hint = "check that each order has a number of its own";
            self.say(Problem::error(Code::TooManyLines, message).hint(hint), Id::OrderNumber, self.first);
            return Vec::new();
        }
        drafts.iter().map(|draft| self.line(draft)).collect()
    }

    fn line(&mut self, draft: &'a LineDraft) -> Line {
        let optional = |text: String| if text.is_empty() { None } else { Some(text) };
        Line {
            product_name: self.line_text(Id::ProductName, draft),
            price: self.number(Id::Price, Some(draft)),
            quantity: self.number(Id::Quantity, Some(draft)),
            category: optional(self.line_text(Id::Category, draft)),
            currency_code: self.line_text(Id::CurrencyCode, draft),
            sku: self.line_text(Id::Sku, draft),
            tax_rate: self.number(Id::TaxRate, Some(draft)),
            discount: self.number(Id::LineDiscount, Some(draft)),
            taxes_included: matches!(self.read(Id::TaxesIncluded, Some(draft), None), Some(Value::Flag(true))),
            description: optional(self.line_text(Id::Description, draft)),
            hs_code: optional(self.line_text(Id::HsCode, draft)),
        }
    }

    fn payment(&mut self) -> String {
        let text = self.text(Id::OrderType);
        if !text.is_empty() && !PAYMENT_TYPES.contains(&text.as_str()) {
            let problem = Problem::warning(
                Code::UnusualValue,
                "a payment type that was never seen to work; it is sent as it stands (known are PREPAID and COD)",
            )
            .found(text.clone())
            .hint("write PREPAID or COD if one of them is meant");
            self.say(problem, Id::OrderType, self.first);
        }
        text
    }

    /// A given subtotal goes out as it is; where it disagrees with the lines, both are named.
    fn sub_total(&mut self, computed: Decimal) -> Decimal {
        let Some(Value::Number(given)) = self.read(Id::SubTotal, None, None) else { return computed };
        if given != computed {
            let message = format!("the subtotal says {given}, but price × quantity over the lines is {computed}");
            let problem = Problem::warning(Code::SubtotalDiffers, message)
                .found(given.to_string())
                .hint("the given one is sent; leave the cell empty to have it computed");
            let at = self.draft.cell(Id::SubTotal).map_or(self.first, |slot| slot.at);
            self.say(problem, Id::SubTotal, at);
        }
        given
    }

    fn check_total(&mut self, order: &Order) {
        if order.total() < Decimal::ZERO {
            let message = format!("the discount {} is more than the order comes to", order.discount);
            let problem = Problem::error(Code::BadNumber, message).hint("correct the discount or the prices");
            let at = self.draft.cell(Id::Discount).map_or(self.first, |slot| slot.at);
            self.say(problem.found(order.discount.to_string()), Id::Discount, at);
        }
    }

    fn text(&mut self, id: Id) -> String {
        into_text(self.read(id, None, None))
    }

    fn line_text(&mut self, id: Id, line: &'a LineDraft) -> String {
        into_text(self.read(id, Some(line), None))
    }

    fn number(&mut self, id: Id, line: Option<&'a LineDraft>) -> Decimal {
        match self.read(id, line, None) {
            Some(Value::Number(number)) => number,
            _ => Decimal::ZERO,
        }
    }

    /// A field's value: from its cell, else from the sheet's constant, else from the configuration's default.
    fn read(&mut self, id: Id, line: Option<&'a LineDraft>, country: Option<&str>) -> Option<Value> {
        let slot = match line {
            Some(line) => line.cells.iter().find(|slot| slot.id == id).copied(),
            None => self.draft.cell(id),
        };
        let at = line.map_or(self.first, |line| line.at);
        let (text, at) = if let Some(slot) = slot {
            (self.sound(slot)?, slot.at)
        } else {
            let Some(text) = self.stand_in(id, at) else {
                self.say_missing(id, at);
                return None;
            };
            (text, at)
        };
        match value(Input { field: id.field(), text, country }, self.rules) {
            Ok(value) => Some(value),
            Err(fault) => {
                let from_cell = slot.is_some();
                let hint =
                    if from_cell { fault.hint } else { format!("{}; the value is a configured default", fault.hint) };
                self.say(Problem::error(fault.code, fault.message).hint(hint).found(text), id, at);
                None
            }
        }
    }

    /// A slot's text, or the problem that makes it worthless.
    fn sound(&mut self, slot: Slot) -> Option<&'a str> {
        let draft = self.draft;
        let text = draft.text(&slot);
        if slot.condition == Condition::Sound {
            return Some(text);
        }
        if let Some(fault) = slot.condition.fault() {
            self.say(Problem::error(fault.code, fault.message).hint(fault.hint).found(text), slot.id, slot.at);
        }
        None
    }

    fn stand_in(&self, id: Id, at: RowRef) -> Option<&'a str> {
        let text = self.layouts.of(at.sheet).default(id).or_else(|| self.rules.default(id));
        text.filter(|text| !text.is_empty())
    }

    fn say_missing(&mut self, id: Id, at: RowRef) {
        if self.rules.need(id) != Need::Required {
            return;
        }
        let field = id.field();
        let problem = if self.layouts.of(at.sheet).column(id).is_some() {
            Problem::error(
                Code::MissingValue,
                format!("the {} is missing; accepted is {}", field.header, field.kind.accepted()),
            )
            .hint("fill in the cell")
        } else {
            Problem::error(
                Code::MissingColumn,
                format!("no column holds the {}, and no default is configured", field.header),
            )
            .hint(format!(
                "add a column \"{}\", or set it for all orders in the configuration: [defaults] \"{}\" = \"{}\"",
                field.header, field.path, field.example
            ))
        };
        self.say(problem, id, at);
    }

    fn say(&mut self, problem: Problem, id: Id, at: RowRef) {
        let place = self.layouts.place(at, Some(id));
        self.problems.push(problem.at(place).on_field(id.field().path).of_order(self.draft.number.clone()));
    }
}

fn into_text(value: Option<Value>) -> String {
    match value {
        Some(Value::Text(text)) => text,
        _ => String::new(),
    }
}
