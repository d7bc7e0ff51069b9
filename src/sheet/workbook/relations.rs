//! Which part of a package holds which worksheet.

use std::collections::HashMap;
use std::io::{Read, Seek};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

/// Bytes of a list of parts; it is held as a whole.
const LIST_BYTES_MAX: u64 = 16 << 20;

/// The parts that relations lead to, by their names.
pub(super) fn targets(relations: &str) -> Option<HashMap<String, String>> {
    let tags = tags(relations, "Relationship", &["Id", "Target"])?;
    Some(tags.into_iter().map(|[id, target]| (id, target)).collect())
}

/// A target as it stands in the package.
pub(super) fn part_name(target: &str) -> String {
    match target.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None if target.starts_with("xl/") => target.to_owned(),
        None => format!("xl/{}", target.trim_start_matches("./")),
    }
}

/// The sheets of an `.xlsx` with their parts, in small letters; none where its lists cannot be read.
pub(super) fn parts_of_sheets(file: impl Read + Seek) -> Option<Vec<(String, String)>> {
    let mut archive = ZipArchive::new(file).ok()?;
    let mut text = |name: &str| {
        let mut text = String::new();
        archive.by_name(name).ok()?.take(LIST_BYTES_MAX).read_to_string(&mut text).ok()?;
        Some(text)
    };
    let sheets = tags(&text("xl/workbook.xml")?, "sheet", &["name", "id"])?;
    let targets = targets(&text("xl/_rels/workbook.xml.rels")?)?;
    let part = |[name, id]: [String; 2]| Some((name, folded(&part_name(targets.get(&id)?))));
    sheets.into_iter().map(part).collect()
}

/// A part's name as readers compare it.
pub(super) fn folded(part: &str) -> String {
    part.replace('\\', "/").to_ascii_lowercase()
}

/// The attributes of every tag of a name, both without their namespaces.
fn tags(xml: &str, name: &str, attributes: &[&str; 2]) -> Option<Vec<[String; 2]>> {
    let mut reader = Reader::from_str(xml);
    let mut found = Vec::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == name => {
                found.push([attribute(&tag, attributes[0])?, attribute(&tag, attributes[1])?]);
            }
            Event::Eof => return Some(found),
            _ => {}
        }
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(quick_xml::escape::unescape(&found.value).ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_lead_to_parts() {
        let xml = "<Relationships xmlns=\"x\"><Relationship Target=\"worksheets/sheet1.xml\" Id=\"rId1\"/><Relationship Id=\"rId2\" Target=\"/xl/worksheets/a&amp;b.xml\"></Relationship></Relationships>";
        let targets = targets(xml).unwrap();
        assert_eq!(part_name(&targets["rId1"]), "xl/worksheets/sheet1.xml");
        assert_eq!(part_name(&targets["rId2"]), "xl/worksheets/a&b.xml");
    }
}
