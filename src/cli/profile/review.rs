//! The whole of a layout, shown at the end of the walk: each line can be changed, and columns added.

use std::io::{self, BufRead, Write};

use super::question::{Question, units, words};
use super::talk::{Said, Step, Talk};
use super::walk::{OFFERED, Walk, asked, is_measured};
use crate::column::decide::{candidates, fields_for};
use crate::field::{ExtraRole, FIELDS, Field, HeaderReading, Id};
use crate::origin::Column;
use crate::profile::{AmountUse, GuessedColumn, Part};
use crate::text::{list, shortened};

/// The amounts that a column may say beside all fields, which are compared and not sent.
const COMPARED: [(ExtraRole, AmountUse); 3] = [
    (ExtraRole::Paid, AmountUse::Paid),
    (ExtraRole::Collect, AmountUse::Collect),
    (ExtraRole::Order, AmountUse::Order),
];

impl Walk<'_> {
    /// Shows the whole and asks whether it is right.
    pub(super) fn review<I: BufRead, O: Write>(&mut self, talk: &mut Talk<I, O>) -> io::Result<Step> {
        let mut asked_again = Vec::new();
        loop {
            let fields = self.fields();
            talk.say(&format!("\nThis is how {} will be read, with the values of its first row:", self.sheet))?;
            for (number, field) in (1..).zip(&fields) {
                talk.say(&format!("  {number:>2}  {}", self.line(field)))?;
            }
            if let Some(base) = &self.base {
                talk.say(&format!("      everything else as the profile {base} has it"))?;
            }
            let is_sent = |guessed: &GuessedColumn| {
                !guessed.is_free() || HeaderReading::of(&guessed.column.header).is_of_next_product()
            };
            let left = self.guess.columns.iter().filter(|guessed| self.base.is_none() && !is_sent(guessed));
            let left: Vec<&str> = left.map(|guessed| guessed.column.header.as_str()).collect();
            if !left.is_empty() {
                talk.say(&format!("      not sent: {}", shortened(&list(&left, "and"), 200)))?;
            }
            talk.say("      y right, go on · a number changes that line · + sends one more column · b back · q leave")?;
            let answer = match talk.ask("right? [y]:")? {
                Said::Back => return Ok(Step::Back),
                Said::Quit => return Ok(Step::Quit),
                Said::Text(text) => text,
            };
            let is_right = matches!(answer.to_ascii_lowercase().as_str(), "" | "y" | "yes");
            let is_offered = |field| !candidates(field, &self.guess.free_for(field), self.sample).is_empty();
            let is_open = |field: &&'static Field| {
                self.is_missing(field) && !asked_again.contains(&field.id) && is_offered(field)
            };
            let open = fields.iter().copied().find(is_open).filter(|_| is_right);
            if is_right && open.is_none() {
                return Ok(Step::Done);
            }
            if answer == "+" {
                if matches!(self.add_column(talk)?, Step::Quit) {
                    return Ok(Step::Quit);
                }
                continue;
            }
            let number = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            if let Some(field) = open {
                talk.say(&format!("  No order can be sent without the {}.", field.header))?;
                asked_again.push(field.id);
            }
            let chosen = number.and_then(|index| fields.get(index)).copied();
            let Some(field) = chosen.or(open) else {
                talk.say("  Type one of the numbers or letters above.")?;
                continue;
            };
            talk.say(&format!("\n{}", asked(field)))?;
            let mut step = self.ask_column(talk, field)?;
            let unit = Question::Unit(field);
            if matches!(step, Step::Done)
                && field.unit_field().is_some()
                && field.id != Id::Price
                && unit.matters(&self.guess)
            {
                step = self.ask_unit(talk, field)?;
            }
            if matches!(step, Step::Quit) {
                return Ok(Step::Quit);
            }
        }
    }

    /// The fields of the review: all that are fed, and those asked for in vain.
    fn fields(&self) -> Vec<&'static Field> {
        let all = crate::field::FIELDS.iter();
        all.filter(|field| self.guess.feeds(field.id) || self.missing.iter().any(|own| own.id == field.id)).collect()
    }

    /// Whether nothing gives a needed field.
    fn is_missing(&self, field: &Field) -> bool {
        !self.guess.feeds(field.id) && !self.is_told_by_pin(field.id) && self.is_needed_there(field.id)
    }

    fn line(&self, field: &'static Field) -> String {
        let header = field.header;
        if let Some(text) = self.guess.constants.get(&field.id) {
            let unit = if is_measured(field) { units(field)[0] } else { "" };
            let value = format!("{} {unit}", shortened(text, 30));
            return format!("{header:<20} = {} for all orders", value.trim_end());
        }
        if let Some([time, phone]) = self.guess.numbered_by.as_ref().filter(|_| field.id == Id::OrderNumber) {
            return format!("{header:<20} ← {} and {}", shortened(time, 30), shortened(phone, 30));
        }
        let of_address = self.guess.parted.get(&field.id).map(|part| (part, Id::DestinationLine1, "from the address"));
        let of_name = match field.id {
            Id::ReceiverFirstName => Some((&Part::Name, Id::ReceiverFirstName, "before the phone number")),
            Id::ReceiverPhone => Some((&Part::Phone, Id::ReceiverFirstName, "behind the name")),
            _ => None,
        };
        let part = of_address.or_else(|| of_name.filter(|_| self.guess.phone_in_name));
        if let Some((part, of, whence)) = part
            && let Some(whole) = self.guess.column_of(of)
        {
            let text = self.sample.column(whole.column.index).first.as_str();
            let (column, value) = (shortened(&whole.column.header, 30), shortened(&part.of(text), 30));
            return format!("{header:<20} ← {column:<16} {value}  ({whence})");
        }
        if let Some(pin) = self.guess.column_of(Id::DestinationPinCode).filter(|_| self.is_told_by_pin(field.id)) {
            return format!("{header:<20} ← {:<16} (told by the PIN code)", shortened(&pin.column.header, 30));
        }
        if !self.guess.feeds(field.id) && !self.is_needed_there(field.id) {
            return format!("{header:<20} not needed there");
        }
        let Some(guessed) = self.guess.column_of(field.id) else {
            return format!("{header:<20} missing: no order can be sent without it");
        };
        let first = self.sample.column(guessed.column.index).first.as_str();
        let unit = match guessed.unit {
            Some(unit) => format!(" {unit}"),
            None if guessed.recipe.is_line_total() => "  for all pieces".to_owned(),
            None if guessed.recipe.collects => "  COD above zero or yes, else PREPAID".to_owned(),
            None if !guessed.recipe.map.is_empty() => "  yes is PREPAID, no is COD".to_owned(),
            None => String::new(),
        };
        let is_only = self.only.contains(&(field.id, guessed.column.index));
        let sure = match guessed.confidence {
            _ if is_only => "  (the only column like it)".to_owned(),
            100.. => String::new(),
            percent => format!("  ({percent} % sure)"),
        };
        let stands = |text: &&str| !text.is_empty() && !guessed.recipe.collects && guessed.recipe.map.is_empty();
        let fault = Some(first).filter(stands).and_then(|_| self.fault_in(field, guessed.column.index));
        let fault = match fault {
            // The values of payments are asked about next.
            Some(_) if field.id == Id::OrderType => "  (its values are asked next)".to_owned(),
            Some(fault) => format!("  ✗ {}", shortened(&fault, 80)),
            None => String::new(),
        };
        let headers: Vec<&str> = self.guess.columns_of(field.id).map(|own| own.column.header.as_str()).collect();
        let line = format!(
            "{header:<20} ← {:<16} {}{unit}{sure}{fault}",
            shortened(&headers.join(" + "), 30),
            shortened(first, 30)
        );
        line.trim_end().to_owned()
    }

    /// Asks for a column that is sent, too, and what it is.
    fn add_column<I: BufRead, O: Write>(&mut self, talk: &mut Talk<I, O>) -> io::Result<Step> {
        let left = self.guess.columns.iter().filter(|own| own.is_free());
        let left: Vec<Column> = left.map(|own| own.column.clone()).collect();
        talk.say("\nWhich column is to be sent, too?")?;
        for (number, column) in (1..).zip(&left) {
            talk.say(&format!("  {number:>2}  {}", self.offer(column.index, 0)))?;
        }
        talk.say("      b back · q leave")?;
        let headers: Vec<&str> = left.iter().map(|column| column.header.as_str()).collect();
        let column = match talk.choose("number:", &headers, None)? {
            Ok(chosen) => &left[chosen],
            Err(step) => return Ok(step),
        };
        // A second phone stands in where the first one is blank.
        let is_open = |field: &&'static Field| field.id == Id::ReceiverPhone || !self.guess.feeds(field.id);
        let open: Vec<&'static Field> = FIELDS.iter().filter(is_open).collect();
        let mut fields = fields_for(column, &open, self.sample);
        fields.truncate(OFFERED * 2);
        talk.say(&format!("\nWhat is \"{}\"?", shortened(&column.header, 30)))?;
        for (number, field) in (1..).zip(&fields) {
            talk.say(&format!("  {number:>2}  {}", words(field)))?;
        }
        for (number, (_, used)) in (fields.len() + 1..).zip(COMPARED) {
            talk.say(&format!("  {number:>2}  {}", used.words()))?;
        }
        talk.say("      b back · q leave")?;
        let names: Vec<&str> =
            fields.iter().map(|field| field.header).chain(COMPARED.iter().map(|(_, used)| used.words())).collect();
        let field = match talk.choose("number:", &names, None)? {
            Ok(chosen) if chosen < fields.len() => fields[chosen],
            Ok(chosen) => {
                self.guess.compare(column.index, COMPARED[chosen - fields.len()].0);
                return Ok(Step::Done);
            }
            Err(step) => return Ok(step),
        };
        if self.guess.column_of(field.id).is_some() {
            self.guess.also(field, column.index);
            return Ok(Step::Done);
        }
        self.guess.take(field, column.index);
        self.ask_meaning(talk, field, column.index)
    }
}
