//! What profiles make of cells, of their own mistakes and of sheets: the cases of `tests/profiles`.

use std::io::Write as _;

use serde::Deserialize;

use super::*;
use crate::field::{Field, is_said};
use crate::sheet::{Options, Sheet};

#[derive(Deserialize)]
struct Cases {
    recipe: Vec<RecipeCase>,
    rule: Vec<RuleCase>,
    wrong: Vec<WrongCase>,
    choice: Vec<ChoiceCase>,
}

#[derive(Deserialize)]
struct RecipeCase {
    field: String,
    is: String,
    rows: Vec<Vec<String>>,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct RuleCase {
    is: String,
    takes: Vec<String>,
    others: Vec<String>,
}

#[derive(Deserialize)]
struct WrongCase {
    text: String,
    says: String,
}

#[derive(Deserialize)]
struct ChoiceCase {
    saved: Vec<String>,
    sheet: String,
    is: String,
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
        let step = mapper.add(Step::of(&profile.columns[&id], column));
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
fn rules_take_cells_by_their_words_or_their_sense() {
    for RuleCase { is, takes, others } in cases().rule {
        let filter: Filter = toml::from_str(&format!("column = \"S\"\nbecause = \"so\"\n{is}")).unwrap();
        let is_for = |text: &String| filter.takes(text, false, |sense| is_said(text, sense));
        assert!(takes.iter().all(is_for) && !others.iter().any(is_for), "{is}");
    }
}

#[test]
fn what_is_wrong_in_a_profile_is_named() {
    for WrongCase { text, says } in cases().wrong {
        let error = Profile::parse("x", &text).unwrap_err().to_string();
        assert!(error.contains(&says), "{error}");
    }
}

/// A saved profile that is recognised by these headers.
fn own(name: &str, headers: &str) -> Profile {
    let list: Vec<String> = headers.split(' ').map(|header| format!("\"{header}\"")).collect();
    let (all, first) = (list.join(", "), &list[0]);
    Profile::parse(name, &format!("recognised_by = [{all}]\n[columns]\norderNumber = {first}\n")).unwrap()
}

#[test]
fn the_saved_profile_that_fits_best_goes_first_and_what_it_lacks_is_named() {
    for ChoiceCase { saved, sheet, is } in cases().choice {
        let saved: Vec<Profile> =
            saved.iter().filter_map(|own| own.split_once(": ")).map(|own| self::own(own.0, own.1)).collect();
        let header: Vec<String> = sheet.split(' ').map(str::to_owned).collect();
        let names = |all: &[&Profile]| all.iter().map(|own| format!(" {}", own.name)).collect::<Vec<_>>().concat();
        let found = match choose(&saved, &header, &[]) {
            Choice::Headers => "headers".to_owned(),
            Choice::One(profile) => format!("one {}", profile.name),
            Choice::Several(all) => format!("several{}", names(&all)),
            Choice::Changed(profile, gone) => format!("changed {}: {}", profile.name, gone.join(" ")),
            Choice::Near(profile, gone) => format!("near {}: {}", profile.name, gone.join(" ")),
        };
        assert_eq!(found, is, "{sheet}");
    }
}

#[test]
fn every_profile_of_the_program_is_recognised_by_its_own_headers() {
    assert!(built_in().iter().map(|own| own.name.as_str()).eq(file::TEXTS.iter().map(|(name, _)| *name)));
    for profile in built_in().iter().filter(|profile| !profile.recognised_by.is_empty()) {
        assert!(!profile.title.is_empty(), "{}", profile.name);
        let chosen = choose(&[], &profile.recognised_by, &[]);
        assert!(matches!(chosen, Choice::One(own) if own.name == profile.name), "{}: {chosen:?}", profile.name);
    }
    // Two common headers do not capture an export that the program knows.
    let shopify = built_in().iter().find(|profile| profile.name == "shopify").unwrap();
    let names = shopify.columns.values().flat_map(|recipe| recipe.columns().to_vec());
    let header: Vec<String> = shopify.recognised_by.iter().cloned().chain(names).chain(["Email".to_owned()]).collect();
    let saved = [own("common", "Name Email")];
    assert!(matches!(choose(&saved, &header, &[]), Choice::Several(both) if both.len() == 2));
}
