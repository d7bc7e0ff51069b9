//! Reads the sheets of a command, and asks about an unknown layout where somebody is there to answer.

use anyhow::Result;

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use crate::app::{
    LayoutAnswer, LayoutChange, LayoutQuestion, MeasureAsks, MeasureQuestion, Reading, UnknownLayout, UnknownLines,
    UnknownMeasure, name_refusal,
};
use crate::cli::args::SheetArguments;
use crate::cli::console::{note, somebody_is_here};
use crate::cli::screen::terminal::Screen;
use crate::cli::settings::Settings;
use crate::config::Config;
use crate::event::Events;
use crate::field::{Id, Status, says};
use crate::profile::{Feeding, Profile};
use crate::text::shortened;

use super::amounts::ask_amounts;
use super::talk::{Said, Talk};
use super::values::{Answer, ask_values};
use super::walk::Walk;

/// What is said where a person leaves the questions about a layout.
pub(in crate::cli) const LAYOUT_LEFT: &str = "nothing was written and nothing was sent";

/// What is said of a layout by which no order can go.
const NOT_KEPT: &str = "The layout was not saved: by it no order of this sheet has all that it needs.";

/// Reads sheets. Nothing comes of it where a person was asked about a layout and left.
pub(in crate::cli) fn read_sheets(
    settings: &Settings,
    arguments: &SheetArguments,
    is_agreed: bool,
    events: &mut Events<'_>,
) -> Result<Option<Reading>> {
    let sheets = arguments.sheets(is_agreed || !somebody_is_here());
    let mut reading = settings.app.read(&sheets, events)?;
    let from_stdin = arguments.sheets.iter().any(|sheet| sheet.as_os_str() == "-");
    if from_stdin || !somebody_is_here() {
        return Ok(Some(reading));
    }
    let (mut was_asked, mut kept_as) = (false, None);
    while let Some(question) = reading.question()? {
        // A yes that was given ahead skips questions, but not in the middle of a conversation.
        let is_left_open = match question {
            LayoutQuestion::Values(_)
            | LayoutQuestion::Amounts(_)
            | LayoutQuestion::Lines(_)
            | LayoutQuestion::Measure(_) => is_agreed && !was_asked,
            LayoutQuestion::Several { .. } | LayoutQuestion::Unknown(_) => arguments.how.profile.is_some(),
        };
        if is_left_open {
            break;
        }
        was_asked = true;
        let mut talk = Talk::new(io::stdin().lock(), Screen::default());
        let Some(answer) = ask(settings, question, &reading, &mut talk)? else {
            note(LAYOUT_LEFT);
            return Ok(None);
        };
        let is_to_be_kept = matches!(
            &answer,
            LayoutAnswer::Columns { keep_as: Some(_), .. } | LayoutAnswer::Profile { keep_as: Some(_), .. }
        );
        match reading.answer(answer, events)? {
            // Where one layout takes all answers, that is said once.
            Some(kept) if kept_as.as_ref() == Some(&kept.path) => {}
            Some(kept) => {
                talk.say(&format!("kept as {} in {}", kept.name, kept.path.display()))?;
                kept_as = Some(kept.path);
            }
            None if is_to_be_kept => talk.say(NOT_KEPT)?,
            None => {}
        }
    }
    Ok(Some(reading))
}

