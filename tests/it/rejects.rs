//! Rows that were handed back mean what they meant in their sheet, come back together, and say what has happened meanwhile.

use rust_xlsxwriter::Workbook;
use serde_json::json;

use crate::rig::{HEADER, Rig, row, row_with, sheet};

/// A sheet with semicolons, whose column of weights uses decimal commas and whose dates begin with the day.
fn german(rows: &[(&str, &str, &str, &str)]) -> String {
    let rows = rows.iter().map(|(number, phone, weight, date)| {
        let cells = row_with(number, phone, "560001").replace(',', ";");
        cells.replace("499.90", "499,90").replace(";0.5;", &format!(";{weight};")).replace("2026-11-20", date)
    });
    format!("{}\n{}\n", HEADER.replace(',', ";"), rows.collect::<Vec<_>>().join("\n"))
}

#[test]
fn what_a_column_decided_holds_for_rows_that_leave_it() {
    let good = "9876543210";
    for file in ["rejects.csv", "rejects.xlsx"] {
        let rig = Rig::new();
        let text = german(&[
            ("A-1", good, "2,50", "13/11/2026"),
            ("A-2", "12", "1,125", "03/11/2026"),
            ("A-3", "12", "1,500", "04/11/2026 10:30"),
        ]);
        rig.file("orders.csv", &text);
        rig.run(&["import", "orders.csv", "--yes"]).exits(4);
        rig.run(&["rejects", "--to", file]).exits(0);
        let again = rig.run(&["check", file]);
        let causes: Vec<&str> = again.stderr.lines().filter(|line| line.starts_with("error[")).collect();
        assert!(
            causes.len() == 1 && causes[0].starts_with("error[phone-form]"),
            "only what was wrong before: {again:?}"
        );
        if file == "rejects.xlsx" {
            continue;
        }
        rig.file(file, &rig.read(file).replace(";12;", &format!(";{good};")));
        let ran = rig.run(&["import", file, "--yes"]);
        assert_eq!(ran.exit, 0, "{ran:?}\n{}", rig.read(file));
        assert_eq!(rig.body_of("A-2")["parcelAttributes"]["weight"]["weight"], json!(1.125));
        assert_eq!(rig.body_of("A-3")["parcelAttributes"]["weight"]["weight"], json!(1.5));
        for (number, moment) in [("A-2", "2026-11-02T18:30:00Z"), ("A-3", "2026-11-04T05:00:00Z")] {
            let moment: jiff::Timestamp = moment.parse().unwrap();
            assert_eq!(rig.body_of(number)["orderCreatedAt"], json!(moment.as_millisecond().to_string()), "{number}");
        }
    }
}

#[test]
fn a_number_of_the_sheet_itself_is_no_text_with_thousands() {
    let rig = Rig::new();
    let rows = [row("A-1"), row_with("A-2", "12", "560001"), row_with("A-3", "12", "560001")];
    rig.workbook("orders.xlsx", &rows, |sheet| {
        sheet.write_string(1, 13, "2,50").unwrap();
        sheet.write_number(2, 13, 1.125).unwrap();
        sheet.write_string(3, 13, "3,75").unwrap();
    });
    rig.run(&["import", "orders.xlsx", "--yes"]).exits(4);
    rig.run(&["rejects", "--to", "rejects.csv"]).exits(0);
    rig.file("rejects.csv", &rig.read("rejects.csv").replace(",12,", ",9876543210,"));
    let ran = rig.run(&["import", "rejects.csv", "--yes"]);
    assert_eq!(ran.exit, 0, "{ran:?}\n{}", rig.read("rejects.csv"));
    assert_eq!(rig.body_of("A-2")["parcelAttributes"]["weight"]["weight"], json!(1.125));
    assert_eq!(rig.body_of("A-3")["parcelAttributes"]["weight"]["weight"], json!(3.75));
}

#[test]
fn what_a_column_left_open_is_not_decided_by_the_rows_that_failed() {
    let rig = Rig::new();
    let weighing = |number: &str, phone: &str, weight: &str| {
        row_with(number, phone, "560001").replace(",0.5,", &format!(",\"{weight}\","))
    };
    let rows = [
        weighing("A-1", "9876543210", "2.50"),
        weighing("A-2", "9876543210", "2,5"),
        weighing("A-3", "9876543210", "1,124"),
        weighing("A-4", "12", "2.50"),
    ];
    rig.file("orders.csv", &sheet(rows));
    rig.run(&["import", "orders.csv", "--yes"]).exits(4).says("ambiguous-number");
    rig.run(&["rejects", "--to", "rejects.csv"]).exits(0);
    let kept = rig.read("rejects.csv");
    assert!(kept.contains("1,124 ?"), "{kept}");
    let without = kept.lines().filter(|line| !line.starts_with("A-2")).collect::<Vec<_>>().join("\n") + "\n";
    rig.file("rejects.csv", &without.replace(",12,", ",9876543210,"));
    rig.run(&["import", "rejects.csv", "--yes"]).exits(4).says("found \"1,124 ?\"");
    assert!(rig.bookings().iter().all(|(number, _)| number != "A-3"), "{:?}", rig.bookings());
}

