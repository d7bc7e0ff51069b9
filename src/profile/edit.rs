//! A profile's text with what a person says of its sheets. All else stays as it is written.

use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, TomlError, value};

use crate::field::{Field, Id, normalised};

use super::file::ProfileError;
use super::values::{ANY_OTHER, Meaning, plain};

/// The text of a profile that is being changed.
#[derive(Debug)]
pub(crate) struct ProfileText {
    name: String,
    document: DocumentMut,
}

type Result<T> = std::result::Result<T, ProfileError>;

/// How a column feeds its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feeding {
    /// By itself.
    #[default]
    Alone,
    /// As the price of all pieces of its row, and not of one.
    AllPieces,
    /// As the weight of the whole parcel, which rows of an order repeat.
    Whole,
    /// As the weight of all pieces of its row: the weights of an order's rows are added up.
    EachRow,
    /// As the weight of one piece: the same, by the pieces of each row.
    EachPiece,
    /// Behind the column that feeds it: the family name behind the first one, more of the address behind its first line.
    Further,
}

/// The use of a column of amounts that no header explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AmountUse {
    /// It is sent as the shipping charges.
    Shipping,
    /// It is sent as other charges.
    OtherCharges,
    /// It is sent as the discount on the order.
    Discount,
    /// It is paid already.
    Paid,
    /// It is to be collected.
    Collect,
    /// The order comes to it.
    Order,
    /// It changes nothing.
    Nothing,
}

impl AmountUse {
    /// Each of them, in the order in which they are offered.
    pub const ALL: [Self; 7] =
        [Self::Shipping, Self::OtherCharges, Self::Discount, Self::Paid, Self::Collect, Self::Order, Self::Nothing];

    /// The word for it in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shipping => "shipping",
            Self::OtherCharges => "other-charges",
            Self::Discount => "discount",
            Self::Paid => "paid",
            Self::Collect => "collect",
            Self::Order => "order",
            Self::Nothing => "nothing",
        }
    }

    /// The same for a person.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Shipping => "what the customer pays for shipping",
            Self::OtherCharges => "other charges",
            Self::Discount => "a discount on the whole order",
            Self::Paid => "what the customer has paid already",
            Self::Collect => "what is still to be collected",
            Self::Order => "what the whole order comes to",
            Self::Nothing => "nothing that changes what is collected",
        }
    }

    /// Whether only one column of a sheet can be it.
    #[must_use]
    pub const fn is_of_one(self) -> bool {
        !matches!(self, Self::Paid | Self::Nothing)
    }

    /// The field that it is sent as.
    #[must_use]
    pub const fn field(self) -> Option<Id> {
        match self {
            Self::Shipping => Some(Id::ShippingCharges),
            Self::OtherCharges => Some(Id::OtherCharges),
            Self::Discount => Some(Id::Discount),
            _ => None,
        }
    }
}

