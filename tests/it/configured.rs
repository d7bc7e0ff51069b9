//! What is configured: shown with where it comes from, and without secrets; and what nobody knows is asked back.

use serde_json::Value;

use crate::rig::Rig;

const TEXT: &str = "base_url = \"https://api.example.com\"
token_command = \"cat geheim-1\"

[auth]
email = \"asha@shop.example\"
password_file = \"geheim-2\"

[booking]
rate = 2.50

[notify.owner]
webhook = \"https://hooks.example.com/geheim-3\"
when = [\"problems\"]

[night]
ping = \"https://ping.example.com/geheim-4\"

[warehouses]
\"Pune shop\" = \"WH-7\"

[log]
file = \"/var/log/none/orders.jsonl\"
";

/// A setting by its section and name.
pub(crate) fn setting<'d>(document: &'d Value, section: &str, name: &str) -> &'d Value {
    let all = document["settings"].as_array().unwrap();
    let found = all.iter().find(|own| own["section"] == section && own["name"] == name);
    found.unwrap_or_else(|| panic!("[{section}] {name}: {document:#}"))
}

#[test]
fn each_setting_says_where_it_comes_from_and_no_secret_is_shown() {
    let rig = Rig::alone();
    rig.file("shipsheet.toml", TEXT);
    let shown = rig.run(&["config", "show", "--ledger", "own.sqlite"]);
    shown.exits(0);
    for (left, right) in [
        ("base_url = \"https://api.example.com\"", "shipsheet.toml:1"),
        ("# token_command", "shipsheet.toml:2, not shown"),
        ("ledger = \"own.sqlite\"", "--ledger"),
        ("api = \"v2\"", "default"),
        ("# password_file", "shipsheet.toml:6, not shown"),
        ("rate = 2.50", "shipsheet.toml:9"),
        ("max_wait_seconds = 900", "default"),
        ("# max_orders", "not set"),
        ("# webhook", "shipsheet.toml:12, not shown"),
        ("\"Pune shop\" = \"WH-7\"", "shipsheet.toml:19"),
    ] {
        let line =
            shown.stdout.lines().find(|line| line.starts_with(left)).unwrap_or_else(|| panic!("{left}: {shown:?}"));
        assert_eq!(line.rsplit_once("# ").unwrap().1, right, "{line}");
    }
    let document = rig.run(&["config", "show", "--format", "json"]);
    let paths = rig.run(&["config", "show", "--paths"]);
    for ran in [&shown, &document, &paths] {
        ran.exits(0).prints_nothing_of("geheim");
    }
}

#[test]
fn the_environment_goes_before_the_file() {
    let rig = Rig::new();
    rig.file("shipsheet.toml", "base_url = \"https://api.example.com\"\ntoken_file = \"/nowhere/token\"\n");
    let (_, shown) = rig.json(&["config", "show"]);
    let (address, token) = (setting(&shown, "", "base_url"), setting(&shown, "", "token_file"));
    assert_eq!(address["value"], format!("{:?}", rig.sandbox().base_url()));
    assert_eq!((&address["from"], &address["variable"]), (&"environment".into(), &"SHIPSHEET_BASE_URL".into()));
    assert_eq!((&token["value"], &token["is_hidden"]), (&Value::Null, &true.into()));
    assert_eq!(token["variable"], "SHIPSHEET_TOKEN");
}

#[test]
fn it_tells_where_every_file_lies() {
    let rig = Rig::alone();
    rig.file("shipsheet.toml", "token_file = \"/nowhere/token\"\n[backup]\nfolder = \"copies\"\n");
    std::fs::create_dir(rig.path("copies")).unwrap();
    let shown = rig.run(&["config", "show", "--paths"]);
    let found: Vec<Vec<&str>> = shown
        .stdout
        .lines()
        .map(|line| line.split("  ").filter(|own| !own.is_empty()).map(str::trim).collect())
        .collect();
    let place = |what: &str| found.iter().find(|line| line[0] == what).unwrap_or_else(|| panic!("{what}: {shown:?}"));
    assert_eq!(place("configuration")[1..], ["there", "shipsheet.toml"]);
    assert_eq!(place("token_file")[1..], ["missing", "/nowhere/token"]);
    assert_eq!(place("backup.folder")[1..], ["there", "copies"]);
    for what in ["profiles", "ledger", "desk's folder", "practice ledger", "state folder", "known hosts"] {
        assert_eq!(place(what)[1], "missing", "{what}");
    }
    shown.exits(0).prints("labels: ");
}

#[test]
fn a_broken_configuration_is_shown_as_far_as_it_can_be_read() {
    let rig = Rig::alone();
    rig.file("shipsheet.toml", "base_url = \"https://api.example.com\"\ntokn = \"geheim\"\n[booking]\nrate = 2\n");
    let shown = rig.run(&["config", "show"]);
    shown.exits(1).says("`tokn` is no setting here").prints_nothing_of("geheim").says_nothing_of("geheim");
    shown.prints("rate = 2 ").prints("# tokn ");
    rig.file("shipsheet.toml", "base_url = \"https://api.example.com\"\ntoken_file = geheim\n[booking]\nrate = 2\n");
    let shown = rig.run(&["config", "show"]);
    shown.exits(1).says("line 2").prints("rate = 2 ").prints_nothing_of("geheim");
    rig.file("shipsheet.toml", "[defaults]\nwarehousId = \"WH-1\"\n");
    rig.run(&["config", "show"]).exits(1).says("`warehouseId`").prints("warehousId = \"WH-1\"");
    let (code, document) = rig.json(&["config", "show"]);
    assert_eq!((code, document["problems"].as_array().unwrap().len()), (1, 1), "{document:#}");
}

#[test]
fn an_unknown_key_is_asked_back() {
    let rig = Rig::alone();
    let says = |text: &str, said: &str| {
        rig.file("shipsheet.toml", text);
        rig.run(&["runs"]).exits(1).says(said);
    };
    says("base_ur = \"x\"\n", "`base_ur` is no setting here; did you mean `base_url`?");
    says("[bookng]\nrate = 2\n", "[bookng] is no section; did you mean [booking]?");
    says("[booking]\nmax_order = 2\n", "`max_order` is no setting here; did you mean `max_orders`?");
    says("rate = 2\n", "`rate` is no setting here: it belongs under [booking]");
    says(
        "[booking]\nbase_url = \"x\"\n",
        "`base_url` is no setting here: it belongs at the top, above the first [section]",
    );
    says("[notify.owner]\nwebhok = \"x\"\n", "`webhok` is no setting here; did you mean `webhook`?");
    says("[booking]\nrate = 2\n[booking] max_order = 2\n", "did you mean `max_orders`?");
    says(
        "[rules.unatended]\ntotal-differs = \"warn\"\n",
        "[rules.unatended] is no section; there is [rules.unattended]",
    );
    says("[send]\nphone = \"as-writen\"\n", "`as-writen` is not accepted here: write `usual` or `as-written`");
    rig.file("shipsheet.toml", "");
    rig.file("own.toml", "name = \"own\"\nrecognised_bi = [\"Bill\"]\n");
    rig.run(&["profile", "show", "own.toml"])
        .exits(1)
        .says("`recognised_bi` is no setting here; did you mean `recognised_by`?");
}
