//! The handle for repeated turns: what does not change is not made again.

mod declared_facts;
pub(crate) mod one_shot;

use std::borrow::Cow;
use std::fmt;

use crate::assembler::declared_facts::DeclaredFacts;
use crate::compose::channel::{channel_meta, channel_section};
use crate::compose::prefix::{BoundText, Prefix};
use crate::compose::tail;
use crate::model::assembly::{AssembleInput, Assembly, Effective};
use crate::model::cache_block::{BlockLabel, CacheBlock};
use crate::model::content::{LayerInput, owned};
use crate::model::descriptor::{Descriptor, HexDigest};
use crate::model::diagnostic::{Diagnostic, at_most};
use crate::model::error::{ErrorCode, StrataError, quote};
use crate::model::layer::Layer;
use crate::model::limits::{MAX_DIAGNOSTICS, MAX_TEXT_BYTES, MAX_VALUES};
use crate::model::options::Options;
use crate::model::path::Path;
use crate::model::runtime::RuntimeSections;
use crate::model::section::Section;
use crate::model::turn::Turn;
use crate::prepare::changes::Changed;
use crate::prepare::prepared_layer::PreparedLayer;
use crate::prepare::size::Size;
use crate::record::descriptors::{self, Moved};
use crate::record::digest::{Hasher, Sha2};
use crate::record::fingerprint::fingerprint_with;
use crate::resolve::Resolved;
use crate::text::hash_table::HashKey;
use crate::text::utf16::utf16_len;

/// Everything about a prompt that no turn changes.
#[derive(Debug)]
pub(crate) struct Stable {
    pub(crate) prefix: Prefix,
    prefix_utf16: usize,
    pub(crate) sections: Option<Vec<Section>>,
    pub(crate) descriptors: Vec<Descriptor>,
    pub(crate) fingerprint: HexDigest,
    resolved: Resolved,
    /// About the layers, as far as a result has room.
    layer_diagnostics: Vec<Diagnostic>,
    /// How many there are beside these.
    more_diagnostics: usize,
}

/// What one turn adds to [`Stable`].
#[derive(Debug)]
pub(crate) struct TurnParts {
    pub(crate) tail: String,
    /// The text of the channel_meta block; empty where there is none.
    pub(crate) channel_meta: String,
    pub(crate) section: Option<Section>,
    /// About the facts that are stated this turn.
    pub(crate) fact_diagnostics: Vec<Diagnostic>,
}

/// Layers, sections and facts, resolved once, for many turns.
///
/// No turn changes the prefix. Layers can be set and removed; then only what depends on them is made again.
///
/// ```
/// use prompt_strata::{AssembleInput, Assembler, Fact, Turn};
///
/// let input = AssembleInput::from_json(r#"{
///     "layers": [{"layer": "seed", "content": {"identity": "You are Ada."}}],
///     "facts": [{"key": "time", "value": "12:00", "volatility": "dynamic"}]
/// }"#)?;
/// let assembler = Assembler::new(input)?;
/// let noon = assembler.assemble(Turn::default())?;
/// let later = assembler.assemble(Turn {
///     facts: Some(vec![Fact::dynamic("time", "12:01")]),
///     ..Turn::default()
/// })?;
/// assert_eq!(noon.prefix, later.prefix);
/// assert_eq!(later.tail, "<facts>\n- time: 12:01\n</facts>");
/// # Ok::<(), prompt_strata::StrataError>(())
/// ```
pub struct Assembler<'a> {
    layers: Vec<PreparedLayer<'a>>,
    /// How much all of it holds.
    size: Size,
    /// Hashes the items of all layers.
    hash_key: HashKey,
    runtime: RuntimeSections<'a>,
    binding_glue: Option<Cow<'a, str>>,
    channel_meta: Option<Cow<'a, str>>,
    options: Options<'a>,
    facts: DeclaredFacts<'a>,
    hasher: Box<dyn Hasher>,
    stable: Stable,
}

impl<'a> Assembler<'a> {
    /// Resolves an input.
    ///
    /// # Errors
    ///
    /// As [`assemble`](crate::assemble).
    pub fn new(input: AssembleInput<'a>) -> Result<Self, StrataError> {
        Self::with_hasher(input, Box::new(Sha2))
    }