/// Asks about one sheet's layout.
fn ask<I: io::BufRead, O: io::Write>(
    settings: &Settings,
    question: LayoutQuestion,
    reading: &Reading,
    talk: &mut Talk<I, O>,
) -> Result<Option<LayoutAnswer>> {
    match question {
        LayoutQuestion::Several { number, sheet, file, profiles } => {
            let Some(profile) = one_of(talk, &sheet, &profiles)? else { return Ok(None) };
            let is_new = profile.is_by_headers();
            let ControlFlow::Continue(keep_as) = named(settings, talk, &file, is_new)? else { return Ok(None) };
            Ok(Some(LayoutAnswer::Profile { number, profile: Box::new(profile), keep_as }))
        }
        LayoutQuestion::Unknown(layout) => {
            let UnknownLayout { number, sheet, file, sample, guess, missing, base, currencies, units } = *layout;
            let (base_of, rules) = (base.clone(), reading.rules());
            let only = Vec::new();
            let walk = Walk { sheet, sample: &sample, guess, missing, only, base: base_of, rules, currencies, units };
            let Some(guess) = walk.through(talk)? else { return Ok(None) };
            let ControlFlow::Continue(keep_as) = named(settings, talk, &file, true)? else { return Ok(None) };
            Ok(Some(LayoutAnswer::Columns { number, guess: Box::new(guess), base, keep_as }))
        }
        LayoutQuestion::Values(values) => {
            let means = match ask_values(&values, talk)? {
                Answer::Means(means) => Some(means),
                Answer::NotAbout => None,
                Answer::Quit => return Ok(None),
            };
            let is_answer = means.as_ref().is_none_or(|means| !means.is_empty());
            let is_asked = is_answer && values.asks_name;
            let ControlFlow::Continue(keep_as) = named(settings, talk, &values.file, is_asked)? else {
                return Ok(None);
            };
            let change = LayoutChange::Values { column: values.question.column.index, means };
            Ok(Some(LayoutAnswer::Change { number: values.number, change, keep_as }))
        }
        LayoutQuestion::Amounts(amounts) => {
            let Some(uses) = ask_amounts(&amounts, talk)? else { return Ok(None) };
            let is_asked = !uses.is_empty() && amounts.asks_name;
            let ControlFlow::Continue(keep_as) = named(settings, talk, &amounts.file, is_asked)? else {
                return Ok(None);
            };
            let change = LayoutChange::Amounts { uses };
            Ok(Some(LayoutAnswer::Change { number: amounts.number, change, keep_as }))
        }
        LayoutQuestion::Lines(lines) => {
            let Some(are) = are_lines(talk, &lines)? else { return Ok(None) };
            let ControlFlow::Continue(keep_as) = named(settings, talk, &lines.file, are && lines.asks_name)? else {
                return Ok(None);
            };
            Ok(Some(LayoutAnswer::Change { number: lines.number, change: LayoutChange::Lines { are }, keep_as }))
        }
        LayoutQuestion::Measure(measure) => {
            let ControlFlow::Continue(change) = ask_measure(talk, &measure)? else { return Ok(None) };
            let ControlFlow::Continue(keep_as) = named(settings, talk, &measure.file, measure.asks_name)? else {
                return Ok(None);
            };
            Ok(Some(LayoutAnswer::Change { number: measure.number, change, keep_as }))
        }
    }
}

/// The name under which a layout is kept; where that is not asked it holds this once, or is added to the profile that there is. It breaks
/// where a person leaves.
fn named<I: io::BufRead, O: io::Write>(
    settings: &Settings,
    talk: &mut Talk<I, O>,
    file: &str,
    is_asked: bool,
) -> io::Result<ControlFlow<(), Option<String>>> {
    let name = if is_asked { ask_name(talk, settings.config(), file)? } else { Name::ThisOnce };
    Ok(match name {
        Name::Kept(name) => ControlFlow::Continue(Some(name)),
        Name::ThisOnce => ControlFlow::Continue(None),
        Name::Left => ControlFlow::Break(()),
    })
}

/// Asks whether rows without an order number are more products of the order above; nothing where a person leaves.
fn are_lines<I: io::BufRead, O: io::Write>(talk: &mut Talk<I, O>, lines: &UnknownLines) -> io::Result<Option<bool>> {
    talk.say(&format!("\n{}: a row with a product and no order number, below an order.", lines.place))?;
    yes_or_no(talk, "are such rows more products of the order above? [y/n]:")
}

/// Asks whether a column has the weight or a side of the parcel, what a weight is that of, or what it is in. It breaks where a person
/// leaves.
fn ask_measure<I: io::BufRead, O: io::Write>(
    talk: &mut Talk<I, O>,
    UnknownMeasure { sheet, question, .. }: &UnknownMeasure,
) -> io::Result<ControlFlow<(), LayoutChange>> {
    let MeasureQuestion { column, values, field, asks } = question;
    let (header, values) = (shortened(&column.header, 30), shortened(&values.join(" · "), 40));
    let fed = |how: Option<Feeding>| {
        let field = how.map(|_| field.path.to_owned());
        LayoutChange::Column { column: column.index, field, how: how.unwrap_or_default() }
    };
    talk.say(&match asks {
        MeasureAsks::IsSent(instead) => {
            format!("\n{sheet}: \"{header}\" ({values}) is not sent: every parcel has {instead} by the settings.")
        }
        MeasureAsks::Whose => format!("\n{sheet}: \"{header}\" differs between rows of one order ({values})."),
        MeasureAsks::Unit => format!("\n{sheet}: nothing says what \"{header}\" ({values}) is in."),
    })?;
    if field.id != Id::Weight {
        let is = yes_or_no(talk, &format!("is \"{header}\" the {} of the parcel? [y/n]:", field.header))?;
        return Ok(is.map_or(ControlFlow::Break(()), |is| ControlFlow::Continue(fed(is.then(Feeding::default)))));
    }
    let whose = [
        (Some(Feeding::EachPiece), "one piece"),
        (Some(Feeding::EachRow), "all pieces of its row; the rows of an order are added up"),
        (Some(Feeding::Whole), "the whole parcel"),
    ];
    let whose = whose.map(|(how, name)| (fed(how), name)).into_iter();
    let (asked, choices): (String, Vec<(LayoutChange, &str)>) = match asks {
        MeasureAsks::Unit => {
            let units = MeasureAsks::UNITS.map(|unit| (LayoutChange::Unit { unit: unit.to_owned() }, unit));
            (format!("which unit is \"{header}\" in? number:"), units.to_vec())
        }
        own => {
            let other = matches!(own, MeasureAsks::IsSent(_)).then(|| (fed(None), "something else"));
            (format!("what is \"{header}\" the weight of? number:"), whose.chain(other).collect())
        }
    };
    for (number, (_, name)) in (1..).zip(&choices) {
        talk.say(&format!("  {number}  {name}"))?;
    }
    let chosen = talk.choose(&asked, &vec![""; choices.len()], None)?;
    Ok(chosen.map_or(ControlFlow::Break(()), |chosen| ControlFlow::Continue(choices[chosen].0.clone())))
}

