//! Settings that a person changes without an editor: the change is shown first, and the rest of the file stays as it is.

use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use toml_edit::{DocumentMut, Item, Table, TableLike, value};

use crate::ledger::create_private_folder;

use super::error::ConfigError;
use super::file::File;
use super::masked::without_secrets;
use super::table::{STARTER, about};
use super::{Config, LOCAL};

/// A change of the configuration file that is not written yet.
#[derive(Debug, Clone)]
pub struct Edit {
    path: PathBuf,
    /// What the file says now; nothing where there is no file.
    before: Option<String>,
    after: String,
}

/// What a person enters once to be known to the service.
#[derive(Clone, Copy)]
pub enum Secret<'s> {
    /// A token.
    Token(&'s str),
    /// An account: its e-mail address and its password.
    Account {
        /// The e-mail address.
        email: &'s str,
        /// The password.
        password: &'s str,
    },
}

impl Config {
    /// What the file becomes once each setting has its value: settings by their dotted names, such as `rules.bad-pin`. One
    /// without a value is taken out.
    ///
    /// # Errors
    /// A file that cannot be read, or is written so that nothing can be changed in it; a value that is not valid there.
    pub fn edit(&self, settings: &[(&str, &str)]) -> Result<Edit, ConfigError> {
        self.changed(|table| settings.iter().for_each(|(name, text)| set(table, name, text)))
    }

    /// What the file becomes with these settings and with the name of a secret's file. A new file says what each is for; in one
    /// that is there, nothing but these changes.
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
    pub fn begin(&self, settings: &[(String, String)], secret: Option<Secret<'_>>) -> Result<Edit, ConfigError> {
        let path = self.file_to_write()?;
        let all = self.with_secret(settings, secret)?;
        if path.exists() {
            let all: Vec<(&str, &str)> = all.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            return self.edit(&all);
        }
        let after = written(&all);
        File::check(&after).map_err(|reason| ConfigError::Invalid { path: path.clone(), reason })?;
        Ok(Edit { path, before: None, after })
    }

    /// The same settings as lines, for whoever writes them into the file by hand.
    ///
    /// # Errors
    /// The machine tells no home folder.
    pub fn beginning(&self, settings: &[(String, String)], secret: Option<Secret<'_>>) -> Result<String, ConfigError> {
        Ok(written(&self.with_secret(settings, secret)?))
    }

    fn with_secret(
        &self,
        settings: &[(String, String)],
        secret: Option<Secret<'_>>,
    ) -> Result<Vec<(String, String)>, ConfigError> {
        let named = secret.map(|secret| self.naming(secret)).transpose()?.unwrap_or_default();
        let named = named.into_iter().map(|(name, text)| (name.to_owned(), text));
        Ok(settings.iter().cloned().chain(named).collect())
    }

    fn changed(&self, change: impl FnOnce(&mut Table)) -> Result<Edit, ConfigError> {
        let path = self.file_to_write()?;
        let unreadable = |source| ConfigError::Unreadable { path: path.clone(), source };
        let before = if path.exists() { Some(std::fs::read_to_string(&path).map_err(unreadable)?) } else { None };
        let invalid = |reason: String| ConfigError::Invalid { path: path.clone(), reason };
        // An error of the parser quotes the file, which may name secrets.
        let parsed = before.as_deref().unwrap_or_default().parse::<DocumentMut>();
        let mut document =
            parsed.map_err(|_| invalid("one section stands there twice: put its lines together first".to_owned()))?;
        change(document.as_table_mut());
        let after = document.to_string();
        File::check(&after).map_err(invalid)?;
        Ok(Edit { path, before, after })
    }

    /// The change that names the file of a secret, and nothing that would take precedence over it. Nothing is written.
    ///
    /// # Errors
    /// A configuration that cannot be changed.
    pub fn name_secret(&self, secret: Secret<'_>) -> Result<Edit, ConfigError> {
        let named = self.naming(secret)?;
        self.edit(&named.iter().map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>())
    }

    /// The settings that name the file of a secret, and those that would take precedence over it, without a value.
    fn naming(&self, secret: Secret<'_>) -> Result<Vec<(&'static str, String)>, ConfigError> {
        let path = self.secret_file(secret)?.display().to_string();
        let gone = |name| (name, String::new());
        Ok(match secret {
            Secret::Token(_) => vec![("token_file", path), gone("token_command"), gone("auth")],
            Secret::Account { email, .. } => vec![
                ("auth.email", email.to_owned()),
                ("auth.password_file", path),
                gone("auth.password_command"),
                gone("token_file"),
                gone("token_command"),
            ],
        })
    }