    /// Resolves an input, digests computed by `hasher`.
    ///
    /// # Errors
    ///
    /// As [`assemble`](crate::assemble).
    pub fn with_hasher(
        input: AssembleInput<'a>,
        hasher: Box<dyn Hasher>,
    ) -> Result<Self, StrataError> {
        Self::keyed(input, hasher, HashKey::random())
    }

    pub(crate) fn keyed(
        input: AssembleInput<'a>,
        hasher: Box<dyn Hasher>,
        hash_key: HashKey,
    ) -> Result<Self, StrataError> {
        let host_size = host_size(&input);
        let facts = DeclaredFacts::new(input.facts, &hash_key)?;
        let mut budget = MAX_TEXT_BYTES;
        let root = Path::ROOT.field("layers");
        let mut layers: Vec<PreparedLayer<'_>> = Vec::with_capacity(input.layers.len());
        for (index, layer) in input.layers.into_iter().enumerate() {
            let path = root.index(index);
            let prepared = PreparedLayer::prepare(
                layer,
                &input.options,
                &hash_key,
                budget,
                &format_args!("{path}."),
            )?;
            budget -= prepared.heading_bytes;
            layers.push(prepared);
        }
        let sizes = layers.iter().map(|it| it.size);
        let size = sizes.fold(host_size, Size::plus);
        within_limits(size)?;
        let mut assembler = Self {
            layers,
            size,
            hash_key,
            runtime: input.runtime,
            binding_glue: input.binding_glue,
            channel_meta: input.channel_meta,
            options: input.options,
            facts,
            hasher,
            stable: Stable::empty(),
        };
        assembler.rebuild(Changed::BOTH, Moved::default());
        Ok(assembler)
    }

    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> Assembler<'static> {
        Assembler {
            layers: self
                .layers
                .into_iter()
                .map(PreparedLayer::into_owned)
                .collect(),
            size: self.size,
            hash_key: self.hash_key,
            runtime: self.runtime.into_owned(),
            binding_glue: self.binding_glue.map(owned),
            channel_meta: self.channel_meta.map(owned),
            options: self.options.into_owned(),
            facts: self.facts.into_owned(),
            hasher: self.hasher,
            stable: self.stable,
        }
    }

    /// The prompt of one turn.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::StaticFactInTurn`] and [`ErrorCode::InvalidFactKey`]; the handle stays as it was.
    pub fn assemble(&self, turn: Turn<'_>) -> Result<Assembly, StrataError> {
        let parts = self.turn(&turn)?;
        let stable = &self.stable;
        let blocks = stable.prefix.blocks();
        let mut blocks: Vec<CacheBlock> = blocks.map(|(slice, text)| slice.block(text)).collect();
        if !parts.channel_meta.is_empty() {
            blocks.push(BlockLabel::ChannelMeta.block(&parts.channel_meta));
        }
        let prefix = stable.prefix.text.clone();
        let mut sections = stable.sections.clone();
        if let Some(sections) = &mut sections {
            sections.extend(parts.section);
        }
        let mut diagnostics = stable.layer_diagnostics.clone();
        diagnostics.extend(parts.fact_diagnostics);
        Ok(Assembly {
            system: [&*prefix, &*parts.channel_meta].concat(),
            prefix,
            tail: parts.tail,
            blocks,
            sections,
            descriptors: stable.descriptors.clone(),
            fingerprint: stable.fingerprint.clone(),
            effective: Effective {
                identity: self.identity().map(str::to_owned),
                operating_rules: self.operating_rules().map(str::to_owned),
                guardrails: stable.prefix.joined(&stable.prefix.guardrails),
                surface_note: stable
                    .prefix
                    .joined(std::slice::from_ref(&stable.prefix.surface_notes)),
            },
            diagnostics,
        })
    }

    /// Replaces a layer, or adds one: after the last that is not narrower.
    ///
    /// Layer and source together say which one is meant.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::AmbiguousLayer`] where several inputs have that layer and source, [`ErrorCode::TooLarge`] as
    /// [`assemble`](crate::assemble); the handle stays as it was.
    pub fn set_layer(&mut self, layer: LayerInput<'a>) -> Result<(), StrataError> {
        self.replace_layer(layer).map(drop)
    }

    /// [`Assembler::set_layer`], giving the stable part as it was.
    pub(crate) fn replace_layer(&mut self, layer: LayerInput<'a>) -> Result<Stable, StrataError> {
        let at = self.find(layer.layer, layer.source.as_deref())?;
        let others = self.layers.iter().enumerate();
        let others = others.filter(|(index, _)| Some(*index) != at);
        let spent: usize = others.map(|(_, it)| it.heading_bytes).sum();
        let budget = MAX_TEXT_BYTES - spent;
        let mut new = PreparedLayer::prepare(layer, &self.options, &self.hash_key, budget, &"")?;
        let old = at.and_then(|at| self.layers.get(at));
        let size = self.size.plus(new.size);
        let size = old.map_or(size, |old| size.minus(old.size));
        within_limits(size)?;
        self.size = size;
        if let Some(old) = at.and_then(|at| self.layers.get_mut(at)) {
            let changed = Changed::between(old, &mut new);
            *old = new;
            return Ok(self.rebuild(changed, Moved::default()));
        }
        let is_broader = |it: &PreparedLayer<'_>| it.layer <= new.layer;
        let at = self.layers.iter().rposition(is_broader);
        let at = at.map_or(0, |at| at + 1);
        self.layers.insert(at, new);
        Ok(self.rebuild(Changed::BOTH, Moved { at, by: -1 }))
    }

    /// Takes a layer out; `false` where there was none.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::AmbiguousLayer`] where several inputs have that layer and source.
    pub fn remove_layer(
        &mut self,
        layer: Layer,
        source: Option<&str>,
    ) -> Result<bool, StrataError> {
        self.take_layer(layer, source).map(|old| old.is_some())
    }

    /// [`Assembler::remove_layer`], giving the stable part as it was.
    pub(crate) fn take_layer(
        &mut self,
        layer: Layer,
        source: Option<&str>,
    ) -> Result<Option<Stable>, StrataError> {
        let Some(at) = self.find(layer, source)? else {
            return Ok(None);
        };
        self.size = self.size.minus(self.layers.remove(at).size);
        Ok(Some(self.rebuild(Changed::BOTH, Moved { at, by: 1 })))
    }

    #[cfg(feature = "wasm")]
    pub(crate) fn stable(&self) -> &Stable {
        &self.stable
    }

    /// The identity that won, unless it is empty.
    pub(crate) fn identity(&self) -> Option<&str> {
        let winner = self.layers.get(self.stable.resolved.identity?)?;
        winner.identity.as_deref().filter(|text| !text.is_empty())
    }

    /// The operating rules that won, unless they are empty.
    pub(crate) fn operating_rules(&self) -> Option<&str> {
        let winner = self.stable.resolved.operating_rules?;
        let text = self.layers.get(winner)?.operating_rules.as_deref();
        text.filter(|text| !text.is_empty())
    }

    /// What this turn adds.
    pub(crate) fn turn(&self, turn: &Turn<'_>) -> Result<TurnParts, StrataError> {
        let (facts, (fact_diagnostics, more)) =
            self.facts.turn(turn.facts.as_deref(), &self.hash_key)?;
        let room = MAX_DIAGNOSTICS - self.stable.layer_diagnostics.len();
        let more = more + self.stable.more_diagnostics;
        let channel = kept(&turn.channel_meta, &self.channel_meta).unwrap_or_default();
        let channel = channel_meta(&self.stable.prefix.text, channel);
        let section = channel_section(self.stable.prefix_utf16, &channel);
        Ok(TurnParts {
            tail: tail::compose(
                kept(&turn.epistemic_stance, &self.runtime.epistemic_stance),
                kept(&turn.temporal, &self.runtime.temporal),
                facts.as_deref(),
                &self.options.wording,
            ),
            channel_meta: channel,
            section: section.filter(|_| self.options.sections),
            fact_diagnostics: at_most(fact_diagnostics, room, more),
        })
    }

    fn find(&self, layer: Layer, source: Option<&str>) -> Result<Option<usize>, StrataError> {
        let is_meant = |it: &PreparedLayer<'_>| it.layer == layer && it.source.as_deref() == source;
        let mut found = self.layers.iter().enumerate();
        let first = found.find(|(_, it)| is_meant(it)).map(|(at, _)| at);
        if found.any(|(_, it)| is_meant(it)) {
            let source = source.map_or_else(
                || "no source".to_owned(),
                |it| format!("source {}", quote(it)),
            );
            let name = quote(layer.as_str());
            let message = format!("several layers are {name} with {source}");
            return Err(StrataError::new(
                ErrorCode::AmbiguousLayer,
                &"layer",
                message,
            ));
        }
        Ok(first)
    }

    /// Makes the stable part again and gives the old one; what is still good of it is kept.
    ///
    /// `moved` says where layers stood before.
    fn rebuild(&mut self, changed: Changed, moved: Moved) -> Stable {
        let mut resolved = std::mem::take(&mut self.stable.resolved);
        let [guardrails, notes] = resolved.update(&self.layers, self.options.untrusted, changed);
        for (new, old) in [
            (&mut resolved.guardrails, guardrails),
            (&mut resolved.surface_notes, notes),
        ] {
            if let Some(old) = old {
                descriptors::digest_bullets(new, &old, moved, &*self.hasher);
            }
        }
        let mut prefix = Prefix::compose(
            &self.layers,
            &resolved,
            &self.runtime,
            &self.options.wording,
            self.stable.prefix.text.len(),
        );
        prefix.bind(&BoundText {
            binding_glue: self.binding_glue.as_deref(),
            facts: self.facts.fixed.as_deref(),
            facts_note: (!self.facts.dynamic.is_empty())
                .then_some(&*self.options.wording.facts_note),
        });
        let descriptors = descriptors::descriptors(&mut self.layers, &resolved, &*self.hasher);
        let wants_sections = self.options.sections;
        let sections = wants_sections.then(|| prefix.sections(&self.layers));
        let (layer_diagnostics, more_diagnostics) = resolved.diagnose(&self.layers, &self.hash_key);
        let stable = Stable {
            prefix_utf16: sections.as_ref().map_or(0, |_| utf16_len(&prefix.text)),
            sections,
            fingerprint: fingerprint_with(&descriptors, &*self.hasher),
            descriptors,
            layer_diagnostics,
            more_diagnostics,
            resolved,
            prefix,
        };
        std::mem::replace(&mut self.stable, stable)
    }
}

