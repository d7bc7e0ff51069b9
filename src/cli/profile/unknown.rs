//! Opens the sheets of a command, and asks about an unknown layout where somebody is there to answer.

use std::io;

use anyhow::Result;

use super::keep::{Name, ask_name, keep};
use super::seen::Seen;
use super::talk::{Said, Talk};
use super::walk::Walk;
use crate::check::Rules;
use crate::cli::args::SheetArguments;
use crate::cli::console::{note, somebody_is_here};
use crate::cli::settings::{Settings, open_options};
use crate::field::{Field, Id};
use crate::finding;
use crate::profile::{Choice, Guess, Profile, choose};
use crate::report::terminal::Screen;
use crate::stage::{OpenOptions, Opened, Planned, open};

/// With fewer columns, questions lead nowhere: it is no order sheet, or the wrong row was taken for the header.
const COLUMNS_MIN: usize = 5;

/// Opens sheets. Nothing comes of it where a person was asked about a layout and left.
pub(in crate::cli) fn open_sheets(
    settings: &Settings,
    arguments: &SheetArguments,
    rules: &Rules,
) -> Result<Option<Opened>> {
    let mut options = open_options(settings, arguments, rules)?;
    let from_stdin = arguments.sheets.iter().any(|sheet| sheet.as_os_str() == "-");
    let may_ask = arguments.profile.is_none() && !from_stdin && somebody_is_here();
    let mut asked = Vec::new();
    loop {
        let opened = open(&options)?;
        let Some(number) = next(&opened, &asked).filter(|_| may_ask) else { return Ok(Some(opened)) };
        asked.push(number);
        let mut talk = Talk::new(io::stdin().lock(), Screen::default());
        let Some(profile) = ask(&opened.sheets[number], &opened, &mut options, &mut talk)? else {
            note("nothing was written and nothing was sent");
            return Ok(None);
        };
        options.saved.insert(0, profile);
    }
}

/// The first sheet whose layout can be asked about, if that is all that keeps the sheets from being used.
fn next(opened: &Opened, asked: &[usize]) -> Option<usize> {
    let mut errors = opened.problems.iter().filter(|problem| problem.holds()).peekable();
    errors.peek()?;
    if errors.clone().any(|problem| !matches!(problem.id, finding::Id::MissingColumn | finding::Id::AmbiguousLayout)) {
        return None;
    }
    let places = errors.filter_map(|problem| problem.place.as_ref());
    let mut numbers = places.filter_map(|place| {
        opened.sheets.iter().position(|planned| {
            // A column that a saved profile names and the sheet lacks is no unknown layout, but a changed one.
            let columns = planned.sheet.header().cells.iter().filter(|cell| !cell.is_empty()).count();
            *planned.sheet.source() == place.source && !planned.plan.is_own() && columns >= COLUMNS_MIN
        })
    });
    numbers.find(|number| !asked.contains(number))
}

/// Asks about one sheet and gives the profile that came of it, kept under a name where the person gave one.
fn ask<I: io::BufRead, O: io::Write>(
    planned: &Planned,
    opened: &Opened,
    options: &mut OpenOptions,
    talk: &mut Talk<I, O>,
) -> Result<Option<Profile>> {
    let header = &planned.sheet.header().cells;
    if let Choice::Several(fit) = choose(&options.saved, header, &options.rules.ignored_headers) {
        let fit: Vec<Profile> = fit.into_iter().cloned().collect();
        let Some(chosen) = one_of(talk, &planned.sheet.source().to_string(), &fit)? else { return Ok(None) };
        options.saved.retain(|profile| !fit.iter().any(|other| other.name == profile.name));
        return Ok(Some(chosen));
    }
    let seen = Seen::of(&planned.sheet)?;
    let base = planned.plan.profile().map(str::to_owned);
    let guess = seen.guess(header);
    let guess = if base.is_some() { besides(guess, planned) } else { guess };
    let no_number = planned.plan.column(Id::OrderNumber).is_none().then(|| Id::OrderNumber.field());
    let missing: Vec<&'static Field> = no_number.into_iter().chain(opened.missing.iter().copied()).collect();
    let sheet = planned.sheet.source().to_string();
    let walk = Walk { sheet, seen: &seen, guess, missing, base: base.clone(), rules: &options.rules };
    let Some(guess) = walk.through(talk)? else { return Ok(None) };
    let name = match ask_name(talk, &planned.sheet.source().file)? {
        Name::Kept(name) => Some(name),
        Name::ThisOnce => None,
        Name::Left => return Ok(None),
    };
    let called = name.as_deref().unwrap_or("this once");
    let toml = match &base {
        Some(base) => guess.on_top_of(base, called),
        None => guess.to_toml(called),
    };
    let profile = Profile::parse(called, &toml)?;
    if let Some(name) = &name {
        let kept = keep(name, &toml, false)?;
        talk.say(&format!("kept as {name} in {}", kept.path.display()))?;
    }
    Ok(Some(profile))
}

/// What a profile that comes with the program leaves open: nothing that it feeds, filters by or ignores is asked about.
fn besides(mut guess: Guess, planned: &Planned) -> Guess {
    let (unknown, amounts) = (planned.plan.unknown(), planned.plan.amounts());
    let is_free = |index: u32| {
        unknown.iter().any(|column| column.index == index)
            || amounts.iter().any(|amount| amount.by_header && amount.column == index)
    };
    guess.columns.retain(|guessed| is_free(guessed.column.index));
    for guessed in &mut guess.columns {
        (guessed.field, guessed.confidence) = (None, 0);
    }
    guess
}

/// Asks which of several profiles is meant.
fn one_of<I: io::BufRead, O: io::Write>(
    talk: &mut Talk<I, O>,
    sheet: &str,
    fit: &[Profile],
) -> io::Result<Option<Profile>> {
    talk.say(&format!("\n{sheet} looks like several layouts. Which one is it?"))?;
    for (number, profile) in (1..).zip(fit) {
        talk.say(&format!("  {number:>2}  {:<20} {}", profile.name, profile.title))?;
    }
    loop {
        match talk.ask("number, or q to leave:")? {
            Said::Quit | Said::Back => return Ok(None),
            Said::Text(text) => {
                let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                match number.and_then(|index| fit.get(index)).or_else(|| fit.iter().find(|own| own.name == text)) {
                    Some(chosen) => return Ok(Some(chosen.clone())),
                    None => talk.say("  That is none of the answers.")?,
                }
            }
        }
    }
}
