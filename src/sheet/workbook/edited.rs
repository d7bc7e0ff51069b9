//! A workbook with other texts in some cells of one worksheet: every part but that one is copied as it is.

use std::io::{BufReader, Read, Seek, Write};

use quick_xml::Reader;
use quick_xml::events::Event;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::patch::{Patched, patch};
use super::relations::{folded, parts_of_sheets};
use crate::sheet::SheetError;
use crate::sheet::input::Input;
use crate::sheet::overlay::{Edited, Overlay};

const CALC_CHAIN: &str = "xl/calcchain.xml";
const CONTENT_TYPES: &str = "[content_types].xml";
const WORKBOOK: &str = "xl/workbook.xml";
const RELATIONS: &str = "xl/_rels/workbook.xml.rels";

/// Writes the workbook. `takes` says whether a number that is typed into a cell of a style is shown as it was typed.
pub(super) fn write(
    input: &Input,
    worksheet: &str,
    overlay: &Overlay,
    takes: &dyn Fn(usize, &str) -> bool,
    out: &mut (impl Write + Seek),
) -> Result<Edited, SheetError> {
    let damaged = |reason: String| SheetError::Damaged { file: input.name.clone(), reason };
    let open = || Ok::<_, SheetError>(BufReader::new(input.file()?));
    let parts = parts_of_sheets(open()?).unwrap_or_default();
    let (_, part) = parts
        .into_iter()
        .find(|(name, _)| name == worksheet)
        .ok_or_else(|| damaged("its list of worksheets cannot be read".to_owned()))?;
    let zipped = |error: zip::result::ZipError| damaged(error.to_string());
    let mut archive = ZipArchive::new(open()?).map_err(zipped)?;
    let names: Vec<String> = (0..archive.len())
        .map(|index| archive.name_for_index(index).and_then(Result::ok).map(|name| folded(&name)).unwrap_or_default())
        .collect();
    let text_of = |archive: &mut ZipArchive<BufReader<std::fs::File>>, index: usize| {
        let mut text = String::new();
        let mut part = archive.by_index(index).map_err(zipped)?;
        part.read_to_string(&mut text).map_err(|error| damaged(error.to_string()))?;
        Ok::<_, SheetError>(text)
    };
    let index = names.iter().position(|name| *name == part);
    let index = index.ok_or_else(|| damaged(format!("it has no part {part}")))?;
    let Patched { xml, formulas, values } = patch(&text_of(&mut archive, index)?, overlay, takes).map_err(&damaged)?;
    let mut writer = ZipWriter::new(out);
    for (number, name) in names.iter().enumerate() {
        let text = match name.as_str() {
            _ if number == index => xml.clone(),
            // It lists the cells that have formulas: without it they are found anew.
            CALC_CHAIN if formulas => continue,
            CONTENT_TYPES | RELATIONS if formulas => without_calc_chain(&text_of(&mut archive, number)?),
            WORKBOOK => calculated_anew(&text_of(&mut archive, number)?),
            _ => {
                let part = archive.by_index_raw(number).map_err(zipped)?;
                writer.raw_copy_file(part).map_err(zipped)?;
                continue;
            }
        };
        let own_name = archive.name_for_index(number).and_then(Result::ok).map(std::borrow::Cow::into_owned);
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(own_name.unwrap_or_default(), options).map_err(zipped)?;
        writer.write_all(text.as_bytes()).map_err(|error| input.failed(error))?;
    }
    writer.finish().map_err(zipped)?;
    Ok(Edited { formulas_to_values: values, ..Edited::default() })
}

/// A list of parts without the one of the formulas' order.
fn without_calc_chain(xml: &str) -> String {
    let places = tags(xml, |name, tag| {
        matches!(name, "Override" | "Relationship") && tag.to_ascii_lowercase().contains("calcchain.xml")
    });
    places.into_iter().rev().fold(xml.to_owned(), |mut xml, place| {
        xml.replace_range(place, "");
        xml
    })
}

/// The workbook's list, so that formulas are calculated anew when it is opened: they may hang on what was typed.
fn calculated_anew(xml: &str) -> String {
    let place = tags(xml, |name, tag| name == "calcPr" && !tag.contains("fullCalcOnLoad")).into_iter().next();
    place.map_or_else(
        || xml.to_owned(),
        |place| {
            let at =
                place.start + "<".len() + xml[place.start + 1..place.end].find([' ', '/', '>']).unwrap_or_default();
            format!("{} fullCalcOnLoad=\"1\"{}", &xml[..at], &xml[at..])
        },
    )
}

/// The places of tags.
fn tags(xml: &str, is_meant: impl Fn(&str, &str) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut reader = Reader::from_str(xml);
    let mut found = Vec::new();
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or_default();
        let Ok(event) = reader.read_event() else { return found };
        let end = usize::try_from(reader.buffer_position()).unwrap_or_default();
        match event {
            Event::Start(tag) | Event::Empty(tag) if is_meant(tag.local_name().as_ref(), &xml[start..end]) => {
                found.push(start..end);
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_formulas_is_left_out_of_lists() {
        let types =
            "<Types><Override PartName=\"/xl/workbook.xml\"/><Override PartName=\"/xl/calcChain.xml\"/></Types>";
        assert_eq!(without_calc_chain(types), "<Types><Override PartName=\"/xl/workbook.xml\"/></Types>");
    }

    #[test]
    fn formulas_are_calculated_anew() {
        for (xml, expected) in [
            ("<w><calcPr calcId=\"1\"/></w>", "<w><calcPr fullCalcOnLoad=\"1\" calcId=\"1\"/></w>"),
            ("<w><x:calcPr/></w>", "<w><x:calcPr fullCalcOnLoad=\"1\"/></w>"),
            ("<w><calcPr fullCalcOnLoad=\"1\"/></w>", "<w><calcPr fullCalcOnLoad=\"1\"/></w>"),
            ("<w/>", "<w/>"),
        ] {
            assert_eq!(calculated_anew(xml), expected);
        }
    }
}
