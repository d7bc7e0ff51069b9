//! Layouts of sheets that were remembered: what each is told by and says of every order, and how it is forgotten.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::text::shortened;

use super::answer::Result;
use super::page;
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
