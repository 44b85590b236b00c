//! Lengths as JavaScript counts them.

/// The length of a text in UTF-16 code units.
pub(crate) fn utf16_len(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.encode_utf16().count()
    }
}
