//! The prefix: the stable system prompt, composed piece by piece, cut into cache blocks as it grows.

use std::ops::Range;

use crate::guardrails::push_bullet;
use crate::model::cache_block::BlockLabel;
use crate::model::runtime::RuntimeSections;
use crate::model::section::Section;
use crate::model::wording::Wording;
use crate::prepare::prepared_layer::PreparedLayer;
use crate::resolve::Resolved;
use crate::resolve::accumulated::Added;
use crate::text::utf16::utf16_len;
use crate::text::whitespace::{is_blank, trim};

/// A finished piece; it begins where the one before it ends, so that pieces cover the text.
#[derive(Debug)]
struct Piece {
    name: &'static str,
    slice: BlockLabel,
    /// Where its own text begins, after what sets it apart from the piece before.
    text: usize,
    end: usize,
    /// The layer it came from.
    origin: Option<usize>,
    /// Whether it is one bullet a line, each a section of its own.
    is_list: bool,
}

/// The composed text, and where in it things stand. All ranges are bytes.
#[derive(Debug, Default)]
pub(crate) struct Prefix {
    pub(crate) text: String,
    /// The cache blocks, each with the place where it begins.
    cuts: Vec<(BlockLabel, usize)>,
    pieces: Vec<Piece>,
    /// The guardrails that stand together, and those that stand apart.
    pub(crate) guardrails: [Range<usize>; 2],
    pub(crate) surface_notes: Range<usize>,
}

/// The stable text that joins the prefix after what the layers and runtime sections make.
#[derive(Debug)]
pub(crate) struct BoundText<'g> {
    pub(crate) binding_glue: Option<&'g str>,
    pub(crate) facts: Option<&'g str>,
    pub(crate) facts_note: Option<&'g str>,
}

impl Prefix {
    /// Composes the text of the layers and the runtime sections.
    pub(crate) fn compose(
        layers: &[PreparedLayer<'_>],
        resolved: &Resolved,
        runtime: &RuntimeSections<'_>,
        wording: &Wording<'_>,
        capacity: usize,
    ) -> Self {
        let mut prefix = Self::default();
        prefix.enter(BlockLabel::Workspace);
        prefix.text.reserve(capacity);
        prefix.policy(layers, resolved, runtime, wording);
        prefix.surface(resolved, runtime, wording);
        for (slice, name, text) in [
            (BlockLabel::Skills, "skills", &runtime.skills),
            (BlockLabel::Skills, "mcp", &runtime.mcp),
            (BlockLabel::Skills, "tool-index", &runtime.tool_index),
            (BlockLabel::BindingGlue, "standing", &runtime.standing),
        ] {
            let text = text.as_deref().unwrap_or_default();
            if !is_blank(text) {
                prefix.enter(slice);
                prefix.lead(text);
                prefix.piece(name, None, text);
            }
        }
        if is_blank(&prefix.text) {
            // Departure 3: an empty resolution is no lone newline.
            prefix.text.clear();
            prefix.cuts.clear();
            prefix.pieces.clear();
        }
        prefix
    }

    /// Adds what the host binds in, each after a blank line.
    pub(crate) fn bind(&mut self, glue: &BoundText<'_>) {
        for (name, text) in [
            ("binding-glue", glue.binding_glue),
            ("facts", glue.facts),
            ("facts-note", glue.facts_note),
        ] {
            let text = text.map(trim).unwrap_or_default();
            if !text.is_empty() {
                self.enter(BlockLabel::BindingGlue);
                self.blank_line();
                let start = self.text.len();
                self.text.push_str(text);
                self.text.push('\n');
                self.record(name, None, start, false);
            }
        }
    }

    /// The cache blocks with text in them, in order.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (BlockLabel, &str)> {
        let ends = self.cuts.iter().skip(1).map(|(_, start)| *start);
        let mut start = 0;
        let cuts = self.cuts.iter().zip(ends.chain([self.text.len()]));
        cuts.filter_map(move |((slice, _), end)| {
            let text = self.text.get(start..end)?;
            // A blank block is not emitted, its bytes lead the next.
            (!is_blank(text)).then(|| {
                start = end;
                (*slice, text)
            })
        })
    }

    /// The text in some ranges; `None` where it is empty.
    pub(crate) fn joined(&self, ranges: &[Range<usize>]) -> Option<String> {
        let texts = ranges.iter().filter_map(|it| self.text.get(it.clone()));
        let text: String = texts.collect();
        (!text.is_empty()).then_some(text)
    }

    /// The text in segments, so that a small change leaves most of them as they were: every bound of a block, of a
    /// winner's text and of a layer's bullets is one of a segment.
    #[cfg(feature = "wasm")]
    pub(crate) fn segments(&self) -> Vec<&str> {
        let mut segments = Vec::with_capacity(2 * self.pieces.len());
        let mut start = 0;
        for piece in &self.pieces {
            for end in [piece.text, piece.end] {
                if start < end {
                    segments.extend(self.text.get(start..end));
                    start = end;
                }
            }
        }
        segments
    }

