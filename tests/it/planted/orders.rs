//! Bugs in the order book: what was last said of an order, and whether it goes.

use super::Bug;

pub(super) const BUGS: &[Bug] = &[
    Bug {
        name: "an order that does not go is claimed in a file",
        edits: &[
            (
                "ledger",
                "AND request_id = ?2 AND (state = 'staged' OR state = 'waiting') AND verdict = 'go' AND hold IS NULL AND draft_hold = 0",
                "AND request_id = ?2 AND (state = 'staged' OR state = 'waiting')",
            ),
            (
                "ledger",
                "WHERE id = ?1 AND (state = 'staged' OR state = 'waiting') AND verdict = 'go' AND hold IS NULL AND draft_hold = 0",
                "WHERE id = ?1 AND (state = 'staged' OR state = 'waiting')",
            ),
        ],
        tests: "--lib ledger::tests::runs::an_order_that_a_newer_sheet",
    },
    Bug {
        name: "an order that does not go is claimed on a server",
        edits: &[
            (
                "../templates/ledger/turns.sql",
                "AND o.verdict = 'go' AND o.hold IS NULL AND o.draft_hold = 0 FOR UPDATE SKIP LOCKED",
                "FOR UPDATE SKIP LOCKED",
            ),
            (
                "../templates/ledger/turns.sql",
                "WHERE id = ANY (claimed) AND (state = 'staged' OR state = 'waiting') AND verdict = 'go' AND hold IS NULL AND draft_hold = 0",
                "WHERE id = ANY (claimed) AND (state = 'staged' OR state = 'waiting')",
            ),
        ],
        tests: "--lib ledger::tests::server::runs::an_order_that_a_newer_sheet",
    },
    Bug {
        name: "the database lets an order go to sending that is held",
        edits: &[(
            "ledger/guards",
            "OLD.state <> 'sending' AND (NEW.verdict <> 'go' OR NEW.hold IS NOT NULL OR NEW.draft_hold = 1)",
            "OLD.state <> 'sending' AND NEW.verdict = 'nothing'",
        )],
        tests: "--lib ledger::tests::guards",
    },
    Bug {
        name: "the database lets an order go to sending about which a person is asked",
        edits: &[(
            "ledger/guards",
            "OLD.state <> 'sending' AND (NEW.verdict <> 'go' OR NEW.hold IS NOT NULL OR NEW.draft_hold = 1)",
            "OLD.state <> 'sending' AND NEW.verdict <> 'go'",
        )],
        tests: "--lib ledger::tests::book",
    },
    Bug {
        name: "the database takes an older revision for the newest one",
        edits: &[("ledger/guards", "NEW.revision_id <= OLD.revision_id OR NOT EXISTS (", "NOT EXISTS (")],
        tests: "--lib ledger::tests::guards",
    },
    Bug {
        name: "the database takes a revision of another order",
        edits: &[("ledger/guards", "AND order_id = NEW.id AND verdict = NEW.verdict", "AND verdict = NEW.verdict")],
        tests: "--lib ledger::tests::book",
    },
    Bug {
        name: "an order begins held",
        edits: &[(
            "ledger/guards",
            "OR NEW.attempts <> 0 OR (NEW.verdict = 'go') <> (NEW.request_id IS NOT NULL) OR NEW.hold IS NOT NULL",
            "OR NEW.attempts <> 0",
        )],
        tests: "--lib ledger::tests::guards",
    },
    Bug {
        name: "a correction of an AWB takes the order back",
        edits: &[(
            "ledger/guards",
            "OR NEW.revision_id <> OLD.revision_id OR NEW.verdict <> OLD.verdict OR NEW.hold IS DISTINCT FROM OLD.hold OR NEW.attempts <> OLD.attempts",
            "OR NEW.attempts <> OLD.attempts",
        )],
        tests: "--lib ledger::tests::book",
    },
    Bug {
        name: "an older sheet releases what a newer one refuses",
        edits: &[("ledger", "return Some(Question::OldSheet);", "return None;")],
        tests: "--test it superseded::what_a_newer_sheet_refuses_is_sent_by_no",
    },
    Bug {
        name: "a cancelled order goes once it comes with other values",
        edits: &[("ledger", "|| now.verdict == Verdict::Cancelled ||", "||")],
        tests: "--test it superseded::an_order_that_comes_corrected",
    },
    Bug {
        name: "content that was replaced is taken as new",
        edits: &[(
            "ledger",
            "None if comes.was_before => return Some(Question::Replaced)",
            "None if comes.was_before => return None",
        )],
        tests: "--test it superseded::content_that_was_replaced",
    },
    Bug {
        name: "another receiver is taken as a correction",
        edits: &[("stage", "if before.is_for_another(&now) {", "if before.is_for_another(&now) && before == now {")],
        tests: "--test it superseded::two_receivers",
    },
    Bug {
        name: "another phone alone is another receiver",
        edits: &[(
            "stage",
            "self.who[0] != other.who[0] && self.who[1..] != other.who[1..]",
            "self.who[0] != other.who[0] || self.who[1..] != other.who[1..]",
        )],
        tests: "--test it superseded::two_receivers",
    },
    Bug {
        name: "fewer products are taken as a correction",
        edits: &[(
            "stage",
            "if is < was { Successor::FewerProducts",
            "if is < was && was == 0 { Successor::FewerProducts",
        )],
        tests: "--test it superseded::fewer_products",
    },
    Bug {
        name: "a sheet that came before takes an order back",
        edits: &[("stage", "if sheet.came_before && !self.is_draft {", "if sheet.came_before && of.rows.is_empty() {")],
        tests: "--test it superseded::a_sheet_that_is_imported_again",
    },
    Bug {
        name: "a sheet that came before answers what a newer one asks",
        edits: &[(
            "stage",
            "let is_older = sheet.came_before && !self.is_draft",
            "let is_older = sheet.came_before && self.is_draft",
        )],
        tests: "--test it superseded::a_sheet_that_came_before_is_no_answer",
    },
    Bug {
        name: "a sheet whose order was let go since is an old one",
        edits: &[("ledger", ".filter(|now| !is_own(now))", ".filter(|now| !is_own(now) || now.hold.is_none())")],
        tests: "--test it superseded::a_sheet_whose_order",
    },
    Bug {
        name: "a sheet that is refused as a whole takes nothing back",
        edits: &[("app", "Why::Invalid => true", "Why::Invalid => false")],
        tests: "--test it superseded::a_sheet_that_is_refused",
    },
    Bug {
        name: "a sheet that cannot be sent takes nothing back",
        edits: &[("app", "if face.is_agreed() { session.revise(", "if !face.is_agreed() { session.revise(")],
        tests: "--test it superseded::a_sheet_that_cannot_be_sent",
    },
    Bug {
        name: "a dry run takes orders back",
        edits: &[(
            "app",
            "Why::Nothing | Why::Shown | Why::Declined => false",
            "Why::Nothing | Why::Shown | Why::Declined => true",
        )],
        tests: "--test it superseded::what_is_only_looked_at",
    },
    Bug {
        name: "two waiting sheets that disagree are both believed",
        edits: &[(
            "app",
            "let other = others.clone().find(|word| word.content != content)?;",
            "let other = others.clone().find(|word| word.content != content && word.rows.is_empty())?;",
        )],
        tests: "--test it watch::together::two_waiting_sheets",
    },
    Bug {
        name: "an order of an earlier night goes although two waiting sheets disagree on it",
        edits: &[(
            "app",
            "self.revisions.iter().cloned().chain(disputed)",
            "self.revisions.iter().cloned().chain(disputed.take(0))",
        )],
        tests: "--test it watch::together::an_order_on_which",
    },
    Bug {
        name: "waiting sheets take nothing back before they are sent",
        edits: &[("watch", "book.revise(&sheets)?;", "")],
        tests: "--test it watch::together::an_order_on_which",
    },
    Bug {
        name: "a cancellation of an order on its way is forgotten",
        edits: &[(
            "ledger",
            "if matches!(self.state, State::Booked | State::Abandoned) { return false; }",
            "if matches!(self.state, State::Booked | State::Abandoned | State::Sending) { return false; }",
        )],
        tests: "--lib ledger::tests::runs::a_cancellation_of_an_order_on_its_way",
    },
    Bug {
        name: "a cancellation of an order in doubt is forgotten",
        edits: &[(
            "ledger",
            "if matches!(self.state, State::Booked | State::Abandoned) { return false; }",
            "if matches!(self.state, State::Booked | State::Abandoned | State::InDoubt) { return false; }",
        )],
        tests: "--test it superseded::a_cancellation_of_an_order_in_doubt",
    },
    Bug {
        name: "an answer to one rule releases what another one asks about",
        edits: &[(
            "ledger",
            "Release::Asked(rule, _) => asked.filter(|_| hold.as_deref() == Some(rule))",
            "Release::Asked(rule, _) => asked.filter(|_| hold.is_some() && !rule.is_empty())",
        )],
        tests: "--lib ledger::tests::book::only_an_answer",
    },
    Bug {
        name: "the request that is released is not the one that was asked about",
        edits: &[(
            "ledger",
            "Release::Asked(rule, _) => asked.filter(|_| hold.as_deref() == Some(rule))",
            "Release::Asked(rule, _) => asked.filter(|_| hold.as_deref() == Some(rule)).and(own)",
        )],
        tests: "--lib ledger::tests::book::only_an_answer",
    },
    Bug {
        name: "orders that are held count as outstanding",
        edits: &[(
            "../templates/ledger/tally_of_file.sql",
            "+ (NEW.standing = 'staged' OR NEW.standing = 'sending' OR NEW.standing = 'waiting'),",
            "+ (NEW.standing = 'staged' OR NEW.standing = 'sending' OR NEW.standing = 'waiting' OR NEW.standing = 'held'),",
        )],
        tests: "--lib ledger::tests::book::orders_that_are_held",
    },
    Bug {
        name: "resume takes orders up that are held",
        edits: &[(
            "ledger",
            "let outstanding = self.orders_in(\"'staged', 'waiting'\",",
            "let outstanding = self.orders_in(\"'staged', 'waiting', 'held', 'left_out'\",",
        )],
        tests: "--lib ledger::tests::book::resume_and_retry",
    },
    Bug {
        name: "a corrected row brings back an order that a person gave up",
        edits: &[(
            "ledger",
            "State::Abandoned => Self::LeftAlone { state: known.state },",
            "State::Abandoned => Self::Replaced,",
        )],
        tests: "--lib ledger::tests::runs::an_abandoned_order",
    },
    Bug {
        name: "an acceptance holds for other cells as well",
        edits: &[(
            "rule",
            "kept.iter().rev().find(|(before, _)| *before == basis)",
            "kept.iter().rev().find(|(before, _)| *before == basis || *before != basis)",
        )],
        tests: "--test it accept::what_is_accepted_before",
    },
    Bug {
        name: "an acceptance is for every case of its rule on the same cells",
        edits: &[("finding", "self.0.push((String::new(), format!(\"{CASE}{case}\")));", "let _ = case;")],
        tests: "--test it accept::what_comes_up_behind",
    },
    Bug {
        name: "a command accepts what comes up behind what it accepts",
        edits: &[("rule", "!self.of_sheet.contains(&rule.id) && is_shown(&basis)", "is_shown(&basis) || true")],
        tests: "--test it accept::what_comes_up_behind",
    },
    Bug {
        name: "an answer releases content that nobody was shown",
        edits: &[("ledger", "if !basis.has(\"\", &hex(&sha256))", "if basis.has(\"\", \"\")")],
        tests: "--test it questions::an_answer_is_for",
    },
    Bug {
        name: "an older form is looked for before the receiver is compared",
        edits: &[(
            "ledger",
            "if successor == Some(Successor::OtherReceiver) {",
            "if successor == Some(Successor::OtherReceiver) && now.is_none() {",
        )],
        tests: "--test it questions::an_old_sheet_displaces",
    },
    Bug {
        name: "a cancellation is forgotten where a sheet has the order wrong",
        edits: &[("ledger", "before == Verdict::Cancelled && *verdict != Verdict::Go && hold.is_none()", "false")],
        tests: "--test it questions::a_cancellation_stands",
    },
    Bug {
        name: "a cancellation of an order that was never seen is forgotten",
        edits: &[(
            "stage",
            "if verdict == Verdict::Cancelled { self.cancelled_unseen(",
            "if verdict == Verdict::Cancelled && rows.is_empty() { self.cancelled_unseen(",
        )],
        tests: "--test it kept_back::a_cancelled_order",
    },
    Bug {
        name: "a cancellation of an order that was never seen is forgotten where its sheet is refused",
        edits: &[(
            "ledger",
            "if new.verdict == Verdict::Cancelled { let next",
            "if new.verdict == Verdict::Cancelled && new.rows.is_empty() { let next",
        )],
        tests: "--test it kept_back::a_cancelled_order",
    },
    Bug {
        name: "a dismissed order is sent once its rule is off",
        edits: &[(
            "ledger",
            "(now.verdict == Verdict::Dismissed && comes.is_dismissed)",
            "(now.verdict == Verdict::Dismissed && is_same)",
        )],
        tests: "--test it kept_back::a_dismissed_order",
    },
    Bug {
        name: "a run sends what it keeps back",
        edits: &[(
            "ledger",
            "AND r.behind = 0 AND o.standing IN ('staged', 'waiting') AND (?4 = 1",
            "AND o.standing IN ('staged', 'waiting') AND (?4 = 1",
        )],
        tests: "--lib ledger::tests::book::a_run_sends_nothing",
    },
    Bug {
        name: "a run counts what it keeps back as outstanding",
        edits: &[(
            "../templates/ledger/tables.sql",
            "THEN CASE r.behind WHEN 0 THEN 'outstanding' ELSE 'held' END",
            "THEN 'outstanding'",
        )],
        tests: "--lib ledger::tests::book::a_run_sends_nothing",
    },
    Bug {
        name: "a run forgets that another one sends what it keeps back",
        edits: &[(
            "../templates/ledger/tally_of_file.sql",
            "WHERE order_id = NEW.id AND behind = 1",
            "WHERE order_id = NEW.id AND behind > 1",
        )],
        tests: "--lib ledger::tests::book::a_run_sends_nothing",
    },
    Bug {
        name: "an order stays dismissed whatever its cells are",
        edits: &[(
            "stage",
            "let verdict = if is_dismissed { Verdict::Dismissed } else { verdict };",
            "let verdict = if can_be_dismissed { Verdict::Dismissed } else { verdict };",
        )],
        tests: "--test it morning::what_is_dismissed",
    },
    Bug {
        name: "a statement holds what is held already, and nothing else",
        edits: &[("ledger", "if !goes || was_held(order)? {", "if goes || was_held(order)? {")],
        tests: "--lib ledger::tests::statements",
    },
    Bug {
        name: "whoever forgets one statement lets go what another one has",
        edits: &[("ledger", "if still(&found.number) || others.iter()", "if still(\"\") || others.iter()")],
        tests: "--lib ledger::tests::statements::an_order_that_two",
    },
    Bug {
        name: "what a person brings back goes although a statement has it",
        edits: &[(
            "app",
            "all.find(|own| !own.is_accepted(number, &accepted))?",
            "all.find(|own| own.is_accepted(number, &accepted))?",
        )],
        tests: "--test it desk::lists::what_a_person_brings_back",
    },
    Bug {
        name: "a correction of an order in doubt ends what a statement holds",
        edits: &[("stage", "let hold = known.is_listed().then_some(RuleId::InCouriersList);", "let hold = None;")],
        tests: "--test it desk::lists::a_correction_of_an_order",
    },
];
