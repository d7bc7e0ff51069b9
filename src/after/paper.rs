//! Labels on the paper that is at hand: one to a sheet of A6 or of 4 by 6 inches, or four to a sheet of A4.

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use super::pdf::{PdfError, page_content};

/// Sizes in points.
const A4: (f32, f32) = (595.28, 841.89);
const A6: (f32, f32) = (297.64, 419.53);
const FOUR_BY_SIX: (f32, f32) = (288.0, 432.0);
/// The white edge around a label on A6, in points: office printers leave one.
const MARGIN: f32 = 8.0;

/// On what labels are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paper {
    /// Each page as the courier made it, behind an index.
    #[default]
    AsTheyAre,
    /// One label to a sheet of A6, without an index.
    A6,
    /// One label to a sheet of a thermal printer, 4 by 6 inches and up to its edge, without an index.
    FourBySix,
    /// Four labels to a sheet of A4, without an index.
    FourToA4,
}

/// Where labels stand on a sheet, in points.
struct Places {
    sheet: (f32, f32),
    /// The room of one label, and what of it stays white on each side.
    room: (f32, f32),
    margin: f32,
    /// The lower left corner of each, first row first.
    corners: &'static [(f32, f32)],
}

impl Paper {
    const fn places(self) -> Places {
        const ROW: f32 = A4.1 / 2.0;
        let one: &[(f32, f32)] = &[(0.0, 0.0)];
        match self {
            Self::FourToA4 => {
                let corners = &[(0.0, ROW), (A4.0 / 2.0, ROW), (0.0, 0.0), (A4.0 / 2.0, 0.0)];
                Places { sheet: A4, room: A6, margin: MARGIN, corners }
            }
            Self::FourBySix => Places { sheet: FOUR_BY_SIX, room: FOUR_BY_SIX, margin: 0.0, corners: one },
            Self::AsTheyAre | Self::A6 => Places { sheet: A6, room: A6, margin: MARGIN, corners: one },
        }
    }

    /// How many labels are on a sheet.
    pub(super) const fn labels(self) -> usize {
        self.places().corners.len()
    }
}

/// Sheets of this paper with these pages of a document on them.
pub(super) fn arranged(
    document: &mut Document,
    tree: ObjectId,
    labels: &[ObjectId],
    paper: Paper,
) -> Result<Vec<Object>, PdfError> {
    let places = paper.places();
    let mut sheets: Vec<Object> = Vec::new();
    for group in labels.chunks(places.corners.len()) {
        let (mut forms, mut content) = (Dictionary::new(), String::new());
        for (number, (label, corner)) in group.iter().zip(places.corners).enumerate() {
            let (form, matrix) = form(document, *label, *corner, &places)?;
            forms.set(format!("L{number}"), document.add_object(form));
            content.extend(["q ", &matrix, " cm /L", &number.to_string(), " Do Q\n"]);
        }
        let content = document.add_object(Stream::new(dictionary! {}, content.into_bytes()));
        let media_box: Vec<Object> = [0.0, 0.0, places.sheet.0, places.sheet.1].map(Object::Real).to_vec();
        let sheet = dictionary! {
            "Type" => "Page", "Parent" => tree, "MediaBox" => media_box, "Contents" => content,
            "Resources" => dictionary! { "XObject" => forms },
        };
        sheets.push(document.add_object(sheet).into());
    }
    Ok(sheets)
}

/// A page as a picture, and how it comes into its place: upright, as large as there is room.
fn form(
    document: &Document,
    page: ObjectId,
    corner: (f32, f32),
    places: &Places,
) -> Result<(Stream, String), PdfError> {
    let own = document.get_dictionary(page)?;
    let shown = own.get(b"CropBox").or_else(|_| own.get(b"MediaBox"))?;
    let shown = document.dereference(shown)?.1;
    let sides: Vec<f32> = shown.as_array()?.iter().map(Object::as_float).collect::<Result<_, _>>()?;
    let [left, low, right, top] = sides[..] else { return Err(PdfError::Unreadable("a page has no size".to_owned())) };
    let (width, height) = ((right - left).abs().max(1.0), (top - low).abs().max(1.0));
    let turned = own.get(b"Rotate").and_then(Object::as_i64).unwrap_or(0).rem_euclid(360);
    // A label that lies on its side is stood up.
    let is_wide = (width > height) != (turned % 180 == 90);
    let turned = if is_wide { (turned + 90) % 360 } else { turned };
    let (turn, size) = match turned {
        90 => ([0.0, -1.0, 1.0, 0.0, 0.0, width], (height, width)),
        180 => ([-1.0, 0.0, 0.0, -1.0, width, height], (width, height)),
        270 => ([0.0, 1.0, -1.0, 0.0, height, 0.0], (height, width)),
        _ => ([1.0, 0.0, 0.0, 1.0, 0.0, 0.0], (width, height)),
    };
    let Places { room, margin, .. } = places;
    let scale = ((room.0 - 2.0 * margin) / size.0).min((room.1 - 2.0 * margin) / size.1);
    let at = (corner.0 + (room.0 - size.0 * scale) / 2.0, corner.1 + (room.1 - size.1 * scale) / 2.0);
    let [xx, xy, yx, yy, dx, dy] = turn;
    let matrix = format!(
        "{scale:.5} 0 0 {scale:.5} {:.3} {:.3} cm {xx} {xy} {yx} {yy} {dx:.3} {dy:.3} cm 1 0 0 1 {:.3} {:.3}",
        at.0, at.1, -left, -low
    );
    let resources = own.get(b"Resources").cloned().unwrap_or_else(|_| Dictionary::new().into());
    let picture = dictionary! {
        "Type" => "XObject", "Subtype" => "Form", "Resources" => resources,
        "BBox" => [left, low, right, top].map(Object::Real).to_vec(),
    };
    let mut form = Stream::new(picture, page_content(document, page)?);
    form.compress()?;
    Ok((form, matrix))
}

