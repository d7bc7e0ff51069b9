//! Which sheets profiles are for, which cells their rules take, and what is wrong in them: the cases of `tests/profiles`.

use serde::Deserialize;
use shipsheet::field::is_said;
use shipsheet::profile::{Choice, Filter, Profile, built_in, choose};

#[derive(Deserialize)]
struct Cases {
    rule: Vec<RuleCase>,
    wrong: Vec<WrongCase>,
    choice: Vec<ChoiceCase>,
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
    toml::from_str(include_str!("../profiles/cases.toml")).unwrap()
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
