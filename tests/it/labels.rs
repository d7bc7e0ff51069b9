//! Labels: whole or not at all, each under a name of its own, and what a run has none for.

use std::io::Write;
use std::time::Duration;

use serde_json::Value;
use shipsheet::sandbox::Answer;

use crate::measure::measured;
use crate::rig::{Rig, row, sheet};

fn label_url(rig: &Rig, number: &str) -> String {
    format!("/v1/external/shipments/{}/label-url", rig.order_id(number))
}

fn awb(rig: &Rig, number: &str) -> String {
    rig.bookings().into_iter().find(|(known, _)| known == number).unwrap().1
}

#[test]
fn a_label_that_is_cut_short_is_never_kept_and_one_that_was_is_fetched_again() {
    let rig = Rig::booked("", 2);
    let arguments = ["label", "--run", "1", "--to", "l.pdf"];
    rig.run(&arguments).exits(0);
    let file = format!("l-labels/{}.pdf", awb(&rig, "ORD-0001"));
    let whole = rig.read(&file);
    // Without its last line, without its table, and without half of its only page: readers mend and show all of these.
    for end in [whole.rfind("%%EOF").unwrap(), whole.find("xref").unwrap(), whole.find("endstream").unwrap()] {
        rig.file(&file, &whole[..end]);
        let (code, document) = rig.json(&arguments);
        assert_eq!((code, &document["fetched"], &document["kept"]), (0, &1.into(), &1.into()), "{end}: {document}");
        assert_eq!(rig.read(&file), whole);
        std::fs::remove_file(rig.path(&file)).unwrap();
        rig.sandbox().script_path(&label_url(&rig, "ORD-0001"), [Answer::Status(200, whole[..end].to_owned())]);
        let ran = rig.run(&arguments);
        assert!(ran.exit == 4 && ran.stderr.contains("it is cut short") && !rig.path(&file).exists(), "{end}: {ran:?}");
        rig.run(&arguments).exits(0).prints("2 labels on 3 pages, 1 fetched, 1 there before");
    }
}

#[test]
fn awbs_that_look_alike_to_a_file_system_keep_files_of_their_own() {
    let rig = Rig::new();
    let elsewhere = Rig::booked("", 4);
    // One AWB that is written in two ways is another matter: nothing between these characters is dropped.
    let awbs = ["AB:1", "AB|1", "ab-2", "AB?1"];
    rig.file("orders.csv", &sheet(awbs.iter().enumerate().map(|(n, _)| row(&format!("L-{n}")))));
    for (n, awb) in awbs.iter().enumerate() {
        let answer = serde_json::json!({"orderId": format!("id-{n}"), "awb": awb, "shipmentPurchaseError": null});
        rig.sandbox().script_order(&format!("L-{n}"), [Answer::Status(201, answer.to_string())]);
        // Each has the label of another shipment, so that they differ.
        let id = elsewhere.sandbox().book().bookings()[n].order_id.clone();
        let url = format!("{}/sandbox/files/label/{id}.pdf", elsewhere.sandbox().base_url());
        let answer = Answer::Status(200, serde_json::json!({ "labelUrl": url }).to_string());
        rig.sandbox().script_path(&format!("/v1/external/shipments/id-{n}/label-url"), [answer]);
    }
    rig.run(&["import", "orders.csv", "--yes"]).exits(0);
    rig.run(&["label", "--run", "1", "--to", "l.pdf"]).exits(0).prints("4 labels on 5 pages, 4 fetched");
    let (code, document) = rig.json(&["label", "--run", "1", "--to", "l.pdf"]);
    assert_eq!((code, &document["kept"]), (0, &4.into()), "{document}");
    let files: Vec<String> = document["labels"].as_array().unwrap().iter().map(file_of).collect();
    let texts: Vec<String> = files.iter().map(|file| rig.read(file)).collect();
    for (n, text) in texts.iter().enumerate() {
        assert!(text.contains(&elsewhere.bookings()[n].1), "{n}: {}", files[n]);
    }
    let mut files: Vec<String> = files.iter().map(|file| file.to_ascii_lowercase()).collect();
    files.sort();
    files.dedup();
    assert_eq!(files.len(), 4);
    // What an earlier version kept under the AWB as it is, is not fetched again.
    let old = rig.path("old");
    std::fs::create_dir(&old).unwrap();
    std::fs::write(old.join("ab-2.pdf"), &texts[2]).unwrap();
    let (code, document) = rig.json(&["label", "L-2", "--to", "o.pdf", "--folder", "old"]);
    assert_eq!((code, &document["kept"]), (0, &1.into()), "{document}");
}

