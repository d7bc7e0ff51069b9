//! Values that wait in a private temporary file, readable by nobody else and gone with the process.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A temporary file that is only written at its end.
#[derive(Debug, Default)]
pub(crate) struct Spool {
    file: Option<File>,
    written: u64,
}

/// Where a value is in its spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spooled {
    at: u64,
    bytes: u32,
}

impl Spool {
    /// Writes a value down.
    pub(crate) fn put<T: Serialize + ?Sized>(&mut self, value: &T) -> io::Result<Spooled> {
        let json = serde_json::to_vec(value)?;
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        let mut file = self.file.as_ref().ok_or(io::ErrorKind::UnexpectedEof)?;
        file.seek(SeekFrom::Start(self.written))?;
        file.write_all(&json)?;
        let bytes = u32::try_from(json.len()).map_err(io::Error::other)?;
        let spooled = Spooled { at: self.written, bytes };
        self.written += u64::from(bytes);
        Ok(spooled)
    }

    /// A value as it was written down.
    pub(crate) fn get<T: DeserializeOwned>(&self, spooled: Spooled) -> io::Result<T> {
        let mut file = self.file.as_ref().ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut json = vec![0; spooled.bytes as usize];
        file.seek(SeekFrom::Start(spooled.at))?;
        file.read_exact(&mut json)?;
        Ok(serde_json::from_slice(&json)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were_or_as_errors() {
        let mut spool = Spool::default();
        let kept: Vec<Spooled> = (0..300).map(|number| spool.put(&vec![number; 100]).unwrap()).collect();
        assert_eq!(spool.get::<Vec<u32>>(kept[7]).unwrap(), vec![7; 100]);
        spool.file.as_ref().unwrap().set_len(10).unwrap();
        assert!(spool.get::<Vec<u32>>(kept[7]).is_err() && Spool::default().get::<u32>(kept[0]).is_err());
    }
}
