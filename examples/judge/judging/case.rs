//! A judged sheet: `NAME.csv`, `NAME.tsv` or `NAME.sheet`, and `NAME.toml` with what a careful clerk would do with it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use shipsheet::app::Meaning;

use super::verdict::Key;

/// The folder of configurations that sheets are read with, beside the sets.
const SHOPS: &str = "shops";

/// What stands in the TOML file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    layout: String,
    shop: String,
    #[serde(default)]
    answers: BTreeMap<String, String>,
    #[serde(default)]
    lines_below: bool,
    #[serde(default)]
    values: BTreeMap<String, BTreeMap<Meaning, Vec<String>>>,
    orders: BTreeMap<String, Judgement>,
}

/// What a careful clerk would do with an order.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Judgement {
    /// Send it, with these values.
    Go(BTreeMap<Key, toml::Value>),
    /// Ask somebody first, for this reason.
    Stay(String),
    /// Leave it out without a question, for this reason.
    Out(String),
    /// Not send it, for this reason; whether somebody is asked makes no difference.
    Kept(String),
}

/// A sheet with its judgement.
#[derive(Debug)]
pub(crate) struct Case {
    /// The folder that it stands in.
    pub(crate) set: String,
    /// What the judgement is called.
    pub(crate) name: String,
    /// Whose sheet it resembles; several sheets may have one layout.
    pub(crate) layout: String,
    /// The sheet.
    pub(crate) sheet: PathBuf,
    /// The configuration that it is read with.
    pub(crate) configuration: String,
    /// What a person says of its columns, if asked: header to field.
    pub(crate) answers: BTreeMap<String, String>,
    /// Whether a person says, if asked, that rows without an order number are products of the order above.
    pub(crate) lines_below: bool,
    /// Answers on values, if asked: header to meanings. A value that is not among them is left open.
    pub(crate) values: BTreeMap<String, BTreeMap<Meaning, Vec<String>>>,
    /// By order number; `row 7` is a row without one.
    pub(crate) orders: BTreeMap<String, Judgement>,
}

/// A person answers no more questions about the columns of a sheet than this, and about columns and values together.
const ANSWERS_MAX: usize = 2;
const QUESTIONS_MAX: usize = 6;

impl Case {
    /// Every case of a folder, and of the folders in it.
    pub(crate) fn all(folder: &Path) -> Result<Vec<Self>> {
        let mut cases = Vec::new();
        gather(folder, &mut cases)?;
        if cases.is_empty() {
            bail!("{} holds no judged sheet", folder.display());
        }
        Ok(cases)
    }

    fn read(judgement: &Path) -> Result<Self> {
        let folder = judgement.parent().context("a judgement stands in a folder")?;
        let text = |path: &Path| fs::read_to_string(path).with_context(|| path.display().to_string());
        let written: Written =
            toml::from_str(&text(judgement)?).with_context(|| format!("{} is not valid", judgement.display()))?;
        let sheets: Vec<PathBuf> = ["csv", "tsv", "sheet"]
            .map(|extension| judgement.with_extension(extension))
            .into_iter()
            .filter(|path| path.is_file())
            .collect();
        let [sheet] = &sheets[..] else { bail!("{} has {} sheets beside it", judgement.display(), sheets.len()) };
        let most = if written.values.is_empty() { ANSWERS_MAX } else { QUESTIONS_MAX };
        if written.answers.len() + written.values.len() > most {
            bail!("{} answers more than {most} questions", judgement.display());
        }
        let shop = folder.parent().unwrap_or(folder).join(SHOPS).join(&written.shop).with_extension("toml");
        let called = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self {
            set: called(folder.file_name()),
            name: called(judgement.file_stem()),
            layout: written.layout,
            sheet: sheet.clone(),
            configuration: text(&shop)?,
            answers: written.answers,
            lines_below: written.lines_below,
            values: written.values,
            orders: written.orders,
        })
    }
}

fn gather(folder: &Path, cases: &mut Vec<Case>) -> Result<()> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != SHOPS) {
                gather(&path, cases)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            cases.push(Case::read(&path)?);
        }
    }
    Ok(())
}
