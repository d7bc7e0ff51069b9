//! Who gets it, where it goes and where it comes from.

use crate::check::{country_code, country_name};
use crate::field::{Id, Version};
use crate::finding::order::{bad_country, country_clash, unusual_value};
use crate::text::Text;

use super::read::into_text;
use super::reader::Reader;
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
        Contact {
            first_name,
            last_name,
            email: self.text(ids.email),
            phone: into_text(self.read_of(ids.phone, None, country)),
            company: self.text(ids.company),
        }
    }

    pub(super) fn address(&mut self, ids: AddressIds) -> Address {
        let [line1, line2, city, state, country, code, pin, kind] = ids;
        let (country, country_code) = self.country(country, code);
        let known = if country_code.is_empty() { None } else { Some(country_code.as_str()) };
        Address {
            line1: self.text(line1),
            line2: self.text(line2),
            city: self.text(city),
            state: self.state(state, known),
            country,
            pin_code: into_text(self.read_of(pin, None, known)),
            kind: self.text(kind),
            country_code,
        }
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
