//! What each fuzz target does with its bytes. The program's own tests do the same with made-up bytes, so that it stays
//! true where nobody fuzzes.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use jiff::Timestamp;
use shipsheet::column::decide::{Sample, by_headers, proposal};
use shipsheet::event::Stream;
use shipsheet::field::{FIELDS, Kind};
use shipsheet::finding::{Finding, Id, english};
use shipsheet::ledger::LedgerError;
use shipsheet::origin::Source;
use shipsheet::parse::{ColumnFormat, Condition, DayOrder, Decimals, Input, ReadingSettings, Value, value};
use shipsheet::profile::{Profile, choose};
use shipsheet::rule::{RULES, RuleKind, RuleLevel};
use shipsheet::sheet::{Options, Sheet, SheetError};
use shipsheet::stage::{Frozen, OpenOptions, OrderRows, Sink, gather, open};
use shipsheet::text::Decimal;

/// Any bytes as a text file: the encoding, the delimiter and the header are found, and no row goes missing.
pub(crate) fn dialect(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("sheet.csv");
    std::fs::write(&path, data).expect("a temporary file");
    let Some((sheet, rows)) = read(&path, &Options::default()) else { return };
    // What was found, said outright, is the same sheet.
    let header_row = Some(if sheet.header().is_given { sheet.header().row } else { 0 });
    let said = Options { delimiter: sheet.delimiter(), header_row, ..Options::default() };
    let (again, same) = read(&path, &said).expect("what was found can be said");
    assert_eq!((again.header(), &again.source().file), (sheet.header(), &sheet.source().file));
    assert_eq!(same, rows);
}

/// Rows by their numbers.
type Rows = Vec<(u32, Vec<String>)>;

/// The sheet and its rows; none where it is refused in words.
fn read(path: &Path, options: &Options) -> Option<(Sheet, Rows)> {
    let refused =
        |error: SheetError| assert!(!error.hint(&|_| String::new()).is_empty() && !error.to_string().is_empty());
    let sheet = Sheet::open(path, options).map_err(refused).ok()?;
    let mut rows = Vec::new();
    let end = sheet.read(&mut |row| {
        let cells: Vec<String> = row.cells().map(|cell| cell.text.to_owned()).collect();
        // A character that was lost is never handed out in silence.
        let lost = cells.iter().any(|cell| cell.contains('\u{fffd}'));
        assert!(!lost || row.notices().iter().any(|notice| notice.id == Id::BadEncoding), "{cells:?}");
        rows.push((row.number(), cells));
        ControlFlow::Continue(())
    });
    let end = end.map_err(refused).ok()?;
    assert_eq!(end.rows as usize, rows.len());
    assert!(rows.iter().zip(rows.iter().skip(1)).all(|((one, _), (next, _))| one < next), "rows in order");
    Some((sheet, rows))
}

/// The first byte chooses the field and the second what is known around it; the others are the cell's text.
pub(crate) fn values(data: &[u8]) {
    let [field, around, text @ ..] = data else { return };
    let field = &FIELDS[usize::from(*field) % FIELDS.len()];
    let text = String::from_utf8_lossy(text);
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    let rules = ReadingSettings::new(Timestamp::UNIX_EPOCH);
    let mut input = Input::new(field, text);
    input.native = around & 1 == 1;
    input.country = [None, Some("IN"), Some("US"), Some("GB")][usize::from(around >> 1 & 3)];
    input.currency = if around & 8 == 0 { None } else { Some("INR") };
    input.habit = ColumnFormat {
        decimals: [Decimals::Unknown, Decimals::Point, Decimals::Comma, Decimals::Mixed][usize::from(around >> 4 & 3)],
        day_order: [DayOrder::Unknown, DayOrder::DayFirst, DayOrder::MonthFirst, DayOrder::Mixed]
            [usize::from(around >> 6)],
        ..ColumnFormat::default()
    };
    assert!(!Condition::Sound.is_fault());
    let reading = value(input, &rules);
    if let Some(said) = &reading.said {
        assert!(
            !english::message(said).is_empty() && !english::advice(said, &|_| String::new()).is_empty(),
            "{said:?} of {text:?}"
        );
    }
    if let Some(value) = reading.sure() {
        sound(field.kind, &value);
    }
}

