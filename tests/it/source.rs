//! Just enough of Rust's grammar to hold rules over source text: what is code, what is test, where a function ends.

/// Source with comments blanked out and the insides of strings made harmless; lines stay where they are.
pub(crate) fn code_of(source: &str) -> String {
    let mut rest = source;
    let mut code = String::with_capacity(source.len());
    let mut after_word = false;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => string(rest, 1),
            'r' if !after_word && raw_string(rest).is_some() => raw_string(rest).unwrap_or(1),
            '\'' => character(rest),
            _ => 0,
        };
        let (taken, is_code) = if length == 0 { (first.len_utf8(), true) } else { (length, false) };
        let (piece, tail) = rest.split_at(taken);
        let stand_in = if first == '/' { ' ' } else { '_' };
        let blanked = |c| if c == '\n' { '\n' } else { stand_in };
        if is_code {
            code.push_str(piece);
        } else {
            code.extend(piece.chars().map(blanked));
        }
        after_word = is_code && (first.is_alphanumeric() || first == '_');
        rest = tail;
    }
    code
}

/// The strings of a source, as they are written there, with the lines on which they begin.
pub(crate) fn strings_of(source: &str) -> Vec<(usize, String)> {
    let (mut at, mut after_word) = (0, false);
    let mut found = Vec::new();
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let raw = if first == 'r' && !after_word { raw_string(rest) } else { None };
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '\'' => character(rest),
            '"' => string(rest, 1),
            _ => raw.unwrap_or(0),
        };
        if length > 0 && (first == '"' || raw.is_some()) {
            found.push((line_of(source, at), rest[..length].trim_start_matches(['r', '#', '"']).to_owned()));
        }
        after_word = length == 0 && (first.is_alphanumeric() || first == '_');
        at += length.max(first.len_utf8());
    }
    found
}

/// The length of a nested comment.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_u32;
    let mut at = 0;
    while at < text.len() {
        let here = &text.as_bytes()[at..];
        if here.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if here.starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The length of a string with escapes, whose text begins at `from`.
fn string(text: &str, from: usize) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of `r"…"` or `r#"…"#`.
fn raw_string(text: &str) -> Option<usize> {
    let hashes = text[1..].bytes().take_while(|byte| *byte == b'#').count();
    let body = 1 + hashes + 1;
    if !text[1 + hashes..].starts_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    Some(text[body..].find(&end).map_or(text.len(), |at| body + at + end.len()))
}

/// The length of a character literal; nothing where the quote begins a lifetime.
fn character(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => text[3..].find('\'').map_or(0, |at| 3 + at + 1),
        Some(_) => characters.next().filter(|(_, c)| *c == '\'').map_or(0, |(at, _)| at + 1),
        None => 0,
    }
}

/// Code without its `#[cfg(test)]` modules and items; lines stay where they are.
pub(crate) fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(MARK) {
        kept.push_str(&rest[..at]);
        let item = &rest[at..];
        let end = item.find(['{', ';']).map_or(item.len(), |open| {
            if item[open..].starts_with('{') { open + block(&item[open..]) } else { open + 1 }
        });
        kept.extend(item[..end].chars().filter(|c| *c == '\n'));
        rest = &item[end..];
    }
    kept.push_str(rest);
    kept
}

/// The length of a `{…}` in code that [`code_of`] has been through.
pub(crate) fn block(code: &str) -> usize {
    let mut depth = 0_u32;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// Where a word stands on its own.
pub(crate) fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = code[..*at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

/// The line, counted from 1, of a place in the text.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_no_code() {
        let source = "let a = \"crate::x // \\\" {\"; // crate::y {\n/* { /* { */ } */ let b = '{'; let c: &'static str = r#\"\"}\"#;\n";
        let code = code_of(source);
        assert_eq!(code.matches('\n').count(), source.matches('\n').count());
        assert!(!code.contains(['{', '}']) && !code.contains("crate"), "{code}");
        assert!(code.contains("let b = ___;") && code.contains("&'static str"), "{code}");
        assert!(code_of("'\\'' + '\\u{7d}' + b").ends_with("+ b"));
    }

    #[test]
    fn tests_are_left_out() {
        let code =
            "fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() {}\n}\nfn c() {}\n#[cfg(test)]\nmod more;\nfn d() {}\n";
        let kept = without_tests(code);
        assert!(kept.contains("fn a") && kept.contains("fn c") && kept.contains("fn d"), "{kept}");
        assert!(!kept.contains("fn b") && !kept.contains("more"), "{kept}");
        assert_eq!(kept.matches('\n').count(), code.matches('\n').count());
    }

    #[test]
    fn words_stand_alone() {
        assert_eq!(words("csv csv_x xcsv csv::y", "csv").collect::<Vec<_>>(), [0, 15]);
    }
}
