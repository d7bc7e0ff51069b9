//! The name under which a layout is recognised from now on.

use std::io::{self, BufRead, Write};

use super::talk::{Said, Talk};
use crate::app::name_refusal;
use crate::config::Config;

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
