//! The questions about values: how orders are paid, whether they go, or what remarks mean, by the texts of one column.

use std::io::{self, BufRead, Write};

use super::talk::{Said, Talk};
use crate::app::{UnknownValues, ValueKind, ValueQuestion};
use crate::profile::Meaning;
use crate::text::{count, list, shortened};

/// So many values are asked about one by one; of more, all others get one answer.
const ASKED_MAX: usize = 20;

/// Values that are known already and shown beside.
const KNOWN_SHOWN: usize = 8;

/// Characters of a value that are shown: of one among others, and of one that is asked about.
const SHOWN_MAX: usize = 40;
const ASKED_SHOWN_MAX: usize = 120;

/// A person's answers on the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// These mean that; what is left open is not among them.
    Means(Vec<(String, Meaning)>),
    /// The column says nothing of it.
    NotAbout,
    Quit,
}

/// The letter that stands for a meaning, and its words.
const fn choice(meaning: Meaning) -> (&'static str, &'static str) {
    match meaning {
        Meaning::Paid => ("p", "paid already"),
        Meaning::Collect => ("c", "the courier collects the money"),
        Meaning::Unpaid => ("u", "not paid yet, hold the order"),
        Meaning::OnCredit => ("o", "on credit, collect nothing"),
        Meaning::Rest => ("r", "the courier collects the rest; what is paid goes as a discount"),
        Meaning::Go => ("g", "send the order"),
        Meaning::Hold => ("h", "hold the order"),
        Meaning::Cancelled => ("x", "cancelled"),
        Meaning::Sent => ("s", "sent already"),
    }
}

/// Asks about each value of a column that is not known.
pub(super) fn ask_values<I: BufRead, O: Write>(values: &UnknownValues, talk: &mut Talk<I, O>) -> io::Result<Answer> {
    let ValueQuestion { column, kind, holds, unknown, known } = &values.question;
    let open = count(unknown.len() as u64, "value");
    let (does, it) = if unknown.len() == 1 { ("does", "this value") } else { ("do", open.as_str()) };
    let asks = match kind {
        ValueKind::PartPayment => "Shall the courier collect the rest?".to_owned(),
        _ => format!("What {does} {it} mean?"),
    };
    talk.say(&format!("\n{}: \"{}\" {}. {asks}", values.sheet, column.header, kind.says()))?;
    if !known.is_empty() {
        let shown = known.iter().take(KNOWN_SHOWN);
        let shown: Vec<String> = shown
            .map(|(text, _, meaning)| format!("{} ({})", shortened(text, SHOWN_MAX), choice(*meaning).1))
            .collect();
        talk.say(&format!("      known already: {}", list(&shown, "and")))?;
    }
    let choices: Vec<(&str, Meaning)> =
        values.question.choices().iter().map(|meaning| (choice(*meaning).0, *meaning)).collect();
    let ways: Vec<String> =
        values.question.choices().iter().map(|own| format!("{} {}", choice(*own).0, choice(*own).1)).collect();
    let about = if kind.is_of_payment() { "payment" } else { "shipping" };
    let then = if *holds { "hold" } else { "send" };
    talk.say(&format!("      {} · Enter leave it open, {then} its orders", ways.join(" · ")))?;
    talk.say(&format!("      n the column is not about {about} · b back · q leave"))?;
    let asked = unknown.len().min(ASKED_MAX);
    let mut said: Vec<Option<Meaning>> = Vec::new();
    while said.len() < asked {
        let (text, rows) = &unknown[said.len()];
        let shown = match kind {
            ValueKind::PartPayment => format!("on {} of orders paid in part:", count(u64::from(*rows), "row")),
            _ => format!("\"{}\" × {rows}:", shortened(text, ASKED_SHOWN_MAX)),
        };
        let prompt = format!("{:>2} of {asked}  {shown}", said.len() + 1);
        match answered(talk, &prompt, &choices)? {
            Step::Means(meaning) => said.push(meaning),
            Step::Back => drop(said.pop()),
            Step::NotAbout => return Ok(Answer::NotAbout),
            Step::Quit => return Ok(Answer::Quit),
        }
    }
    let rest = &unknown[asked..];
    let mut means: Vec<(String, Meaning)> =
        unknown.iter().zip(said).filter_map(|((text, _), meaning)| Some((text.clone(), meaning?))).collect();
    if !rest.is_empty() {
        let named: Vec<String> =
            rest.iter().map(|(text, rows)| format!("{} × {rows}", shortened(text, SHOWN_MAX))).collect();
        talk.say(&format!("      {}", shortened(&named.join(", "), 400)))?;
        match answered(talk, &format!("the other {}, all of them:", count(rest.len() as u64, "value")), &choices)? {
            Step::Means(Some(meaning)) => means.extend(rest.iter().map(|(text, _)| (text.clone(), meaning))),
            Step::Means(None) | Step::Back => {}
            Step::NotAbout => return Ok(Answer::NotAbout),
            Step::Quit => return Ok(Answer::Quit),
        }
    }
    Ok(Answer::Means(means))
}

