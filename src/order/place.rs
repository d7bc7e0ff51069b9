//! Who gets it, where it goes and where it comes from.

use crate::check::{PinFits, PinPlace, country_code, country_name, pin_place, unlikely_phone};
use crate::field::{Id, Version};
use crate::finding::Finding;
use crate::finding::order::{bad_country, country_clash, state_of_pin, unusual_value, value_from_pin};
use crate::text::Text;

use super::draft::Slot;
use super::read::into_text;
use super::reader::{Reader, Spot};
use super::types::{Address, Contact, Placement, Written};

/// The fields of a contact.
pub(super) struct ContactIds {
    first: Id,
    last: Id,
    email: Id,
    phone: Id,
    company: Id,
}

pub(super) const RECEIVER: ContactIds = ContactIds {
    first: Id::ReceiverFirstName,
    last: Id::ReceiverLastName,
    email: Id::ReceiverEmail,
    phone: Id::ReceiverPhone,
    company: Id::ReceiverCompany,
};

const SENDER: ContactIds = ContactIds {
    first: Id::SenderFirstName,
    last: Id::SenderLastName,
    email: Id::SenderEmail,
    phone: Id::SenderPhone,
    company: Id::SenderCompany,
};

/// The fields of an address: lines 1 and 2, city, state, country, code, PIN code, type.
pub(super) type AddressIds = [Id; 8];

pub(super) const DESTINATION: AddressIds = [
    Id::DestinationLine1,
    Id::DestinationLine2,
    Id::DestinationCity,
    Id::DestinationState,
    Id::DestinationCountry,
    Id::DestinationCountryCode,
    Id::DestinationPinCode,
    Id::DestinationType,
];

const ORIGIN: AddressIds = [
    Id::OriginLine1,
    Id::OriginLine2,
    Id::OriginCity,
    Id::OriginState,
    Id::OriginCountry,
    Id::OriginCountryCode,
    Id::OriginPinCode,
    Id::OriginType,
];

const RETURN_ADDRESS: AddressIds = [
    Id::ReturnLine1,
    Id::ReturnLine2,
    Id::ReturnCity,
    Id::ReturnState,
    Id::ReturnCountry,
    Id::ReturnCountryCode,
    Id::ReturnPinCode,
    Id::ReturnType,
];

