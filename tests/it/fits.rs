//! A profile that does not fit says so before anything is read by it.

use crate::rig::{HEADER, Rig, row, sheet, sheet_of};

#[test]
fn a_profile_for_another_layout_holds_and_names_what_is_missing() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet_of(2));
    let (code, document) = rig.json(&["check", "orders.csv", "--profile", "shopify"]);
    assert_eq!(code, 3, "{document}");
    let problem = document["problems"].as_array().unwrap().iter().find(|p| p["code"] == "layout-changed");
    let problem = problem.unwrap_or_else(|| panic!("{document}"));
    let message = problem["message"].as_str().unwrap();
    for said in ["the profile shopify was named", "none of the 6 columns", "\"Financial Status\"", "\"Lineitem name\""]
    {
        assert!(message.contains(said), "{message}");
    }
    assert!(problem["hint"].as_str().unwrap().contains("profile guess orders.csv --save"), "{problem}");
    assert_eq!(rig.run(&["check", "orders.csv", "--profile", "shipsheet"]).code, 0);
}

#[test]
fn a_profile_fits_only_where_every_needed_field_has_a_source() {
    let rig = Rig::alone();
    rig.file("own.toml", "[columns]\n\"receiver.phoneNumber\" = \"Mobile\"\n");
    rig.file("orders.csv", &sheet_of(1).replace("Receiver Phone", "Mobile"));
    let fits = rig.run(&["profile", "check", "own.toml", "orders.csv"]);
    assert!(fits.code == 0 && fits.stderr.contains("own fits orders.csv"), "{fits:?}");

    rig.file(
        "orders.csv",
        &sheet([row("A-1")]).replace("Receiver Phone", "Mobile").replace("Warehouse", "Shelf").replace("City", "Ort"),
    );
    let lacks = rig.run(&["profile", "check", "own.toml", "orders.csv"]);
    assert!(lacks.code == 3 && !lacks.stderr.contains("own fits"), "{lacks:?}");
    assert!(lacks.stderr.contains("nothing holds the Warehouse and City"), "{lacks:?}");

    rig.file("shipsheet.toml", "[defaults]\nwarehouseId = \"WH-1\"\n");
    let lacks = rig.run(&["profile", "check", "own.toml", "orders.csv"]);
    assert!(lacks.code == 3 && lacks.stderr.contains("nothing holds the City"), "{lacks:?}");
}

#[test]
fn a_format_that_is_none_of_a_date_is_refused() {
    let rig = Rig::alone();
    for format in ["%Q", "dd/mm/yyyy", "%H:%M"] {
        rig.file("own.toml", &format!("[dates]\nformats = [\"{format}\"]\n"));
        let ran = rig.run(&["profile", "check", "own.toml"]);
        assert!(ran.code == 1 && ran.stderr.contains(format) && ran.stderr.contains("%d/%m/%Y"), "{ran:?}");
    }
    rig.file("shipsheet.toml", "[dates]\nformats = [\"%Q\"]\n");
    rig.file("orders.csv", &sheet_of(1));
    let ran = rig.run(&["check", "orders.csv"]);
    assert!(ran.code == 1 && ran.stderr.contains("[dates] formats: \"%Q\""), "{ran:?}");
}

#[test]
fn what_could_not_run_says_what_to_do() {
    let rig = Rig::alone();
    rig.file("orders.csv", &format!("{HEADER}\n{}\n", row("A-1")));
    let cases = [
        ("[defaults]\nwarehouse = \"WH-1\"\n", "shipsheet.toml"),
        ("[dates]\ntime_zone = \"Mars\"\n", "shipsheet.toml"),
        ("[[nonsense", "shipsheet.toml"),
    ];
    for (configuration, said) in cases {
        rig.file("shipsheet.toml", configuration);
        let (code, document) = rig.json(&["check", "orders.csv"]);
        assert_eq!((code, document["problems"][0]["code"].as_str()), (1, Some("could-not-run")), "{document}");
        assert!(document["problems"][0]["hint"].as_str().unwrap().contains(said), "{document}");
    }
    rig.file("shipsheet.toml", "");
    rig.file("own.toml", "[colums]\n");
    let (_, document) = rig.json(&["check", "orders.csv", "--profile", "own.toml"]);
    assert!(document["problems"][0]["hint"].as_str().unwrap().contains("shipsheet profile check"), "{document}");
}
