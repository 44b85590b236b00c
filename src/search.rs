//! Finding one text in another.
//!
//! The standard library's substring search would add nine kilobytes of error formatting and tables to the
//! WebAssembly; the needles here are short and known.

/// Splits a text around the first occurrence of `needle`.
pub(crate) fn split_once<'a>(text: &'a str, needle: &str) -> Option<(&'a str, &'a str)> {
    let mut windows = text.as_bytes().windows(needle.len());
    let at = windows.position(|window| window == needle.as_bytes())?;
    Some((text.get(..at)?, text.get(at + needle.len()..)?))
}

/// Replaces every occurrence of `needle`.
pub(crate) fn replace(text: &str, needle: &str, with: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = split_once(rest, needle) {
        replaced.push_str(before);
        replaced.push_str(with);
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}
