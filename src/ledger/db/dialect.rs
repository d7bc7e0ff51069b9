//! The ledger's statements as PostgreSQL reads them.
//!
//! Statements are written so that both engines understand them, but for a few signs and words, which are changed here: the
//! marks of parameters, a column's name that is a reserved word, and what only tells SQLite's planner what to do.

use std::fmt::Write as _;

/// Functions that have another name.
const RENAMED: [(&str, &str); 2] = [("json_object", "json_of_parts"), ("json_group_array", "json_agg")];

/// What may stand between a joined table and its condition.
const ENDS_A_TABLE: [&str; 10] = ["ON", "CROSS", "JOIN", "LEFT", "WHERE", "ORDER", "GROUP", "LIMIT", "UNION", "SET"];

/// A piece of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'s> {
    /// A name, a keyword or a number.
    Word(&'s str),
    /// A parameter, with its number if it has one.
    Parameter(&'s str),
    /// Texts, quoted names, comments, blanks and signs, as they stand.
    Other(&'s str),
}

/// A statement in PostgreSQL's dialect.
pub(super) fn translated(sql: &str) -> String {
    let pieces = pieces(sql);
    let mut text = String::with_capacity(sql.len() + 32);
    let (mut parameters, mut at) = (0_u32, 0);
    while let Some(piece) = pieces.get(at) {
        at += 1;
        match *piece {
            Piece::Parameter(number) => {
                parameters = number.parse().unwrap_or(parameters + 1);
                // Writing into text cannot fail.
                let _ = write!(text, "${parameters}");
            }
            Piece::Word("user") if !text.ends_with('.') => text.push_str("\"user\""),
            Piece::Word("INDEXED") => at = behind_words(&pieces, at, 2),
            Piece::Word("CROSS") if has_condition(&pieces, at) => at = behind_words(&pieces, at, 0),
            Piece::Word(word) => {
                text.push_str(RENAMED.iter().find(|(name, _)| *name == word).map_or(word, |(_, name)| name));
            }
            Piece::Other(other) => text.push_str(other),
        }
    }
    text
}

/// Behind the blanks that follow, and so many words.
fn behind_words(pieces: &[Piece<'_>], mut at: usize, mut words: u32) -> usize {
    while let Some(piece) = pieces.get(at) {
        match piece {
            Piece::Word(_) if words == 0 => break,
            Piece::Word(_) => words -= 1,
            Piece::Other(blank) if blank.trim().is_empty() => {}
            _ => break,
        }
        at += 1;
    }
    at
}

/// Whether the table that is joined by the `CROSS` before this place has a condition: that is a plain join then.
fn has_condition(pieces: &[Piece<'_>], at: usize) -> bool {
    let mut depth = 0_i32;
    for piece in pieces.iter().skip(behind_words(pieces, at, 1)) {
        match piece {
            Piece::Other("(") => depth += 1,
            Piece::Other(")") => depth -= 1,
            Piece::Word(word) if depth == 0 && ENDS_A_TABLE.contains(word) => return *word == "ON",
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    false
}

fn pieces(sql: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' => quoted(rest, first),
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '?' => 1 + span(&rest[1..], |c| c.is_ascii_digit()),
            c if is_of_word(c) => span(rest, is_of_word),
            c if c.is_whitespace() => span(rest, char::is_whitespace),
            c => c.len_utf8(),
        };
        let (piece, behind) = rest.split_at(length);
        found.push(match first {
            '?' => Piece::Parameter(&piece[1..]),
            c if is_of_word(c) => Piece::Word(piece),
            _ => Piece::Other(piece),
        });
        rest = behind;
    }
    found
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How far a text goes on so.
fn span(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is(c)).unwrap_or(text.len())
}

/// How long a quoted text is, with its quotes; a doubled quote is two texts side by side.
fn quoted(text: &str, quote: char) -> usize {
    text[1..].find(quote).map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn a_statement_is_changed_where_the_dialects_differ_and_nowhere_else() {
        let cases = [
            ("SELECT ?, ?", "SELECT $1, $2"),
            ("SELECT ?2 WHERE a = ?1 AND b = '?1 user'", "SELECT $2 WHERE a = $1 AND b = '?1 user'"),
            ("SELECT user, d.user, users -- user?\nFROM x", "SELECT \"user\", d.user, users -- user?\nFROM x"),
            ("FROM orders o INDEXED BY orders_open CROSS JOIN x", "FROM orders o CROSS JOIN x"),
            (
                "FROM a CROSS JOIN b CROSS JOIN c ON c.id = b.id CROSS JOIN d WHERE 1",
                "FROM a CROSS JOIN b JOIN c ON c.id = b.id CROSS JOIN d WHERE 1",
            ),
            ("(SELECT 1 FROM a CROSS JOIN b) ON x", "(SELECT 1 FROM a CROSS JOIN b) ON x"),
            ("json_group_array(json_object('json_object', 1))", "json_agg(json_of_parts('json_object', 1))"),
            ("it''s '' user", "it''s '' \"user\""),
        ];
        for (shared, expected) in cases {
            assert_eq!(translated(shared), expected, "{shared}");
        }
    }
}
