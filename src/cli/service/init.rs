//! `service init`: the first steps at a terminal, from the service's address to a configuration that was tried.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::api::Endpoint;
use crate::api::service::NamedWarehouse;
use crate::app::{App, Exit, FirstSaid, FirstStep, TRY_ONE_ORDER};
use crate::config::{Edit, Secret, SetBy, expanded};
use crate::field::Field;
use crate::text::{error_chain, shell_quoted};

use crate::cli::Usage;
use crate::cli::connect::settle_service;
use crate::cli::console::{listen_for_signals, note, print, somebody_is_here};
use crate::cli::global::{Format, Global};
use crate::cli::keyboard::{line, secret};
use crate::cli::settings::Settings;

use super::login::told;

/// Printed before the first question.
const INTRODUCTION: &str = "A few questions, and a configuration at the end. Enter takes what stands in brackets, or leaves a \
                            question out.\nNothing is written before you say yes; Ctrl-C ends it at any time.\n";

/// An account or a token, as typed.
enum Entered {
    Token(String),
    Account { email: String, password: String },
}

impl Entered {
    fn secret(&self) -> Secret<'_> {
        match self {
            Self::Token(text) => Secret::Token(text),
            Self::Account { email, password } => Secret::Account { email, password },
        }
    }
}

/// The answers so far.
#[derive(Default)]
struct Said {
    address: String,
    entered: Option<Entered>,
    /// The account's, where it has them listed.
    warehouses: Vec<NamedWarehouse>,
    values: Vec<(&'static Field, String)>,
    /// Whether nobody knows if the service has that warehouse.
    is_untried: bool,
}

pub(in crate::cli) fn init(global: &Global) -> Result<Exit> {
    if global.sandbox {
        bail!(Usage("the practice service needs no setup: leave --sandbox out".to_owned()));
    }
    if global.format == Format::Json {
        bail!(Usage("`service init` asks a person: leave --format json out".to_owned()));
    }
    if !somebody_is_here() {
        bail!(
            "nobody can be asked here: `shipsheet template shipsheet.toml` writes a configuration to fill in with an editor"
        );
    }
    // One that is named and not there is the one to make.
    let is_new = global.config.as_ref().is_some_and(|path| !path.exists());
    let settings = if is_new { Settings::lenient(global)? } else { Settings::new(global)? };
    let app = &settings.app;
    note(INTRODUCTION);
    let mut said = Said::default();
    for (step, _) in app.first_steps() {
        match step {
            FirstStep::Address => said.address = address(app)?,
            FirstStep::Login => login(&settings, &mut said)?,
            FirstStep::Warehouse => warehouse(app, &mut said)?,
            FirstStep::Parcel => parcel(app, &mut said)?,
            FirstStep::Country => {
                code(app, &mut said, step, "The country that parcels go to, such as IN", "each sheet says it")?;
            }
            FirstStep::Currency => code(app, &mut said, step, "The currency of prices", "")?,
        }
    }
    let folder = folder()?;
    if !write(app, &said)? {
        return Ok(Exit::Done);
    }
    next(&settings, &said, folder.as_deref())?;
    Ok(Exit::Done)
}

/// Asks until an answer fits; what is wrong with one that does not is said before it is asked again.
fn asked<T>(question: &str, mut fits: impl FnMut(String) -> Result<T>) -> Result<T> {
    loop {
        match fits(line(question)?) {
            Ok(answer) => return Ok(answer),
            Err(error) => note(format!("  {}", error_chain(&*error))),
        }
    }
}

/// What Enter takes, behind a question.
fn usual(value: Option<&str>) -> String {
    value.map(|value| format!(" [{value}]")).unwrap_or_default()
}

fn address(app: &App) -> Result<String> {
    let now = app.config().base_url().map(str::to_owned);
    let question = format!("The service's address, such as https://api.example.com{}: ", usual(now.as_deref()));
    asked(&question, |text| {
        let text = if text.is_empty() { now.clone().unwrap_or_default() } else { text };
        if text.is_empty() {
            bail!("an address is needed: your courier service tells you that of its API");
        }
        app.fits_setting("base_url", &text)?;
        Ok(text)
    })
}

/// Asks for an account or a token until the service takes it, or somebody goes on without.
fn login(settings: &Settings, said: &mut Said) -> Result<()> {
    let app = &settings.app;
    if let Some(known) = app.config().login_named() {
        let is_kept = asked(&format!("In use is {known}. Keep it? [Y/n] "), yes_or_no(true))?;
        if is_kept {
            tried_again(settings, said);
            return Ok(());
        }
    }
    loop {
        let Some(entered) = entered()? else {
            note("  without one nothing can be booked; `shipsheet service init` takes it at any later time");
            return Ok(());
        };
        note("  trying it …");
        match app.first_login(&Endpoint::parse(&said.address)?, entered.secret()) {
            Ok(found) => {
                note(indented(&told(&found.logged_in)));
                said.warehouses = found.warehouses;
                said.entered = Some(entered);
                return Ok(());
            }
            Err(error) => note(format!("  that did not work: {}", error_chain(&error))),
        }
        let question = "Enter: log in again; a: another address; k: keep what you entered, untried: ";
        let choice = asked(question, |text| match text.to_lowercase().as_str() {
            "" | "a" | "k" => Ok(text.to_lowercase()),
            _ => bail!("\"{text}\" is none of these"),
        })?;
        match choice.as_str() {
            "a" => said.address = address(app)?,
            "k" => {
                said.entered = Some(entered);
                return Ok(());
            }
            _ => {}
        }
    }
}

/// What opens the service already, tried at the address that is configured.
fn tried_again(settings: &Settings, said: &mut Said) {
    let app = &settings.app;
    if app.config().base_url() != Some(said.address.as_str()) {
        note("  not tried: the address is another one now; `shipsheet service login` tries it");
        return;
    }
    match settle_service(settings).and_then(|()| app.log_in()) {
        Ok(found) => found.iter().for_each(|found| note(indented(&told(found)))),
        Err(error) => note(format!("  that did not work: {}", error_chain(&error))),
    }
    said.warehouses = app.account_warehouses();
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn entered() -> Result<Option<Entered>> {
    let question = "E-mail address of the account, or t for a token (Enter: not yet): ";
    let email = asked(question, |text| {
        if text.is_empty() || text == "t" || text.contains('@') { Ok(text) } else { bail!("that is no e-mail address") }
    })?;
    let (question, what) = if email == "t" { ("The token: ", "token") } else { ("The password: ", "password") };
    if email.is_empty() {
        return Ok(None);
    }
    loop {
        let text = secret(question)?;
        match text.as_str() {
            "" => note(format!("  a {what} is needed; what you type is not shown")),
            _ if email == "t" => return Ok(Some(Entered::Token(text))),
            _ => return Ok(Some(Entered::Account { email, password: text })),
        }
    }
}

fn warehouse(app: &App, said: &mut Said) -> Result<()> {
    for field in FirstStep::Warehouse.fields() {
        let now = app.first_value(field);
        let shown = usual(now.as_deref());
        let listed = &said.warehouses;
        let question = if listed.is_empty() {
            format!("The id of the warehouse that parcels leave from{shown} (Enter: not yet): ")
        } else {
            let lines = (1..).zip(listed).map(|(number, own)| format!("  {number}  {}", named(own)));
            note(format!("The warehouses of the account:\n{}", lines.collect::<Vec<_>>().join("\n")));
            format!("Which of them do parcels leave from, by its number{shown} (Enter: each sheet says it): ")
        };
        let answer = asked(&question, |text| {
            let chosen = chosen(listed, &text)?;
            app.fits_setting(&format!("defaults.{}", field.path), &chosen)?;
            Ok(chosen)
        })?;
        if !answer.is_empty() {
            said.is_untried = listed.is_empty();
            said.values.push((field, answer));
        }
    }
    if said.is_untried {
        note(format!("  {TRY_ONE_ORDER}"));
    }
    Ok(())
}

/// A warehouse by its number in the list, its id or its name; whatever was typed where there is no list.
fn chosen(listed: &[NamedWarehouse], text: &str) -> Result<String> {
    if text.is_empty() || listed.is_empty() {
        return Ok(text.to_owned());
    }
    let by_number = text.parse().ok().and_then(|number: usize| listed.get(number.checked_sub(1)?));
    let is_it = |own: &&NamedWarehouse| own.id == text || own.name.as_deref() == Some(text);
    match listed.iter().find(is_it).or(by_number) {
        Some(found) => Ok(found.id.clone()),
        None => bail!("\"{text}\" is none of them: type a number from 1 to {}", listed.len()),
    }
}

fn named(warehouse: &NamedWarehouse) -> String {
    match &warehouse.name {
        Some(name) => format!("{name} ({})", warehouse.id),
        None => warehouse.id.clone(),
    }
}

fn parcel(app: &App, said: &mut Said) -> Result<()> {
    let fields = FirstStep::Parcel.fields();
    let now: Option<Vec<String>> = fields.iter().map(|field| app.first_value(field)).collect();
    let shown = usual(now.map(|values| values.join(" ")).as_deref());
    let question = format!(
        "The usual parcel: length, width and height in cm, weight in kg, such as 20 15 10 0.5{shown} (Enter: each sheet says it): "
    );
    let values = asked(&question, |text| {
        let parts: Vec<&str> = text.split([' ', 'x', 'X', '×']).filter(|part| !part.is_empty()).collect();
        if !parts.is_empty() && parts.len() != fields.len() {
            bail!("{} numbers are needed: length, width, height and weight", fields.len());
        }
        for (field, text) in fields.iter().zip(&parts) {
            app.fits_setting(&format!("defaults.{}", field.path), text)?;
        }
        Ok(parts.into_iter().map(str::to_owned).collect::<Vec<_>>())
    })?;
    said.values.extend(fields.into_iter().zip(values));
    Ok(())
}

/// Asks for the code that a step is about; Enter takes the one in use, or means what `without` says.
fn code(app: &App, said: &mut Said, step: FirstStep, question: &str, without: &str) -> Result<()> {
    for field in step.fields() {
        let now = app.first_value(field);
        let enter = if now.is_none() && !without.is_empty() { format!(" (Enter: {without})") } else { String::new() };
        let answer = asked(&format!("{question}{}{enter}: ", usual(now.as_deref())), |text| {
            let text = text.to_uppercase();
            app.fits_setting(&format!("defaults.{}", field.path), &text)?;
            Ok(text)
        })?;
        if !answer.is_empty() && Some(&answer) != now.as_ref() {
            said.values.push((field, answer));
        }
    }
    Ok(())
}

fn folder() -> Result<Option<PathBuf>> {
    asked("A folder whose sheets are booked at night (Enter: none): ", |text| {
        let path = expanded(text.as_ref());
        if text.is_empty() {
            return Ok(None);
        }
        if path.exists() && !path.is_dir() {
            bail!("{} is a file and no folder", path.display());
        }
        Ok(Some(std::path::absolute(path)?))
    })
}

fn yes_or_no(usual: bool) -> impl FnMut(String) -> Result<bool> {
    move |text| match text.to_lowercase().as_str() {
        "" => Ok(usual),
        "y" | "yes" => Ok(true),
        "n" | "no" => Ok(false),
        _ => bail!("type y or n"),
    }
}

/// Shows what is to be written, and writes it after a yes.
fn write(app: &App, said: &Said) -> Result<bool> {
    let secret = said.entered.as_ref().map(Entered::secret);
    let first = FirstSaid { address: &said.address, secret, values: said.values.clone() };
    let edit = match app.first_edit(&first) {
        Ok(edit) => edit,
        Err(error) => {
            note(format!("\nnothing can be written: {}", error_chain(&error)));
            note("Add to the file what follows:\n");
            print(app.first_lines(&first)?.as_bytes())?;
            return Ok(false);
        }
    };
    let kept = secret.map(|secret| app.config().secret_file(secret)).transpose()?;
    if !edit.is_new() && kept.is_none() {
        note(format!("\n{} says all of this already", edit.path().display()));
        return Ok(true);
    }
    show(&edit)?;
    if let Some(path) = &kept {
        note(format!("\n{}: what you typed unseen, for your eyes alone", path.display()));
    }
    if !asked("Write it? [Y/n] ", yes_or_no(true))? {
        note("nothing was written");
        return Ok(false);
    }
    // From here on an interrupt waits: two files belong together.
    let _stop = listen_for_signals()?;
    app.keep_first(&first, &edit)?;
    note(format!("{} is written", edit.path().display()));
    Ok(true)
}

/// The file as it becomes: all of a new one, or what changes.
fn show(edit: &Edit) -> Result<()> {
    let (gone, come) = edit.lines();
    let mut text = format!("\n{}:\n\n", edit.path().display()).into_bytes();
    if edit.makes_file() {
        come.iter().try_for_each(|line| writeln!(text, "  {line}"))?;
    } else {
        gone.iter().try_for_each(|line| writeln!(text, "- {line}"))?;
        come.iter().try_for_each(|line| writeln!(text, "+ {line}"))?;
    }
    note(String::from_utf8_lossy(&text));
    Ok(())
}

/// What to type now.
fn next(settings: &Settings, said: &Said, folder: Option<&Path>) -> Result<()> {
    let command = &settings.command;
    for name in ["base_url", "token_file", "auth.email"] {
        if let SetBy::Environment(variable) = settings.config().set_by(name) {
            note(format!("but {variable} is set as well and goes before the file: take it away"));
        }
    }
    note(format!("next: `{command} template orders.xlsx` makes a sheet to fill in"));
    let few = if said.is_untried { " --max-orders 1" } else { "" };
    note(format!("next: `{command} import orders.xlsx{few}` checks it, asks, and books"));
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)?;
        let folder = shell_quoted(&folder.display().to_string());
        note(format!("next: `{command} night install {folder}` makes what starts the night"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warehouse_is_chosen_by_number_id_or_name() {
        let of = |id: &str, name: Option<&str>| NamedWarehouse { id: id.to_owned(), name: name.map(str::to_owned) };
        let listed = [of("WH-1", Some("Pune")), of("2", None), of("WH-3", None)];
        for (text, id) in [("1", "WH-1"), ("Pune", "WH-1"), ("WH-3", "WH-3"), ("2", "2"), ("3", "WH-3"), ("", "")] {
            assert_eq!(chosen(&listed, text).unwrap(), id, "{text}");
        }
        for text in ["0", "4", "Delhi"] {
            assert!(chosen(&listed, text).unwrap_err().to_string().contains("none of them"), "{text}");
        }
        assert_eq!(chosen(&[], "WH-9").unwrap(), "WH-9");
    }
}
