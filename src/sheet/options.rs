//! What a person can say about a sheet, and the limits that hold for every one.

use std::path::PathBuf;

/// What the caller knows better than the file shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The worksheet to read: its name, whatever its case, or its number counted from 1.
    pub worksheet: Option<String>,
    /// Other worksheets that are read as sheets of their own.
    pub besides: Vec<String>,
    /// The encoding of a text file by its label, for instance `windows-1252`.
    pub encoding: Option<String>,
    /// The byte between the cells of a text file.
    pub delimiter: Option<u8>,
    /// The row of the header as the person sees it, counted from 1; 0 where the sheet has none.
    pub header_row: Option<u32>,
    /// How many rows from the top are neither header nor orders.
    pub skip_rows: u32,
    /// The executable to start with [`HELPER_ARGUMENT`](super::HELPER_ARGUMENT) for `.xls`, `.xlsb` and `.ods`, whose
    /// readers can exhaust memory on a damaged file. Without it they are read in this process.
    pub helper: Option<PathBuf>,
    /// What to call the file, where another one of the same name is read beside it.
    pub shown_name: Option<String>,
    /// Whether other sheets are read beside it.
    pub among_several: bool,
    /// How many bytes of a sheet are read at once, where the usual portion does not fit.
    pub portion_bytes: Option<usize>,
    /// What is refused as too large.
    pub limits: Limits,
}

impl Options {
    /// Bytes of a portion that is full.
    pub(super) fn portion(&self) -> usize {
        /// Large enough that few orders stand across two of them, small enough for a core's own memory.
        const USUAL: usize = 128 * 1024;
        self.portion_bytes.unwrap_or(USUAL)
    }
}

/// Sizes beyond which a file is refused instead of read.
///
/// The defaults pass a CSV file of 2.5 million rows and 1.5 GB, and stop files that were made to exhaust memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Filled rows of one sheet.
    pub rows_max: u32,
    /// Cells of one row; a spreadsheet has no more than 16,384.
    pub columns_max: u32,
    /// Bytes of one cell; a spreadsheet's cell has no more than 32,767 characters.
    pub cell_bytes_max: usize,
    /// Line breaks within one quoted cell of a text file.
    pub cell_lines_max: u32,
    /// Bytes of the file as it is stored.
    pub file_bytes_max: u64,
    /// Bytes of the old workbook formats (`.xls`, `.xlsb`, `.ods`), which are read into memory as a whole.
    pub whole_file_bytes_max: u64,
    /// Bytes of memory that the helper process for them may take, whatever the file's size.
    pub helper_bytes_least: u64,
    /// Bytes of memory that the helper process may take for a large file.
    pub helper_bytes_max: u64,
    /// Seconds of processor time that the helper process may take, whatever the file's size.
    pub helper_seconds_least: u64,
    /// Seconds of processor time that the helper process may take for a large file.
    pub helper_seconds_max: u64,
    /// Bytes of a packed file after unpacking, over all its parts.
    pub unpacked_bytes_max: u64,
    /// Bytes of memory that a part of a workbook may take which is kept as a whole, such as its shared texts.
    pub held_bytes_max: u64,
    /// Unpacked bytes per packed byte, where more than 64 MiB come out.
    pub unpack_ratio_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rows_max: 5_000_000,
            columns_max: 16_384,
            cell_bytes_max: 256 * 1024,
            cell_lines_max: 1_000,
            file_bytes_max: 4 << 30,
            whole_file_bytes_max: 64 << 20,
            helper_bytes_least: 384 << 20,
            helper_bytes_max: 2 << 30,
            helper_seconds_least: 4,
            helper_seconds_max: 120,
            unpacked_bytes_max: 8 << 30,
            held_bytes_max: 1 << 30,
            unpack_ratio_max: 100,
        }
    }
}

impl Limits {
    /// Bytes of memory for the helper that reads a file of so many bytes: honest files need more the larger they are,
    /// and harmful ones are small.
    pub(super) fn helper_bytes(&self, file_bytes: u64) -> u64 {
        const PER_BYTE: u64 = 24;
        let wanted = self.helper_bytes_least.saturating_add(file_bytes.saturating_mul(PER_BYTE));
        wanted.clamp(self.helper_bytes_least, self.helper_bytes_max.max(self.helper_bytes_least))
    }

    /// Seconds of processor time for the helper that reads a file of so many bytes.
    pub(super) fn helper_seconds(&self, file_bytes: u64) -> u64 {
        const BYTES_PER_SECOND: u64 = 512 * 1024;
        let wanted = self.helper_seconds_least.saturating_add(file_bytes / BYTES_PER_SECOND);
        wanted.clamp(self.helper_seconds_least, self.helper_seconds_max.max(self.helper_seconds_least))
    }

    /// Bytes of cells that a file of so many bytes may become, where a workbook is read as a whole.
    pub(super) fn cells_bytes(&self, file_bytes: u64) -> u64 {
        /// What is small is harmless.
        const ALWAYS_FINE: u64 = 256 << 20;
        file_bytes.saturating_mul(self.unpack_ratio_max).max(ALWAYS_FINE).min(self.unpacked_bytes_max)
    }

    /// Whether a part that is kept as a whole may take so many bytes of memory: its packed bytes bound what an honest
    /// one can hold.
    pub(super) fn allow_holding(&self, packed: u64, bytes: u64) -> bool {
        /// Few texts are harmless, however often they repeat.
        const ALWAYS_FINE: u64 = 128 << 20;
        const PER_BYTE: u64 = 64;
        bytes <= self.held_bytes_max && (bytes <= ALWAYS_FINE || bytes / PER_BYTE <= packed)
    }

    /// Whether so many packed bytes may become so many unpacked ones.
    pub(super) const fn allow_unpacking(&self, packed: u64, unpacked: u64) -> bool {
        /// Small files repeat themselves harmlessly.
        const ALWAYS_FINE: u64 = 64 << 20;
        unpacked <= self.unpacked_bytes_max && (unpacked <= ALWAYS_FINE || unpacked / self.unpack_ratio_max <= packed)
    }
}
