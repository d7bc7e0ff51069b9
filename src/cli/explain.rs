//! `explain`: why an order of a sheet goes or stays.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::app::{
    ColumnReason, ColumnRole, Exit, Explained, ExplainedColumn, ExplainedFinding, ExplainedRemark, Outcome,
    RemarkMeaning,
};
use crate::config::Sheets;
use crate::field::{ExtraRole, StateRole};
use crate::finding::{RuleId, english};
use crate::ledger::State;
use crate::profile::Meaning;
use crate::report::ProblemEntry;
use crate::rule::{Rule, RuleKind, RuleLevel};
use crate::text::{count, list, moment};

use super::conclude::events;
use super::console::print;
use super::document::{Kind, print_document};
use super::global::{Format, Verbosity};
use super::remedy::words;
use super::rules::from;
use super::settings::Settings;

/// What is to be explained.
#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The order sheet (CSV or workbook)
    sheet: std::path::PathBuf,
    /// The order number
    order: String,
    /// A profile: its name (`shipsheet profile list`), or its TOML file [default: recognised by the headers]
    #[arg(long, value_name = "NAME|FILE")]
    profile: Option<String>,
    #[command(flatten)]
    reading: super::profile::Reading,
    /// As it would be where nobody is asked
    #[arg(long)]
    unattended: bool,
}

/// The effect of a finding.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Effect {
    /// The order stays.
    Holds,
    /// The order goes, and it is told.
    Warns,
    /// Its rule is off.
    Off,
    /// A person accepted it.
    Accepted,
}

impl Effect {
    const fn of(explained: &ExplainedFinding) -> Self {
        match (&explained.finding.accepted, explained.level) {
            (Some(_), _) => Self::Accepted,
            (None, Some(RuleLevel::Off)) => Self::Off,
            (None, _) => match explained.finding.level {
                crate::finding::Level::Hold => Self::Holds,
                crate::finding::Level::Warn => Self::Warns,
            },
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Warns => "warns",
            Self::Off => "off",
            Self::Accepted => "accepted",
        }
    }
}

/// What a column is, in words.
fn role(role: ColumnRole) -> String {
    let beside = match role {
        ColumnRole::Field(field) => return field.path.to_owned(),
        ColumnRole::Ours => "written by shipsheet, and ignored",
        ColumnRole::LeftOut => "left out",
        ColumnRole::Beside(role) => match role {
            ExtraRole::Order => "the order's total, to compare",
            ExtraRole::Total => "a total, to compare",
            ExtraRole::Collect => "what is to be collected",
            ExtraRole::Open => "what is not paid yet",
            ExtraRole::Paid => "what is paid already",
            ExtraRole::Beside => "an amount that no field carries",
            ExtraRole::Perhaps => "perhaps money",
            ExtraRole::Tax => "an amount of tax",
            ExtraRole::TaxOnTop => "whether tax comes on top",
            ExtraRole::Same(field) => return format!("a second column for {}", field.field().path),
            ExtraRole::Measure(field) => return format!("a measure, perhaps {}", field.field().path),
            ExtraRole::PercentOff => "a discount in percent",
            ExtraRole::DiscountIn => "whether a discount is in percent",
            ExtraRole::Receipt => "the number of a payment",
            ExtraRole::ListPrice => "the list price",
            ExtraRole::Pieces => "the pieces that the line's price is for",
            ExtraRole::Sign(StateRole::Note | StateRole::Kind | StateRole::Courier) => {
                "a note, whose words may hold the order"
            }
            ExtraRole::Sign(StateRole::Payment) => "how far the payment is",
            ExtraRole::Sign(_) => "whether the order goes",
            ExtraRole::Address(_) => "a part of the address",
        },
    };
    beside.to_owned()
}

fn reason(column: &ExplainedColumn) -> String {
    match &column.because {
        ColumnReason::Header => "header".to_owned(),
        ColumnReason::Cells => "header and cells".to_owned(),
        ColumnReason::Profile(name) => format!("profile {name}"),
        ColumnReason::You(None) => "you said so".to_owned(),
        ColumnReason::You(Some(name)) => format!("you said so (profile {name})"),
        ColumnReason::Nothing => String::new(),
    }
}

fn header(column: &ExplainedColumn) -> &str {
    column.place.column.as_ref().map_or("", |own| own.header.as_str())
}

/// The document of `explain`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Why an order of a sheet goes or stays")]
pub(super) struct Document {
    /// The name of the order's sheet.
    sheet: String,
    /// The order number.
    order: String,
    /// Its rows; empty where it is no order, or its sheet cannot be used.
    rows: String,
    /// Whether it `goes`, `stays` or is `left-out`; of an order that the ledger has already, where it stands there.
    outcome: Outcome,
    /// The columns of its sheet.
    columns: Vec<ColumnEntry>,
    /// All that was said of the order and of its sheet.
    findings: Vec<FindingEntry>,
    /// How the remarks in its rows were read.
    remarks: Vec<RemarkEntry>,
    /// The rules and faults that had nothing to say.
    silent: Vec<&'static str>,
    /// The body that would be sent; null of an order that does not go.
    #[schemars(extend("type" = ["object", "null"]))]
    request: Option<Value>,
    exit: Exit,
}

