//! Labels and invoices in a folder, each by its AWB: what is there and whole is not fetched again.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::api::{CallError, Caller};
use crate::ledger::Shipped;

use super::merge;

/// What to fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// The label.
    Label,
    /// The invoice.
    Invoice,
}

/// A folder of documents.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    document: Document,
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
pub enum FetchError {
    /// A person settled the order, and the service's id of it is not known.
    #[error(
        "the service's own id of this order is not known, for a person settled it: fetch it from the courier's portal"
    )]
    NoOrderId,
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
    /// A folder; made where there is none.
    pub fn open(path: &Path, document: Document) -> io::Result<Self> {
        std::fs::create_dir_all(path)?;
        Ok(Self { path: path.to_owned(), document })
    }

    /// The file of a shipment's document, whether it is there or not.
    #[must_use]
    pub fn file(&self, shipment: &Shipped) -> PathBuf {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let awb: String = shipment.awb.chars().map(safe).collect();
        let stem = match self.document {
            Document::Label => awb,
            Document::Invoice => format!("{awb}-invoice"),
        };
        // No name of an AWB leaves the folder, and none is hidden in it.
        self.path.join(format!("{}.pdf", stem.trim_start_matches('.')))
    }

    /// The document of a shipment: from the folder where it is there and whole, else from the service.
    pub async fn get(&self, caller: &Caller, shipment: &Shipped) -> Result<Kept, FetchError> {
        let path = self.file(shipment);
        if let Some(pages) = std::fs::read(&path).ok().and_then(|bytes| merge::pages(&bytes).ok()) {
            return Ok(Kept { path, pages, before: true });
        }
        let order_id = shipment.order_id.as_deref().ok_or(FetchError::NoOrderId)?;
        let bytes = match self.document {
            Document::Label => caller.label(order_id).await?,
            Document::Invoice => caller.invoice(order_id).await?,
        };
        let pages = merge::pages(&bytes).map_err(|error| FetchError::Unusable(error.to_string()))?;
        write_whole(&path, &bytes).map_err(|source| FetchError::Disk { path: path.clone(), source })?;
        Ok(Kept { path, pages, before: false })
    }
}

/// Writes a file that is either there and whole, or not there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
