//! What one layer brings to a resolution: demoted where it is untrusted, its lists parsed and on single lines.

use std::borrow::Cow;
use std::fmt;
use std::hash::RandomState;

use crate::content::{Items, LayerContent, LayerInput, owned};
use crate::diagnostic::DiagnosticCode;
use crate::error::{StrataError, quote};
use crate::guardrails::duplicate;
use crate::guardrails::{Dialect, markdown_in_strict, parse_within};
use crate::index::Key;
use crate::layer::Layer;
use crate::limits::MAX_ITEM_DIAGNOSTICS;
use crate::options::Options;
use crate::trust::{Untrusted, demote};
use crate::whitespace::{fold_line_breaks, has_line_break, is_blank, trim_cow};

/// Where in a layer input something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Layer,
    Trusted,
    Identity,
    OperatingRules,
    Instructions,
    Guardrails(Option<usize>),
    SurfaceNotes(Option<usize>),
}

impl Place {
    /// The fields of a layer input, in the order of diagnostics.
    pub(crate) const FIELDS: [Self; 7] = [
        Self::Layer,
        Self::Trusted,
        Self::Identity,
        Self::OperatingRules,
        Self::Instructions,
        Self::Guardrails(None),
        Self::SurfaceNotes(None),
    ];

    /// The item, where it is one of a list.
    pub(crate) fn item(self) -> Option<usize> {
        match self {
            Self::Guardrails(item) | Self::SurfaceNotes(item) => item,
            _ => None,
        }
    }

    /// The place without the item.
    pub(crate) fn field(self) -> Self {
        match self {
            Self::Guardrails(_) => Self::Guardrails(None),
            Self::SurfaceNotes(_) => Self::SurfaceNotes(None),
            other => other,
        }
    }
}

impl fmt::Display for Place {
    /// Writes the path below the layer input.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, item) = match *self {
            Self::Layer => ("layer", None),
            Self::Trusted => ("trusted", None),
            Self::Identity => ("content.identity", None),
            Self::OperatingRules => ("content.operatingRules", None),
            Self::Instructions => ("content.instructions", None),
            Self::Guardrails(item) => ("content.guardrails", item),
            Self::SurfaceNotes(item) => ("content.surfaceNotes", item),
        };
        f.write_str(field)?;
        item.map_or(Ok(()), |item| write!(f, "[{item}]"))
    }
}

/// The place of an item in a list block, or of the whole list.
pub(crate) type ListPlace = fn(Option<usize>) -> Place;

/// A diagnostic before the layer's position in the input is known.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub(crate) code: DiagnosticCode,
    pub(crate) place: Place,
    pub(crate) message: String,
}

/// One item of a list block, trimmed and not empty.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Of what it shares with its duplicates: made once, since it costs more than all else about an item.
    hash: u64,
    /// Where the item stands in the input: none for an item of a text.
    index: Option<usize>,
}

impl<'a> Item<'a> {
    /// Makes an item, and says whether line breaks inside it were folded; `None` where nothing is left.
    fn new(text: Cow<'a, str>, index: Option<usize>, state: &RandomState) -> Option<(Self, bool)> {
        let mut text = trim_cow(text);
        if text.is_empty() {
            return None;
        }
        if let Some(hash) = duplicate::plain_hash(&text, state) {
            return Some((Self { text, hash, index }, false));
        }
        let has_break = has_line_break(&text);
        if has_break {
            text = Cow::Owned(fold_line_breaks(&text).into_owned());
        }
        let hash = duplicate::hash(&text, state);
        Some((Self { text, hash, index }, has_break))
    }

    /// The item as the search for duplicates takes it.
    pub(crate) fn key(&self) -> Key<'_> {
        Key {
            text: &self.text,
            hash: self.hash,
            is_same: duplicate::is_duplicate,
        }
    }

    pub(crate) fn place(&self, list: ListPlace) -> Place {
        list(self.index)
    }

    fn into_owned(self) -> Item<'static> {
        Item {
            text: owned(self.text),
            hash: self.hash,
            index: self.index,
        }
    }
}

/// What one layer brings.
#[derive(Clone, Debug)]
pub(crate) struct Contribution<'a> {
    pub(crate) layer: Layer,
    pub(crate) source: Option<Cow<'a, str>>,
    pub(crate) identity: Option<Cow<'a, str>>,
    pub(crate) operating_rules: Option<Cow<'a, str>>,
    /// Not blank.
    pub(crate) instructions: Option<Cow<'a, str>>,
    pub(crate) guardrails: Vec<Item<'a>>,
    pub(crate) surface_notes: Vec<Item<'a>>,
    pub(crate) notices: Vec<Notice>,
    /// How many bytes of heading paths the Markdown dialect put before items.
    pub(crate) heading_bytes: usize,
}

