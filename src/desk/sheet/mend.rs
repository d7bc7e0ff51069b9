//! What the cells and buttons of a sheet's screens do: each is one answer, one step of undo.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::app::draft::{
    Answered, CellEdit, Draft, DraftAnswer, DraftOrder, DraftState, Filter, FindingGroup, GroupId, WholeRow,
    is_of_others,
};
use crate::app::{App, Feeding, LayoutChange};
use crate::event::Stream;
use crate::field::Id;
use crate::finding::Finding;
use crate::rule::acceptable;
use crate::text::shortened;

use super::super::answer::Result;
use super::super::drafts::Doing;
use super::super::state::Desk;
use super::super::trouble::Trouble;
use super::frame::{counts, place, stands};
use super::said::proposal;
use super::{choices, one_cell, refused, said, strays};

/// What is said where an answer cannot be taken.
pub(super) const BUSY: &str = "This sheet was being read, so this was not saved. Do it again.";
/// What is said where an answer is about another state of the sheet.
pub(super) const CHANGED: &str =
    "This sheet was changed in another window meanwhile, so this was not saved. Look at it again.";
/// Orders of which each is named in what is said.
const NAMED: usize = 3;

/// What was pressed, and what stood in the cells.
#[derive(Clone, Deserialize)]
pub(in super::super) struct Pressed {
    id: String,
    revision: String,
    #[serde(default)]
    back: String,
    #[serde(flatten)]
    fields: BTreeMap<String, String>,
}

impl Pressed {
    /// What belongs to a name that begins so: the rest of the name, and the value.
    fn named<'p>(&'p self, start: &'p str) -> impl Iterator<Item = (&'p str, &'p str)> {
        self.fields.iter().filter_map(move |(name, value)| Some((name.strip_prefix(start)?, value.as_str())))
    }
}

pub(in super::super) fn answer(desk: &Arc<Desk>, pressed: &Pressed) -> Result<String> {
    let back = place(&pressed.id, &pressed.back);
    let app = desk.app();
    let Some(taken) = desk.drafts.take(&app, &pressed.id)? else {
        return Ok(desk.warn(&back, BUSY));
    };
    if taken.draft()?.revision().to_string() != pressed.revision {
        return Ok(desk.warn(&back, CHANGED));
    }
    // What came of it is said by the work itself: a page may not wait so long.
    let (desk, pressed, slip) = (Arc::clone(desk), pressed.clone(), desk.slip());
    let back = slip.at(&back);
    taken.work(Doing::Answered, move |taken| {
        // An answer with which the sheet cannot be read is taken back without reading it.
        if !pressed.fields.contains_key("undo") {
            taken.check_again(&app)?;
        }
        let mut last = None;
        for wanted in wanted(&app, taken.draft()?, &pressed)? {
            last = done(taken.draft_mut()?, &app, wanted)?.or(last);
        }
        if let Some(answered) = last.filter(|_| taken.result().is_ok()) {
            match came_of(taken.draft()?, &answered)? {
                (said, true) => desk.write(&slip, &said),
                (said, false) => desk.write_warning(&slip, &said),
            }
        }
        Ok(())
    })?;
    Ok(back)
}

/// What a button means.
enum Wanted {
    Answer(DraftAnswer),
    Undo,
}

fn done(draft: &mut Draft, app: &App, wanted: Wanted) -> Result<Option<Answered>> {
    let events = &mut Stream::silent();
    let answered = match wanted {
        Wanted::Undo => draft.undo(app, events),
        Wanted::Answer(answer) => {
            let before = draft.revision();
            let answered = draft.answer(app, answer, events);
            if answered.is_err() && draft.revision() > before {
                // The sheet cannot be read so: it stays as it was.
                let _ = draft.undo(app, events);
            }
            answered.map(Some)
        }
    };
    Ok(answered?)
}

/// What is wanted: what was typed comes first, then what was pressed. Undo takes back what its button named, so it comes
/// before what was typed since.
fn wanted(app: &App, draft: &Draft, pressed: &Pressed) -> Result<Vec<Wanted>> {
    let cells = typed(app, draft, pressed)?;
    let typed = (!cells.is_empty()).then_some(Wanted::Answer(DraftAnswer::Edit { cells }));
    if let Some(seen) = pressed.fields.get("undo") {
        if seen.parse().is_ok_and(|seen: u64| seen != draft.revision()) {
            return Err(Trouble::Changed(
                "This sheet was changed since, so Undo would take back something else".to_owned(),
            ));
        }
        return Ok(std::iter::once(Wanted::Undo).chain(typed).collect());
    }
    let button = button(app, draft, pressed)?;
    let released = button.as_ref().map_or(Ok(None), |wanted| released(draft, wanted))?;
    Ok(typed.into_iter().chain(button).chain(released).collect())
}

/// Whoever sends an order that a person put on hold or left out takes it back in as well.
fn released(draft: &Draft, wanted: &Wanted) -> Result<Option<Wanted>> {
    let Wanted::Answer(DraftAnswer::Accept { orders, .. }) = wanted else { return Ok(None) };
    let [number] = orders.as_slice() else { return Ok(None) };
    let is_kept = draft.order(number)?.is_some_and(|whole| whole.order.by_clerk);
    Ok(is_kept.then(|| Wanted::Answer(DraftAnswer::Release { orders: orders.clone() })))
}

