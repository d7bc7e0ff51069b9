//! How a sheet is to be read, where a person knows better than the program.

use clap::Args;

use crate::sheet::Options;

/// How a sheet is to be read, where the program would see it otherwise.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::cli) struct Reading {
    /// The worksheet, by name or number
    #[arg(long, value_name = "NAME", alias = "sheet")]
    pub(in crate::cli) worksheet: Option<String>,
    /// The row that holds the column names, as a spreadsheet or editor counts it; 0 where there is none
    #[arg(long, value_name = "ROW")]
    header_row: Option<u32>,
    /// Rows at the top that are neither column names nor orders
    #[arg(long, value_name = "ROWS", default_value_t = 0, hide_default_value = true, conflicts_with = "header_row")]
    skip_rows: u32,
    /// The encoding of a text file, for instance utf-8, utf-16le, windows-1252 or cp850
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// What stands between the cells of a text file: comma, semicolon, tab, pipe or the character itself
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,
}

impl Reading {
    pub(in crate::cli) fn options(&self) -> Options {
        Options {
            worksheet: self.worksheet.clone(),
            encoding: self.encoding.clone(),
            delimiter: self.delimiter,
            header_row: self.header_row,
            skip_rows: self.skip_rows,
            ..Options::default()
        }
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.to_ascii_lowercase().as_str() {
        "comma" => Ok(b','),
        "semicolon" => Ok(b';'),
        "tab" | "\\t" => Ok(b'\t'),
        "pipe" => Ok(b'|'),
        _ => match text.as_bytes() {
            [byte] if byte.is_ascii_punctuation() && *byte != b'"' || text == "\t" => Ok(*byte),
            _ => Err("write comma, semicolon, tab, pipe or one character".to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::delimiter;

    #[test]
    fn delimiters_by_name_or_character() {
        for (text, byte) in [("comma", b','), ("Tab", b'\t'), (";", b';'), ("|", b'|'), ("\t", b'\t'), ("\\t", b'\t')] {
            assert_eq!(delimiter(text), Ok(byte), "{text}");
        }
        for text in ["", "ab", "\"", "a"] {
            assert!(delimiter(text).is_err(), "{text}");
        }
    }
}