impl<'a> Contribution<'a> {
    /// Prepares one layer; `state` hashes the items of all layers of a call alike, `budget` bounds the heading paths of all layers of a call together, and `prefix` is what
    /// the path of an error starts with.
    pub(crate) fn prepare(
        input: LayerInput<'a>,
        options: &Options<'_>,
        state: &RandomState,
        budget: usize,
        prefix: &dyn fmt::Display,
    ) -> Result<Self, StrataError> {
        let mut reader = Reader {
            dialect: options.dialect,
            state,
            budget,
            notices: Vec::new(),
        };
        if input.layer.is_project_scoped() && input.trusted.is_none() {
            reader.notice(
                DiagnosticCode::TrustUnstated,
                Place::Trusted,
                "the workspace layer does not say whether it is trusted, and counts as trusted",
            );
        }
        let is_untrusted = input.trusted == Some(false);
        let content = if is_untrusted {
            reader.note_dropped(&input.content, options.untrusted);
            demote(input.content, options.untrusted)
        } else {
            input.content
        };
        let guardrails = reader.items(content.guardrails, Place::Guardrails, prefix)?;
        let surface_notes = reader.items(content.surface_notes, Place::SurfaceNotes, prefix)?;
        if is_untrusted {
            let places = guardrails
                .iter()
                .map(|item| (&*item.text, item.place(Place::Guardrails)));
            reader.note_each(
                DiagnosticCode::UntrustedKept,
                "kept from the untrusted layer: guardrail",
                places,
            );
        }
        Ok(Self {
            layer: input.layer,
            source: input.source,
            identity: content.identity,
            operating_rules: content.operating_rules,
            instructions: content.instructions.filter(|text| !is_blank(text)),
            guardrails,
            surface_notes,
            notices: reader.notices,
            heading_bytes: budget - reader.budget,
        })
    }

    /// The layer as a message names it.
    pub(crate) fn describe(&self) -> String {
        match &self.source {
            Some(source) => format!("{} {}", self.layer, quote(source)),
            None => self.layer.to_string(),
        }
    }

    pub(crate) fn into_owned(self) -> Contribution<'static> {
        let items = |items: Vec<Item<'_>>| items.into_iter().map(Item::into_owned).collect();
        Contribution {
            layer: self.layer,
            source: self.source.map(owned),
            identity: self.identity.map(owned),
            operating_rules: self.operating_rules.map(owned),
            instructions: self.instructions.map(owned),
            guardrails: items(self.guardrails),
            surface_notes: items(self.surface_notes),
            notices: self.notices,
            heading_bytes: self.heading_bytes,
        }
    }
}

/// How many bytes of heading paths are put before items that are dropped, only to name them in diagnostics.
const DROPPED_HEADING_BYTES: usize = 16 * 1024;

/// Reads the lists of one layer and notes what happens to them.
struct Reader<'s> {
    dialect: Dialect,
    state: &'s RandomState,
    budget: usize,
    notices: Vec<Notice>,
}

impl Reader<'_> {
    fn notice(&mut self, code: DiagnosticCode, place: Place, message: impl Into<String>) {
        self.notices.push(Notice {
            code,
            place,
            message: message.into(),
        });
    }

    /// Notes each of several texts, and past [`MAX_ITEM_DIAGNOSTICS`] how many more there are.
    fn note_each<'t>(
        &mut self,
        code: DiagnosticCode,
        what: &str,
        texts: impl ExactSizeIterator<Item = (&'t str, Place)>,
    ) {
        let more = texts.len().saturating_sub(MAX_ITEM_DIAGNOSTICS);
        for (count, (text, place)) in texts.enumerate() {
            if count < MAX_ITEM_DIAGNOSTICS {
                self.notice(code, place, format!("{what} {}", quote(text)));
            } else {
                self.notice(
                    code,
                    place,
                    format!("{what} {}, and {} more", quote(text), more - 1),
                );
                break;
            }
        }
    }

    /// The items of a list block, on single lines, trimmed, none empty.
    fn items<'a>(
        &mut self,
        items: Items<'a>,
        list: ListPlace,
        prefix: &dyn fmt::Display,
    ) -> Result<Vec<Item<'a>>, StrataError> {
        let is_list = matches!(items, Items::List(_));
        let texts = self.texts(items, list, prefix)?;
        let mut broken = Vec::new();
        let mut read = Vec::with_capacity(texts.len());
        for (index, text) in texts.into_iter().enumerate() {
            let Some((item, has_break)) = Item::new(text, is_list.then_some(index), self.state)
            else {
                continue;
            };
            if has_break {
                broken.push(read.len());
            }
            read.push(item);
        }
        let folded: Vec<(&str, Place)> = broken
            .iter()
            .filter_map(|at| read.get(*at))
            .map(|item| (&*item.text, item.place(list)))
            .collect();
        self.note_each(
            DiagnosticCode::LineBreaksFolded,
            "line breaks became spaces in",
            folded.into_iter(),
        );
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
    fn note_dropped(&mut self, content: &LayerContent<'_>, untrusted: Untrusted) {
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
            let mut quiet = Reader {
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
