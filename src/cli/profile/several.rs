//! Names, addresses and order numbers that stand in several columns.

use std::io::{self, BufRead, Write};

use super::question::{numbers, words};
use super::talk::{Said, Step, Talk};
use super::walk::Walk;
use crate::column::decide::further_columns;
use crate::field::{Field, Id, moment_figures};
use crate::profile::GuessedColumn;
use crate::text::shortened;

impl Walk<'_> {
    /// Asks which other columns belong to a name or an address.
    pub(super) fn ask_more<I: BufRead, O: Write>(
        &mut self,
        talk: &mut Talk<I, O>,
        field: &'static Field,
    ) -> io::Result<Step> {
        let more = further_columns(&self.guess, field, self.sample);
        let first = self.guess.column_of(field.id).map_or("", |own| own.column.header.as_str());
        talk.say(&format!("\n\"{}\" is {}. Which of these belong to it, too?", shortened(first, 30), words(field)))?;
        for (number, column) in (1..).zip(&more) {
            talk.say(&format!("  {number:>2}  {}", self.offer(*column, 0)))?;
        }
        talk.say("      one or several numbers, such as 1 2 · Enter none of them · b back · q leave")?;
        loop {
            let answer = match talk.ask("numbers [none]:")? {
                Said::Back => return Ok(Step::Back),
                Said::Quit => return Ok(Step::Quit),
                Said::Text(text) => text,
            };
            match numbers(&answer, more.len()) {
                Some(chosen) => {
                    for index in chosen {
                        self.guess.also(field, more[index]);
                    }
                    return Ok(Step::Done);
                }
                None => talk.say("  Type numbers from above, or nothing.")?,
            }
        }
    }

    /// The time and the phone number as the order number, where the sheet has both and no column has the number.
    pub(super) fn by_time(&self, field: &Field) -> Option<([String; 2], String)> {
        let phone = self.guess.column_of(Id::ReceiverPhone).filter(|_| field.id == Id::OrderNumber)?;
        let is_time = |own: &&GuessedColumn| {
            let seen = self.sample.column(own.column.index);
            seen.filled > 0 && seen.texts().all(|text| moment_figures(text).is_some())
        };
        let time = self.guess.columns.iter().find(is_time)?;
        let first = |own: &GuessedColumn| self.sample.column(own.column.index).first.as_str();
        let example = format!("{}-{}", moment_figures(first(time))?, first(phone));
        Some(([time.column.header.clone(), phone.column.header.clone()], example))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::cli::profile::talk::Talk;
    use crate::column::decide::proposed;
    use crate::parse::ReadingSettings;
    use crate::profile::Guess;

    /// What comes of a walk through these missing fields of a sheet, and what was shown.
    pub(in crate::cli::profile) fn walked(sheet: &str, missing: &[Id], answers: &[&str]) -> (Guess, String) {
        let (guess, sample) = proposed(sheet);
        let rules = ReadingSettings::new(Timestamp::UNIX_EPOCH);
        let walk = Walk {
            sheet: "odd.csv".into(),
            sample: &sample,
            guess,
            missing: missing.iter().map(|id| id.field()).collect(),
            base: None,
            rules: &rules,
            only: Vec::new(),
            currencies: Vec::new(),
            units: Vec::new(),
        };
        let mut shown = Vec::new();
        let typed: Vec<u8> = answers.iter().flat_map(|answer| [answer.as_bytes(), b"\n"].concat()).collect();
        let guess = walk.through(&mut Talk::new(&typed[..], &mut shown)).unwrap();
        let shown = String::from_utf8(shown).unwrap();
        (guess.unwrap_or_else(|| panic!("{shown}")), shown)
    }

    #[test]
    fn two_numbers_join_two_columns() {
        let sheet = "Bill,Vn,Zn,Ltr\nB-1,Asha,Rao,x\nB-2,Ravi,Shah,y\n";
        let (guess, shown) = walked(sheet, &[Id::ReceiverFirstName], &["vn", "1", "y"]);
        assert!(shown.contains("\"Vn\" is the name"), "{shown}");
        let toml = guess.to_toml("odd");
        assert!(toml.contains("\"receiver.lastName\" = \"Zn\""), "{toml}");
        let series = "Serie,Lauf\nS1,101\nS2,102\n";
        let (guess, shown) = walked(series, &[Id::OrderNumber], &["1 2", "y"]);
        assert!(shown.contains("1 2 two columns together") && shown.contains("Serie + Lauf"), "{shown}");
        let joined = "\"orderNumber\" = { join = [\"Serie\", \"Lauf\"], with = \"-\" }";
        assert!(guess.to_toml("odd").contains(joined), "{}", guess.to_toml("odd"));
    }

    #[test]
    fn an_address_is_asked_for_the_columns_beside_it() {
        let sheet = "Bill,Calle,Colonia,Xyz,Ciudad\nB-1,Reforma 12,Juarez Norte,Torre Norte,Mexico\nB-2,Sur 4,Roma Sur,Torre Sur,Puebla\n";
        let missing = [Id::DestinationLine1];
        let (guess, shown) = walked(sheet, &missing, &["calle", "1 2", "y"]);
        let joined = "\"destination.addressLine2\" = { join = [\"Colonia\", \"Xyz\"], with = \", \" }";
        assert!(guess.to_toml("odd").contains(joined), "{shown}\n{}", guess.to_toml("odd"));
        let (guess, _) = walked(sheet, &missing, &["calle", "", "y"]);
        assert!(!guess.feeds(Id::DestinationLine2), "Enter takes none");
    }

    #[test]
    fn further_lines_go_with_the_first_one() {
        let sheet = "Bill,Zeile 1,Zeile 2,Zeile 3\nB-1,Ring 12,Hof,links\nB-2,Allee 4,Haus,rechts\n";
        let (guess, _) = walked(sheet, &[Id::DestinationLine1], &["zeile 1", "y"]);
        let joined = "\"destination.addressLine2\" = { join = [\"Zeile 2\", \"Zeile 3\"], with = \", \" }";
        assert!(guess.to_toml("odd").contains(joined), "{}", guess.to_toml("odd"));
    }

    #[test]
    fn orders_without_a_number_are_numbered_by_time_and_phone() {
        let sheet = "Timestamp,Phone,Who\n20/11/2026 10:01:22,9876543210,Asha\n20/11/2026 10:05:41,9876543211,Ravi\n";
        let (guess, shown) = walked(sheet, &[Id::OrderNumber], &["t", "y"]);
        assert!(shown.contains("such as 20261120-1001-9876543210"), "{shown}");
        let line = "\"orderNumber\" = { join = [\"Timestamp\", \"Phone\"], with = \"-\", part = \"moment\" }";
        assert!(guess.to_toml("form").contains(line), "{}", guess.to_toml("form"));
    }

    #[test]
    fn numbers_are_places_and_nothing_else() {
        assert_eq!(numbers("1 3", 3), Some(vec![0, 2]));
        assert_eq!(numbers("2, 1", 2), Some(vec![1, 0]));
        assert_eq!(numbers("", 2), Some(Vec::new()));
        for none in ["4", "0", "x", "1 x"] {
            assert_eq!(numbers(none, 3), None, "{none}");
        }
    }
}
