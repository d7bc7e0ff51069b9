//! What the configuration says, without its secrets.

/// A message that quotes the configuration, without what stands behind a name that a secret may stand behind: people
/// write `token = "…"` though it is not a setting, and errors end up in tickets.
pub(super) fn without_secrets(message: &str) -> String {
    let masked = message.lines().map(|line| match line.split_once('=') {
        Some((name, _)) if is_secret(name) => format!("{name}= …"),
        _ => line.to_owned(),
    });
    masked.collect::<Vec<_>>().join("\n")
}

/// The same of a message about a name that nobody knows: what stands behind it may be a secret whose name is misspelled.
pub(super) fn without_values(message: &str) -> String {
    let masked = message.lines().map(|line| match line.split_once('=').filter(|(before, _)| before.contains(" | ")) {
        Some((name, _)) => format!("{name}= …"),
        None => line.to_owned(),
    });
    masked.collect::<Vec<_>>().join("\n")
}

/// Whether what stands behind a name may be a secret; whoever knows the address of a webhook or a ping may ask for it.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_ping = name.split_whitespace().next_back() == Some("ping");
    is_ping || ["token", "password", "secret", "webhook"].iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{without_secrets, without_values};

    #[test]
    fn errors_quote_names_and_not_secrets() {
        let message = "at line 1\n  |\n1 | Token = \"abc\"\n  | ^^^^^\nunknown field `token`";
        assert_eq!(without_secrets(message), "at line 1\n  |\n1 | Token = …\n  | ^^^^^\nunknown field `token`");
        let unknown = "  |\n2 | tokn = \"abc\"\n  | ^^^^\nunknown field `tokn`, expected `a = b`";
        assert_eq!(without_values(unknown), unknown.replace(" \"abc\"", " …"));
        for shown in ["1 | warehouse = \"WH\"", "2 | shippingCharges = 5"] {
            assert_eq!(without_secrets(shown), shown);
        }
        assert_eq!(without_secrets("3 | ping = \"https://hc-ping.com/0f1e\""), "3 | ping = …");
    }
}
