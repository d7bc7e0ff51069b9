//! Generated orders: every value that the contract allows can be sent as it is written, by accepting what rules hold.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;
use shipsheet::field::{FIELDS, Field, Kind, Need};
use shipsheet::rule::{RULES, RuleKind};

use crate::rig::{Came, GOOD, HEADER, Rig, row, sheet as sheet_of};

/// Texts that may stand in any field of free text.
const TEXTS: &str = "Cancelled|On hold|Return|Near Stop Sign|Hold-all Bag|O'Brien & Sons|José|\u{905}\u{936}\u{93e}|N/A Traders|\
    12|#7|a;b|C/O Rao|50% off|Paid Parking|Discount|Total|Shipping|urgent!!|=1+1|-5|@home|*|Do not ship";

/// Values that the contract allows, by API paths. What the program spells in its own way is left out: `KA` for a state, `IND`
/// for a country, `gift card` for PREPAID, `none` for a blank cell.
const VALUES: [(&str, &str); 27] = [
    ("orderCreatedAt", "2026-11-20T10:30|2002-05-06|2031-01-01|1763600000000"),
    ("type", "External|Zippyy|Forward|Reverse|Return|Exchange|B2B|RVP|Gift|Replacement"),
    ("carrier", "Delhivery|bluedart|Blue Dart|India Post|Own rider"),
    ("service", "Surface|Express|Surface 1.0kg|Next Day|Same Day"),
    ("warehouseId", "WH-2|Main store|42"),
    ("returnAddressId", "WH-2|Main store|42"),
    ("receiver.email", "a+tag@example.com|asha@localhost|ASHA@EXAMPLE.COM|asha@example|a b@example.com|a@b@c.in"),
    (
        "receiver.phoneNumber",
        "+12125550123|+442079460958|+971501234567|+9779841234567|+4915112345678|1234567890|12345|1800123456|\
         9999999999|0000000000|98765432101",
    ),
    ("destination.countryCode", "NP|US|GB|AE|DE|XK|ZZ|in"),
    ("destination.country", "India|Bharat|Nepal|Deutschland|Atlantis"),
    ("destination.state", "Bagmati|California|Bayern|Utopia"),
    ("destination.pinCode", "56001|SW1A 1AA|10001|00000|ABC|5600011|44600|560 001"),
    ("destination.type", "Residential|Work|Office|Other|Commercial"),
    ("parcelAttributes.dimension.length", "0.1|500|30.55|0|1000|12.345|-1"),
    ("parcelAttributes.dimension.height", "0.1|500|30.55|0|1000|12.345"),
    ("parcelAttributes.dimension.unit", "cm|in|mm|m|ft|dm|span"),
    ("parcelAttributes.weight.weight", "0.001|120|2500|0.01|1.234|0|-1"),
    ("parcelAttributes.weight.unit", "kg|g|lb|oz|tola"),
    ("productRequestsList.price", "0|0.01|1.234|99999999|-5|1250.500|0.0001|499.999"),
    ("productRequestsList.quantity", "1|1.5|0.25|0|1000|100000|-1|2.125"),
    ("productRequestsList.currencyCode", "USD|AED|EUR|NPR|XYZ|usd|BTC"),
    ("productRequestsList.sku", "3-Apr|1E5|00123|MAR05|1.23E7|05-03-2026"),
    ("productRequestsList.taxRate", "0|5|12|18|28|3|0.25|18.5|0.18|150|-5|7.125"),
    ("productRequestsList.discount", "0|10|10.55|5000|1.234"),
    ("productRequestsList.hs_code", "6204|62|620|6204.10|1234567|61091000|1|kurta|620410900"),
    ("shippingProperties.orderType", "COD|VOUCHER|PARTIAL|CREDIT|Pay Later|Net 30"),
    ("shippingProperties.subTotal", "1000|0|999.80|1|-10|12.345"),
];

/// Amounts of the order.
const AMOUNTS: &str = "0|40|-10|12.345|5000|0.01|99999999";

