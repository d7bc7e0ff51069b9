//! Who hears of it when nobody is there: each way to tell somebody, what is told and how often, and that no run waits for it.

mod alerts;
mod mail;
mod ready;
mod signs;

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncWriteExt;

use crate::rig::by_hand::{answer, listen, request};
use crate::rig::{Rig, ran};

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
        let heard = Heard::default();
        let all = Arc::clone(&heard);
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
        Self { address, heard, _runtime: runtime }
    }
}

/// A folder `in` that is watched, a service, and whoever is told.
fn bench(configuration: &str) -> Rig {
    let rig = Rig::new();
    std::fs::create_dir(rig.path("in")).unwrap();
    rig.file("shipsheet.toml", &format!("[booking]\nmax_wait_seconds = 1\n{configuration}"));
    rig
}

fn night(rig: &Rig) -> crate::rig::Ran {
    ran(rig.command(&["watch", "in", "--once", "--rest", "0"]))
}
