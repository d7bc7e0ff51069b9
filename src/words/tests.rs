//! The words that people add. What texts say is in `tests/values`.

use super::*;

fn stops(words: &Vocabulary, text: &str) -> bool {
    Remark::new(words, text).stops(false, false)
}

#[test]
fn own_words_stop_pass_and_are_removed() {
    let list = |text: &str| text.split('|').map(str::to_owned).collect();
    let own = OwnWords {
        hold: list("godown band|Sharma ji"),
        harmless: list("hold the bag|mat-print|take away"),
        remove: list("oos"),
        languages: None,
    };
    let words = own.vocabulary().unwrap().unwrap();
    let own_stops = |text| stops(&words, text);
    let stops = |text| stops(Vocabulary::built_in(), text);
    assert!(own_stops("godown band hai") && own_stops("ask SHARMA JI first") && own_stops("cancelled, mat print"));
    assert!(!own_stops("hold the bag") && !own_stops("OOS") && !own_stops("take away"));
    assert!(own_stops("hold") && stops("OOS") && stops("take away"));
    let is_unread = |text| Remark::new(&words, text).is_unread();
    assert!(
        !is_unread("mat print") && is_unread("blue thread please") && !is_unread("hold") && !is_unread("godown band")
    );
    let own = |hold: &str| OwnWords { hold: vec![hold.to_owned()], ..OwnWords::default() };
    assert_eq!((own("?!").wordless(), own("wait").wordless()), (Some("?!"), None));
    assert_eq!(own("a").with(&own("b")).hold, ["a", "b"]);
    assert!(OwnWords::default().vocabulary().unwrap().is_none());
}

#[test]
fn a_language_that_is_not_named_does_not_count() {
    let own = |languages: &[Language]| OwnWords { languages: Some(languages.to_vec()), ..OwnWords::default() };
    let stopping = |languages: &[Language]| {
        let words = own(languages).vocabulary().unwrap().unwrap();
        ["cancel this order", "mat bhejna", "रद्द", "storniert"].map(|text| stops(&words, text))
    };
    assert_eq!(stopping(&[Language::Hi]), [true, true, true, false]);
    assert_eq!(stopping(&[Language::De]), [true, false, false, true]);
    assert_eq!(stopping(&[]), [true, false, false, false]);
}
