//! Files with bytes flipped, cut and spliced: no panic, no runaway, no row lost in silence.
//!
//! The formats that the program reads itself are tried within this process, the others through the program, each measured;
//! `SHIPSHEET_LONG=10 cargo test mutants` makes more, and sends those of all formats through the program.
//! `SHIPSHEET_SEED=N` makes other ones, or those of a failure again.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use fastrand::Rng;
use rust_xlsxwriter::{Format, Formula, Workbook};
use shipsheet::column::decide::{Known, LazySample, decide, proposal};
use shipsheet::profile::choose;
use shipsheet::sheet::{Options, Sheet};

use crate::corpus::{DEFAULTS, checked};
use crate::files::{ods, unzipped, xls, zipped};
use crate::rig::size::{SEED, seed, times};
use crate::rig::{HEADER, Rig, row};

/// A mutant that is read within this process may take so long on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(20);

/// A file before it is damaged.
struct Original {
    name: &'static str,
    bytes: Vec<u8>,
    is_zip: bool,
}

fn cells() -> Vec<Vec<String>> {
    let lines = [HEADER.to_owned(), row("ORD-1"), row("ORD-2"), row("ORD-2"), row("007")];
    lines.iter().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn text_files() -> Vec<Original> {
    let quoted = |delimiter: &str| {
        let line = |cells: Vec<String>| cells.into_iter().map(|cell| format!("\"{cell}\"")).collect::<Vec<_>>();
        let lines: Vec<String> = cells().into_iter().map(|cells| line(cells).join(delimiter)).collect();
        lines.join("\r\n").replace("Asha", "Zo\u{eb} \"\"Ash\"\"\na")
    };
    let plain = cells().iter().map(|cells| cells.join(",")).collect::<Vec<_>>().join("\n");
    let wide = quoted("\t").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let original = |bytes| Original { name: "orders.csv", bytes, is_zip: false };
    [plain.into_bytes(), quoted(";").into_bytes(), wide].into_iter().map(original).collect()
}

fn xlsx_file() -> Original {
    let mut workbook = Workbook::new();
    let zeros = Format::new().set_num_format("000000");
    let date = Format::new().set_num_format("yyyy-mm-dd");
    let sheet = workbook.add_worksheet().set_name("Orders").unwrap();
    for (row, cells) in (0_u32..).zip(cells()) {
        for (column, text) in (0_u16..).zip(&cells) {
            match (text.parse::<f64>(), column) {
                (Ok(number), 8) => sheet.write_with_format(row, column, number, &zeros).unwrap(),
                (Ok(number), _) => sheet.write(row, column, number).unwrap(),
                (Err(_), 1) if row > 0 => sheet.write_with_format(row, column, 46_346 + row, &date).unwrap(),
                (Err(_), 11) => sheet.write_formula(row, column, Formula::new("A1").set_result(text)).unwrap(),
                (Err(_), _) => sheet.write(row, column, text.as_str()).unwrap(),
            };
        }
    }
    sheet.merge_range(7, 0, 8, 1, "merged", &Format::new()).unwrap();
    workbook.add_worksheet().set_name("Notes").unwrap().set_hidden(true).write(0, 0, "hidden").unwrap();
    Original { name: "orders.xlsx", bytes: workbook.save_to_buffer().unwrap(), is_zip: true }
}

fn xls_file() -> Original {
    let cells = cells();
    let rows: Vec<Vec<&str>> = cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    Original { name: "orders.xls", bytes: xls(&rows), is_zip: false }
}

fn ods_file() -> Original {
    let cell = |text: &String| match text.parse::<f64>() {
        Ok(number) => format!("<table:table-cell office:value-type=\"float\" office:value=\"{number}\"/>"),
        Err(_) => {
            format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
        }
    };
    let row = |cells: &Vec<String>| {
        let cells: Vec<String> = cells.iter().map(cell).collect();
        format!("<table:table-row table:number-rows-repeated=\"1\">{}</table:table-row>", cells.concat())
    };
    let rows: Vec<String> = cells().iter().map(row).collect();
    Original { name: "orders.ods", bytes: ods(&rows.concat()), is_zip: true }
}

/// Numbers where they do most harm.
const EXTREMES: [&str; 10] =
    ["0", "-1", "1e999", "4294967295", "4294967296", "1048577", "16385", "99999999999999999999", "NaN", ""];

/// A damaged copy.
fn mutant(original: &Original, random: &mut Rng) -> Vec<u8> {
    if !original.is_zip || random.u8(..4) == 0 {
        return damaged(&original.bytes, random);
    }
    let mut parts = unzipped(&original.bytes);
    // The larger a part, the more of it is worth damaging.
    let total: usize = parts.iter().map(|(_, bytes)| bytes.len()).sum();
    let mut at = random.usize(..total);
    let chosen = parts.iter().position(|(_, bytes)| {
        let here = at < bytes.len();
        at = at.saturating_sub(bytes.len());
        here
    });
    let part = &mut parts[chosen.unwrap()].1;
    *part = damaged(part, random);
    zipped(parts.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())))
}

