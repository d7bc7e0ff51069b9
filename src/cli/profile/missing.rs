//! Several needed columns that are not there: one problem on the screen, with one way out.

use std::path::Path;

use crate::cli::args::SheetArguments;
use crate::cli::settings::Settings;
use crate::column::Columns;
use crate::field::{Field, Id};
use crate::finding::column::missing_column;
use crate::finding::{self, Command, Finding, Reading, Remedy};
use crate::stage::Opened;

/// A sheet of which fewer columns are known is likely no order sheet.
const KNOWN_MIN: usize = 3;

/// What is wrong with the sheets, for the screen: columns that are missing are one problem, and the rest as it is.
pub(in crate::cli) fn joined(settings: &Settings, arguments: &SheetArguments, opened: &Opened) -> Vec<Finding> {
    let without_number = opened.columns.iter().filter(|columns| columns.column(Id::OrderNumber).is_none()).count();
    // Where only some of several sheets lack the number, each of them is named.
    let number = (without_number == opened.sheets.len()).then(|| Id::OrderNumber.field());
    let missing: Vec<&Field> = number.into_iter().chain(opened.missing.iter().copied()).collect();
    let is_one = |problem: &&Finding| {
        problem.holds()
            && problem.id == finding::Id::MissingColumn
            && missing.iter().any(|field| problem.is_on(field.path))
    };
    let strange = opened.columns.iter().all(|columns| columns.fed().count() < KNOWN_MIN);
    if number.is_some() && strange {
        // Hardly an order sheet: all that it lacks says less than that it has no order number.
        let is_more = |problem: &&Finding| is_one(problem) && !problem.is_on(Id::OrderNumber.field().path);
        return opened.problems.iter().filter(|problem| !is_more(problem)).cloned().collect();
    }
    let first = opened.problems.iter().find(is_one).filter(|_| !opened.missing.is_empty() && missing.len() > 1);
    let Some(first) = first else { return opened.problems.clone() };
    let mut joint = several(settings, arguments, opened, &missing);
    (joint.place, joint.found) = (first.place.clone(), first.found.clone());
    let rest = opened.problems.iter().filter(|problem| !is_one(problem)).cloned();
    let (mut errors, warnings): (Vec<Finding>, Vec<Finding>) = rest.partition(Finding::holds);
    errors.push(joint);
    errors.extend(warnings);
    errors
}

/// Several columns that are not there, as one finding with one way out.
fn several(settings: &Settings, arguments: &SheetArguments, opened: &Opened, missing: &[&Field]) -> Finding {
    let (constant, each): (Vec<&Field>, Vec<&Field>) = missing.iter().partition(|field| {
        field.may_be_constant() && !(field.id == Id::OrderType && opened.columns.iter().any(Columns::speaks_of_payment))
    });
    let fields: Vec<&str> = missing.iter().map(|field| field.header).collect();
    let file = settings.config().file().map(|file| file.display().to_string());
    let values = constant.iter().map(|field| (field.path.to_owned(), field.example.to_owned())).collect();
    let set = (!constant.is_empty()).then_some(Remedy::SetDefaults { values });
    let own = opened.columns.iter().find(|columns| columns.is_own()).and_then(Columns::profile);
    if let Some(own) = own {
        let edit = Remedy::EditProfile { file: profile_file(settings, arguments, own) };
        return missing_column::several_of_profile(&fields, file, edit).remedies(set);
    }
    let sheet = arguments.sheets.first().cloned().unwrap_or_default();
    let import = Remedy::run(Command::Import { sheet: sheet.clone() });
    let guess = Remedy::save_profile(&sheet, Reading::default(), "NAME", false);
    let headers: Vec<&str> = each.iter().map(|field| field.header).collect();
    // What a price is of, where it is asked for and a column has what may be that of all pieces.
    let has_price = each.iter().any(|field| field.id == Id::Price);
    match set {
        Some(set) if each.is_empty() => missing_column::several_constant(&fields, file, set),
        set => {
            let price = has_price.then(|| missing_column::price_of_one(opened.possible_line_total()));
            // A column that is likely to hold one of them is named beside it.
            let named = |field: &&Field| match opened.likely(field.id) {
                Some(likely) => format!("{} (likely \"{}\")", field.header, likely.column.header),
                None => field.header.to_owned(),
            };
            let fields = missing.iter().map(named).collect();
            missing_column::several(fields, headers, price, file, import, guess).remedies(set)
        }
    }
}

/// The file of a person's own profile.
fn profile_file(settings: &Settings, arguments: &SheetArguments, name: &str) -> String {
    let named = arguments.how.profile.as_deref().filter(|named| Path::new(named).is_file());
    let kept = || Some(settings.config().profile_file(name).ok()?.display().to_string());
    named.map(str::to_owned).or_else(kept).unwrap_or_else(|| format!("the profile {name}"))
}
