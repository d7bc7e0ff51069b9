//! Layouts that a clerk has remembered: kept once an order can go with them, and mended from the same sheet.

use super::{Desk, field};
use crate::rig::{Rig, row, row_with, sheet};

/// A sheet of which no column is known to hold the receiver's name.
fn without_names() -> String {
    let text = sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]);
    text.replace("Receiver First Name", "Xyz").replace(",Asha,", ",q7,")
}

/// What a page asks with such a beginning of its name.
fn named(page: &str, beginning: &str) -> String {
    let (_, rest) = page.split_once(&format!("name=\"{beginning}")).unwrap_or_else(|| panic!("{beginning}: {page}"));
    format!("{beginning}{}", rest.split('"').next().unwrap())
}

#[test]
fn a_layout_is_kept_once_an_order_has_all_that_it_needs_and_then_mended_from_the_same_sheet() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let file = rig.path(".config/shipsheet/profiles/counter.toml");
    let id = desk.drop_sheet("counter.csv", &without_names());
    desk.read_sheet(&id);
    let place = format!("sheet/{id}/columns");
    let says = |more: &str| {
        let revision = field(&desk.page(&place).body, "revision");
        let body = desk.posts(&place, &format!("revision={revision}&go=check&remember=yes&called=counter{more}"));
        if body.is_empty() { desk.page(&format!("{place}?missing=yes")).body } else { body }
    };
    let ticked = "name=\"remember\" value=\"yes\" checked";
    says("");
    assert!(!file.exists(), "no order can go with it");
    let page = desk.page(&place).body;
    assert!(page.contains(ticked) && page.contains("value=\"counter\""), "the tick stays: {page}");
    let has = named(&page, "has.0.");
    let page = says(&format!("&{has}=2"));
    assert!(page.contains("are read as “counter” from now on."), "{page}");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("\"Xyz\""), "{kept}");
    assert!(!desk.page(&place).body.contains(ticked));
    // What the same sheet is said to be by now takes its place.
    let page = says("&col.0.16=-");
    assert!(page.contains("are read as “counter” from now on."), "{page}");
    let mended = std::fs::read_to_string(&file).unwrap();
    assert_ne!(mended, kept);
    // But not the place of what somebody wrote there by hand.
    std::fs::write(&file, format!("{mended}# by hand\n")).unwrap();
    let page = says("&col.0.16=5");
    assert!(page.contains("There is one of this name."), "{page}");
    assert!(std::fs::read_to_string(&file).unwrap().ends_with("# by hand\n"));
}

#[test]
fn why_a_layout_is_not_kept_yet_is_said() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let empty = sheet([row("A-1").replace(",Asha,", ",,")]);
    for (text, said) in [
        (
            without_names(),
            "Still needed for every order: Receiver First Name. The layout is not remembered before that",
        ),
        (empty, "The layout is not remembered yet: no order of this sheet has all that it needs."),
    ] {
        let id = desk.drop_sheet("a.csv", &text);
        desk.read_sheet(&id);
        let form = "revision=0&go=check&remember=yes&called=counter";
        let page = super::ends::after(&desk, &format!("sheet/{id}/columns"), form);
        assert!(page.body.contains(said), "{said}: {}", page.body);
    }
    assert!(!rig.path(".config/shipsheet/profiles/counter.toml").exists());
}
