//! An ordinary night, sheets of every kind, and a service that is down.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::bench::{Fortnight, Truth, bad, row};
use crate::rig::{Live, ran, sheet, wait_until};

/// How long a sheet of the second night must have been at rest, in seconds.
const REST: &str = "1";

impl Fortnight<'_> {
    pub(super) fn first_week(&mut self) {
        self.ordinary();
        self.half_written_and_late();
        self.duplicates();
        self.bad_rows();
        self.corrected();
        self.strange();
        self.service_away();
    }

    fn ordinary(&mut self) {
        self.begins("an ordinary one");
        self.drop_sheet("monday.csv", "MO");
        let n = self.orders;
        self.is(
            &[],
            &Truth {
                exit: 0,
                words: &[&format!("monday.csv: {n} of {n} orders booked -> done/")],
                alert: Some(&format!("shipsheet: {n} orders booked")),
                lines: &[&format!("Orders: {n} in all, {n} booked")],
                folder: &["+ done/monday.csv"],
                reports: &[&format!("booked {n}, total {n}")],
                ..Truth::default()
            },
        );
    }

    fn half_written_and_late(&mut self) {
        self.begins("a half-written sheet, a copy that broke off, and one that comes late");
        self.drop_sheet("tuesday.csv", "TU");
        let numbers = self.numbers("GR");
        let grows = sheet(numbers.iter().map(|number| row(number)));
        self.drop_text("growing.csv", &grows[..grows.len() / 2]);
        let broken = sheet(self.numbers("BR").iter().map(|number| row(number)));
        // The last row ends in its address.
        let (whole, _) = broken.rsplit_once(",Bengaluru").unwrap();
        self.drop_text("broken.csv", whole);
        let late = sheet(self.numbers("LA").iter().map(|number| row(number)));
        let (rig, is_over) = (&self.rig, AtomicBool::new(false));
        let night = std::thread::scope(|scope| {
            let copy = scope.spawn(|| {
                let mut file = std::fs::File::options().append(true).open(rig.path("in/growing.csv")).unwrap();
                let rest = &grows.as_bytes()[grows.len() / 2..];
                // A blank line is no order, and makes the file grow for as long as the night goes on.
                file.write_all(rest).unwrap();
                while !is_over.load(Ordering::Relaxed) {
                    file.write_all(b"\n").unwrap();
                    std::thread::sleep(Duration::from_millis(2));
                }
            });
            let command = rig.command(&["watch", "in", "--once", "--rest", REST, "--concurrency", "1"]);
            let live = Live::start(command, rig.path("live.stdout"), rig.path("live.stderr"));
            wait_until("tuesday.csv is booked", || rig.sandbox().book().posts("TU-001") == 1);
            rig.file("in/late.csv", &late);
            let night = live.end();
            is_over.store(true, Ordering::Relaxed);
            copy.join().unwrap();
            night
        });
        let n = self.orders;
        let whole = n - 1;
        self.ended(
            &night,
            &Truth {
                exit: 5,
                words: &[
                    &format!("broken.csv: {whole} of {n} orders booked, 1 invalid -> attention/"),
                    &format!("tuesday.csv: {n} of {n} orders booked -> done/"),
                    "growing.csv: not sent, stays where it is: it is not at rest yet",
                    "late.csv: not sent, stays where it is: it came after the night had begun, so the next one takes it",
                ],
                alert: Some(&format!("shipsheet: 1 to fix, 2 sheets left in the folder, {} orders booked", n + whole)),
                lines: &["Left in the folder: growing.csv, late.csv"],
                is_urgent: true,
                folder: &["+ attention/broken.csv", "+ done/tuesday.csv", "+ in/growing.csv", "+ in/late.csv"],
                reports: &[&format!("booked {n}, total {n}"), &format!("booked {whole}, invalid 1, total {n}")],
                ..Truth::default()
            },
        );
        self.by_day("broken.csv is copied once more");
        self.drop_text("broken.csv", &broken);
    }

    fn duplicates(&mut self) {
        self.begins("a duplicate, and one by another name");
        let monday = sheet((1..=self.orders).map(|n| row(&format!("MO-{n:03}"))));
        self.drop_text("monday.csv", &monday);
        self.drop_text("monday (2).csv", &monday);
        let n = self.orders;
        let before = n - 1;
        self.is(
            &[],
            &Truth {
                exit: 3,
                words: &[
                    &format!("broken.csv: {n} of {n} orders booked ({before} before) -> done/"),
                    "broken.csv: every order of it is booked by now, those that were corrected with another sheet -> done/",
                    &format!("growing.csv: {n} of {n} orders booked -> done/"),
                    &format!("late.csv: {n} of {n} orders booked -> done/"),
                    "monday (2).csv: this sheet was taken on ",
                    "monday.csv: this sheet was taken on ",
                ],
                alert: Some(&format!("shipsheet: 2 sheets for a person to look at, {} orders booked", 2 * n + 1)),
                lines: &["monday (2).csv: this sheet was taken on ", "nothing was sent"],
                is_urgent: true,
                folder: &[
                    "- attention/broken.csv",
                    "+ attention/monday (2).csv",
                    "+ attention/monday.csv",
                    "+ done/broken.csv",
                    "+ done/broken.csv",
                    "+ done/growing.csv",
                    "+ done/late.csv",
                    "- in/growing.csv",
                    "- in/late.csv",
                ],
                reports: &[
                    &format!("booked {n}, total {n}"),
                    &format!("booked {n}, total {n}"),
                    &format!("already_booked {before}, booked 1, total {n}"),
                ],
                ..Truth::default()
            },
        );
    }

    fn bad_rows(&mut self) {
        self.begins("30 % of the rows are bad");
        let numbers = self.numbers("TH");
        let is_bad = |at: usize| matches!(at % 10, 1 | 4 | 7);
        let rows = numbers.iter().enumerate().map(|(at, number)| if is_bad(at) { bad(number) } else { row(number) });
        let text = sheet(rows);
        self.drop_text("thursday.csv", &text);
        let n = self.orders;
        let wrong = (0..n).filter(|at| is_bad(*at)).count();
        let good = n - wrong;
        self.is(
            &[],
            &Truth {
                exit: 4,
                words: &[&format!("thursday.csv: {good} of {n} orders booked, {wrong} invalid -> attention/")],
                alert: Some(&format!("shipsheet: {wrong} to fix, {good} orders booked")),
                lines: &[&format!("{wrong} × invalid: ")],
                is_urgent: true,
                folder: &["+ attention/thursday.csv"],
                reports: &[&format!("booked {good}, invalid {wrong}, total {n}")],
                ..Truth::default()
            },
        );
    }

    fn corrected(&mut self) {
        self.begins("the sheet comes corrected");
        self.drop_sheet("thursday.csv", "TH");
        let n = self.orders;
        let new = (0..n).filter(|at| matches!(at % 10, 1 | 4 | 7)).count();
        let before = n - new;
        self.is(
            &[],
            &Truth {
                exit: 0,
                words: &[
                    &format!("thursday.csv: {n} of {n} orders booked ({before} before) -> done/"),
                    "thursday.csv: every order of it is booked by now, those that were corrected with another sheet -> done/",
                ],
                alert: Some(&format!("shipsheet: {new} orders booked")),
                lines: &[&format!("{new} booked, {before} booked before")],
                folder: &["- attention/thursday.csv", "+ done/thursday.csv", "+ done/thursday.csv"],
                reports: &[&format!("already_booked {before}, booked {new}, total {n}")],
                ..Truth::default()
            },
        );
    }

    fn strange(&mut self) {
        self.begins("strange files");
        self.drop_text("label.pdf", "%PDF-1.4 a label that somebody dropped here");
        self.drop_text("photo.xlsx", "PK\u{3}\u{4} this is no workbook");
        self.drop_sheet("saturday.csv", "SA");
        let n = self.orders;
        self.is(
            &[],
            &Truth {
                exit: 3,
                words: &[
                    "label.pdf: nothing was sent, the sheet cannot be used -> failed/",
                    "photo.xlsx: nothing was sent, the sheet cannot be used -> failed/",
                    &format!("saturday.csv: {n} of {n} orders booked -> done/"),
                ],
                alert: Some(&format!("shipsheet: 2 sheets for a person to look at, {n} orders booked")),
                is_urgent: true,
                folder: &["+ done/saturday.csv", "+ failed/label.pdf", "+ failed/photo.xlsx"],
                reports: &[&format!("booked {n}, total {n}")],
                ..Truth::default()
            },
        );
    }

    fn service_away(&mut self) {
        self.begins("the service is down");
        self.drop_sheet("sunday.csv", "SU");
        self.drop_sheet("sunday-2.csv", "SV");
        let (command, service) = (self.command(&[]), self.service.clone());
        let night = self.rig.without_service(service, |_| ran(command));
        let n = self.orders;
        self.ended(
            &night,
            &Truth {
                exit: 5,
                words: &[
                    &format!("sunday-2.csv: 0 of {n} orders booked, {n} outstanding -> attention/"),
                    "sunday.csv: not sent, stays where it is: ",
                ],
                alert: Some(&format!("shipsheet: {n} not sent, 1 sheet left in the folder, 0 orders booked")),
                lines: &["A run stopped early: the service could not be reached", "Left in the folder: sunday.csv"],
                is_urgent: true,
                folder: &["+ attention/sunday-2.csv", "+ in/sunday.csv"],
                reports: &[&format!("outstanding {n}, total {n}")],
                ..Truth::default()
            },
        );
    }
}
