//! Made-up order sheets: rows of cells as people type them, and what each order must come to, written down apart.

use std::collections::BTreeMap;

use fastrand::Rng;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use shipsheet::text::Decimal;

/// The columns, each with the pointer of its value in the request; `*` stands for the line's number.
pub(crate) const COLUMNS: &[(&str, &str)] = &[
    ("Order Number", "/orderNumber"),
    ("Created At", "/orderCreatedAt"),
    ("channel_id", "/channelId"),
    ("Type of shipment", "/type"),
    ("Seller Note", "/sellerNote"),
    ("Tags", "/tags"),
    ("Courier", "/carrier"),
    ("Service Level", "/service"),
    ("warehouseId", "/warehouseId"),
    ("returnAddressId", "/returnAddressId"),
    ("Receiver First Name", "/receiver/firstName"),
    ("receiver.lastName", "/receiver/lastName"),
    ("E-mail", "/receiver/email"),
    ("MOBILE NUMBER", "/receiver/phoneNumber"),
    ("Company", "/receiver/companyName"),
    ("Address 1", "/destination/addressLine1"),
    ("Address 2", "/destination/addressLine2"),
    ("City", "/destination/city"),
    ("Province", "/destination/state"),
    ("Country", "/destination/country"),
    ("Country Code", "/destination/countryCode"),
    ("Pincode", "/destination/pinCode"),
    ("Address Type", "/destination/type"),
    ("Length", "/parcelAttributes/dimension/length"),
    ("Breadth", "/parcelAttributes/dimension/width"),
    ("Height", "/parcelAttributes/dimension/height"),
    ("Dimension Unit", "/parcelAttributes/dimension/unit"),
    ("Weight", "/parcelAttributes/weight/weight"),
    ("Weight Unit", "/parcelAttributes/weight/unit"),
    ("Payment Mode", "/shippingProperties/orderType"),
    ("Sub Total", "/shippingProperties/subTotal"),
    ("Shipping Charges", "/shippingProperties/shippingCharges"),
    ("Other Charges", "/shippingProperties/otherCharges"),
    ("Order Discount", "/shippingProperties/discount"),
    ("Product Name", "/productRequestsList/*/productName"),
    ("Unit Price", "/productRequestsList/*/price"),
    ("Qty", "/productRequestsList/*/quantity"),
    ("SKU", "/productRequestsList/*/sku"),
    ("Category", "/productRequestsList/*/category"),
    ("Currency", "/productRequestsList/*/currencyCode"),
    ("GST %", "/productRequestsList/*/taxRate"),
    ("Product Discount", "/productRequestsList/*/discount"),
    ("Tax Inclusive", "/productRequestsList/*/taxesIncluded"),
    ("Description", "/productRequestsList/*/description"),
    ("HSN Code", "/productRequestsList/*/hs_code"),
];

/// The first column of a line.
const LINE_COLUMNS_FROM: usize = 34;

/// One value of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Leaf {
    Text(String),
    Number(Decimal),
    Flag(bool),
    Null,
}

/// A cell as it is typed.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Cell {
    #[default]
    Blank,
    Text(String),
    /// Written as a number where the sheet knows numbers; the text is what a CSV has.
    Number(String),
    /// A point in time that a workbook holds as a date; the text is what a CSV has.
    Date(String, jiff::civil::DateTime),
}

impl Cell {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Blank => "",
            Self::Text(text) | Self::Number(text) | Self::Date(text, _) => text,
        }
    }
}

/// What an order's request must hold, by JSON pointer.
pub(crate) type Request = BTreeMap<String, Leaf>;

/// A sheet and what must come of it.
#[derive(Debug, Default)]
pub(crate) struct MadeUp {
    pub(crate) rows: Vec<Vec<Cell>>,
    /// By order number.
    pub(crate) requests: BTreeMap<String, Request>,
}

/// A typed cell and the value that it must become.
type Value = (Cell, Leaf);

const NAMES: &[&str] =
    &["Asha", "आशा", "O'Brien", "José", "李雷", "Ångström", "Zoë \"Z\"", "محمد", "Nguyễn", "A. P. J."];
