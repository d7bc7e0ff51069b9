//! The walk through an unknown layout: a question for each field that is needed and has no column, then all of it at once.
//!
//! Nothing is written here and nothing is decided without the person: whoever leaves leaves everything as it was.

use std::io::{self, BufRead, Write};
use std::ops::Range;

use super::question::{Question, numbers, units, words};
use super::talk::{Said, Step, Talk};
use crate::column::Candidate;
use crate::column::decide::{
    LIKELY, Sample, candidates, further_columns, only_column, paid_by_flag, states_by_pin_codes,
};
use crate::field::{ExtraRole, Field, HeaderReading, Id, Status, says};
use crate::finding::english;
use crate::parse::{ColumnFormat, Input, ReadingSettings, country_code, value};
use crate::profile::{Guess, GuessedColumn, LineTotal, Recipe};
use crate::text::{count, list, shortened};
use crate::words::Topic;

/// A layout that is asked about.
pub(super) struct Walk<'a> {
    /// The sheet's name.
    pub(super) sheet: String,
    /// What its columns hold.
    pub(super) sample: &'a Sample,
    /// What is known of it by its headers.
    pub(super) guess: Guess,
    /// The needed fields that nothing was known to hold.
    pub(super) missing: Vec<&'static Field>,
    /// Those of them that only one column can hold, with its place.
    pub(super) only: Vec<(Id, u32)>,
    /// The profile that knows the rest.
    pub(super) base: Option<String>,
    /// How values are judged.
    pub(super) rules: &'a ReadingSettings,
    /// The currencies of which one holds, the likeliest first; none where that is settled.
    pub(super) currencies: Vec<&'static str>,
    /// Columns with the units that their headers name, where these differ.
    pub(super) units: Vec<(u32, &'static str)>,
}

/// Columns offered at once.
pub(super) const OFFERED: usize = 9;

