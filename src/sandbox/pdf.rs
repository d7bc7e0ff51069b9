//! A PDF of one page with a few lines of text: labels and invoices.

use std::fmt::Write;

/// A label of four by six inches.
pub(super) fn page(title: &str, lines: &[String]) -> Vec<u8> {
    // So large that all of it is on the page: an AWB is told from others by its last digits.
    let size = (370 / title.chars().count().max(1)).clamp(8, 18);
    let mut text = format!("BT /F1 {size} Tf 24 392 Td ({}) Tj /F1 11 Tf", escaped(title));
    for line in lines {
        let _ = write!(text, " 0 -22 Td ({}) Tj", escaped(line));
    }
    text.push_str(" ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut pdf = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        offsets.push(pdf.len());
        let _ = writeln!(pdf, "{number} 0 obj\n{object}\nendobj");
    }
    let start = pdf.len();
    let _ = writeln!(pdf, "xref\n0 {}\n0000000000 65535 f ", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(pdf, "{offset:010} 00000 n ");
    }
    let _ = writeln!(pdf, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF", objects.len() + 1);
    pdf.into_bytes()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' | ')' | '\\' => escaped.extend(['\\', c]),
            ' '..='~' => escaped.push(c),
            _ => escaped.push('?'),
        }
    }
    escaped
}
