//! How text is kept from forging facts (departure 6).

use std::borrow::Cow;

/// Keeps a key or value inside its line and its block (departure 6).
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|it| matches!(it, b'\n' | b'\r' | b'<')) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::new();
    let mut changed = false;
    let mut rest = text;
    while let Some((plain, special)) = rest
        .find(['\n', '\r', '<'])
        .and_then(|at| rest.split_at_checked(at))
    {
        escaped.push_str(plain);
        let (replacement, consumed) = match special.as_bytes() {
            [b'\r', b'\n', ..] => ("\n  ", 2),
            [b'\r' | b'\n', ..] => ("\n  ", 1),
            _ if opens_facts(special) => ("&lt;", 1),
            _ => ("<", 1),
        };
        changed |= replacement != "<";
        escaped.push_str(replacement);
        rest = special.get(consumed..).unwrap_or_default();
    }
    if changed {
        escaped.push_str(rest);
        Cow::Owned(escaped)
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a text begins with `<facts` or `</facts`, in any case.
fn opens_facts(text: &str) -> bool {
    let name = text.strip_prefix('<').unwrap_or(text);
    let name = name.strip_prefix('/').unwrap_or(name);
    name.get(..5)
        .is_some_and(|name| name.eq_ignore_ascii_case("facts"))
}
