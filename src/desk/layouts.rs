//! Layouts of sheets that were remembered: what each is told by and says of every order, and how it is forgotten.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{self, Kept, profile_name};
use crate::text::shortened;

use super::answer::Result;
use super::page;
use super::said::Slip;
use super::state::Desk;
use super::trouble::Trouble;

/// The layouts that a person had remembered.
pub(super) fn section(desk: &Desk) -> Result<Markup> {
    let own = desk.app().own_profiles()?;
    Ok(html! {
        section aria-labelledby="layouts" {
            h2 #layouts { "Remembered layouts" }
            @if own.is_empty() { p.soft { "None yet. Tick “Remember for sheets like this” under Columns to keep one." } }
            ul.open {
                @for layout in &own {
                    li {
                        span.grow {
                            b { (layout.name) }
                            @if !layout.recognised_by.is_empty() { div.soft { "Told by the headers " (shortened(&layout.recognised_by.join(", "), 200)) "." } }
                            @if !layout.defaults.is_empty() {
                                @let every: Vec<String> = layout.defaults.iter().map(|(id, value)| format!("{} {value}", id.field().header)).collect();
                                div.soft { "Every order gets: " (shortened(&every.join(", "), 200)) "." }
                            }
                        }
                        (page::form(desk, "forget-layout", &html! {
                            input type="hidden" name="name" value=(layout.name);
                            button aria-label={ "Forget " (layout.name) } { "Forget" }
                        }))
                    }
                }
            }
        }
    })
}

/// A name that a layout may have, from the sheet's.
pub(super) fn name_of(file: &str) -> String {
    let stem: String = file.split('.').next().unwrap_or_default().chars().take(40).collect();
    let name = profile_name(&stem);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-').to_lowercase();
    if name.is_empty() { "layout".to_owned() } else { name }
}

/// The same from what a person calls it.
pub(super) fn called(typed: &str, file: &str) -> String {
    Some(profile_name(typed)).filter(|name| !name.is_empty()).unwrap_or_else(|| name_of(file))
}

/// Why a layout is not kept yet: by what is still needed, or because no order has all that it needs.
pub(super) fn not_yet(still_needed: Option<&str>) -> String {
    match still_needed {
        Some(needed) => format!("{needed} The layout is not remembered before that: it is once you have said it."),
        None => {
            "The layout is not remembered yet: no order of this sheet has all that it needs. Once one has, go on from Columns \
             again."
                .to_owned()
        }
    }
}

/// Says whether a layout is remembered. What was said of the columns holds for this sheet anyway.
pub(super) fn tell(desk: &Desk, slip: &Slip, kept: app::Result<Kept>) {
    match kept {
        Ok(kept) => desk.write(slip, &format!("Sheets with these headers are read as “{}” from now on.", kept.name)),
        Err(error) => {
            let why = match error {
                app::Error::ProfileThere(_) => {
                    "There is one of this name. Choose another name under Columns.".to_owned()
                }
                error => Trouble::from(error).sentence(),
            };
            desk.write_warning(slip, &format!("This layout is not remembered. {why}"));
        }
    }
}

/// Which layout.
#[derive(Deserialize)]
pub(super) struct Forgotten {
    name: String,
}

pub(super) fn forget(desk: &Arc<Desk>, forgotten: &Forgotten) -> Result<String> {
    // What is being booked is read as it was shown.
    if let Some(job) = desk.work.running() {
        return Err(Trouble::Busy(job.kind.words()));
    }
    let aside = desk.app().forget_profile(&forgotten.name)?;
    desk.drafts.forget_all();
    let done = format!("Sheets are no longer read as “{}”. Its file is kept as {}.", forgotten.name, aside.display());
    Ok(desk.say("settings", &done))
}