fn button(app: &App, draft: &Draft, pressed: &Pressed) -> Result<Option<Wanted>> {
    if let Some(said) = pressed.fields.get("answer") {
        // No other answer is sent in this form.
        let Ok(answer @ DraftAnswer::Layout { change: LayoutChange::Values { .. }, .. }) = serde_json::from_str(said)
        else {
            return Err(Trouble::NotOurs);
        };
        return Ok(Some(Wanted::Answer(answer)));
    }
    let one = |value: &str| vec![value.to_owned()];
    let of_group = |value: &str| -> Result<(GroupId, Vec<String>)> {
        let (group, stamp) = value.split_once('.').ok_or(Trouble::NotOurs)?;
        let group = GroupId(group.parse().map_err(|_| Trouble::NotOurs)?);
        let checked = draft.checked().ok_or(Trouble::Failed)?;
        let is_as_seen = |own: &FindingGroup| own.group == group && own.stamp.to_string() == stamp;
        if !checked.groups().iter().any(is_as_seen) {
            let mut refused = draft.refused(app)?.into_iter();
            if let Some(own) = refused.find(|own| own.group == group && own.stamp().to_string() == stamp) {
                return Ok((group, own.orders));
            }
            return Err(Trouble::Changed("These are other orders by now".to_owned()));
        }
        Ok((group, checked.numbers(&Filter::Group(group))))
    };
    let because = || "sent from the desk".to_owned();
    for (name, value) in &pressed.fields {
        let (verb, rest) = name.split_once('.').unwrap_or((name, ""));
        let answer = match verb {
            "send" => {
                let mut parts = rest.splitn(3, '.');
                let [rule, told, group] = [(); 3].map(|()| parts.next().unwrap_or_default());
                let is_of_others = acceptable(rule).is_ok_and(is_of_others);
                let now = draft.checked().and_then(|checked| checked.told(value));
                if is_of_others && now.is_none_or(|now| format!("{now:x}") != told) {
                    return Err(Trouble::Changed(format!("{value} has another problem by now")));
                }
                let group = group.parse().ok().map(GroupId);
                DraftAnswer::Accept { rule: rule.to_owned(), orders: one(value), group, because: because() }
            }
            "all-send" => {
                let (group, orders) = of_group(value)?;
                DraftAnswer::Accept { rule: rest.to_owned(), orders, group: Some(group), because: because() }
            }
            "hold" => DraftAnswer::Hold { orders: one(value) },
            "all-hold" => DraftAnswer::Hold { orders: of_group(value)?.1 },
            "leave" => DraftAnswer::LeaveOut { orders: one(value) },
            "all-leave" => DraftAnswer::LeaveOut { orders: of_group(value)?.1 },
            "release" => DraftAnswer::Release { orders: one(value) },
            "whole-row" => {
                let column = rest.parse().map_err(|_| Trouble::NotOurs)?;
                let field = Some(Id::Price.field().path.to_owned());
                DraftAnswer::Layout {
                    sheet: 0,
                    change: LayoutChange::Column { column, field, how: Feeding::AllPieces },
                }
            }
            said::UNIT => DraftAnswer::Layout { sheet: 0, change: LayoutChange::Unit { unit: rest.to_owned() } },
            _ => match (
                choices::total(draft, (verb, rest), value, &of_group)?,
                cells((app, draft), pressed, (name, value), &of_group)?,
            ) {
                (Some(answer), _) => answer,
                (None, Some(cells)) => DraftAnswer::Edit { cells },
                (None, None) => continue,
            },
        };
        return Ok(Some(Wanted::Answer(answer)));
    }
    Ok(None)
}

/// The orders of a group, unless something else is said of them than was shown.
type OfGroup<'g> = &'g dyn Fn(&str) -> Result<(GroupId, Vec<String>)>;

/// The cells that a button fills; nothing where it is another one.
fn cells(
    (app, draft): (&App, &Draft),
    pressed: &Pressed,
    (name, value): (&str, &str),
    of_group: OfGroup<'_>,
) -> Result<Option<Vec<CellEdit>>> {
    let (verb, rest) = name.split_once('.').unwrap_or((name, ""));
    Ok(Some(match verb {
        "put" => vec![edit(rest, value)?],
        "drop-row" => emptied(draft, value, rest)?,
        one_cell::TAKE => taken_apart(draft, value)?,
        choices::ONE_VALUE => draft.one_value(value, &edit(rest, "")?)?,
        choices::TWO_ORDERS => draft.two_orders(app, value, &edit(rest, "")?)?,
        choices::ANEW => draft.anew(app, value)?,
        strays::ALL => draft.strays(usize::MAX)?.into_iter().flat_map(|stray| empty(stray.row)).collect(),
        "all-put" => cells_of(draft, of_group(value)?.0, &proposal)?,
        "all-same" => {
            let text = pressed.named("same.").find(|(group, _)| *group == value).map_or("", |(_, text)| text.trim());
            if text.is_empty() {
                return Err(Trouble::Typed("Type first what is to stand in all of them".to_owned()));
            }
            cells_of(draft, of_group(value)?.0, &|_| Some(text.to_owned()))?
        }
        _ => return Ok(None),
    }))
}

