//! Where a button leads: what came of it stands there, also where it came to nothing.

use shipsheet::sandbox::Answer as Script;

use super::money::booked;
use super::{Answer, Desk, FORM, field, printed};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

/// Where a browser is in the end that posts a form.
pub(super) fn after(desk: &Desk, place: &str, form: &str) -> Answer {
    let own = [("Cookie", desk.cookie.as_str()), ("Sec-Fetch-Site", "same-origin"), FORM];
    let answer = desk.ask("POST", &desk.at(place), &own, &format!("page={}&{form}", desk.token()));
    followed(desk, answer)
}

fn followed(desk: &Desk, mut answer: Answer) -> Answer {
    while let Some(to) = answer.header("location") {
        answer = desk.page(to.strip_prefix(&desk.base).unwrap());
    }
    answer
}

/// The page that shows how the job ended which such a form began.
pub(super) fn ended(desk: &Desk, place: &str, form: &str) -> String {
    desk.posts(place, form);
    let mut page = desk.page("progress");
    wait_until("it has ended", || {
        page = desk.page("progress");
        page.status == 303 || page.body.contains("class=\"box bad\"")
    });
    followed(desk, page).body
}

fn two() -> String {
    sheet([row("A-1"), row_with("A-2", "9812345678", "560002")])
}

fn path(rig: &Rig, number: &str, what: &str) -> String {
    format!("/v1/external/shipments/{}/{what}", rig.order_id(number))
}

