//! Numbering plans: how long the phone numbers of a country are, how they begin, and what is dialled before them.

use std::sync::LazyLock;

/// The plans, as `templates/places/phones.csv` has them.
static PLANS: LazyLock<Vec<Plan>> = LazyLock::new(|| {
    let list = include_str!("../../templates/places/phones.csv");
    list.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(Plan::read).collect()
});

/// The numbering plan of one region.
pub(super) struct Plan {
    region: &'static str,
    /// The country's code, as dialled from elsewhere.
    pub(super) code: &'static str,
    trunk: &'static str,
    local: &'static str,
    abroad: &'static str,
    numbers: &'static str,
}

impl Plan {
    fn read(line: &'static str) -> Option<Plan> {
        let [region, code, trunk, local, abroad, numbers] = line.split(',').collect::<Vec<_>>().try_into().ok()?;
        Some(Plan { region, code, trunk, local, abroad, numbers })
    }

    /// The plan of a region, where it has one.
    pub(super) fn of(region: &str) -> Option<&'static Plan> {
        PLANS.iter().find(|plan| plan.region == region)
    }

    /// The plan that stands for a country's code, which these digits begin with, and the digits behind it.
    pub(super) fn of_code(digits: &str) -> Option<(&'static Plan, &str)> {
        let mut known = PLANS.iter().filter(|plan| !plan.numbers.is_empty());
        known.find_map(|plan| Some((plan, digits.strip_prefix(plan.code)?)))
    }

    /// The digits behind the country's code, as they are dialled from elsewhere.
    pub(super) fn behind_code<'a>(&self, digits: &'a str) -> Option<&'a str> {
        let ways = std::iter::once("").chain(self.abroad.split(' '));
        ways.filter_map(|way| digits.strip_prefix(way)?.strip_prefix(self.code)).find(|rest| !rest.is_empty())
    }

    /// The national number that these digits are, dialled at home or behind the country's code.
    pub(super) fn national(&self, dialled: &str) -> Option<String> {
        self.readings(dialled).find(|number| self.has(number))
    }

    /// The numbers that people may mean by what they dial: as it stands, without the prefix of calls at home, with the area code
    /// that is not dialled.
    pub(super) fn readings(&self, dialled: &str) -> impl Iterator<Item = String> {
        let without = |trunk: &str| if trunk.is_empty() { None } else { dialled.strip_prefix(trunk) };
        let bare = std::iter::once(dialled).chain(self.trunk.split(' ').filter_map(without)).map(str::to_owned);
        bare.chain(self.with_area(dialled)).chain(self.argentine_mobile(dialled))
    }

    /// Whether the country has such a number.
    pub(super) fn has(&self, national: &str) -> bool {
        let shared = || PLANS.iter().find(|plan| plan.code == self.code && !plan.numbers.is_empty());
        let numbers = if self.numbers.is_empty() { shared().map_or("", |plan| plan.numbers) } else { self.numbers };
        numbers.split(';').any(|group| are_in(group, national))
    }

    /// A number that was dialled without its area code, with it.
    fn with_area(&self, dialled: &str) -> Option<String> {
        let (form, area) = self.local.split_once('>')?;
        are_in(form, dialled).then(|| format!("{area}{dialled}"))
    }

    /// Argentina dials 15 behind the area code of a mobile number, and from elsewhere 9 before it.
    fn argentine_mobile(&self, dialled: &str) -> impl Iterator<Item = String> {
        let home = if self.region == "AR" { dialled.strip_prefix('0').unwrap_or(dialled) } else { "" };
        (2..=4).filter_map(move |area| {
            let (area, rest) = home.split_at_checked(area)?;
            Some(format!("9{area}{}", rest.strip_prefix("15")?))
        })
    }
}

/// Whether digits have one of the lengths and beginnings of a group, `7 9-10:20-24 3`.
fn are_in(group: &str, digits: &str) -> bool {
    let Some((lengths, beginnings)) = group.split_once(':') else { return false };
    let length = |text: &str| text.parse::<usize>().ok();
    let has_length = |(least, most): (&str, &str)| {
        length(least).is_some_and(|least| least <= digits.len())
            && length(most).is_some_and(|most| digits.len() <= most)
    };
    let begins = |(first, last): (&str, &str)| {
        let mut places = digits.bytes().zip(first.bytes().zip(last.bytes()));
        first.len() <= digits.len() && places.all(|(own, (least, most))| least == b'x' || (least..=most).contains(&own))
    };
    lengths.split(' ').map(range).any(has_length) && beginnings.split(' ').map(range).any(begins)
}

/// Both ends of `20-24`, or of `3`.
fn range(text: &str) -> (&str, &str) {
    text.split_once('-').unwrap_or((text, text))
}
