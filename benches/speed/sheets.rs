//! The sheets that are measured: orders of 2.5 lines on average, every one of 45 columns feeds a field, and values vary as
//! those of real sheets do.

use std::path::Path;

use anyhow::Result;
use rust_xlsxwriter::Workbook;

/// Every field of an order that leaves a warehouse, by the headers of the starter sheet.
const HEADER: [&str; 45] = [
    "Order Number",
    "Order Date",
    "Channel",
    "Shipment Type",
    "Seller Note",
    "Tags",
    "Carrier",
    "Service",
    "Warehouse",
    "Return Warehouse",
    "Receiver First Name",
    "Receiver Last Name",
    "Receiver Email",
    "Receiver Phone",
    "Receiver Company",
    "Address Line 1",
    "Address Line 2",
    "City",
    "State",
    "Country",
    "Country Code",
    "PIN Code",
    "Address Type",
    "Length",
    "Width",
    "Height",
    "Dimension Unit",
    "Weight",
    "Weight Unit",
    "Product Name",
    "Price",
    "Quantity",
    "SKU",
    "Category",
    "Currency",
    "Tax Rate",
    "Product Discount",
    "Taxes Included",
    "Description",
    "HS Code",
    "Payment Type",
    "Subtotal",
    "Shipping Charges",
    "Other Charges",
    "Order Discount",
];

const FIRST_NAMES: [&str; 12] =
    ["Asha", "Ravi", "Meera", "Imran", "Lakshmi", "Joseph", "Anjali", "Harpreet", "Sunita", "Vikram", "Fatima", "Dev"];
const LAST_NAMES: [&str; 11] =
    ["Rao", "Sharma", "Iyer", "Khan", "Patel", "D'Souza", "Singh", "Banerjee", "Reddy", "Kulkarni", "Nair"];
const STREETS: [&str; 9] = [
    "MG Road",
    "Station Road",
    "Nehru Street",
    "2nd Cross, Indiranagar",
    "Gandhi Chowk",
    "Ring Road",
    "Temple Street",
    "Lake View Colony",
    "Old Market Lane",
];
const LANDMARKS: [&str; 8] = [
    "Near City Mall",
    "Opp. Head Post Office",
    "Behind the bus stand",
    "2nd floor, above the bakery",
    "",
    "Near Stop Sign",
    "Next to State Bank",
    "Plot 7, Phase 2",
];
/// City, state and the first five digits of its PIN codes.
const CITIES: [(&str, &str, &str); 10] = [
    ("Bengaluru", "Karnataka", "56000"),
    ("Mumbai", "Maharashtra", "40000"),
    ("Chennai", "Tamil Nadu", "60000"),
    ("Hyderabad", "Telangana", "50000"),
    ("Ahmedabad", "Gujarat", "38000"),
    ("Kolkata", "West Bengal", "70000"),
    ("Jaipur", "Rajasthan", "30200"),
    ("Lucknow", "Uttar Pradesh", "22600"),
    ("Kochi", "Kerala", "68200"),
    ("Pune", "Maharashtra", "41100"),
];
const NOTES: [&str; 9] = [
    "",
    "",
    "",
    "Call before delivery",
    "Leave with the neighbour in flat",
    "Gift wrap, no price slip inside, box",
    "Deliver after 6 pm, bell does not work, ask for gate",
    "Customer wants the blue one, else any colour of lot",
    "Fragile",
];
const GOODS: [(&str, &str, &str, &str); 8] = [
    ("Cotton kurta", "Apparel", "KURTA", "62114290"),
    ("Silk scarf, hand-woven", "Apparel", "SCARF", "62141000"),
    ("Stop Watch", "Sports", "WATCH", "91022900"),
    ("Steel bottle 1 l", "Kitchen", "BOTTLE", "73239390"),
    ("Return Gift Box", "Gifts", "BOX", "48191010"),
    ("Brass lamp", "Home", "LAMP", "83062920"),
    ("Notebook A5, ruled", "Stationery", "NOTE", "48201010"),
    ("Masala tea 250 g", "Grocery", "TEA", "09023020"),
];
const COLOURS: [&str; 7] = ["blue", "red", "natural", "dark green", "black", "yellow", "assorted"];

/// Where the rows of one order stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// One below the other.
    Adjacent,
    /// All first rows, then all second ones, then all third ones.
    Scattered,
}

/// Every row of so many orders, cell by cell.
fn each_row(orders: usize, rows: Rows, mut write: impl FnMut(&[String]) -> Result<()>) -> Result<()> {
    write(&HEADER.map(str::to_owned))?;
    match rows {
        Rows::Adjacent => {
            for order in 0..orders {
                (0..lines(order)).try_for_each(|line| write(&row(order, line)))?;
            }
        }
        Rows::Scattered => {
            for line in 0..3 {
                (0..orders).filter(|order| line < lines(*order)).try_for_each(|order| write(&row(order, line)))?;
            }
        }
    }
    Ok(())
}

fn lines(order: usize) -> usize {
    if order.is_multiple_of(2) { 3 } else { 2 }
}

/// A number from 0 to below `below` that looks like chance and is the same in every run.
fn dice(order: usize, salt: usize, below: usize) -> usize {
    let mut mixed = (order * 64 + salt) as u64;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from((mixed ^ (mixed >> 31)) % below as u64).unwrap_or_default()
}