const STREETS: &[&str] = &[
    "14, MG Road",
    "Flat 3; 2nd floor",
    "#12/4 \"Shanti\"\nOpp. post office",
    "१२, गांधी मार्ग",
    "C-401, Tower—B",
    "0099",
];
const CITIES: &[(&str, &str, &str)] = &[
    ("Bengaluru", "Karnataka", "560001"),
    ("São Tomé Nagar", "Goa", "403 001"),
    ("दिल्ली", "Delhi", "110001"),
    ("Chennai", "Tamil Nadu", "600001"),
];
const PRODUCTS: &[&str] = &["Cotton kurta", "Mug, 350 ml", "Tea \"Assam\"", "साड़ी", "USB-C cable; 2 m", "1984", "=Sum"];
const NOTES: &[&str] =
    &["Leave at the gate", "Ring twice,\nthen call", "नमस्ते", "+1 floor", "- fragile -", "it's 5% off"];

/// So many orders with so many rows in all, from a seed.
pub(crate) fn make_up(seed: u64, orders: usize, rows: usize) -> MadeUp {
    let mut rng = Rng::with_seed(seed);
    let mut lines = vec![1; orders];
    for _ in orders..rows {
        lines[rng.usize(..orders)] += 1;
    }
    let mut made = MadeUp::default();
    let mut placed: Vec<(usize, Vec<Cell>)> = Vec::new();
    for (position, lines) in lines.into_iter().enumerate() {
        // One order has one currency; only rupees are written with their sign here.
        let rupees = rng.u8(..4) > 0;
        let mut order = order_values(&mut rng, position, rupees);
        let rows_of_order: Vec<Vec<Value>> = (0..lines).map(|_| line_values(&mut rng, rupees)).collect();
        settle_sums(&mut rng, &mut order, &rows_of_order, rupees);
        let number = order[0].0.text().to_owned();
        made.requests.insert(number, request(&order, &rows_of_order));
        // Rows of neighbouring orders mix; those of one order keep their sequence.
        let mut positions: Vec<usize> = (0..lines).map(|_| position * 4 + rng.usize(..40)).collect();
        positions.sort_unstable();
        let cells = rows_as_typed(&mut rng, &order, rows_of_order);
        placed.extend(positions.into_iter().zip(cells));
    }
    placed.sort_by_key(|(place, _)| *place);
    made.rows = placed.into_iter().map(|(_, row)| row).collect();
    made
}

/// Order-level cells stand on any of the order's rows, at least once and as often as one likes.
fn rows_as_typed(rng: &mut Rng, order: &[Value], lines: Vec<Vec<Value>>) -> Vec<Vec<Cell>> {
    let count = lines.len();
    let surely: Vec<usize> = order.iter().map(|_| rng.usize(..count)).collect();
    let row = |(position, line): (usize, Vec<Value>)| {
        let own = order.iter().enumerate().map(|(column, (cell, _))| {
            let filled = column == 0 || surely[column] == position || rng.u8(..3) == 0;
            if filled { cell.clone() } else { Cell::Blank }
        });
        let mut cells: Vec<Cell> = own.collect();
        cells.extend(line.into_iter().map(|(cell, _)| cell));
        cells
    };
    lines.into_iter().enumerate().map(row).collect()
}

fn request(order: &[Value], lines: &[Vec<Value>]) -> Request {
    let mut request = Request::new();
    for ((_, pointer), (_, leaf)) in COLUMNS.iter().zip(order) {
        request.insert((*pointer).to_owned(), leaf.clone());
    }
    for (number, line) in lines.iter().enumerate() {
        for ((_, pointer), (_, leaf)) in COLUMNS[LINE_COLUMNS_FROM..].iter().zip(line) {
            request.insert(pointer.replace('*', &number.to_string()), leaf.clone());
        }
    }
    request
}

