//! Columns of amounts that no header explains: they may change what is collected, so the use of each is asked once.

use std::io::{self, BufRead, Write};

use super::talk::{Said, Talk};
use crate::app::{AmountUse, UnknownAmounts};
use crate::text::{count, shortened};

/// Asks what each column is for. What is left open is not among them; nothing where a person leaves.
pub(super) fn ask_amounts<I: BufRead, O: Write>(
    amounts: &UnknownAmounts,
    talk: &mut Talk<I, O>,
) -> io::Result<Option<Vec<(u32, AmountUse)>>> {
    let (columns, choices) = (&amounts.question.columns, &amounts.question.choices);
    let (hold, each) = if columns.len() == 1 { ("holds", "it") } else { ("hold", "each") };
    let named = count(columns.len() as u64, "column");
    talk.say(&format!(
        "\n{}: {named} {hold} amounts that may change what is collected. What is {each} for?",
        amounts.sheet
    ))?;
    for (number, used) in (1..).zip(choices) {
        talk.say(&format!("  {number:>2}  {}", used.words()))?;
    }
    talk.say("      Enter leave it open, hold the orders that it may change · b back · q leave")?;
    let mut said: Vec<Option<AmountUse>> = Vec::new();
    while let Some((column, values)) = columns.get(said.len()) {
        let values: Vec<&str> = values.iter().map(|(text, _)| text.as_str()).collect();
        let values = shortened(&values.join(" · "), 40);
        let header = shortened(&column.header, 30);
        match talk.ask(&format!("{:>2} of {}  \"{header}\" {values}:", said.len() + 1, columns.len()))? {
            Said::Quit => return Ok(None),
            Said::Back => drop(said.pop()),
            Said::Text(text) if text.is_empty() => said.push(None),
            Said::Text(text) => {
                let number = text.parse().ok().and_then(|number: usize| number.checked_sub(1));
                let named = || choices.iter().find(|used| text.eq_ignore_ascii_case(used.as_str()));
                let Some(used) = number.and_then(|number| choices.get(number)).or_else(named) else {
                    talk.say("  Type one of the numbers above, or press Enter.")?;
                    continue;
                };
                match said.iter().position(|own| used.is_of_one() && *own == Some(*used)) {
                    Some(other) => talk.say(&format!(
                        "  \"{}\" is that already, and only one column can be it.",
                        shortened(&columns[other].0.header, 30)
                    ))?,
                    None => said.push(Some(*used)),
                }
            }
        }
    }
    let uses = columns.iter().zip(said).filter_map(|((column, _), used)| Some((column.index, used?)));
    Ok(Some(uses.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::AmountQuestion;
    use crate::origin::Column;

    fn asked(typed: &str) -> (Option<Vec<(u32, AmountUse)>>, String) {
        let column = |index: u32, header: &str, value: &str| {
            (Column { index, header: header.to_owned() }, vec![(value.to_owned(), 3)])
        };
        let columns = vec![column(4, "Porto", "5,90"), column(5, "Zuschlag", "4,50"), column(6, "Summe", "34,70")];
        let question = AmountQuestion { columns, choices: AmountUse::ALL.to_vec() };
        let (sheet, file) = ("laden.csv".to_owned(), "laden.csv".to_owned());
        let amounts = UnknownAmounts { number: 0, sheet, file, question, asks_name: true };
        let mut said = Vec::new();
        let uses = ask_amounts(&amounts, &mut Talk::new(typed.as_bytes(), &mut said)).unwrap();
        (uses, String::from_utf8(said).unwrap())
    }

    #[test]
    fn each_amount_has_a_use_and_only_one_column_feeds_a_field() {
        let (uses, said) = asked("1\n1\nx\n2\norder\n");
        let expected = [(4, AmountUse::Shipping), (5, AmountUse::OtherCharges), (6, AmountUse::Order)];
        assert_eq!(uses, Some(expected.to_vec()), "{said}");
        for shown in
            ["laden.csv: 3 columns hold amounts", "1 of 3  \"Porto\" 5,90:", "\"Porto\" is that already", "Type one"]
        {
            assert!(said.contains(shown), "{shown}: {said}");
        }
    }

    #[test]
    fn one_can_go_back_leave_an_amount_open_or_leave() {
        assert_eq!(asked("7\nb\n\n4\n6\n").0, Some(vec![(5, AmountUse::Paid), (6, AmountUse::Order)]));
        assert_eq!(asked("1\nq\n").0, None);
        assert_eq!(asked("1\n").0, None);
    }
}
