//! The lists of one layer: parsed, on single lines, with notes of what happens to them.

use std::borrow::Cow;
use std::fmt;

use crate::guardrails::{duplicate, markdown_in_strict, parse_within};
use crate::model::content::{Items, LayerContent, owned};
use crate::model::diagnostic::DiagnosticCode;
use crate::model::error::{StrataError, quote};
use crate::model::limits::MAX_DIAGNOSTICS;
use crate::model::options::{Dialect, Untrusted};
use crate::prepare::item::Item;
use crate::prepare::notice::{ListPlace, Notice, Place};
use crate::text::fact_escape::escape;
use crate::text::hash_table::HashKey;

/// How many bytes of heading paths are put before items that are dropped, only to name them in diagnostics.
const DROPPED_HEADING_BYTES: usize = 16 * 1024;

/// Reads the lists of one layer and notes what happens to them.
pub(super) struct ListReader<'s> {
    pub(super) dialect: Dialect,
    pub(super) hash_key: &'s HashKey,
    pub(super) budget: usize,
    /// Whether items may not forge facts.
    pub(super) escapes: bool,
    pub(super) notices: Vec<Notice>,
    /// How many notices there are beside these.
    pub(super) more: usize,
}

impl ListReader<'_> {
    pub(super) fn notice(
        &mut self,
        code: DiagnosticCode,
        place: Place,
        message: impl Into<String>,
    ) {
        self.notices.push(Notice {
            code,
            place,
            message: message.into(),
        });
    }

    /// Notes each of several texts; those that no result has room for are counted.
    pub(super) fn note_each<'t>(
        &mut self,
        code: DiagnosticCode,
        what: &str,
        texts: impl ExactSizeIterator<Item = (&'t str, Place)>,
    ) {
        self.more += texts.len().saturating_sub(MAX_DIAGNOSTICS);
        for (text, place) in texts.take(MAX_DIAGNOSTICS) {
            self.notice(code, place, format!("{what} {}", quote(text)));
        }
    }

    /// The items of a list block, on single lines, trimmed, none empty.
    pub(super) fn items<'a>(
        &mut self,
        items: Items<'a>,
        list: ListPlace,
        prefix: &dyn fmt::Display,
    ) -> Result<Vec<Item<'a>>, StrataError> {
        let is_list = matches!(items, Items::List(_));
        let texts = self.texts(items, list, prefix)?;
        let mut broken = Vec::new();
        let mut escaped = Vec::new();
        let mut read = Vec::with_capacity(texts.len());
        for (index, text) in texts.into_iter().enumerate() {
            let index = is_list.then_some(index);
            let Some((mut item, has_break)) = Item::new(text, index, self.hash_key) else {
                continue;
            };
            if has_break {
                broken.push(read.len());
            }
            if self.escapes
                && let Cow::Owned(text) = escape(&item.text)
            {
                escaped.push(read.len());
                item.hash = duplicate::hash(&text, self.hash_key);
                item.text = Cow::Owned(text);
            }
            read.push(item);
        }
        for (code, what, found) in [
            (
                DiagnosticCode::LineBreaksFolded,
                "line breaks became spaces in",
                broken,
            ),
            (
                DiagnosticCode::ItemEscaped,
                "escaped to forge no facts:",
                escaped,
            ),
        ] {
            let items = found.iter().filter_map(|at| read.get(*at));
            let items = items.map(|item: &Item<'_>| (&*item.text, item.place(list)));
            let items: Vec<(&str, Place)> = items.collect();
            self.note_each(code, what, items.into_iter());
        }
        Ok(read)
    }

    fn texts<'a>(
        &mut self,
        items: Items<'a>,
        list: ListPlace,
        prefix: &dyn fmt::Display,
    ) -> Result<Vec<Cow<'a, str>>, StrataError> {
        let text = match items {
            Items::List(items) => return Ok(items),
            Items::Text(text) => text,
        };
        if self.dialect == Dialect::Strict
            && let Some(message) = markdown_in_strict(&text)
        {
            self.notice(DiagnosticCode::MarkdownInStrict, list(None), message);
        }
        let path = format!("{prefix}{}", list(None));
        match text {
            Cow::Borrowed(text) => parse_within(text, self.dialect, &mut self.budget, &path),
            Cow::Owned(text) => Ok(parse_within(&text, self.dialect, &mut self.budget, &path)?
                .into_iter()
                .map(owned)
                .collect()),
        }
    }

    /// Notes all that an untrusted layer says and that will not be heard.
    pub(super) fn note_dropped(&mut self, content: &LayerContent<'_>, untrusted: Untrusted) {
        let texts = [
            (&content.identity, Place::Identity, "identity"),
            (
                &content.operating_rules,
                Place::OperatingRules,
                "operating rules",
            ),
            (&content.instructions, Place::Instructions, "instructions"),
        ];
        for (text, place, name) in texts {
            if let Some(text) = text {
                let message = format!("dropped from the untrusted layer: {name} {}", quote(text));
                self.notice(DiagnosticCode::UntrustedDropped, place, message);
            }
        }
        let mut lists: Vec<(&Items<'_>, ListPlace, &str)> =
            vec![(&content.surface_notes, Place::SurfaceNotes, "surface note")];
        if untrusted == Untrusted::Drop {
            lists.push((&content.guardrails, Place::Guardrails, "guardrail"));
        }
        for (items, list, name) in lists {
            let mut quiet = ListReader {
                escapes: false,
                notices: Vec::new(),
                budget: DROPPED_HEADING_BYTES,
                ..*self
            };
            // A stranger's text may neither fail a call that does not use it, nor take its time.
            let Ok(dropped) = quiet.items(items.clone(), list, &"") else {
                let message = format!("dropped from the untrusted layer: all of its {name}s");
                self.notice(DiagnosticCode::UntrustedDropped, list(None), message);
                continue;
            };
            let what = format!("dropped from the untrusted layer: {name}");
            let places = dropped.iter().map(|item| (&*item.text, item.place(list)));
            self.note_each(DiagnosticCode::UntrustedDropped, &what, places);
        }
    }
}