impl Reader<'_> {
    pub(super) fn contact(&mut self, ids: &ContactIds, country: &str) -> Contact {
        let country = if country.is_empty() { None } else { Some(country) };
        let (mut first_name, mut last_name) = (self.text(ids.first), self.text(ids.last));
        let is_whole = ids.first == Id::ReceiverFirstName && self.sheets.of(self.first.sheet()).whole_names();
        if let Some((first, last)) =
            first_name.rsplit_once(char::is_whitespace).filter(|_| is_whole && last_name.is_empty())
        {
            (first_name, last_name) = (first.trim_end().into(), last.into());
        }
        let phone = into_text(self.read_of(ids.phone, None, country));
        // What the configuration says, a person has chosen.
        if let Some((doubt, slot)) = unlikely_phone(&phone).zip(self.cell(ids.phone)) {
            self.say(doubt.found(self.draft.text(&slot)), ids.phone, Spot::of(&slot));
        }
        Contact { first_name, last_name, email: self.text(ids.email), phone, company: self.text(ids.company) }
    }

    pub(super) fn address(&mut self, ids: AddressIds) -> Address {
        let [line1, line2, city, state, country, code, pin, kind] = ids;
        let (country, country_code) = self.country(country, code);
        let known = if country_code.is_empty() { None } else { Some(country_code.as_str()) };
        let by_pin = if known == Some("IN") { self.place_of_pin(pin) } else { None };
        let address = Address {
            line1: self.text(line1),
            line2: self.text(line2),
            city: match self.filled_by_pin(city, by_pin.and_then(|(_, place)| place.city), pin) {
                Some(city) => city,
                None => self.text(city),
            },
            state: match self.filled_by_pin(state, by_pin.and_then(|(_, place)| place.state), pin) {
                Some(state) => state,
                None => self.state(state, known),
            },
            country,
            pin_code: into_text(self.read_of(pin, None, known)),
            kind: self.text(kind),
            country_code,
        };
        if let Some((_, place)) = by_pin {
            self.compare_state(&address, place, state, pin);
        }
        address
    }

    /// Where the PIN code of an address lies.
    fn place_of_pin(&self, pin: Id) -> Option<(Slot, &'static PinPlace)> {
        let slot = self.cell(pin)?;
        let digits: String = self.draft.text(&slot).chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        Some((slot, pin_place(&digits)?))
    }

    /// What the PIN code says of a part of the address that the sheet leaves blank.
    fn filled_by_pin(&mut self, id: Id, by_pin: Option<&'static str>, pin: Id) -> Option<Text> {
        let by_pin = by_pin.filter(|_| !self.is_given(id) && self.stand_in(id, self.first).is_none())?;
        let slot = self.cell(pin)?;
        let pin = self.draft.text(&slot).to_owned();
        self.say(value_from_pin::filled(id.field().header, by_pin, &pin).found(pin.clone()), id, Spot::of(&slot));
        Some(by_pin.into())
    }

    /// Says of a state that the PIN code lies in another one.
    fn compare_state(&mut self, address: &Address, place: &PinPlace, state: Id, pin: Id) {
        let Some(stated) = self.memo.indian_state(&address.state) else { return };
        let (say, meant): (fn(&str, &str, &str) -> Finding, _) = match place.fits(stated) {
            PinFits::There => return,
            PinFits::Near(meant) => (state_of_pin::near, meant),
            PinFits::Far(meant) => (state_of_pin::elsewhere, meant),
        };
        let found = say(&address.pin_code, meant, stated).found(address.pin_code.clone());
        let spot = self.spot_of(if self.cell(pin).is_some() { pin } else { state });
        self.say(found, pin, spot);
    }

    /// A country's name and code: either gives the other, and both must mean one country.
    fn country(&mut self, name_id: Id, code_id: Id) -> (Text, Text) {
        let named = self.cell(name_id);
        // The sheet's own word goes before a configured code.
        if named.is_some() && self.cell(code_id).is_none() {
            let name = self.text(name_id);
            let code = country_code(&name);
            if code.is_none() && !name.is_empty() {
                self.say(bad_country::unknown_name().found(name.clone()), name_id, self.spot_of(name_id));
            }
            return (shown(name, code), code.unwrap_or_default().into());
        }
        let by_name = self.stand_in(name_id, self.first).and_then(country_code);
        if self.cell(code_id).is_none() && self.stand_in(code_id, self.first).is_none() && by_name.is_some() {
            return (self.text(name_id), by_name.unwrap_or_default().into());
        }
        let columns = self.sheets.of(self.first.sheet());
        if columns.column(code_id).is_none()
            && columns.column(name_id).is_some()
            && self.stand_in(code_id, self.first).is_none()
        {
            // The sheet says the country by name: that is the cell to fill in.
            self.say_blank(name_id, self.rules.need(code_id), None, self.first);
            return (Text::default(), Text::default());
        }
        let code = self.text(code_id);
        let name = self.text(name_id);
        if named.is_some() && !code.is_empty() {
            self.compare_country(&name, &code, name_id, code_id);
        }
        let known = Some(code.as_str()).filter(|code| !code.is_empty());
        let name = if named.is_none() && known != country_code(&name) { Text::default() } else { name };
        (shown(name, known), code)
    }

    fn compare_country(&mut self, name: &str, code: &str, name_id: Id, code_id: Id) {
        let (name_at, code_at) = (self.spot_of(name_id), self.spot_of(code_id));
        let found = match country_code(name) {
            Some(meant) if meant == code => return,
            Some(meant) => country_clash::name_and_code(name, meant, &self.place(name_at), code, &self.place(code_at)),
            None => bad_country::unknown_beside_code(code),
        };
        self.say(found.found(name), name_id, name_at);
    }

    /// India's states go out in one spelling; others as they stand.
    fn state(&mut self, id: Id, country: Option<&str>) -> Text {
        let text = into_text(self.read_of(id, None, country));
        if country != Some("IN") || text.is_empty() {
            return text;
        }
        if let Some(state) = self.memo.indian_state(&text) {
            return state.into();
        }
        self.say(unusual_value::unknown_state().found(text.clone()), id, self.spot_of(id));
        text
    }

    pub(super) fn placement(&mut self) -> Placement {
        match self.rules.version {
            Version::V2 => Placement::Warehouse {
                warehouse_id: self.text(Id::WarehouseId),
                return_address_id: self.text(Id::ReturnAddressId),
            },
            Version::V1 => {
                let origin = self.address(ORIGIN);
                Placement::Written(Box::new(Written {
                    sender: self.contact(&SENDER, &origin.country_code),
                    return_address: self.address(RETURN_ADDRESS),
                    origin,
                }))
            }
        }
    }
}

/// A country's name as it stands, or the code's own where the cell holds a code or nothing.
fn shown(name: Text, code: Option<&str>) -> Text {
    let is_code = name.len() <= 3;
    match code.and_then(country_name) {
        Some(known) if is_code => known.into(),
        _ => name,
    }
}
