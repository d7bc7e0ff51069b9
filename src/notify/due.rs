//! Who is to be told what now: news, what could not be told before, or that it is over.

use crate::config::{Target, When};
use crate::text::shortened;

use super::notice::{Notice, ToldLate};
use super::state::{Kept, LastTold, Untold};
use super::words::{lines, title};

/// Alerts that are kept for a target that cannot be told.
const UNTOLD_MAX: usize = 10;
/// Lines, and characters of each, that are kept of one of them.
const LINES_MAX: usize = 15;
const LINE_MAX: usize = 500;

/// Why a target is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// Something that it is to hear of and has not heard.
    News,
    /// Only what could not be told before.
    Late,
    /// The problem that it heard of is over.
    WellAgain,
}

/// A message that a target is due.
pub(super) struct Due<'t> {
    pub(super) target: &'t Target,
    pub(super) notice: Notice,
    why: Why,
    standing: String,
    news: Option<String>,
}

impl<'t> Due<'t> {
    /// Nothing where the target has heard it all, or is not to.
    pub(super) fn of(target: &'t Target, notice: &Notice, kept: &Kept) -> Option<Self> {
        let last = kept.told.get(&target.name);
        let untold = kept.untold.get(&target.name).map(Vec::as_slice).unwrap_or_default();
        let standing = notice.standing();
        let is_occasion = target.when.iter().any(|when| notice.is(*when));
        let each = |when: &When| matches!(when, When::Always | When::NothingCame) && notice.is(*when);
        let news = notice.news(target.when.iter().any(each)).filter(|_| is_occasion);
        let is_known = |last: &LastTold| last.standing == standing && (news.is_none() || news == last.news);
        let is_over = || last.is_some_and(|last| last.is_lasting) && !notice.is_lasting() && !notice.is_problem();
        let why = match is_occasion {
            true if !last.is_some_and(is_known) => Why::News,
            // What was bad and never told comes before that it is well again.
            _ if !untold.is_empty() => Why::Late,
            false if is_over() => Why::WellAgain,
            _ => return None,
        };
        let mut notice = notice.clone();
        (notice.is_well_again, notice.is_late) = (why == Why::WellAgain, why == Why::Late);
        // What this one says anyhow is not said twice.
        let is_in_it =
            |own: &&Untold| why == Why::News && own.standing == standing && (own.news.is_none() || own.news == news);
        notice.untold = untold.iter().filter(|own| !is_in_it(own)).map(|own| own.alert.clone()).collect();
        notice.untold_unnamed = untold.iter().map(|own| own.unnamed).sum();
        Some(Self { target, notice, why, standing, news })
    }

    /// Notes that it was told.
    pub(super) fn told(self, kept: &mut Kept) {
        let Self { target, notice, why, standing, news } = self;
        let untold = kept.untold.remove(&target.name).unwrap_or_default();
        let last = kept.told.get(&target.name);
        let is_lasting = match why {
            // That it is over is told once it is.
            Why::Late => last.is_some_and(|last| last.is_lasting) || untold.iter().any(|own| own.is_lasting),
            Why::News | Why::WellAgain => notice.is_lasting(),
        };
        let news = news.or_else(|| untold.last()?.news.clone()).or_else(|| last?.news.clone());
        kept.told.insert(target.name.clone(), LastTold { standing, news, at_ms: notice.at_ms, is_lasting });
    }

    /// Keeps it for the next time. What was kept already stays, and that it is well again is seen again.
    pub(super) fn not_told(self, kept: &mut Kept) {
        let Self { target, mut notice, why, standing, news } = self;
        let untold = kept.untold.entry(target.name.clone()).or_default();
        let is_there = |own: &Untold| own.standing == standing && own.news == news;
        if why == Why::News && !untold.iter().any(is_there) {
            (notice.untold, notice.untold_unnamed) = (Vec::new(), 0);
            let lines = lines(&notice).iter().take(LINES_MAX).map(|line| shortened(line, LINE_MAX)).collect();
            let (at_ms, is_problem, is_lasting) = (notice.at_ms, notice.is_problem(), notice.is_lasting());
            let alert = ToldLate { at_ms, title: title(&notice), lines, is_problem };
            untold.push(Untold { alert, standing, news, is_lasting, unnamed: 0 });
            if untold.len() > UNTOLD_MAX {
                let gone = untold.remove(0);
                untold[0].unnamed += gone.unnamed + 1;
                untold[0].is_lasting |= gone.is_lasting;
            }
        }
        if untold.is_empty() {
            kept.untold.remove(&target.name);
        }
    }
}
