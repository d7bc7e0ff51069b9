//! Orders that others came in between wait for their next row: on disk, where they are many.

use std::collections::HashMap;
use std::io;

use super::draft::Draft;
use crate::spool::{Spool, Spooled};

/// So many orders may wait in memory; beyond them, each takes no more than its place on disk.
const HERE_MAX: usize = 10_000;

/// Orders of one key, whose numbers look alike: they wait for each other.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(super) key: u64,
    pub(super) drafts: Vec<Draft>,
    /// The order of the last row.
    pub(super) last: usize,
    /// Rows to come.
    pub(super) left: u32,
}

/// Where waiting orders are.
#[derive(Debug)]
enum Place {
    Here(Box<Group>),
    /// One order in the file, and the rows that are to come.
    There {
        at: Spooled,
        left: u32,
    },
}

/// Waiting orders by the key of their numbers.
#[derive(Debug)]
pub(super) struct Parked {
    places: HashMap<u64, Place>,
    /// How many of them are in memory.
    here: usize,
    here_max: usize,
    file: Spool,
}

impl Default for Parked {
    fn default() -> Self {
        Self::beyond(HERE_MAX)
    }
}

impl Parked {
    /// Takes to the disk what is more than so many.
    fn beyond(here_max: usize) -> Self {
        Self { places: HashMap::new(), here: 0, here_max, file: Spool::default() }
    }

    pub(crate) fn put(&mut self, group: Group) {
        let key = group.key;
        let place = self.there(&group).unwrap_or_else(|| {
            self.here += 1;
            Place::Here(Box::new(group))
        });
        self.places.insert(key, place);
    }

    /// Writes an order down. None where it stays in memory: while they are few, where there is more to it than cells,
    /// and where the disk has no room.
    fn there(&mut self, group: &Group) -> Option<Place> {
        let [draft] = group.drafts.as_slice() else { return None };
        if self.here < self.here_max || !draft.problems.is_empty() {
            return None;
        }
        Some(Place::There { at: self.file.put(draft).ok()?, left: group.left })
    }

    /// Takes out what waits under a key. An error means that an order is lost.
    pub(crate) fn take(&mut self, key: u64) -> io::Result<Option<Group>> {
        self.places.remove(&key).map(|place| self.fetch(key, place)).transpose()
    }

    fn fetch(&mut self, key: u64, place: Place) -> io::Result<Group> {
        match place {
            Place::Here(group) => {
                self.here -= 1;
                Ok(*group)
            }
            Place::There { at, left } => Ok(Group { key, drafts: vec![self.file.get(at)?], last: 0, left }),
        }
    }

    /// Takes out all that still waits.
    pub(super) fn take_all(&mut self) -> io::Result<Vec<Group>> {
        let places = std::mem::take(&mut self.places);
        places.into_iter().map(|(key, place)| self.fetch(key, place)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Condition;
    use crate::column::{Feed, RowRef};
    use crate::field::Id;

    fn parked(here_max: usize, groups: u32) -> (Parked, impl Fn(u32) -> Group) {
        let group = |number: u32| {
            let mut draft = Draft::new(&format!("A-{number}"), u64::from(number) * 3, 4);
            let at = RowRef { sheet: 2, row: number };
            draft.rows.push(at);
            let slot = draft.keep(Feed::cell(Id::DestinationCity, 7), "Köln", Condition::Native, at);
            draft.cells.push(slot);
            draft.keep_in_line(Feed::cell(Id::Price, 8), &"9".repeat(300), Condition::Sound, at);
            draft.end_line(at, 1, true);
            Group { key: number.into(), drafts: vec![draft], last: 0, left: 5 }
        };
        let mut parked = Parked::beyond(here_max);
        (0..groups).for_each(|number| parked.put(group(number)));
        (parked, group)
    }

    #[test]
    fn what_waits_on_disk_comes_back_as_it_was() {
        let (mut parked, group) = parked(2, 3_000);
        assert_eq!(parked.here, 2);
        for key in [2_999, 7, 1] {
            assert_eq!(format!("{:?}", parked.take(key.into()).unwrap()), format!("{:?}", Some(group(key))));
            assert!(parked.take(key.into()).unwrap().is_none());
        }
    }
}