#[test]
fn whatever_has_an_awb_now_is_among_the_labels_of_its_sheet() {
    let rig = Rig::new();
    // Another parcel than that of L-4, which is in doubt when it is corrected.
    let bad = row("L-2").replace("9876543210", "12").replace("Kurta", "Saree");
    rig.file("orders.csv", &sheet([row("L-1"), bad, row("L-3"), row("L-4"), row("L-5"), row("L-6")]));
    let refusal = r#"{"message": "no"}"#.to_owned();
    rig.sandbox().script_order("L-3", [Answer::Status(422, refusal)]);
    rig.sandbox().script_order("L-4", [Answer::CutAfter]);
    let arguments = ["import", "orders.csv", "--yes", "--max-orders", "4", "--concurrency", "1"];
    rig.run(&arguments).exits(6);
    rig.run(&["rejects", "--to", "fix.csv"]).exits(0);
    let label = ["label", "--run", "1", "--to", "l.pdf"];
    let numbers = |document: &Value| -> Vec<String> {
        let labels = document["labels"].as_array().unwrap().iter();
        labels.map(|label| label["order_number"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(numbers(&rig.json(&label).1), ["L-1", "L-5"]);
    // Corrected through the rejects file, retried, settled by a word, and resumed: each in its own way.
    rig.file("fix.csv", &rig.read("fix.csv").replace(",12,", ",9876543210,"));
    rig.run(&["import", "fix.csv", "--yes"]);
    rig.run(&["retry", "L-3", "--yes"]);
    let settle = ["doubt", "booked", "L-4", "--awb", &awb(&rig, "L-4"), "--because", "seen in the portal"];
    rig.run(&settle).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    let all = ["L-1", "L-2", "L-3", "L-4", "L-5", "L-6"];
    let (code, document) = rig.json(&label);
    assert_eq!(numbers(&document), all, "{document}");
    let missing: Vec<&Value> =
        document["labels"].as_array().unwrap().iter().filter(|label| !label["error"].is_null()).collect();
    assert!(code == 4 && missing.len() == 1, "{document}");
    assert_eq!(missing[0]["order_number"], "L-4", "{document}");
    // Nobody but the portal knows that one: its label is saved where the message says, and is merged.
    let error = missing[0]["error"].as_str().unwrap();
    let path = error.split_once("from the courier's portal as ").unwrap().1.to_owned();
    std::fs::copy(rig.path(&format!("l-labels/{}.pdf", awb(&rig, "L-1"))), rig.path(&path)).unwrap();
    let (code, document) = rig.json(&label);
    assert_eq!((code, numbers(&document).len()), (0, 6), "{document}");
    let (code, tracked) = rig.json(&["track", "--run", "1"]);
    assert!(code != 1 && tracked.to_string().contains("L-2"), "{tracked}");
}

#[test]
fn a_reprint_of_a_few_into_the_whole_file_says_so() {
    let rig = Rig::booked("", 4);
    rig.run(&["label", "--run", "1", "--to", "l.pdf"]).exits(0);
    rig.run(&["label", "--run", "1", "--to", "l.pdf", "--range", "2-9"])
        .exits(0)
        .prints("3 labels on 4 pages, 0 fetched")
        .says("l.pdf holds only labels 2 to 4 now")
        .says("without --range");
    let other = rig.run(&["label", "--run", "1", "--to", "o.pdf", "--range", "2", "--folder", "l-labels"]);
    other.exits(0);
    assert!(other.stderr.is_empty(), "{other:?}");
}

#[test]
fn labels_for_a_thermal_printer_come_without_an_index() {
    let rig = Rig::booked("", 2);
    rig.run(&["label", "--run", "1", "--to", "l.pdf"]).exits(0).prints("2 labels on 3 pages");
    rig.run(&["label", "--run", "1", "--to", "l.pdf", "--paper", "4x6"]).exits(0).prints("2 labels on 2 pages");
    rig.run(&["label", "--run", "1", "--to", "l.pdf", "--paper", "4-on-a4"]).exits(0).prints("2 labels on 1 page,");
    rig.run(&["label", "--run", "1", "--to", "l.pdf", "--paper", "letter"]).exits(2).says("4x6");
}

fn file_of(label: &Value) -> String {
    label["file"].as_str().unwrap().to_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn a_label_that_unpacks_to_gigabytes_is_refused_in_a_sentence() {
    let rig = Rig::booked("", 2);
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![b' '; 1 << 20]).unwrap();
    let content = packer.finish().unwrap().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    let parts = "4 0 R ".repeat(3600);
    let bomb = format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents [{parts}] /Resources << >> >>\nendobj\n\
         4 0 obj\n<< /Length {} /Filter [/ASCIIHexDecode /FlateDecode] >>\nstream\n{content}>\nendstream\nendobj\n\
         trailer\n<< /Root 1 0 R >>\n%%EOF\n",
        content.len() + 1,
    );
    rig.sandbox().script_path(&label_url(&rig, "ORD-0001"), [Answer::Status(200, bomb)]);
    let command = rig.command(&["label", "--run", "1", "--to", "l.pdf"]);
    let measured = measured(command, &rig.path("."), Duration::from_mins(5));
    let ran = measured.ran;
    ran.exits(4).prints("1 label on 2 pages").says("it unpacks to far more than any label needs");
    assert!(measured.memory < 400 << 20, "{} MiB", measured.memory >> 20);
}
