//! What profiles make of cells: the recipes of `tests/profiles`, whose other cases are those of `tests/it/choices.rs`.

use std::io::Write as _;

use serde::Deserialize;

use super::*;
use crate::field::Field;
use crate::sheet::{Options, Sheet};

#[derive(Deserialize)]
struct Cases {
    recipe: Vec<RecipeCase>,
}

#[derive(Deserialize)]
struct RecipeCase {
    field: String,
    is: String,
    rows: Vec<Vec<String>>,
    kind: Option<String>,
}

fn cases() -> Cases {
    toml::from_str(include_str!("../../tests/profiles/cases.toml")).unwrap()
}

#[test]
fn recipes_make_values_of_the_cells_of_a_row() {
    for RecipeCase { field, is, rows, kind } in cases().recipe {
        let profile = Profile::parse("x", &format!("[columns]\n\"{field}\" = {is}\n")).unwrap();
        let id = Field::by_path(&field).unwrap().id;
        let column = |header: &str| Some(u32::from(header.as_bytes()[0] - b'A'));
        let mut mapper = Mapper::default();
        let step = mapper.add(Step::of(&profile.columns[&id], id.field().kind, column));
        let mut file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
        let line = |row: &Vec<String>| format!("\"{}\",z\n", row[..row.len() - 1].join("\",\""));
        let lines: Vec<String> = rows.iter().map(line).collect();
        file.write_all(format!("A,B,C,D,E,F\n{}", lines.concat()).as_bytes()).unwrap();
        let sheet = Sheet::open(file.path(), &Options { header_row: Some(1), ..Options::default() }).unwrap();
        let (mut made, mut expected) = (Mapped::default(), rows.iter());
        let read = sheet.read(&mut |row| {
            mapper.map(row, &mut made);
            let (text, own) = made.cell(row, id, 0, Some(step));
            let cells = expected.next().unwrap();
            assert_eq!(Some(text), cells.last().map(String::as_str), "{is}: {cells:?}");
            assert!(kind.as_ref().is_none_or(|kind| format!("{own:?}") == *kind), "{is}: {own:?}");
            std::ops::ControlFlow::Continue(())
        });
        assert!(read.is_ok() && expected.next().is_none(), "{is}");
    }
}

#[test]
fn every_profile_of_the_program_can_be_read() {
    assert!(built_in().iter().map(|own| own.name.as_str()).eq(file::TEXTS.iter().map(|(name, _)| *name)));
}