#[test]
fn a_cancellation_is_headed_by_what_came_of_it() {
    let rig = Rig::new();
    rig.import_text(&two()).exits(0);
    let desk = Desk::open(&rig, &[]);
    let no = r#"{"message": "left the hub"}"#.to_owned();
    for (answer, heading, said) in [
        (Script::Status(422, no.clone()), "Not cancelled", "eft the hub"),
        (
            Script::Status(200, r#"{"success": false, "message": "left the hub"}"#.to_owned()),
            "Not cancelled",
            "eft the hub",
        ),
        (Script::CutAfter, "Perhaps cancelled", "Look it up in the courier"),
        (Script::Plain, "Cancelled", "The courier service has cancelled it."),
    ] {
        rig.sandbox().script_path(&path(&rig, "A-1", "cancel"), [answer]);
        let page = desk.page("cancel?order=A-1").body;
        let [stamp, at] = ["stamp", "at"].map(|name| field(&page, name));
        let page = ended(&desk, "cancel", &format!("order=A-1&stamp={stamp}&at={at}"));
        assert!(page.contains(&format!("<h1>{heading}</h1>")) && page.contains(said), "{heading}: {page}");
    }
    // No figure of the run says otherwise than the sentence below it.
    let page = desk.page("results?run=1").body;
    assert!(page.contains("Every order of this run was booked. Since then 1 order of them was cancelled."), "{page}");
    assert!(!page.contains("Every order of this run is booked."), "{page}");
    let page = desk.page("cancel?order=A-2").body;
    let [stamp, at] = ["stamp", "at"].map(|name| field(&page, name));
    ended(&desk, "cancel", &format!("order=A-2&stamp={stamp}&at={at}"));
    let page = desk.page("results?run=1").body;
    assert!(page.contains("<dt>Booked</dt><dd class=\"soft\">0</dd>"), "{page}");
    assert!(page.contains("Since then 2 orders of them were cancelled."), "{page}");
}

#[test]
fn labels_that_did_not_come_are_named_with_why_and_asked_for_again() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk
        .drop_sheet("a.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "560002"), row_with("A-3", "98", "1")]));
    booked(&desk, &id);
    let gone = || Script::Status(404, r#"{"message": "label not ready"}"#.to_owned());
    let fails = |number: &str| {
        for way in ["label-url", "label"] {
            rig.sandbox().script_path(&path(&rig, number, way), [gone()]);
        }
    };
    let named = |page: &str| ["A-1", "A-2", "A-3"].map(|number| page.contains(&format!(">{number}</a>")));
    let again = |page: &str| {
        let form = page.split_once("action=\"labels\"").unwrap().1;
        let fields = ["run", "which", "paper", "order"].into_iter();
        let fields = fields.filter(|name| form.contains(&format!("name=\"{name}\"")));
        fields.map(|name| format!("{name}={}", field(form, name))).collect::<Vec<_>>().join("&")
    };
    // One of two: the other one can be printed, and nothing is printed before it is opened.
    fails("A-1");
    let page = ended(&desk, "labels", "run=1&which=all&paper=a6");
    assert!(page.contains("<h1>Labels that did not come</h1>") && page.contains("abel not ready"), "{page}");
    assert_eq!(named(&page), [true, false, false], "{page}");
    assert!(page.contains("labels.pdf?run=1") && page.contains("Open the 1 label that came"), "{page}");
    assert_eq!(printed(&rig), 0);
    assert!(ended(&desk, "labels", &again(&page)).starts_with("%PDF"));
    assert_eq!(printed(&rig), 2);
    // One that was asked for by itself: there is nothing to print, and no other order is named.
    std::fs::remove_dir_all(rig.file_of_run(1, "labels")).unwrap();
    fails("A-2");
    let page = ended(&desk, "labels", "run=1&which=one&paper=own&order=A-2");
    assert_eq!(named(&page), [false, true, false], "{page}");
    assert!(page.contains("abel not ready") && !page.contains("labels.pdf"), "{page}");
    assert!(!page.contains("of this run have no label"), "{page}");
    assert!(ended(&desk, "labels", &again(&page)).starts_with("%PDF"));
    assert_eq!(printed(&rig), 3);
    // Its one order has none at all.
    let page = ended(&desk, "labels", "run=1&which=one&paper=a6&order=A-3");
    assert!(page.contains("The courier service has no such label"), "{page}");
}

#[test]
fn a_check_of_couriers_that_failed_is_told() {
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[serviceability]\npickup_pin = \"560048\"\n");
    let desk = Desk::open(&rig, &[]);
    let no = || Script::Status(400, r#"{"message": "try later"}"#.to_owned());
    rig.sandbox().script_path("/v1/external/carrier/serviceability", [no(), no()]);
    let id = desk.drop_sheet("a.csv", &two());
    desk.read_sheet(&id);
    let book = |id: &str| super::plain::agreed(&desk.page(&format!("sheet/{id}/book")).body);
    let page = ended(&desk, &format!("sheet/{id}/book"), &format!("{}&couriers=yes", book(&id)));
    assert!(page.contains("Couriers were not asked about all orders. "), "{page}");
    assert!(page.contains("the first 560048 to 560001: ") && page.contains("try later"), "{page}");
    assert_eq!(rig.bookings().len(), 2);
    // Where they answered there is nothing to tell.
    let id = desk.drop_sheet("b.csv", &sheet([row_with("B-1", "9823456789", "560003")]));
    desk.read_sheet(&id);
    let page = ended(&desk, &format!("sheet/{id}/book"), &format!("{}&couriers=yes", book(&id)));
    assert!(page.contains("<h1 id=\"results\">") && !page.contains("Couriers were not asked"), "{page}");
}

#[test]
fn couriers_are_offered_to_be_asked_only_where_they_can_be_and_orders_that_stay_are_not_counted() {
    let rig = Rig::new();
    let book = |desk: &Desk, id: &str| desk.page(&format!("sheet/{id}/book")).body;
    let is_disabled = |page: &str| {
        let (_, rest) = page.split_once("name=\"couriers\"").unwrap_or_else(|| panic!("{page}"));
        rest.split('>').next().unwrap().contains("disabled")
    };
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("a.csv", &two());
    desk.read_sheet(&id);
    let page = book(&desk, &id);
    assert!(is_disabled(&page) && page.contains("from WH-1 yet") && page.contains("href=\"settings\""), "{page}");
    drop(desk);
    // Of one of two warehouses it is known.
    rig.file("shipsheet.toml", "[serviceability.pickup_pins]\nWH-2 = \"560048\"\n");
    let desk = Desk::open(&rig, &[]);
    let other = row_with("B-2", "9823456789", "560003").replace("WH-1", "WH-2");
    let rows = [row_with("B-1", "9834567890", "560004"), other, row_with("B-3", "9845678901", "560005")];
    let id = desk.drop_sheet("b.csv", &sheet(rows));
    desk.read_sheet(&id);
    after(&desk, &format!("sheet/{id}/answer"), "revision=0&back=check&leave=B-3");
    let page = book(&desk, &id);
    assert!(!is_disabled(&page) && page.contains("from WH-1 yet"), "{page}");
    let form = format!("{}&couriers=yes", super::plain::agreed(&page));
    let page = ended(&desk, &format!("sheet/{id}/book"), &form);
    assert!(page.contains("1 order cannot be asked about"), "{page}");
    assert_eq!(rig.bookings().len(), 2);
}

#[test]
fn rows_that_are_given_to_another_order_lead_back_to_check() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let rows = [row("A-1"), row("A 2/ä").replace("Kurta,K-1", "Saree,S-1"), row_with("A-3", "9812345678", "560002")];
    let id = desk.drop_sheet("a.csv", &sheet(rows));
    desk.read_sheet(&id);
    let place = format!("sheet/{id}/order?number=A%202%2F%C3%A4");
    let page = desk.page(&place).body;
    let back = "order%3Fnumber%3DA%25202%252F%25C3%25A4%26from%3D0";
    assert_eq!(field(&page, "back"), field("name=\"back\" value=\"order?number=A%202%2F%C3%A4&amp;from=0\"", "back"));
    let form = format!("revision={}&back={back}&save=yes&cell.0.3.0=A-1", field(&page, "revision"));
    let page = after(&desk, &format!("sheet/{id}/answer"), &form);
    assert!(page.status == 200 && page.body.contains("<h1>Check</h1>"), "{page:?}");
    assert!(page.body.contains("A-1 is ready."), "{page:?}");
    assert!(!page.body.contains("That did not work"), "{page:?}");
    let whole = desk.page(&format!("sheet/{id}/order?number=A-1")).body;
    assert!(whole.contains("Kurta") && whole.contains("Saree"), "{whole}");
    // An old address of it says where it went.
    let page = followed(&desk, desk.page(&place)).body;
    assert!(page.contains("No order of this sheet has the number A 2/ä any more."), "{page}");
}

#[test]
fn a_layout_is_remembered_under_whatever_it_is_called() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let columns = |called: &str| {
        let id = desk.drop_sheet("sheet 2.csv", &two());
        desk.read_sheet(&id);
        let revision = field(&desk.page(&format!("sheet/{id}/columns")).body, "revision");
        let form = format!("revision={revision}&go=check&remember=yes&called={called}");
        let page = after(&desk, &format!("sheet/{id}/columns"), &form);
        assert!(page.status == 200 && page.body.contains("<h1>Check</h1>"), "{called}: {page:?}");
        page.body
    };
    let profiles = rig.path(".config/shipsheet/profiles");
    let forget = |name: &str| {
        let encoded = name.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat();
        let page = after(&desk, "forget-layout", &format!("name={encoded}")).body;
        assert!(page.contains(&format!("Sheets are no longer read as “{name}”.")), "{page}");
    };
    for (called, name) in [
        ("My+shop+2", "My-shop-2"),
        ("%E0%A4%AA%E0%A4%BE%E0%A4%B0%E0%A5%8D%E0%A4%B8%E0%A4%B2+Pune", "पार्सल-Pune"),
        ("..%2F..%2Fa%3Fb%26c%23d", "a-b-c-d"),
        ("", "sheet"),
    ] {
        let page = columns(called);
        assert!(page.contains(&format!("are read as “{name}” from now on.")), "{called}: {page}");
        assert!(profiles.join(format!("{name}.toml")).exists(), "{called}");
        forget(name);
    }
    // A name that is another layout's, here or in the program: all else that was said of the columns holds.
    let shopify = include_str!("../../../templates/profiles/shopify.toml");
    for (file, name) in [("my-shop", ""), ("by hand", ""), ("other", "name = \"my shop\"")] {
        let text = shopify.replace("name = \"shopify\"", name);
        std::fs::write(profiles.join(format!("{file}.toml")), text).unwrap();
    }
    for called in ["my+shop", "shopify"] {
        let page = columns(called);
        assert!(page.contains("This layout is not remembered. "), "{called}: {page}");
    }
    // What somebody named by hand is chosen and forgotten like any.
    let header = "Name,Financial Status,Lineitem name,Lineitem quantity,Lineitem price,Shipping Zip";
    let id = desk.drop_sheet("orders.csv", &format!("{header}\n#1,paid,Cup,1,99,560001\n"));
    desk.read_sheet(&id);
    let place = format!("sheet/{id}/columns");
    let page = desk.page(&place).body;
    assert!(page.contains("Several layouts fit.") && page.contains("value=\"my shop\""), "{page}");
    let page = after(&desk, &place, "revision=0&profile=my+shop");
    assert!(page.status == 200 && !page.body.contains("That did not work"), "{page:?}");
    assert!(page.body.contains("<h1>Columns</h1>") && !page.body.contains("Several layouts fit."), "{page:?}");
    forget("my shop");
    forget("by hand");
    assert!(profiles.join("other.toml.before-1").exists() && profiles.join("my-shop.toml").exists());
}
