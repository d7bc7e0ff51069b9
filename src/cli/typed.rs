//! Values as they are typed, which several commands take.

use clap::ValueEnum;

use crate::field::Version;

/// The version of a forward shipment request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Api {
    /// With sender, origin and return address written out
    V1,
    /// With warehouses that the service knows
    V2,
}

impl From<Api> for Version {
    fn from(api: Api) -> Self {
        match api {
            Api::V1 => Self::V1,
            Api::V2 => Self::V2,
        }
    }
}

/// Requests a second.
pub(super) fn rate(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix("/s").unwrap_or(text);
    match number.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate.is_finite() => Ok(rate),
        _ => Err("write requests a second above zero, for instance 5 or 0.5/s".to_owned()),
    }
}

/// A name with its value.
pub(super) fn parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE, for instance orderId=123".to_owned()),
    }
}
