//! A sheet: opened, its header found, its rows read as often as needed.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::added::AddedColumns;
use super::input::{Container, Input};
use super::row::Row;
use super::text::TextFile;
use super::workbook::Workbook;
use super::{Options, SheetError, header};
use crate::origin::{Place, Source};
use crate::problem::{Code, Problem};

/// The row that names the columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    /// Its number as the person sees it, counted from 1.
    pub row: u32,
    /// The texts of its cells, up to the last one that is not empty.
    pub cells: Vec<String>,
    /// How many cells the row has, empty ones at its end included.
    pub(super) width: usize,
}

/// What a file was recognised as: `CSV, comma, UTF-8` or `XLSX`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    text: String,
    /// How many other worksheets the workbook has.
    pub other_worksheets: usize,
}

impl Format {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), other_worksheets: 0 }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// How a reading ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadEnd {
    /// Rows handed out, blank ones included.
    pub rows: u32,
    /// Blank rows among them.
    pub blank: u32,
    /// Whether the reader stopped it before the sheet's end.
    pub stopped: bool,
}

/// A sheet whose header is known.
#[derive(Debug)]
pub struct Sheet {
    input: Input,
    content: Content,
    options: Options,
    source: Arc<Source>,
    header: Header,
    format: Format,
    notices: Vec<Problem>,
}

#[derive(Debug)]
enum Content {
    Text(TextFile),
    Workbook(Box<Workbook>),
}

impl Content {
    fn scan(
        &self,
        input: &Input,
        source: &Arc<Source>,
        options: &Options,
        each: &mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        match self {
            Self::Text(text) => text.scan(input, source, &options.limits, each),
            Self::Workbook(workbook) => workbook.scan(input, source, &options.limits, each),
        }
    }
}

impl Sheet {
    /// Opens a file, `-` being standard input: recognises what it is and finds its worksheet and its header.
    pub fn open(path: &Path, options: &Options) -> Result<Self, SheetError> {
        let mut input = Input::open(path, &options.limits)?;
        if let Some(name) = &options.shown_name {
            input.name.clone_from(name);
        }
        let (content, source, format, mut notices) = recognise(&input, options)?;
        let source = Arc::new(Source { among_several: options.among_several, ..Source::clone(&source) });
        for place in notices.iter_mut().filter_map(|notice| notice.place.as_mut()) {
            place.source = Arc::clone(&source);
        }
        let sample = sample(&content, &input, &source, options)?;
        let header = header::find(&sample, options, &source, &input.name, &mut notices)?;
        Ok(Self { input, content, options: options.clone(), source, header, format, notices })
    }

    /// What the sheet is called in places.
    #[must_use]
    pub const fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The names of its columns.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// What the file was recognised as.
    #[must_use]
    pub const fn format(&self) -> &Format {
        &self.format
    }

    /// What a person should know about the sheet as a whole: rows passed over, other worksheets, columns of one name.
    #[must_use]
    pub fn notices(&self) -> &[Problem] {
        &self.notices
    }

    /// The SHA-256 of the file's bytes, read again for it.
    pub fn sha256(&self) -> Result<[u8; 32], SheetError> {
        self.input.sha256()
    }

    /// The byte between the cells of a text file.
    #[must_use]
    pub const fn delimiter(&self) -> Option<u8> {
        match &self.content {
            Content::Text(text) => Some(text.delimiter()),
            Content::Workbook(_) => None,
        }
    }

    /// Whether two files hold the same bytes, whatever their names.
    pub fn has_bytes_of(&self, other: &Self) -> Result<bool, SheetError> {
        // Files that are read as a whole only to be told apart cost time: nearly all differ in length.
        Ok(self.input.bytes == other.input.bytes && self.input.sha256()? == other.input.sha256()?)
    }

    /// Hands every row below the header to `each`, in the file's order and blank rows too, until it breaks off.
    ///
    /// Every call reads the sheet from its start. An error means that rows may be missing: nothing of the sheet should
    /// be used.
    pub fn read(&self, each: &mut dyn FnMut(&Row) -> ControlFlow<()>) -> Result<ReadEnd, SheetError> {
        let mut end = ReadEnd::default();
        let mut filled = 0_u32;
        let mut too_many = false;
        let added = AddedColumns::of(&self.header);
        let judge = header::Judge::new(&self.header, &self.source, matches!(self.content, Content::Text(_)));
        self.content.scan(&self.input, &self.source, &self.options, &mut |row| {
            if row.number() <= self.header.row && !row.is_out_of_order() {
                return ControlFlow::Continue(());
            }
            end.rows = end.rows.saturating_add(1);
            if let Some(added) = &added {
                added.take_off(row, &self.source);
            }
            if row.is_blank() {
                end.blank = end.blank.saturating_add(1);
            } else {
                filled += 1;
                too_many = filled > self.options.limits.rows_max;
                if too_many {
                    return ControlFlow::Break(());
                }
                judge.judge(row);
            }
            let flow = each(row);
            end.stopped = flow.is_break();
            flow
        })?;
        if too_many {
            let what = format!("more than {} rows", self.options.limits.rows_max);
            return Err(SheetError::TooLarge { file: self.input.name.clone(), what });
        }
        Ok(end)
    }
}

type Recognised = (Content, Arc<Source>, Format, Vec<Problem>);

fn recognise(input: &Input, options: &Options) -> Result<Recognised, SheetError> {
    match input.container() {
        Container::Foreign(what) => Err(SheetError::not_a_sheet(&input.name, what)),
        Container::Zip | Container::Ole => {
            let (workbook, format, notices) = Workbook::open(input, options)?;
            let source = Source::worksheet(&input.name, workbook.worksheet());
            Ok((Content::Workbook(Box::new(workbook)), source, format, notices))
        }
        Container::Gzip | Container::Plain => {
            let (text, format) = TextFile::open(input, options)?;
            let source = Source::text(&input.name);
            let mut notices: Vec<Problem> = text.notice(&source).into_iter().collect();
            if options.worksheet.is_some() {
                let text = "a text file has no worksheets, so the one that was named plays no part";
                notices.push(Problem::warning(Code::SheetNotice, text).at(Place::row(&source, 1)));
            }
            Ok((Content::Text(text), source, format, notices))
        }
    }
}

/// The first filled rows, from which the header is told.
fn sample(content: &Content, input: &Input, source: &Arc<Source>, options: &Options) -> Result<Vec<Row>, SheetError> {
    const ROWS: usize = 60;
    let mut sample = Vec::new();
    content.scan(input, source, options, &mut |row| {
        let wanted = match options.header_row {
            Some(header_row) => row.number() >= header_row,
            None => row.number() > options.skip_rows,
        };
        if wanted && !row.is_blank() {
            sample.push(row.clone());
        }
        if sample.len() < ROWS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(sample)
}
