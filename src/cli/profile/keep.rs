//! Where a person's own profiles are kept.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::talk::{Said, Talk};
use crate::cli::aside::{create_private, free_beside};
use crate::cli::{Usage, settings};
use crate::ledger::create_private_folder;
use crate::profile::built_in;

/// Why a profile cannot have that name.
pub(super) fn refusal(name: &str) -> Option<String> {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    if !plain {
        return Some(format!("\"{name}\" is no name for a profile: write letters, digits, - and _"));
    }
    let known = built_in().iter().any(|profile| profile.name == name);
    known.then(|| format!("{name} is a profile that comes with the program: take another name"))
}

/// Whether a profile of that name is there.
pub(super) fn is_taken(name: &str) -> bool {
    settings::profiles_folder().is_ok_and(|folder| folder.join(format!("{name}.toml")).exists())
}

/// A profile that was written.
#[derive(Debug)]
pub(super) struct Kept {
    /// Where it is.
    pub(super) path: PathBuf,
    /// Where the earlier one of its name is now.
    pub(super) earlier: Option<PathBuf>,
}

/// Writes a profile into the user's folder. One that it replaces stays beside it under another name: somebody may have
/// spent an afternoon on it.
pub(super) fn keep(name: &str, toml: &str, replace: bool) -> Result<Kept> {
    if let Some(refusal) = refusal(name) {
        bail!(Usage(refusal));
    }
    let folder = settings::profiles_folder()?;
    create_private_folder(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let path = folder.join(format!("{name}.toml"));
    let failed = || format!("cannot write the profile {}", path.display());
    let mut new = tempfile::NamedTempFile::with_prefix_in(".profile-", &folder).with_context(failed)?;
    new.write_all(toml.as_bytes()).and_then(|()| new.as_file().sync_all()).with_context(failed)?;
    let there = std::fs::read(&path).ok();
    if there.is_some() && !replace {
        bail!(
            "cannot write the profile {}: there is one of that name (--replace overwrites it, and keeps it beside the new one)",
            path.display()
        );
    }
    let mut earlier = None;
    if let Some(there) = there.filter(|there| there != toml.as_bytes()) {
        let aside = free_beside(&path, |number| format!("{name}.toml.before-{number}"))
            .with_context(|| format!("thousands of earlier profiles are in {}: move them away", folder.display()))?;
        create_private(&aside)
            .and_then(|mut file| file.write_all(&there))
            .with_context(|| format!("cannot keep the earlier profile as {}; nothing was changed", aside.display()))?;
        earlier = Some(aside);
    }
    if replace { new.persist(&path).map(drop) } else { new.persist_noclobber(&path).map(drop) }.with_context(failed)?;
    Ok(Kept { path, earlier })
}

/// What a person answers who is asked for a name.
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
pub(super) fn ask_name<I: BufRead, O: Write>(talk: &mut Talk<I, O>, sheet: &str) -> io::Result<Name> {
    let stem = sheet.rsplit_once('.').map_or(sheet, |(stem, _)| stem);
    let kept = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect::<String>().to_lowercase();
    let kept = kept.trim_matches('-').to_owned();
    let free = |name: &str| refusal(name).is_none() && !is_taken(name);
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
        match refusal(&name) {
            Some(refusal) => talk.say(&format!("  {refusal}"))?,
            None if is_taken(&name) => talk.say(&format!("  there is a profile {name} already: take another name"))?,
            None => return Ok(Name::Kept(name)),
        }
    }
}
