//! Values as PostgreSQL sends and takes them.

use std::error::Error as Failed;

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use super::error::{Error, Result};
use super::value::Value;

/// What cannot stand in a text of the server's.
const NUL: char = '\0';

/// The values as parameters.
pub(super) fn borrowed<'v>(values: &'v [Value<'v>]) -> impl ExactSizeIterator<Item = &'v dyn ToSql> {
    values.iter().map(|value| value as &dyn ToSql)
}

/// A value of a row.
pub(super) fn value(row: &tokio_postgres::Row, column: usize) -> Result<Value<'_>> {
    Ok(row.try_get::<_, Option<Value<'_>>>(column).map_err(Error::from)?.unwrap_or(Value::Null))
}

impl ToSql for Value<'_> {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Box<dyn Failed + Sync + Send>> {
        match *self {
            Value::Null => return Ok(IsNull::Yes),
            Value::Int(number) => match *of {
                Type::BOOL => out.extend_from_slice(&[u8::from(number != 0)]),
                Type::INT4 => out.extend_from_slice(&i32::try_from(number)?.to_be_bytes()),
                Type::INT2 => out.extend_from_slice(&i16::try_from(number)?.to_be_bytes()),
                Type::TEXT | Type::VARCHAR => out.extend_from_slice(number.to_string().as_bytes()),
                _ => out.extend_from_slice(&number.to_be_bytes()),
            },
            Value::Real(number) => out.extend_from_slice(&number.to_be_bytes()),
            Value::Text(text) if text.contains(NUL) => {
                out.extend_from_slice(text.replace(NUL, "\u{fffd}").as_bytes());
            }
            Value::Text(text) => out.extend_from_slice(text.as_bytes()),
            Value::Blob(bytes) => out.extend_from_slice(bytes),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'r> FromSql<'r> for Value<'r> {
    fn from_sql(of: &Type, raw: &'r [u8]) -> std::result::Result<Self, Box<dyn Failed + Sync + Send>> {
        Ok(match *of {
            Type::BOOL => Value::Int(i64::from(raw.first().is_some_and(|byte| *byte != 0))),
            Type::INT2 => Value::Int(i64::from(i16::from_be_bytes(raw.try_into()?))),
            Type::INT4 => Value::Int(i64::from(i32::from_be_bytes(raw.try_into()?))),
            Type::INT8 => Value::Int(i64::from_be_bytes(raw.try_into()?)),
            Type::FLOAT8 => Value::Real(f64::from_be_bytes(raw.try_into()?)),
            Type::NUMERIC => Value::Int(whole(raw).ok_or("a number that is not whole")?),
            Type::BYTEA => Value::Blob(raw),
            _ => Value::Text(str::from_utf8(raw)?),
        })
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// A sum, which is a whole number of any size: groups of four decimal digits, behind their count, the weight of the first,
/// the sign and the digits behind the point.
fn whole(raw: &[u8]) -> Option<i64> {
    let word = |at: usize| Some(u16::from_be_bytes(raw.get(at * 2..at * 2 + 2)?.try_into().ok()?));
    let (groups, weight) = (word(0)?, word(1)?.cast_signed());
    let mut number = 0_i64;
    for place in 0..=i64::from(weight) {
        let group = if place < i64::from(groups) { word(4 + usize::try_from(place).ok()?)? } else { 0 };
        number = number.checked_mul(10_000)?.checked_add(i64::from(group))?;
    }
    (i64::from(groups) <= i64::from(weight) + 1 && word(2)? != 0xC000).then_some(if word(2)? == 0 {
        number
    } else {
        -number
    })
}
