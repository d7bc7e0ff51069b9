//! Readers that panic on what breaks the rules of their format.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is awaited.
    static AWAITED: Cell<bool> = const { Cell::new(false) };
}

/// Does work that may panic; `None` where it does. Nothing is printed of it: a file that breaks the rules is told of as
/// any other error, and a trace would only frighten.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !AWAITED.get() {
                others(panic);
            }
        }));
    });
    let before = AWAITED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    AWAITED.set(before);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_nothing_and_ends_nothing() {
        assert_eq!(caught(|| 7), Some(7));
        assert_eq!(caught(|| [1, 2][std::hint::black_box(2)]), None);
        assert!(!AWAITED.get(), "later panics are told");
    }
}