fn order_values(rng: &mut Rng, position: usize, rupees: bool) -> Vec<Value> {
    let (city, state, pin) = pick(rng, CITIES);
    let phone = format!("{}{:09}", rng.u8(6..10), rng.u64(..1_000_000_000));
    let values = vec![
        order_number(rng, position),
        instant(rng),
        maybe("External", text("Amazon.in"), rng),
        maybe("External", text("Zippyy"), rng),
        maybe("", text(pick(rng, NOTES)), rng),
        maybe("", text("festive, diwali"), rng),
        maybe("", text("bluedart"), rng),
        maybe("", text("Surface 1.0kg"), rng),
        text(&format!("WH-{}", rng.u8(1..9))),
        maybe("", text("WH-RTO"), rng),
        text(pick(rng, NAMES)),
        maybe("", text(pick(rng, NAMES)), rng),
        maybe("", text(&format!("user{position}+tag@example.co.in")), rng),
        (telephone(rng, &phone), Leaf::Text(phone)),
        maybe("", text("Rao & Sons (P) Ltd."), rng),
        street(pick(rng, STREETS)),
        maybe("", street(pick(rng, STREETS)), rng),
        text(city),
        text(state),
        maybe("India", text("Bharat"), rng),
        (Cell::Text(pick(rng, &["IN", "in", "IND", "India"]).to_string()), Leaf::Text("IN".to_owned())),
        (number_or_text(pin), Leaf::Text(pin.replace(' ', ""))),
        maybe("Residential", text("Work"), rng),
        measure(rng),
        measure(rng),
        measure(rng),
        maybe("cm", (Cell::Text("Inches".to_owned()), Leaf::Text("in".to_owned())), rng),
        weight(rng),
        maybe("kg", (Cell::Text("gms".to_owned()), Leaf::Text("g".to_owned())), rng),
        payment(rng),
        (Cell::Blank, Leaf::Null),
        charge(rng, rupees),
        charge(rng, rupees),
        (Cell::Blank, Leaf::Number(Decimal::ZERO)),
    ];
    assert_eq!(values.len(), LINE_COLUMNS_FROM);
    values
}

fn line_values(rng: &mut Rng, rupees: bool) -> Vec<Value> {
    let price = amount(rng, 1, 99_999);
    let quantity = rng.u32(1..20).to_string();
    let rate = pick(rng, &["0", "5", "12.5", "18", "18.00", "18%"]);
    let bare_rate = rate.trim_end_matches('%').trim_end_matches(".00").to_owned();
    // Of what is collected, a tax on top would be asked about.
    let included = bare_rate != "0" || rng.bool();
    let words = if included { ["yes", "TRUE", "Inclusive"] } else { ["no", "0", "False"] };
    let discount = amount(rng, 2, 50);
    let none = |value: Value, rng: &mut Rng| if rng.bool() { value } else { (Cell::Blank, Leaf::Null) };
    vec![
        text(pick(rng, PRODUCTS)),
        (Cell::Number(price.to_string()), Leaf::Number(price)),
        (Cell::Number(quantity.clone()), Leaf::Number(quantity.parse().unwrap())),
        maybe("", text(pick(rng, &["KURTA-M-01", "000123", "1E5", "ß/ä"])), rng),
        none(text("Apparel, home"), rng),
        if rupees {
            maybe("INR", text("INR"), rng)
        } else {
            (Cell::Text("usd".to_owned()), Leaf::Text("USD".to_owned()))
        },
        maybe("0", (number_or_text(rate), Leaf::Text(bare_rate)), rng),
        maybe("0.00", (Cell::Number(discount.to_string()), Leaf::Text(with_decimals(discount))), rng),
        (Cell::Text(pick(rng, &words).to_string()), Leaf::Flag(included)),
        none(text("Blue, size \"M\""), rng),
        none((Cell::Number("6204".to_owned()), Leaf::Text("6204".to_owned())), rng),
    ]
}

/// Some sheets give the subtotal; where it is missing it is price × quantity over all lines.
fn settle_sums(rng: &mut Rng, order: &mut [Value], lines: &[Vec<Value>], rupees: bool) {
    let number = |value: &Value| if let Leaf::Number(number) = value.1 { number } else { Decimal::ZERO };
    let sum: Decimal = lines.iter().map(|line| number(&line[1]) * number(&line[2])).sum();
    let cell = if rng.bool() { Cell::Number(sum.to_string()) } else { Cell::Blank };
    order[30] = (cell, Leaf::Number(sum));
    // The products' own discounts are taken off, unless the order says its own, and be it zero.
    let by_lines: Decimal = lines.iter().map(|line| text_number(&line[7])).sum();
    order[33].1 = Leaf::Number(by_lines);
    if rng.bool() {
        let discount = amount(rng, 0, 1);
        order[33] = (signed("₹ ", discount, rupees), Leaf::Number(discount));
    }
}

fn text(text: &str) -> Value {
    (Cell::Text(text.to_owned()), Leaf::Text(text.to_owned()))
}