/// Cells whose text is not the one that was shown.
fn typed(app: &App, draft: &Draft, pressed: &Pressed) -> Result<Vec<CellEdit>> {
    // A cell that is too long to be shown stays as it is where nothing was typed for it.
    let long = pressed.named("long.").filter(|(_, text)| !text.trim().is_empty());
    let cells = pressed.named("cell.").chain(long).map(|(at, text)| edit(at, text));
    let cells: Vec<CellEdit> = cells.collect::<Result<_>>()?;
    let shown = draft.texts(&cells)?;
    let is_new = |(cell, shown): &(CellEdit, String)| cell.text.trim() != shown.trim();
    let mut typed: Vec<CellEdit> = cells.into_iter().zip(shown).filter(is_new).map(|(cell, _)| cell).collect();
    let alike: Vec<CellEdit> = pressed.named(refused::ALIKE).map(|(at, text)| edit(at, text)).collect::<Result<_>>()?;
    if !alike.is_empty() {
        let groups = draft.refused(app)?;
        typed.extend(alike.iter().flat_map(|own| refused::alike(&groups, own)));
    }
    Ok(typed)
}

/// A cell by its place: sheet, row and column.
fn edit(at: &str, text: &str) -> Result<CellEdit> {
    let mut parts = at.splitn(3, '.');
    let mut next = || parts.next().and_then(|part| part.parse::<u32>().ok()).ok_or(Trouble::NotOurs);
    let (sheet, row, column) = (next()?, next()?, next()?);
    Ok(CellEdit { sheet: sheet as usize, row, column, text: text.trim().to_owned() })
}

/// The cells of which a group's thing is said, each with the text that it is to have.
fn cells_of(draft: &Draft, group: GroupId, text: &dyn Fn(&Finding) -> Option<String>) -> Result<Vec<CellEdit>> {
    let mut cells = Vec::new();
    for from in (0..).step_by(100) {
        let orders: Vec<DraftOrder> = draft.page(&Filter::Group(group), from, 100)?;
        if orders.is_empty() {
            break;
        }
        for cell in orders.iter().flat_map(|order| &order.cells) {
            let finding = cell.findings.iter().find(|finding| GroupId::of(finding) == group);
            cells.extend(finding.and_then(text).map(|text| CellEdit {
                sheet: cell.sheet,
                row: cell.row,
                column: cell.column,
                text,
            }));
        }
    }
    Ok(cells)
}

/// The cells of an order that are filled from its address, which stands in one cell.
fn taken_apart(draft: &Draft, number: &str) -> Result<Vec<CellEdit>> {
    let order: Vec<DraftOrder> = draft.order(number)?.into_iter().map(|whole| whole.order).collect();
    let found = draft.one_cell_addresses(&order)?.pop().ok_or(Trouble::NotOurs)?;
    Ok(found.parts.into_iter().map(|(_, cell)| cell).collect())
}

/// The cells of a row of an order, or of a row without one, each emptied.
fn emptied(draft: &Draft, number: &str, row: &str) -> Result<Vec<CellEdit>> {
    let at = edit(&format!("{row}.0"), "")?;
    let rows = match draft.order(number)? {
        Some(whole) => whole.rows,
        None => draft.strays(usize::MAX)?.into_iter().map(|stray| stray.row).collect(),
    };
    let row = rows.into_iter().find(|row| (row.sheet, row.row) == (at.sheet, at.row)).ok_or(Trouble::NotOurs)?;
    Ok(empty(row).collect())
}

/// The filled cells of a row without their texts: a row without a text is none.
fn empty(row: WholeRow) -> impl Iterator<Item = CellEdit> {
    let (sheet, number) = (row.sheet, row.row);
    let filled = row.cells.into_iter().filter(|cell| !cell.text.is_empty());
    filled.map(move |cell| CellEdit { sheet, row: number, column: cell.column, text: String::new() })
}

/// What came of an answer, to be heard and read, and whether none of its orders has still to be fixed.
fn came_of(draft: &Draft, answered: &Answered) -> Result<(String, bool)> {
    let checked = draft.checked().ok_or(Trouble::Failed)?;
    if answered.orders.is_empty() || answered.orders.len() > NAMED {
        return Ok((format!("Checked again: {}.", counts(checked)), true));
    }
    let (mut said, mut is_mended) = (Vec::new(), true);
    for number in &answered.orders {
        if let Some(whole) = draft.order(number)? {
            is_mended &= whole.order.state != DraftState::Fix;
            let (number, state) = (shortened(number, 40), whole.order.state);
            said.push(match state {
                DraftState::Fix => format!("{number} needs fixing."),
                DraftState::Hold if !whole.order.by_clerk => format!("{number} waits for your answer."),
                _ => format!("{number} is {}.", stands(state)),
            });
        }
    }
    Ok((said.join(" "), is_mended))
}