    /// Keeps a secret in a file for its owner alone, and names that file in the configuration.
    ///
    /// # Errors
    /// A file that cannot be written, or a configuration that cannot be changed.
    pub fn keep_secret(&self, secret: Secret<'_>) -> Result<(), ConfigError> {
        self.write_with(&self.name_secret(secret)?, Some(secret))
    }

    /// Writes a change, and before that the secret whose file it names, for its owner alone.
    ///
    /// # Errors
    /// A file that cannot be written, or has changed meanwhile.
    pub fn write_with(&self, edit: &Edit, secret: Option<Secret<'_>>) -> Result<(), ConfigError> {
        if let Some(secret) = secret {
            let (Secret::Token(text) | Secret::Account { password: text, .. }) = secret;
            let path = self.secret_file(secret)?;
            let unwritable = |source| ConfigError::Unwritable { path: path.clone(), source };
            create_private_folder(&self.folders.configuration()?).map_err(unwritable)?;
            write_whole(&path, text.trim(), None).map_err(unwritable)?;
        }
        edit.write()
    }

    /// Where a secret is kept.
    ///
    /// # Errors
    /// The machine tells no home folder.
    pub fn secret_file(&self, secret: Secret<'_>) -> Result<PathBuf, ConfigError> {
        let name = if matches!(secret, Secret::Token(_)) { "token" } else { "password" };
        Ok(self.folders.configuration()?.join(name))
    }

    /// The file in use, else the one that is the user's own.
    fn file_to_write(&self) -> Result<PathBuf, ConfigError> {
        let path = match self.file().map(Path::to_path_buf).or_else(|| Self::named(&self.overrides)) {
            Some(path) => path,
            None => self.folders.configuration()?.join(LOCAL),
        };
        // What a link leads to is changed, and the link stays.
        Ok(path.canonicalize().unwrap_or(path))
    }
}

impl Edit {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether anything changes.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.before.as_deref() != Some(self.after.as_str())
    }

    /// Whether there is no such file yet.
    #[must_use]
    pub const fn makes_file(&self) -> bool {
        self.before.is_none()
    }

    /// What tells the file that is to be changed from any other state of it.
    #[must_use]
    pub fn stamp(&self) -> String {
        let of_file = Sha256::digest(self.before.as_deref().unwrap_or_default());
        let text = |bytes: &[u8]| bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        format!("{}{}", u8::from(self.before.is_some()), text(&of_file))
    }

    /// The lines that go, and those that come, without secrets.
    #[must_use]
    pub fn lines(&self) -> (Vec<String>, Vec<String>) {
        let before: Vec<&str> = self.before.as_deref().unwrap_or_default().lines().collect();
        let after: Vec<&str> = self.after.lines().collect();
        let (gone, come) = differing(&before, &after);
        // Where a secret lies is none, if the program wrote it; what a person wrote there may be the secret itself.
        let is_place = |line: &str| line.split_once('=').is_some_and(|(name, _)| name.trim_end().ends_with("_file"));
        let own = |line: &str| if is_place(line) { line.to_owned() } else { without_secrets(line) };
        (gone.into_iter().map(without_secrets).collect(), come.into_iter().map(own).collect())
    }

    /// Writes the file as a whole; its rights stay what they were.
    ///
    /// # Errors
    /// The file has changed meanwhile, or cannot be written.
    pub fn write(&self) -> Result<(), ConfigError> {
        let unwritable = |source| ConfigError::Unwritable { path: self.path.clone(), source };
        let now =
            if self.path.exists() { Some(std::fs::read_to_string(&self.path).map_err(unwritable)?) } else { None };
        if now != self.before {
            return Err(ConfigError::Setting(format!("{} has changed meanwhile", self.path.display())));
        }
        if let Some(folder) = self.path.parent() {
            create_private_folder(folder).map_err(unwritable)?;
        }
        let rights = self.path.metadata().ok().map(|metadata| plain(metadata.permissions()));
        write_whole(&self.path, &self.after, rights).map_err(unwritable)
    }
}