#[test]
fn rejects_of_several_sheets_come_back_as_one_file() {
    let rig = Rig::new();
    let odd = |number: &str| row(number).replace("PREPAID", "VOUCHER");
    rig.file("monday.csv", &sheet([odd("M-1"), odd("M-2")]));
    rig.file("tuesday.csv", &format!("{HEADER},Colour\n{},red\n", odd("T-1")));
    rig.run(&["import", "monday.csv", "tuesday.csv", "--yes"])
        .exits(3)
        .prints("next: `shipsheet rejects --run 1 --to fix.xlsx` writes the rows to correct");
    rig.run(&["rejects", "--to", "rejects.xlsx"]).exits(0).says("3 rows to fix of run 1 written to rejects.xlsx");
    rig.file("shipsheet.toml", "[check]\npayment_types = [\"VOUCHER\"]\n");
    rig.run(&["import", "rejects.xlsx", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 3);
    // Worksheets of somebody else are still asked about.
    let mut workbook = Workbook::new();
    for name in ["Mon", "Tue"] {
        let worksheet = workbook.add_worksheet();
        worksheet.set_name(name).unwrap();
        worksheet.write_row(0, 0, HEADER.split(',')).unwrap();
        worksheet.write_row(1, 0, row(name).split(',')).unwrap();
    }
    workbook.save(rig.path("two.xlsx")).unwrap();
    rig.run(&["import", "two.xlsx", "--yes"]).exits(1).says("--worksheet");
}

#[test]
fn what_was_booked_meanwhile_and_what_did_not_change_is_said() {
    let rig = Rig::new();
    let refused = |number: &str| row_with(number, "9876543210", "999001");
    rig.file("orders.csv", &sheet([row("A-1"), row_with("A-2", "12", "560001"), refused("A-3"), refused("A-4")]));
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    rig.run(&["rejects", "--to", "rejects.csv"]).exits(0);
    let handed_back = rig.read("rejects.csv");
    // Somebody else corrected A-2 in the sheet itself.
    rig.import_text(&sheet([row_with("A-2", "9812345678", "560001")])).exits(0);
    let booked = rig.bookings().iter().find(|(number, _)| number == "A-2").unwrap().1.clone();

    let corrected = handed_back.replace(",12,", ",9899999999,").replacen("999001", "560001", 1);
    rig.file("rejects.csv", &corrected);
    let requests = rig.sandbox().book().requests();
    rig.run(&["import", "rejects.csv", "--yes"])
        .exits(4)
        .says("order-known")
        .says(&booked)
        .says("1 will be sent: 1 corrected since they failed")
        .says("1 failed before and unchanged (`shipsheet retry` sends them again)");
    assert_eq!(rig.sandbox().book().requests(), requests + 1);
    rig.run(&["rejects", "--to", "second.csv"]).exits(0);
    let second = rig.read("second.csv");
    let line = |number: &str| second.lines().find(|line| line.starts_with(number)).unwrap_or_default().to_owned();
    assert!(line("A-2").contains(&booked) && line("A-2").contains("booked"), "{second}");
    assert!(line("A-4").contains("rejected") && line("A-3").is_empty(), "{second}");
}

#[test]
fn skus_that_a_spreadsheet_shortened_and_weights_that_no_parcel_has_are_named() {
    let rig = Rig::alone();
    let weighing = |number: &str, weight: &str| row(number).replace(",0.5,", &format!(",{weight},"));
    let rows = [
        row("A-1").replace("K-1", "1.23E+05"),
        row("A-2").replace("K-1", "1E+05"),
        row("A-3").replace("K-1", "12E5"),
        weighing("A-4", "5000").replace("K-1", "K-4"),
        weighing("A-5", "0.0005").replace("K-1", "K-5"),
        weighing("A-6", "29.5").replace("K-1", "K-6"),
    ];
    rig.file("orders.csv", &sheet(rows).replace(",Weight,", ",Weight (kg),"));
    let came = rig.check(&["orders.csv"]);
    came.exits(3);
    let told: Vec<_> = came.problems.iter().map(|own| [&own.code, &own.severity, &own.place, &own.found]).collect();
    let expected = [
        ["digits-lost", "error", "orders.csv:2 \"SKU\"", "1.23E+05"],
        ["digits-lost", "error", "orders.csv:3 \"SKU\"", "1E+05"],
        ["digits-lost", "warning", "orders.csv:4 \"SKU\"", "12E5"],
        ["unusual-value", "error", "orders.csv:5 \"Weight (kg)\"", "5000"],
        ["unusual-value", "error", "orders.csv:6 \"Weight (kg)\"", "0.0005"],
    ];
    assert_eq!(told, expected);
    let ran = rig.run(&["check", "orders.csv"]);
    ran.says("5000 kg is hardly the weight of one parcel; is this grams?");
    ran.says("give it the header \"Weight (g)\"");
}

#[test]
fn results_have_the_awb_of_an_order_that_changed_after_it_was_booked() {
    let rig = Rig::new();
    rig.import_text(&sheet([row("A-1")])).exits(0);
    let awb = rig.bookings()[0].1.clone();
    rig.file("orders.csv", &sheet([row("A-1").replace("Kurta", "Saree"), row_with("A-2", "9812345678", "560001")]));
    rig.run(&["import", "orders.csv", "--yes", "--results", "results.csv"]).exits(4);
    let line = rig.read("results.csv").lines().find(|line| line.starts_with("A-1,")).unwrap().to_owned();
    assert!(line.contains("held") && line.contains(&format!(",{awb},")), "{line}");
    let results = rig.results(&[]);
    let changed = results.iter().find(|order| order["order_number"] == "A-1").unwrap();
    assert_eq!((&changed["state"], &changed["awb"]), (&json!("held"), &json!(awb)), "{changed}");
}

#[test]
fn a_code_that_became_a_date_stays_lost() {
    let rig = Rig::new();
    rig.workbook("orders.xlsx", &[row("A-1"), row_with("A-2", "9812345678", "560001")], |sheet| {
        let date = rust_xlsxwriter::ExcelDateTime::from_serial_datetime(46_086.0).unwrap();
        let format = rust_xlsxwriter::Format::new().set_num_format("mmm-dd");
        let sku = HEADER.split(',').position(|header| header == "SKU").unwrap();
        sheet.write_datetime_with_format(1, u16::try_from(sku).unwrap(), &date, &format).unwrap();
    });
    rig.run(&["import", "orders.xlsx", "--yes"]).exits(4).says("value-damaged");
    rig.run(&["rejects", "--to", "rejects.xlsx"]).exits(0);
    let ran = rig.run(&["import", "rejects.xlsx", "--yes"]);
    assert!(ran.exit == 3 && rig.bookings().len() == 1, "nobody typed the code again: {ran:?}");
}

#[test]
fn what_was_booked_through_its_rejects_is_told_as_booked() {
    let rig = Rig::new();
    let original = sheet([row("A-1"), row_with("A-2", "12", "560001"), row_with("A-3", "9812345678", "5600")]);
    rig.file("orders.csv", &original);
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    rig.run(&["rejects", "--to", "rejects.csv"]).exits(0);
    let corrected = rig.read("rejects.csv").replace(",12,", ",9899999999,");
    rig.file("rejects.csv", &corrected);
    rig.run(&["import", "rejects.csv", "--yes"]).exits(4);
    let awb = rig.bookings().iter().find(|(number, _)| number == "A-2").unwrap().1.clone();

    let again = ["import", "orders.csv", "--yes", "--results", "results.csv"];
    let came = rig.came(&again);
    came.exits(4);
    rig.run(&["rejects", "--to", "left.csv"]).exits(0);
    let orders = &came.document["orders"];
    assert_eq!((&orders["already_booked"], &orders["invalid"]), (&json!(2), &json!(1)), "{came:?}");
    let told = came.first("booked-before");
    assert_eq!(told.is_warning().says(&awb).order, "A-2");
    assert!(told.place.ends_with("Phone\""), "{told:?}");
    let (results, left) = (rig.read("results.csv"), rig.read("left.csv"));
    let line = |text: &str| text.lines().find(|line| line.starts_with("A-2,")).unwrap_or_default().to_owned();
    assert!(line(&results).contains("already booked") && line(&results).contains(&awb), "{results}");
    assert!(line(&left).is_empty() && left.contains("A-3,"), "{left}");

    // Two orders under one number may be a new one: nothing is said to be booked.
    rig.file("orders.csv", &sheet([row("A-1"), row("A-1").replace("Asha", "Ravi")]));
    assert_eq!(rig.import(&["orders.csv"]).exits(3).document["orders"]["held"], 1);
}
