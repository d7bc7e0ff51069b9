//! The courier portal's own export: which of its columns say order number, AWB, status, date of booking and charge, and what
//! its rows say.

use std::ops::ControlFlow;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::text::Decimal;

use crate::field::Id;
use crate::finding::{self, Finding};
use crate::origin::Place;
use crate::parse::{ColumnFormat, DayOrder, Decimals, Input, ReadingSettings, Value, unmarked, value};
use crate::sheet::{Cell, CellKind, Options, Row, RowEnds, Sheet, SheetError};
use crate::text::shortened;
use crate::words::Topic;

use super::layout::{Columns, StatementError, StatementOptions, columns};
use super::span::Span;
use super::word::{bare, believable_awb};

/// Longer than any carrier's name.
const CARRIER_CHARACTERS_MAX: usize = 60;

/// The AWB cell of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Waybill {
    /// An AWB.
    Is(String),
    /// Nothing, or a text that says nothing.
    Blank,
    /// Something that cannot be an AWB, as it was found.
    Unbelievable(String),
}

impl Waybill {
    /// The text of the cell; empty where it says nothing.
    pub(super) fn as_found(&self) -> &str {
        match self {
            Self::Is(text) | Self::Unbelievable(text) => text,
            Self::Blank => "",
        }
    }
}

/// One row of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The order number; empty where the row has none.
    pub order: String,
    /// Its AWB.
    pub awb: Waybill,
    /// What the portal says of it; empty where it says nothing.
    pub status: String,
    /// When it was booked, epoch milliseconds, with the day or with the month first; nothing where that cannot be read.
    pub booked_ms: [Option<i64>; 2],
    /// What is charged for it.
    pub freight: Option<Decimal>,
    /// Who carries it; empty where the row does not say.
    pub carrier: String,
    /// The row as the person sees it, counted from 1.
    pub row: u32,
}

impl Entry {
    /// Whether the portal calls the shipment cancelled: booked once, and no longer.
    pub fn is_cancelled(&self) -> bool {
        // A cancellation that was asked for, or rejected, is none yet.
        let status = self.status.to_lowercase();
        let words = || status.split(|c: char| !c.is_alphanumeric());
        let is_over = |word: &str| {
            word.starts_with("cancelled") || word.starts_with("canceled") || Topic::States.lists("voided", word)
        };
        words().any(is_over) && !words().any(|word| word == "not")
    }
}

/// The headers of the columns that were used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementColumns {
    pub order: String,
    pub awb: String,
    pub status: Option<String>,
    pub date: Option<String>,
    pub freight: Option<String>,
    pub carrier: Option<String>,
}

/// A statement as it was read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Statement {
    /// The file's name, with its worksheet.
    pub name: String,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// The same, in bytes.
    pub digest: [u8; 32],
    /// The headers of the columns that were used.
    pub columns: StatementColumns,
    /// The time of which it is believed to have every booking; nothing where its dates do not show that.
    pub span: Option<Span>,
    /// Its rows that say anything.
    pub entries: Vec<Entry>,
    /// Rows that could not be read, as people write their places: a booking may stand in one of them.
    pub unreadable: Vec<String>,
    /// What stands in these rows: any of it may be the number of an order.
    pub in_unreadable: Vec<String>,
}

impl Statement {
    /// Reads a statement.
    pub fn read(path: &Path, options: &StatementOptions, rules: &ReadingSettings) -> Result<Self, StatementError> {
        let sheet = Sheet::open(path, &options.sheet)?;
        let header = sheet.header();
        let file = sheet.source().to_string();
        let columns = columns(header, &file, options)?;
        let (mut entries, (mut unreadable, mut in_unreadable)) = (Vec::new(), beside((path, &sheet), options)?);
        let mut ends = RowEnds::default();
        sheet.read(&mut |row| {
            if row.is_blank() || row.skip().is_some() {
                return ControlFlow::Continue(());
            }
            ends.learn(row);
            let is_cut = ends.lacks_cells(row).is_some() || ends.is_cut(row);
            if is_cut || row.notices().iter().any(crate::finding::Finding::holds) {
                unreadable.push(Place::row(sheet.source(), row.number()).to_string());
                in_unreadable.extend(row.cells().flat_map(|cell| pieces(cell.text)));
                return ControlFlow::Continue(());
            }
            entries.extend(entry(row, &columns, rules));
            ControlFlow::Continue(())
        })?;
        let title = |index: usize| header.cells[index].clone();
        let digest = sheet.sha256()?;
        Ok(Self {
            name: file,
            sha256: hexadecimal(&digest),
            digest,
            columns: StatementColumns {
                order: title(columns.order),
                awb: title(columns.awb),
                status: columns.status.map(title),
                date: columns.date.map(title),
                freight: columns.freight.map(title),
                carrier: columns.carrier.map(title),
            },
            span: columns.date.and_then(|_| span(&entries, rules)),
            entries,
            unreadable,
            in_unreadable,
        })
    }
}

