//! The bodies of the fuzz targets with bytes from a seed, so that they stay true where nobody fuzzes.

use fastrand::Rng;

use crate::fuzz_bodies::{amounts, dialect, profiles, values};
use crate::rig::size::{SEED, seed, times};
use crate::rig::{HEADER, row};

/// Runs a body with so many inputs, or more in a long run; a failure names the one.
fn run(body: fn(&[u8]), inputs: u64, make: impl Fn(&mut Rng) -> Vec<u8>) {
    let first = seed(SEED);
    for seed in first..first + times(inputs) {
        let bytes = make(&mut Rng::with_seed(seed));
        let outcome = std::panic::catch_unwind(|| body(&bytes));
        assert!(outcome.is_ok(), "SHIPSHEET_SEED={seed}: {:?}", String::from_utf8_lossy(&bytes));
    }
}

/// Pieces of a text in any order, now and then with a byte that belongs to none.
fn pieces(random: &mut Rng, of: &[&str], most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..random.usize(..=most) {
        match random.u8(..20) {
            0 => bytes.push(random.u8(..)),
            1 => bytes.extend(random.char(..).to_string().bytes()),
            _ => bytes.extend(of[random.usize(..of.len())].bytes()),
        }
    }
    bytes
}

#[test]
fn dialects() {
    let lines = [row("ORD-1"), row("ORD-2").replace(',', ";"), row("ORD-3").replace(',', "\t")];
    let [one, two, three] = &lines;
    let of = [
        HEADER,
        one,
        two,
        three,
        "\n",
        "\r\n",
        "\r",
        ",",
        ";",
        "\t",
        "|",
        "\"",
        "\"\"",
        "sep=;\n",
        "a,b,c\n",
        "1;2;3\n",
        "\"x\ny\",",
        "Zo\u{eb}",
        "\u{feff}",
        "\0",
        "\u{fffd}",
        " ",
        "total",
        "17,record(s) downloaded\n",
        "Name",
        "12,50",
    ];
    run(dialect, 50, |random| {
        let bytes = pieces(random, &of, 40);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match random.u8(..8) {
            0 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            1 => [&[0xfe, 0xff][..], &text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>()].concat(),
            2 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
            _ => bytes,
        }
    });
}

#[test]
fn cell_values() {
    let of = [
        "9",
        "0",
        "1",
        "42",
        ".",
        ",",
        "-",
        "+",
        "'",
        "\u{20b9}",
        "$",
        "\u{20ac}",
        "%",
        " ",
        "\u{a0}",
        "\u{200b}",
        "E+11",
        "e",
        "x",
        "@",
        "9.19877",
        "9876543210",
        "+91",
        "(0)",
        "2026-11-20",
        "T",
        "10:30",
        "Z",
        "+05:30",
        "13/10/2025",
        "Nov",
        "AM",
        "1e999",
        "99999999999999999999999999999999",
        "0.0000000000000000000000000000001",
        "India",
        "IN",
        "KA",
        "cod",
        "PREPAID",
        "kg",
        "cm",
        "yes",
        "#N/A",
        "NaN",
        "inf",
        "\u{664}\u{662}",
        "\u{202e}",
        "a@b.co",
        "560001",
        "SW1A 1AA",
        "=1+1",
        "\u{e9}",
        "\u{c3}\u{a9}",
        "\n",
    ];
    run(values, 2_000, |random| {
        let mut bytes = vec![random.u8(..), random.u8(..)];
        bytes.extend(pieces(random, &of, 6));
        bytes
    });
}

#[test]
fn profiles_and_headers() {
    let of = [
        "name = \"x\"\n",
        "[columns]\n",
        "[defaults]\n",
        "[dates]\n",
        "[kinds]\n",
        "[[skip]]\n",
        "recognised_by = [\"Name\", \"Qty\"]\n",
        "\"orderNumber\" = \"Name\"\n",
        "\"productRequestsList.price\" = ",
        "{ column = \"Total\", ",
        "line_total = true }\n",
        "[\"A\", \"B\"]\n",
        "column = \"Status\"\n",
        "is = [\"x\"]\n",
        "because = \"y\"\n",
        "time_zone = \"Asia/Kolkata\"\n",
        "formats = [\"%d\"]\n",
        "Order Number",
        "Receiver Phone",
        "Quantity",
        "Qty",
        "Weight (kg)",
        "Price \u{20b9}",
        "Product 1",
        "Product 2 SKU",
        "\n",
        "\"",
        "\\",
        "#",
        "=",
        "{",
        "}",
        "[",
        "]",
        "'",
        "fill_down = true\n",
        "ignore = [\"Z\"]\n",
    ];
    run(profiles, 50, |random| pieces(random, &of, 25));
}

#[test]
fn amounts_of_orders() {
    let of = [
        "0",
        "1",
        "2",
        "-1",
        "10",
        "499.90",
        "999999999999",
        "1000000000000",
        "79228162514264337593543950335",
        "-79228162514264337593543950335",
        "0.0000000000000000000000000001",
        "0.1234567890123456789012345678",
        "99999999999.99999999999999999",
        "18%",
        "COD",
        "PREPAID",
        "yes",
        "x",
    ];
    run(amounts, 30, |random| {
        let mut cells = Vec::new();
        for _ in 0..random.usize(1..=60) {
            cells.extend(of[random.usize(..of.len())].bytes());
            cells.push(if random.u8(..20) == 0 { b'\n' } else { b',' });
        }
        cells
    });
    // Everything as large as can be.
    let largest = |cell: &str| format!("COD,{}\n", [cell; 16].join(","));
    amounts([largest("79228162514264337593543950335"), largest("999999999999")].concat().as_bytes());
    amounts([largest("999999999999"), largest("0.0000000000000000000000000001")].concat().as_bytes());
}