/// How much of an input is not a layer's.
fn host_size(input: &AssembleInput<'_>) -> Size {
    let mut size = Size::default();
    let runtime = &input.runtime;
    let wording = &input.options.wording;
    for text in [
        &runtime.capability_contract,
        &runtime.presentation_contract,
        &runtime.sandbox_contract,
        &runtime.surface,
        &runtime.skills,
        &runtime.mcp,
        &runtime.tool_index,
        &runtime.standing,
        &runtime.epistemic_stance,
        &runtime.temporal,
        &input.binding_glue,
        &input.channel_meta,
    ] {
        size.add_some(text.as_deref());
    }
    for text in [
        &wording.guardrails_heading,
        &wording.surface_notes_heading,
        &wording.instructions_heading,
        &wording.stance_clarifier,
        &wording.facts_note,
        &wording.untrusted_heading,
    ] {
        // Wording of our own is no text of the host's.
        if let Cow::Owned(text) = text {
            size.add(text);
        }
    }
    for fact in &input.facts {
        size.add(&fact.key);
        size.add(&fact.value);
    }
    size
}

/// Refuses more than a handle may hold.
fn within_limits(size: Size) -> Result<(), StrataError> {
    let (most, what) = if size.text > MAX_TEXT_BYTES {
        (MAX_TEXT_BYTES, "bytes of text")
    } else if size.values > MAX_VALUES {
        (MAX_VALUES, "values")
    } else {
        return Ok(());
    };
    let message = format!("more than {most} {what} in all layers together");
    Err(StrataError::new(ErrorCode::TooLarge, &"", message))
}

/// What a turn says, or what the handle was made with.
fn kept<'t>(turn: &'t Option<Cow<'_, str>>, made: &'t Option<Cow<'_, str>>) -> Option<&'t str> {
    turn.as_deref().or(made.as_deref())
}

impl Stable {
    #[cfg(feature = "wasm")]
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.layer_diagnostics
    }

    fn empty() -> Self {
        Self {
            prefix: Prefix::default(),
            prefix_utf16: 0,
            sections: None,
            descriptors: Vec::new(),
            fingerprint: HexDigest::new(),
            resolved: Resolved::default(),
            layer_diagnostics: Vec::new(),
            more_diagnostics: 0,
        }
    }
}

impl fmt::Debug for Assembler<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembler")
            .field("layers", &self.layers)
            .field("stable", &self.stable)
            .finish_non_exhaustive()
    }
}