/// A new file with these settings, and above them what the starter file says of each.
fn written(settings: &[(String, String)]) -> String {
    fn parted<'t>((name, value): (&'t str, &'t str)) -> (&'t str, &'t str, &'t str) {
        let (section, key) = name.split_once('.').unwrap_or(("", name));
        (section, key, value)
    }
    let set = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let mut set: Vec<(&str, &str, &str)> = set.filter(|(_, value)| !value.is_empty()).map(parted).collect();
    // What stands outside of all sections comes first.
    set.sort_by_key(|(section, ..)| !section.is_empty());
    let mut text = STARTER.split("\n\n").next().unwrap_or_default().to_owned() + "\n";
    let mut before = "";
    for (section, key, value) in set {
        if section.is_empty() || section != before {
            text.push('\n');
            for line in about(section, key) {
                text.extend(["# ", line, "\n"]);
            }
        }
        if section != before {
            text.extend(["[", section, "]\n"]);
        }
        let line = toml::Table::from_iter([(key.to_owned(), toml::Value::from(value))]);
        text += &toml::to_string(&line).unwrap_or_default();
        before = section;
    }
    text
}

/// Rights to read and write, as a file of text needs no others.
#[cfg(unix)]
fn plain(mut rights: std::fs::Permissions) -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    rights.set_mode(rights.mode() & 0o666);
    rights
}

#[cfg(not(unix))]
const fn plain(rights: std::fs::Permissions) -> std::fs::Permissions {
    rights
}

