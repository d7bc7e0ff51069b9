//! Who hears of it when nobody is there: each way to tell somebody, what is told and how often, and that no run waits for it.

mod alerts;
mod late;
mod mail;
mod ready;
mod signs;
mod words;

pub(crate) use crate::rig::{Heard, Hook, heard};
use crate::rig::{Rig, ran};

/// A folder `in` that is watched, a service, and whoever is told.
fn bench(configuration: &str) -> Rig {
    let rig = Rig::new();
    std::fs::create_dir(rig.path("in")).unwrap();
    rig.file("shipsheet.toml", &format!("[booking]\nmax_wait_seconds = 1\n{configuration}"));
    rig
}

/// The same by the user's own configuration, whose commands nobody is asked about.
fn own_bench(configuration: &str) -> Rig {
    let rig = bench(configuration);
    std::fs::create_dir_all(rig.path(".config/shipsheet")).unwrap();
    std::fs::rename(rig.path("shipsheet.toml"), rig.path(".config/shipsheet/shipsheet.toml")).unwrap();
    rig
}

fn night(rig: &Rig) -> crate::rig::Ran {
    ran(rig.command(&["watch", "in", "--once", "--rest", "0"]))
}