#[cfg(test)]
mod tests {
    use super::super::merge::{Merged, Part, merge};
    use super::*;

    fn label(width: i64, height: i64, rotate: i64) -> Vec<u8> {
        let mut document = Document::with_version("1.4");
        let tree = document.new_object_id();
        let content = document.add_object(Stream::new(dictionary! {}, b"0 0 m 9 9 l S".to_vec()));
        let size: Vec<Object> = [0, 0, width, height].map(Object::Integer).to_vec();
        let page = document.add_object(dictionary! {
            "Type" => "Page", "Parent" => tree, "Contents" => content, "MediaBox" => size, "Rotate" => rotate,
            "Resources" => dictionary! {},
        });
        document
            .objects
            .insert(tree, dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 }.into());
        let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
        document.trailer.set("Root", catalog);
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        bytes
    }

    fn of(labels: Vec<Result<Vec<u8>, String>>, paper: Paper) -> Merged {
        let part = |pdf| Part { cells: Default::default(), pdf };
        merge("Labels", None, ["", "", ""], labels.into_iter().map(part).collect(), paper).unwrap()
    }

    fn content(merged: &Merged, sheet: u32) -> String {
        let document = Document::load_mem(&merged.pdf).unwrap();
        let page = document.get_pages()[&sheet];
        String::from_utf8(document.get_page_content(page)).unwrap()
    }

    #[test]
    fn four_labels_go_to_a_sheet_in_order() {
        let mut labels: Vec<_> = (0..5).map(|_| Ok(label(288, 432, 0))).collect();
        labels.insert(1, Err("missing".to_owned()));
        let merged = of(labels, Paper::FourToA4);
        assert_eq!((merged.pages, &merged.places[..]), (2, &[Some(1), None, Some(1), Some(1), Some(1), Some(2)][..]));
        assert_eq!((content(&merged, 1).matches("Do").count(), content(&merged, 2).matches("Do").count()), (4, 1));
        let document = Document::load_mem(&merged.pdf).unwrap();
        let sheet = document.get_dictionary(document.get_pages()[&1]).unwrap();
        assert!((sheet.get(b"MediaBox").unwrap().as_array().unwrap()[2].as_float().unwrap() - A4.0).abs() < 0.1);
    }

    #[test]
    fn each_label_stands_upright_on_a_sheet_of_its_own() {
        let merged = of(vec![Ok(label(288, 432, 0)), Ok(label(432, 288, 0)), Ok(label(432, 288, 90))], Paper::A6);
        assert_eq!((merged.pages, &merged.places[..]), (3, &[Some(1), Some(2), Some(3)][..]));
        let turns: Vec<String> =
            (1..=3).map(|sheet| content(&merged, sheet).split(" cm ").nth(1).unwrap().to_owned()).collect();
        assert_eq!(turns[0], "1 0 0 1 0.000 0.000");
        assert!(turns[1].starts_with("0 -1 1 0") && turns[2] == turns[1], "{turns:?}");
    }

    #[test]
    fn a_label_of_four_by_six_inches_fills_a_thermal_sheet_as_it_is() {
        let merged = of(vec![Ok(label(288, 432, 0)), Ok(label(420, 595, 0))], Paper::FourBySix);
        assert_eq!((merged.pages, &merged.places[..]), (2, &[Some(1), Some(2)][..]));
        let document = Document::load_mem(&merged.pdf).unwrap();
        for page in document.page_iter() {
            let size = document.get_dictionary(page).unwrap().get(b"MediaBox").unwrap().as_array().unwrap();
            let size: Vec<f32> = size.iter().map(|side| side.as_float().unwrap()).collect();
            assert_eq!(size, [0.0, 0.0, FOUR_BY_SIX.0, FOUR_BY_SIX.1]);
        }
        assert!(content(&merged, 1).starts_with("q 1.00000 0 0 1.00000 0.000 0.000 cm"), "{}", content(&merged, 1));
        assert!(content(&merged, 2).starts_with("q 0.68571 0 0 0.68571 0.000 12.000 cm"), "{}", content(&merged, 2));
    }

    #[test]
    fn without_a_label_the_index_says_why() {
        assert_eq!(of(vec![Err("missing".to_owned())], Paper::A6).pages, 1);
        assert_eq!(of(vec![Ok(label(288, 432, 0))], Paper::AsTheyAre).pages, 2);
    }
}