/// What holds for every value, however strange its text.
fn sound(kind: Kind, value: &Value) {
    match (kind, value) {
        (Kind::Measure | Kind::Quantity, Value::Number(number)) => {
            assert!(number.is_sign_positive() && !number.is_zero(), "{number}");
        }
        (Kind::Money | Kind::MoneyText | Kind::Rate, Value::Number(number)) => {
            assert!(!number.is_sign_negative() || number.is_zero(), "{number}");
        }
        (Kind::Phone, Value::Text(phone)) => assert!(phone.bytes().all(|byte| byte.is_ascii_digit()), "{phone}"),
        (Kind::CountryCode, Value::Text(code)) => assert!(code.len() == 2, "{code}"),
        (Kind::Currency, Value::Text(code)) => assert!(code.len() == 3, "{code}"),
        (_, Value::Text(text)) => assert!(!text.is_empty() && text.len() <= 4 * 5_000),
        _ => {}
    }
}

/// Any text as a profile, and the same lines as a sheet's header, of which a profile is proposed.
pub(crate) fn profiles(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let header: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    let source = Source::text("sheet.csv");
    match Profile::parse("fuzzed", &text) {
        Ok(profile) => {
            let named: Vec<String> = profile.recognised_by.iter().chain(&header).cloned().collect();
            let _ = by_headers((&source, 1), &named, Some(&profile));
            let _ = choose(std::slice::from_ref(&profile), &named, &[]);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let (columns, _) = by_headers((&source, 1), &header, None);
    let proposed = proposal(&columns, &Sample::default()).to_toml("proposed");
    let profile = Profile::parse("proposed", &proposed).unwrap_or_else(|error| panic!("{error}\n{proposed}"));
    let (_, problems) = by_headers((&source, 1), &header, Some(&profile));
    drop(problems);
}

/// The headers and cells of each order of [`amounts`] beside its amounts.
const PLAIN: (&str, &str) = (
    "Receiver First Name,Receiver Phone,Address Line 1,City,State,Country Code,PIN Code,Warehouse,Width,Height,Product Name",
    "Asha,9876543210,14 MG Road,Pune,Maharashtra,IN,411038,WH-1,20,10,Kurta",
);
/// The columns of its amounts: fields, and what stands beside them.
const AMOUNTS: &str = "Payment Type,Price,Quantity,Weight (g),Length (in),Tax Rate,Product Discount,Subtotal,Shipping Charges,\
    Other Charges,Discount,MRP,Advance,Balance,Tax Amount,Total Pieces,Total";

/// Counts what goes and what stays.
#[derive(Default)]
struct Counted(u64);

impl Sink for Counted {
    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        self.0 += 1;
        let order = frozen.order;
        let amounts = [order.sub_total, order.total(), order.shipping_charges, order.other_charges, order.discount];
        assert!(amounts.iter().all(|amount| amount.abs() <= Decimal::LARGEST * Decimal::TEN), "{order:?}");
        Ok(Vec::new())
    }

    fn invalid(&mut self, _: &OrderRows<'_>, problems: &[Finding]) -> Result<(), LedgerError> {
        self.0 += 1;
        assert!(problems.iter().any(Finding::holds));
        Ok(())
    }
}

/// Lines of cells as the amounts of orders, two rows to each, with every rule at `warn`: whatever the numbers are, each order
/// goes or is told why it stays.
pub(crate) fn amounts(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let columns = AMOUNTS.split(',').count();
    let row = |(at, line): (usize, &str)| {
        let cells: Vec<&str> = line.split(',').chain(std::iter::repeat("")).take(columns).collect();
        format!("A-{},{},{}", at / 2, PLAIN.1, cells.join(","))
    };
    let rows: Vec<String> = text.lines().filter(|line| !line.contains('"')).enumerate().map(row).collect();
    if rows.is_empty() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("sheet.csv");
    let sheet = format!("Order Number,{},{AMOUNTS}\n{}\n", PLAIN.0, rows.join("\n"));
    std::fs::write(&path, sheet).expect("a temporary file");
    let mut rules = ReadingSettings::new(Timestamp::UNIX_EPOCH);
    let lowered = RULES.iter().filter(|rule| matches!(rule.kind, RuleKind::Rule(_)));
    rules.levels.given.extend(lowered.map(|rule| (rule.id, RuleLevel::Warn)));
    let options = OpenOptions {
        paths: vec![path],
        sheet: Options::default(),
        profile: None,
        answered: BTreeMap::new(),
        saved: Vec::new(),
        rules: rules.clone(),
    };
    let opened = open(&options, &mut Stream::silent()).expect("a sheet");
    let mut counted = Counted::default();
    let gathered = gather(&opened, &rules, &mut counted, &mut |_| (), &mut Stream::silent()).expect("orders");
    assert_eq!(gathered.orders, counted.0);
}
