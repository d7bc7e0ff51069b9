//! What people say in a history: of doubts, of what a rule held, and of single orders.

use shipsheet::finding::{Accepted, RuleId};
use shipsheet::ledger::{AcceptedFinding, DecisionVerb, Ledger, LedgerError, NewDecision, OrderHistory, Said};

use super::sheets::{Content, number};
use super::world::World;

impl World {
    /// A person settles what is in doubt, by what the service's book says at that moment, or gives it up.
    pub(super) fn decide(&mut self, look_up: bool) {
        let Some(mut ledger) = self.open_for_person() else { return };
        for doubt in ledger.doubts().unwrap() {
            let theirs =
                self.service.pages().bookings.iter().find(|(n, _)| *n == doubt.number).map(|(_, awb)| awb.clone());
            let verb = match theirs {
                _ if !look_up => DecisionVerb::Abandoned,
                Some(awb) => DecisionVerb::Booked { awb },
                None => {
                    *self.words.entry(doubt.number.clone()).or_default() += 1;
                    self.figures.words += 1;
                    DecisionVerb::NotBooked
                }
            };
            let order = self.order_of(&doubt);
            match ledger.decide(&decision(&doubt, verb.clone())) {
                Ok(()) => self.model.decided(order, verb == DecisionVerb::Abandoned),
                Err(LedgerError::AwbTaken { .. }) => {}
                Err(error) => self.faults.push(format!("a person's word was refused: {error}")),
            }
        }
    }

    /// A person gives up an order that may be sent, or is in doubt.
    pub(super) fn abandon(&mut self, nth: usize) {
        let Some(mut ledger) = self.open_for_person() else { return };
        let all = ["staged", "waiting", "rejected", "refused", "in_doubt", "held", "left_out"];
        let Some((order, seen)) = self.nth(&ledger, nth, &all) else { return };
        // What no source has let go is no order to give up.
        if seen.requests.is_empty() {
            return;
        }
        match ledger.decide(&decision(&seen, DecisionVerb::Abandoned)) {
            Ok(()) => self.model.decided(order, true),
            Err(error) => self.faults.push(format!("A-{order} could not be abandoned: {error}")),
        }
    }

    /// A person lets an order go that was given up, or that a sheet keeps back.
    pub(super) fn release(&mut self, nth: usize) {
        let Some(mut ledger) = self.open_for_person() else { return };
        let Some((order, seen)) = self.nth(&ledger, nth, &["held", "left_out", "abandoned"]) else { return };
        // There is nothing of it that could go.
        if seen.requests.is_empty() {
            return;
        }
        if let Err(error) = ledger.decide(&decision(&seen, DecisionVerb::NotBooked)) {
            return self.faults.push(format!("A-{order} could not be let go: {error}"));
        }
        if seen.state == "abandoned" && !seen.attempts.is_empty() {
            *self.words.entry(number(order)).or_default() += 1;
        }
        // What a sheet said of an order that is given up counts again once it is not.
        let now = ledger.order(&number(order)).unwrap();
        self.model.release(order, now.iter().any(|now| !matches!(now.state.as_str(), "held" | "left_out")));
    }

    /// A person accepts all that was held of an order when it stayed behind last.
    pub(super) fn accept(&mut self, nth: usize) {
        let Some(mut ledger) = self.open_for_person() else { return };
        let Some((order, _)) = self.nth(&ledger, nth, &["held"]) else { return };
        let (service, of) = (self.service.url.clone(), number(order));
        for held in ledger.held_last(&service, &of).unwrap() {
            let Said::Data(finding) = &held.said else { continue };
            let Some((basis, rule)) = finding.basis.clone().zip(finding.rule()) else { continue };
            let source = self.source_of(held.place.as_deref().unwrap_or_default(), order);
            let word = Accepted { by: "asha".into(), at_ms: 5_000, because: "asked".into(), is_new: false };
            let (name, number) = (rule.as_str().to_owned(), Some(of.clone()));
            let accepted = AcceptedFinding { rule: name, order: number, sheet: None, basis, word };
            self.model.accept(order, source, rule == RuleId::CancelledNote);
            match ledger.accept_findings(&service, "desk", &[accepted]) {
                Ok(released) if released.is_empty() => {}
                Ok(_) if self.model.answer(order, source.1) => {}
                Ok(_) => self.faults.push(format!("{of} was let go with what nobody was asked about: {held:?}")),
                Err(error) => self.faults.push(format!("{rule} could not be accepted of {of}: {error}")),
            }
        }
    }

    /// One of the orders that stand at one of these.
    fn nth(&self, ledger: &Ledger, nth: usize, standings: &[&str]) -> Option<(usize, OrderHistory)> {
        let of = |order| ledger.order(&number(order)).unwrap().into_iter().map(move |seen| (order, seen));
        let mut all: Vec<_> = self.model.orders().flat_map(of).collect();
        all.retain(|(_, seen)| standings.contains(&seen.state.as_str()));
        if all.is_empty() { None } else { Some(all.swap_remove(nth % all.len())) }
    }

    /// The sheet of a place, and what it has of an order.
    fn source_of(&self, place: &str, order: usize) -> (usize, Content) {
        let n = place.strip_prefix("sheet-").and_then(|rest| rest.split('.').next()?.parse::<usize>().ok());
        let n = n.unwrap_or_else(|| panic!("no sheet is at \"{place}\""));
        let entry = self.sheets[n].1.iter().find(|entry| entry.order == order);
        (n, entry.unwrap_or_else(|| panic!("A-{order} is not in sheet {n}")).content)
    }

    fn open_for_person(&mut self) -> Option<Ledger> {
        let opened = self.open().map(|(ledger, _)| ledger);
        opened.map_err(|error| self.faults.push(format!("a good ledger was refused to a person: {error}"))).ok()
    }

    fn order_of(&self, seen: &OrderHistory) -> usize {
        self.model.orders().find(|order| number(*order) == seen.number).expect("the ledger has an order of no sheet")
    }
}

fn decision(seen: &OrderHistory, verb: DecisionVerb) -> NewDecision {
    NewDecision {
        upon: seen.upon(),
        verb,
        user: "asha".into(),
        host: "desk".into(),
        because: "seen in the portal".into(),
        at_ms: 4_000,
    }
}
