//! A profile that does not fit says so before anything is read by it.

use crate::rig::{HEADER, Rig, row, sheet, sheet_of};

#[test]
fn a_profile_for_another_layout_holds_and_names_what_is_missing() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet_of(2));
    let came = rig.check(&["orders.csv", "--profile", "shopify"]);
    let problem = came.exits(3).first("layout-changed");
    problem.says("the profile shopify was named").says("none of the 6 columns").says("\"Financial Status\"");
    problem.says("\"Lineitem name\"").advises("profile guess orders.csv --save");
    rig.run(&["check", "orders.csv", "--profile", "shipsheet"]).exits(0);
}

#[test]
fn a_profile_fits_only_where_every_needed_field_has_a_source() {
    let rig = Rig::alone();
    rig.file("own.toml", "[columns]\n\"receiver.phoneNumber\" = \"Mobile\"\n");
    rig.file("orders.csv", &sheet_of(1).replace("Receiver Phone", "Mobile"));
    let fits = rig.run(&["profile", "check", "own.toml", "orders.csv"]);
    fits.exits(0).says("own fits orders.csv");

    rig.file(
        "orders.csv",
        &sheet([row("A-1")]).replace("Receiver Phone", "Mobile").replace("Warehouse", "Shelf").replace("City", "Kiez"),
    );
    rig.run(&["profile", "check", "own.toml", "orders.csv"])
        .exits(3)
        .says_nothing_of("own fits")
        .says("nothing holds the Warehouse and City");

    rig.file("shipsheet.toml", "[defaults]\nwarehouseId = \"WH-1\"\n");
    rig.run(&["profile", "check", "own.toml", "orders.csv"]).exits(3).says("nothing holds the City");
}

#[test]
fn a_format_that_is_none_of_a_date_is_refused() {
    let rig = Rig::alone();
    for format in ["%Q", "dd/mm/yyyy", "%H:%M"] {
        rig.file("own.toml", &format!("[dates]\nformats = [\"{format}\"]\n"));
        rig.run(&["profile", "check", "own.toml"]).exits(1).says(format).says("%d/%m/%Y");
    }
    rig.file("shipsheet.toml", "[dates]\nformats = [\"%Q\"]\n");
    rig.file("orders.csv", &sheet_of(1));
    rig.run(&["check", "orders.csv"]).exits(1).says("[dates] formats: \"%Q\"");
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
        rig.check(&["orders.csv"]).exits(1).tells_first("could-not-run").advises(said);
    }
    rig.file("shipsheet.toml", "");
    rig.file("own.toml", "[colums]\n");
    rig.check(&["orders.csv", "--profile", "own.toml"]).problems[0].advises("shipsheet profile check");
}