/// An address is sent on one line.
fn street(lines: &str) -> Value {
    (Cell::Text(lines.to_owned()), Leaf::Text(lines.replace('\n', ", ")))
}

/// The value, or a blank cell for which another text stands in.
fn maybe(stand_in: &str, value: Value, rng: &mut Rng) -> Value {
    if rng.bool() { value } else { (Cell::Blank, Leaf::Text(stand_in.to_owned())) }
}

fn pick<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.usize(..choices.len())]
}

fn order_number(rng: &mut Rng, position: usize) -> Value {
    let number = match rng.u8(..5) {
        0 => format!("#{position}"),
        1 => format!("2026/10/{position:04}"),
        2 => format!("ऑर्डर-{position}"),
        3 => format!("{}", 5_000_000 + position),
        _ => format!("ORD {position:05}"),
    };
    (number_or_text(&number), Leaf::Text(number))
}

/// A number cell where a workbook's own number would show the very same text.
fn number_or_text(text: &str) -> Cell {
    let same = text.parse::<f64>().is_ok_and(|number| number.to_string() == text);
    if same { Cell::Number(text.to_owned()) } else { Cell::Text(text.to_owned()) }
}

fn instant(rng: &mut Rng) -> Value {
    let second = 1_735_689_600 + rng.i64(0..50_000_000) / 60 * 60;
    let at = Timestamp::from_second(second).unwrap();
    let india = at.to_zoned_datetime(TimeZone::get("Asia/Kolkata").unwrap());
    let cell = match rng.u8(..5) {
        0 => Cell::Text(second.to_string()),
        1 => Cell::Text(format!("{second}000")),
        2 => Cell::Text(at.to_string()),
        3 => Cell::Text(india.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()),
        _ => Cell::Date(india.strftime("%Y-%m-%d %H:%M:%S").to_string(), india.datetime()),
    };
    (cell, Leaf::Text(format!("{second}000")))
}

fn telephone(rng: &mut Rng, phone: &str) -> Cell {
    match rng.u8(..4) {
        0 => Cell::Text(format!("+91 {} {}", &phone[..5], &phone[5..])),
        1 => Cell::Text(format!("0{phone}")),
        _ => Cell::Number(phone.to_owned()),
    }
}

fn payment(rng: &mut Rng) -> Value {
    let (typed, sent) =
        [("Prepaid", "PREPAID"), ("PREPAID", "PREPAID"), ("cod", "COD"), ("Cash on Delivery", "COD")][rng.usize(..4)];
    (Cell::Text(typed.to_owned()), Leaf::Text(sent.to_owned()))
}

fn measure(rng: &mut Rng) -> Value {
    let number = Decimal::new(rng.i64(1..50_000), 3);
    (Cell::Number(number.to_string()), Leaf::Number(number))
}

/// No parcel is lighter than 2 g or heavier than 30 kg, whatever the unit.
fn weight(rng: &mut Rng) -> Value {
    let number = Decimal::new(rng.i64(2_000..30_000), 3);
    (Cell::Number(number.to_string()), Leaf::Number(number))
}

fn text_number(value: &Value) -> Decimal {
    if let Leaf::Text(text) = &value.1 { text.parse().unwrap() } else { Decimal::ZERO }
}

fn charge(rng: &mut Rng, rupees: bool) -> Value {
    let charge = amount(rng, 0, 2_000);
    match rng.u8(..3) {
        0 => (Cell::Blank, Leaf::Number(Decimal::ZERO)),
        1 => (signed("Rs. ", charge, rupees), Leaf::Number(charge)),
        _ => (Cell::Number(charge.to_string()), Leaf::Number(charge)),
    }
}

/// An amount with its sign, where the sign is right.
fn signed(sign: &str, amount: Decimal, rupees: bool) -> Cell {
    if rupees { Cell::Text(format!("{sign}{amount}")) } else { Cell::Number(amount.to_string()) }
}

fn amount(rng: &mut Rng, least: i64, most: i64) -> Decimal {
    let whole = rng.i64(least..=most);
    Decimal::new(whole * 100 + rng.i64(0..100), 2)
}

fn with_decimals(amount: Decimal) -> String {
    let mut amount = amount;
    amount.rescale(2);
    amount.to_string()
}
