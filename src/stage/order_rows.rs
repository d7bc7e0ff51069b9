//! The rows of one order with all that they are known by, and what the ledger keeps of them.

use crate::column::RowRef;
use crate::ledger::SheetRow;
use crate::sheet::known_by;
use crate::text::unspelled;

use super::parcel::Parcel;

/// An order, or a row that names none, with its place in the sheets.
#[derive(Debug, Clone, Copy, Default)]
pub struct OrderRows<'a> {
    /// The order number.
    pub number: Option<&'a str>,
    /// Its rows, as people write them; empty for a sink that wants no requests.
    pub rows: &'a str,
    /// Its rows.
    pub at: &'a [RowRef],
    /// What tells those with a number of their own from all other rows.
    pub contents: &'a [i64],
    /// The numbers that it came with, where somebody typed another one.
    pub came_as: &'a [String],
    /// The numbers in other cells of its rows, by their values.
    pub numbers: &'a [i64],
    /// Its place among all orders of the run.
    pub position: u64,
    /// How it may bear on others.
    pub beside: ComparisonKeys,
    /// The hash of its cells, of an order that stays behind.
    pub cells: Option<[u8; 32]>,
}

/// How an order may bear on what is said of others, or of its sheet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ComparisonKeys {
    /// Its parcel, where it could be made.
    pub parcel: Option<Parcel>,
    /// What tells its remarks that nobody could read from others, where it has any.
    pub unread: Option<u64>,
}

impl ComparisonKeys {
    /// What tells its shipment from others, as it is and less filled, where it could be made.
    pub(crate) fn shipments(&self) -> impl Iterator<Item = u64> + use<> {
        self.parcel.into_iter().flat_map(|parcel| parcel.shipments())
    }
}

/// The rows of an order, as the ledger names them.
pub(super) fn rows_of(of: &OrderRows<'_>) -> Vec<SheetRow> {
    let places = of.at.iter().map(|at| SheetRow::At(at.sheet, at.row));
    places.chain(of.contents.iter().copied().map(SheetRow::With)).collect()
}

/// The shipment and the receiver of an order under a number: whoever types over a number may type over the phone or the address
/// as well.
pub(super) fn typed_over(of: &OrderRows<'_>, number: &str, as_row: fn(i64) -> SheetRow) -> Vec<SheetRow> {
    let by = of.beside.parcel.into_iter().flat_map(|parcel| {
        let [phone, address] = parcel.receiver();
        [("", parcel.shipment()), ("phone", phone), ("address", address)]
    });
    by.map(|(what, hash)| as_row(known_by([&*unspelled(number), &*format!("{what}{hash}")].into_iter()))).collect()
}

/// What is kept of an order: whoever looks later, by whichever of its numbers, finds what became of its rows.
pub(super) fn kept_rows(of: &OrderRows<'_>) -> Vec<SheetRow> {
    let former = of.came_as.iter().flat_map(|former| typed_over(of, former, SheetRow::TypedOver));
    let own = of.number.map_or_else(Vec::new, |number| typed_over(of, number, SheetRow::Own));
    rows_of(of).into_iter().chain(former).chain(own).collect()
}

/// The place of an order among all of the run, as the ledger has it.
pub(super) fn position_of(of: &OrderRows<'_>) -> i64 {
    i64::try_from(of.position).unwrap_or(i64::MAX)
}
