//! Places where a ledger is not safe: network file systems, folders that a program keeps in step with a cloud, and a
//! mount of the ledger's file alone.
//!
//! Locks and shared memory do not reach across machines there, and a synchronising program puts older copies back. A file
//! that is mounted by itself has its log, lock and spool in another folder for each container.

use std::path::{Path, PathBuf};

use super::error::LedgerError;
use super::place;

/// File systems of other machines, by the words of the kernel.
const NETWORK: [&str; 24] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "smb2",
    "9p",
    "afs",
    "ceph",
    "fuse.ceph",
    "glusterfs",
    "fuse.glusterfs",
    "lustre",
    "ncpfs",
    "beegfs",
    "davfs",
    "fuse.davfs2",
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.gcsfuse",
    "fuse.goofys",
    "vboxsf",
    "fuse.vmhgfs-fuse",
];

/// Folder names that synchronising programs use, in lower case; also with more behind them, as in `OneDrive - Firm`.
const SYNCED: [&str; 11] = [
    "dropbox",
    "onedrive",
    "google drive",
    "googledrive",
    "my drive",
    "icloud drive",
    "mobile documents",
    "cloudstorage",
    "nextcloud",
    "owncloud",
    "pclouddrive",
];

/// Refuses a ledger that is a mount point by itself.
pub(super) fn refuse_mounted(ledger: &Path) -> Result<(), LedgerError> {
    if is_mounted(&mounts(), ledger) { Err(LedgerError::Mounted { path: ledger.to_owned() }) } else { Ok(()) }
}

/// Whether a path lies on a network file system.
pub(super) fn is_remote(path: &Path) -> bool {
    network(&mounts(), path).is_some()
}

/// Refuses a ledger on a network file system or in a synchronised folder.
pub(super) fn refuse(ledger: &Path) -> Result<(), LedgerError> {
    let ledger = &place::resolve(ledger).unwrap_or_else(|_| ledger.to_owned());
    let mounts = mounts();
    let reason = match (network(&mounts, ledger), synced(ledger)) {
        (Some(kind), _) => {
            format!("it lies on a network file system ({kind}), where locks do not hold between machines")
        }
        (None, Some(folder)) => {
            format!(
                "it lies in a folder that is kept in step with a cloud ({folder}), which may put an older copy back"
            )
        }
        (None, None) => return Ok(()),
    };
    Err(LedgerError::UnsafePlace { path: ledger.to_owned(), reason })
}

/// What the kernel says of this process's mounts; nothing on other systems than Linux.
fn mounts() -> String {
    std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default()
}

/// Each mount's point and kind of file system.
fn mounted(mounts: &str) -> impl Iterator<Item = (PathBuf, &str)> {
    mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        Some((PathBuf::from(unescaped(before.split(' ').nth(4)?)), after.split(' ').next()?))
    })
}

/// A path as the kernel writes it: blanks, tabs, line ends and backslashes are octal numbers.
fn unescaped(text: &str) -> String {
    let escapes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    escapes.into_iter().fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
}

fn is_mounted(mounts: &str, path: &Path) -> bool {
    mounted(mounts).any(|(point, _)| point == path)
}

/// The network file system that holds a path, by what the kernel says of its mounts.
fn network<'a>(mounts: &'a str, path: &Path) -> Option<&'a str> {
    if is_share(path) {
        return Some("a share");
    }
    // Of two mounts on one point, the later one is seen.
    let around = mounted(mounts).filter(|(point, _)| path.starts_with(point));
    let (_, kind) = around.max_by_key(|(point, _)| point.components().count())?;
    NETWORK.contains(&kind).then_some(kind)
}

