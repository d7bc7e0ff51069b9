//! Who gets it, where it goes and where it comes from.

use crate::field::{FIELDS, Id, Need, Version, indian_state, normalised};
use crate::finding::Finding;
use crate::finding::order::{bad_country, country_clash, state_of_pin, unusual_value, value_from_pin};
use crate::parse::{
    PinFits, PinPlace, addresses_have, country_code, country_in_column, country_name, unlikely_phone, written_pin_place,
};
use crate::text::Text;

use super::raw_order::RawCell;
use super::read::{ValueReader, into_text};
use super::rows::CellRef;
use super::types::{Address, Contact, ShipFrom, ShipFromAddresses};

/// A field and those that stand behind it in the table: those of each contact and each address stand there in one order.
fn behind<const N: usize>(first: Id) -> [Id; N] {
    std::array::from_fn(|offset| FIELDS[first as usize + offset].id)
}

/// A contact, by the field of its first name.
pub(crate) fn contact(reader: &mut ValueReader<'_>, first: Id, country: &str) -> Contact {
    let [_, last, email, phone, company] = behind(first);
    let (mut first_name, mut last_name) = (reader.text(first), reader.text(last));
    let is_whole = first == Id::ReceiverFirstName && reader.rows.sheets.of(reader.rows.first.at.sheet).whole_names();
    if let Some((first, last)) =
        first_name.rsplit_once(char::is_whitespace).filter(|_| is_whole && last_name.is_empty())
    {
        (first_name, last_name) = (first.trim_end().into(), last.into());
    }
    let number = into_text(reader.read_of(phone, None, Some(country).filter(|country| !country.is_empty())));
    // What the configuration says, a person has chosen.
    if let Some((doubt, slot)) = unlikely_phone(&number).zip(reader.rows.cell(phone)) {
        reader.say(doubt.found(reader.rows.text(&slot)), phone, CellRef::of(&slot));
    }
    Contact { first_name, last_name, email: reader.text(email), phone: number, company: reader.text(company) }
}

/// An address, by the field of its first line.
pub(crate) fn address(reader: &mut ValueReader<'_>, line1: Id) -> Address {
    let [_, line2, city, state, country, code, pin, kind] = behind(line1);
    let (country, country_code) = country_of(reader, country, code);
    let known = if country_code.is_empty() { None } else { Some(country_code.as_str()) };
    let by_pin = reader
        .rows
        .cell(pin)
        .filter(|_| known == Some("IN"))
        .and_then(|slot| Some((slot, written_pin_place(reader.rows.text(&slot))?)));
    let address = Address {
        line1: reader.text(line1),
        line2: reader.text(line2),
        city: filled_by_pin(reader, city, by_pin.and_then(|(slot, place)| Some((slot, place.city?))))
            .unwrap_or_else(|| reader.text(city)),
        state: filled_by_pin(reader, state, by_pin.and_then(|(slot, place)| Some((slot, place.state?))))
            .unwrap_or_else(|| state_of(reader, state, known)),
        country,
        pin_code: into_text(reader.read_of(pin, None, known)),
        kind: reader.text(kind),
        country_code,
    };
    if let Some((slot, place)) = by_pin {
        compare_state(reader, &address, place, slot);
    }
    let zip = reader.rows.cell(pin).filter(|_| address.country_code == "US");
    if let Some(slot) = zip.filter(|_| address.pin_code.starts_with('0') && !is_in_north_east(&address.state)) {
        let doubt = state_of_pin::elsewhere(&address.pin_code, "the north-east", &address.state);
        reader.say(doubt.found(reader.rows.text(&slot)), pin, CellRef::of(&slot));
    }
    address
}

/// The states of the United States whose postal codes begin with a zero, each with its code.
const ZERO_STATES: &str = include_str!("../../templates/places/us-zero-states.csv");

/// Whether an address of the United States may have a postal code that begins with 0, by its state; true where that is not said.
fn is_in_north_east(state: &str) -> bool {
    let bare = normalised(state);
    let states = ZERO_STATES.lines().filter(|line| !line.starts_with('#')).skip(1);
    bare.is_empty() || states.flat_map(|line| line.split(',')).any(|own| normalised(own) == bare)
}

/// What the PIN code says of a part of the address that the sheet leaves blank.
fn filled_by_pin(reader: &mut ValueReader<'_>, id: Id, by_pin: Option<(RawCell, &'static str)>) -> Option<Text> {
    let is_blank = !reader.rows.is_given(id) && reader.rows.stand_in(id, reader.rows.first).is_none();
    let (slot, by_pin) = by_pin.filter(|_| is_blank)?;
    let pin = reader.rows.text(&slot);
    reader.say(value_from_pin::filled(id.field().header, by_pin, pin).found(pin), id, CellRef::of(&slot));
    Some(by_pin.into())
}

/// Says of a state that the PIN code lies in another one.
fn compare_state(reader: &mut ValueReader<'_>, address: &Address, place: &PinPlace, slot: RawCell) {
    let Some(stated) = state_named(reader, &address.state) else { return };
    let (say, meant): (fn(&str, &str, &str) -> Finding, _) = match place.fits(stated) {
        PinFits::There => return,
        PinFits::Near(meant) => (state_of_pin::near, meant),
        PinFits::Far(meant) => (state_of_pin::elsewhere, meant),
    };
    let found = say(&address.pin_code, meant, stated).found(address.pin_code.clone());
    reader.say(found, slot.id, CellRef::of(&slot));
}

