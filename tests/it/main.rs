//! Everything that a user does, through the program itself.

#![cfg_attr(not(unix), expect(dead_code, unused_imports, reason = "tests that need Unix are left out"))]
#![expect(clippy::unwrap_used, reason = "a rig that cannot be built fails its test")]

mod accept;
mod adapted;
mod aliases;
#[cfg(unix)]
mod addresses;
mod apart;
mod asked;
mod behind;
mod architecture;
mod corpus;
mod circles;
mod count;
mod decided;
#[cfg(unix)]
mod desk;
mod bodies;
mod built_once;
mod bundle;
mod brakes;
#[cfg(unix)]
mod bulk;
#[cfg(unix)]
mod cancel;
mod cells;
mod check;
mod choices;
mod clerk;
mod completions;
mod configured;
mod disk;
mod documents;
mod doubts;
mod drafts;
mod events;
mod explain;
mod files;
mod findings;
#[cfg(unix)]
mod first;
mod fits;
mod followed;
#[cfg(target_os = "linux")]
mod fortnight;
#[path = "../../fuzz/bodies.rs"]
mod fuzz_bodies;
mod fuzzed;
mod generated;
mod grouping;
mod heads;
#[cfg(unix)]
mod hidden;
mod histories;
mod home;
mod hostile;
mod import;
mod judged;
mod ledger;
#[cfg(unix)]
mod kept_back;
mod kills;
mod labels;
mod layouts;
#[cfg(unix)]
mod levels;
mod limits;
mod locks;
mod mapping;
mod meanwhile;
mod measure;
mod measures;
mod messy;
mod mutants;
mod money;
mod morning;
#[cfg(unix)]
mod notify;
mod duplicates;
#[cfg(unix)]
mod odd;
mod one_call;
mod orders;
mod owed;
mod pages;
#[cfg(target_os = "linux")]
mod places;
mod parts;
mod periods;
#[cfg(unix)]
mod pipes;
mod planning;
mod planted;
mod plausible;
#[cfg(unix)]
mod private;
mod profiles;
mod questions;
mod readme;
mod reduced;
mod ready;
mod rejects;
mod report;
mod rig;
#[cfg(unix)]
mod rules;
mod saved;
mod schemas;
mod second_face;
mod secrets;
mod served;
mod service;
mod services;
mod settings;
mod sides;
mod signs;
mod silent;
mod shipments;
mod sheets;
mod selftest;
mod sent;
mod source;
mod warehouses;
mod watch;
#[cfg(unix)]
mod stations;
#[cfg(unix)]
mod stop;
mod superseded;
mod strays;
mod tables;
mod taxed;
#[cfg(unix)]
mod terminal;
mod totals;
#[cfg(unix)]
mod trust;
#[expect(dead_code, clippy::print_stdout, reason = "a program of a page: compiled, and not run")]
mod twenty_lines;
mod upgrade;
mod upkeep;
mod usual;
#[cfg(unix)]
mod unread;
mod values;
mod values_asked;
mod varied;
mod vocabulary;
#[cfg(unix)]
mod walk;
mod within;
mod words;
mod written;
