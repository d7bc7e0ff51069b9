//! Saving a draft's columns, and the values of all its orders, as a layout for sheets like it.

use crate::app::connect::App;
use crate::app::error::Result;
use crate::app::profiles::{Kept, keep};
use crate::event::Events;
use crate::profile::Profile;

use super::columns::as_profile;
use super::store::LayoutMade;
use super::{Draft, opened};

impl Draft {
    /// Keeps what was said of its columns, and of all orders, as a profile: sheets like this are read so from then on. One that
    /// was made of this draft, and that nobody has changed since, is replaced.
    ///
    /// # Errors
    /// No profile can have the name; there is one of that name already and it is not to be replaced; it cannot be written.
    pub fn keep_profile(&mut self, app: &App, name: &str, replace: bool, events: &mut Events<'_>) -> Result<Kept> {
        let Self { stored, said, open } = self;
        let open = opened(open, (app, stored, said), events)?;
        let toml = as_profile(&open.reading, said, name)?;
        Profile::parse(name, &toml)?;
        let there = app.config.profile_file(name).ok().and_then(|path| std::fs::read(path).ok());
        let is_own = there.is_some_and(|text| stored.layout_made() == Some(&LayoutMade::of(name, &text)));
        let kept = keep(&app.config, name, &toml, replace || is_own)?;
        // Where this cannot be noted, it is asked for another name next time.
        let _ = stored.made_layout(app, LayoutMade::of(name, toml.as_bytes()));
        Ok(kept)
    }
}
