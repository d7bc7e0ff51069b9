//! The macro that declares the catalogue's entries.

/// Declares the cases of ids: for each its level, its name, its parameters with their types, behind a semicolon its
/// remedies, in brackets those parameters that tell causes apart, behind `like` another case with which it is one cause,
/// and its words (see `template`).
///
/// ```text
/// catalogue! {
///     bad_phone = BadPhone {
///         hold too_short(digits: usize, accepted: &str) "has {digits} digits; accepted is {accepted}" => "ask for it";
///         warn left_out(header: &str; ignore) [header] "\"{header}\" is left out" => "ignore it {1}";
///     }
/// }
/// ```
///
/// makes `bad_phone::too_short(5, "ten digits")` and `bad_phone::left_out("X", Remedy::ignore("X"))`.
macro_rules! catalogue {
    ($($module:ident = $id:ident {
        $($level:ident $case:ident($($name:ident: $type:ty),* $(; $($remedy:ident),+)?) $([$($apart:ident),+])? $(like $like:ident)?
            $says:literal $(=> $advice:literal)?;)*
    })*) => {
        $(
            #[doc = concat!("The cases of `", stringify!($id), "`.")]
            pub mod $module {
                #[allow(unused_imports, reason = "not every id has a case with a remedy, an amount or a place")]
                use {
                    crate::finding::{Finding, Id, Level, Remedy, template::check},
                    crate::origin::Place,
                    rust_decimal::Decimal,
                };

                $(
                    #[doc = concat!("`", $says, "`")]
                    #[must_use]
                    pub fn $case($($name: $type,)* $($($remedy: Remedy,)+)?) -> Finding {
                        const NAMES: &[&str] = &[$(stringify!($name)),*];
                        const REMEDIES: &[&str] = &[$($(stringify!($remedy)),+)?];
                        const { check($says, NAMES, 0) };
                        const { check(concat!($($advice)?), NAMES, REMEDIES.len()) };
                        Finding::of(Id::$id, stringify!($case), catalogue!(@ $level))
                            $(.fact(stringify!($name), $name))*
                            $($(.remedy($remedy))+)?
                    }
                )*
            }
        )*

        pub(super) const ENTRIES: &[super::Entry] = &[$($(super::Entry {
            id: crate::finding::Id::$id,
            case: stringify!($case),
            says: $says,
            advice: concat!($($advice)?),
            apart: &[$($(stringify!($apart)),+)?],
            like: concat!($(stringify!($like))?),
        },)*)*];
    };
    (@ hold) => { Level::Hold };
    (@ warn) => { Level::Warn };
}
