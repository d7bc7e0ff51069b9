//! The states and union territories of India in their usual spelling.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::normalised::normalised;

/// Each with its code and other spellings, written without case, spaces and punctuation.
const STATES: &[(&str, &[&str])] = &[
    ("Andaman and Nicobar Islands", &["an", "andamannicobar", "andamanandnicobar", "andamannicobarislands"]),
    ("Andhra Pradesh", &["ap", "andhra", "ad"]),
    ("Arunachal Pradesh", &["ar", "arunachal"]),
    ("Assam", &["as"]),
    ("Bihar", &["br"]),
    ("Chandigarh", &["ch", "chd"]),
    ("Chhattisgarh", &["cg", "ct", "chattisgarh", "chhatisgarh", "chattishgarh"]),
    (
        "Dadra and Nagar Haveli and Daman and Diu",
        &["dn", "dd", "dnhdd", "dadraandnagarhaveli", "dadranagarhaveli", "damananddiu", "damandiu"],
    ),
    ("Delhi", &["dl", "newdelhi", "nctofdelhi", "delhincr", "nct", "nationalcapitalterritoryofdelhi"]),
    ("Goa", &["ga"]),
    ("Gujarat", &["gj", "gujrat"]),
    ("Haryana", &["hr", "hariyana"]),
    ("Himachal Pradesh", &["hp", "himachal"]),
    ("Jammu and Kashmir", &["jk", "jammukashmir", "jammu", "jandk"]),
    ("Jharkhand", &["jh"]),
    ("Karnataka", &["ka", "karnatka"]),
    ("Kerala", &["kl", "keralam"]),
    ("Ladakh", &["la"]),
    ("Lakshadweep", &["ld"]),
    ("Madhya Pradesh", &["mp"]),
    ("Maharashtra", &["mh", "maharastra"]),
    ("Manipur", &["mn"]),
    ("Meghalaya", &["ml"]),
    ("Mizoram", &["mz"]),
    ("Nagaland", &["nl"]),
    ("Odisha", &["od", "or", "orissa"]),
    ("Puducherry", &["py", "pondicherry"]),
    ("Punjab", &["pb"]),
    ("Rajasthan", &["rj", "rajastan"]),
    ("Sikkim", &["sk"]),
    ("Tamil Nadu", &["tn", "tamilnad"]),
    ("Telangana", &["tg", "ts", "telengana", "telagana"]),
    ("Tripura", &["tr"]),
    ("Uttar Pradesh", &["up"]),
    ("Uttarakhand", &["uk", "ut", "uttaranchal", "uttrakhand"]),
    ("West Bengal", &["wb", "bengal"]),
];

/// A state of India by its name, its code or another spelling of it.
#[must_use]
pub fn indian_state(text: &str) -> Option<&'static str> {
    let bare = normalised(&text.replace('&', "and"));
    let bare = bare.strip_prefix("in").filter(|rest| rest.len() == 2).unwrap_or(&bare);
    SPELLINGS.get(bare).copied()
}

/// Every spelling without case, spaces and punctuation: each order asks for one.
static SPELLINGS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let spellings = |(name, others): &(&'static str, &[&str])| {
        let all = others.iter().map(|other| (*other).to_owned()).chain([normalised(name)]);
        let name = *name;
        all.map(|spelling| (spelling, name)).collect::<Vec<_>>()
    };
    STATES.iter().flat_map(spellings).collect()
});
