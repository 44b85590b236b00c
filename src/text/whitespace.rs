//! White space, line breaks and the byte order mark, as this crate means them.
//!
//! White space is Unicode White_Space throughout, what [`str::trim`] removes. JavaScript's `trim` differs at
//! U+0085 and U+FEFF, so hosts should not trim before they call.

use std::borrow::Cow;

/// The text without white space at either end.
pub(crate) fn trim(text: &str) -> &str {
    // Most texts are trimmed already, and two bytes show it.
    match text.as_bytes() {
        [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

/// [`trim`] for a text that may be owned: it is only copied where something is cut off.
pub(crate) fn trim_cow(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
        Cow::Owned(text) if trim(&text).len() < text.len() => Cow::Owned(trim(&text).to_owned()),
        kept => kept,
    }
}

/// Whether there is nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    trim(text).is_empty()
}

/// The text without a leading byte order mark, which editors leave and nobody sees.
pub(crate) fn strip_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Whether the text holds `\n` or `\r`.
pub(crate) fn has_line_break(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Each run of white space that holds a line break becomes one space, so that an item stays on its line.
pub(crate) fn fold_line_breaks(text: &str) -> Cow<'_, str> {
    if !has_line_break(text) {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    let mut run = String::new();
    for c in text.chars() {
        if c.is_whitespace() {
            run.push(c);
            continue;
        }
        folded.push_str(if has_line_break(&run) { " " } else { &run });
        run.clear();
        folded.push(c);
    }
    folded.push_str(if has_line_break(&run) { " " } else { &run });
    Cow::Owned(folded)
}

/// The lines of a text, ended by `\n` or `\r\n`; a lone `\r` ends none.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
}
