//! What a night needs, looked at without booking anything: each check says what was found and what to mend.
//!
//! - `bundle`: the same and more for somebody who helps, without names and secrets
//! - `check`: what a check comes to
//! - `machine`: configuration, ledger and backups, disk, rights, log
//! - `service`: address, clock, token
//! - `night`: the watched folder, the schedule, and whoever is told

mod bundle;
mod check;
mod machine;
mod night;
mod service;

use jiff::Timestamp;

use crate::app::App;

pub(crate) use bundle::bundle;
pub(crate) use check::{Check, DoctorOptions, Level};

/// Looks at everything. Nothing is booked; the service is asked for its clock and whether it takes the token.
pub(crate) fn examine(app: &App, options: &DoctorOptions, now: Timestamp) -> Vec<Check> {
    let (command, words) = (options.notify.command.as_str(), &options.notify.words);
    let mut checks = vec![machine::configuration(app, words)];
    checks.extend(service::service(app, command, now));
    checks.extend(machine::ledger(app, command, now));
    let backups = options.backups.clone().or_else(|| Some(app.config().backup()?.folder));
    let identity = app.read_ledger().and_then(|ledger| Ok(ledger.identity()?)).ok();
    checks.push(machine::backup(backups.as_deref(), identity.as_deref(), words, now));
    checks.push(machine::disk(app));
    checks.push(machine::rights(app, words));
    checks.push(machine::log(app));
    checks.push(night::folder(app, options.folder.as_deref(), now));
    checks.push(night::schedule(app, now));
    checks.extend(night::told(app, options, now));
    checks
}
