//! The handle for repeated turns: what does not change is not made again.

use std::borrow::Cow;
use std::fmt;
use std::hash::RandomState;
use std::ops::Range;

use crate::assembly::{AssembleInput, Assembly, Effective};
use crate::cache_block::{CacheBlock, Slice};
use crate::content::{LayerInput, owned};
use crate::contribution::Contribution;
use crate::descriptor::{Descriptor, fingerprint_with};
use crate::diagnostic::Diagnostic;
use crate::digest::{Hasher, HexDigest, Sha2};
use crate::error::{ErrorCode, StrataError, quote};
use crate::facts::{self, Fact, Stated, Volatility};
use crate::input::Path;
use crate::layer::Layer;
use crate::limits::MAX_TEXT_BYTES;
use crate::options::Options;
use crate::prefix::{Glue, Last, Prefix, channel_meta, channel_section};
use crate::record::{self, Changed, Known};
use crate::resolution::Resolved;
use crate::runtime::RuntimeSections;
use crate::section::{Section, utf16_len};
use crate::tail;

/// What is new in one turn; `None` keeps what the handle was made with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn<'a> {
    /// This turn's dynamic facts.
    pub facts: Option<Vec<Fact<'a>>>,
    /// Who speaks and where.
    pub channel_meta: Option<Cow<'a, str>>,
    /// The stance.
    pub epistemic_stance: Option<Cow<'a, str>>,
    /// The clock.
    pub temporal: Option<Cow<'a, str>>,
}

/// Everything about a prompt that no turn changes.
#[derive(Debug)]
pub(crate) struct Stable {
    pub(crate) prefix: Prefix,
    prefix_utf16: usize,
    pub(crate) sections: Option<Vec<Section>>,
    pub(crate) descriptors: Vec<Descriptor>,
    pub(crate) fingerprint: HexDigest,
    resolved: Resolved,
    /// About the layers.
    layer_diagnostics: Vec<Diagnostic>,
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
    contributions: Vec<Contribution<'a>>,
    /// Hashes the items of all contributions.
    state: RandomState,
    /// Of each contribution.
    known: Vec<Known>,
    runtime: RuntimeSections<'a>,
    binding_glue: Option<Cow<'a, str>>,
    channel_meta: Option<Cow<'a, str>>,
    options: Options<'a>,
    facts: Declared<'a>,
    hasher: Box<dyn Hasher>,
    stable: Stable,
}

/// The facts a handle was made with.
#[derive(Debug)]
struct Declared<'a> {
    dynamic: Vec<Fact<'a>>,
    /// The static facts, rendered.
    fixed: Option<String>,
    fixed_keys: Vec<String>,
    /// About all of them, and about the static ones alone.
    diagnostics: Vec<Diagnostic>,
    fixed_diagnostics: Vec<Diagnostic>,
}

impl<'a> Declared<'a> {
    fn new(stated: Vec<Fact<'a>>, state: &RandomState) -> Result<Self, StrataError> {
        facts::check(&stated, &Path::ROOT.field("facts"))?;
        let is_fixed = |fact: &Fact<'_>| fact.volatility == Volatility::Static;
        let indexed = || stated.iter().enumerate();
        let fixed = indexed().filter(|(_, fact)| is_fixed(fact));
        let diagnostics = facts::diagnose(indexed(), &mut Stated::new(state), true);
        let fixed_diagnostics = facts::diagnose(fixed, &mut Stated::new(state), true);
        let fixed = || stated.iter().filter(|fact| is_fixed(fact));
        Ok(Self {
            fixed: facts::render(fixed()),
            fixed_keys: fixed().map(|fact| fact.key.to_string()).collect(),
            dynamic: stated.into_iter().filter(|fact| !is_fixed(fact)).collect(),
            diagnostics,
            fixed_diagnostics,
        })
    }