fn pick<T: Copy>(from: &[T], order: usize, salt: usize) -> T {
    from[dice(order, salt, from.len())]
}

/// Whether its customer pays at the door.
fn is_collected(order: usize) -> bool {
    dice(order, 30, 3) == 0
}

/// The price of a line in hundredths, and its pieces.
fn worth(order: usize, line: usize) -> (usize, usize) {
    (dice(order, 40 + line, 250_000) + 4_900, dice(order, 44 + line, 4) + 1)
}

fn money(hundredths: usize) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn row(order: usize, line: usize) -> Vec<String> {
    let mut cells = order_cells(order);
    cells.extend(line_cells(order, line));
    let sum = (0..lines(order)).map(|line| worth(order, line)).map(|(price, pieces)| price * pieces).sum();
    cells.extend([
        if is_collected(order) { "COD" } else { "PREPAID" }.to_owned(),
        money(sum),
        money(dice(order, 31, 12) * 1_000),
        money(dice(order, 32, 3) * 500),
        money(dice(order, 33, 4) * 250),
    ]);
    cells
}

/// What is the same on each row of an order, as far as its parcel.
fn order_cells(order: usize) -> Vec<String> {
    let (first, last) = (pick(&FIRST_NAMES, order, 1), pick(&LAST_NAMES, order, 2));
    let (city, state, pin) = pick(&CITIES, order, 3);
    let note = pick(&NOTES, order, 4);
    let mail = format!("{}.{}{order}@example.com", first.to_lowercase(), last.to_lowercase().replace('\'', ""));
    vec![
        format!("ORD-{order:07}"),
        format!("2026-11-{:02}T{:02}:{:02}", dice(order, 5, 20) + 1, dice(order, 6, 12) + 8, dice(order, 7, 60)),
        pick(&["Website", "Amazon", "Shop", "Phone"], order, 8).to_owned(),
        "External".to_owned(),
        if note.is_empty() { String::new() } else { format!("{note} {}", dice(order, 9, 500) + 1) },
        pick(&["", "festive", "repeat", "festive;vip", "b2b"], order, 10).to_owned(),
        pick(&["Delhivery", "Bluedart", "", "Xpressbees"], order, 11).to_owned(),
        pick(&["Surface", "Air", "Express"], order, 12).to_owned(),
        pick(&["WH-1", "WH-2"], order, 13).to_owned(),
        pick(&["WH-1", "WH-2"], order, 14).to_owned(),
        first.to_owned(),
        last.to_owned(),
        mail,
        // A number that ends in zeros may have been shortened by a spreadsheet, and is asked about.
        format!("9{:04}{:04}{}", dice(order, 15, 10_000), dice(order, 16, 10_000), dice(order, 55, 9) + 1),
        pick(&["", "", "", "Rao Traders", "Sri Sai Stores", "Nair & Sons"], order, 17).to_owned(),
        format!("{}, {}", dice(order, 18, 400) + 1, pick(&STREETS, order, 19)),
        pick(&LANDMARKS, order, 20).to_owned(),
        city.to_owned(),
        state.to_owned(),
        "India".to_owned(),
        "IN".to_owned(),
        format!("{pin}{}", dice(order, 21, 9) + 1),
        pick(&["Residential", "Commercial"], order, 22).to_owned(),
        (dice(order, 23, 40) + 10).to_string(),
        (dice(order, 24, 30) + 8).to_string(),
        format!("{}.5", dice(order, 25, 20) + 2),
        "cm".to_owned(),
        format!("{}.{:02}", dice(order, 26, 4), dice(order, 27, 90) + 10),
        "kg".to_owned(),
    ]
}

fn line_cells(order: usize, line: usize) -> Vec<String> {
    let (product, category, code, tariff) = GOODS[(dice(order, 28, GOODS.len()) + line) % GOODS.len()];
    let colour = pick(&COLOURS, order, 34 + line);
    let (price, pieces) = worth(order, line);
    vec![
        format!("{product}, {colour}"),
        money(price),
        pieces.to_string(),
        format!("{code}-{:04}", dice(order, 48 + line, 3_000)),
        category.to_owned(),
        "INR".to_owned(),
        pick(&["5", "12", "18"], order, 51 + line).to_owned(),
        if is_collected(order) { "0" } else { pick(&["0", "0", "10.00", "25.50"], order, 57 + line) }.to_owned(),
        "yes".to_owned(),
        format!("{colour}, lot {}", dice(order, 54 + line, 900) + 100),
        tariff.to_owned(),
    ]
}

pub(crate) fn csv(path: &Path, orders: usize, rows: Rows) -> Result<()> {
    let mut out = csv::Writer::from_path(path)?;
    each_row(orders, rows, |cells| Ok(out.write_record(cells)?))?;
    Ok(out.flush()?)
}

pub(crate) fn xlsx(path: &Path, orders: usize) -> Result<()> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet_with_constant_memory()?;
    let mut number = 0;
    each_row(orders, Rows::Adjacent, |cells| {
        for (column, cell) in (0_u16..).zip(cells) {
            sheet.write_string(number, column, cell)?;
        }
        number += 1;
        Ok(())
    })?;
    Ok(book.save(path)?)
}