impl ProfileText {
    /// Begins with the text of a profile, which is called so where that cannot be read.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self> {
        let document: DocumentMut = text.parse().map_err(|error: TomlError| wrong(name, &error.to_string()))?;
        Ok(Self { name: name.to_owned(), document })
    }

    pub(crate) fn set_name(&mut self, name: &str) {
        self.document.insert("name", value(name));
    }

    /// Puts a prefix before each order number. The sheets of two shops may have the same headers: it is recognised by none.
    pub(crate) fn set_prefix(&mut self, prefix: &str) {
        self.document.remove("recognised_by");
        self.document.insert("prefix", value(prefix));
    }

    /// Takes rows without an order number for products of the order above.
    pub(crate) fn set_lines_below(&mut self) {
        self.document.insert("fill_down", value(true));
    }

    /// Sets one value for all orders.
    pub(crate) fn set_default(&mut self, field: &str, text: &str) -> Result<()> {
        self.table("defaults")?.insert(field, value(text));
        Ok(())
    }

    /// Feeds a field from a column: from nothing else, or behind what feeds it.
    pub(crate) fn feed(&mut self, field: &'static Field, header: &str, how: Feeding) -> Result<()> {
        self.feed_nothing(header)?;
        let (first, field) = (field, if how == Feeding::Further { field.further() } else { field });
        let columns = self.table("columns")?;
        let before = columns.get(field.path).filter(|_| how == Feeding::Further);
        let fed = match (how, before) {
            (Feeding::AllPieces, _) => {
                let recipe = [("column", toml_edit::Value::from(header)), ("line_total", true.into())];
                value(InlineTable::from_iter(recipe))
            }
            (Feeding::Whole | Feeding::EachRow | Feeding::EachPiece, _) => {
                let is_in_parts = how != Feeding::Whole;
                let recipe = [("column", toml_edit::Value::from(header)), ("each_line", is_in_parts.into())];
                value(InlineTable::from_iter(recipe))
            }
            // A whole name that was parted is a first name beside a column of family names.
            (_, Some(own)) if is_parted(own) => {
                let whole = sources(own).into_iter().next().unwrap_or_default();
                columns.insert(first.path, value(whole));
                value(header)
            }
            (_, Some(own)) => joined(sources(own).into_iter().chain([header.to_owned()]), field),
            _ => value(header),
        };
        self.table("columns")?.insert(field.path, fed);
        if let Some(defaults) = self.document.get_mut("defaults").and_then(Item::as_table_like_mut) {
            defaults.remove(field.path);
        }
        Ok(())
    }

    /// Multiplies what feeds a field with the pieces of each row.
    pub(crate) fn times(&mut self, field: &Field, pieces: &str) -> Result<()> {
        if let Some(recipe) = self.table("columns")?.get_mut(field.path).and_then(Item::as_inline_table_mut) {
            recipe.insert("times", pieces.into());
        }
        Ok(())
    }

    /// Uses a column of amounts so, beside the `others` that the profile below it uses so. A field takes them from one column.
    pub(crate) fn use_amount(&mut self, header: &str, used: AmountUse, others: &[&str]) -> Result<()> {
        match (used.field(), used) {
            (Some(id), _) => {
                let before = self.table("columns")?.get(id.field().path).map(sources).unwrap_or_default();
                if let Some(other) = before.first().filter(|other| *other != header) {
                    let what = format!("\"{other}\" is {} already, and \"{header}\" cannot be it, too", used.words());
                    return Err(wrong(&self.name, &what));
                }
                self.feed(id.field(), header, Feeding::Alone)
            }
            (None, AmountUse::Nothing) => self.ignore(header),
            (None, _) => {
                self.feed_nothing(header)?;
                let totals = self.table("totals")?;
                let mut all = totals.get(used.as_str()).map(headers).unwrap_or_default();
                for own in others.iter().copied().chain([header]) {
                    all.retain(|before| before != own);
                    all.push(own.to_owned());
                }
                totals.insert(used.as_str(), value(all.into_iter().collect::<Array>()));
                Ok(())
            }
        }
    }

    /// Passes a column over, whatever it holds.
    pub(crate) fn ignore(&mut self, header: &str) -> Result<()> {
        self.feed_nothing(header)?;
        self.forget_values(header);
        let name = &self.name;
        let ignored = self.document.entry("ignore").or_insert_with(|| value(Array::new()));
        ignored.as_array_mut().ok_or_else(|| wrong(name, "ignore is no list"))?.push(header);
        Ok(())
    }

    /// Lets the orders of a column go, whatever its values are.
    pub(crate) fn let_all_go(&mut self, header: &str) -> Result<()> {
        self.forget_values(header);
        self.add_values(header, &[(ANY_OTHER.to_owned(), Meaning::Go)])
    }

    /// Adds the meanings of values of a column; other meanings that these had no longer hold.
    pub(crate) fn add_values(&mut self, header: &str, means: &[(String, Meaning)]) -> Result<()> {
        let is_new = !self.document.contains_key("values");
        let values = self.table("values")?;
        let key = keys(values, header).into_iter().next().unwrap_or_else(|| header.to_owned());
        let column = values.entry(&key).or_insert_with(|| Item::Table(Table::new()));
        if let Some(column) = column.as_table_like_mut() {
            for (text, meaning) in means {
                for (_, words) in column.iter_mut() {
                    if let Some(words) = words.as_array_mut() {
                        words.retain(|word| word.as_str().map(plain) != Some(plain(text)));
                    }
                }
                let words = column.entry(meaning.as_str()).or_insert_with(|| value(Array::new()));
                if let Some(words) = words.as_array_mut() {
                    words.push(text.as_str());
                }
            }
        }
        if let Some(table) = self.document.get_mut("values").and_then(Item::as_table_mut).filter(|_| is_new) {
            table.set_implicit(true);
        }
        Ok(())
    }

    pub(crate) fn into_text(self) -> String {
        self.document.to_string()
    }

    /// Takes a column out of all that feeds a field, out of the amounts that are compared, and out of those that are not sent.
    fn feed_nothing(&mut self, header: &str) -> Result<()> {
        if self.document.contains_key("columns") {
            let columns = self.table("columns")?;
            let fed = columns.iter().filter(|(_, item)| sources(item).iter().any(|own| own == header));
            let fed: Vec<(String, Vec<String>)> = fed.map(|(key, item)| (key.to_owned(), sources(item))).collect();
            for (key, mut others) in fed {
                others.retain(|own| own != header);
                match (others.as_slice(), Field::by_path(&key)) {
                    ([only], _) => drop(columns.insert(&key, value(only))),
                    ([_, _, ..], Some(field)) => drop(columns.insert(&key, joined(others, field))),
                    _ => drop(columns.remove(&key)),
                }
            }
        }
        if self.document.contains_key("totals") {
            let totals = self.table("totals")?;
            let lines: Vec<(String, Vec<String>)> =
                totals.iter().map(|(line, item)| (line.to_owned(), headers(item))).collect();
            for (line, mut own) in lines {
                let before = own.len();
                own.retain(|own| own != header);
                match own.len() {
                    0 => drop(totals.remove(&line)),
                    after if after < before => drop(totals.insert(&line, value(own.into_iter().collect::<Array>()))),
                    _ => {}
                }
            }
        }
        for list in ["left_out", "ignore"] {
            if let Some(headers) = self.document.get_mut(list).and_then(Item::as_array_mut) {
                headers.retain(|own| own.as_str() != Some(header));
            }
        }
        Ok(())
    }

    fn forget_values(&mut self, header: &str) {
        if let Some(values) = self.document.get_mut("values").and_then(Item::as_table_like_mut) {
            for key in keys(values, header) {
                values.remove(&key);
            }
        }
    }

    /// A table of it, which is made where there is none.
    fn table(&mut self, name: &str) -> Result<&mut dyn TableLike> {
        let Self { name: profile, document } = self;
        let table = document.entry(name).or_insert_with(|| Item::Table(Table::new()));
        table.as_table_like_mut().ok_or_else(|| wrong(profile, &format!("[{name}] is no table")))
    }
}

