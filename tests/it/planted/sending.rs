//! Bugs in sending and in what answers mean.

use super::{Bug, Edit};

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "requests leave before their intents are on disk",
        edits: &[
            (
                "book",
                "self.committer.write(",
                "for queued in intents.clone() { self.go(queued); } self.committer.write(",
            ),
            ("book", "_ => self.ready.push_back(queued)", "_ => drop(queued)"),
        ],
        tests: "--test it kills::",
    },
    Bug {
        name: "more intents run ahead than is promised",
        edits: &[("book", "wanted.min(most)", "wanted.max(most).max(2 * width)")],
        tests: "--test it kills::",
    },
    Bug {
        name: "an answer that never came is sent again",
        edits: &[
            ("api", "Observed::Lost(lost) => doubt(match lost {", "Observed::Lost(lost) => resend(match lost {"),
            RESEND,
        ],
        tests: "--test it brakes::an_outage",
    },
    Bug {
        name: "5xx is sent again",
        edits: &[("api", "_ => doubt(Doubt::Failed(said()))", "_ => resend(Doubt::Failed(said()))"), RESEND],
        tests: "--test it brakes::an_outage",
    },
    Bug {
        name: "the HTTP client as it comes, with redirects and retries",
        edits: &[
            ("api/client.rs", ".redirect(redirect::Policy::none())", ".redirect(redirect::Policy::default())"),
            ("api/client.rs", ".retry(retry::never())", ""),
            ("api", "use reqwest::{redirect, retry};", "use reqwest::redirect;"),
            ("api", "if call.method == Method::Get {", "if !call.path.is_empty() {"),
        ],
        tests: "--test it brakes::what_is_wrong",
    },
    Bug {
        name: "bookings go over connections that are kept",
        edits: &[("api", "if call.method == Method::Get {", "if !call.path.is_empty() {")],
        tests: "--test it strays::",
    },
    Bug {
        name: "what came before the request is taken for its answer",
        edits: &[("api", "if self.has_all_left() {", "if self.body < usize::MAX {")],
        tests: "--lib api::tests::transport",
    },
    Bug {
        name: "a no of a status that may be our own booking is believed",
        edits: &[("api", "408 | 413 | 420 | 423 | 424 | 425 | 444 | 449 | 460 | 499", "408 | 424 | 499")],
        tests: "--lib api::tests::outcomes",
    },
    Bug {
        name: "an AWB passes through a float",
        edits: &[(
            "api",
            "let text = text.trim(); if is_blank(text) { return Ok(None); } if text.chars().count() > AWB",
            "let text = if matches!(json, Json::Text(_)) { text.clone() } else { text.parse::<f64>().unwrap_or_default().to_string() }; let text = text.trim(); if is_blank(text) { return Ok(None); } if text.chars().count() > AWB",
        )],
        tests: "--lib api::tests::outcomes",
    },
    Bug {
        name: "bookings are told of before they are on disk",
        edits: &[(
            "book",
            "self.committer.write(",
            "for answer in &self.answers { let order = &answer.queued.order.number; self.events.tell(&Event::Settled { order, outcome: &answer.verdict.outcome, attempts: 1, reach: answer.reach }); } self.committer.write(",
        )],
        tests: "--test it kills::every_crash_point",
    },
    Bug {
        name: "brakes that stop nothing",
        edits: &[(
            "book",
            "Ruling::Stop { by, reason } => self.stop_for(by, reason)",
            "Ruling::Stop { by, reason } => drop((by, reason))",
        )],
        tests: "--test it brakes::what_is_wrong",
    },
    Bug {
        name: "what a second Ctrl-C cuts counts as unsent",
        edits: &[
            ("book", "pub(super) const fn in_doubt(", "pub(super) fn in_doubt("),
            (
                "book",
                "Verdict { outcome: Outcome::InDoubt { doubt }, signal: Signal::Doubt };",
                "Verdict { outcome: Outcome::Waiting { reason: doubt.to_string() }, signal: Signal::Doubt };",
            ),
        ],
        tests: "--test it stop::",
    },
    Bug {
        name: "money passes through a float",
        edits: &[(
            "api",
            "serde_json::from_str::<&RawValue>(text)",
            "serde_json::from_str::<&RawValue>(&text.parse::<f64>().unwrap_or_default().to_string())",
        )],
        tests: "--lib api::amount",
    },
];

/// A verdict that lets an order be sent again.
const RESEND: Edit = (
    "api",
    "fn waiting(reason: impl Into<String>) -> Outcome {",
    "fn resend(doubt: Doubt) -> Verdict { verdict(waiting(doubt.to_string()), Signal::Unreachable) } fn waiting(reason: impl Into<String>) -> Outcome {",
);
