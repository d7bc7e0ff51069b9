//! What holds where nothing is set, setting by setting.

use std::time::Duration;

use jiff::Timestamp;
use toml::Value;

use crate::api::Login;
use crate::book::UNUSUAL_FACTOR;
use crate::field::{Field, Version};
use crate::parse::ReadingSettings;
use crate::sheet::Limits;

use super::backup::{EVERY_HOURS, KEEP};
use super::booking::WAIT_MAX;
use super::file::Spelling;
use super::sections::MailTls;
use super::service::{CONNECT_TIMEOUT, REQUEST_TIMEOUT};
use super::unattended::{LOG_SIZE_MIB, LOGS_KEPT, usual_port};

/// The default of a setting; nothing where it has none.
pub(super) fn default_of(section: &str, name: &str) -> Option<Value> {
    let seconds = |time: Duration| whole(time.as_secs());
    let word = |word: &str| Some(Value::from(word));
    match (section, name) {
        ("", "api") => word(match Version::default() {
            Version::V1 => "v1",
            Version::V2 => "v2",
        }),
        ("auth", "renew_after_seconds") => seconds(Login::RENEW_AFTER),
        ("booking", "concurrency") => word("auto"),
        ("booking", "usual_factor") => Some(UNUSUAL_FACTOR.into()),
        ("booking", "max_wait_seconds") => seconds(WAIT_MAX),
        ("booking", "timeout_seconds") => seconds(REQUEST_TIMEOUT),
        ("booking", "connect_timeout_seconds") => seconds(CONNECT_TIMEOUT),
        ("booking", "use_environment_proxy") | ("serviceability", "before_import" | "required") => Some(false.into()),
        ("backup", "every") => Some(format!("{EVERY_HOURS}h").into()),
        ("backup", "keep") => Some(KEEP.into()),
        ("log", "max_size_mib") => whole(LOG_SIZE_MIB),
        ("log", "keep") => Some(LOGS_KEPT.into()),
        ("mail", "tls") => Value::try_from(MailTls::default()).ok(),
        ("mail", "port") => Some(i32::from(usual_port(MailTls::default())).into()),
        ("send", "phone" | "units" | "payment") => Value::try_from(Spelling::Usual).ok(),
        ("reading", "max_rows") => Some(Limits::default().rows_max.into()),
        ("reading", "max_unpack_ratio") => whole(Limits::default().unpack_ratio_max),
        _ => of_sheets(section, name),
    }
}

/// Of how sheets are read.
fn of_sheets(section: &str, name: &str) -> Option<Value> {
    let usual = ReadingSettings::new(Timestamp::UNIX_EPOCH);
    match (section, name) {
        ("defaults", path) => usual.default(Field::by_path(path)?.id).map(Value::from),
        ("check", "heaviest_kg") => usual.heaviest_kg.to_string().parse::<i64>().ok().map(Value::from),
        ("send", "omit_empty") => Some(usual.omit_empty.iter().map(|id| id.field().path).collect::<Vec<_>>().into()),
        ("dates", "time_zone") => usual.time_zone.iana_name().map(Value::from),
        _ => None,
    }
}

fn whole(number: u64) -> Option<Value> {
    i64::try_from(number).ok().map(Value::from)
}

#[cfg(test)]
mod tests {
    use super::super::starter;
    use super::*;

    #[test]
    fn the_starter_file_shows_the_defaults() {
        // Of these it shows what else may be written.
        let others = ["concurrency", "phone", "units", "payment", "before_import"];
        let mut seen = 0;
        for key in starter::keys().iter().filter(|key| !others.contains(&key.name.as_str())) {
            if let Some(usual) = default_of(&key.section, &key.name) {
                assert_eq!(key.shown, usual, "[{}] {}", key.section, key.name);
                seen += 1;
            }
        }
        assert!(seen > 25, "{seen}");
    }
}
