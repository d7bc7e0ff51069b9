//! Values that are sent as the sheet writes them, where a person wants no spelling of ours.

use crate::check::unmarked;
use crate::field::Id;
use crate::text::Text;

use super::rows::Rows;
use super::types::AsWritten;

/// What the order's cells say of the fields that are sent as they are written.
pub(super) fn as_written(rows: &Rows<'_>) -> AsWritten {
    let of = |id: Id| {
        let slot = rows.cell(id).filter(|_| rows.rules.as_written.contains(&id) && rows.is_given(id));
        slot.map_or_else(Text::default, |slot| unmarked(id.field(), rows.text(&slot)).into())
    };
    AsWritten {
        phone: of(Id::ReceiverPhone),
        order_type: of(Id::OrderType),
        dimension_unit: of(Id::DimensionUnit),
        weight_unit: of(Id::WeightUnit),
    }
}
