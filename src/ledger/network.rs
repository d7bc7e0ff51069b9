//! Places where a ledger is not safe: network file systems and folders that a program keeps in step with a cloud.
//!
//! Locks and shared memory do not reach across machines there, and a synchronising program puts older copies back.

use std::path::Path;

use super::error::LedgerError;

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

/// Refuses a ledger in such a place.
pub(super) fn refuse(ledger: &Path) -> Result<(), LedgerError> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
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

/// The network file system that holds a path, by what the kernel says of its mounts.
fn network<'a>(mounts: &'a str, path: &Path) -> Option<&'a str> {
    if path.to_string_lossy().starts_with(r"\\") {
        return Some("a share");
    }
    let mounted = mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let point = before.split(' ').nth(4)?.replace("\\040", " ");
        Some((point, after.split(' ').next()?))
    });
    // Of two mounts on one point, the later one is seen.
    let (_, kind) = mounted.filter(|(point, _)| path.starts_with(point)).max_by_key(|(point, _)| point.len())?;
    NETWORK.contains(&kind).then_some(kind)
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
        ];
        for (path, expected) in cases {
            assert_eq!(network(MOUNTS, Path::new(path)), expected, "{path}");
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
