//! Headers as they are typed at counters, with what stands below them, and what each must be taken for.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use super::cell_kinds::word;
use super::{
    CellKinds, Known, LazySample, Sample, by_headers, candidates, decide, has_drifted, only_column, proposal,
    states_by_pin_codes,
};
use crate::column::{Columns, Extra};
use crate::field::{ExtraRole, Field, Id, StateRole};
use crate::finding::Finding;
use crate::origin::{Column, Source};
use crate::profile::{Guess, Profile};
use crate::sheet::{Cell, CellKind, Options, Sheet};

/// What is proposed for a text file, with what its first rows hold.
pub(crate) fn proposed(text: &str) -> (Guess, Sample) {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let sheet = Sheet::open(file.path(), &Options::default()).unwrap();
    let sample = LazySample::default();
    let (columns, _) = decide(&sheet, &sample, &Known::default()).unwrap();
    let sample = sample.of(&sheet).unwrap().clone();
    (proposal(&columns, &sample), sample)
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Cases {
    column: Vec<Case>,
    sheet: Vec<Case>,
    held: Vec<Case>,
    drift: BTreeMap<String, Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Case {
    is: String,
    cells: Vec<String>,
    headers: Vec<String>,
    profile: String,
}

fn together() -> Cases {
    toml::from_str(include_str!("../../../tests/headers/below/together.toml")).unwrap()
}

/// What a sheet's columns are, in words.
fn described(columns: &Columns, said: &[Finding]) -> String {
    let names = |all: Vec<u32>| all.into_iter().map(|own| columns.header(own)).collect::<Vec<&str>>().join(" | ");
    let feeds = columns.fed().map(|feed| format!("{} = {}", feed.field.path, names(columns.sources(feed))));
    let left = (!columns.unknown.is_empty()).then(|| format!("left {}", names(columns.unknown.clone())));
    let units = columns.units.iter().map(|unit| format!("in {}", unit.words[0]));
    let said = said.iter().map(|own| format!("{:?} {}", own.level, own.id.as_str()));
    feeds.chain(left).chain(units).chain(said).collect::<Vec<String>>().join("; ")
}

#[test]
fn the_headers_of_a_sheet_are_read_together() {
    let mut wrong = Vec::new();
    for case in together().sheet {
        let profile = (!case.profile.is_empty()).then(|| Profile::parse("counter", &case.profile).unwrap());
        let (columns, said) = by_headers((&Source::text("orders.csv"), 1), &case.headers, profile.as_ref());
        let found = described(&columns, &said);
        if found != case.is {
            wrong.push(format!("{:?}\nis = {found:?}", case.headers));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_column_is_what_most_of_its_cells_are() {
    let held = |cells: &[String], kind: CellKind, in_text_file: bool| {
        let mut held = CellKinds::default();
        for text in cells {
            held.take(word(Cell::new(text, kind), in_text_file));
        }
        held.word()
    };
    for Case { is, cells, .. } in together().held {
        let both = [held(&cells, CellKind::Text, true), held(&cells, CellKind::Text, false)];
        assert_eq!(both.join(", "), is, "{cells:?}");
    }
    assert_eq!(held(&["5".to_owned()], CellKind::Number, false), "number");
    assert_eq!(held(&[String::new()], CellKind::Empty, true), "");
}

#[test]
fn only_changes_that_lose_something_matter() {
    let drift = together().drift;
    for (name, case) in drift.iter().flat_map(|(name, cases)| cases.iter().map(move |case| (name, case))) {
        let [path, before, now, looks] = case.split(' ').collect::<Vec<&str>>()[..] else { panic!("{case}") };
        assert_eq!(has_drifted(Field::by_path(path).unwrap(), before, now, looks), name == "lost", "{case}");
    }
}

/// A cell of a text file.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[test]
fn columns_are_taken_for_what_their_headers_and_values_say_together() {
    let cases: Cases = toml::from_str(include_str!("../../../tests/headers/below/cells.toml")).unwrap();
    let mut wrong = Vec::new();
    for (case, header) in cases.column.iter().flat_map(|case| case.headers.iter().map(move |header| (case, header))) {
        let rows: Vec<String> = case.cells.iter().map(|value| format!("x,{}", quoted(value))).collect();
        let guess = proposed(&format!("Colour,{}\n{}\n", quoted(header), rows.join("\n"))).0;
        let guessed = &guess.columns[1];
        let found = match (guessed.field, guessed.perhaps) {
            (Some(field), _) => format!("taken {}", field.path),
            (None, Some(field)) => format!("asked {}", field.path),
            (None, None) => "left".to_owned(),
        };
        if found != case.is {
            wrong.push(format!("{header} over {}: {found} ({} %), not {}", case.cells[0], guessed.confidence, case.is));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn any_header_can_be_a_key() {
    for header in ["Custmer 'Phone'\\", "Custmer \"Phone\"\n'"] {
        let guess = proposed(&format!("Colour,{}\nred,9876543210\n", quoted(header))).0;
        let profile = Profile::parse("mine", &guess.to_toml("mine")).unwrap();
        let recipe = profile.columns.get(&Id::ReceiverPhone).unwrap();
        let kept = guess.columns[1].column.header.as_str();
        assert_eq!((recipe.columns()[0].as_str(), profile.kinds.contains_key(kept)), (kept, true));
    }
}

/// The time that this thread has worked; the machine may have other work.
fn worked() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[test]
fn neither_a_state_nor_an_amount_is_offered_first_for_another_field() {
    let text = "settlement-id,order-item-status,sku-desc,invoice-total,Name,Phone\n\
                ST1,APPROVED,Brass Diya,349.50,Asha Rao,9812345671\nST1,PACKED,Jute Bag,1290.25,Ravi Nair,9812345672\n";
    let (guess, sample) = proposed(text);
    let all: Vec<Column> = guess.columns.iter().map(|own| own.column.clone()).collect();
    let points = |id: Id, header: &str| {
        candidates(id.field(), &all, &sample).into_iter().find(|own| own.column.header == header).map(|own| own.points)
    };
    assert_eq!(points(Id::ProductName, "order-item-status"), Some(0));
    assert!(points(Id::ProductName, "sku-desc") > Some(0));
    // Two orders of the same amount would be one.
    assert_eq!(points(Id::OrderNumber, "invoice-total").unwrap_or_default(), 0);
}

/// The columns of a text file, without a profile.
fn decided(text: &str) -> Columns {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let sheet = Sheet::open(file.path(), &Options::default()).unwrap();
    decide(&sheet, &LazySample::default(), &Known::default()).unwrap().0
}

#[test]
fn figures_that_may_be_money_are_asked_about_however_they_are_written() {
    let money = ["60.00", "4,90", "₹60", "1,500", "1,00,000", "100,000", "250", "2,500/-", "5.5", "1,23,456.50"];
    // With a sign beside it, or above or below it, any figure is one.
    let columns = decided("Order Number,Xyzzy\nA-1,36.4\nA-2,\"59,00 €\"\nA-3,380000\nA-4,8\n");
    assert!(columns.claims.iter().any(|own| own.role == ExtraRole::Perhaps && own.column == 1));
    let other = ["12,3456", "1,2,3", "0,500", "0.5", "5.3", "12345678", "317", "A-1,500", "23.11.26", "01.12.26"];
    for (text, is_money) in money.map(|text| (text, true)).into_iter().chain(other.map(|text| (text, false))) {
        let columns = decided(&format!("Order Number,Xyzzy\nA-1,{}\n", quoted(text)));
        let is_asked = columns.claims.iter().any(|own| own.role == ExtraRole::Perhaps && own.column == 1);
        assert_eq!(is_asked, is_money, "{text}");
    }
}

#[test]
fn a_bare_word_for_state_is_that_of_the_order_by_its_cells() {
    for header in ["État", "Etat", "Stato"] {
        let columns = decided(&format!("N° cde,Nom,{header}\nA-1,Ana,Paiement accepté\nA-2,Leo,Annulé\n"));
        let is_meant = |own: &Extra| own.column == 2 && own.role == ExtraRole::Sign(StateRole::State);
        assert!(columns.claims.iter().any(is_meant), "{header}");
    }
}

#[test]
fn words_below_a_header_of_tracking_numbers_say_how_far_orders_are() {
    let columns =
        decided("N° cde,Nom,Suivi\nA-1,Ana,À expédier\nA-2,Leo,Expédiée\nA-3,Eva,À expédier\nA-4,Max,Expédiée\n");
    let is = |role: StateRole| columns.claims.iter().any(|own| own.column == 2 && own.role == ExtraRole::Sign(role));
    assert!(is(StateRole::State) && !is(StateRole::Number));
}

#[test]
fn forms_of_address_are_no_states() {
    let unread = |cells: [&str; 4]| {
        let rows = (1..).zip(cells).map(|(number, cell)| format!("A-{number},{cell},Éloïse Bérard\n"));
        decided(&format!("N° cde,Civ.,Nom\n{}", rows.collect::<String>())).unread
    };
    assert_eq!(unread(["Prêt", "Prêt", "Annulé", "Prêt"]), [1]);
    assert!(unread(["Mme", "M.", "Mme", "M."]).is_empty());
}

#[test]
fn products_stand_side_by_side_under_headers_of_any_language() {
    let rows = (1..9).map(|number| {
        let further = if number % 2 == 0 { "Miska,2,39.90,Dzban,1,120" } else { ",,,,," };
        let remark = ["", "proszę dzwonić", "zostawić u sąsiada", "", "nie składać"][number % 5];
        format!("Z/{number},Odbiorca {number},Kubek,{number},24.50,{further},{remark}\n")
    });
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    let headers = "Nr zam.,Odbiorca,Towar 1,Szt. 1,Cena 1,Towar 2,Szt. 2,Cena 2,Towar 3,Szt. 3,Cena 3,Uwagi 2";
    std::fs::write(file.path(), format!("{headers}\n{}", rows.collect::<String>())).unwrap();
    let sheet = Sheet::open(file.path(), &Options::default()).unwrap();
    let sample = LazySample::default();
    let columns = |profile: &Profile| {
        let known = Known { profile: Some(profile), ..Known::default() };
        decide(&sheet, &sample, &known).unwrap().0
    };
    let profile = |more: &str| {
        let text = format!(
            "{more}\n[columns]\n\"productRequestsList.productName\" = \"Towar 1\"\n\
             \"productRequestsList.quantity\" = \"Szt. 1\"\n\"productRequestsList.price\" = \"Cena 1\"\n"
        );
        Profile::parse("x", &text).unwrap()
    };
    let decided = columns(&profile(""));
    let fed: Vec<Vec<u32>> = decided.products.iter().map(|own| own.iter().map(|feed| feed.column).collect()).collect();
    assert_eq!(fed, [[2, 4, 3], [5, 7, 6], [8, 10, 9]], "name, price and quantity of each");
    // A remark is one, whatever number its header has.
    assert_eq!(decided.unread, [11]);
    let guess = proposal(&decided, sample.of(&sheet).unwrap());
    assert!(guess.to_toml("x").contains("left_out = [\"Nr zam.\""), "{}", guess.to_toml("x"));
    assert!(!guess.to_toml("x").contains("Towar 2"), "{}", guess.to_toml("x"));
    // A product that a person leaves out is no product.
    let left = columns(&profile("left_out = [\"Towar 3\"]"));
    assert_eq!(left.products.len(), 2);
}

#[test]
fn a_column_of_amounts_is_never_left_out_before_it_was_asked_about() {
    let (mut guess, _) = proposed("Order Number,Preis,Porto\nA-1,499,317\nA-2,899,411\n");
    let left_out =
        |guess: &Guess| guess.to_toml("odd").lines().find(|line| line.starts_with("left_out")).map(str::to_owned);
    assert!(left_out(&guess).unwrap().contains("Porto"), "nothing says that it is money");
    guess.take(Id::Price.field(), 2);
    guess.take(Id::Price.field(), 1);
    assert_eq!(left_out(&guess).as_deref(), Some("left_out = []"), "somebody took it for a price");
    let (guess, _) = proposed("Order Number,Preis,Porto\nA-1,499,60\nA-2,899,90\n");
    assert!(!left_out(&guess).unwrap().contains("Porto"));
}

#[test]
fn the_first_rows_of_all_columns_stand_beside_each_other() {
    let (_, sample) = proposed("Bill,Paid,Due\n920,920,\n740\n1170,500,670\n");
    let rows = |column: u32| sample.column(column).first_texts().collect::<Vec<Option<&str>>>();
    assert_eq!(rows(0), [Some("920"), Some("740"), Some("1170")]);
    assert_eq!(rows(1), [Some("920"), None, Some("500")]);
    assert_eq!(rows(2), [None, None, Some("670")]);
}

#[test]
fn a_column_called_like_a_state_may_say_how_far_orders_are() {
    let state = |text: &str| {
        let columns = decided(text);
        let signs = |own: &u32| {
            columns.claims.iter().any(|claim| claim.column == *own && claim.role == ExtraRole::Sign(StateRole::State))
        };
        let state = columns.column(Id::DestinationState).map(|own| columns.header(own).to_owned());
        (state, (0..4).filter(signs).map(|own| columns.header(own).to_owned()).collect::<Vec<String>>())
    };
    let estado = |cells: [&str; 4], beside: [&str; 4]| {
        let rows =
            (1..).zip(cells).zip(beside).map(|((number, cell), beside)| format!("{number},{cell},{beside},Ana\n"));
        state(&format!("Nº pedido,Estado,Provincia,Cliente\n{}", rows.collect::<String>()))
    };
    let states = ["Pendiente", "Preparado", "Enviado", "Pendiente"];
    let provinces = ["Madrid", "Sevilla", "Bizkaia", "Jaén"];
    assert_eq!(estado(states, provinces).1, ["Estado"]);
    assert_ne!(estado(states, provinces).0.as_deref(), Some("Estado"));
    assert_eq!(estado(["Shipped", "Open", "Shipped", "Open"], ["", "", "", ""]).1, ["Estado"]);
    // Alone, or with states that are known, it is the one of the address.
    assert_eq!(estado(["Jalisco", "Puebla", "Jalisco", "Puebla"], ["", "", "", ""]).0.as_deref(), Some("Estado"));
    assert_eq!(estado(["Kerala", "Goa", "Kerala", "Goa"], provinces).0.as_deref(), Some("Estado"));
}

#[test]
fn the_only_column_that_fits_is_told_by_what_it_holds() {
    let text = "A,B,C,D,E,F,G\nKB90411,23-Nov-2026,8055336287,Kerala,520008,1250.00,2\n\
                KB90413,24-Nov-2026,9218330656,Goa,422005,899.00,1\nKB90415,24-Nov-2026,8706221974,Goa,575003,740.00,3\n";
    let (guess, sample) = proposed(text);
    let all: Vec<Column> = guess.columns.iter().map(|own| own.column.clone()).collect();
    // Columns that are known already are not free.
    let left = |known: &[&str]| {
        let own = all.iter().filter(|own| !known.contains(&own.header.as_str()));
        own.cloned().collect::<Vec<Column>>()
    };
    let only = |id: Id, known: &[&str]| only_column(id.field(), &left(known), &sample).map(|own| own.column.header);
    let of = |header: &str| Some(header.to_owned());
    assert_eq!((only(Id::ReceiverPhone, &[]), only(Id::DestinationPinCode, &[])), (of("C"), of("E")));
    assert_eq!((only(Id::DestinationState, &[]), only(Id::Quantity, &[])), (of("D"), of("G")));
    assert_eq!((only(Id::OrderNumber, &[]), only(Id::OrderNumber, &["C", "E", "G"])), (None, of("A")));
    // Names, towns and prices look like other things.
    assert_eq!((only(Id::ReceiverFirstName, &[]), only(Id::Price, &[])), (None, None));
    // Of two columns of phones neither is the only one, and a count of the rows is no quantity.
    let (guess, sample) = proposed("A,B,C\n1,9812345671,9812345681\n2,9812345672,9812345682\n");
    let all: Vec<Column> = guess.columns.iter().map(|own| own.column.clone()).collect();
    assert!(
        [Id::ReceiverPhone, Id::Quantity, Id::OrderNumber]
            .iter()
            .all(|id| only_column(id.field(), &all, &sample).is_none())
    );
}

#[test]
fn states_in_any_script_are_told_by_their_pin_codes() {
    let states = |rows: &[(&str, &str, &str)]| {
        let rows: Vec<String> = rows.iter().map(|(state, city, pin)| format!("{state},{city},{pin}")).collect();
        let (guess, sample) = proposed(&format!("A,B,C\n{}\n", rows.join("\n")));
        let all: Vec<Column> = guess.columns.iter().map(|own| own.column.clone()).collect();
        states_by_pin_codes(&all[..2], 2, &sample)
    };
    let bengal = ("পশ্চিমবঙ্গ", "মালদা", "732101");
    let (kolkata, guwahati) = (("পশ্চিমবঙ্গ", "কলকাতা", "700068"), ("অসম", "গুয়াহাটি", "781001"));
    assert_eq!(states(&[bengal, kolkata, guwahati]), Some(0));
    assert_eq!(states(&[bengal, guwahati]), None, "the towns are apart in the same way");
    assert_eq!(states(&[bengal, kolkata]), None, "one state is told from nothing");
    assert_eq!(states(&[bengal, kolkata, ("পশ্চিমবঙ্গ", "গুয়াহাটি", "781001")]), None, "one word stands for two states");
}

#[test]
fn amounts_are_no_pin_codes_and_one_known_way_to_pay_tells_a_column_of_payments() {
    let text = "A,B,C,D,E\n@asha,700068,\"2,850\",1250/-,నగదు\n@ravi,781001,\"1,500\",899/-,UPI\n\
                @mira,732101,\"6,400\",740/-,నగదు\n";
    let (guess, sample) = proposed(text);
    let all: Vec<Column> = guess.columns.iter().map(|own| own.column.clone()).collect();
    let only = |id: Id| only_column(id.field(), &all, &sample).map(|own| own.column.header);
    assert_eq!((only(Id::DestinationPinCode), only(Id::OrderType)), (Some("B".to_owned()), Some("E".to_owned())));
    let numbers: Vec<&str> = candidates(Id::OrderNumber.field(), &all, &sample)
        .iter()
        .map(|own| all[own.column.index as usize].header.as_str())
        .collect();
    assert!(!numbers.contains(&"A"), "{numbers:?}");
}

#[test]
fn of_the_columns_that_may_say_the_payment_one_with_a_word_of_it_comes_first() {
    let sheet = "Order Number,Value,Type,Terms\nA-1,2556,Sales Order,Bal. by COD\nA-2,576,Sales Order,Full Adv.\n";
    let (guess, sample) = proposed(sheet);
    let free: Vec<Column> = guess.free_for(Id::OrderType.field());
    let first = &candidates(Id::OrderType.field(), &free, &sample)[0];
    assert_eq!(first.column.header, "Terms");
}

#[test]
fn a_column_of_several_countries_is_the_country_where_postal_codes_lie_there() {
    let country = |header: &str, rows: &[(&str, &str)]| {
        let rows: Vec<String> = (1..).zip(rows).map(|(n, (pin, place))| format!("A-{n},{pin},{place}")).collect();
        decided(&format!("Order Number,PIN Code,{header}\n{}\n", rows.join("\n"))).column(Id::DestinationCountryCode)
    };
    let (london, berlin) = (("SW1A 1AA", "United Kingdom"), ("79098", "Germany"));
    assert_eq!(country("Xyzzy", &[london, berlin]), Some(2));
    assert_eq!(country("Ctry", &[london, london]), None, "one country, by the name of it");
    assert_eq!(country("Origin", &[london, berlin]), None, "goods come from there");
    assert_eq!(country("Xyzzy", &[london, london]), None, "one country may be that of the goods");
    assert_eq!(country("Xyzzy", &[london, ("SW1A", "Germany")]), None, "nobody in Germany lives there");
}

#[test]
fn short_forms_stand_for_their_words_and_words_that_end_orders_tell_a_column_of_states() {
    let role = |header: &str, cells: &[&str]| {
        let rows: Vec<String> = (1..).zip(cells).map(|(n, cell)| format!("A-{n},{cell}")).collect();
        let columns = decided(&format!("Order Number,{header}\n{}\n", rows.join("\n")));
        columns.claims.iter().find(|claim| claim.column == 1).map(|claim| claim.role)
    };
    let of = |role| Some(ExtraRole::Sign(role));
    assert_eq!(role("PO Stat", &["OPEN", "SHP"]), of(StateRole::Task));
    assert_eq!(role("Trk No", &["1Z99AA10123456784", ""]), of(StateRole::Number));
    assert_eq!(role("Xyzzy", &["OPEN", "OPEN", "CXL", "OPEN"]), of(StateRole::State));
    assert_eq!(role("Xyzzy", &["red", "red", "blue", "red"]), of(StateRole::Note));
    let remarks = |header: &str| {
        let columns = decided(&format!(
            "Order Number,{header}\nA-1,HOLD FOR ADDR\nA-2,\nA-3,ETA 12/15\nA-4,call first\nA-5,\nA-6,ring bell\n"
        ));
        columns.may_hold_remarks(1)
    };
    assert!(remarks("Spec Instrs") && remarks("Xyzzy"));
}

#[test]
fn a_layout_keeps_the_order_of_day_and_month_that_a_sheet_shows() {
    let format = |days: [&str; 2]| {
        proposed(&format!("Order Number,Order Date\nA-1,{}\nA-2,{}\n", days[0], days[1])).0.date_format
    };
    assert_eq!(format(["01-12-26", "21-11-26"]).as_deref(), Some("%d-%m-%y"));
    assert_eq!(format(["01/12/2026", "11/21/2026"]).as_deref(), Some("%m/%d/%Y"));
    let of_one_month = ["02/06/25", "03/06/25", "05/06/25"].map(|day| format!("A-1,{day}\n")).concat();
    let format_of_month = proposed(&format!("Order Number,Order Date\n{of_one_month}")).0.date_format;
    assert_eq!(format_of_month.as_deref(), Some("%d/%m/%y"), "the days of one month");
    for days in [["01-12-26", "02-12-26"], ["21-11-26", "11-21-26"], ["2026-11-21", "2026-11-22"]] {
        assert_eq!(format(days), None, "{days:?}");
    }
}

#[test]
fn a_column_in_a_language_without_words_may_say_whether_orders_go() {
    let rows = |header: &str, cells: &[&str]| {
        let rows: Vec<String> = (1..).zip(cells).map(|(number, cell)| format!("A-{number},{cell}")).collect();
        decided(&format!("Order Number,{header}\n{}\n", rows.join("\n"))).unread
    };
    assert_eq!(rows("நிலை", &["புதியது", "புதியது", "ரத்து", "புதியது"]), [1], "a few that recur");
    assert_eq!(rows("குறிப்பு", &["", "", "அவசரம்", "", ""]), [1], "some rows have one");
    assert_eq!(rows("Kaifiyat", &["", "cancel bola", "", "", ""]), [1], "several words on some rows, in any language");
    assert_eq!(rows("Call Center", &["مؤكد", "مؤكد", "ملغي", "مؤكد"]), [1], "the letters of its cells");
    assert_eq!(rows("Office use", &["", "UPI ref not found", "", "", ""]), [1], "a word of addresses in the header");
    for (header, cells) in [
        ("ஊர்", ["சென்னை", "மதுரை", "கோவை", "சேலம்"]),
        ("எண்", ["12", "14", "12", "14"]),
        ("Shelf", ["left", "left", "right", "left"]),
        ("Colour", ["red", "red", "blue", "red"]),
        ("Colour", ["", "dark red", "", ""]),
        ("Xyzzy", ["", "red", "", ""]),
        ("Status", ["ரத்து", "ரத்து", "புதியது", "ரத்து"]),
    ] {
        assert_eq!(rows(header, &cells), [0_u32; 0], "{header}");
    }
}

#[test]
fn a_second_number_of_each_order_says_nothing_of_whether_it_goes() {
    let sheet = |codes: [&str; 6]| {
        let rows = (1..).zip(codes).map(|(number, code)| format!("Z/{number},{code},Mug\nZ/{number},{code},Cup\n"));
        decided(&format!("Order Number,Référence,Produit\n{}", rows.collect::<String>())).unread
    };
    assert_eq!(sheet(["XKQP", "BTWM", "LQVC", "HZRM", "OYDK", "MCEU"]), [0_u32; 0]);
    assert_eq!(sheet(["Prêt", "Prêt", "Annulé", "Prêt", "Prêt", "Annulé"]), [1]);
}

#[test]
fn names_on_the_first_row_of_each_order_are_no_remarks() {
    let rows =
        "A-1,Asha,Sethi Auto Works\nA-1,,\nA-2,Ravi,Durga Auto Spares\nA-2,,\nA-3,Anu,New Kashmir Motors\nA-3,,\n";
    assert_eq!(decided(&format!("Order Number,Receiver First Name,Party A/c\n{rows}")).unread, [0_u32; 0]);
}

#[test]
fn a_column_of_couriers_with_numbers_is_told_by_its_cells() {
    let role = |header: &str, cell: &str| {
        let columns = decided(&format!("Order Number,{header}\nA-1,{cell}\nA-2,\n"));
        columns.claims.iter().find(|claim| claim.column == 1).map(|claim| claim.role)
    };
    let courier = Some(ExtraRole::Sign(StateRole::Courier));
    assert_eq!(role("কুরিয়ার নং", "DTDC K7741920"), courier);
    assert_ne!(role("কুরিয়ার নং", "DTDC"), courier);
    assert_ne!(role("Xyzzy", "K7741920"), courier, "a number alone may be that of anything");
}

#[test]
fn thousands_of_columns_and_endless_names_are_no_work() {
    let before = worked();
    let mut header: Vec<String> = (0..16_000).map(|index| format!("receivr phonee {index}")).collect();
    header.push("receiver fist name ".repeat(1_000));
    let found = proposed(&format!("{},Order Number\n{}A-1\n", header.join(","), "x,".repeat(header.len()))).0;
    assert!(found.feeds(Id::OrderNumber), "names are found wherever they stand");
    let took = worked().zip(before).map(|(after, before)| after.saturating_sub(before));
    assert!(took.is_none_or(|took| took < Duration::from_secs(20)), "{took:?}");
    let headers = [vec!["Order Number".to_owned()], vec!["Product Name".to_owned(); 3_000]].concat();
    let (_, said) = by_headers((&Source::text("orders.csv"), 1), &headers, None);
    let told = said.iter().filter(|own| own.field.as_deref() == Some(Id::ProductName.field().path)).count();
    assert!((1..=10).contains(&told), "{told}");
}
