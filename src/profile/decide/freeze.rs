//! Temporary: what today's code decides of sheets.
use super::*;
use crate::sheet::Options;
#[test]
fn freeze_sheets() {
    let out_file = std::env::var("FREEZE_OUT").unwrap_or("/tmp/cols/new-sheets.txt".into());
    let list = std::fs::read_to_string("/tmp/cols/sheets.txt").unwrap();
    let mut out = String::new();
    let rules = crate::check::Rules::new(jiff::Timestamp::UNIX_EPOCH);
    for path in list.lines() {
        let started = std::time::Instant::now();
        let Ok(sheet) = Sheet::open(std::path::Path::new(path), &Options::default()) else {
            out.push_str(&format!("== {path} unreadable\n"));
            continue;
        };
        let sample = LazySample::default();
        let known = Known { rules: Some(&rules), ..Known::default() };
        let Ok(Decided { plan, problems, taken, likely }) = decide(&sheet, &sample, &known) else {
            out.push_str(&format!("== {path} undecided\n"));
            continue;
        };
        out.push_str(&format!("== {path}\n"));
        let cells = &sheet.header().cells;
        let name = |c: u32| cells.get(c as usize).cloned().unwrap_or_default();
        for feed in plan.fed() {
            out.push_str(&format!(
                "{path}\tfeed\t{:?}\t{}\t{}\t{}\t{}\n",
                feed.field.id,
                feed.product,
                feed.step.is_some(),
                feed.shared,
                name(feed.column)
            ));
        }
        let mut claims: Vec<String> = plan
            .amounts()
            .iter()
            .map(|c| {
                format!(
                    "{path}\tclaim\t{:?}\t{}\t{}\t{}\t{}\n",
                    c.role,
                    name(c.column),
                    c.column,
                    c.each_line,
                    c.by_header
                )
            })
            .collect();
        claims.sort();
        out.extend(claims);
        for u in plan.units() {
            out.push_str(&format!("{path}\tunit\t{u:?}\n"));
        }
        for u in plan.unknown() {
            out.push_str(&format!("{path}\tunknown\t{}\n", u.header));
        }
        for t in &taken {
            out.push_str(&format!("{path}\ttaken\t{}\t{:?}\n", t.column.header, t.field.id));
        }
        for t in &likely {
            out.push_str(&format!("{path}\tlikely\t{}\t{:?}\n", t.column.header, t.field.id));
        }
        let mut said: Vec<String> = problems
            .iter()
            .map(|p| format!("{path}\tsaid\t{:?}\t{:?}\t{}\n", p.id, p.level, p.found.clone().unwrap_or_default()))
            .collect();
        said.sort();
        out.extend(said);
        if started.elapsed().as_secs() > 2 {
            eprintln!("{path} {:?}", started.elapsed());
        }
    }
    std::fs::write(out_file, out).unwrap();
}
