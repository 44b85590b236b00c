//! The strict dialect: bullets, paragraphs and the one heading `Guardrails:`.

use std::borrow::Cow;

use super::Open;
use crate::text::whitespace::{lines, trim};

/// The heading line of rendered guardrails; what follows it on its line is an item (departure 5).
pub(super) const HEADING: &str = "Guardrails:";

pub(super) fn parse(text: &str) -> Vec<Cow<'_, str>> {
    let mut items = Vec::new();
    let mut open: Option<Open<'_>> = None;
    for line in lines(text) {
        let line = line.trim_start();
        if line.is_empty() {
            items.extend(open.take().and_then(Open::finish));
            continue;
        }
        let bullet = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        if let Some(first) = bullet {
            items.extend(open.take().and_then(Open::finish));
            open = Some(Open::new(trim(first)));
        } else if let Some(item) = &mut open {
            item.push(line);
        } else {
            let prose = line.strip_prefix(HEADING).map_or(line, trim);
            open = (!prose.is_empty()).then(|| Open::new(prose));
        }
    }
    items.extend(open.and_then(Open::finish));
    items
}
