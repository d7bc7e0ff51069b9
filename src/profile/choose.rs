//! Recognises the profile for a sheet by its set of headers, never by the file's name.

use std::sync::LazyLock;

use super::file::Profile;
use crate::field::normalised;

/// Declares the profiles that come with the program.
macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        const TEXTS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../templates/profiles/", $name, ".toml"))),)*];
    };
}

built_in!(
    "shipsheet",
    "shopify",
    "woocommerce",
    "woocommerce-items",
    "amazon-com",
    "amazon-in",
    "etsy",
    "ebay",
    "magento",
    "meesho",
    "tiktok",
    "walmart",
    "shiprocket",
    "delhivery-one",
);

static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    let parsed = TEXTS.iter().filter_map(|(name, text)| Profile::parse(name, text).ok());
    parsed.map(Profile::of_the_program).collect()
});

/// The profiles that come with the program.
#[must_use]
pub fn built_in() -> &'static [Profile] {
    &PROFILES
}

/// The TOML of a profile that comes with the program.
#[must_use]
pub fn built_in_text(name: &str) -> Option<&'static str> {
    TEXTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Which profile a header calls for.
#[derive(Debug)]
pub enum Choice<'p> {
    /// None is known for it: the headers speak for themselves.
    Headers,
    /// This one.
    One(&'p Profile),
    /// These fit alike.
    Several(Vec<&'p Profile>),
    /// Nearly this one, which somebody saved: these headers of it are gone.
    Changed(&'p Profile, Vec<String>),
}

/// Chooses among saved profiles, then among those that come with the program.
#[must_use]
pub fn choose<'p>(saved: &'p [Profile], header: &[String]) -> Choice<'p> {
    let header: Vec<String> = header.iter().map(|cell| normalised(cell)).collect();
    for candidates in [saved, built_in()] {
        let fits = candidates
            .iter()
            .filter(|profile| !profile.recognised_by.is_empty() && missing(profile, &header).is_empty());
        let mut scored: Vec<(usize, &Profile)> = fits.map(|profile| (known(profile, &header), profile)).collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let best: Vec<&Profile> =
            scored.iter().take_while(|(score, _)| *score == scored[0].0).map(|(_, profile)| *profile).collect();
        match best.as_slice() {
            [] => {}
            [one] => return Choice::One(one),
            _ => return Choice::Several(best),
        }
    }
    let changed = saved.iter().find_map(|profile| {
        let (gone, all) = (missing(profile, &header), profile.recognised_by.len());
        (all >= 4 && gone.len() * 10 <= all * 3).then_some((profile, gone))
    });
    changed.map_or(Choice::Headers, |(profile, gone)| Choice::Changed(profile, gone))
}

/// The headers that a profile is known by and a sheet lacks.
#[must_use]
pub fn missing_headers(profile: &Profile, header: &[String]) -> Vec<String> {
    let header: Vec<String> = header.iter().map(|cell| normalised(cell)).collect();
    missing(profile, &header)
}

fn missing(profile: &Profile, header: &[String]) -> Vec<String> {
    profile.recognised_by.iter().filter(|wanted| !header.contains(&normalised(wanted))).cloned().collect()
}

/// How many of the sheet's headers a profile knows.
fn known(profile: &Profile, header: &[String]) -> usize {
    let names: Vec<String> = profile.names().map(|name| normalised(name)).collect();
    header.iter().filter(|cell| !cell.is_empty() && names.contains(cell)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn every_built_in_profile_is_sound() {
        for (name, text) in TEXTS {
            let profile = Profile::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
            assert!(profile.name == *name && !profile.title.is_empty(), "{name}");
        }
        assert_eq!(built_in().len(), TEXTS.len());
    }

    #[test]
    fn every_built_in_profile_is_recognised_by_its_own_headers() {
        for profile in built_in().iter().filter(|profile| !profile.recognised_by.is_empty()) {
            match choose(&[], &profile.recognised_by) {
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
        assert!(matches!(choose(&saved[..1], &full), Choice::One(profile) if profile.name == "a"));
        assert!(matches!(choose(&saved, &full), Choice::Several(both) if both.len() == 2));
        let renamed = header(&["Order", "Who", "Where", "Mobile"]);
        assert!(matches!(choose(&saved, &renamed), Choice::Changed(_, gone) if gone == ["Phone"]));
        assert!(matches!(choose(&saved, &header(&["Order", "Price"])), Choice::Headers));
    }
}
