//! What the ledger costs: staging, staging again, group commits, and what `status` asks.
//!
//! `cargo bench --bench ledger [-- ORDERS]`; the ledger lies in the folder for temporary files, or in `BENCH_FOLDER`.

#![expect(clippy::unwrap_used, reason = "a bench that cannot go on has nothing to say")]
#![expect(clippy::cast_precision_loss, reason = "rates are shown in whole numbers")]
#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::path::Path;
use std::time::Instant;

use sha2::{Digest, Sha256};
use shipsheet::api::outcome::{Booking, Outcome};
use shipsheet::ledger::{Change, Ledger, NewRun, Part, Pending, RunFacts, RunId, RunKind, StagedOrder};
use shipsheet::text::Decimal;

/// Answers and intents in one commit, as many as are in flight.
const GROUPS: [usize; 4] = [1, 16, 64, 256];

fn main() {
    let orders = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let folder = std::env::var_os("BENCH_FOLDER").map_or_else(std::env::temp_dir, Into::into);
    let folder = tempfile::tempdir_in(folder).unwrap();
    let path = folder.path().join("ledger.sqlite");
    println!("{orders} orders, bodies of {} bytes", body(1).len());
    let mut ledger = Ledger::open(&path).unwrap();
    let run = timed("stage", orders, || stage(&mut ledger, orders));
    let size = size(&path);
    println!("{:<34}{:>9.2} MB, {} bytes an order", "  the file then", size as f64 / 1e6, size / orders as u64);
    let per_group = orders / GROUPS.len();
    let mut after = -1;
    for group in GROUPS {
        // A commit of one costs an fsync for each order: fewer of them tell as much.
        let share = if group == 1 { per_group.min(4_000) } else { per_group };
        let name = format!("book, {group} to a commit");
        after = timed(&name, share, || book(&mut ledger, run, after, share, group));
    }
    timed("book the rest", orders, || book(&mut ledger, run, -1, orders, 256));
    timed("stage again, all booked", orders, || stage(&mut ledger, orders));
    drop(ledger);
    let begun = Instant::now();
    let reader = Ledger::open_read_only(&path).unwrap();
    let record = reader.find_run(None).unwrap().unwrap();
    let tally = reader.tally(record.id).unwrap();
    println!("{:<34}{:>9.2} ms, {} booked before", "what `status` asks", ms(begun), tally.already_booked);
    let begun = Instant::now();
    Ledger::open(&path).unwrap().recover(1).unwrap();
    println!("{:<34}{:>9.2} ms", "opened to write, and recovered", ms(begun));
    let checked = timed("looked through, every hash", orders, || reader.check().unwrap());
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    println!("{:<34}{:>9.2} MB", "the file at the end", self::size(&path) as f64 / 1e6);
}

fn ms(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e3
}

fn timed<T>(name: &str, orders: usize, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = work();
    let seconds = begun.elapsed().as_secs_f64();
    println!("{name:<34}{seconds:>9.3} s, {:>8.0} orders a second", orders as f64 / seconds);
    result
}

fn size(path: &Path) -> u64 {
    let beside = |suffix: &str| std::fs::metadata(format!("{}{suffix}", path.display())).map_or(0, |m| m.len());
    beside("") + beside("-wal")
}

/// A run of these orders; all were staged before, or none.
fn stage(ledger: &mut Ledger, orders: usize) -> RunId {
    let new = NewRun {
        kind: RunKind::Import,
        service: "https://api.example.com".into(),
        started_ms: 1,
        version: "bench".into(),
        user: "bench".into(),
        host: "bench".into(),
    };
    let mut staging = ledger.stage(new).unwrap();
    for (position, n) in (0..).zip(0..orders) {
        let (number, body) = (number(n), body(n));
        let order = StagedOrder {
            number: &number,
            body: body.as_bytes(),
            packed: None,
            sha256: Sha256::digest(&body).into(),
            created_ms: 1_763_700_000_000,
            lines: 2,
            value: Decimal::new(99_980, 2),
            cod: Decimal::ZERO,
            rows: "orders.csv:2-3",
            position,
        };
        staging.put(&order).unwrap();
    }
    staging.commit(&RunFacts::default()).unwrap()
}

