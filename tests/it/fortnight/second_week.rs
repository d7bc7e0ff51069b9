//! What ends a run in the middle: the wallet, the token, the disk, the machine, a person.

use std::time::Duration;

use rustix::process::Signal;
use shipsheet::sandbox::Answer;

use super::bench::{Fortnight, Switch, Truth, row};
use crate::rig::{on_disk, sheet, wait_until};

/// What `doctor` says on the morning after a night that did not come.
const DOCTOR: [&str; 20] = [
    "ok       configuration",
    "ok       service",
    "ok       clock",
    "ok       token",
    "ok       ledger",
    "warning  open           1 order in doubt",
    "`shipsheet doubt list` says what to look for; then `shipsheet resume`",
    "warning  backup",
    "name a `folder` under [backup]",
    "  disk  ",
    "ok       rights",
    "-        log",
    "warning  folder         in: 2 sheets waiting",
    "label.pdf and ",
    "read the report beside it; put the sheet into the folder again",
    "bad      schedule       the last night ended",
    "look whether the timer is there and runs",
    "ok       notify",
    "doctor --send-test",
    "to mend before the next night: 1",
];

impl Fortnight<'_> {
    pub(super) fn second_week(&mut self) {
        self.wallet_empty();
        self.token_dead();
        self.disk_full();
        self.killed();
        self.missed();
        self.in_doubt();
        self.stopped_by_hand();
        self.nothing_left();
    }

    /// How many orders of a sheet the service has.
    fn booked_of(&self, letters: &str) -> usize {
        self.rig.bookings().iter().filter(|(number, _)| number.starts_with(letters)).count()
    }

    fn wallet_empty(&mut self) {
        self.begins("the service is back, and the wallet runs empty");
        self.drop_sheet("wallet.csv", "WA");
        self.drop_sheet("zebra.csv", "ZE");
        let empty = "{\"message\":\"insufficient wallet balance, please recharge\"}".to_owned();
        self.rig.sandbox().script_order("WA-005", [Answer::Status(402, empty)]);
        let n = self.orders;
        let left = n - 5;
        self.is(
            &["--concurrency", "1"],
            &Truth {
                exit: 5,
                words: &[
                    &format!("went on with what earlier passes had left: {n} of {n} booked"),
                    &format!("sunday-2.csv: {n} of {n} orders booked ({n} before) -> done/"),
                    &format!("sunday.csv: {n} of {n} orders booked -> done/"),
                    &format!("wallet.csv: 4 of {n} orders booked, 1 refused, {left} outstanding -> attention/"),
                    "zebra.csv: not sent, stays where it is: the account cannot pay: insufficient wallet balance",
                ],
                alert: Some(&format!(
                    "shipsheet: 1 to fix, {left} not sent, 1 sheet left in the folder, {} orders booked",
                    2 * n + 4
                )),
                lines: &[
                    "A run stopped early: the account cannot pay",
                    "1 × refused: insufficient wallet balance",
                    "Left in the folder: zebra.csv",
                    "Next: shipsheet retry",
                ],
                is_urgent: true,
                folder: &[
                    "- attention/sunday-2.csv",
                    "+ attention/wallet.csv",
                    "+ done/sunday-2.csv",
                    "+ done/sunday.csv",
                    "- in/sunday.csv",
                    "+ in/zebra.csv",
                ],
                reports: &[
                    &format!("booked 4, outstanding {left}, refused 1, total {n}"),
                    &format!("booked {n}, total {n}"),
                    &format!("already_booked {n}, total {n}"),
                    &format!("booked {n}, total {n}"),
                ],
                ..Truth::default()
            },
        );
        self.by_day("the wallet is filled: shipsheet retry --cause funds");
        let retried = self.rig.run(&["retry", "--cause", "funds", "--yes"]);
        self.equal("how the retry ends", &retried.exit, &0);
    }

    fn token_dead(&mut self) {
        self.begins("the token dies");
        self.drop_sheet("tokens.csv", "TO");
        self.rig.sandbox().script_order("TO-004", [Answer::Status(401, "{}".to_owned())]);
        let n = self.orders;
        let (left, more) = (n - 3, n - 5);
        self.is(
            &["--concurrency", "1"],
            &Truth {
                exit: 5,
                words: &[
                    &format!("went on with what earlier passes had left: {more} of {more} booked"),
                    &format!("wallet.csv: {n} of {n} orders booked ({n} before) -> done/"),
                    &format!("tokens.csv: 3 of {n} orders booked, {left} outstanding -> attention/"),
                    "zebra.csv: not sent, stays where it is: the service does not accept the token (401)",
                ],
                alert: Some(&format!(
                    "shipsheet: {left} not sent, 1 sheet left in the folder, {} orders booked",
                    more + 3
                )),
                lines: &["A run stopped early: the service does not accept the token", "Left in the folder: zebra.csv"],
                is_urgent: true,
                folder: &["- attention/wallet.csv", "+ attention/tokens.csv", "+ done/wallet.csv"],
                reports: &[
                    &format!("booked 3, outstanding {left}, total {n}"),
                    &format!("already_booked {n}, total {n}"),
                    &format!("booked {more}, total {more}"),
                ],
                ..Truth::default()
            },
        );
        self.by_day("somebody puts a new token into its file");
    }

    fn disk_full(&mut self) {
        self.begins("the disk of the ledger is full");
        if !cfg!(target_os = "linux") {
            self.skip("a disk can be made to fail on Linux only");
            return;
        }
        self.drop_sheet("wednesday.csv", "WE");
        let mut command = self.command(&["--concurrency", "1"]);
        let full = self.rig.path("full");
        on_disk(&mut command, &[("DISK_FAULT", "space"), ("DISK_FROM", "1"), ("DISK_WHILE", full.to_str().unwrap())]);
        let live = self.live_by(command);
        wait_until("wednesday.csv is booked", || self.rig.sandbox().book().posts("WE-003") == 1);
        self.rig.file("full", "");
        let night = live.end();
        std::fs::remove_file(full).unwrap();
        let n = self.orders;
        let left = n - 3;
        self.ended(
            &night,
            &Truth {
                exit: 1,
                words: &[
                    &format!("went on with what earlier passes had left: {left} of {left} booked"),
                    &format!("tokens.csv: {n} of {n} orders booked ({n} before) -> done/"),
                    "error: the ledger could not be written or read",
                    "working/wednesday.csv: not finished, stays where it is: the ledger could not be written or read",
                    "zebra.csv: not sent, stays where it is: the ledger could not be written or read",
                ],
                alert: Some("shipsheet: the night could not go on"),
                lines: &["It could not go on: the ledger could not be written or read", "Next: shipsheet doctor"],
                is_urgent: true,
                folder: &["- attention/tokens.csv", "+ done/tokens.csv", "+ working/wednesday.csv"],
                ..Truth::default()
            },
        );
        self.by_day("room is made on the disk");
    }

    fn killed(&mut self) {
        self.begins("the machine dies in the middle (kill -9)");
        self.drop_sheet("killed.csv", "KI");
        self.rig.sandbox().script_order("KI-004", [Answer::BookedSilent(Duration::from_hours(1))]);
        let n = self.orders;
        let left = n - self.booked_of("WE-");
        let live = self.live_by(self.command(&["--concurrency", "1"]));
        wait_until("killed.csv is booked", || self.rig.sandbox().book().posts("KI-004") == 1);
        live.signal(Signal::KILL);
        let night = live.end();
        self.ended(
            &night,
            &Truth {
                exit: -1,
                words: &[
                    &format!("went on with what earlier passes had left: {left} of {left} booked"),
                    &format!("wednesday.csv: {n} of {n} orders booked -> done/"),
                ],
                switch: Switch::Begin,
                folder: &["+ done/wednesday.csv", "- working/wednesday.csv", "+ working/killed.csv"],
                ..Truth::default()
            },
        );
    }

    fn missed(&mut self) {
        self.begins("the machine stays off: a night is missed");
        self.drop_sheet("friday.csv", "FR");
        self.rig.hours_go_by(30);
        self.by_day("shipsheet doctor --notify, at seven");
        let morning = self.rig.run(&["doctor", "--notify", "--folder", "in"]);
        self.ended(
            &morning,
            &Truth {
                exit: 1,
                words: &DOCTOR,
                alert: Some("shipsheet: a night is missed"),
                lines: &["one is missed after 26 hours", "Next: shipsheet doctor", "Next: shipsheet doubt list"],
                is_urgent: true,
                switch: Switch::Nothing,
                folder: &["+ in/friday.csv"],
                ..Truth::default()
            },
        );
    }

    fn in_doubt(&mut self) {
        self.begins("the machine is on again, with an order in doubt");
        let n = self.orders;
        let (left, sure) = (n - 4, n - 1);
        self.is(
            &["--concurrency", "1"],
            &Truth {
                exit: 6,
                words: &[
                    &format!("went on with what earlier passes had left: {left} of {left} booked"),
                    &format!("killed.csv: {sure} of {n} orders booked, 1 in doubt -> attention/"),
                    &format!("friday.csv: {n} of {n} orders booked -> done/"),
                    &format!("zebra.csv: {n} of {n} orders booked -> done/"),
                ],
                alert: Some(&format!("shipsheet: 1 in doubt, {} orders booked", sure + 2 * n)),
                lines: &["In the whole ledger 1 order in doubt", "Next: shipsheet doubt list"],
                is_urgent: true,
                folder: &[
                    "+ attention/killed.csv",
                    "+ done/friday.csv",
                    "+ done/zebra.csv",
                    "- in/friday.csv",
                    "- in/zebra.csv",
                    "- working/killed.csv",
                ],
                reports: &[
                    &format!("booked {n}, total {n}"),
                    &format!("booked {n}, total {n}"),
                    &format!("booked {sure}, in_doubt 1, total {n}"),
                    &format!("booked {left}, total {left}"),
                ],
                ..Truth::default()
            },
        );
        let awb = self.rig.bookings().into_iter().find(|(number, _)| number == "KI-004").unwrap().1;
        self.by_day(&format!("the courier's portal has KI-004: shipsheet doubt booked KI-004 --awb {awb}"));
        let settled = self.rig.run(&["doubt", "booked", "KI-004", "--awb", &awb, "--because", "seen in the portal"]);
        self.equal("whether that is taken", &settled.exit, &0);
    }

    fn stopped_by_hand(&mut self) {
        self.by_day("somebody imports by-hand.csv, and stops it with Ctrl-C");
        let text = sheet(self.numbers("HA").iter().map(|number| row(number)));
        self.rig.file("by-hand.csv", &text);
        let live = self.rig.live("by-hand", &["import", "by-hand.csv", "--yes", "--concurrency", "1"]);
        wait_until("by-hand.csv is booked", || self.rig.sandbox().book().posts("HA-003") == 1);
        live.signal(Signal::INT);
        let stopped = live.end();
        self.equal("how the import by hand ends", &stopped.exit, &5);
        self.begins("what a person stopped by day is left to that person");
        self.drop_sheet("last.csv", "LS");
        let n = self.orders;
        let left = n - self.booked_of("HA-");
        self.is(
            &[],
            &Truth {
                exit: 5,
                words: &[
                    &format!("killed.csv: {n} of {n} orders booked ({n} before) -> done/"),
                    &format!("last.csv: {n} of {n} orders booked -> done/"),
                ],
                alert: Some(&format!("shipsheet: {left} not sent, {n} orders booked")),
                lines: &[&format!("In the whole ledger {left} orders not sent yet"), "Next: shipsheet resume"],
                is_urgent: true,
                folder: &["- attention/killed.csv", "+ done/killed.csv", "+ done/last.csv"],
                reports: &[&format!("booked {n}, total {n}"), &format!("already_booked {n}, total {n}")],
                ..Truth::default()
            },
        );
        self.by_day("the person goes on with it: shipsheet resume");
        let resumed = self.rig.run(&["resume", "--yes"]);
        self.equal("how that ends", &resumed.exit, &0);
    }

    fn nothing_left(&mut self) {
        self.begins("the first of the next fortnight: nothing came, and nothing is left to do");
        self.is(&[], &Truth { exit: 0, alert: Some("shipsheet: nothing came"), is_urgent: true, ..Truth::default() });
    }
}
