//! Rows of a workbook in a private temporary file: taking a worksheet apart takes longer than all that comes after it, so
//! it is done once.

use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::sync::OnceLock;

use super::SheetError;
use super::portion::Portion;
use super::private::Private;

/// The rows of a sheet that was read to its end, where there was room to keep them.
#[derive(Debug, Default)]
pub(super) struct Spool {
    file: OnceLock<Private>,
}

type Each<'e> = dyn FnMut(&mut Portion) -> ControlFlow<()> + 'e;

impl Spool {
    /// Hands out what `read` gives: from the file, or from its source, which then is kept for the next time. Where it `reads_on`,
    /// all of it is kept though `each` breaks off.
    pub(super) fn portions(
        &self,
        reads_on: bool,
        each: &mut Each<'_>,
        read: &mut dyn FnMut(&mut Each<'_>) -> Result<(), SheetError>,
    ) -> Result<(), SheetError> {
        if let Some(file) = self.file.get() {
            return match kept(file, each) {
                Ok(()) => Ok(()),
                Err(source) => Err(SheetError::Io { file: file.path().display().to_string(), source }),
            };
        }
        // Without a temporary file the sheet is read twice.
        let mut keeping = Private::new().ok();
        let mut stopped = false;
        let whole = read(&mut |portion| {
            let written = keeping.as_mut().map(|file| write(file, portion));
            if !matches!(written, Some(Ok(()))) {
                keeping = None;
            }
            stopped = stopped || each(portion).is_break();
            if stopped && !(reads_on && keeping.is_some()) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match whole {
            Ok(()) if reads_on || !stopped => {
                // Whoever was quicker has kept the same.
                let _ = keeping.map(|file| self.file.set(file));
            }
            Err(error) if !stopped => return Err(error),
            // Whoever reads further than that is told of it.
            _ => {}
        }
        Ok(())
    }
}

fn write(file: &mut Private, portion: &Portion) -> io::Result<()> {
    let Some(bytes) = portion.packed() else { return Err(io::ErrorKind::InvalidInput.into()) };
    let length = u64::try_from(bytes.len()).map_err(io::Error::other)?;
    file.file_mut().write_all(&length.to_le_bytes())?;
    file.file_mut().write_all(bytes)
}

fn kept(file: &Private, each: &mut Each<'_>) -> io::Result<()> {
    let file = file.reopen()?;
    let mut left = file.metadata()?.len();
    let mut from = BufReader::with_capacity(64 * 1024, file);
    while left > 0 {
        let mut length = [0; 8];
        from.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        left = left.checked_sub(8 + length).ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        from.read_exact(&mut bytes)?;
        if each(&mut Portion::of_packed(bytes)).is_break() {
            break;
        }
    }
    Ok(())
}
