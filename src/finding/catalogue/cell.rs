//! What is said of one cell's value.

catalogue! {
    note = SheetNotice {
        warn as_handed_back() "it is still as it was when it was handed back";
        warn configured_default() "" => "the value is a configured default";
    }
}
