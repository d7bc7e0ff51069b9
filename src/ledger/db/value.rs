//! Values as they go into a ledger's database and come out of it, whatever database it is.

use std::borrow::Cow;

use super::error::{Error, Result};

/// A value that is lent to a statement, or read from a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ledger) enum Value<'a> {
    Null,
    Int(i64),
    Real(f64),
    Text(&'a str),
    Blob(&'a [u8]),
}

impl<'a> Value<'a> {
    /// A text that is not null.
    pub(in crate::ledger) fn as_str(self) -> Result<&'a str> {
        match self {
            Value::Text(text) => Ok(text),
            other => Err(mismatch("a text", other)),
        }
    }

    /// Bytes that are not null.
    pub(in crate::ledger) fn as_blob(self) -> Result<&'a [u8]> {
        self.as_blob_or_null()?.ok_or_else(|| mismatch("bytes", self))
    }

    /// Bytes, if it is not null.
    pub(in crate::ledger) fn as_blob_or_null(self) -> Result<Option<&'a [u8]>> {
        match self {
            Value::Null => Ok(None),
            Value::Blob(bytes) => Ok(Some(bytes)),
            other => Err(mismatch("bytes", other)),
        }
    }

    /// What kind of value it is, in words.
    const fn kind(self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Int(_) => "an integer",
            Value::Real(_) => "a real number",
            Value::Text(_) => "a text",
            Value::Blob(_) => "bytes",
        }
    }
}

/// The error for a value that stands where another kind of value must stand.
const fn mismatch(wanted: &'static str, found: Value<'_>) -> Error {
    Error::Mismatch { wanted, found: found.kind() }
}

/// What can be lent to a statement.
pub(in crate::ledger) trait ToValue {
    fn to_value(&self) -> Value<'_>;
}

/// What can be read from a row.
pub(in crate::ledger) trait FromValue: Sized {
    fn from_value(value: Value<'_>) -> Result<Self>;
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value<'_> {
        (**self).to_value()
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, ToValue::to_value)
    }
}

impl ToValue for Value<'_> {
    fn to_value(&self) -> Value<'_> {
        *self
    }
}

impl ToValue for str {
    fn to_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl ToValue for String {
    fn to_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl ToValue for Cow<'_, str> {
    fn to_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl ToValue for [u8] {
    fn to_value(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl<const N: usize> ToValue for [u8; N] {
    fn to_value(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl ToValue for bool {
    fn to_value(&self) -> Value<'_> {
        Value::Int(i64::from(*self))
    }
}

impl FromValue for bool {
    fn from_value(value: Value<'_>) -> Result<Self> {
        Ok(i64::from_value(value)? != 0)
    }
}

/// Integers of all widths; in a database they have one.
macro_rules! integers {
    ($($integer:ty)*) => {
        $(
            impl ToValue for $integer {
                fn to_value(&self) -> Value<'_> {
                    // None of ours comes near the limit.
                    Value::Int(i64::try_from(*self).unwrap_or(i64::MAX))
                }
            }

            impl FromValue for $integer {
                fn from_value(value: Value<'_>) -> Result<Self> {
                    let Value::Int(number) = value else { return Err(mismatch("an integer", value)) };
                    <$integer>::try_from(number).map_err(|_| Error::OutOfRange(number))
                }
            }
        )*
    };
}

integers!(i64 u64 usize u32 u16 u8);

impl FromValue for f64 {
    fn from_value(value: Value<'_>) -> Result<Self> {
        match value {
            Value::Real(number) => Ok(number),
            #[expect(clippy::cast_precision_loss, reason = "a sum that is told as about so much")]
            Value::Int(number) => Ok(number as f64),
            other => Err(mismatch("a real number", other)),
        }
    }
}

impl FromValue for String {
    fn from_value(value: Value<'_>) -> Result<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value<'_>) -> Result<Self> {
        value.as_blob().map(<[u8]>::to_vec)
    }
}

impl<const N: usize> FromValue for [u8; N] {
    fn from_value(value: Value<'_>) -> Result<Self> {
        value.as_blob()?.try_into().map_err(|_| mismatch("a hash", value))
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value<'_>) -> Result<Self> {
        match value {
            Value::Null => Ok(None),
            other => T::from_value(other).map(Some),
        }
    }
}

/// The values of a statement's parameters, in order.
pub(in crate::ledger) trait Params {
    fn lend<R>(self, act: impl FnOnce(&[Value<'_>]) -> R) -> R;
}

impl Params for () {
    fn lend<R>(self, act: impl FnOnce(&[Value<'_>]) -> R) -> R {
        act(&[])
    }
}

impl Params for &[Value<'_>] {
    fn lend<R>(self, act: impl FnOnce(&[Value<'_>]) -> R) -> R {
        act(self)
    }
}

impl<T: ToValue, const N: usize> Params for [T; N] {
    fn lend<R>(self, act: impl FnOnce(&[Value<'_>]) -> R) -> R {
        act(&self.each_ref().map(ToValue::to_value))
    }
}

/// Values of several kinds, as parameters of one statement.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$($crate::ledger::db::ToValue::to_value(&$value)),*] as &[$crate::ledger::db::Value<'_>]
    };
}
pub(in crate::ledger) use params;
