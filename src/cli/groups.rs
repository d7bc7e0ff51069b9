//! `--help` in groups: what stands in each comes from the definitions of the commands.

use std::fmt::Write;

use clap::{Command, CommandFactory};

use super::args::Cli;

/// The commands in the order in which somebody comes to need them.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Book", &["check", "import", "resume", "retry", "watch", "desk"]),
    ("Look", &["status", "runs", "show", "report", "export", "rejects"]),
    ("Answer", &["accept", "doubt", "dismiss"]),
    ("After", &["label", "track", "cancel"]),
    ("Sheets", &["template", "profile", "rules", "explain", "fields"]),
    ("Service", &["service"]),
    ("Keep", &["ledger", "night", "doctor", "sandbox", "selftest", "completions", "config"]),
];

/// The command line, with its commands in groups.
pub(super) fn command_line() -> Command {
    let command = Cli::command();
    let help = help(&command);
    command.help_template(help)
}

/// What `--help` prints, as a template of the parser; it fills in the names between braces.
fn help(command: &Command) -> String {
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let width = command.get_subcommands().map(|own| own.get_name().len()).max().unwrap_or_default();
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        // Writing into text cannot fail.
        let _ = writeln!(text, "\n{header}{group}:{header:#}");
        for own in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let (name, about) = (own.get_name(), own.get_about().map(ToString::to_string).unwrap_or_default());
            let _ = writeln!(text, "  {literal}{name:<width$}{literal:#}  {about}");
        }
    }
    let _ = write!(text, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters on a line of a small terminal.
    const LINE: usize = 80;

    #[test]
    fn every_command_stands_in_one_group_and_on_one_line() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = Cli::command();
        let mut defined: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        grouped.sort_unstable();
        defined.sort_unstable();
        assert_eq!(grouped, defined, "the commands of GROUPS, and those of `Command` in args.rs");
        let help = anstream::adapter::strip_str(&help(&command)).to_string();
        let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > LINE).collect();
        assert_eq!(long, Vec::<&str>::new());
    }
}