/// Books orders in groups: each commit carries the answers of one group and the intents of the next. Gives where it
/// stopped.
fn book(ledger: &mut Ledger, run: RunId, mut after: i64, orders: usize, group: usize) -> i64 {
    let mut sending: Vec<Pending> = Vec::new();
    let mut left = orders;
    loop {
        let page = ledger.outstanding(run, (after, group.min(left)), Part::WHOLE).unwrap();
        if page.is_empty() && sending.is_empty() {
            return after;
        }
        left -= page.len();
        after = page.last().map_or(after, |last| last.seq);
        let mut changes: Vec<Change> = sending.iter().map(answer).collect();
        changes.extend(page.iter().map(|pending| Change::Intent {
            order: pending.order,
            request: pending.request,
            run,
        }));
        ledger.commit(&changes, 2).unwrap();
        sending = page;
    }
}

fn answer(pending: &Pending) -> Change {
    let number = &pending.number;
    let awb = format!("AWB{number}");
    let raw = format!(
        "{{\"orderNumber\":\"{number}\",\"orderId\":\"id-{number}\",\"awbNumber\":\"{awb}\",\"carrierName\":\"Delhivery\",\
         \"serviceName\":\"Surface\",\"cratedAt\":1763700000000,\"shipmentPurchaseError\":null,\
         \"shippingCharge\":54.20,\"labelUrl\":\"https://labels.example.com/{awb}.pdf\"}}"
    );
    let booking = Booking {
        awb,
        order_id: Some(format!("id-{number}")),
        carrier: Some("Delhivery".into()),
        service: Some("Surface".into()),
        ..Booking::default()
    };
    Change::Answer {
        order: pending.order,
        outcome: Outcome::Booked(booking),
        status: Some(201),
        raw: Some(raw.into_bytes()),
    }
}

fn number(n: usize) -> String {
    format!("ORD-2026-{n:07}")
}

/// A request of two lines, with what differs between orders.
fn body(n: usize) -> String {
    let number = number(n);
    let line = |line: usize| {
        format!(
            "{{\"productName\":\"Cotton kurta {}\",\"price\":{}.90,\"quantity\":{},\"category\":null,\
             \"currencyCode\":\"INR\",\"sku\":\"KURTA-{}\",\"taxRate\":\"5\",\"discount\":\"0.00\",\
             \"taxesIncluded\":true,\"description\":null,\"hs_code\":null}}",
            (n * 7 + line) % 89,
            199 + n % 700,
            1 + n % 3,
            (n * 31 + line) % 997
        )
    };
    format!(
        "{{\"orderNumber\":\"{number}\",\"orderCreatedAt\":\"1763700000000\",\"channelId\":\"CH-1\",\"receiver\":\
         {{\"firstName\":\"Asha{}\",\"lastName\":\"Rao\",\"email\":\"asha{n}@example.com\",\"phoneNumber\":\
         \"98{:08}\",\"companyName\":\"\"}},\"destination\":{{\"addressLine1\":\"{} MG Road\",\"addressLine2\":\
         \"Near metro pillar {}\",\"city\":\"Bengaluru\",\"state\":\"Karnataka\",\"country\":\"India\",\
         \"countryCode\":\"IN\",\"pinCode\":\"56{:04}\",\"addressType\":\"HOME\"}},\"shipmentType\":\"FORWARD\",\
         \"sellerNote\":\"\",\"parcelAttributes\":{{\"dimension\":{{\"length\":30,\"width\":20,\"height\":5,\
         \"unit\":\"cm\"}},\"weight\":{{\"weight\":0.5,\"unit\":\"kg\"}}}},\"tags\":[],\"productRequestsList\":\
         [{},{}],\"shippingProperties\":{{\"orderType\":\"PREPAID\",\"subTotal\":999.80,\"shippingCharges\":0.00,\
         \"otherCharges\":0.00,\"discount\":0.00}},\"carrier\":null,\"service\":null,\"warehouseId\":\"WH-1\",\
         \"returnAddressId\":\"WH-1\"}}",
        n % 977,
        n * 7919 % 100_000_000,
        1 + n % 499,
        n % 301,
        n * 37 % 10_000,
        line(0),
        line(1)
    )
}
