//! Files that are dropped: streamed to the desk's own folder, never kept in memory, and only from the desk's own forms.

use std::io::Write;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{Multipart, Request};
use hyper::body::{Frame, SizeHint};

use crate::app::draft::plain_name;

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
/// Bytes of what a form carries beside files.
const TEXT_BYTES_MAX: usize = 256;

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

/// A body that gives one piece at a time. Whoever takes forms apart would else take all into memory that has come, and on one
/// machine a file comes sooner than it is written.
struct StepByStep {
    body: Body,
    /// Whether what was given is to be dealt with first.
    waits: bool,
}

impl hyper::body::Body for StepByStep {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, axum::Error>>> {
        if std::mem::take(&mut self.waits) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let frame = Pin::new(&mut self.body).poll_frame(context);
        self.waits = frame.is_ready();
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A request whose body comes piece by piece.
pub(super) fn step_by_step(request: Request) -> Request {
    request.map(|body| Body::new(StepByStep { body, waits: false }))
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
            is_ours = desk.guard.is_page_token(&short(&mut field).await?);
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

/// A short text of a form; nothing of one that is longer.
async fn short(field: &mut Field<'_>) -> Result<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| of_multipart(&error))? {
        if bytes.len() + chunk.len() > TEXT_BYTES_MAX {
            return Err(Trouble::NotOurs);
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| Trouble::NotOurs)
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