/// The columns that a field is made of, one alone or several one behind the other.
fn sources(item: &Item) -> Vec<String> {
    let of_recipe = |key: &str| item.as_table_like().and_then(|recipe| recipe.get(key));
    let one = item.as_str().or_else(|| of_recipe("column")?.as_str());
    let several = of_recipe("join").and_then(Item::as_array).into_iter().flatten().filter_map(toml_edit::Value::as_str);
    one.into_iter().chain(several).map(str::to_owned).collect()
}

/// One header, or several in a list.
fn headers(item: &Item) -> Vec<String> {
    let several = item.as_array().into_iter().flatten().filter_map(toml_edit::Value::as_str);
    item.as_str().into_iter().chain(several).map(str::to_owned).collect()
}

fn is_parted(item: &Item) -> bool {
    item.as_table_like().is_some_and(|recipe| recipe.contains_key("part"))
}

fn joined(headers: impl IntoIterator<Item = String>, field: &Field) -> Item {
    let headers = Array::from_iter(headers);
    value(InlineTable::from_iter([("join", toml_edit::Value::from(headers)), ("with", field.between().into())]))
}

fn wrong(name: &str, what: &str) -> ProfileError {
    ProfileError::Wrong { name: name.to_owned(), what: format!(" {what}") }
}