/// The worksheets beside the one that is read, hidden or not, with what stands in them: any of it may be the number of an
/// order. Where one may be a list as well, a person has to say which is meant; where somebody said so, no other matters.
fn beside(
    (path, sheet): (&Path, &Sheet),
    options: &StatementOptions,
) -> Result<(Vec<String>, Vec<String>), StatementError> {
    let (mut names, mut texts) = (Vec::new(), Vec::new());
    if options.sheet.worksheet.is_some() {
        return Ok((names, texts));
    }
    for name in sheet.notices().iter().filter(|notice| notice.id == finding::Id::SheetNotice).flat_map(others) {
        let options = StatementOptions {
            sheet: Options { worksheet: Some(name.clone()), ..options.sheet.clone() },
            ..StatementOptions::default()
        };
        let other = match Sheet::open(path, &options.sheet) {
            Err(SheetError::Empty { .. } | SheetError::NoWorksheet { .. }) => continue,
            other => other?,
        };
        let before = texts.len();
        other.read(&mut |row| {
            texts.extend(row.cells().flat_map(|cell| pieces(cell.text)));
            ControlFlow::Continue(())
        })?;
        if texts.len() == before {
            continue;
        }
        let source = other.source().to_string();
        if columns(other.header(), &source, &options).is_ok() {
            let each: Vec<String> = sheet.source().worksheet.iter().cloned().chain([name.clone()]).collect();
            let names = each.iter().map(|own| format!("\"{own}\"")).collect::<Vec<_>>().join(", ");
            return Err(SheetError::SeveralWorksheets { file: sheet.source().file.clone(), names, each }.into());
        }
        texts.extend(other.header().cells.iter().flat_map(|text| pieces(text)));
        names.push(source);
    }
    Ok((names, texts))
}

/// The worksheets that a notice names as not read.
fn others(notice: &Finding) -> &[String] {
    match notice.parameters.get("names") {
        Some(finding::Value::List(names)) if matches!(&*notice.case, "other_worksheets" | "hidden_worksheets") => names,
        _ => &[],
    }
}

/// The texts of a cell that may hold those of other cells, where a row cannot be read.
fn pieces(text: &str) -> Vec<String> {
    let ends = |c: char| c.is_control() || matches!(c, ',' | ';' | '|' | '"');
    text.split(ends).map(bare).filter(|piece| !piece.is_empty()).map(str::to_owned).collect()
}

/// The time of which a statement has every booking.
fn span(entries: &[Entry], rules: &ReadingSettings) -> Option<Span> {
    let booked = entries.iter().filter(|entry| matches!(entry.awb, Waybill::Is(_)) && !entry.is_cancelled());
    Span::of(&booked.map(|entry| entry.booked_ms).collect::<Vec<_>>(), &rules.time_zone)
}

/// What a row says; nothing where it says nothing.
fn entry(row: &Row, columns: &Columns, rules: &ReadingSettings) -> Option<Entry> {
    let order = row.cell(columns.order);
    let awb_cell = row.cell(columns.awb);
    let awb = match awb_cell.kind {
        CellKind::Text | CellKind::Number => {
            let text = awb_cell.text;
            match believable_awb(text) {
                Some(awb) => Waybill::Is(awb),
                None if bare(text).is_empty() || !text.contains(|c: char| c.is_ascii_digit()) || bare(text) == "0" => {
                    Waybill::Blank
                }
                None => Waybill::Unbelievable(text.to_owned()),
            }
        }
        CellKind::Empty => Waybill::Blank,
        _ => Waybill::Unbelievable(awb_cell.text.to_owned()),
    };
    // Digits that are lost name no order.
    let known = matches!(order.kind, CellKind::Text | CellKind::Number | CellKind::Date | CellKind::Flag);
    let order = if known { bare(order.text).to_owned() } else { String::new() };
    if order.is_empty() && awb == Waybill::Blank {
        return None;
    }
    let status = columns.status.map(|index| row.cell(index).text.to_owned()).unwrap_or_default();
    let moment = |order| columns.date.and_then(|index| moment(&row.cell(index), order, rules));
    let booked_ms = [DayOrder::DayFirst, DayOrder::MonthFirst].map(moment);
    let freight = columns.freight.and_then(|index| charge(&row.cell(index), rules));
    let carrier = columns.carrier.map(|index| name(&row.cell(index))).unwrap_or_default();
    Some(Entry { order, awb, status, booked_ms, freight, carrier, row: row.number() })
}