/// One order: its number, and the cells in which it differs from the good one.
struct Order {
    number: String,
    cells: Vec<(&'static str, String)>,
}

fn generated() -> Vec<Order> {
    let field_of = |path: &str| FIELDS.iter().find(|field| field.path == path).unwrap();
    let mut cells: Vec<(&'static str, String)> = Vec::new();
    let sent = FIELDS.iter().filter(|field| field.need_v2 != Need::Absent);
    for field in sent.filter(|field| matches!(field.kind, Kind::Text | Kind::NullableText)) {
        if !VALUES.iter().any(|(path, _)| *path == field.path) {
            cells.extend(TEXTS.split('|').map(|text| (field.path, text.to_owned())));
            cells.push((field.path, "long ".repeat(60).trim().to_owned()));
        }
    }
    for path in ["receiver.firstName", "destination.addressLine1", "productRequestsList.productName"] {
        cells.extend(["N/A", "-"].map(|word| (field_of(path).path, word.to_owned())));
    }
    for (path, values) in VALUES {
        cells.extend(values.split('|').map(|value| (field_of(path).path, value.to_owned())));
    }
    for path in ["shippingCharges", "otherCharges", "discount"] {
        let path = field_of(&format!("shippingProperties.{path}")).path;
        // What is taken off may be written with its minus.
        let is_meant = |value: &&str| !(path.ends_with("discount") && value.starts_with('-'));
        cells.extend(AMOUNTS.split('|').filter(is_meant).map(|value| (path, value.to_owned())));
    }
    let one = (1..).zip(&cells).map(|(at, cell)| Order { number: format!("G-{at:04}"), cells: vec![cell.clone()] });
    let mut orders: Vec<Order> = one.collect();
    // Three at a time, by a generator of fixed numbers.
    let mut state: u64 = 42;
    for at in 0..120 {
        let mut own: Vec<(&'static str, String)> = Vec::new();
        while own.len() < 3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (path, value) = &cells[usize::try_from(state >> 33).unwrap() % cells.len()];
            if !own.iter().any(|(known, _)| known == path) {
                own.push((path, value.clone()));
            }
        }
        orders.push(Order { number: format!("H-{at:04}"), cells: own });
    }
    for number in ["A/1", "A 2", "#1003", "1004", "1E5", "3-Apr", "00012", "x".repeat(60).as_str(), "Total", "INV:7"] {
        orders.push(Order { number: number.to_owned(), cells: Vec::new() });
    }
    orders
}

/// The sheet, in the headers of the starter sheet; each order goes to another person.
fn sheet(orders: &[Order]) -> String {
    let used = |field: &&Field| {
        let path = field.path;
        GOOD.iter().any(|(known, _)| *known == path)
            || orders.iter().any(|order| order.cells.iter().any(|(known, _)| *known == path))
    };
    let fields: Vec<&Field> = FIELDS.iter().filter(used).collect();
    let headers: Vec<&str> = fields.iter().map(|field| field.header).collect();
    let mut text = format!("Order Number,{}\n", headers.join(","));
    for (at, order) in orders.iter().enumerate() {
        write!(text, "\"{}\"", order.number).unwrap();
        for field in &fields {
            let own = order.cells.iter().find(|(path, _)| *path == field.path).map(|(_, value)| value.clone());
            let good = || GOOD.iter().find(|(path, _)| *path == field.path).map(|(_, value)| (*value).to_owned());
            let value = own.or_else(good).unwrap_or_default();
            let value = if field.path == "receiver.lastName" && value.is_empty() { format!("Rao {at}") } else { value };
            write!(text, ",\"{value}\"").unwrap();
        }
        text.push('\n');
    }
    text
}

/// Whether a request has the value of a cell as it was written.
fn is_sent(request: &Value, path: &str, written: &str) -> bool {
    let pointer = path.replace("productRequestsList.", "productRequestsList.0.").replace('.', "/");
    let sent = request.pointer(&format!("/{pointer}")).unwrap_or(&Value::Null);
    let text = sent.as_str().map_or_else(|| sent.to_string(), str::to_owned);
    let field = FIELDS.iter().find(|field| field.path == path).unwrap();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    match field.kind {
        Kind::Instant => text.len() == 13,
        // Spelling of phones is ours: 98765 43210 for +91 98765-43210.
        Kind::Phone => digits(&text) == digits(written),
        Kind::PinCode => text.replace(' ', "") == written.replace(' ', ""),
        Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Quantity | Kind::Rate => {
            text.parse::<f64>().ok() == written.parse::<f64>().ok()
        }
        Kind::CountryCode | Kind::Currency | Kind::Payment => text.eq_ignore_ascii_case(written),
        _ => text == written,
    }
}

/// The rules that hold something, as far as they can be accepted; and what holds and cannot be.
fn holding(came: &Came) -> (BTreeSet<String>, Vec<String>) {
    let (mut rules, mut stuck) = (BTreeSet::new(), Vec::new());
    for problem in came.document["problems"].as_array().unwrap().iter().filter(|own| own["level"] == "hold") {
        let rule = problem["rule"].as_str().unwrap();
        let remedies = problem["remedies"].as_array().unwrap();
        let is_acceptable = remedies.iter().any(|remedy| remedy["do"] == "accept");
        let known = RULES.iter().find(|known| known.id.as_str() == rule).unwrap();
        if is_acceptable && matches!(known.kind, RuleKind::Rule(_)) {
            rules.insert(rule.to_owned());
        } else {
            let said = [&problem["order"], &problem["place"], &problem["found"], &problem["message"]];
            stuck.push(format!("{rule}: {}", said.map(ToString::to_string).join(" ")));
        }
    }
    (rules, stuck)
}

#[test]
fn every_value_that_the_contract_allows_is_sent_as_it_is_written() {
    let orders = generated();
    assert!(orders.len() >= 421, "{}", orders.len());
    let rig = Rig::new();
    // What the service takes beside the two types of payment that everybody has, only its shop knows.
    let types = ["VOUCHER", "PARTIAL", "CREDIT", "Pay Later", "Net 30"];
    rig.file("shipsheet.toml", &format!("[check]\ndecimals = \"point\"\npayment_types = {types:?}\n"));
    rig.file("orders.csv", &sheet(&orders));
    let mut accepted: BTreeSet<String> = BTreeSet::new();
    let mut came = rig.import(&["orders.csv"]);
    let mut before = Vec::new();
    // What comes up behind an accepted case of a rule is told by the next import.
    loop {
        let (rules, _) = holding(&came);
        let held: Vec<String> = came.document["problems"].as_array().unwrap().iter().map(ToString::to_string).collect();
        if rules.is_empty() || held == before {
            break;
        }
        before = held;
        accepted.extend(rules);
        let accept: Vec<&str> = accepted.iter().flat_map(|rule| ["--accept", rule.as_str()]).collect();
        came = rig.import(&[&["orders.csv"][..], &accept].concat());
    }
    let (_, mut wrong) = holding(&came);
    for Order { number, cells } in &orders {
        let Some((_, request)) = came.requests.iter().find(|(of, _)| of == number) else {
            wrong.push(format!("{number} is not booked: {cells:?}"));
            continue;
        };
        for (path, value) in cells.iter().filter(|(path, value)| !is_sent(request, path, value)) {
            let pointer = path.replace("productRequestsList.", "productRequestsList.0.").replace('.', "/");
            let sent = request.pointer(&format!("/{pointer}"));
            wrong.push(format!("{number}: {path} is {value:?} and was sent as {sent:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} orders:\n{}", wrong.len(), orders.len(), wrong.join("\n"));
}

/// Orders of several lines: what is doubted of their lines as well.
#[test]
fn lines_that_the_contract_allows_are_sent_as_they_are_written() {
    let mut text = format!("{HEADER},Currency\n");
    let mut add = |number: &str, product: &str, price: &str, currency: &str| {
        let line = row(number).replace("Kurta,K-1,499.90,2", &format!("{product},,{price},1"));
        writeln!(text, "{line},{currency}").unwrap();
    };
    add("L-1", "Kurta", "499.90", "INR");
    add("L-1", "Saree", "12.50", "USD");
    add("L-2", "Kurta", "499.90", "INR");
    add("L-2", "Shipping", "40", "INR");
    add("L-2", "Total", "539.90", "INR");
    for piece in 0..1_001 {
        add("L-3", &format!("Bead {piece}"), "1", "INR");
    }
    let rig = Rig::new();
    rig.file("orders.csv", &text);
    let held = rig.import(&["orders.csv"]);
    let (rules, stuck) = holding(&held);
    let expected = ["amount-as-product", "currency-unclear", "too-many-lines"];
    assert_eq!((rules.iter().map(String::as_str).collect::<Vec<_>>(), stuck), (expected.to_vec(), Vec::new()));
    let accept: Vec<&str> = expected.iter().flat_map(|rule| ["--accept", *rule]).collect();
    let came = rig.import(&[&["orders.csv"][..], &accept].concat());
    assert_eq!(came.booked(), ["L-1", "L-2", "L-3"], "{came:?}");
    let lines = |number: &str| came.request_of(number)["productRequestsList"].as_array().unwrap().clone();
    let of = |number: &str, name: &str| -> Vec<Value> { lines(number).iter().map(|line| line[name].clone()).collect() };
    assert_eq!(of("L-1", "currencyCode"), ["INR", "USD"]);
    assert_eq!(of("L-2", "productName"), ["Kurta", "Shipping", "Total"]);
    assert_eq!(lines("L-3").len(), 1_001);
}

#[test]
fn a_country_that_is_known_by_no_code_is_sent_by_its_name() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of([row("A-1").replace(",IN,", ",Atlantis,")]).replace("Country Code", "Country"));
    rig.import(&["orders.csv"]).held_first("bad-country");
    let rules: Vec<String> = holding(&rig.check(&["orders.csv"])).0.into_iter().collect();
    let accept: Vec<&str> = rules.iter().flat_map(|rule| ["--accept", rule.as_str()]).collect();
    let came = rig.import(&[&["orders.csv"][..], &accept].concat());
    let destination = &came.request_of("A-1")["destination"];
    assert_eq!((&destination["country"], &destination["countryCode"]), (&"Atlantis".into(), &"".into()), "{came:?}");
}

/// What no generated cell shows: a sheet, what accepting its rule sends, and where.
#[test]
fn what_a_rule_says_is_sent_is_sent_once_it_is_accepted() {
    let two_of = |products: &str, cells: &str| {
        sheet_of([row("A-1").replace("Kurta,K-1,499.90,2", cells)]).replace("Product Name,SKU,Price,Quantity", products)
    };
    let cases = [
        ("currency-unclear", sheet_of([row("A-1").replace("499.90", "$49")]), "/productRequestsList/0/price", "49.0"),
        (
            "currency-unclear",
            sheet_of([row("A-1").replace("499.90", "\"€ 1,249\"")]),
            "/productRequestsList/0/price",
            "1249.0",
        ),
        (
            "tax-unclear",
            two_of("Product Name,Price,Quantity,Tax Rate", "Kurta,499,1,18% extra"),
            "/productRequestsList/0/taxRate",
            "18",
        ),
        (
            "tax-unclear",
            two_of("Product Name,Price,Quantity,Tax Rate", "Kurta,499,1,Extra"),
            "/productRequestsList/0/taxRate",
            "0",
        ),
        (
            "single-for-several",
            two_of("Product Name,Price,Product Name 2,Price 2,Quantity", "Kurta,499,Scarf,99,2"),
            "/productRequestsList/1/quantity",
            "2",
        ),
        (
            "two-columns",
            two_of("Product Name,Price,Quantity,City", "Kurta,499,1,Mumbai"),
            "/destination/city",
            "Bengaluru",
        ),
    ];
    for (rule, sheet, path, expected) in cases {
        let rig = Rig::new();
        rig.file("orders.csv", &sheet);
        let held = rig.import(&["orders.csv"]);
        let (rules, stuck) = holding(&held);
        assert_eq!((rules.iter().map(String::as_str).collect::<Vec<_>>(), stuck), (vec![rule], Vec::new()), "{sheet}");
        let came = rig.import(&["orders.csv", "--accept", rule]);
        let sent =
            came.request().pointer(path).map(|sent| sent.as_str().map_or_else(|| sent.to_string(), str::to_owned));
        assert_eq!(sent.as_deref(), Some(expected), "{rule}: {sheet}");
    }
    let rig = Rig::new();
    rig.file("own.toml", "recognised_by = [\"Bill No\", \"Party\", \"Cell\"]\n[columns]\nsellerNote = \"SKU\"\n");
    rig.file("orders.csv", &sheet_of([row("A-1")]));
    rig.import(&["orders.csv", "--profile", "own.toml"]).held_first("layout-changed");
    let came = rig.import(&["orders.csv", "--profile", "own.toml", "--accept", "other-layout"]);
    assert_eq!(came.request()["sellerNote"], "K-1", "{came:?}");
}