/// The keys under which a table has the column of a header.
fn keys(values: &dyn TableLike, header: &str) -> Vec<String> {
    let is_it = |key: &&str| normalised(key) == normalised(header);
    values.iter().map(|(key, _)| key).filter(is_it).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Id;
    use crate::profile::Profile;

    fn changed(text: &str, change: impl FnOnce(&mut ProfileText) -> Result<()>) -> String {
        let mut own = ProfileText::parse("x", text).unwrap();
        change(&mut own).unwrap();
        own.into_text()
    }

    fn said(text: &str, meaning: Meaning) -> (String, Meaning) {
        (text.to_owned(), meaning)
    }

    #[test]
    fn columns_feed_a_field_one_behind_the_other() {
        let [name, line] = [Id::ReceiverFirstName, Id::DestinationLine1].map(Id::field);
        let text = "[columns]\n\"receiver.firstName\" = { column = \"Who\", part = \"first-name\" }\n\
            \"receiver.lastName\" = { column = \"Who\", part = \"last-name\" }\n\"destination.addressLine1\" = \"Where\"\n";
        let text = changed(text, |own| own.feed(name, "Family", Feeding::Further));
        assert!(text.contains("\"receiver.firstName\" = \"Who\"\n\"receiver.lastName\" = \"Family\""), "{text}");
        let text = ["Area", "Near"]
            .iter()
            .fold(text, |text, header| changed(&text, |own| own.feed(line, header, Feeding::Further)));
        let joined = "\"destination.addressLine2\" = { join = [\"Area\", \"Near\"], with = \", \" }";
        assert!(text.contains(joined), "{text}");
        Profile::parse("x", &text).unwrap();
        // A column that feeds something else from now on is no part of it.
        let text = changed(&text, |own| own.feed(Id::DestinationCity.field(), "Near", Feeding::Alone));
        assert!(text.contains("\"destination.addressLine2\" = \"Area\""), "{text}");
    }

    #[test]
    fn what_is_said_of_values_is_added_to_a_profile_as_it_stands() {
        let text = "name = \"laden\" # mine\n\n[values.\"Zahlungsart\"]\npaid = [\"Rechnung\"]\n";
        let means = [said("Nachnahme", Meaning::Collect), said("Rechnung", Meaning::Unpaid)];
        let text = changed(text, |own| own.add_values("Zahlungsart", &means));
        assert!(text.starts_with("name = \"laden\" # mine\n"), "{text}");
        let text = changed(&text, |own| own.add_values("Statut", &[said("Annulé", Meaning::Cancelled)]));
        let profile = Profile::parse("laden", &text).unwrap();
        let meaning = |header: &str, value: &str| profile.values[header].meaning(value);
        assert_eq!(meaning("Zahlungsart", "nachnahme "), Some(Meaning::Collect));
        assert_eq!(meaning("Zahlungsart", "RECHNUNG"), Some(Meaning::Unpaid));
        assert_eq!(meaning("Zahlungsart", "Vorkasse"), None);
        assert_eq!(meaning("Statut", "annulé"), Some(Meaning::Cancelled));
        assert!(profile.values["Zahlungsart"].are_payments() && !profile.values["Statut"].are_payments());
        let text = changed(&text, |own| own.ignore("Statut"));
        assert!(text.contains("ignore = [\"Statut\"]") && !text.contains("[values.Statut]"), "{text}");
    }

    #[test]
    fn a_new_meaning_takes_the_place_of_the_one_before_however_it_is_spelled() {
        let text = "[values.Status]\nhold = [\"ON HOLD\"]\n";
        let text = changed(text, |own| own.add_values("STATUS", &[said("on hold", Meaning::Cancelled)]));
        let profile = Profile::parse("x", &text).unwrap();
        assert_eq!(profile.values.len(), 1, "{text}");
        assert_eq!(profile.values["Status"].meaning("On Hold"), Some(Meaning::Cancelled), "{text}");
        let text = changed(&text, |own| own.let_all_go("Status"));
        assert_eq!(
            Profile::parse("x", &text).unwrap().values["Status"].meaning("On Hold"),
            Some(Meaning::Go),
            "{text}"
        );
    }

    #[test]
    fn amounts_are_sent_compared_or_passed_over() {
        let text = "left_out = [\"Fracht\", \"Summe\"]\n\n[totals]\npaid = \"Anzahlung\"\n";
        let uses = [
            ("Fracht", AmountUse::Shipping),
            ("Summe", AmountUse::Order),
            ("Gutschrift", AmountUse::Paid),
            ("Regal", AmountUse::Nothing),
        ];
        let text = changed(text, |own| uses.iter().try_for_each(|(header, used)| own.use_amount(header, *used, &[])));
        let profile = Profile::parse("x", &text).unwrap();
        assert!(profile.columns.contains_key(&Id::ShippingCharges) && profile.ignored == ["Regal"], "{text}");
        assert!(text.contains("left_out = []"), "{text}");
        assert!(
            text.contains("order = [\"Summe\"]") && text.contains("paid = [\"Anzahlung\", \"Gutschrift\"]"),
            "{text}"
        );
        // A column has one use: the last that was said.
        let other = changed(&text, |own| own.use_amount("Anzahlung", AmountUse::Nothing, &[]));
        assert!(other.contains("paid = [\"Gutschrift\"]") && other.contains("\"Anzahlung\"]"), "{other}");
        let based = "based_on = \"shopify\"\n";
        let based = changed(based, |own| own.use_amount("Advance", AmountUse::Paid, &["Amount Paid"]));
        assert!(based.contains("paid = [\"Amount Paid\", \"Advance\"]"), "{based}");
        let mut own = ProfileText::parse("x", &text).unwrap();
        let twice = own.use_amount("Porto", AmountUse::Shipping, &[]).unwrap_err().to_string();
        assert!(twice.contains("\"Fracht\" is what the customer pays for shipping already"), "{twice}");
    }

    #[test]
    fn a_column_feeds_one_field_or_none() {
        let text =
            "ignore = [\"B\"] # not ours\n\n[columns]\nsellerNote = \"A\"\n\n[defaults]\nwarehouseId = \"WH-1\"\n";
        let text = changed(text, |own| own.feed(Id::WarehouseId.field(), "A", Feeding::Alone));
        let text = changed(&text, |own| own.feed(Id::Price.field(), "B", Feeding::AllPieces));
        let profile = Profile::parse("x", &text).unwrap();
        assert!(profile.defaults.is_empty() && profile.ignored.is_empty(), "{text}");
        assert_eq!(profile.columns.keys().copied().collect::<Vec<_>>(), [Id::WarehouseId, Id::Price], "{text}");
        assert!(profile.columns[&Id::Price].is_line_total(), "{text}");
        let profile = Profile::parse("x", &changed(&text, |own| own.ignore("B"))).unwrap();
        assert!(!profile.columns.contains_key(&Id::Price) && profile.ignored == ["B"]);
    }
}