impl Walk<'_> {
    /// Asks until the person accepts the whole or leaves: then there is nothing.
    pub(super) fn through<I: BufRead, O: Write>(mut self, talk: &mut Talk<I, O>) -> io::Result<Option<Guess>> {
        self.take_only_columns();
        let open = self.missing.iter().copied().filter(|field| !self.only.iter().any(|(own, _)| *own == field.id));
        let open = place_last(open.collect());
        let mut questions = Question::of(&open);
        let of_units = [(self.currencies.is_empty(), Question::Currency), (self.units.is_empty(), Question::OwnUnits)];
        let of_units: Vec<Question> = of_units.into_iter().filter(|(none, _)| !none).map(|(_, own)| own).collect();
        let fields = count((open.len() + of_units.len()) as u64, "question");
        questions.extend(of_units);
        questions.extend([Id::ReceiverFirstName, Id::DestinationLine1].map(|id| Question::More(id.field())));
        talk.say(&format!("\n{}: shipsheet needs to know where some things stand ({fields}).", self.sheet))?;
        talk.say(
            "Answer with a number. b goes back one question, q leaves; nothing is sent or written before you agree.",
        )?;
        if !self.only.is_empty() {
            let names: Vec<&str> = self.only.iter().map(|(id, _)| id.field().header).collect();
            let are =
                if names.len() == 1 { "is taken from the only column" } else { "are taken from the only columns" };
            talk.say(&format!("{} {are} like it; all is shown at the end.", list(&names, "and")))?;
        }
        let mut at = 0;
        loop {
            self.part_address();
            self.part_name();
            let step = match questions.get(at) {
                Some(question) if !self.matters(*question) => Step::Done,
                Some(Question::Column(field)) => {
                    let is_asked = |own: &&Question| matches!(own, Question::Column(_)) && self.matters(**own);
                    let number = |all: &[Question]| all.iter().filter(is_asked).count();
                    talk.say(&format!("\n{} of {}: {}", number(&questions[..=at]), number(&questions), asked(field)))?;
                    self.ask_column(talk, field)?
                }
                Some(Question::Unit(field)) => self.ask_unit(talk, field)?,
                Some(Question::Currency) => self.ask_currency(talk)?,
                Some(Question::OwnUnits) => self.ask_own_units(talk)?,
                Some(Question::More(field)) => self.ask_more(talk, field)?,
                None => match self.review(talk)? {
                    Step::Done => return Ok(Some(self.guess)),
                    other => other,
                },
            };
            match step {
                Step::Done => at += 1,
                Step::Back => at = self.before(&questions, at),
                Step::Quit => return Ok(None),
            }
        }
    }

    /// Takes the columns that alone can hold a field by what they hold: the whole is shown before anything is done by it. One that is
    /// taken may leave another as the only one.
    fn take_only_columns(&mut self) {
        const TOLD: [Id; 6] = [
            Id::ReceiverPhone,
            Id::DestinationPinCode,
            Id::DestinationState,
            Id::Quantity,
            Id::OrderNumber,
            Id::OrderType,
        ];
        while let Some((id, column)) = TOLD.into_iter().find_map(|id| Some((id, self.only_column(id)?))) {
            self.guess.take(id.field(), column);
            self.only.push((id, column));
        }
    }

    /// The column that alone can hold an open field.
    fn only_column(&self, id: Id) -> Option<u32> {
        let is_open = self.missing.iter().any(|field| field.id == id) && !self.guess.feeds(id);
        let free = self.guess.free_for(is_open.then_some(id.field())?);
        let by_pin_codes = || {
            let pin_codes = self.guess.column_of(Id::DestinationPinCode).filter(|_| id == Id::DestinationState)?;
            states_by_pin_codes(&free, pin_codes.column.index, self.sample)
        };
        only_column(id.field(), &free, self.sample).map(|only| only.column.index).or_else(by_pin_codes)
    }

    /// The question to go back to.
    fn before(&self, questions: &[Question], at: usize) -> usize {
        (0..at).rev().find(|earlier| self.matters(questions[*earlier])).unwrap_or(0)
    }

    /// Whether a question has to be asked, as things stand.
    fn matters(&self, question: Question) -> bool {
        match question {
            Question::Column(field) => {
                let id = field.id;
                let is_part = self.is_from_address(id) || id == Id::ReceiverPhone && self.guess.phone_in_name;
                !is_part && !self.is_told_by_pin(id) && self.is_needed_there(id)
            }
            Question::More(field) => !further_columns(&self.guess, field, self.sample).is_empty(),
            other => other.matters(&self.guess),
        }
    }

    pub(super) fn ask_column<I: BufRead, O: Write>(
        &mut self,
        talk: &mut Talk<I, O>,
        field: &'static Field,
    ) -> io::Result<Step> {
        let free = self.guess.free_for(field);
        let all = candidates(field, &free, self.sample);
        let likely = all.first().is_some_and(|first| {
            first.points >= LIKELY && all.get(1).is_none_or(|second| second.points < first.points)
        });
        if all.is_empty() && field.may_be_said_once() {
            talk.say("      no column is left that could have it · n leave it open · b back · q leave")?;
            return self.ask_constant(talk, field);
        }
        let mut shown = OFFERED.min(all.len());
        self.show_columns(talk, field, &all, 0..shown)?;
        let by_time = self.by_time(field);
        if let Some((_, example)) = &by_time {
            talk.say(&format!("      t none: number orders by the time and the phone, such as {example}"))?;
        }
        let by_address = self.by_address(field);
        if let Some(city) = &by_address {
            talk.say(&format!("      e none: it is the end of the address, such as {city}"))?;
        }
        loop {
            let answer = match talk.ask(if likely { "number [1]:" } else { "number:" })? {
                Said::Back => return Ok(Step::Back),
                Said::Quit => return Ok(Step::Quit),
                Said::Text(text) => text,
            };
            // Two columns may hold one thing together.
            if let Some(several) = numbers(&answer, shown).filter(|several| several.len() > 1 && field.may_be_joined())
            {
                self.guess.take(field, all[several[0]].column.index);
                several[1..].iter().for_each(|other| self.guess.also(field, all[*other].column.index));
                return Ok(Step::Done);
            }
            let number = answer.parse::<usize>().ok().or_else(|| (answer.is_empty() && likely).then_some(1));
            // By its header a person may take a column that is not offered.
            let named = || free.iter().find(|own| !answer.is_empty() && own.header.eq_ignore_ascii_case(&answer));
            let chosen = number.and_then(|number| all[..shown].get(number.checked_sub(1)?)).map(|own| &own.column);
            if let Some(column) = chosen.or_else(named).map(|own| own.index) {
                self.guess.take(field, column);
                return self.ask_meaning(talk, field, column);
            }
            match answer.to_ascii_lowercase().as_str() {
                "m" if shown < all.len() => {
                    let more = shown..all.len();
                    shown = all.len();
                    self.show_columns(talk, field, &all, more)?;
                }
                "n" => {
                    self.guess.leave(field.id);
                    return Ok(Step::Done);
                }
                "t" if by_time.is_some() => {
                    self.guess.leave(field.id);
                    self.guess.numbered_by = by_time.map(|(columns, _)| columns);
                    return Ok(Step::Done);
                }
                "e" if by_address.is_some() => {
                    self.take_city_from_address();
                    return Ok(Step::Done);
                }
                "f" if field.may_be_said_once() => match self.ask_constant(talk, field)? {
                    Step::Back => {}
                    step => return Ok(step),
                },
                _ => talk.say("  Type one of the numbers or letters above.")?,
            }
        }
    }

    /// Asks how a column says the field, where that is not how it stands.
    pub(super) fn ask_meaning<I: BufRead, O: Write>(
        &mut self,
        talk: &mut Talk<I, O>,
        field: &'static Field,
        column: u32,
    ) -> io::Result<Step> {
        let role = HeaderReading::of(self.header(column)).amount;
        match field.id {
            Id::OrderType if self.says_yes_or_no(column) => self.ask_of_yes(talk, field, column),
            Id::OrderType if self.says_what_to_collect(column) => {
                self.guess.mean(field.id, &Recipe { collects: true, ..Recipe::default() });
                talk.say("      taken as what is to be collected: an amount above zero is COD, nothing is PREPAID")?;
                Ok(Step::Done)
            }
            Id::Price if matches!(role, Some(ExtraRole::Total | ExtraRole::Order)) || self.may_be_of_all(column) => {
                talk.say(&format!("\nWhat is {} for?", self.header(column)))?;
                talk.say("      1 one piece · 2 all pieces of the row · b back · q leave")?;
                match talk.choose("number:", &["one piece", "all pieces of the row"], None)? {
                    Ok(0) => {}
                    Ok(_) => {
                        self.guess.mean(field.id, &Recipe { line_total: LineTotal::Flag(true), ..Recipe::default() });
                    }
                    Err(step) => return Ok(step),
                }
                Ok(Step::Done)
            }
            _ => Ok(Step::Done),
        }
    }

    /// Whether nobody can tell if amounts are of one piece or of all: their header does not say it, and rows may have several pieces.
    fn may_be_of_all(&self, column: u32) -> bool {
        let reading = HeaderReading::of(self.header(column));
        let pieces = self.guess.column_of(Id::Quantity).map(|own| self.sample.column(own.column.index));
        let are_several = pieces.is_none_or(|seen| seen.texts().any(|text| text != "1"));
        are_several && reading.likeness(Id::Price, &[]) < LIKELY && !reading.says("per-piece")
    }

    /// Asks which orders of a column of yes and no are paid.
    fn ask_of_yes<I: BufRead, O: Write>(
        &mut self,
        talk: &mut Talk<I, O>,
        field: &'static Field,
        column: u32,
    ) -> io::Result<Step> {
        talk.say(&format!("\nWhat does yes mean in \"{}\"?", self.header(column)))?;
        talk.say("      1 the courier collects the money · 2 the order is paid already · b back · q leave")?;
        let recipe = match talk.choose("number:", &["collect", "paid"], None)? {
            Ok(0) => Recipe { collects: true, ..Recipe::default() },
            Ok(_) => Recipe { map: paid_by_flag(true), ..Recipe::default() },
            Err(step) => return Ok(step),
        };
        self.guess.mean(field.id, &recipe);
        Ok(Step::Done)
    }

    fn says_yes_or_no(&self, column: u32) -> bool {
        let seen = self.sample.column(column);
        seen.filled > 0 && seen.texts().all(|text| matches!(says(text), Status::Yes | Status::No))
    }

    /// Whether a column holds amounts, and no types of payment: a word may say that there is none.
    fn says_what_to_collect(&self, column: u32) -> bool {
        let seen = self.sample.column(column);
        let is_figure = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        let is_amount = |text: &str| text == "-" || is_figure(text) || Topic::Values.says(text, "no-amount");
        seen.texts().any(is_figure) && seen.texts().all(is_amount)
    }

    fn show_columns<I: BufRead, O: Write>(
        &self,
        talk: &mut Talk<I, O>,
        field: &Field,
        all: &[Candidate],
        shown: Range<usize>,
    ) -> io::Result<()> {
        for (number, candidate) in (shown.start + 1..).zip(&all[shown.clone()]) {
            let column = candidate.column.index;
            let is_due = field.id == Id::OrderType && self.says_what_to_collect(column);
            let means = if is_due { "  (an amount above zero is COD)" } else { "" };
            talk.say(&format!("  {number:>2}  {}{means}", self.offer(column, candidate.points.min(99))))?;
        }
        let more = (shown.end < all.len()).then_some("m more columns");
        let constant = field.may_be_said_once().then_some("f the same for all orders");
        let joined = (all.len() > 1 && field.may_be_joined()).then_some("1 2 two columns together");
        let others = ["n no column has it", "b back", "q leave"];
        let ways: Vec<&str> = more.into_iter().chain(constant).chain(joined).chain(others).collect();
        talk.say(&format!("      {}", ways.join(" · ")))
    }

    fn ask_constant<I: BufRead, O: Write>(&mut self, talk: &mut Talk<I, O>, field: &'static Field) -> io::Result<Step> {
        let unit = if is_measured(field) { format!(" in {}", units(field)[0]) } else { String::new() };
        loop {
            let text = match talk.ask(&format!("the same for all orders{unit}, for instance {}:", field.example))? {
                Said::Back => return Ok(Step::Back),
                Said::Quit => return Ok(Step::Quit),
                Said::Text(text) => text,
            };
            if text.eq_ignore_ascii_case("n") {
                self.guess.leave(field.id);
                return Ok(Step::Done);
            }
            let fault = if text.is_empty() { Some("type a value".to_owned()) } else { self.fault(field, &text) };
            match fault {
                None => {
                    self.guess.fix(field.id, &text);
                    return Ok(Step::Done);
                }
                Some(fault) => talk.say(&format!("  \"{}\" cannot be used: {fault}", shortened(&text, 40)))?,
            }
        }
    }

    /// The fault of a value that all orders get.
    fn fault(&self, field: &'static Field, text: &str) -> Option<String> {
        self.fault_of(Input::new(field, text))
    }

    /// The fault of the first value of a column, read as the others of it show.
    pub(super) fn fault_in(&self, field: &'static Field, column: u32) -> Option<String> {
        let seen = self.sample.column(column);
        let mut habit = ColumnFormat::default();
        seen.texts().for_each(|text| habit.learn(field.kind, text));
        self.fault_of(Input { habit, ..Input::new(field, &seen.first) })
    }

    fn fault_of(&self, input: Input<'_>) -> Option<String> {
        let country = self.country();
        let input = Input { country: country.as_deref(), ..input };
        value(input, self.rules).said.filter(|said| said.holds()).map(|fault| english::message(&fault))
    }

    /// The country of the first row, as far as it is known yet.
    pub(super) fn country(&self) -> Option<String> {
        let constant = self.guess.constants.get(&Id::DestinationCountryCode).map(String::as_str);
        let column = [Id::DestinationCountryCode, Id::DestinationCountry].into_iter().find_map(|id| {
            let column = self.guess.column_of(id)?;
            Some(self.sample.column(column.column.index).first.as_str())
        });
        let text = constant.or(column).or_else(|| self.rules.default(Id::DestinationCountryCode))?;
        country_code(text).map(str::to_owned)
    }

    pub(super) fn header(&self, column: u32) -> &str {
        self.column(column).map_or("", |guessed| guessed.column.header.as_str())
    }

    fn column(&self, index: u32) -> Option<&GuessedColumn> {
        self.guess.columns.iter().find(|guessed| guessed.column.index == index)
    }

    /// A column with its first values.
    pub(super) fn offer(&self, column: u32, confidence: u8) -> String {
        let values: Vec<String> =
            self.sample.column(column).texts().take(2).map(|value| shortened(value, 24)).collect();
        let values = if values.is_empty() { "(blank)".to_owned() } else { values.join(", ") };
        let sure = if confidence >= 40 { format!("  {confidence} % sure") } else { String::new() };
        format!("{:<20} {values}{sure}", shortened(self.header(column), 30))
    }
}

