//! Several needed columns that are not there: one problem on the screen, with one way out.

use std::path::Path;

use crate::cli::args::SheetArguments;
use crate::cli::settings::{self, Settings};
use crate::field::{Field, Id};
use crate::problem::{Code, Problem, Severity};
use crate::stage::Opened;
use crate::text::{list, shell_quoted};

/// A sheet of which fewer columns are known is likely no order sheet.
const KNOWN_MIN: usize = 3;

/// What is wrong with the sheets, for the screen: columns that are missing are one problem, and the rest as it is.
pub(in crate::cli) fn joined(settings: &Settings, arguments: &SheetArguments, opened: &Opened) -> Vec<Problem> {
    let without_number = opened.sheets.iter().filter(|planned| planned.plan.column(Id::OrderNumber).is_none()).count();
    // Where only some of several sheets lack the number, each of them is named.
    let number = (without_number == opened.sheets.len()).then(|| Id::OrderNumber.field());
    let missing: Vec<&Field> = number.into_iter().chain(opened.missing.iter().copied()).collect();
    let is_one = |problem: &&Problem| {
        problem.level == Severity::Hold
            && problem.id == Code::MissingColumn
            && missing.iter().any(|field| problem.is_on(field.path))
    };
    let strange = opened.sheets.iter().all(|planned| planned.plan.fed().count() < KNOWN_MIN);
    if number.is_some() && strange {
        // Hardly an order sheet: all that it lacks says less than that it has no order number.
        let is_more = |problem: &&Problem| is_one(problem) && !problem.is_on(Id::OrderNumber.field().path);
        return opened.problems.iter().filter(|problem| !is_more(problem)).cloned().collect();
    }
    let first = opened.problems.iter().find(is_one).filter(|_| !opened.missing.is_empty() && missing.len() > 1);
    let Some(first) = first else { return opened.problems.clone() };
    let names: Vec<&str> = missing.iter().map(|field| field.header).collect();
    let message = format!("{} needed columns are not there: {}", names.len(), list(&names, "and"));
    let mut joint = Problem::error(Code::MissingColumn, message).hint(way_out(settings, arguments, opened, &missing));
    (joint.place, joint.found) = (first.place.clone(), first.found.clone());
    let rest = opened.problems.iter().filter(|problem| !is_one(problem)).cloned();
    let (mut errors, warnings): (Vec<Problem>, Vec<Problem>) =
        rest.partition(|problem| problem.level == Severity::Hold);
    errors.push(joint);
    errors.extend(warnings);
    errors
}

fn way_out(settings: &Settings, arguments: &SheetArguments, opened: &Opened, missing: &[&Field]) -> String {
    let (constant, each): (Vec<&Field>, Vec<&Field>) = missing
        .iter()
        .partition(|field| field.may_be_constant() && !(field.id == Id::OrderType && opened.speaks_of_payment()));
    let mut ways = Vec::new();
    let own = opened.sheets.iter().find(|planned| planned.plan.is_own()).and_then(|planned| planned.plan.profile());
    if let Some(own) = own {
        ways.push(format!("complete {}, which says how this sheet is read", profile_file(arguments, own)));
    } else if !each.is_empty() {
        let names: Vec<String> = each.iter().map(|field| format!("\"{}\"", field.header)).collect();
        let sheet = arguments.sheets.first().map(|path| shell_quoted(&path.to_string_lossy())).unwrap_or_default();
        let command = &settings.command;
        ways.push(format!(
            "say once which column is which: `{command} import {sheet}` asks for it at a terminal, and `shipsheet profile \
             guess {sheet} --save NAME` writes a file to complete; or give the columns the headers {}{}",
            list(&names, "and"),
            of_one_piece(opened, &each)
        ));
    }
    if !constant.is_empty() {
        let file = match &settings.config.file {
            Some(file) => format!("below [defaults] in {}", file.display()),
            None => "into a file shipsheet.toml in this folder, which is not there yet".to_owned(),
        };
        let lines = constant.iter().map(|field| format!("\n        \"{}\" = \"{}\"", field.path, field.example));
        ways.push(format!(
            "add the columns; or, where one value holds for all orders, write it {file}, with your own values:\n        \
             [defaults]{}",
            lines.collect::<String>()
        ));
    }
    ways.join("\n  and:  ")
}

/// What a price is of, where it is asked for and a column has what may be that of all pieces.
fn of_one_piece(opened: &Opened, missing: &[&Field]) -> String {
    if !missing.iter().any(|field| field.id == Id::Price) {
        return String::new();
    }
    let instead = opened.possible_line_total().map(|total| {
        format!(
            "; if \"{total}\" is what all pieces of a row come to, give it the header \"Line Total\" instead, and the price \
             is reckoned from it"
        )
    });
    format!(", the price being that of one piece{}", instead.unwrap_or_default())
}

/// The file of a person's own profile.
fn profile_file(arguments: &SheetArguments, name: &str) -> String {
    let named = arguments.profile.as_deref().filter(|named| Path::new(named).is_file());
    let kept = || Some(settings::profiles_folder().ok()?.join(format!("{name}.toml")).display().to_string());
    named.map(str::to_owned).or_else(kept).unwrap_or_else(|| format!("the profile {name}"))
}
