//! Recognises the profile for a sheet by its set of headers, never by the file's name.

use super::file::{Profile, built_in};
use crate::field::normalised;

/// Which profile a header calls for.
#[derive(Debug)]
pub enum Choice<'p> {
    /// None is known for it: the headers speak for themselves.
    Headers,
    /// This one.
    One(&'p Profile),
    /// These fit alike.
    Several(Vec<&'p Profile>),
    /// Nearly this one: these headers of it are gone; of one that somebody saved, hardly another one has come.
    Changed(&'p Profile, Vec<String>),
    /// Another sheet, though it has most headers of this one that somebody saved, all but these.
    Near(&'p Profile, Vec<String>),
}

/// Chooses among saved profiles and those that come with the program.
///
/// A profile fits where the sheet has all headers that it is recognised by. Saved ones go first, and of several the one
/// that knows most of the sheet's headers; but one that knows little of a sheet is not taken before one of the program
/// that knows far more. Headers that are ignored need not be there.
#[must_use]
pub fn choose<'p>(saved: &'p [Profile], header: &[String], ignored: &[String]) -> Choice<'p> {
    let header = &Headers::of(header, ignored);
    let own = best(saved, header);
    let built_in = best(built_in(), header);
    match (own.as_slice(), built_in.as_slice()) {
        ([], []) => match nearly(saved, header) {
            Choice::Headers => nearly_of_the_program(header),
            near => near,
        },
        ([one], [other]) if is_overruled(one, other, header) => Choice::Several(vec![one, other]),
        ([one], _) | ([], [one]) => Choice::One(one),
        ([], several) | (several, _) => Choice::Several(several.to_vec()),
    }
}

/// Saved profiles that fit a sheet as well, and know fewer of its headers than the one that was chosen.
#[must_use]
pub fn also_fitting<'p>(saved: &'p [Profile], header: &[String], chosen: &Profile) -> Vec<&'p Profile> {
    let header = Headers::of(header, &[]);
    let fits = |profile: &&Profile| fits(profile, &header);
    saved.iter().filter(fits).filter(|profile| profile.name != chosen.name).collect()
}

/// A saved profile that is of no use, though it speaks of a sheet's headers, for it does not say which sheets it is for;
/// with the headers that would say it.
#[must_use]
pub fn never_taken<'p>(saved: &'p [Profile], header: &[String]) -> Option<(&'p Profile, Vec<String>)> {
    let there = |name: &&String| header.iter().any(|cell| normalised(cell) == normalised(name));
    saved.iter().filter(|profile| profile.recognised_by.is_empty()).find_map(|profile| {
        let mut named: Vec<String> = profile.names().filter(there).cloned().collect();
        named.sort();
        named.dedup();
        (!named.is_empty()).then_some((profile, named))
    })
}

/// Headers of a sheet in the form in which they are compared, and those that need not be there.
struct Headers {
    cells: Vec<String>,
    ignored: Vec<String>,
}

impl Headers {
    fn of(cells: &[String], ignored: &[String]) -> Self {
        let bare = |names: &[String]| names.iter().map(|name| normalised(name)).collect();
        Self { cells: bare(cells), ignored: bare(ignored) }
    }
}

fn fits(profile: &Profile, header: &Headers) -> bool {
    let is_there = |wanted: &String| header.cells.contains(&normalised(wanted));
    profile.recognised_by.iter().any(is_there) && missing(profile, header).is_empty()
}

/// Those that fit and know most of the headers.
fn best<'p>(candidates: &'p [Profile], header: &Headers) -> Vec<&'p Profile> {
    let scored: Vec<(usize, &Profile)> = candidates
        .iter()
        .filter(|profile| fits(profile, header))
        .map(|profile| (known(profile, header), profile))
        .collect();
    let most = scored.iter().map(|(score, _)| *score).max();
    scored.into_iter().filter(|(score, _)| Some(*score) == most).map(|(_, profile)| profile).collect()
}

/// Whether a few common headers are all that speaks for a saved profile, in a sheet that another one knows well.
fn is_overruled(own: &Profile, other: &Profile, header: &Headers) -> bool {
    own.recognised_by.len() < other.recognised_by.len() && 2 * known(own, header) < known(other, header)
}

/// The saved profile that lacks fewest of its headers here, where it lacks few.
fn nearly<'p>(saved: &'p [Profile], header: &Headers) -> Choice<'p> {
    let near = saved.iter().filter_map(|profile| {
        let (gone, all) = (missing(profile, header), profile.recognised_by.len());
        let few = all >= 3 && (gone.len() == 1 || gone.len() * 10 <= all * 3);
        few.then_some((profile, gone))
    });
    let closest = near.min_by_key(|(profile, gone)| (gone.len(), std::cmp::Reverse(known(profile, header))));
    let Some((profile, gone)) = closest else { return Choice::Headers };
    // A renamed column brings a new name; a sheet of many others is another sheet.
    let named = header.cells.iter().filter(|cell| !cell.is_empty()).count();
    let new = named - known(profile, header);
    if new <= gone.len() + (named / 5).max(1) { Choice::Changed(profile, gone) } else { Choice::Near(profile, gone) }
}

