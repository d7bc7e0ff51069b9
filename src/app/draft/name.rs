//! What a sheet is called that came under any name.

use crate::text::is_hidden;

/// Bytes of a name that is kept.
const NAME_MAX: usize = 120;

/// A name that leads nowhere else, as close to the given one as can be.
#[must_use]
pub fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    // Marks of direction would show an ending that the file does not have; those that join letters are part of a name.
    let is_joiner = |c: char| matches!(c, '\u{200c}' | '\u{200d}');
    let is_plain = |c: &char| {
        (!is_hidden(*c) || is_joiner(*c)) && !matches!(c, '\t' | '\n' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    let plain: String = last.chars().filter(is_plain).collect();
    let plain = plain.trim_matches(['.', ' ']);
    // What says the format is at the end, and stays.
    let start = (0..plain.len()).find(|at| plain.is_char_boundary(*at) && plain.len() - at <= NAME_MAX);
    let plain = plain[start.unwrap_or_default()..].trim_start_matches(['.', ' ']);
    match plain {
        "" => "sheet".to_owned(),
        device if is_device(device) && device.len() < NAME_MAX => format!("_{device}"),
        device if is_device(device) => "sheet".to_owned(),
        _ => plain.to_owned(),
    }
}

/// Whether Windows takes a name for a device, whatever its ending.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let is_numbered =
        |start: &str| stem.strip_prefix(start).is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']));
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL") || is_numbered("COM") || is_numbered("LPT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        for (name, plain) in [
            ("packing.xlsx", "packing.xlsx"),
            ("C:\\fakepath\\Bücher 12.csv", "Bücher 12.csv"),
            ("../../etc/passwd", "passwd"),
            ("..", "sheet"),
            ("", "sheet"),
            (".draft.json", "draft.json"),
            ("a\u{0}b\n.csv", "ab.csv"),
            ("C:evil.csv", "Cevil.csv"),
            ("con.xlsx", "_con.xlsx"),
            ("LPT1", "_LPT1"),
            ("console.csv", "console.csv"),
            ("orders\u{202e}vsc.exe", "ordersvsc.exe"),
        ] {
            assert_eq!(plain_name(name), plain, "{name}");
        }
        let long = plain_name(&format!("{}.xlsx", "ä".repeat(500)));
        assert!(long.len() <= NAME_MAX && long.ends_with("ä.xlsx"), "{long}");
        assert_eq!(plain_name(&long), long);
    }
}
