//! Labels and invoices in a folder, each by its AWB: what is there and whole is not fetched again.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::api::{CallError, Caller};
use crate::ledger::{Shipped, create_private_folder};

use super::pdf;

/// What to fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// The label.
    Label,
    /// The invoice.
    Invoice,
}

impl Document {
    /// What people call them.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Label => "labels",
            Self::Invoice => "invoices",
        }
    }
}

/// A folder of documents.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    path: PathBuf,
    document: Document,
    /// The names that were in it, letter for letter: some systems take `a.pdf` for `A.PDF`.
    there: Arc<HashSet<String>>,
}

/// A document in its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its file.
    pub path: PathBuf,
    /// Its pages.
    pub pages: usize,
    /// Whether it was there already.
    pub before: bool,
}

/// Why a document is not there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    /// A person settled the order, and the service's id of it is not known.
    #[error(
        "a person settled this order, so the service's id of it is not known: if the service takes the AWB as well, set \
         [operations.{operation}] path = \"{by_awb}\" in shipsheet.toml; else save it from the courier's portal as {}",
        file.display()
    )]
    NoOrderId {
        /// Where the document is looked for.
        file: PathBuf,
        /// The operation that asks for it.
        operation: &'static str,
        /// Its path with the AWB in place of the id.
        by_awb: String,
    },
    /// The service.
    #[error(transparent)]
    Call(#[from] CallError),
    /// What came is no PDF that can be printed.
    #[error("what the service sent cannot be used: {0}")]
    Unusable(String),
    /// It cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Folder {
    /// A folder; made for its owner alone where there is none, because documents hold names, addresses and phone numbers.
    pub(crate) fn open(path: &Path, document: Document) -> io::Result<Self> {
        refuse_link_of_others(path)?;
        create_private_folder(path)?;
        let mut there = HashSet::new();
        for entry in std::fs::read_dir(path)? {
            there.extend(entry?.file_name().into_string());
        }
        Ok(Self { path: path.to_owned(), document, there: Arc::new(there) })
    }

    /// The file of a shipment's document, whether it is there or not.
    pub(crate) fn file(&self, shipment: &Shipped) -> PathBuf {
        self.path.join(name(&shipment.awb, self.document))
    }

    /// The document of a shipment: from the folder where it is there and whole, else from the service.
    pub(crate) async fn get(&self, caller: &Caller, shipment: &Shipped) -> Result<Kept, FetchError> {
        let path = self.file(shipment);
        let names = [Some(name(&shipment.awb, self.document)), earlier_name(&shipment.awb, self.document)];
        for name in names.into_iter().flatten().filter(|name| self.there.contains(name)) {
            let path = self.path.join(name);
            // A link that somebody left there leads to what was not fetched by this program.
            let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
            let bytes = is_file.then(|| std::fs::read(&path).ok()).flatten();
            if let Some(pages) = bytes.and_then(|bytes| pdf::pages(&bytes).ok()) {
                return Ok(Kept { path, pages, before: true });
            }
        }
        let shipment = shipment.names();
        let fetched = match self.document {
            Document::Label => caller.label(shipment).await,
            Document::Invoice => caller.invoice(shipment).await,
        };
        let bytes = match fetched {
            Err(CallError::NoOrderId { operation, by_awb }) => {
                return Err(FetchError::NoOrderId { file: path, operation, by_awb });
            }
            fetched => fetched?,
        };
        let pages = pdf::pages(&bytes).map_err(|error| FetchError::Unusable(error.to_string()))?;
        write_whole(&path, &bytes).map_err(|source| FetchError::Disk { path: path.clone(), source })?;
        Ok(Kept { path, pages, before: false })
    }
}

/// The file's name of an AWB. No two AWBs share one, also where letters of both cases are the same; none leaves the
/// folder, and none is hidden in it.
fn name(awb: &str, document: Document) -> String {
    let is_plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
    let stem = if !awb.is_empty() && awb.chars().all(is_plain) && !awb.ends_with("-INVOICE") && !is_device(awb) {
        awb.to_owned()
    } else {
        // No plain name holds a `~`.
        let hash = Sha256::digest(awb.as_bytes());
        let bits = hash.iter().take(8).fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        format!("{}~{bits:016x}", readable(awb))
    };
    match document {
        Document::Label => format!("{stem}.pdf"),
        Document::Invoice => format!("{stem}-invoice.pdf"),
    }
}

/// The name that an earlier version gave, where no other AWB had it as well.
fn earlier_name(awb: &str, document: Document) -> Option<String> {
    let is_alone = !awb.starts_with('.') && awb.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
    (is_alone && !awb.is_empty()).then(|| match document {
        Document::Label => format!("{awb}.pdf"),
        Document::Invoice => format!("{awb}-invoice.pdf"),
    })
}

/// What people recognise of an AWB in a file's name.
fn readable(awb: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    awb.chars().take(40).map(safe).collect()
}

/// Names that one system takes for devices, whatever stands behind the first dot.
fn is_device(awb: &str) -> bool {
    let numbered = |word: &str| awb.strip_prefix(word).is_some_and(|rest| rest.len() == 1);
    ["CON", "PRN", "AUX", "NUL"].contains(&awb) || numbered("COM") || numbered("LPT")
}

/// Refuses a folder that is a link of somebody else's: in a folder that several use, documents would go where it leads.
#[cfg(unix)]
fn refuse_link_of_others(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let Ok(metadata) = path.symlink_metadata() else { return Ok(()) };
    let owners = [rustix::process::geteuid().as_raw(), 0];
    if metadata.is_symlink() && !owners.contains(&metadata.uid()) {
        let text = "it is a link that another user made: remove it, or name another folder";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_link_of_others(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Writes a file that is either there and whole, or not there.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_awbs_share_a_name_also_where_case_says_nothing() {
        let awbs = [
            "AB1",
            "ab1",
            "Ab1",
            "AB/1",
            "AB_1",
            "AB\\1",
            "AB 1",
            "AB.1",
            ".AB1",
            "..",
            "../x",
            "",
            "X",
            "X-invoice",
            "X-INVOICE",
            "CON",
            "COM1",
            "पार्सल",
            "AB1~",
            "AB1.",
        ];
        let both = [Document::Label, Document::Invoice];
        let mut names: Vec<String> =
            both.iter().flat_map(|document| awbs.iter().map(|awb| name(awb, *document).to_lowercase())).collect();
        for name in &names {
            assert!(!name.starts_with('.') && !name.contains(['/', '\\', ' ']) && !name.contains(".."), "{name}");
        }
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(name("SBX0012-3", Document::Label), "SBX0012-3.pdf", "the usual ones are as people know them");
    }

    #[test]
    fn what_an_earlier_version_kept_is_found_where_it_can_be_nobody_elses() {
        assert_eq!(earlier_name("ab.1", Document::Label).as_deref(), Some("ab.1.pdf"));
        assert_eq!(earlier_name("Ab-1", Document::Invoice).as_deref(), Some("Ab-1-invoice.pdf"));
        for shared in ["AB_1", "AB/1", ".AB1", "", "AB 1"] {
            assert_eq!(earlier_name(shared, Document::Label), None, "{shared}");
        }
    }
}
