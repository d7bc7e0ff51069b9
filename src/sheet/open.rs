//! A sheet: opened, its header found, its rows read as often as needed.

use std::collections::{BTreeSet, HashMap};
use std::io::{Seek, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::added::AddedColumns;
use super::foreign;
use super::format::Format;
use super::input::{Container, Input};
use super::judge::{Breaks, Judge, Landmarks};
use super::names::Header;
use super::overlay::{Edited, Overlay};
use super::portion::Portion;
use super::row::Row;
use super::spool::Spool;
use super::text::{TextFile, packed_rows};
use super::workbook::{Workbook, annotate};
use super::{Options, SheetError, header};
use crate::finding::Finding;
use crate::finding::sheet::notice;
use crate::origin::{Place, Source};

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

impl ReadEnd {
    /// This reading and the one that goes on behind it.
    #[must_use]
    pub const fn and(self, next: Self) -> Self {
        Self {
            rows: self.rows.saturating_add(next.rows),
            blank: self.blank.saturating_add(next.blank),
            stopped: next.stopped,
        }
    }
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
    notices: Vec<Finding>,
    spool: Spool,
    breaks: Breaks,
    /// What else is to be said of rows, by their numbers.
    row_notices: HashMap<u32, Vec<Finding>>,
    /// What a person typed over its cells.
    overlay: Overlay,
}

#[derive(Debug)]
enum Content {
    Text(TextFile),
    Workbook(Box<Workbook>),
}

impl Content {
    /// Hands out all of the sheet, portion by portion, and packs what cannot be read apart into rows.
    fn portions(
        &self,
        input: &Input,
        options: &Options,
        each: &mut dyn FnMut(&mut Portion) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        let workbook = match self {
            Self::Text(text) => return text.portions(input, options, each),
            Self::Workbook(workbook) => workbook,
        };
        let mut portion = Portion::of(options.portion());
        let mut stopped = false;
        workbook.scan(input, &options.limits, &mut |row| {
            portion.push_row(row);
            if portion.is_full() {
                stopped = each(&mut portion).is_break();
                portion.restart(options.portion());
            }
            if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if !stopped && !portion.is_empty() {
            // Whoever breaks off after the last portion has had all of it.
            let _ = each(&mut portion);
        }
        Ok(())
    }

    /// Hands every row of a portion to `each`, as it stands in the sheet.
    fn rows(
        &self,
        portion: &Portion,
        input: &Input,
        source: &Arc<Source>,
        options: &Options,
        each: &mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        match self {
            Self::Text(text) => text.rows(portion, input, source, &options.limits, each),
            Self::Workbook(_) => {
                let mut row = Row::default();
                // Breaking off is the caller's own doing.
                let _ = portion.stretches().try_for_each(|stretch| {
                    packed_rows(&stretch, &mut row, &mut |row| {
                        annotate(row, source);
                        each(row)
                    })
                });
                Ok(())
            }
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
        if foreign::is_open_elsewhere(path) {
            notices.push(notice::open_elsewhere().at(Place::row(&source, header.row)));
        }
        let mut row_notices = HashMap::new();
        if let Content::Workbook(workbook) = &content {
            notices.extend(workbook.shape_notices(&source, header.row));
            row_notices = workbook.row_questions(&source, header.row);
        }
        Ok(Self {
            input,
            content,
            options: options.clone(),
            source,
            header,
            format,
            notices,
            spool: Spool::default(),
            breaks: Breaks::default(),
            row_notices,
            overlay: Overlay::default(),
        })
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
    pub fn notices(&self) -> &[Finding] {
        &self.notices
    }

    /// Whether any cell is merged over several rows.
    #[must_use]
    pub fn merges_cells(&self) -> bool {
        matches!(&self.content, Content::Workbook(workbook) if workbook.merges_cells())
    }

    /// Has every later reading find these texts in place of cells below the header, as if they were typed there. What was
    /// found out about rows is forgotten: they may be other rows now.
    pub fn lay_over(&mut self, overlay: Overlay) {
        self.overlay = overlay;
        self.breaks = Breaks::default();
    }

    /// What was typed over its cells.
    #[must_use]
    pub const fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// Writes the sheet in its own layout with texts in place of cells, in the header's row and above as well. Nothing where
    /// its format is one that is only read.
    pub fn write_edited(&self, overlay: &Overlay, out: &mut (impl Write + Seek)) -> Result<Option<Edited>, SheetError> {
        match &self.content {
            Content::Workbook(workbook) => workbook.write_edited(&self.input, overlay, out),
            Content::Text(text) => {
                let (bytes, edited) = text.edited(&self.input, &self.options.limits, overlay)?;
                out.write_all(&bytes).map_err(|error| self.input.failed(error))?;
                Ok(Some(edited))
            }
        }
    }

    /// The rows that were found by now to change what stands below them.
    #[must_use]
    pub fn landmarks(&self) -> Landmarks {
        self.breaks.landmarks()
    }

    /// The SHA-256 of the file's bytes, read again for it.
    pub fn sha256(&self) -> Result<[u8; 32], SheetError> {
        self.input.sha256()
    }

    /// The SHA-256 of the file's bytes as they were when this was first asked for: what its rows are known by.
    pub fn first_sha256(&self) -> Result<[u8; 32], SheetError> {
        self.input.first_sha256()
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
        self.read_part(None, each)
    }

    /// The same of some of its portions only, by their places: it ends with the last of them.
    pub fn read_part(
        &self,
        part: Option<&BTreeSet<usize>>,
        each: &mut dyn FnMut(&Row) -> ControlFlow<()>,
    ) -> Result<ReadEnd, SheetError> {
        let mut end = ReadEnd::default();
        let mut failure = None;
        let mut next = 0;
        if part.is_some_and(BTreeSet::is_empty) {
            return Ok(end);
        }
        self.portions(&mut |portion| {
            let place = next;
            next += 1;
            if part.is_some_and(|part| !part.contains(&place)) {
                return ControlFlow::Continue(());
            }
            match self.rows(portion, each) {
                Ok(part) => end = end.and(part),
                Err(error) => failure = Some(error),
            }
            failure = failure.take().or_else(|| self.allow(end).err());
            let is_last = part.is_some_and(|part| part.last() == Some(&place));
            if end.stopped || failure.is_some() || is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        failure.map_or(Ok(end), Err)
    }

    /// Hands the first rows that may be of orders to `each`, so many at most, with their number counted from 0: what shows
    /// what the columns hold.
    pub fn first_rows(&self, most: usize, each: &mut dyn FnMut(usize, &Row)) -> Result<(), SheetError> {
        let mut rows = 0;
        self.read(&mut |row| {
            if row.is_blank() || row.skip().is_some() {
                return ControlFlow::Continue(());
            }
            each(rows, row);
            rows += 1;
            if rows < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(())
    }

    /// Hands out the sheet from its start in portions, in the file's order, until `each` breaks off, which may take them away.
    /// Their rows can be read apart from each other by [`Sheet::rows`]; what that counts must be allowed by [`Sheet::allow`].
    ///
    /// An error means that rows may be missing: nothing of the sheet should be used.
    pub fn portions(&self, each: &mut dyn FnMut(&mut Portion) -> ControlFlow<()>) -> Result<(), SheetError> {
        match &self.content {
            Content::Workbook(_) => {
                /// A workbook of so many bytes is taken apart in a few seconds, and once is enough.
                const READ_ON_BYTES_MAX: u64 = 16 << 20;
                let reads_on = self.input.bytes <= READ_ON_BYTES_MAX;
                self.spool.portions(reads_on, each, &mut |each| self.content.portions(&self.input, &self.options, each))
            }
            Content::Text(_) => self.content.portions(&self.input, &self.options, each),
        }
    }

    /// Hands every row of a portion to `each`, blank rows too, until it breaks off.
    ///
    /// An error means that rows may be missing: nothing of the sheet should be used.
    pub fn rows(
        &self,
        portion: &Portion,
        each: &mut dyn FnMut(&Row) -> ControlFlow<()>,
    ) -> Result<ReadEnd, SheetError> {
        let mut end = ReadEnd::default();
        let added = AddedColumns::of(&self.header);
        let is_text = matches!(self.content, Content::Text(_));
        let mut judge = Judge::new(&self.header, &self.source, is_text, &self.breaks);
        // Each pass reads the same portions: one of which nothing was said is not judged again.
        let first_line = portion.first_line();
        let was_silent = first_line.is_some_and(|first| self.breaks.is_silent(first));
        let mut is_silent = true;
        self.content.rows(portion, &self.input, &self.source, &self.options, &mut |row| {
            if row.number() <= self.header.row && row.out_of_order().is_none() {
                return ControlFlow::Continue(());
            }
            end.rows = end.rows.saturating_add(1);
            if let Some(cells) = self.overlay.row(row.number()) {
                row.lay_over(cells, &self.header.cells);
            }
            if let Some(added) = &added {
                added.take_off(row, &self.source);
            }
            if row.is_blank() {
                end.blank = end.blank.saturating_add(1);
            } else {
                if !was_silent {
                    judge.judge(row);
                    is_silent = is_silent && row.skip().is_none() && row.notices().is_empty();
                }
                if !self.row_notices.is_empty() {
                    let more = self.row_notices.get(&row.number()).into_iter().flatten();
                    more.for_each(|finding| row.notice(finding.clone()));
                }
            }
            let flow = each(row);
            end.stopped = flow.is_break();
            flow
        })?;
        if let Some(first) = first_line.filter(|_| is_silent && !end.stopped) {
            self.breaks.note_silent(first);
        }
        Ok(end)
    }

    /// Refuses a sheet of more rows than are accepted, of which so many were read.
    pub fn allow(&self, read: ReadEnd) -> Result<(), SheetError> {
        let rows_max = self.options.limits.rows_max;
        if read.rows - read.blank <= rows_max {
            return Ok(());
        }
        Err(SheetError::TooLarge { file: self.input.name.clone(), what: format!("more than {rows_max} rows") })
    }
}

type Recognised = (Content, Arc<Source>, Format, Vec<Finding>);

fn recognise(input: &Input, options: &Options) -> Result<Recognised, SheetError> {
    match input.container() {
        Container::Foreign(foreign) => Err(input.no_sheet(foreign)),
        Container::Zip | Container::Ole => {
            let (workbook, format, notices) = Workbook::open(input, options)?;
            let source = Source::worksheet(&input.name, workbook.worksheet());
            Ok((Content::Workbook(Box::new(workbook)), source, format, notices))
        }
        Container::Gzip | Container::Plain => {
            let (text, format) = TextFile::open(input, options)?;
            let source = Source::text(&input.name);
            let mut notices: Vec<Finding> = text.notice(&source).into_iter().collect();
            if options.worksheet.is_some() {
                notices.push(notice::no_worksheets().at(Place::row(&source, 1)));
            }
            Ok((Content::Text(text), source, format, notices))
        }
    }
}

/// The first filled rows, from which the header is told.
fn sample(content: &Content, input: &Input, source: &Arc<Source>, options: &Options) -> Result<Vec<Row>, SheetError> {
    const ROWS: usize = 60;
    let mut sample = Vec::new();
    let mut failure = None;
    content.portions(input, options, &mut |portion| {
        let read = content.rows(portion, input, source, options, &mut |row| {
            let wanted = match options.header_row {
                Some(header_row) => row.number() >= header_row,
                None => row.number() > options.skip_rows,
            };
            if wanted && !row.is_blank() {
                sample.push(row.clone());
            }
            if sample.len() < ROWS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        failure = read.err();
        if sample.len() < ROWS && failure.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    failure.map_or(Ok(sample), Err)
}