fn yes_or_no<I: io::BufRead, O: io::Write>(talk: &mut Talk<I, O>, question: &str) -> io::Result<Option<bool>> {
    loop {
        match talk.ask(question)? {
            Said::Quit | Said::Back => return Ok(None),
            Said::Text(text) => match says(&text) {
                Status::Yes => return Ok(Some(true)),
                Status::No => return Ok(Some(false)),
                _ => talk.say("  Type y or n.")?,
            },
        }
    }
}

/// Asks which of several profiles is meant.
fn one_of<I: io::BufRead, O: io::Write>(
    talk: &mut Talk<I, O>,
    sheet: &str,
    fit: &[Profile],
) -> io::Result<Option<Profile>> {
    let or_none = fit.iter().any(Profile::is_by_headers);
    let asked = if or_none {
        "looks like this layout, but lacks a column of it. Is it?"
    } else {
        "looks like several layouts. Which one is it?"
    };
    talk.say(&format!("\n{sheet} {asked}"))?;
    for (number, profile) in (1..).zip(fit) {
        let (name, title) = if profile.is_by_headers() {
            ("no", "another sheet: its own headers and cells say what its columns are")
        } else {
            (profile.name.as_str(), profile.title.as_str())
        };
        talk.say(&format!("  {number:>2}  {name:<20} {title}"))?;
    }
    let names: Vec<&str> = fit.iter().map(|profile| profile.name.as_str()).collect();
    Ok(talk.choose("number, or q to leave:", &names, None)?.ok().map(|chosen| fit[chosen].clone()))
}

/// The answer of a person who is asked for a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// Keep the profile under this one.
    Kept(String),
    /// Use it this once.
    ThisOnce,
    /// Leave everything as it is.
    Left,
}

/// Asks for a name under which the layout is recognised from now on.
pub(super) fn ask_name<I: BufRead, O: Write>(talk: &mut Talk<I, O>, config: &Config, sheet: &str) -> io::Result<Name> {
    let stem = sheet.rsplit_once('.').map_or(sheet, |(stem, _)| stem);
    let kept = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect::<String>().to_lowercase();
    let kept = kept.trim_matches('-').to_owned();
    let free = |name: &str| name_refusal(name).is_none() && !is_taken(config, name);
    let proposed = Some(kept).filter(|name| free(name));
    talk.say("\nUnder a name, the layout is recognised from now on and nothing is asked again.")?;
    let prompt = match &proposed {
        Some(name) => format!("name, or n to use it this once [{name}]:"),
        None => "name, or n to use it this once:".to_owned(),
    };
    loop {
        let text = match talk.ask(&prompt)? {
            Said::Quit => return Ok(Name::Left),
            Said::Back => String::from("n"),
            Said::Text(text) => text,
        };
        let name = if text.is_empty() { proposed.clone().unwrap_or_default() } else { text };
        if name.eq_ignore_ascii_case("n") {
            return Ok(Name::ThisOnce);
        }
        match name_refusal(&name) {
            Some(refusal) => talk.say(&format!("  {refusal}"))?,
            None if is_taken(config, &name) => {
                talk.say(&format!("  there is a profile {name} already: take another name"))?;
            }
            None => return Ok(Name::Kept(name)),
        }
    }
}

/// Whether a profile of that name is there.
fn is_taken(config: &Config, name: &str) -> bool {
    config.profile_file(name).is_ok_and(|path| path.exists())
}
