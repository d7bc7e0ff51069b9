//! The states and union territories of India in their usual spelling.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::normalised::normalised;

/// Each with its codes and other spellings, as `templates/places/india-states.csv` has them.
const LIST: &str = include_str!("../../templates/places/india-states.csv");

/// A state of India by its name, its code or another spelling of it.
#[must_use]
pub fn indian_state(text: &str) -> Option<&'static str> {
    let bare = normalised(&text.replace('&', "and"));
    let bare = bare.strip_prefix("in").filter(|rest| rest.len() == 2).unwrap_or(&bare);
    SPELLINGS.get(bare).copied()
}

/// Every spelling without case, spaces and punctuation: each order asks for one.
static SPELLINGS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let lines = LIST.lines().filter(|line| !line.starts_with('#')).skip(1);
    let states = lines.filter_map(|line| line.split_once(','));
    let all = states.flat_map(|(name, others)| {
        others.split(';').map(str::to_owned).chain([normalised(name)]).map(move |spelling| (spelling, name))
    });
    all.collect()
});
