//! Temporary: what the new reader says of headers.
use super::*;
use crate::field::MeasuredOf;
#[test]
fn compare_headers() {
    let text = std::fs::read_to_string("/tmp/cols/headers.txt").unwrap();
    let mut out = String::new();
    let started = std::time::Instant::now();
    for header in text.lines() {
        let r = Reading::of(header);
        let sign = r.sign.map(crate::field::AmountRole::Sign).or(r.part.map(crate::field::AmountRole::Address));
        let measure: Option<(crate::field::Id, MeasuredOf)> = r.measure;
        let mut flags: Vec<&str> = Vec::new();
        for (own, name) in [
            (Trait::Size, "size"),
            (Trait::Kind, "kind"),
            (Trait::Courier, "courier"),
            (Trait::PaymentState, "paystate"),
            (Trait::Receiver, "receiver"),
            (Trait::PartOfName, "partname"),
            (Trait::Pieces, "pieces"),
            (Trait::BareAmount, "bare"),
            (Trait::BareTax, "baretax"),
            (Trait::CodFlag, "codflag"),
            (Trait::ListPrice, "list"),
            (Trait::BeforeDiscount, "listprice"),
            (Trait::NoMoney, "nomoney"),
            (Trait::NotPaid, "notpaid"),
            (Trait::OtherMeans, "means"),
            (Trait::BesideList, "besidelist"),
            (Trait::TakenOff, "off"),
            (Trait::WeakTotal, "weak"),
            (Trait::LineTotal, "linetotal"),
            (Trait::PerPiece, "perpiece"),
            (Trait::Percent, "percent"),
            (Trait::Rate, "rate"),
            (Trait::WithoutTax, "withouttax"),
        ] {
            if r.is(own) {
                flags.push(name);
            }
        }
        let unit = r.field.and_then(|f| r.unit(f.field));
        let likely: Vec<String> = crate::field::FIELDS
            .iter()
            .filter_map(|f| {
                let l = r.likeness(f.id, &[]);
                (l > 0).then(|| format!("{:?}={l}", f.id))
            })
            .collect();
        out.push_str(&format!(
            "{header}\t{}\t{:?}\t{unit:?}\t{sign:?}\t{:?}\t{:?}\t{}\t{:?}\t{}\t{}\n",
            r.field.map_or("-".to_owned(), |f| format!("{:?}", f.field.id)),
            r.field.map(|f| f.rank),
            r.amount,
            measure,
            flags.join(" "),
            r.total_of,
            r.charge.join("+"),
            likely.join(" ")
        ));
    }
    let cases = std::fs::read_to_string("/tmp/cols/case-headers.txt").unwrap_or_default();
    let cases: String = cases.lines().map(|h| format!("{h}\t{}\n", super::tests::described(&Reading::of(h)))).collect();
    std::fs::write("/tmp/cols/cases.tsv", cases).unwrap();
    eprintln!("{:?}", started.elapsed());
    std::fs::write("/tmp/cols/new.tsv", out).unwrap();
}
