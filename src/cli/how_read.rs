//! How order sheets are read and judged, as typed; and the same flags again, for a command that reads them once more.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::config::Sheets;
use crate::finding::{self, RuleId};
use crate::rule::RuleLevel;
use crate::sheet::Options;
use crate::text::shell_quoted;

use super::profile::Reading;
use super::remedy::flags;
use super::typed::Api;

#[derive(Debug, Args)]
pub(super) struct HowRead {
    /// A profile: its name (`shipsheet profile list`), or its TOML file [default: recognised by the headers]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) profile: Option<String>,
    #[command(flatten)]
    reading: Reading,
    /// The version of the request [default: v2]; v1, deprecated by the service, writes sender and addresses out
    #[arg(long, value_enum)]
    pub(super) api: Option<Api>,
    /// The level of a rule for this run: hold, warn or off (`shipsheet rules`); may be given several times
    #[arg(long = "rule", value_name = "RULE=LEVEL", value_parser = super::rules::level)]
    rules: Vec<(RuleId, RuleLevel)>,
}

impl HowRead {
    pub(super) fn sheets(&self, paths: Vec<PathBuf>) -> Sheets {
        Sheets {
            paths,
            profile: self.profile.clone(),
            reading: self.reading.options(),
            version: self.api.map(Into::into),
            levels: self.rules.clone(),
            ..Sheets::default()
        }
    }

    /// As they would be typed, with a blank before each; nothing where the program saw all of it by itself.
    pub(super) fn flags(&self) -> String {
        let mut text = String::new();
        // Writing into text cannot fail.
        if let Some(profile) = &self.profile {
            let _ = write!(text, " --profile {}", shell_quoted(profile));
        }
        let Options { worksheet, header_row, skip_rows, encoding, delimiter, .. } = self.reading.options();
        let delimiter = delimiter.map(char::from);
        text.push_str(&flags(&finding::Reading { worksheet, header_row, skip_rows, encoding, delimiter }));
        if let Some(api) = self.api.and_then(|api| api.to_possible_value()) {
            let _ = write!(text, " --api {}", api.get_name());
        }
        for (rule, level) in &self.rules {
            let _ = write!(text, " --rule {}={}", rule.as_str(), level.as_str());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Typed {
        #[command(flatten)]
        how: HowRead,
    }

    #[test]
    fn what_was_typed_can_be_typed_again() {
        let typed = |line: &str| Typed::parse_from(["x"].into_iter().chain(line.split_whitespace())).how.flags();
        for line in
            ["", " --profile my.toml --worksheet 2 --skip-rows 3 --delimiter ';' --api v1 --rule total-differs=warn"]
        {
            assert_eq!(typed(&line.replace('\'', "")), line);
        }
    }
}
