//! Sheets as they lie on a counter: broken characters, formats of Excel, merged and hidden rows, footers, second headers.

use serde_json::Value;

use crate::rig::{Rig, row, sheet};

/// What `check` says of a file, as JSON.
fn checked(rig: &Rig, name: &str) -> Value {
    let ran = rig.run(&["check", name, "--format", "json"]);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// The places and codes of the problems of one severity.
fn problems(checked: &Value, severity: &str) -> Vec<String> {
    let all = checked["problems"].as_array().unwrap().iter();
    let wanted = all.filter(|problem| problem["severity"] == severity);
    wanted
        .map(|problem| format!("{} {}", problem["place"].as_str().unwrap_or(""), problem["code"].as_str().unwrap()))
        .collect()
}

#[test]
fn one_broken_character_is_a_problem_of_its_cell() {
    let rig = Rig::new();
    let text = sheet([row("A-1"), row("A-2"), row("A-3")]);
    let broken = |find: &str, bytes: &[u8], mark: &[u8]| {
        let at = text.rfind(find).unwrap();
        [mark, &text.as_bytes()[..at], bytes, &text.as_bytes()[at + find.len()..]].concat()
    };
    let cases = [
        ("cut.csv", broken("MG Road", b"Rs\xe2\x82 Road", b"")),
        ("marked.csv", broken("MG Road", b"Caf\xe9 Road", b"\xef\xbb\xbf")),
        ("odd.csv", broken("MG Road", b"\xd5\xc5\xce", b"")),
        ("zero.csv", broken("MG Road", b"MG\0Road", b"")),
    ];
    for (name, bytes) in cases {
        std::fs::write(rig.path(name), bytes).unwrap();
        let checked = checked(&rig, name);
        let errors = problems(&checked, "error");
        assert!(errors.contains(&format!("{name}:4 column E bad-encoding")), "{errors:?}");
        assert_eq!(checked["orders"]["total"], 3, "{checked}");
        assert_eq!(checked["orders"]["invalid"], 1, "{checked}");
        assert_eq!(rig.run(&["check", name]).code, 3);
    }
    std::fs::write(rig.path("latin.csv"), broken("MG Road", b"Caf\xe9 Road", b"")).unwrap();
    let ran = rig.run(&["check", "latin.csv"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("read as windows-1252, which is a guess"), "{ran:?}");
    assert!(ran.stderr.contains("latin.csv:4  found") && ran.stderr.contains("Café Road"), "{ran:?}");
    std::fs::write(rig.path("padded.csv"), [text.as_bytes(), &[0; 700]].concat()).unwrap();
    assert_eq!(problems(&checked(&rig, "padded.csv"), "error"), [""; 0]);
}
