//! Sheets made in code: rows of good orders to change, and columns to put together.

use std::path::Path;

use rust_xlsxwriter::{Format, Workbook, Worksheet};

use super::{Came, Rig};

/// The columns of [`row`].
pub(crate) const HEADER: &str = "Order Number,Order Date,Receiver First Name,Receiver Phone,Address Line 1,City,State,Country Code,PIN Code,Warehouse,Length,Width,Height,Weight,Payment Type,Product Name,SKU,Price,Quantity";

/// A good one-line order.
pub(crate) fn row(number: &str) -> String {
    row_with(number, "9876543210", "560001")
}

/// A one-line order with this phone and PIN code.
pub(crate) fn row_with(number: &str, phone: &str, pin: &str) -> String {
    format!(
        "{number},2026-11-20,Asha,{phone},14 MG Road,Bengaluru,Karnataka,IN,{pin},WH-1,30,20,5,0.5,PREPAID,Kurta,K-1,499.90,2"
    )
}

/// A good one-line order of a person of its own, by its number.
pub(crate) fn row_of_own(number: &str) -> String {
    let hash = number.bytes().fold(7_u64, |sum, byte| (sum * 31 + u64::from(byte)) % 9_999_991) + 1;
    let letter = |c: char| char::from_digit(c.to_digit(10).unwrap() + 10, 36).unwrap();
    let name: String = hash.to_string().chars().map(letter).collect();
    row_with(number, &format!("987{hash:07}"), "560001").replace(",Asha,", &format!(",Asha {name},"))
}

/// A sheet of rows.
pub(crate) fn sheet(rows: impl IntoIterator<Item = String>) -> String {
    let rows: Vec<String> = rows.into_iter().collect();
    format!("{HEADER}\n{}\n", rows.join("\n"))
}

/// A sheet of so many good orders.
pub(crate) fn sheet_of(orders: usize) -> String {
    sheet((1..=orders).map(|number| row(&format!("ORD-{number:04}"))))
}

/// One order like [`row`], of two pieces at this price, with more columns behind it.
pub(crate) fn two_at(price: &str, payment: &str, more: &str, cells: &str) -> String {
    let row = row("A-1").replace("499.90", price).replace("PREPAID", payment);
    if more.is_empty() { sheet([row]) } else { format!("{HEADER},{more}\n{row},{cells}\n") }
}

/// What becomes of an order of two pieces at 499, 998 in all.
pub(crate) fn of_998(payment: &str, more: &str, cells: &str) -> Came {
    imported(&two_at("499", payment, more, cells))
}

/// The same, to be paid at the door.
pub(crate) fn cod_998(more: &str, cells: &str) -> Came {
    of_998("COD", more, cells)
}

/// Imports a CSV as `orders.csv`, with a rig of its own.
pub(crate) fn imported(text: &str) -> Came {
    Rig::new().import_text(text)
}

/// The same, by this profile.
pub(crate) fn imported_by(profile: &str, text: &str) -> Came {
    let rig = Rig::new();
    rig.file("own.toml", profile);
    rig.file("orders.csv", text);
    rig.import(&["orders.csv", "--profile", "own.toml"])
}

/// Cells that are parted by `|`.
pub(crate) fn list(cells: &str) -> Vec<&str> {
    cells.split('|').collect()
}

