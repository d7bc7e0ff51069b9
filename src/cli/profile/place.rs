//! Fields without a column of their own, in the walk: city and state from the end of the address or by the PIN code, the phone
//! number from the end of the name.

use super::walk::Walk;
use crate::column::decide::{address_parts, hold_names_and_phones, is_nearly_all};
use crate::field::{Field, Id, Need, parted};
use crate::parse::written_pin_place;
use crate::profile::{GuessedColumn, Part};

impl Walk<'_> {
    /// Takes the city and all else that no column has from the end of the address, once it is known and nearly all end so.
    pub(super) fn part_address(&mut self) {
        let Some(line) = self.lone_address_line().map(|line| line.column.index) else { return };
        if self.guess.parted.is_empty() {
            let parts = address_parts(self.sample.column(line), self.goes_to_india(), |id| !self.guess.feeds(id));
            self.guess.parted = parts.into_iter().collect();
        }
    }

    /// Takes the phone number from the cells of the name, once that is known, no other column has it, and nearly all end with one.
    pub(super) fn part_name(&mut self) {
        self.guess.phone_in_name = false;
        let is_fed = [Id::ReceiverPhone, Id::ReceiverLastName].into_iter().any(|id| self.guess.feeds(id));
        let name = self.guess.column_of(Id::ReceiverFirstName).filter(|_| !is_fed);
        self.guess.phone_in_name = name.is_some_and(|own| hold_names_and_phones(self.sample.column(own.column.index)));
    }

    /// The city as the end of the address, where nearly all end with a word that may be one, and that of the first row.
    pub(super) fn by_address(&self, field: &Field) -> Option<String> {
        let line = self.lone_address_line().filter(|_| field.id == Id::DestinationCity && self.goes_to_india())?;
        let seen = self.sample.column(line.column.index);
        let example = parted(&seen.first).city.map(str::to_owned)?;
        is_nearly_all(seen, |text| parted(text).city.is_some()).then_some(example)
    }

    /// Takes the city from the end of the address, because a person said so.
    pub(super) fn take_city_from_address(&mut self) {
        self.guess.leave(Id::DestinationCity);
        self.guess.parted = [(Id::DestinationLine1, Part::Street), (Id::DestinationCity, Part::City)].into();
    }

    /// Whether a field is taken from the end of the address.
    pub(super) fn is_from_address(&self, id: Id) -> bool {
        id != Id::DestinationLine1 && self.guess.parted.contains_key(&id)
    }

    /// Whether the PIN codes tell a state that no column has: of every row that has one.
    pub(super) fn is_told_by_pin(&self, id: Id) -> bool {
        let pin = self.guess.column_of(Id::DestinationPinCode);
        let Some(pin) = pin.filter(|_| id == Id::DestinationState && !self.guess.feeds(id)) else { return false };
        let is_told = |text: &str| written_pin_place(text).is_some_and(|place| place.state.is_some());
        let seen = self.sample.column(pin.column.index);
        self.goes_to_india() && seen.filled > 0 && seen.texts().all(is_told)
    }

    /// Whether addresses of the country that is known by now need a field; where none is, all may.
    pub(super) fn is_needed_there(&self, id: Id) -> bool {
        self.country().is_none_or(|country| self.rules.need_in(id, Some(&country)) == Need::Required)
            || !matches!(id, Id::DestinationState | Id::DestinationPinCode)
    }

    /// The column of the address's first line, where it is one alone.
    fn lone_address_line(&self) -> Option<&GuessedColumn> {
        let mut lines = self.guess.columns_of(Id::DestinationLine1);
        lines.next().filter(|_| lines.next().is_none())
    }

    /// Whether orders go to India, as they do where nobody has said the country yet.
    fn goes_to_india(&self) -> bool {
        self.country().is_none_or(|country| country == "IN")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::profile::several::tests::walked;

    const MISSING: [Id; 4] =
        [Id::DestinationLine1, Id::DestinationCity, Id::DestinationState, Id::DestinationCountryCode];

    /// A notebook whose addresses end like this.
    fn notebook(ends: [&str; 2]) -> String {
        format!("Bill,Ghar,Pin\nB-1,\"14 MG Road, {}\",560001\nB-2,\"Flat 5, Kothrud, {}\",411038\n", ends[0], ends[1])
    }

    #[test]
    fn an_address_that_ends_with_city_and_state_is_taken_apart_once_it_is_known() {
        let sheet = notebook(["Bengaluru, Karnataka", "पुणे, महाराष्ट्र"]);
        let (guess, shown) = walked(&sheet, &MISSING, &["ghar", "IN", "y"]);
        for line in ["City                 ← Ghar             Bengaluru  (from the address)", "1 of 3: ", "2 of 2: "]
        {
            assert!(shown.contains(line), "{line}: {shown}");
        }
        let toml = guess.to_toml("notebook");
        for (path, part) in [("addressLine1", "street"), ("city", "city"), ("state", "state")] {
            let line = format!("\"destination.{path}\" = {{ column = \"Ghar\", part = \"{part}\" }}");
            assert!(toml.contains(&line), "{line}: {toml}");
        }
        // A city that stands elsewhere leaves the address as it is.
        let beside = sheet.replace("Pin\n", "Pin,Xyz\n").replace("01\n", "01,Bengaluru\n").replace("38\n", "38,\n");
        let (guess, shown) = walked(&beside, &MISSING, &["ghar", "IN", "", "2", "xyz", "y"]);
        assert!(guess.parted.is_empty() && guess.feeds(Id::DestinationCity), "{shown}");
    }

    #[test]
    fn a_city_at_the_end_of_the_address_is_offered_and_the_pin_code_tells_the_state() {
        let sheet = notebook(["Bengaluru", "Pune"]);
        let (guess, shown) = walked(&sheet, &MISSING, &["ghar", "IN", "e", "y"]);
        assert!(shown.contains("e none: it is the end of the address, such as Bengaluru"), "{shown}");
        assert!(shown.contains("State                ← Pin              (told by the PIN code)"), "{shown}");
        assert!(!shown.contains("Which column has the state?"), "{shown}");
        assert!(guess.feeds(Id::DestinationCity) && !guess.feeds(Id::DestinationState), "{shown}");
    }

    #[test]
    fn an_address_abroad_ends_with_postal_code_and_city_and_needs_no_state() {
        let row = |number: u32| format!("25-21{number},{number} rue Haute - 6900{number} LYON\n");
        let sheet = format!("N° cde,Adresse\n{}", (1..6).map(row).collect::<String>());
        let missing = [&MISSING[..], &[Id::DestinationPinCode]].concat();
        let (guess, shown) = walked(&sheet, &missing, &["adresse", "FR", "y"]);
        for line in ["City                 ← Adresse          LYON", "PIN Code             ← Adresse          69001"]
        {
            assert!(shown.contains(line), "{line}: {shown}");
        }
        assert!(!shown.contains("Which column has the state?") && guess.feeds(Id::DestinationPinCode), "{shown}");
    }

    #[test]
    fn a_field_without_which_no_order_goes_is_asked_again_before_the_end() {
        let sheet = notebook(["1st floor", "2nd floor"]).replace("Pin\n", "Pin,Xyz\n").replace("38\n", "38,Pune\n");
        let (guess, shown) = walked(&sheet, &MISSING, &["ghar", "IN", "n", "", "y", "xyz", "y"]);
        assert!(
            shown.contains("No order can be sent without the City.") && guess.feeds(Id::DestinationCity),
            "{shown}"
        );
    }
}