/// The one that comes with the program and lacks a single one of its many headers: an export without that column, or
/// with another name for it.
fn nearly_of_the_program<'p>(header: &Headers) -> Choice<'p> {
    let gone = |profile: &Profile| missing(profile, header);
    let near = built_in().iter().filter(|profile| profile.recognised_by.len() >= 5 && gone(profile).len() == 1);
    match near.max_by_key(|profile| known(profile, header)) {
        Some(profile) => Choice::Changed(profile, gone(profile)),
        None => Choice::Headers,
    }
}

/// The headers that a profile is known by and a sheet lacks.
#[must_use]
pub fn missing_headers(profile: &Profile, header: &[String]) -> Vec<String> {
    missing(profile, &Headers::of(header, &[]))
}

fn missing(profile: &Profile, header: &Headers) -> Vec<String> {
    let is_gone = |bare: &String| !header.cells.contains(bare) && !header.ignored.contains(bare);
    profile.recognised_by.iter().filter(|wanted| is_gone(&normalised(wanted))).cloned().collect()
}

/// How many of the sheet's headers a profile knows.
fn known(profile: &Profile, header: &Headers) -> usize {
    let names: Vec<String> = profile.names().map(|name| normalised(name)).collect();
    header.cells.iter().filter(|cell| !cell.is_empty() && names.contains(cell)).count()
}

#[cfg(test)]
mod tests {
    use super::super::file::TEXTS;
    use super::*;

    fn header(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn every_built_in_profile_is_sound() {
        for ((name, _), profile) in TEXTS.iter().zip(built_in()) {
            assert!(profile.name == *name && !profile.title.is_empty(), "{name}");
        }
        assert_eq!(built_in().len(), TEXTS.len());
    }

    #[test]
    fn every_built_in_profile_is_recognised_by_its_own_headers() {
        for profile in built_in().iter().filter(|profile| !profile.recognised_by.is_empty()) {
            match choose(&[], &profile.recognised_by, &[]) {
                Choice::One(chosen) => assert_eq!(chosen.name, profile.name),
                other => panic!("{}: {other:?}", profile.name),
            }
        }
    }

    #[test]
    fn saved_profiles_go_first_and_hold_when_they_change() {
        let text = "recognised_by = [\"Order\", \"Who\", \"Where\", \"Phone\"]\n[columns]\norderNumber = \"Order\"\n";
        let saved = [Profile::parse("a", text).unwrap(), Profile::parse("b", text).unwrap()];
        let full = header(&["Order", "who", "Where", "Phone", "Extra"]);
        assert!(matches!(choose(&saved[..1], &full, &[]), Choice::One(profile) if profile.name == "a"));
        assert!(matches!(choose(&saved, &full, &[]), Choice::Several(both) if both.len() == 2));
        let renamed = header(&["Order", "Who", "Where", "Mobile"]);
        assert!(matches!(choose(&saved, &renamed, &[]), Choice::Changed(_, gone) if gone == ["Phone"]));
        assert!(matches!(choose(&saved, &header(&["Order", "Price"]), &[]), Choice::Headers));
        let other = ["Order", "Who", "Where", "Mobile", "Weight", "SKU", "Price", "Quantity"];
        assert!(matches!(choose(&saved, &header(&other), &[]), Choice::Near(_, gone) if gone == ["Phone"]));
    }

    #[test]
    fn the_profile_that_knows_most_of_a_sheet_wins() {
        let own = |name: &str, headers: &[&str]| {
            let list = headers.iter().map(|header| format!("\"{header}\"")).collect::<Vec<_>>().join(", ");
            let text = format!("recognised_by = [{list}]\n[columns]\norderNumber = \"{}\"\n", headers[0]);
            Profile::parse(name, &text).unwrap()
        };
        let saved = [own("few", &["Order", "Who"]), own("most", &["Order", "Who", "Where", "Phone"])];
        let full = header(&["Order", "Who", "Where", "Phone"]);
        assert!(matches!(choose(&saved, &full, &[]), Choice::One(profile) if profile.name == "most"));
        let also: Vec<&str> = also_fitting(&saved, &full, &saved[1]).iter().map(|own| own.name.as_str()).collect();
        assert_eq!(also, ["few"]);
        // Three headers of which one is gone, beside a sheet with little else: it is named.
        let three = [own("three", &["Order", "Who", "Where"])];
        assert!(
            matches!(choose(&three, &header(&["Order", "Who", "Place"]), &[]), Choice::Changed(_, gone) if gone == ["Where"])
        );
        assert!(matches!(choose(&three, &header(&["Order", "x", "y"]), &[]), Choice::Headers));
        // Two common headers do not capture an export that the program knows.
        let shopify = built_in().iter().find(|profile| profile.name == "shopify").unwrap();
        let common = [own("common", &["Name", "Email"])];
        let names: Vec<String> = shopify.columns.values().flat_map(|recipe| recipe.columns.clone()).collect();
        let header: Vec<String> =
            shopify.recognised_by.iter().cloned().chain(names).chain(["Name".into(), "Email".into()]).collect();
        assert!(matches!(choose(&common, &header, &[]), Choice::Several(both) if both.len() == 2));
    }
}
