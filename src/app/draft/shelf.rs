//! All drafts that there are: each a folder whose name says when it came.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::app::error::{Error, Result};
use crate::ledger::is_own_folder;

use super::store::{ANSWERS, Folder, added_ms, locked, place};

/// A draft that is there and cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadDraft {
    /// Its id; nothing where the folder of all drafts cannot be listed.
    pub id: Option<String>,
    /// Its folder.
    pub folder: PathBuf,
    /// Why.
    pub why: String,
}

/// The folder of every draft, the newest first, but for those that are [unread].
pub(super) fn list(root: &Path) -> Vec<Folder> {
    if listable(root).is_err() {
        return Vec::new();
    }
    let mut drafts: Vec<Folder> = ids(root).filter_map(|id| Folder::open(root, &id).ok()).collect();
    drafts.sort_by_key(|draft| std::cmp::Reverse(draft.added_ms()));
    drafts
}

/// Drafts that are there and cannot be read, and the folder of all where it cannot be listed: each with why.
pub(super) fn unread(root: &Path) -> Vec<UnreadDraft> {
    if let Err(why) = listable(root) {
        return vec![UnreadDraft { id: None, folder: root.to_owned(), why: why.to_string() }];
    }
    let unread =
        |id: String| Folder::why_unread(root, &id).map(|why| UnreadDraft { folder: root.join(&id), id: Some(id), why });
    ids(root).filter_map(unread).collect()
}

/// Refuses a folder of drafts that somebody else made, or that cannot be listed; there need not be one.
fn listable(root: &Path) -> io::Result<()> {
    for folder in root.parent().into_iter().chain([root]) {
        if !is_own_folder(folder)? {
            return Ok(());
        }
    }
    fs::read_dir(root).map(drop)
}

/// Every draft with how often something was said of it; nothing in place of that for one that cannot be read.
pub(super) fn revisions(root: &Path) -> BTreeMap<String, Option<u64>> {
    ids(root)
        .map(|id| (Folder::open(root, &id).ok().map(|own| own.revision()), id))
        .map(|(own, id)| (id, own))
        .collect()
}

/// Takes a draft away, with its sheet.
pub(super) fn clear(root: &Path, id: &str) -> Result<()> {
    let _lock = locked(root)?;
    let path = place(root, id)?;
    let cannot = || Error::file(format!("cannot take away {}", path.display()));
    // First what makes it a draft: wherever this stops, the rest is none.
    match fs::remove_file(path.join(ANSWERS)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot()(error)),
        _ => fs::remove_dir_all(&path).map_err(cannot()),
    }
}

/// Takes drafts away of which nothing was said since then, but for those that are needed, and what is left of any that came
/// only in part.
pub(super) fn clear_before(root: &Path, before_ms: i64, is_needed: &mut dyn FnMut(&Folder) -> bool) -> Result<usize> {
    let mut cleared = 0;
    for id in ids(root) {
        let changed_ms = match Folder::open(root, &id) {
            Ok(folder) if folder.changed_ms() < before_ms && is_needed(&folder) => continue,
            Ok(folder) => folder.changed_ms(),
            // What it keeps back nobody knows.
            Err(_) if Folder::why_unread(root, &id).is_some() => continue,
            // A sheet that is being copied just now has no answers yet; its id says when it began.
            Err(_) => added_ms(&id).unwrap_or(i64::MAX),
        };
        if changed_ms < before_ms {
            clear(root, &id)?;
            cleared += 1;
        }
    }
    Ok(cleared)
}

pub(super) fn ids(root: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|id| added_ms(id).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_and_cannot_be_read_is_told() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::create(root.path(), "orders.csv", &mut &b"x"[..], 100).unwrap();
        assert_eq!(unread(root.path()), []);
        fs::write(root.path().join(folder.id()).join(ANSWERS), "{").unwrap();
        let told = unread(root.path());
        assert_eq!((told.len(), told[0].id.as_deref()), (1, Some(folder.id())));
        assert_eq!(unread(&root.path().join("none")), []);
        #[cfg(unix)]
        {
            // Nobody is waited for at a pipe.
            fs::remove_file(root.path().join(folder.id()).join(ANSWERS)).unwrap();
            let pipe = root.path().join(folder.id()).join(ANSWERS);
            assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
            assert!(unread(root.path())[0].why.contains("no regular file"));
        }
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(unread(&file).len(), 1, "a folder that cannot be listed");
    }

    #[test]
    fn only_ids_lead_to_drafts_and_a_sheet_that_is_too_large_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let drafts = root.path().join("drafts");
        let folder = Folder::create(&drafts, "orders.csv", &mut &b"x"[..], 1).unwrap();
        for id in ["", "..", ".", "../drafts", "0", &format!("{}/", folder.id()), &folder.id().to_uppercase()[..4]] {
            assert!(matches!(Folder::open(&drafts, id), Err(Error::NoDraft)), "{id}");
            assert!(matches!(clear(&drafts, id), Err(Error::NoDraft)), "{id}");
        }
        assert!(Folder::create(&drafts, "orders.csv", &mut &b"xx"[..], 1).is_err());
        assert_eq!(ids(&drafts).count(), 1);
    }

    #[test]
    fn old_drafts_are_cleared_and_new_ones_stay() {
        let root = tempfile::tempdir().unwrap();
        let old = Folder::create(root.path(), "old.csv", &mut &b"x"[..], 9).unwrap();
        let half = root.path().join("000000000001-00000001");
        fs::create_dir(&half).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2));
        let damaged = Folder::create(root.path(), "damaged.csv", &mut &b"x"[..], 9).unwrap();
        fs::write(root.path().join(damaged.id()).join(ANSWERS), "{").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2));
        let new = Folder::create(root.path(), "new.csv", &mut &b"x"[..], 9).unwrap();
        let before_ms = new.changed_ms();
        assert!(old.changed_ms() < before_ms);
        assert_eq!(clear_before(root.path(), before_ms, &mut |_| false).unwrap(), 2);
        assert_eq!(list(root.path()).len(), 1);
        assert_eq!(unread(root.path()).len(), 1, "nobody knows what it keeps back");
        assert!(!half.exists());
    }
}
