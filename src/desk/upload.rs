//! Files that are dropped: streamed to the desk's own folder, never kept in memory, and only from the desk's own forms.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};

use super::answer::Result;
use super::files;
use super::state::Desk;
use super::trouble::Trouble;

/// All files of one drop together are never larger.
pub(super) const BYTES_MAX: usize = 64 * 1024 * 1024;
/// They arrive within this time.
const TIME_MAX: Duration = Duration::from_mins(2);
/// Files of one drop.
const FILES_MAX: usize = 20;
/// Characters of a file's name that are kept.
const NAME_CHARACTERS_MAX: usize = 200;

/// Files that were dropped. Those that nobody takes are removed with it.
#[derive(Debug, Default)]
pub(super) struct Uploaded {
    pub(super) files: Vec<File>,
}

/// A file that was dropped.
#[derive(Debug)]
pub(super) struct File {
    /// What the browser called it: a text, and no place.
    pub(super) name: String,
    /// Where it is.
    pub(super) path: PathBuf,
}

impl Drop for File {
    fn drop(&mut self) {
        // Whoever takes the file has moved it away.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Receives the files of a form.
pub(super) async fn receive(desk: &Desk, form: Multipart) -> Result<Uploaded> {
    tokio::time::timeout(TIME_MAX, received(desk, form)).await.map_err(|_| Trouble::Broken)?
}

async fn received(desk: &Desk, mut form: Multipart) -> Result<Uploaded> {
    let mut uploaded = Uploaded::default();
    let mut is_ours = false;
    while let Some(mut field) = form.next_field().await.map_err(|error| of_multipart(&error))? {
        let name = field.name().unwrap_or_default().to_owned();
        if name == "page" {
            is_ours = desk.guard.is_page_token(&field.text().await.map_err(|error| of_multipart(&error))?);
            continue;
        }
        if !is_ours {
            return Err(Trouble::NotOurs);
        }
        // An empty choice is a file without a name.
        let Some(name) = field.file_name().filter(|name| !name.is_empty()).map(plain_name) else { continue };
        if uploaded.files.len() >= FILES_MAX {
            return Err(Trouble::Typed(format!("More than {FILES_MAX} files at a time are too many")));
        }
        let (path, file) = files::incoming(&desk.folder())?;
        uploaded.files.push(File { name, path });
        store(&mut field, file).await?;
    }
    match (is_ours, uploaded.files.is_empty()) {
        (false, _) => Err(Trouble::NotOurs),
        (true, true) => Err(Trouble::Typed("No file was chosen".to_owned())),
        (true, false) => Ok(uploaded),
    }
}

async fn store(field: &mut Field<'_>, mut file: std::fs::File) -> Result<()> {
    while let Some(chunk) = field.chunk().await.map_err(|error| of_multipart(&error))? {
        file.write_all(&chunk)?;
    }
    Ok(file.flush()?)
}

fn of_multipart(error: &MultipartError) -> Trouble {
    if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        Trouble::TooLarge(BYTES_MAX / (1024 * 1024))
    } else {
        Trouble::Broken
    }
}

/// A name as it can be shown, without what looks like a folder.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !c.is_control()).take(NAME_CHARACTERS_MAX).collect();
    if name.trim_matches('.').is_empty() { "sheet".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::plain_name;

    #[test]
    fn a_name_is_a_text_and_no_place() {
        for (name, plain) in [
            ("orders.xlsx", "orders.xlsx"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\me\\orders.csv", "orders.csv"),
            ("..", "sheet"),
            ("a\u{7}b\n.csv", "ab.csv"),
            ("ऑर्डर.csv", "ऑर्डर.csv"),
        ] {
            assert_eq!(plain_name(name), plain);
        }
    }
}
