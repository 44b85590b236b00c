//! What one layer brings to a resolution: demoted where it is untrusted, its lists parsed and on single lines.

use std::borrow::Cow;
use std::fmt;

use crate::model::content::{LayerInput, owned};
use crate::model::diagnostic::DiagnosticCode;
use crate::model::error::{StrataError, quote};
use crate::model::layer::Layer;
use crate::model::options::{Options, Untrusted};
use crate::prepare::item::Item;
use crate::prepare::lists::ListReader;
use crate::prepare::notice::{Notice, Place};
use crate::prepare::size::Size;
use crate::prepare::text_digests::TextDigests;
use crate::prepare::trust::demote;
use crate::text::hash_table::HashKey;
use crate::text::whitespace::is_blank;

/// What one layer brings.
#[derive(Clone, Debug)]
pub(crate) struct PreparedLayer<'a> {
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

impl<'a> PreparedLayer<'a> {
    /// Prepares one layer; `state` hashes the items of all layers of a call alike, `budget` bounds the heading paths of all layers of a call together, and `prefix` is what
    /// the path of an error starts with.
    pub(crate) fn prepare(
        input: LayerInput<'a>,
        options: &Options<'_>,
        hash_key: &HashKey,
        budget: usize,
        prefix: &dyn fmt::Display,
    ) -> Result<Self, StrataError> {
        let mut reader = ListReader {
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

    pub(crate) fn into_owned(self) -> PreparedLayer<'static> {
        let items = |items: Vec<Item<'_>>| items.into_iter().map(Item::into_owned).collect();
        PreparedLayer {
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