/// A country's name and code: either gives the other, and both must mean one country.
fn country_of(reader: &mut ValueReader<'_>, name_id: Id, code_id: Id) -> (Text, Text) {
    let (named, first) = (reader.rows.cell(name_id), reader.rows.first);
    let has_code = reader.rows.cell(code_id).is_some();
    let by_name = || {
        let constant = |id: Id| reader.rows.stand_in(id, first);
        constant(code_id).is_none() && constant(name_id).and_then(country_code).is_some()
    };
    // The sheet's own word goes before a configured code.
    if !has_code && (named.is_some() || by_name()) {
        let name = reader.text(name_id);
        let letters = reader.rows.sheets.of(first.at.sheet).habit(name_id).letters;
        let code = country_in_column(&name, letters);
        if code.is_none() && !name.is_empty() {
            reader.say(bad_country::unknown_name().found(name.clone()), name_id, reader.rows.spot_of(name_id));
        }
        return (shown(name, code), code.unwrap_or_default().into());
    }
    let columns = reader.rows.sheets.of(reader.rows.first.at.sheet);
    if columns.column(code_id).is_none()
        && columns.column(name_id).is_some()
        && reader.rows.stand_in(code_id, reader.rows.first).is_none()
    {
        // The sheet says the country by name: that is the cell to fill in.
        reader.say_blank(name_id, reader.rows.rules.need(code_id), None, reader.rows.first);
        return (Text::default(), Text::default());
    }
    let code = reader.text(code_id);
    let name = reader.text(name_id);
    if named.is_some() && !code.is_empty() {
        compare_country(reader, &name, &code, name_id, code_id);
    }
    let known = Some(code.as_str()).filter(|code| !code.is_empty());
    let name = if named.is_none() && known != country_code(&name) { Text::default() } else { name };
    (shown(name, known), code)
}

fn compare_country(reader: &mut ValueReader<'_>, name: &str, code: &str, name_id: Id, code_id: Id) {
    let (name_at, code_at) = (reader.rows.spot_of(name_id), reader.rows.spot_of(code_id));
    let found = match reader.rows.recurring.countries.ask(name_id as u32, (), name, country_code) {
        Some(meant) if meant == code => return,
        Some(meant) => {
            country_clash::name_and_code(name, meant, &reader.rows.place(name_at), code, &reader.rows.place(code_at))
        }
        None => bad_country::unknown_beside_code(code),
    };
    reader.say(found.found(name), name_id, name_at);
}

/// A state of India by its name, which recurs from order to order.
fn state_named(reader: &ValueReader<'_>, text: &str) -> Option<&'static str> {
    reader.rows.recurring.states.ask(Id::DestinationState as u32, (), text, indian_state)
}

/// India's states go out in one spelling; others as they stand.
fn state_of(reader: &mut ValueReader<'_>, id: Id, country: Option<&str>) -> Text {
    let text = into_text(reader.read_of(id, None, country));
    if country != Some("IN") || text.is_empty() {
        return text;
    }
    if let Some(state) = state_named(reader, &text) {
        return state.into();
    }
    reader.say(unusual_value::unknown_state().found(text.clone()), id, reader.rows.spot_of(id));
    text
}

pub(super) fn placement(reader: &mut ValueReader<'_>) -> ShipFrom {
    match reader.rows.rules.version {
        Version::V2 => ShipFrom::Warehouse {
            warehouse_id: reader.text(Id::WarehouseId),
            return_address_id: reader.text(Id::ReturnAddressId),
        },
        Version::V1 => {
            let origin = address(reader, Id::OriginLine1);
            ShipFrom::Addresses(Box::new(ShipFromAddresses {
                sender: contact(reader, Id::SenderFirstName, &origin.country_code),
                return_address: return_address(reader),
                origin,
            }))
        }
    }
}

/// Where it comes back to: a whole address, or one that names no place, which stands for the origin. Half an address would
/// be sent to nobody: what it lacks is said.
fn return_address(reader: &mut ValueReader<'_>) -> Address {
    let back = address(reader, Id::ReturnLine1);
    let places = [&back.line1, &back.line2, &back.city, &back.state, &back.pin_code];
    if places.iter().all(|part| part.is_empty()) {
        return back;
    }
    let country = Some(back.country_code.as_str()).filter(|code| !code.is_empty());
    let parts = [
        (Id::ReturnLine1, &back.line1),
        (Id::ReturnCity, &back.city),
        (Id::ReturnState, &back.state),
        (Id::ReturnCountryCode, &back.country_code),
        (Id::ReturnPinCode, &back.pin_code),
    ];
    let first = reader.rows.first;
    for (id, _) in parts.into_iter().filter(|(id, part)| part.is_empty() && addresses_have(*id, country)) {
        let by_name = id == Id::ReturnCountryCode && reader.rows.sheets.of(first.at.sheet).column(id).is_none();
        let by_name = by_name && reader.rows.sheets.of(first.at.sheet).column(Id::ReturnCountry).is_some();
        let cell = if by_name { Id::ReturnCountry } else { id };
        // Of a cell that holds something else, that is said already.
        if !reader.rows.is_given(cell) {
            reader.say_blank(cell, Need::Required, country, first);
        }
    }
    back
}

/// A country's name as it stands, or the code's own where the cell holds a code or nothing.
fn shown(name: Text, code: Option<&str>) -> Text {
    let is_code = name.len() <= 3;
    code.filter(|_| is_code).and_then(country_name).map_or(name, Text::from)
}
