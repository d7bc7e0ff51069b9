//! Bugs in what comes in and goes out: sheets, settings, files, terminals, scripts.

use super::Bug;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "nobody is told that no mark is kept",
        edits: &[(
            "app",
            "(ledger.unmarked().map(str::to_owned), ledger.accepted()",
            "(ledger.unmarked().filter(|_| false).map(str::to_owned), ledger.accepted()",
        )],
        tests: "--test it places::a_booking_without",
    },
    Bug {
        name: "the token is shown with an error of the configuration",
        edits: &[("config", "let said = without_secrets(&error.to_string());", "let said = error.to_string();")],
        tests: "--test it secrets::",
    },
    Bug {
        name: "zeros in front make another order number",
        edits: &[("text", "if first.is_ascii_digit() { run.trim_start_matches('0') } else { run }", "run")],
        tests: "--test it duplicates::",
    },
    Bug {
        name: "an order under a respelled number is sent",
        edits: &[("stage", ".filter(|_| held.is_empty())", "")],
        tests: "--test it grouping::a_number",
    },
    Bug {
        name: "a respelled number is compared with booked orders alone",
        edits: &[("ledger", "o.number <> ?17 AND \",", "o.number <> ?17 AND o.state = 'booked' AND \",")],
        tests: "--test it duplicates::a_respelled_number_is_held_beside_orders",
    },
    Bug {
        name: "a respelled number is compared with orders of one address alone",
        edits: &[("ledger", "self.others.iter().find(|(id, _)| *id == service)", "self.others.iter().find(|_| false)")],
        tests: "--test it duplicates::a_respelled_number_is_held_beside_an_order_at",
    },
    Bug {
        name: "numbers that a spreadsheet changed are other numbers",
        edits: &[("text", "} else if either(|own| &own.spoiled) {", "} else if false {")],
        tests: "--test it aliases::a_booked_number_that_a_spreadsheet_changed",
    },
    Bug {
        name: "numbers with something put to them are other numbers",
        edits: &[("ledger", "chain(&forms.parts).map(|form| value(form, false))", "map(|form| value(form, false))")],
        tests: "--test it aliases::a_booked_number_with_something_put_to_it",
    },
    Bug {
        name: "what failed is no order that may come under another number",
        edits: &[(
            "ledger",
            "o.source_standing IN ('rejected', 'refused', 'held') OR ",
            "o.source_standing IN ('held') OR ",
        )],
        tests: "--test it aliases::what_failed_or_waits",
    },
    Bug {
        name: "an order in doubt is looked for by its products alone",
        edits: &[("stage", "by_person().filter(|_| is_in_doubt)", "by_person().filter(|_| false)")],
        tests: "--test it aliases::against_a_doubt",
    },
    Bug {
        name: "the phone alone makes one person of two",
        edits: &[(
            "stage",
            "[(0_u8, phone.zip(name)), (1, phone.zip(pin_code)),",
            "[(0_u8, phone.zip(phone)), (1, phone.zip(pin_code)),",
        )],
        tests: "--test it aliases::against_a_doubt",
    },
    Bug {
        name: "a person's word that two orders are two is forgotten",
        edits: &[("ledger", "if said.exists(params![one, other", "if false && said.exists(params![one, other")],
        tests: "--test it aliases::what_failed_or_waits",
    },
    Bug {
        name: "a respelled number with other content is sent unasked",
        edits: &[("finding", "hold(SameOrder) sent_before", "warn(SameOrder) sent_before")],
        tests: "--test it duplicates::a_respelled_number_with_other_content",
    },
    Bug {
        name: "a watcher sends the same bytes again",
        edits: &[("ledger", "t.sha256 = ?2 AND t.id <> ?3", "t.sha256 <> ?2 AND t.id <> ?3")],
        tests: "--test it watch::nights::a_sheet_that_came_before",
    },
    Bug {
        name: "a watcher goes on with what a person took up",
        edits: &[("ledger", "AND r.id = {LATEST} ORDER BY", "ORDER BY")],
        tests: "--test it watch::nights::what_a_person_took_up",
    },
    Bug {
        name: "open files are not tried out before anything begins",
        edits: &[("cli", "make_room(0)?;", "")],
        tests: "--test it limits::few_open_files",
    },
    Bug {
        name: "a limit on the size of files kills",
        edits: &[("app", "from_raw(Signal::XFSZ.as_raw())", "from_raw(Signal::USR1.as_raw())")],
        tests: "--test it limits::a_limit_on_the_size_of_files",
    },
    Bug {
        name: "hidden characters reach the terminal",
        edits: &[("cli", "shown.push_str(&visible(rest));", "shown.push_str(rest);")],
        tests: "--test it hidden::",
    },
    Bug {
        name: "many worksheets may be one part",
        edits: &[("sheet", "worksheets::not_apart(parts.iter().cloned()).map_err(refused)?;", "")],
        tests: "--test it hostile::many_worksheets",
    },
    Bug {
        name: "what all parts of a workbook unpack to is not bounded by the file",
        edits: &[(
            "sheet",
            "allow_unpacking(self.file_bytes, total)",
            "allow_unpacking(self.file_bytes, total % self.file_bytes)",
        )],
        tests: "--test it hostile::many_worksheets",
    },
    Bug {
        name: "a named pipe is waited for",
        edits: &[("sheet", "if !is_handed_over(path) {", "if is_handed_over(path) && limits.rows_max == 0 {")],
        tests: "--test it pipes::",
    },
    Bug {
        name: "folders for labels are open to all",
        edits: &[("after", "create_private_folder(path)?;", "std::fs::create_dir_all(path)?;")],
        tests: "--test it private::",
    },
    Bug {
        name: "a link in the folder is taken for a label",
        edits: &[("after", "let is_file = path.symlink_metadata()", "let is_file = path.metadata()")],
        tests: "--test it private::",
    },
    Bug {
        name: "a configuration that others may write to is used",
        edits: &[("config", "const WRITABLE_BY_OTHERS: u32 = 0o002;", "const WRITABLE_BY_OTHERS: u32 = 0o000;")],
        tests: "--test it trust::",
    },
    Bug {
        name: "the token goes to a new host unasked",
        edits: &[(
            "config",
            "is_own || trust::is_known_host",
            "!endpoint.is_plain() || is_own || trust::is_known_host",
        )],
        tests: "--test it trust::",
    },
    Bug {
        name: "the token goes to a program of this machine that a strange configuration names",
        edits: &[("config", "self.service_named_by() == NamedBy::User && endpoint", "endpoint")],
        tests: "--test it trust::",
    },
    Bug {
        name: "commands inherit the token",
        edits: &[("api", "command.env_remove(name);", "drop(name);")],
        tests: "--test it trust::",
    },
    Bug {
        name: "slow connections keep their places",
        edits: &[(
            "after",
            "open.pop_front().inspect(AbortHandle::abort);",
            "tokio::time::sleep(HEADER_TIME_MAX).await;",
        )],
        tests: "--test it services::an_event_gets_through",
    },
];