/// The lines of each text that the other does not have there: those between two that stand in both are passed over.
fn differing<'l>(before: &[&'l str], after: &[&'l str]) -> (Vec<&'l str>, Vec<&'l str>) {
    // How many lines the rests have in common from each pair of places on.
    let width = after.len() + 1;
    let mut common = vec![0_u32; (before.len() + 1) * width];
    for one in (0..before.len()).rev() {
        for other in (0..after.len()).rev() {
            common[one * width + other] = if before[one] == after[other] {
                common[(one + 1) * width + other + 1] + 1
            } else {
                common[(one + 1) * width + other].max(common[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other, mut gone, mut come) = (0, 0, Vec::new(), Vec::new());
    while one < before.len() || other < after.len() {
        if one < before.len() && other < after.len() && before[one] == after[other] {
            (one, other) = (one + 1, other + 1);
        } else if other == after.len()
            || (one < before.len() && common[(one + 1) * width + other] >= common[one * width + other + 1])
        {
            gone.push(before[one]);
            one += 1;
        } else {
            come.push(after[other]);
            other += 1;
        }
    }
    (gone, come)
}

/// Puts a file in its place at once: for its owner alone where no rights are given.
fn write_whole(path: &Path, text: &str, rights: Option<std::fs::Permissions>) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Some(rights) = rights {
        file.as_file().set_permissions(rights)?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Sets a value by its name, `section.name` or `name`; what is written around it stays.
fn set(table: &mut Table, name: &str, text: &str) {
    let Some((section, name)) = name.split_once('.') else {
        return put(table, name, text);
    };
    if text.is_empty() && !table.contains_key(section) {
        return;
    }
    let inner = table.entry(section).or_insert_with(|| Item::Table(Table::new()));
    if let Some(inner) = inner.as_table_like_mut() {
        put(inner, name, text);
    }
}

fn put(table: &mut dyn TableLike, name: &str, text: &str) {
    if text.is_empty() {
        table.remove(name);
    } else {
        set_value(table.entry(name).or_insert(Item::None), text);
    }
}

/// A value in the place of another one, whose comment stays.
fn set_value(item: &mut Item, text: &str) {
    let decor = item.as_value().map(|value| value.decor().clone());
    *item = value(text);
    if let (Some(value), Some(decor)) = (item.as_value_mut(), decor) {
        *value.decor_mut() = decor;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_lines_that_differ_are_shown_and_no_secret() {
        let before =
            "token_command = \"old\"\n[notify.night]\nwebhook = \"https://hooks.example/SECRET\"\n[auth]\na = 1";
        let after = "base_url = \"x\"\n[notify.night]\nwebhook = \"https://hooks.example/SECRET\"\n[auth]\na = 2";
        let edit =
            super::Edit { path: "shipsheet.toml".into(), before: Some(before.to_owned()), after: after.to_owned() };
        let (gone, come) = edit.lines();
        assert_eq!(gone, ["token_command = …", "a = 1"]);
        assert_eq!(come, ["base_url = \"x\"", "a = 2"]);
        let other = super::Edit { before: None, ..edit.clone() };
        assert_ne!(edit.stamp(), other.stamp());
    }

    use super::super::Overrides;
    use super::*;

    const WRITTEN: &str =
        "# ours\nbase_url = \"https://a.example\"  # the new one\n\n[rules] # agreed\nbad-pin = \"hold\" # always\n";

    fn config(folder: &Path, text: Option<&str>) -> Config {
        if let Some(text) = text {
            std::fs::write(folder.join("shipsheet.toml"), text).unwrap();
        }
        Config::open(Overrides { folder: Some(folder.to_owned()), sandbox: true, ..Overrides::default() }).unwrap()
    }

    #[test]
    fn a_change_leaves_the_rest_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let rule = crate::rule::RULES.iter().find(|rule| rule.kind.without_level().is_none()).unwrap().id;
        let text = WRITTEN.replace("bad-pin", rule.as_str());
        let config = config(folder.path(), Some(&text));
        let edit = config.edit(&[(&format!("rules.{rule}"), "off"), ("base_url", "https://b.example")]).unwrap();
        let (gone, come) = edit.lines();
        assert_eq!((gone.len(), come.len()), (2, 2), "{gone:?} {come:?}");
        edit.write().unwrap();
        let written = std::fs::read_to_string(folder.path().join("shipsheet.toml")).unwrap();
        assert_eq!(written, text.replace("\"hold\"", "\"off\"").replace("a.example", "b.example"));
        let late = edit.write().unwrap_err().to_string();
        assert!(late.contains("has changed meanwhile"), "{late}");
    }

    #[test]
    fn a_file_is_made_where_there_is_none_and_no_nonsense_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path(), None);
        assert!(config.edit(&[("rules.no-such-rule", "warn")]).is_err());
        config.edit(&[("base_url", "https://b.example")]).unwrap().write().unwrap();
        let written = std::fs::read_to_string(folder.path().join("shipsheet.toml")).unwrap();
        assert_eq!(written, "base_url = \"https://b.example\"\n");
    }

    #[test]
    fn a_secret_is_in_a_file_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path(), None);
        let account = Secret::Account { email: "a@b.example", password: " geheim\n" };
        let shown = config.name_secret(account).unwrap();
        assert_eq!(shown.lines().1.len(), 3, "{shown:?}");
        assert!(!folder.path().join("password").exists(), "it is only shown");
        config.keep_secret(account).unwrap();
        let kept = folder.path().join("password");
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "geheim");
        let written = std::fs::read_to_string(folder.path().join("shipsheet.toml")).unwrap();
        assert!(written.contains("[auth]\nemail = \"a@b.example\"") && !written.contains("geheim"), "{written}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&kept), mode(&folder.path().join("shipsheet.toml"))), (0o600, 0o600));
            let own = folder.path().join("shipsheet.toml");
            std::fs::set_permissions(&own, std::fs::Permissions::from_mode(0o4755)).unwrap();
            config.edit(&[("base_url", "https://b.example")]).unwrap().write().unwrap();
            assert_eq!(own.metadata().unwrap().permissions().mode() & 0o7777, 0o644);
        }
    }

    #[test]
    fn a_new_file_says_what_its_settings_are_for() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path(), None);
        let said = [("base_url", "https://a.example"), ("defaults.parcelAttributes.weight.weight", "0.5")];
        let said = said.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let account = Secret::Account { email: "a@b.example", password: "geheim" };
        let edit = config.begin(&said, Some(account)).unwrap();
        let text = edit.lines().1.join("\n");
        let all =
            ["\n# Where to book: ", "\nbase_url = \"https://a.example\"\n", "\n# What stands in", "\n[defaults]\n"];
        for part in all.into_iter().chain(["\n\"parcelAttributes.weight.weight\" = \"0.5\"\n", "\n[auth]\nemail = "]) {
            assert!(text.contains(part), "{part:?} in {text}");
        }
        assert!(!folder.path().join("password").exists(), "it is only shown");
        config.write_with(&edit, Some(account)).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("password")).unwrap(), "geheim");
        let again = Config::open(Overrides { folder: Some(folder.path().to_owned()), ..Overrides::default() }).unwrap();
        assert_eq!(again.base_url(), Some("https://a.example"));
        let change = again.begin(&[("base_url".to_owned(), "https://b.example".to_owned())], None).unwrap();
        assert_eq!(change.lines().1, ["base_url = \"https://b.example\""], "the rest of a file that is there stays");
    }

    #[test]
    fn an_account_that_is_entered_is_the_one_that_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path(), Some("token_command = \"give\"\n"));
        config.keep_secret(Secret::Token("abc")).unwrap();
        let written = || std::fs::read_to_string(folder.path().join("shipsheet.toml")).unwrap();
        assert!(written().starts_with("token_file = ") && !written().contains("token_command"), "{}", written());
        config.keep_secret(Secret::Account { email: "a@b.example", password: "geheim" }).unwrap();
        assert!(written().starts_with("[auth]\nemail = ") && !written().contains("token"), "{}", written());
        config.keep_secret(Secret::Token("abc")).unwrap();
        assert!(written().starts_with("token_file = ") && !written().contains("auth"), "{}", written());
    }
}
