//! The night itself: the watched folder, when the last one was, and who hears of the next.

use std::fmt::Write;
use std::io;
use std::path::Path;

use jiff::Timestamp;

use crate::app::{App, create_private};
use crate::config::{Channel, Service};
use crate::finding::{Command, Remedy};
use crate::notify::{Kept, Notifier, missed};
use crate::text::{count, error_chain, list, shortened};
use crate::watch::{FolderSeen, look_into};

use super::check::{Check, DoctorOptions};
use super::machine::age;
use super::service::by_hand;

/// Characters of what is named that no night takes.
const STRANGE_MAX: usize = 300;

/// The watched folder: whether sheets can be moved in it, and what lies there.
pub(super) fn folder(app: &App, folder: Option<&Path>, now: Timestamp) -> Check {
    let held = app.read_ledger().and_then(|ledger| app.held_sheets(&ledger)).unwrap_or_default();
    let sent_none = |found: String| {
        let held: Vec<String> = held.iter().map(|path| path.display().to_string()).collect();
        let found = format!("{found}; nothing was sent of {}", list(&held, "and"));
        let mend = "read the report beside it; put the sheet into the folder again, or remove it once that is settled";
        Check::warning("folder", found, mend)
    };
    let Some(folder) = folder else {
        let found = "none is named";
        return if held.is_empty() { Check::skipped("folder", found) } else { sent_none(found.to_owned()) };
    };
    let shown = folder.display();
    let mend = "make the folder, and let the user of the night read, write and rename in it";
    let seen = look_into(folder).map_err(|error| error_chain(&error));
    let tried = seen.and_then(|seen| {
        let failed = seen.folders.iter().find_map(|one| Some((one, try_to_move(one).err()?)));
        match failed {
            None => Ok(seen),
            Some((one, error)) => Err(format!("files cannot be made and renamed in {}: {error}", one.display())),
        }
    });
    match tried {
        Err(why) => Check::bad("folder", why, mend),
        Ok(FolderSeen { waiting, working, oldest, strange, .. }) => {
            let oldest = oldest.and_then(|oldest| Timestamp::try_from(oldest).ok());
            let oldest = oldest.map(|oldest| format!(", the oldest {}", age(oldest.as_millisecond(), now)));
            let mut found = format!(
                "{shown}: {} waiting{}, {working} in working/",
                count(waiting, "sheet"),
                oldest.unwrap_or_default()
            );
            let strange: Vec<String> = strange.iter().map(|(name, what)| format!("{name} is {what}")).collect();
            if !strange.is_empty() {
                let strange = shortened(&list(&strange, "and"), STRANGE_MAX);
                let _ = write!(found, "; no sheet, so no night takes it: {strange}");
            }
            match (held.is_empty(), strange.is_empty()) {
                (false, _) => sent_none(found),
                (true, true) => Check::good("folder", found),
                (true, false) => {
                    Check::warning("folder", found, "put the sheets themselves into the folder, and remove the rest")
                }
            }
        }
    }
}

/// Makes a hidden file, renames it, and takes it away again.
fn try_to_move(folder: &Path) -> io::Result<()> {
    let one = folder.join(format!(".shipsheet-doctor-{}", std::process::id()));
    let other = one.with_extension("moved");
    drop(create_private(&one)?);
    let moved = std::fs::rename(&one, &other);
    let removed = std::fs::remove_file(if moved.is_ok() { &other } else { &one });
    moved.and(removed)
}

/// When the last night was.
pub(super) fn schedule(app: &App, now: Timestamp) -> Check {
    let (kept, night) = (Kept::read(app.config().ledger()), app.config().night());
    let mend = "look whether the timer is there and runs: `systemctl list-timers`, `crontab -l`, or the Task Scheduler";
    if let Some(missed) = missed(&kept, &night, now) {
        return Check::bad("schedule", missed.said(), mend);
    }
    match (kept.began_ms, kept.ended_ms) {
        (Some(began), ended) if ended.is_none_or(|ended| ended < began) => {
            let found = format!("the last night began {} and has not ended", age(began, now));
            Check::warning("schedule", found, "look whether it goes on still; if it was killed, start it again")
        }
        (_, Some(ended)) if night.missed_after.is_some() => {
            let exit = kept.exit.map(|exit| format!(" with exit code {exit}")).unwrap_or_default();
            Check::good("schedule", format!("the last night ended {}{exit}", age(ended, now)))
        }
        (_, Some(ended)) => Check::warning(
            "schedule",
            format!("the last night ended {}; nobody has said when one is missed", age(ended, now)),
            "set `missed_after_hours` under [night] in shipsheet.toml",
        ),
        (_, None) if night.missed_after.is_none() => {
            let found =
                "nobody has said when a night is missed; `missed_after_hours` under [night] in shipsheet.toml does";
            Check::skipped("schedule", found)
        }
        (_, None) => Check::skipped("schedule", "no night was noted yet"),
    }
}

/// Who hears of a night, and whether a test reaches them.
pub(super) fn told(app: &App, options: &DoctorOptions, now: Timestamp) -> Vec<Check> {
    const ID: &str = "notify";
    let mend = "name somebody under [notify.NAME] in shipsheet.toml";
    if *app.config().service() == Service::Sandbox {
        return vec![Check::skipped(ID, "with the sandbox nobody is told")];
    }
    let targets = match app.config().targets() {
        Err(error) => return vec![Check::bad(ID, error_chain(&error), "correct it in shipsheet.toml")],
        Ok(targets) if targets.is_empty() => return vec![Check::warning(ID, "nobody is told how a night ended", mend)],
        Ok(targets) => targets,
    };
    if let Err(error) = app.refuse_new(&app.config().alert_commands()) {
        return vec![Check::bad(ID, error_chain(&error), by_hand(&options.notify.command))];
    }
    let ways = targets.iter().map(|target| {
        let way = match &target.channel {
            Channel::Command(_) => "a command",
            Channel::Webhook { .. } => "a webhook",
            Channel::Mail { .. } => "mail",
        };
        format!("{} by {way}", target.name)
    });
    if !options.sends_test {
        let ways = ways.collect::<Vec<_>>().join(", ");
        let tried = format!("`{}` tries it", (options.notify.words)(&Remedy::run(Command::TryNotices)));
        return vec![Check { mend: Some(tried), ..Check::good(ID, format!("{ways}; not tried")) }];
    }
    match Notifier::new(app, options.notify.clone(), now) {
        Err(error) => vec![Check::bad(ID, error_chain(&error), "correct it in shipsheet.toml")],
        Ok(notifier) => {
            let sent = notifier.map(|mut notifier| notifier.test(now)).unwrap_or_default();
            let each = sent.into_iter().zip(ways).map(|((name, sent), way)| match sent {
                Ok(()) => Check::good(ID, format!("a test went to {way}")),
                Err(why) => {
                    let mend = format!("correct [notify.{name}] in shipsheet.toml");
                    Check::bad(ID, format!("no test could be sent to {way}: {why}"), mend)
                }
            });
            each.collect()
        }
    }
}
