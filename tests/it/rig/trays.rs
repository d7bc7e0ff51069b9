//! The folder of a watcher, and what lies in its trays.

use std::collections::BTreeMap;

use shipsheet::app::host;

use super::Rig;

/// What lies in a tray of the folder, without time, station and run in front of the names.
pub(crate) fn lies(rig: &Rig, tray: &str) -> Vec<String> {
    let station: String = host().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let Ok(entries) = std::fs::read_dir(rig.path("in").join(tray)) else { return Vec::new() };
    let entries = entries.map(Result::unwrap).filter(|entry| entry.file_type().unwrap().is_file());
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| tray != "working" || !name.starts_with('.')).collect();
    for name in &mut names {
        let rest = name.get(16..).and_then(|rest| rest.strip_prefix(&format!("{station}-")));
        let Some(rest) = rest.map(str::to_owned) else { continue };
        let run = rest.strip_prefix("run").and_then(|rest| rest.split_once('-'));
        *name = run.filter(|(run, _)| run.parse::<u32>().is_ok()).map_or(rest.clone(), |(_, name)| name.to_owned());
    }
    // Two of one name within a second.
    let mut names: Vec<String> = names.into_iter().map(|name| name.replace(".2.", ".")).collect();
    names.sort();
    names
}

/// The sheets in each tray, without what lies beside them.
pub(crate) fn sheets(rig: &Rig) -> BTreeMap<&'static str, Vec<String>> {
    let beside = [".report.html", ".results.csv", ".results.xlsx", ".to-fix.xlsx"];
    let own = |name: &String| !beside.iter().any(|ending| name.ends_with(ending));
    let trays =
        [("in", ""), ("working", "working"), ("done", "done"), ("attention", "attention"), ("failed", "failed")];
    let trays = trays.into_iter().map(|(name, tray)| (name, lies(rig, tray).into_iter().filter(own).collect()));
    trays.filter(|(_, names): &(_, Vec<String>)| !names.is_empty()).collect()
}