    /// Where each piece came from.
    pub(crate) fn sections(&self, layers: &[PreparedLayer<'_>]) -> Vec<Section> {
        let mut start = 0;
        let mut from = 0;
        let mut sections = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let origin = piece.origin.and_then(|at| layers.get(at));
            let mut add = |text: &str| {
                let end = start + utf16_len(text);
                sections.push(Section {
                    name: piece.name.into(),
                    block: piece.slice.label().into(),
                    start,
                    end,
                    layer: origin.map(|it| it.layer),
                    source: origin.and_then(|it| it.source.as_deref().map(str::to_owned)),
                });
                start = end;
            };
            let own = self.text.get(piece.text..piece.end).unwrap_or_default();
            for (at, byte) in own.bytes().enumerate() {
                let end = piece.text + at + 1;
                if end == piece.end || piece.is_list && byte == b'\n' {
                    // What sets a piece apart from the one before belongs to its first part.
                    add(self.text.get(from..end).unwrap_or_default());
                    from = end;
                }
            }
            from = piece.end;
        }
        sections
    }

    fn policy(
        &mut self,
        layers: &[PreparedLayer<'_>],
        resolved: &Resolved,
        runtime: &RuntimeSections<'_>,
        wording: &Wording<'_>,
    ) {
        let winner = |at: Option<usize>| at.and_then(|at| layers.get(at));
        let identity = winner(resolved.identity).and_then(|it| it.identity.as_deref());
        let rules = winner(resolved.operating_rules).and_then(|it| it.operating_rules.as_deref());
        for (name, text, origin) in [
            ("identity", identity, resolved.identity),
            (
                "capability-contract",
                runtime.capability_contract.as_deref(),
                None,
            ),
            (
                "presentation-contract",
                runtime.presentation_contract.as_deref(),
                None,
            ),
            (
                "sandbox-contract",
                runtime.sandbox_contract.as_deref(),
                None,
            ),
            ("operating-rules", rules, resolved.operating_rules),
        ] {
            let text = text.map(trim).unwrap_or_default();
            if !text.is_empty() {
                self.blank_line();
                self.piece(name, origin, text);
            }
        }
        let instructions = layers
            .iter()
            .enumerate()
            .filter_map(|(at, it)| Some((at, it.instructions.as_deref()?)));
        let mut has_heading = false;
        for (origin, text) in instructions {
            if !has_heading {
                self.blank_line();
                self.heading("instructions", &wording.instructions_heading);
                has_heading = true;
            }
            let start = self.text.len();
            push_bullet(&mut self.text, trim(text));
            self.record("instructions", Some(origin), start, false);
        }
        let (together, apart) = resolved.guardrails.split();
        let lists = [
            (&wording.guardrails_heading, together),
            (&wording.untrusted_heading, apart),
        ];
        self.guardrails = lists.map(|(heading, added)| {
            if added.is_empty() {
                return 0..0;
            }
            self.blank_line();
            self.heading("guardrails", heading);
            self.bullets("guardrails", added)
        });
        self.text.truncate(self.text.trim_end().len());
        self.text.push('\n');
        self.seal();
    }

    fn surface(
        &mut self,
        resolved: &Resolved,
        runtime: &RuntimeSections<'_>,
        wording: &Wording<'_>,
    ) {
        let surface = runtime.surface.as_deref().unwrap_or_default();
        let has_notes = !resolved.surface_notes.added.is_empty();
        if is_blank(surface) && !has_notes {
            return;
        }
        if !surface.is_empty() {
            self.lead(surface);
            self.piece("surface", None, surface);
        }
        if has_notes {
            if surface.is_empty() || !surface.ends_with('\n') {
                self.text.push('\n');
            }
            self.heading("surface-note", &wording.surface_notes_heading);
            let added = &resolved.surface_notes.added;
            self.surface_notes = self.bullets("surface-note", added);
        }
    }

    /// Appends the bullets of each layer; gives their range.
    fn bullets(&mut self, name: &'static str, added: &[Added]) -> Range<usize> {
        let start = self.text.len();
        for added in added {
            let start = self.text.len();
            self.text.push_str(&added.bullets);
            self.record(name, Some(added.layer), start, true);
        }
        start..self.text.len()
    }

    fn heading(&mut self, name: &'static str, heading: &str) {
        if !is_blank(heading) {
            let start = self.text.len();
            self.text.push_str(heading);
            self.text.push('\n');
            self.record(name, None, start, false);
        }
    }

    /// The newline before a section given as it is.
    fn lead(&mut self, text: &str) {
        if !text.starts_with('\n') {
            self.text.push('\n');
        }
    }

    /// Begins a cache block, unless it has begun.
    fn enter(&mut self, slice: BlockLabel) {
        if self.cuts.last().is_none_or(|(last, _)| *last != slice) {
            self.cuts.push((slice, self.text.len()));
        }
    }

    /// Appends text and ends a piece with it; what was appended since the last piece is part of this one.
    fn piece(&mut self, name: &'static str, origin: Option<usize>, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.record(name, origin, start, false);
    }

    /// Ends a piece whose own text begins at `text`.
    fn record(&mut self, name: &'static str, origin: Option<usize>, text: usize, is_list: bool) {
        if let Some((slice, _)) = self.cuts.last() {
            self.pieces.push(Piece {
                name,
                slice: *slice,
                text,
                end: self.text.len(),
                origin,
                is_list,
            });
        }
    }

    /// Adds newlines until the text ends with a blank line; none at its very start.
    fn blank_line(&mut self) {
        while !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Gives what was appended, or cut off, since the last piece to that piece.
    fn seal(&mut self) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.end = self.text.len();
        }
    }
}
