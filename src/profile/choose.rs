//! Recognises the profile for a sheet by its set of headers, never by the file's name.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

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
    let own: Vec<Fit<'_, '_>> = saved.iter().map(|profile| Fit::of(profile, header)).collect();
    let of_program: Vec<Fit<'_, '_>> = built_in().iter().map(|profile| Fit::of(profile, header)).collect();
    match (best(&own).as_slice(), best(&of_program).as_slice()) {
        ([], []) => nearly(&own, &of_program),
        // A few common headers are all that speaks for a saved profile, in a sheet that another one knows well.
        ([one], [other])
            if one.profile.recognised_by.len() < other.profile.recognised_by.len()
                && 2 * one.known() < other.known() =>
        {
            Choice::Several(vec![one.profile, other.profile])
        }
        ([one], _) | ([], [one]) => Choice::One(one.profile),
        ([], several) | (several, _) => Choice::Several(several.iter().map(|fit| fit.profile).collect()),
    }
}

/// A saved profile that is of no use, though it speaks of a sheet's headers, for it does not say which sheets it is for;
/// with the headers that would say it.
#[must_use]
pub fn never_taken<'p>(saved: &'p [Profile], header: &[String]) -> Option<(&'p Profile, Vec<String>)> {
    let header = Headers::of(header, &[]);
    saved.iter().filter(|profile| profile.recognised_by.is_empty()).find_map(|profile| {
        let named: BTreeSet<&String> =
            profile.names().filter(|name| header.cells.contains(&normalised(name))).collect();
        (!named.is_empty()).then(|| (profile, named.into_iter().cloned().collect()))
    })
}

/// The headers that a profile is known by and a sheet lacks.
#[must_use]
pub fn missing_headers(profile: &Profile, header: &[String]) -> Vec<String> {
    Fit::of(profile, &Headers::of(header, &[])).gone
}

/// A sheet's headers, and those that are ignored, without case and punctuation.
struct Headers {
    cells: HashSet<String>,
    ignored: HashSet<String>,
}

impl Headers {
    fn of(cells: &[String], ignored: &[String]) -> Self {
        let bare =
            |cells: &[String]| cells.iter().map(|cell| normalised(cell)).filter(|cell| !cell.is_empty()).collect();
        Self { cells: bare(cells), ignored: bare(ignored) }
    }
}

/// How a profile fits a sheet.
struct Fit<'p, 'h> {
    profile: &'p Profile,
    header: &'h Headers,
    /// The headers that it is recognised by and that the sheet lacks.
    gone: Vec<String>,
}

impl<'p, 'h> Fit<'p, 'h> {
    fn of(profile: &'p Profile, header: &'h Headers) -> Self {
        let is_gone = |bare: &String| !header.cells.contains(bare) && !header.ignored.contains(bare);
        let gone = profile.recognised_by.iter().filter(|wanted| is_gone(&normalised(wanted))).cloned().collect();
        Self { profile, header, gone }
    }

    /// Whether the sheet has all that the profile is recognised by.
    fn is_whole(&self) -> bool {
        let is_there = |wanted: &String| self.header.cells.contains(&normalised(wanted));
        self.gone.is_empty() && self.profile.recognised_by.iter().any(is_there)
    }

    /// How many of the sheet's headers the profile knows.
    fn known(&self) -> usize {
        let names: HashSet<String> = self.profile.names().map(|name| normalised(name)).collect();
        self.header.cells.intersection(&names).count()
    }
}

/// Those that fit and know most of the headers.
fn best<'a, 'p, 'h>(fits: &'a [Fit<'p, 'h>]) -> Vec<&'a Fit<'p, 'h>> {
    let scored: Vec<(usize, &Fit<'p, 'h>)> =
        fits.iter().filter(|fit| fit.is_whole()).map(|fit| (fit.known(), fit)).collect();
    let most = scored.iter().map(|(score, _)| *score).max();
    scored.into_iter().filter(|(score, _)| Some(*score) == most).map(|(_, fit)| fit).collect()
}

/// The saved profile that lacks fewest of its headers here, where it lacks few; else the one of the program that lacks a
/// single one of its many headers: an export without that column, or with another name for it.
fn nearly<'p>(own: &[Fit<'p, '_>], of_program: &[Fit<'p, '_>]) -> Choice<'p> {
    let lacks_few = |fit: &&Fit<'p, '_>| {
        let (gone, all) = (fit.gone.len(), fit.profile.recognised_by.len());
        all >= 3 && (gone == 1 || gone * 10 <= all * 3)
    };
    if let Some(fit) = own.iter().filter(lacks_few).min_by_key(|fit| (fit.gone.len(), Reverse(fit.known()))) {
        // A renamed column brings a new name; a sheet of many others is another sheet.
        let named = fit.header.cells.len();
        let is_same = named - fit.known() <= fit.gone.len() + (named / 5).max(1);
        return (if is_same { Choice::Changed } else { Choice::Near })(fit.profile, fit.gone.clone());
    }
    let near = of_program.iter().filter(|fit| fit.profile.recognised_by.len() >= 5 && fit.gone.len() == 1);
    let nearest = near.max_by_key(|fit| fit.known());
    nearest.map_or(Choice::Headers, |fit| Choice::Changed(fit.profile, fit.gone.clone()))
}