/// Whether a path leads to another machine as Windows writes it. A letter that stands for a share becomes such a path once it is
/// resolved; one of this machine's own disks then begins with `\\?\` as well.
fn is_share(path: &Path) -> bool {
    let text = path.to_string_lossy();
    match text.strip_prefix(r"\\?\") {
        Some(resolved) => resolved.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(r"UNC\")),
        None => text.starts_with(r"\\") && !text.starts_with(r"\\.\"),
    }
}

/// The folder above a path that a synchronising program owns.
fn synced(path: &Path) -> Option<String> {
    path.ancestors().skip(1).find_map(|folder| {
        let name = folder.file_name()?.to_string_lossy();
        let lower = name.to_lowercase();
        let by_name = SYNCED.iter().any(|known| {
            lower.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '-', '(']))
        });
        (by_name || folder.join(".stfolder").exists() || folder.join(".dropbox").exists()).then(|| name.into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
30 22 0:40 / /srv/team rw,relatime shared:9 - nfs4 files:/team rw
31 22 0:41 / /srv/team/local rw,relatime - ext4 /dev/vdb rw
32 22 0:42 / /mnt/my\\040share rw - cifs //files/share rw
33 22 0:43 / /home/asha/far rw - fuse.sshfs asha@far: rw
";

    #[test]
    fn network_places_are_known_by_their_mounts() {
        let cases = [
            ("/srv/team/ledger.sqlite", Some("nfs4")),
            ("/srv/team/local/ledger.sqlite", None),
            ("/srv/teamwork/ledger.sqlite", None),
            ("/mnt/my share/ledger.sqlite", Some("cifs")),
            ("/home/asha/far/ledger.sqlite", Some("fuse.sshfs")),
            ("/home/asha/ledger.sqlite", None),
            (r"\\files\share\ledger.sqlite", Some("a share")),
            // As Windows resolves `Z:\ledger.sqlite`, where Z is a share, and one of its own disks.
            (r"\\?\UNC\files\share\ledger.sqlite", Some("a share")),
            (r"\\?\unc\files\share\ledger.sqlite", Some("a share")),
            (r"\\?\C:\Users\asha\ledger.sqlite", None),
            (r"\\?\Volume{4c1b02c1-d990-11dc-99ae-806e6f6e6963}\ledger.sqlite", None),
            (r"\\.\C:\ledger.sqlite", None),
        ];
        for (path, expected) in cases {
            assert_eq!(network(MOUNTS, Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_file_that_is_mounted_by_itself_is_known() {
        let mounts = format!(
            "{MOUNTS}34 22 254:1 /srv/a/ledger.sqlite /data/ledger.sqlite rw - ext4 /dev/vda1 rw
35 22 254:1 /srv/b /my\\040\\134data rw - ext4 /dev/vda1 rw
"
        );
        for (path, expected) in [
            ("/data/ledger.sqlite", true),
            ("/data/ledger.sqlite-wal", false),
            ("/data/other/ledger.sqlite", false),
            ("/srv/team/ledger.sqlite", false),
            ("/my \\data", true),
            ("/my \\data/ledger.sqlite", false),
        ] {
            assert_eq!(is_mounted(&mounts, Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn synced_places_are_known_by_their_names() {
        let cases = [
            ("/home/asha/Dropbox/ledger.sqlite", Some("Dropbox")),
            ("/home/asha/OneDrive - Firm Ltd/x/ledger.sqlite", Some("OneDrive - Firm Ltd")),
            ("/Users/asha/Library/Mobile Documents/ledger.sqlite", Some("Mobile Documents")),
            ("/Users/asha/Library/CloudStorage/Box/ledger.sqlite", Some("CloudStorage")),
            ("/home/asha/dropboxes/ledger.sqlite", None),
            ("/home/asha/dropbox", None),
        ];
        for (path, expected) in cases {
            assert_eq!(synced(Path::new(path)).as_deref(), expected, "{path}");
        }
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(synced(&folder.path().join("ledger.sqlite")), None);
        std::fs::create_dir(folder.path().join(".stfolder")).unwrap();
        assert!(synced(&folder.path().join("ledger.sqlite")).is_some());
    }
}
