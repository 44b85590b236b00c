//! The main job: layers, runtime sections and facts in; prefix, tail, descriptors and cache blocks out.

use std::borrow::Cow;

use serde::Serialize;

use crate::model::cache_block::CacheBlock;
use crate::model::content::{LayerInput, owned};
use crate::model::descriptor::{Descriptor, HexDigest};
use crate::model::diagnostic::Diagnostic;
use crate::model::fact::Fact;
use crate::model::options::Options;
use crate::model::runtime::RuntimeSections;
use crate::model::section::Section;

/// All that goes into one prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssembleInput<'a> {
    /// The layers, broadest first.
    pub layers: Vec<LayerInput<'a>>,
    /// The sections that the host's code owns.
    pub runtime: RuntimeSections<'a>,
    /// What the host states.
    pub facts: Vec<Fact<'a>>,
    /// Stable text that binds this host: peers, accounts.
    pub binding_glue: Option<Cow<'a, str>>,
    /// Who speaks and where; varies by turn.
    pub channel_meta: Option<Cow<'a, str>>,
    /// What the caller chooses.
    pub options: Options<'a>,
}

impl<'a> AssembleInput<'a> {
    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> AssembleInput<'static> {
        AssembleInput {
            layers: self
                .layers
                .into_iter()
                .map(LayerInput::into_owned)
                .collect(),
            runtime: self.runtime.into_owned(),
            facts: self.facts.into_iter().map(Fact::into_owned).collect(),
            binding_glue: self.binding_glue.map(owned),
            channel_meta: self.channel_meta.map(owned),
            options: self.options.into_owned(),
        }
    }
}

/// What goes into a resolution: an [`AssembleInput`] without facts and blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolveInput<'a> {
    /// The layers, broadest first.
    pub layers: Vec<LayerInput<'a>>,
    /// The sections that the host's code owns.
    pub runtime: RuntimeSections<'a>,
    /// What the caller chooses.
    pub options: Options<'a>,
}

impl<'a> From<ResolveInput<'a>> for AssembleInput<'a> {
    /// The same with no facts and nothing bound in.
    fn from(input: ResolveInput<'a>) -> Self {
        Self {
            layers: input.layers,
            runtime: input.runtime,
            options: input.options,
            ..Self::default()
        }
    }
}

/// The winning or accumulated text of each editable block, as given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Effective {
    /// The winner's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The winner's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operating_rules: Option<String>,
    /// All guardrails, as bullets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guardrails: Option<String>,
    /// All surface notes, as bullets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface_note: Option<String>,
}

/// One assembled prompt.
///
/// `prefix` is the texts of the `1h` blocks, concatenated; `system` is the texts of all blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assembly {
    /// The stable system prompt.
    pub prefix: String,
    /// What changes each turn; it belongs at the end of the conversation.
    pub tail: String,
    /// The whole system prompt: the prefix, and the channel metadata.
    pub system: String,
    /// The system prompt in slices, each with its cache policy.
    pub blocks: Vec<CacheBlock>,
    /// Where each piece of `system` came from, if [`Options::sections`] asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<Section>>,
    /// Who contributed what.
    pub descriptors: Vec<Descriptor>,
    /// One digest over the descriptors.
    pub fingerprint: HexDigest,
    /// What holds, block by block.
    pub effective: Effective,
    /// What was dropped, folded or escaped, in the order of the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the layers alone make: no facts, no cache blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Resolution {
    /// The stable text of layers and runtime sections.
    pub prefix: String,
    /// Stance and clock.
    pub tail: String,
    /// Who contributed what.
    pub descriptors: Vec<Descriptor>,
    /// One digest over the descriptors.
    pub fingerprint: HexDigest,
    /// What holds, block by block.
    pub effective: Effective,
    /// What was dropped or folded, in the order of the input.
    pub diagnostics: Vec<Diagnostic>,
}
