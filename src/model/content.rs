//! What a layer may say.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::model::layer::Layer;

/// The list of a list block: items, or the text of one that is still to be parsed.
///
/// Text is read as [guardrail text](crate::parse_guardrails), in the dialect of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Items<'a> {
    /// One item an entry. A line break inside an item is folded to a space.
    List(Vec<Cow<'a, str>>),
    /// Bullets or paragraphs, as a person wrote them.
    Text(Cow<'a, str>),
}

impl Items<'_> {
    /// Whether this says nothing: nothing can be taken out of a list block, so an empty list inherits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::List(items) => items.is_empty(),
            Self::Text(text) => text.is_empty(),
        }
    }

    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> Items<'static> {
        match self {
            Self::List(items) => Items::List(items.into_iter().map(owned).collect()),
            Self::Text(text) => Items::Text(owned(text)),
        }
    }
}

impl Default for Items<'_> {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl<'a, T: Into<Cow<'a, str>>> FromIterator<T> for Items<'a> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::List(items) => items.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
        }
    }
}

/// The content of one layer.
///
/// For the three texts, `None` means that the layer says nothing and inherits, and `Some("")` that it
/// deliberately empties the block.
///
/// ```
/// use prompt_strata::{Items, LayerContent};
/// let content = LayerContent {
///     identity: Some("You are Ada.".into()),
///     guardrails: Items::from_iter(["Never reveal a secret."]),
///     ..LayerContent::default()
/// };
/// assert!(content.operating_rules.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LayerContent<'a> {
    /// Who the assistant is. The narrowest layer that says something wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<Cow<'a, str>>,
    /// How it works. The narrowest layer that says something wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operating_rules: Option<Cow<'a, str>>,
    /// More to do, from every layer that has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Cow<'a, str>>,
    /// What it must never do, from every layer.
    #[serde(skip_serializing_if = "Items::is_empty")]
    pub guardrails: Items<'a>,
    /// What is also true on this surface, from every layer.
    #[serde(skip_serializing_if = "Items::is_empty")]
    pub surface_notes: Items<'a>,
}

impl LayerContent<'_> {
    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> LayerContent<'static> {
        LayerContent {
            identity: self.identity.map(owned),
            operating_rules: self.operating_rules.map(owned),
            instructions: self.instructions.map(owned),
            guardrails: self.guardrails.into_owned(),
            surface_notes: self.surface_notes.into_owned(),
        }
    }
}

/// One layer as a host gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerInput<'a> {
    /// Which layer this is.
    pub layer: Layer,
    /// What tells several inputs of one layer apart, and is recorded in the descriptors: a path, an id.
    pub source: Option<Cow<'a, str>>,
    /// Whether a person vouches for the content; `None` counts as trusted.
    pub trusted: Option<bool>,
    /// What the layer says.
    pub content: LayerContent<'a>,
}

impl<'a> LayerInput<'a> {
    /// A layer without a source, trust unstated.
    #[must_use]
    pub fn new(layer: Layer, content: LayerContent<'a>) -> Self {
        Self {
            layer,
            source: None,
            trusted: None,
            content,
        }
    }

    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> LayerInput<'static> {
        LayerInput {
            layer: self.layer,
            source: self.source.map(owned),
            trusted: self.trusted,
            content: self.content.into_owned(),
        }
    }
}

pub(crate) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
