//! What was done, said once, and to the window that did it: the address of its next page names a note that nobody else asks for.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;

use super::answers::Tone;
use super::state::Desk;

/// Notes that are kept until their pages are shown; a window that was closed meanwhile asks for its own never.
const NOTES_MAX: usize = 64;

/// The notes of one desk, the oldest first.
#[derive(Default)]
pub(super) struct Notes(Mutex<VecDeque<Note>>);

struct Note {
    id: String,
    /// Empty as long as what it is about is being done.
    said: Option<(Tone, String)>,
}

/// A note that is to be written, and the page that is to show it.
#[derive(Debug, Clone)]
pub(super) struct Slip(String);

/// Which note an address names.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Named {
    pub(super) said: Option<String>,
}

impl Named {
    /// Behind the question mark.
    pub(super) fn of(query: &str) -> Self {
        serde_urlencoded::from_str(query).unwrap_or_default()
    }

    /// Another address whose page shows the same note, unless that one names one of its own.
    pub(super) fn carried_to(&self, place: &str) -> String {
        match &self.said {
            Some(id) if !place.contains(PARAMETER) => Slip(id.clone()).at(place),
            _ => place.to_owned(),
        }
    }
}

/// How an address names a note.
const PARAMETER: &str = "said=";

impl Slip {
    /// The address of a page that shows the note.
    pub(super) fn at(&self, place: &str) -> String {
        let sign = if place.contains('?') { '&' } else { '?' };
        format!("{place}{sign}{PARAMETER}{}", self.0)
    }
}

impl Notes {
    fn with<T>(&self, does: impl FnOnce(&mut VecDeque<Note>) -> T) -> T {
        does(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn begin(&self) -> Slip {
        let id = format!("{:016x}", fastrand::u64(..));
        self.with(|notes| {
            if notes.len() >= NOTES_MAX {
                notes.pop_front();
            }
            notes.push_back(Note { id: id.clone(), said: None });
        });
        Slip(id)
    }

    fn write(&self, slip: &Slip, tone: Tone, text: &str) {
        self.with(|notes| {
            if let Some(note) = notes.iter_mut().find(|note| note.id == slip.0) {
                note.said = Some((tone, text.to_owned()));
            }
        });
    }

    fn take(&self, id: &str) -> Option<(Tone, String)> {
        self.with(|notes| {
            let place = notes.iter().position(|note| note.id == id)?;
            notes.remove(place)?.said
        })
    }
}

impl Desk {
    /// A note on what is being done: it is written once that is over, by whoever does it.
    pub(super) fn slip(&self) -> Slip {
        self.notes.begin()
    }

    /// Writes on a note what was done.
    pub(super) fn write(&self, slip: &Slip, done: &str) {
        self.notes.write(slip, Tone::Good, done);
    }

    /// Writes on a note what was not done.
    pub(super) fn write_warning(&self, slip: &Slip, why: &str) {
        self.notes.write(slip, Tone::Warn, why);
    }

    /// An address whose page says what was done.
    pub(super) fn say(&self, place: &str, done: &str) -> String {
        let slip = self.slip();
        self.write(&slip, done);
        slip.at(place)
    }

    /// An address whose page says what was not done.
    pub(super) fn warn(&self, place: &str, why: &str) -> String {
        let slip = self.slip();
        self.write_warning(&slip, why);
        slip.at(place)
    }

    /// What the page says that was asked for so.
    pub(super) fn said(&self, named: &Named) -> Option<(Tone, String)> {
        self.notes.take(named.said.as_deref()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_shown_once_and_to_whoever_names_it() {
        let notes = Notes::default();
        let (one, other) = (notes.begin(), notes.begin());
        notes.write(&one, Tone::Good, "done");
        assert!(notes.take("0").is_none() && notes.take(&other.0).is_none());
        assert_eq!(notes.take(&one.0).map(|(_, text)| text).as_deref(), Some("done"));
        assert!(notes.take(&one.0).is_none());
    }

    #[test]
    fn only_so_many_notes_wait() {
        let notes = Notes::default();
        let first = notes.begin();
        notes.write(&first, Tone::Good, "done");
        (0..NOTES_MAX).for_each(|_| drop(notes.begin()));
        assert!(notes.take(&first.0).is_none());
    }

    #[test]
    fn an_address_names_one_note() {
        let slip = Slip("ab".to_owned());
        assert_eq!((slip.at("a"), slip.at("a?b=c")), ("a?said=ab".into(), "a?b=c&said=ab".into()));
        let named = Named::of("id=1&said=ab");
        assert_eq!(named.carried_to("check"), "check?said=ab");
        assert_eq!(named.carried_to("check?said=cd"), "check?said=cd");
        assert_eq!(Named::of("id=1").carried_to("check"), "check");
    }
}
