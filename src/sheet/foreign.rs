//! What is no sheet, though somebody may take it for one: what it is, and what to do instead.

use std::path::Path;

/// Something that is no sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Foreign {
    /// What it is, with its article.
    pub(super) what: &'static str,
    /// What to do.
    pub(super) hint: &'static str,
}

const SAVE_AGAIN: &str = "open it in a spreadsheet program and save it as .xlsx or .csv";

const fn foreign(what: &'static str, hint: &'static str) -> Foreign {
    Foreign { what, hint }
}

/// What a file's name says that its content does not: the marks of programs that have a sheet open.
pub(super) fn by_name(path: &Path) -> Option<Foreign> {
    let name = path.file_name()?.to_string_lossy();
    let is_mark = name.starts_with("~$") || (name.starts_with(".~lock.") && name.ends_with('#'));
    let mark = foreign(
        "the mark that a spreadsheet program leaves beside a sheet while it has it open",
        "name the sheet itself: the same name without ~$ or .~lock. in front; save it there before",
    );
    is_mark.then_some(mark)
}

/// Whether a spreadsheet program has a sheet open.
pub(super) fn is_open_elsewhere(path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
    let name = name.to_string_lossy();
    [format!("~${name}"), format!(".~lock.{name}#")].iter().any(|mark| folder.join(mark).is_file())
}

/// What a file's first bytes say.
pub(super) fn by_head(head: &[u8]) -> Option<Foreign> {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let begins = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
    let holds = |word: &str| text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()));
    let is_web = ["<html", "<!doctype", "<table", "<meta", "<head", "<style", "<div"].into_iter().any(begins)
        || (begins("<?xml") && holds("<html"));
    Some(if head.starts_with(b"%PDF-") {
        foreign("a PDF document", "ask for the sheet that it was made of, as .xlsx or .csv")
    } else if head.starts_with(b"\x89PNG") || head.starts_with(b"\xff\xd8\xff") || head.starts_with(b"GIF8") {
        foreign("a picture", "ask for the sheet itself, as .xlsx or .csv")
    } else if head.starts_with(b"SQLite format 3\0") {
        foreign("a database", "export the orders from the program that it belongs to, as .xlsx or .csv")
    } else if head.starts_with(b"Rar!") || head.starts_with(b"7z\xbc\xaf") {
        foreign("a packed archive", "unpack it, and name the sheet that comes out")
    } else if head.starts_with(b"{\\rtf") {
        foreign("a text document", SAVE_AGAIN)
    } else if is_web {
        foreign(
            "a web page",
            "many shops export web pages under the name .xls: open it in Excel (say Yes to the warning) or LibreOffice, \
             choose File, Save As, Excel Workbook (.xlsx), and name the file that comes of it; or export it as CSV",
        )
    } else if (begins("<?xml") || begins("<workbook")) && holds("urn:schemas-microsoft-com:office:spreadsheet") {
        foreign(
            "an XML spreadsheet of 2003",
            "open it in Excel or LibreOffice, choose File, Save As, Excel Workbook (.xlsx), and name the file that comes \
             of it",
        )
    } else if begins("<?xml") {
        foreign("an XML document", SAVE_AGAIN)
    } else if (begins("{\"") || begins("{ \"")) && (holds("docs.google.com") || holds("\"doc_id\"")) {
        foreign(
            "only a link to a Google sheet",
            "open it in the browser, choose File, Download, Microsoft Excel, and name the file that comes of it",
        )
    } else if begins("{\"") || begins("[{") {
        foreign("JSON", "export the orders as .xlsx or .csv")
    } else if ["From: ", "Return-Path:", "Received:", "Delivered-To:", "MIME-Version:"].into_iter().any(begins) {
        foreign("an e-mail", "save the sheet that is attached to it, and name that file")
    } else {
        return None;
    })
}

/// What a zip archive is that holds no workbook, by the names of its parts in small letters.
pub(super) fn by_parts(names: &[String]) -> Foreign {
    let ends = |ends: &[&str]| names.iter().any(|name| ends.iter().any(|end| name.ends_with(end)));
    let begins = |start: &str| names.iter().any(|name| name.starts_with(start));
    let (what, hint) = if ends(&[".iwa"]) {
        (
            "a sheet of Apple Numbers",
            "open it in Numbers, choose File, Export To, Excel, and name the file that comes of it",
        )
    } else if begins("word/") {
        ("a Word document", "copy its table into a spreadsheet program, and save it as .xlsx")
    } else if begins("ppt/") {
        ("a presentation", "ask for the sheet itself, as .xlsx or .csv")
    } else if ends(&[".csv", ".xlsx", ".xls", ".ods", ".txt", ".tsv"]) {
        ("a zip archive with sheets in it", "unpack it, and name the sheets that come out")
    } else {
        ("a zip archive without a workbook", SAVE_AGAIN)
    };
    Foreign { what, hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_sheet_is_told_by_its_first_bytes() {
        let cases: [(&str, &str); 14] = [
            ("%PDF-1.7", "a PDF document"),
            ("<html><table>", "a web page"),
            ("\u{feff}<!DOCTYPE html>", "a web page"),
            ("<?xml version=\"1.0\"?><html>", "a web page"),
            (
                "<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">",
                "an XML spreadsheet",
            ),
            ("<?xml version=\"1.0\"?><orders/>", "an XML document"),
            ("{\"url\":\"https://docs.google.com/x\"}", "only a link to a Google sheet"),
            ("[{\"orderNumber\":1}]", "JSON"),
            ("From: a@b.c\nSubject: orders\n", "an e-mail"),
            ("{\\rtf1", "a text document"),
            ("Order,City\n", ""),
            ("From,To\n", ""),
            ("[1],b\n", ""),
            ("<b>,c\n", ""),
        ];
        for (head, expected) in cases {
            let what = by_head(head.as_bytes()).map_or("", |foreign| foreign.what);
            assert!(what.starts_with(expected) && what.is_empty() == expected.is_empty(), "{head}: {what}");
        }
        let parts = |name: &str| by_parts(&[name.to_owned()]).what;
        assert_eq!(parts("index/document.iwa"), "a sheet of Apple Numbers");
        assert_eq!(parts("word/document.xml"), "a Word document");
        assert_eq!(parts("orders.csv"), "a zip archive with sheets in it");
        assert_eq!(parts("x"), "a zip archive without a workbook");
        assert!(by_name(Path::new("in/~$a.xlsx")).is_some() && by_name(Path::new(".~lock.a.ods#")).is_some());
        assert!(by_name(Path::new("~a.csv")).is_none());
    }
}