/// A remark.
#[derive(Serialize, JsonSchema)]
struct RemarkEntry {
    /// The cell.
    place: String,
    /// The text that stands there.
    found: String,
    /// The words of it that are known.
    words: Vec<WordEntry>,
    /// Whether any word of it is known.
    is_read: bool,
    /// The rule that spoke of it; null where none did.
    rule: Option<&'static str>,
    /// Its meaning for the order, in words.
    means: String,
}

/// Words of a remark.
#[derive(Serialize, JsonSchema)]
struct WordEntry {
    /// The words as they stand there.
    found: String,
    /// Their meaning.
    sense: String,
}

/// A column.
#[derive(Serialize, JsonSchema)]
struct ColumnEntry {
    /// The cell of its header.
    place: String,
    /// Its header.
    header: String,
    /// API paths of the fields that it feeds, or words for what else it says.
    is: Vec<String>,
    /// The reason: `header`, `header and cells`, `profile` with its name, or a person's word; empty where nothing
    /// says what it is.
    because: String,
    /// The values of which a person said what they mean.
    values: Vec<ValueEntry>,
}

/// A value.
#[derive(Serialize, JsonSchema)]
struct ValueEntry {
    /// The value.
    value: String,
    /// Its meaning.
    means: Meaning,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
struct FindingEntry {
    /// The effect on the order.
    effect: Effect,
    /// The level of its rule; null where it has none.
    rule_level: Option<RuleLevel>,
    /// Where the level comes from.
    from: String,
    #[serde(flatten)]
    #[schemars(schema_with = "ProblemEntry::among_others")]
    problem: ProblemEntry,
}

/// Explains an order.
pub(super) fn explain(settings: &Settings, arguments: &Explain) -> Result<Exit> {
    let sheets = Sheets {
        profile: arguments.profile.clone(),
        reading: arguments.reading.options(),
        is_unattended: arguments.unattended,
        ..Sheets::of([&arguments.sheet])
    };
    let explained = settings.app.explain(&sheets, &arguments.order, &mut events(settings))?;
    if settings.format == Format::Json {
        print_document(Kind::Explain, &document(settings, explained))?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    write(&mut text, settings, &explained)?;
    print(&text)?;
    Ok(Exit::Done)
}

fn document(settings: &Settings, explained: Explained) -> Document {
    let words = words(&settings.command);
    let column = |column: &ExplainedColumn| ColumnEntry {
        place: column.place.to_string(),
        header: header(column).to_owned(),
        is: column.is.iter().map(|is| role(*is)).collect(),
        because: reason(column),
        values: column
            .values
            .iter()
            .map(|(value, meaning)| ValueEntry { value: value.clone(), means: *meaning })
            .collect(),
    };
    let finding = |own: &ExplainedFinding| FindingEntry {
        effect: Effect::of(own),
        rule_level: own.level,
        from: from(&own.because),
        problem: ProblemEntry::of(&own.finding, &words),
    };
    let remark = |own: &ExplainedRemark| RemarkEntry {
        place: own.place.to_string(),
        found: own.text.clone(),
        words: own
            .words
            .iter()
            .map(|(found, sense)| WordEntry { found: found.clone(), sense: sense.clone() })
            .collect(),
        is_read: !matches!(own.means, RemarkMeaning::Unread(_)),
        rule: match own.means {
            RemarkMeaning::Ruled(rule) => Some(rule.as_str()),
            RemarkMeaning::Unread(_) => Some(RuleId::UnreadRemarks.as_str()),
            RemarkMeaning::Answered(_) | RemarkMeaning::Harmless => None,
        },
        means: meaning(own),
    };
    Document {
        remarks: explained.remarks.iter().map(remark).collect(),
        request: explained.request,
        outcome: explained.outcome,
        columns: explained.columns.iter().map(column).collect(),
        findings: explained.findings.iter().map(finding).collect(),
        silent: explained.silent.iter().map(|rule| rule.as_str()).collect(),
        sheet: explained.sheet,
        order: explained.order,
        rows: explained.rows,
        exit: Exit::Done,
    }
}

fn write(text: &mut Vec<u8>, settings: &Settings, explained: &Explained) -> Result<()> {
    let rows = if explained.rows.is_empty() { &explained.sheet } else { &explained.rows };
    writeln!(text, "order {} ({rows})\n\ncolumns of {}", explained.order, explained.sheet)?;
    let shown: Vec<[String; 3]> = explained.columns.iter().map(shown).collect();
    let width = |at: usize| shown.iter().map(|row| row[at].chars().count()).max().unwrap_or_default();
    let (places, roles) = (width(0), width(1));
    for ([place, is, because], column) in shown.iter().zip(&explained.columns) {
        writeln!(text, "{}", format!("  {place:<places$}  {is:<roles$}  {because}").trim_end())?;
        for (value, meaning) in &column.values {
            writeln!(text, "      \"{value}\" means {}", meaning.as_str())?;
        }
    }
    writeln!(text, "\nwhat was found")?;
    let words = words(&settings.command);
    for own in &explained.findings {
        let rule = own.rule.map_or(own.finding.id.as_str(), |rule| rule.id.as_str());
        let found = own.finding.found.as_ref().filter(|found| !found.is_empty());
        let found = found.map_or_else(String::new, |found| format!(", found \"{found}\""));
        let place = own.finding.place.as_ref().map_or_else(String::new, |place| format!(" at {place}{found}"));
        writeln!(text, "  {rule} {}{place}", Effect::of(own).as_str())?;
        writeln!(text, "    {}", english::message(&own.finding))?;
        writeln!(text, "    {}", level(own))?;
        let advice = english::advice(&own.finding, &*words);
        if !advice.is_empty() && own.finding.holds() {
            writeln!(text, "    hint: {advice}")?;
        }
    }
    let silent = explained.silent.len() as u64;
    let which = if settings.verbosity == Verbosity::Verbose { ":" } else { "; -v names them" };
    writeln!(text, "  {} looked and found nothing{which}", count(silent, "more rule"))?;
    for rule in explained.silent.iter().filter(|_| settings.verbosity == Verbosity::Verbose) {
        writeln!(text, "    {rule}: {}", Rule::of(*rule).title())?;
    }
    for own in &explained.remarks {
        writeln!(text, "\nremark at {}: \"{}\"", own.place, own.text)?;
        for (word, sense) in &own.words {
            writeln!(text, "  \"{word}\" means: {sense}")?;
        }
        writeln!(text, "  {}", meaning(own))?;
    }
    if let Some(request) = &explained.request {
        writeln!(text, "\nwhat would be sent")?;
        values(text, "", request)?;
    }
    writeln!(text, "\n{}", concluded(explained))?;
    Ok(())
}

/// What a remark means for its order, in words.
fn meaning(remark: &ExplainedRemark) -> String {
    match remark.means {
        RemarkMeaning::Ruled(rule) => format!("{rule} spoke of it"),
        RemarkMeaning::Answered(meaning) => format!("you said that it means {}", meaning.as_str()),
        RemarkMeaning::Harmless => "it changes nothing".to_owned(),
        RemarkMeaning::Unread(level) => {
            let effect = match level {
                Some(RuleLevel::Hold) => "its order stays",
                Some(RuleLevel::Warn) => "its order goes, and the remark is listed before you book",
                _ => "its order goes, and nothing is said",
            };
            format!("no word of it is known (unread-remarks): {effect}")
        }
    }
}

/// The values of a request, each by its path; what is empty is left out.
fn values(text: &mut Vec<u8>, path: &str, value: &Value) -> Result<()> {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(fields) => fields.iter().try_for_each(|(name, own)| values(text, &below(name), own)),
        Value::Array(all) => {
            (1_usize..).zip(all).try_for_each(|(number, own)| values(text, &format!("{path}[{number}]"), own))
        }
        Value::Null => Ok(()),
        Value::String(own) if own.is_empty() => Ok(()),
        Value::String(own) => Ok(writeln!(text, "  {path:<44}  {own}")?),
        other => Ok(writeln!(text, "  {path:<44}  {other}")?),
    }
}

fn shown(column: &ExplainedColumn) -> [String; 3] {
    let name = |is: &ColumnRole| match is {
        ColumnRole::Field(field) => field.header.to_owned(),
        other => role(*other),
    };
    let is: Vec<String> = column.is.iter().map(name).collect();
    [format!("\"{}\"", header(column)), list(&is, "and"), reason(column)]
}

/// The level of a finding's rule with where it comes from, and who accepted it.
fn level(own: &ExplainedFinding) -> String {
    let kind = own.rule.map(|rule| rule.kind);
    let level = match (own.level, kind.and_then(RuleKind::without_level)) {
        (_, Some(why)) => format!("no level: {why}"),
        (Some(level), None) => format!("level {level} ({})", from(&own.because)),
        (None, None) => "no level".to_owned(),
    };
    match &own.finding.accepted {
        Some(word) if word.because.is_empty() => format!("{level}; accepted by {} on {}", word.by, moment(word.at_ms)),
        Some(word) => format!("{level}; accepted by {} on {}: {}", word.by, moment(word.at_ms), word.because),
        None => level,
    }
}

fn concluded(explained: &Explained) -> String {
    let order = &explained.order;
    match explained.outcome {
        Outcome::Goes => format!("order {order} goes"),
        Outcome::Stays => {
            let mut held: Vec<&str> = Vec::new();
            for own in explained.findings.iter().filter(|own| own.finding.holds()) {
                let rule = own.rule.map_or(own.finding.id.as_str(), |rule| RuleId::as_str(rule.id));
                if !held.contains(&rule) {
                    held.push(rule);
                }
            }
            let held: Vec<String> = held.into_iter().map(str::to_owned).collect();
            format!("order {order} stays, held by {}", list(&held, "and"))
        }
        Outcome::LeftOut => format!("order {order} is left out, as its sheet says"),
        Outcome::Known(State::Booked) => format!("order {order} is booked already and is never sent again"),
        Outcome::Known(state) => format!("order {order} is in the ledger: {}", state.as_str().replace('_', " ")),
    }
}