/// Columns by their headers, each with its cells from the first row down.
pub(crate) type Columns<'a> = &'a [(&'a str, &'a [&'a str])];

/// A sheet put together from columns.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    columns: Vec<(String, Cells)>,
    delimiter: char,
}

/// The cells of a column.
#[derive(Debug, Clone)]
enum Cells {
    /// From the first row down; below the last one they are blank.
    Each(Vec<String>),
    /// The same in every row; `{n}` stands for the number of the row's order: `N-0`, `N-1` …
    Every(String),
}

impl Table {
    /// A sheet of these columns.
    pub(crate) fn of(columns: Columns<'_>) -> Self {
        Self { columns: Vec::new(), delimiter: ',' }.with(columns)
    }

    /// A sheet whose columns have the same cell in every row, but for those that are put into it by [`Self::with`]; it has as
    /// many rows as they have cells, and at least one. `{n}` in a cell stands for the order: `N-0`, `N-1` …
    pub(crate) fn every(columns: &[(&str, &str)]) -> Self {
        let every = |(header, cell): &(&str, &str)| ((*header).to_owned(), Cells::Every((*cell).to_owned()));
        Self { columns: columns.iter().map(every).collect(), delimiter: ',' }
    }

    /// A good order in each row, by headers that everybody knows, without its payment.
    pub(crate) fn unpaid() -> Self {
        Self::every(&UNPAID)
    }

    /// Our own headers with one good order, [`row`].
    pub(crate) fn good() -> Self {
        let row = row("A-1");
        Self::every(&HEADER.split(',').zip(row.split(',')).collect::<Vec<_>>())
    }

    /// With these columns: in the place of those that have the same header, or behind the others.
    pub(crate) fn with(&self, columns: Columns<'_>) -> Self {
        let mut table = self.clone();
        for (header, cells) in columns {
            let cells = Cells::Each(cells.iter().map(|cell| (*cell).to_owned()).collect());
            match table.columns.iter_mut().find(|(known, _)| known == header) {
                Some(column) => column.1 = cells,
                None => table.columns.push(((*header).to_owned(), cells)),
            }
        }
        table
    }

    /// With one cell in each of these columns.
    pub(crate) fn with_cells(&self, cells: &[(&str, &str)]) -> Self {
        cells.iter().fold(self.clone(), |table, (header, cell)| table.with(&[(header, &[cell])]))
    }

    /// With other headers over some columns.
    pub(crate) fn renamed(&self, headers: &[(&str, &str)]) -> Self {
        let mut table = self.clone();
        for (from, to) in headers {
            let known = table.columns.iter_mut().find(|(known, _)| known == from);
            (*to).clone_into(&mut known.unwrap_or_else(|| panic!("no column {from}")).0);
        }
        table
    }

    pub(crate) fn delimited_by(&self, delimiter: char) -> Self {
        Self { columns: self.columns.clone(), delimiter }
    }

    pub(crate) fn text(&self) -> String {
        let quoted = |text: &str| {
            let special = text.contains([self.delimiter, '\n', '"']);
            if special { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
        };
        let line = |texts: Vec<String>| texts.join(&self.delimiter.to_string()) + "\n";
        let filled = |cells: &Cells| if let Cells::Each(cells) = cells { cells.len() } else { 1 };
        let rows = self.columns.iter().map(|(_, cells)| filled(cells)).max().unwrap_or(0);
        let cell = |cells: &Cells, row: usize| match cells {
            Cells::Each(cells) => quoted(cells.get(row).map_or("", String::as_str)),
            Cells::Every(cell) => quoted(&cell.replace("{n}", &format!("N-{row}"))),
        };
        let header = line(self.columns.iter().map(|(header, _)| quoted(header)).collect());
        let body = (0..rows).map(|row| line(self.columns.iter().map(|(_, cells)| cell(cells, row)).collect()));
        header + &body.collect::<String>()
    }

    /// Imports it with this rig, as `orders.csv`.
    #[track_caller]
    pub(crate) fn imported_by(&self, rig: &Rig) -> Came {
        rig.import_text(&self.text())
    }

    /// Imports it at a shop of its own, as `orders.csv`.
    #[track_caller]
    pub(crate) fn imported(&self) -> Came {
        self.imported_by(&Rig::of_a_shop())
    }
}

/// A good order but for its payment.
const UNPAID: [(&str, &str); 11] = [
    ("Order No", "{n}"),
    ("Customer Name", "Asha Rao"),
    ("Phone", "9876543210"),
    ("Address", "14 MG Road"),
    ("City", "Bengaluru"),
    ("State", "Karnataka"),
    ("Pincode", "560001"),
    ("Country", "India"),
    ("Product", "Kurta {n}"),
    ("Qty", "2"),
    ("Price", "499"),
];

/// What becomes of a good order with these columns, one for each of their cells.
pub(crate) fn came_of(columns: Columns<'_>) -> Came {
    Table::unpaid().with(columns).imported()
}

/// The column of one of our own headers, counted from 0.
pub(crate) fn column_of(header: &str) -> u16 {
    u16::try_from(HEADER.split(',').position(|other| other == header).unwrap()).unwrap()
}

/// Writes a workbook of one worksheet, `Orders`: the lines as text, cells parted by commas and blank ones left out, and then
/// what `change` does to it.
pub(crate) fn workbook(path: &Path, lines: &[&str], change: impl FnOnce(&mut Worksheet)) {
    let mut workbook = Workbook::new();
    let worksheet = workbook.add_worksheet();
    worksheet.set_name("Orders").unwrap();
    write_lines(worksheet, lines);
    change(worksheet);
    workbook.save(path).unwrap();
}

/// Writes a workbook of one good order with numbers under some headers, ours or others, each number in its format.
pub(crate) fn workbook_of_numbers(path: &Path, numbers: &[(&str, f64, &str)]) {
    let is_ours = |header: &str| HEADER.split(',').any(|own| own == header);
    let more: Vec<&str> = numbers.iter().map(|(header, ..)| *header).filter(|own| !is_ours(own)).collect();
    let header = [&[HEADER], &more[..]].concat().join(",");
    workbook(path, &[&header, &row("A-1")], |sheet| {
        for (wanted, number, format) in numbers {
            let column = header.split(',').position(|header| header == *wanted).unwrap();
            let format = Format::new().set_num_format(*format);
            sheet.write_number_with_format(1, u16::try_from(column).unwrap(), *number, &format).unwrap();
        }
    });
}

/// Writes lines onto a worksheet, cells parted by commas and blank ones left out.
fn write_lines(worksheet: &mut Worksheet, lines: &[&str]) {
    for (row, line) in (0_u32..).zip(lines) {
        for (column, cell) in (0_u16..).zip(line.split(',')).filter(|(_, cell)| !cell.is_empty()) {
            worksheet.write_string(row, column, cell).unwrap();
        }
    }
}

/// A good order of one product, by API paths.
pub(crate) const GOOD: [(&str, &str); 22] = [
    ("orderCreatedAt", "2026-11-20"),
    ("channelId", "External"),
    ("type", "External"),
    ("warehouseId", "WH-1"),
    ("receiver.firstName", "Asha"),
    ("receiver.email", "asha@example.com"),
    ("receiver.phoneNumber", "9876543210"),
    ("destination.addressLine1", "14 MG Road"),
    ("destination.city", "Bengaluru"),
    ("destination.state", "Karnataka"),
    ("destination.countryCode", "IN"),
    ("destination.pinCode", "560001"),
    ("parcelAttributes.dimension.length", "30"),
    ("parcelAttributes.dimension.width", "20"),
    ("parcelAttributes.dimension.height", "5"),
    ("parcelAttributes.weight.weight", "0.5"),
    ("productRequestsList.productName", "Kurta"),
    ("productRequestsList.price", "499.90"),
    ("productRequestsList.quantity", "2"),
    ("productRequestsList.currencyCode", "INR"),
    ("productRequestsList.sku", "K-1"),
    ("shippingProperties.orderType", "PREPAID"),
];