/// Fields with city and state behind all that may tell them: the end of the address, and the PIN code of India.
fn place_last(open: Vec<&'static Field>) -> Vec<&'static Field> {
    let told_by = [Id::DestinationLine1, Id::DestinationCountryCode, Id::DestinationPinCode];
    let Some(last) = open.iter().rposition(|field| told_by.contains(&field.id)) else { return open };
    let (place, before): (Vec<&'static Field>, Vec<&'static Field>) =
        open[..=last].iter().partition(|field| matches!(field.id, Id::DestinationCity | Id::DestinationState));
    [before, place, open[last + 1..].to_vec()].concat()
}

/// Whether a field's number is a length or a weight.
pub(super) const fn is_measured(field: &Field) -> bool {
    matches!(field.id, Id::Weight | Id::Length | Id::Width | Id::Height)
}

pub(super) fn asked(field: &Field) -> String {
    format!("Which column has {}? ({}, for instance {})", words(field), field.header, field.example)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::column::decide::proposed;

    const SHEET: &str = "Bill,Who,Mob,Wt,Colour\n101,Asha,9876543210,500,\n102,Ravi,98765,800,x\n";

    /// What comes of these answers, and what was said.
    fn walked(answers: &[&str]) -> (Option<Guess>, String) {
        let (guess, sample) = proposed(SHEET);
        let missing = [Id::OrderNumber, Id::WarehouseId, Id::ReceiverPhone, Id::Weight].map(Id::field).to_vec();
        let rules = ReadingSettings::new(Timestamp::UNIX_EPOCH);
        let walk = Walk {
            sheet: "odd.csv".into(),
            sample: &sample,
            guess,
            missing,
            base: None,
            rules: &rules,
            only: Vec::new(),
            currencies: Vec::new(),
            units: Vec::new(),
        };
        let mut said = Vec::new();
        let typed: Vec<u8> = answers.iter().flat_map(|answer| [answer.as_bytes(), b"\n"].concat()).collect();
        let result = walk.through(&mut Talk::new(&typed[..], &mut said)).unwrap();
        (result, String::from_utf8(said).unwrap())
    }

    fn column(guess: &Guess, id: Id) -> Option<&str> {
        guess.column_of(id).map(|guessed| guessed.column.header.as_str())
    }

    #[test]
    fn numbers_headers_values_and_units_are_answers() {
        let (guess, said) = walked(&["bill", "f", "WH-1", "", "1", "2", "y"]);
        let guess = guess.unwrap();
        assert_eq!(column(&guess, Id::OrderNumber), Some("Bill"));
        assert_eq!(column(&guess, Id::ReceiverPhone), Some("Mob"), "{said}");
        assert_eq!(guess.constants[&Id::WarehouseId], "WH-1");
        assert_eq!(
            guess.column_of(Id::Weight).map(|guessed| (guessed.column.header.as_str(), guessed.unit)),
            Some(("Wt", Some("g")))
        );
        for line in [
            "Order Number         ← Bill             101\n",
            "Warehouse            = WH-1 for all orders\n",
            "← Wt               500 g\n",
            "not sent: Who and Colour\n",
        ] {
            assert!(said.contains(line), "{line}: {said}");
        }
    }

    #[test]
    fn one_can_go_back_and_change_a_line_at_the_end() {
        let (guess, said) =
            walked(&["2", "b", "bill", "n", "b", "f", "", "b", "n", "mob", "1", "1", "2", "f", "WH-9", "y"]);
        let guess = guess.unwrap();
        assert_eq!((column(&guess, Id::OrderNumber), column(&guess, Id::ReceiverPhone)), (Some("Bill"), Some("Mob")));
        assert_eq!(guess.constants[&Id::WarehouseId], "WH-9", "{said}");
        assert!(said.contains("Warehouse            missing: no order can be sent without it"), "{said}");
    }

    #[test]
    fn what_cannot_be_used_is_said_and_asked_again() {
        let (guess, said) = walked(&["f", "77", "1", "n", "1", "f", "heavy", "0", "0.5", "y", "n", "y"]);
        assert!(said.matches("Type one of the numbers or letters above").count() == 2, "{said}");
        assert!(said.contains("\"heavy\" cannot be used") && said.contains("\"0\" cannot be used"), "{said}");
        assert_eq!(guess.unwrap().constants[&Id::Weight], "0.5");
    }

    #[test]
    fn a_value_that_cannot_be_sent_is_marked_in_the_whole() {
        let (_, said) = walked(&["1", "n", "who", "n", "y"]);
        let line = said.lines().find(|line| line.contains("Receiver Phone       ←")).unwrap();
        assert!(line.contains("Who") && line.contains('✗'), "{line}");
    }

    #[test]
    fn leaving_at_any_question_leaves_nothing() {
        let whole = ["bill", "f", "WH-1", "", "1", "2"];
        for kept in 0..=whole.len() {
            assert!(walked(&whole[..kept]).0.is_none(), "the input ends after {kept}");
            assert!(walked(&[&whole[..kept], &["q"]].concat()).0.is_none(), "q after {kept}");
        }
    }
}