enum Step {
    Means(Option<Meaning>),
    Back,
    NotAbout,
    Quit,
}

fn answered<I: BufRead, O: Write>(
    talk: &mut Talk<I, O>,
    prompt: &str,
    choices: &[(&str, Meaning)],
) -> io::Result<Step> {
    loop {
        let text = match talk.ask(prompt)? {
            Said::Back => return Ok(Step::Back),
            Said::Quit => return Ok(Step::Quit),
            Said::Text(text) => text.to_lowercase(),
        };
        let meant = choices.iter().find(|(letter, meaning)| text == *letter || text == meaning.as_str());
        match (text.as_str(), meant) {
            ("", _) => return Ok(Step::Means(None)),
            ("n", _) => return Ok(Step::NotAbout),
            (_, Some((_, meaning))) => return Ok(Step::Means(Some(*meaning))),
            _ => talk.say("  Type one of the letters above, or press Enter.")?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::Column;

    fn asked(kind: ValueKind, unknown: usize, typed: &str) -> (Answer, String) {
        let column = Column { index: 2, header: "Zahlungsart".to_owned() };
        let unknown = (1..).take(unknown).map(|number| (format!("Wort {number}"), 30)).collect();
        let known = vec![("COD".to_owned(), 4, Meaning::Collect)];
        let question = ValueQuestion { column, kind, holds: kind != ValueKind::Remark, unknown, known };
        let (sheet, file) = ("laden.csv".to_owned(), "laden.csv".to_owned());
        let values = UnknownValues { number: 0, sheet, file, question, asks_name: true };
        let mut said = Vec::new();
        let answer = ask_values(&values, &mut Talk::new(typed.as_bytes(), &mut said)).unwrap();
        (answer, String::from_utf8(said).unwrap())
    }

    #[test]
    fn each_value_is_asked_once_and_what_is_left_open_means_nothing() {
        let (answer, said) = asked(ValueKind::Payment, 4, "p\nwhat\nb\nc\n\nunpaid\nU\n");
        let means = [(1, Meaning::Collect), (3, Meaning::Unpaid), (4, Meaning::Unpaid)];
        let means = means.map(|(number, meaning)| (format!("Wort {number}"), meaning)).to_vec();
        assert_eq!(answer, Answer::Means(means), "{said}");
        for shown in [
            "\"Zahlungsart\" says how orders are paid",
            "known already: COD (the courier",
            "\"Wort 2\" × 30",
            "Type one",
        ] {
            assert!(said.contains(shown), "{said}");
        }
    }

    #[test]
    fn a_remark_lets_its_orders_go_or_holds_them_and_goes_where_it_is_left_open() {
        let (answer, said) = asked(ValueKind::Remark, 3, "u\nh\n\ng\n");
        let means = [(1, Meaning::Hold), (3, Meaning::Go)];
        assert_eq!(
            answer,
            Answer::Means(means.map(|(number, own)| (format!("Wort {number}"), own)).to_vec()),
            "{said}"
        );
        for shown in ["may say whether orders go", "leave it open, send its orders", "not about shipping", "Type one"] {
            assert!(said.contains(shown), "{said}");
        }
    }

    #[test]
    fn of_many_values_the_rest_get_one_answer() {
        let (answer, said) = asked(ValueKind::State, 23, &format!("{}h\n", "g\n".repeat(20)));
        let Answer::Means(means) = answer else { panic!("{said}") };
        assert_eq!(means.iter().filter(|(_, meaning)| *meaning == Meaning::Go).count(), 20);
        assert_eq!(means[22], ("Wort 23".to_owned(), Meaning::Hold));
    }

    #[test]
    fn a_column_may_be_about_something_else_and_a_person_may_leave() {
        assert_eq!(asked(ValueKind::State, 2, "n\n").0, Answer::NotAbout);
        assert_eq!(asked(ValueKind::Payment, 2, "p\nq\n").0, Answer::Quit);
        assert_eq!(asked(ValueKind::Payment, 2, "p\n").0, Answer::Quit);
    }
}
