//! What one layer brings to a resolution: demoted where it is untrusted, its lists parsed and on single lines.

use std::borrow::Cow;
use std::fmt;

use crate::content::{Items, LayerContent, LayerInput, owned};
use crate::diagnostic::DiagnosticCode;
use crate::error::{StrataError, quote};
use crate::facts;
use crate::guardrails::duplicate;
use crate::guardrails::{Dialect, markdown_in_strict, parse_within};
use crate::index::{HashKey, Key};
use crate::layer::Layer;
use crate::limits::MAX_DIAGNOSTICS;
use crate::options::Options;
use crate::record::TextDigests;
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
    fn new(text: Cow<'a, str>, index: Option<usize>, hash_key: &HashKey) -> Option<(Self, bool)> {
        let mut text = trim_cow(text);
        if text.is_empty() {
            return None;
        }
        if let Some(hash) = duplicate::plain_hash(&text, hash_key) {
            return Some((Self { text, hash, index }, false));
        }
        let has_break = has_line_break(&text);
        if has_break {
            text = Cow::Owned(fold_line_breaks(&text).into_owned());
        }
        let hash = duplicate::hash(&text, hash_key);
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

/// How much a handle holds, in what [`limits`](crate::limits) count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Size {
    pub(crate) text: usize,
    pub(crate) values: usize,
}

impl Size {
    fn of(layer: &LayerInput<'_>) -> Self {
        let content = &layer.content;
        let mut size = Self::default();
        for text in [
            &layer.source,
            &content.identity,
            &content.operating_rules,
            &content.instructions,
        ] {
            size.add_some(text.as_deref());
        }
        for items in [&content.guardrails, &content.surface_notes] {
            match items {
                Items::List(items) => items.iter().for_each(|item| size.add(item)),
                Items::Text(text) => size.add(text),
            }
        }
        size
    }

    /// Counts a text.
    pub(crate) fn add(&mut self, text: &str) {
        self.text += text.len();
        self.values += 1;
    }

    /// Counts a text, where there is one.
    pub(crate) fn add_some(&mut self, text: Option<&str>) {
        if let Some(text) = text {
            self.add(text);
        }
    }

    /// What is left without `other`, which is part of this.
    pub(crate) fn minus(self, other: Self) -> Self {
        Self {
            text: self.text - other.text,
            values: self.values - other.values,
        }
    }

    /// The two together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            text: self.text + other.text,
            values: self.values + other.values,
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
    /// Whether nobody vouches for it.
    pub(crate) is_untrusted: bool,
    pub(crate) digests: TextDigests,
    pub(crate) notices: Vec<Notice>,
    /// How many notices there are beside these: more than any result shows.
    pub(crate) more_notices: usize,
    /// How much the layer holds as it was given.
    pub(crate) size: Size,
    /// How many bytes of heading paths the Markdown dialect put before items.
    pub(crate) heading_bytes: usize,
}

impl<'a> Contribution<'a> {
    /// Prepares one layer; `state` hashes the items of all layers of a call alike, `budget` bounds the heading paths of all layers of a call together, and `prefix` is what
    /// the path of an error starts with.
    pub(crate) fn prepare(
        input: LayerInput<'a>,
        options: &Options<'_>,
        hash_key: &HashKey,
        budget: usize,
        prefix: &dyn fmt::Display,
    ) -> Result<Self, StrataError> {
        let mut reader = Reader {
            dialect: options.dialect,
            hash_key,
            budget,
            escapes: false,
            notices: Vec::new(),
            more: 0,
        };
        let size = Size::of(&input);
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
        reader.escapes = is_untrusted && options.untrusted == Untrusted::Apart;
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
            is_untrusted,
            digests: TextDigests::default(),
            notices: reader.notices,
            more_notices: reader.more,
            size,
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
            is_untrusted: self.is_untrusted,
            digests: self.digests,
            notices: self.notices,
            more_notices: self.more_notices,
            size: self.size,
            heading_bytes: self.heading_bytes,
        }
    }
}

/// How many bytes of heading paths are put before items that are dropped, only to name them in diagnostics.
const DROPPED_HEADING_BYTES: usize = 16 * 1024;

/// Reads the lists of one layer and notes what happens to them.
struct Reader<'s> {
    dialect: Dialect,
    hash_key: &'s HashKey,
    budget: usize,
    /// Whether items may not forge facts.
    escapes: bool,
    notices: Vec<Notice>,
    /// How many notices there are beside these.
    more: usize,
}

impl Reader<'_> {
    fn notice(&mut self, code: DiagnosticCode, place: Place, message: impl Into<String>) {
        self.notices.push(Notice {
            code,
            place,
            message: message.into(),
        });
    }

    /// Notes each of several texts; those that no result has room for are counted.
    fn note_each<'t>(
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
    fn items<'a>(
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
                && let Cow::Owned(text) = facts::escape(&item.text)
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
