//! The tail: what changes each turn, and never enters the prefix.

use crate::model::wording::Wording;
use crate::text::whitespace::trim;

/// Joins stance, clock and live facts, a blank line between; blank ones leave no trace.
pub(crate) fn compose(
    stance: Option<&str>,
    temporal: Option<&str>,
    facts: Option<&str>,
    wording: &Wording<'_>,
) -> String {
    let parts = [stance, temporal, facts].into_iter().flatten();
    let mut tail = String::with_capacity(64 + parts.map(str::len).sum::<usize>());
    let stance = stance.map(trim).unwrap_or_default();
    if !stance.is_empty() {
        tail.push_str(stance);
        if !trim(&wording.stance_clarifier).is_empty() {
            tail.push('\n');
            tail.push_str(&wording.stance_clarifier);
        }
    }
    for text in [temporal.map(trim), facts].into_iter().flatten() {
        if !text.is_empty() {
            if !tail.is_empty() {
                tail.push_str("\n\n");
            }
            tail.push_str(text);
        }
    }
    tail
}
