//! Finding one text in another, and whether two are the same.
//!
//! The standard library's substring search would add nine kilobytes of error formatting and tables to the
//! WebAssembly; the needles here are short and known.

/// Whether two texts are the same, eight bytes at a time: the comparison that WebAssembly comes with takes one.
pub(crate) fn is_same(text: &str, other: &str) -> bool {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let (other_words, other_rest) = other.as_bytes().as_chunks::<8>();
    let mut pairs = words.iter().zip(other_words);
    text.len() == other.len()
        && pairs.all(|(word, other)| u64::from_le_bytes(*word) == u64::from_le_bytes(*other))
        && rest == other_rest
}

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
