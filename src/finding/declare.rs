//! The macros that declare ids, and the catalogue's entries.

/// Declares ids with the words that scripts match on.
macro_rules! ids {
    ($(#[$outer:meta])* $ids:ident $($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        $(#[$outer])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $ids {
            $(
                $(#[$doc])*
                #[doc = concat!("`", $text, "`")]
                $name,
            )*
        }

        impl $ids {
            /// Every id there is.
            pub const ALL: &'static [$ids] = &[$($ids::$name,)*];

            /// The stable word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($ids::$name => $text,)* }
            }

            /// The id of that word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|id| id.as_str() == word)
            }
        }

        impl std::fmt::Display for $ids {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// Declares the cases of ids: for each its level and the rule that it falls under, its name, its parameters with their
/// types, behind a semicolon its remedies, in brackets those parameters that tell causes apart, behind `like` another case
/// with which it is one cause, and its words (see `template`). A `part` is no finding of its own but part of another's
/// sentence: it has neither level nor rule.
///
/// ```text
/// catalogue! {
///     bad_phone = BadPhone {
///         hold(PhoneForm) too_short(digits: usize, accepted: &str) "has {digits} digits; accepted is {accepted}" => "ask for it";
///         warn(ColumnUnused) left_out(header: &str; ignore) [header] "\"{header}\" is left out" => "ignore it {1}";
///     }
/// }
/// ```
///
/// makes `bad_phone::too_short(5, "ten digits")` and `bad_phone::left_out("X", Remedy::ignore("X"))`.
macro_rules! catalogue {
    ($($module:ident = $id:ident {
        $($level:ident $(($rule:ident))? $case:ident($($name:ident: $type:ty),* $(; $($remedy:ident),+)?) $([$($apart:ident),+])? $(like $like:ident)?
            $says:literal $(=> $advice:literal)?;)*
    })*) => {
        $(
            #[doc = concat!("The cases of `", stringify!($id), "`.")]
            pub mod $module {
                #[allow(unused_imports, reason = "not every id has a case with a remedy, an amount or a place")]
                use {
                    crate::finding::{Finding, Id, Level, Remedy, template::check},
                    crate::origin::Place,
                    crate::text::Decimal,
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
            rule: catalogue!(@ rule $level $($rule)?),
            level: catalogue!(@ level $level),
            says: $says,
            advice: concat!($($advice)?),
            apart: &[$($(stringify!($apart)),+)?],
            like: concat!($(stringify!($like))?),
        },)*)*];
    };
    (@ hold) => { Level::Hold };
    (@ warn) => { Level::Warn };
    // Nobody asks how much a part of a sentence weighs.
    (@ part) => { Level::Warn };
    (@ level part) => { None };
    (@ level hold) => { Some(crate::finding::Level::Hold) };
    (@ level warn) => { Some(crate::finding::Level::Warn) };
    (@ rule part) => { None };
    (@ rule hold $rule:ident) => { Some(crate::finding::RuleId::$rule) };
    (@ rule warn $rule:ident) => { Some(crate::finding::RuleId::$rule) };
}