/// The name in a cell; nothing where it has no letter in it, or is no text.
fn name(cell: &Cell<'_>) -> String {
    let name = bare(cell.text);
    let is_name = cell.kind == CellKind::Text && name.chars().any(char::is_alphabetic);
    if is_name { shortened(name, CARRIER_CHARACTERS_MAX) } else { String::new() }
}

/// When a cell says that it was, with its day or its month first; nothing where that is no date.
fn moment(cell: &Cell<'_>, order: DayOrder, rules: &ReadingSettings) -> Option<i64> {
    let native = cell.kind == CellKind::Date;
    if !(native || cell.kind == CellKind::Text) || cell.text.trim().is_empty() {
        return None;
    }
    let habit = ColumnFormat { day_order: order, ..ColumnFormat::default() };
    let input = Input { native, habit, ..Input::new(Id::OrderCreatedAt.field(), cell.text.trim()) };
    match value(input, rules).sure() {
        Some(Value::Instant(ms)) => Some(ms),
        _ => None,
    }
}

/// What a cell says that is charged; nothing where that is no amount, or not surely one.
fn charge(cell: &Cell<'_>, rules: &ReadingSettings) -> Option<Decimal> {
    let field = Id::SubTotal.field();
    let text = unmarked(field, bare(cell.text));
    if !matches!(cell.kind, CellKind::Text | CellKind::Number) || text.is_empty() {
        return None;
    }
    let habit = ColumnFormat { decimals: Decimals::Point, ..ColumnFormat::default() };
    let native = cell.kind == CellKind::Number;
    let amount = value(Input { native, habit, ..Input::new(field, text) }, rules).sure().and_then(Value::number)?;
    (!amount.is_sign_negative()).then_some(amount)
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing into a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(csv: &str, options: &StatementOptions) -> Result<Statement, StatementError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("portal.csv");
        std::fs::write(&path, csv).unwrap();
        Statement::read(&path, options, &ReadingSettings::new("2026-11-22T00:00:00Z".parse().unwrap()))
    }

    #[test]
    fn columns_are_found_by_any_of_their_names() {
        for (order, awb) in [
            ("Order Number", "AWB"),
            ("Client order id", "Tracking Number"),
            ("REFERENCE", "Airway Bill No."),
            ("Order ID", "way-bill"),
            ("orderNumber", "trackingCode"),
        ] {
            let csv = format!("Date,{order},{awb},Status\nx,A-1,=\"00123\",Booked\n");
            let statement = read(&csv, &StatementOptions::default()).unwrap();
            let expected = Entry {
                order: "A-1".to_owned(),
                awb: Waybill::Is("00123".to_owned()),
                status: "Booked".to_owned(),
                booked_ms: [None; 2],
                freight: None,
                carrier: String::new(),
                row: 2,
            };
            assert_eq!(statement.entries, [expected], "{order}");
        }
    }

    #[test]
    fn no_worksheet_of_a_list_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("portal.xlsx");
        let read = |hidden: &[[&str; 2]], worksheet: Option<&str>| {
            let mut workbook = rust_xlsxwriter::Workbook::new();
            let list = [["Order Number", "AWB"], ["A-1", "77889901"]];
            for (name, rows) in [("Bookings", &list[..]), ("Old", hidden)] {
                let sheet = workbook.add_worksheet().set_name(name).unwrap();
                sheet.set_hidden(name == "Old");
                for (row, cells) in (0..).zip(rows) {
                    for (column, text) in (0..).zip(cells) {
                        sheet.write(row, column, *text).unwrap();
                    }
                }
            }
            workbook.save(&path).unwrap();
            let sheet = Options { worksheet: worksheet.map(str::to_owned), ..Options::default() };
            let options = StatementOptions { sheet, ..StatementOptions::default() };
            Statement::read(&path, &options, &ReadingSettings::new("2026-11-22T00:00:00Z".parse().unwrap()))
        };
        let also = [["Order Number", "AWB"], ["A-2", "77889902"]];
        let refused = read(&also, None).unwrap_err().to_string();
        assert!(refused.contains("several worksheets") && refused.contains("\"Old\""), "{refused}");
        assert_eq!(read(&also, Some("Bookings")).unwrap().entries.len(), 1, "a person said which is meant");
        let notes = read(&[["Returned", "Why"], ["A-2", "not at home"]], None).unwrap();
        assert_eq!(notes.unreadable, ["portal.xlsx [Old]"]);
        assert!(notes.in_unreadable.contains(&"A-2".to_owned()), "{:?}", notes.in_unreadable);
        assert_eq!(read(&[], None).unwrap().unreadable, [""; 0], "an empty one has nothing");
    }

    #[test]
    fn a_row_in_which_the_file_was_cut_off_is_unreadable() {
        let list = "Order Number,AWB\nA-1,7788990011\nA-2,7788990022\nA-3,7788990033\n";
        let of = |last: &str| read(&[list, last].concat(), &StatementOptions::default()).unwrap();
        let cut = of("A-4,77889");
        assert_eq!((cut.entries.len(), cut.unreadable.len()), (3, 1), "{:?}", cut.unreadable);
        assert!(cut.in_unreadable.contains(&"A-4".to_owned()), "{:?}", cut.in_unreadable);
        for whole in ["A-4,77889\n", "A-4,7788990044", "A-4,\"77889\""] {
            assert_eq!(of(whole).entries.len(), 4, "{whole}");
        }
    }

    #[test]
    fn the_surer_name_wins_and_a_person_knows_better() {
        let csv = "Order ID,Client Order ID,AWB\nSB-1,A-1,123456\n";
        assert_eq!(read(csv, &StatementOptions::default()).unwrap().entries[0].order, "A-1");
        for named in ["order id", "a"] {
            let options = StatementOptions { order_column: Some(named.to_owned()), ..StatementOptions::default() };
            assert_eq!(read(csv, &options).unwrap().entries[0].order, "SB-1");
        }
    }

    #[test]
    fn columns_that_are_missing_or_doubled_are_named() {
        let told = |csv: &str, options: &StatementOptions| read(csv, options).unwrap_err().to_string();
        let none = StatementOptions::default();
        let text = told("Order Number,Courier\nA-1,x\n", &none);
        assert!(text.contains("no column of the AWB; it has \"Order Number\" and \"Courier\""), "{text}");
        let text = told("Order Number,AWB,AWB\nA-1,1,2\n", &none);
        assert!(text.contains("for the AWB: name one by its letter, B or C"), "{text}");
        let named = StatementOptions { awb_column: Some("Trackng".to_owned()), ..none };
        let text = told("Order Number,Tracking\nA-1,1\n", &named);
        assert!(text.contains("did you mean \"Tracking\"?"), "{text}");
    }

    #[test]
    fn bookings_have_a_time_and_a_charge_where_a_column_says_them() {
        let csv = "Order Number,AWB,Booked On,Freight Charges\nA-1,11111,05/11/2026 09:30,\"1,045.50\"\nA-2,22222,20/11/2026 18:00,₹ 60\n";
        let statement = read(csv, &StatementOptions::default()).unwrap();
        let charges: Vec<String> = statement.entries.iter().map(|entry| entry.freight.unwrap().to_string()).collect();
        assert_eq!(charges, ["1045.50", "60"]);
        let moment = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        let span = Span { from_ms: moment("2026-11-05T04:00:00Z"), until_ms: moment("2026-11-20T12:30:00Z") + 1 };
        assert_eq!(statement.span, Some(span), "the second row shows that the day comes first");
        let named = StatementOptions { date_column: Some("Order Date".to_owned()), ..StatementOptions::default() };
        let csv = "Order Number,AWB,Order Date\nA-1,11111,2026-11-05\nA-2,22222,2026-11-06\n";
        assert_eq!(read(csv, &StatementOptions::default()).unwrap().span, None, "the date of an order says nothing");
        assert!(read(csv, &named).unwrap().span.is_some());
    }

    #[test]
    fn what_cannot_be_an_awb_is_told_from_nothing() {
        let csv = "Order Number,AWB\nA-1,1.23457E+11\nA-2,NA\nA-3,\nA-4,pending\n,\n,77777\n";
        let awbs: Vec<Waybill> =
            read(csv, &StatementOptions::default()).unwrap().entries.into_iter().map(|entry| entry.awb).collect();
        let blank = Waybill::Blank;
        let lost = Waybill::Unbelievable("1.23457E+11".to_owned());
        assert_eq!(awbs, [lost, blank.clone(), blank.clone(), blank, Waybill::Is("77777".to_owned())]);
    }
}