fn damaged(bytes: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.usize(1..=3) {
        if bytes.is_empty() {
            break;
        }
        let at = random.usize(..bytes.len());
        match random.u8(..6) {
            0 => (0..random.usize(1..=16)).for_each(|_| {
                let at = random.usize(..bytes.len());
                bytes[at] ^= 1 << random.u8(..8);
            }),
            1 => bytes[at] = random.u8(..),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..(at + random.usize(1..=64)).min(bytes.len()))),
            4 => {
                let from = random.usize(..bytes.len());
                let piece = bytes[from..(from + random.usize(1..=200)).min(bytes.len())].to_vec();
                let times = 1 << random.u8(..8);
                bytes.splice(at..at, piece.repeat(times));
            }
            _ => {
                let digit = |byte: &u8| byte.is_ascii_digit();
                let Some(start) = bytes[at..].iter().position(digit).map(|found| at + found) else { continue };
                let end =
                    bytes[start..].iter().position(|byte| !digit(byte)).map_or(bytes.len(), |found| start + found);
                bytes.splice(start..end, EXTREMES[random.usize(..EXTREMES.len())].bytes());
            }
        }
    }
    bytes
}

/// Reads a mutant in this process; whether it could be read.
fn read(path: &Path) -> Result<bool, String> {
    let started = Instant::now();
    let outcome = Sheet::open(path, &Options::default()).and_then(|sheet| {
        let mut handed = 0;
        let end = sheet.read(&mut |_| {
            handed += 1;
            ControlFlow::Continue(())
        })?;
        assert!(handed == end.rows && end.blank <= end.rows, "{handed} of {end:?}");
        let header = sheet.header();
        let _ = choose(&[], &header.cells, &[]);
        let sample = LazySample::default();
        let Ok((columns, _)) = decide(&sheet, &sample, &Known::default()) else { return Ok(()) };
        let Ok(sample) = sample.of(&sheet) else { return Ok(()) };
        let guessed = proposal(&columns, sample);
        assert!(guessed.columns.len() <= header.cells.len());
        Ok(())
    });
    if started.elapsed() > PATIENCE {
        return Err(format!("took {:?}", started.elapsed()));
    }
    match outcome {
        Ok(()) => Ok(true),
        Err(error) if error.hint(&|_| String::new()).is_empty() => Err(format!("no way out: {error}")),
        Err(_) => Ok(false),
    }
}

/// Tries mutants in turn of the originals; how many could be read.
fn tried(originals: &[Original], mutants: u64, mut one: impl FnMut(&Path) -> Result<bool, String>) -> u64 {
    let folder = crate::rig::folder();
    let seed = seed(SEED);
    let mut whole = 0;
    for number in 0..mutants {
        let original = &originals[usize::try_from(number).unwrap() % originals.len()];
        // Each on its own, so that a failure can be had again alone.
        let bytes = mutant(original, &mut Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(number)));
        let path = folder.path().join(original.name);
        std::fs::write(&path, &bytes).unwrap();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| one(&path)));
        match outcome.unwrap_or_else(|_| Err("a panic".to_owned())) {
            Ok(read) => whole += u64::from(read),
            Err(wrong) => panic!("mutant {number} of {}, SHIPSHEET_SEED={seed}: {wrong}", original.name),
        }
    }
    let _ = writeln!(std::io::stderr(), "{mutants} damaged files, {whole} of them read");
    whole
}

/// Through the program, with its helper process, its time and its memory.
fn through_the_program(originals: &[Original], mutants: u64) -> u64 {
    let rig = Rig::alone();
    rig.file("shipsheet.toml", DEFAULTS);
    tried(originals, mutants, |path| {
        // Other readers take damage otherwise: their count of rows proves nothing.
        let wrong = checked(&rig, path, |_, _| None);
        if wrong.is_empty() { Ok(true) } else { Err(wrong.join("\n")) }
    })
}

#[test]
fn text_files_and_streamed_workbooks() {
    for (originals, short) in [(text_files(), 75), (vec![xlsx_file()], 50)] {
        let mutants = times(short);
        for original in &originals {
            let folder = crate::rig::folder();
            let path = folder.path().join(original.name);
            std::fs::write(&path, &original.bytes).unwrap();
            assert_eq!(read(&path), Ok(true), "{} before it is damaged", original.name);
        }
        let whole = tried(&originals, mutants, read);
        assert!(
            (mutants / 10..mutants).contains(&whole),
            "{whole} of {mutants} can be read: damage too light or heavy"
        );
    }
}

#[test]
fn files_of_all_formats_through_the_program() {
    let mut originals = text_files();
    originals.truncate(1);
    originals.extend([xlsx_file(), xls_file(), ods_file()]);
    through_the_program(&originals, times(40));
}
