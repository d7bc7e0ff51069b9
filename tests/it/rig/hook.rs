//! A web server that keeps what is posted to it.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncWriteExt;

use super::by_hand::{answer, listen, request};

/// What came in, one entry for each request or mail.
pub(crate) type Heard = Arc<Mutex<Vec<String>>>;

pub(crate) fn heard(heard: &Heard) -> Vec<String> {
    heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A server that answers each request with the next of these statuses, and with the last one from then on.
pub(crate) struct Hook {
    pub(crate) address: String,
    pub(crate) heard: Heard,
    _runtime: tokio::runtime::Runtime,
}

impl Hook {
    pub(crate) fn new(statuses: &'static [&'static str]) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let kept = Heard::default();
        let all = Arc::clone(&kept);
        let (address, _) = runtime.block_on(listen(move |mut stream| {
            let all = Arc::clone(&all);
            async move {
                let Ok(Some((head, body))) = request(&mut stream).await else { return };
                let count = {
                    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                    let path = head.split(' ').nth(1).unwrap_or_default();
                    all.push(if body.is_empty() { path.to_owned() } else { body });
                    all.len()
                };
                let status = statuses.get(count - 1).or(statuses.last());
                match status {
                    Some(status) => drop(stream.write_all(answer(status, "ok").as_bytes()).await),
                    // One that never answers.
                    None => std::future::pending().await,
                }
            }
        }));
        Self { address, heard: kept, _runtime: runtime }
    }
}