    fn into_owned(self) -> Declared<'static> {
        Declared {
            dynamic: self.dynamic.into_iter().map(Fact::into_owned).collect(),
            fixed: self.fixed,
            fixed_keys: self.fixed_keys,
            diagnostics: self.diagnostics,
            fixed_diagnostics: self.fixed_diagnostics,
        }
    }

    /// Renders the dynamic facts of a turn, with what is to say about all facts of it.
    fn turn(
        &self,
        turn: Option<&[Fact<'_>]>,
        state: &RandomState,
    ) -> Result<(Option<String>, Vec<Diagnostic>), StrataError> {
        let Some(turn) = turn else {
            let rendered = facts::render(self.dynamic.iter());
            return Ok((rendered, self.diagnostics.clone()));
        };
        let path = Path::ROOT.field("facts");
        facts::check(turn, &path)?;
        let mut diagnostics = self.fixed_diagnostics.clone();
        for (index, fact) in turn.iter().enumerate() {
            let path = path.index(index);
            if fact.volatility == Volatility::Static {
                return Err(StrataError::at(
                    ErrorCode::StaticFactInTurn,
                    &path.field("volatility"),
                    format_args!("static fact {} in a turn", quote(&fact.key)),
                    "a turn never changes the prefix",
                ));
            }
        }
        let mut stated = Stated::new(state);
        self.fixed_keys.iter().for_each(|key| {
            stated.add(key);
        });
        let is_announced = !self.dynamic.is_empty();
        let turn_facts = turn.iter().enumerate();
        diagnostics.extend(facts::diagnose(turn_facts, &mut stated, is_announced));
        Ok((facts::render(turn.iter()), diagnostics))
    }
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
        let state = RandomState::new();
        let facts = Declared::new(input.facts, &state)?;
        let mut budget = MAX_TEXT_BYTES;
        let layers = Path::ROOT.field("layers");
        let mut contributions = Vec::with_capacity(input.layers.len());
        for (index, layer) in input.layers.into_iter().enumerate() {
            let path = layers.index(index);
            let contribution = Contribution::prepare(
                layer,
                &input.options,
                &state,
                budget,
                &format_args!("{path}."),
            )?;
            budget -= contribution.heading_bytes;
            contributions.push(contribution);
        }
        let mut known: Vec<Known> = Vec::new();
        known.resize_with(contributions.len(), Known::default);
        let mut assembler = Self {
            contributions,
            state,
            known,
            runtime: input.runtime,
            binding_glue: input.binding_glue,
            channel_meta: input.channel_meta,
            options: input.options,
            facts,
            hasher,
            stable: Stable::empty(),
        };
        assembler.rebuild(Changed::BOTH);
        Ok(assembler)
    }

    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> Assembler<'static> {
        Assembler {
            contributions: self
                .contributions
                .into_iter()
                .map(Contribution::into_owned)
                .collect(),
            state: self.state,
            known: self.known,
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
            blocks.push(Slice::ChannelMeta.block(&parts.channel_meta));
        }
        let prefix = stable.prefix.text.clone();
        let mut sections = stable.sections.clone();
        if let Some(sections) = &mut sections {
            sections.extend(parts.section);
        }
        let mut diagnostics = stable.layer_diagnostics.clone();
        diagnostics.extend(parts.fact_diagnostics);
        let bullets = |ranges: &[Range<usize>]| stable.prefix.all(ranges).map(str::to_owned);
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
                guardrails: bullets(&stable.prefix.guardrails),
                surface_note: bullets(&stable.prefix.surface_notes),
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
        let others = self.contributions.iter().enumerate();
        let others = others.filter(|(index, _)| Some(*index) != at);
        let spent: usize = others.map(|(_, it)| it.heading_bytes).sum();
        let budget = MAX_TEXT_BYTES - spent;
        let contribution = Contribution::prepare(layer, &self.options, &self.state, budget, &"")?;
        let changed =
            match at.and_then(|at| self.contributions.get_mut(at).zip(self.known.get_mut(at))) {
                Some((old, known)) => {
                    let changed = known.forget(old, &contribution);
                    *old = contribution;
                    changed
                }
                None => {
                    let broader = |it: &Contribution<'_>| it.layer <= contribution.layer;
                    let at = self.contributions.iter().rposition(broader);
                    let at = at.map_or(0, |at| at + 1);
                    self.contributions.insert(at, contribution);
                    self.known.insert(at, Known::default());
                    Changed::BOTH
                }
            };
        Ok(self.rebuild(changed))
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
        self.contributions.remove(at);
        self.known.remove(at);
        Ok(Some(self.rebuild(Changed::BOTH)))
    }

    #[cfg(feature = "wasm")]
    pub(crate) fn stable(&self) -> &Stable {
        &self.stable
    }

    /// The identity that won, unless it is empty.
    pub(crate) fn identity(&self) -> Option<&str> {
        let winner = self.contributions.get(self.stable.resolved.identity?)?;
        winner.identity.as_deref().filter(|text| !text.is_empty())
    }

    /// The operating rules that won, unless they are empty.
    pub(crate) fn operating_rules(&self) -> Option<&str> {
        let winner = self.stable.resolved.operating_rules?;
        let text = self.contributions.get(winner)?.operating_rules.as_deref();
        text.filter(|text| !text.is_empty())
    }

    /// What this turn adds.
    pub(crate) fn turn(&self, turn: &Turn<'_>) -> Result<TurnParts, StrataError> {
        let (facts, fact_diagnostics) = self.facts.turn(turn.facts.as_deref(), &self.state)?;
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
            fact_diagnostics,
        })
    }

    fn find(&self, layer: Layer, source: Option<&str>) -> Result<Option<usize>, StrataError> {
        let is_meant = |it: &Contribution<'_>| it.layer == layer && it.source.as_deref() == source;
        let mut found = self.contributions.iter().enumerate();
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
    fn rebuild(&mut self, changed: Changed) -> Stable {
        let mut resolved = std::mem::take(&mut self.stable.resolved);
        resolved.update(&self.contributions, changed);
        let wording = &self.options.wording;
        let mut prefix = Prefix::compose(
            &self.contributions,
            &resolved,
            &self.runtime,
            wording,
            self.options.sections,
            Last {
                prefix: &self.stable.prefix.text,
                known: &self.known,
            },
        );
        prefix.bind(&Glue {
            binding_glue: self.binding_glue.as_deref(),
            facts: self.facts.fixed.as_deref(),
            facts_note: (!self.facts.dynamic.is_empty()).then_some(&*wording.facts_note),
        });
        let descriptors = record::descriptors(
            &self.contributions,
            &mut self.known,
            &resolved,
            &prefix,
            &*self.hasher,
        );
        let sections = prefix.sections(&self.contributions);
        let stable = Stable {
            prefix_utf16: sections.as_ref().map_or(0, |_| utf16_len(&prefix.text)),
            sections,
            fingerprint: fingerprint_with(&descriptors, &*self.hasher),
            descriptors,
            layer_diagnostics: resolved.diagnose(&self.contributions),
            resolved,
            prefix,
        };
        std::mem::replace(&mut self.stable, stable)
    }
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
        }
    }
}

impl fmt::Debug for Assembler<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembler")
            .field("contributions", &self.contributions)
            .field("stable", &self.stable)
            .finish_non_exhaustive()
    }
}
