//! The prefix: the stable system prompt, composed piece by piece, cut into cache blocks as it grows.

use std::ops::Range;

use crate::cache_block::Slice;
use crate::contribution::{Contribution, Item};
use crate::guardrails::push_bullet;
use crate::layer::Layer;
use crate::record::Known;
use crate::resolution::{Accumulated, Resolved};
use crate::runtime::RuntimeSections;
use crate::section::{Section, utf16_len};
use crate::whitespace::{is_blank, trim};
use crate::wording::Wording;

/// A finished piece; it begins where the one before it ends, so that pieces cover the text.
#[derive(Debug)]
struct Piece {
    name: &'static str,
    slice: Slice,
    end: usize,
    /// The contribution it came from.
    origin: Option<usize>,
}

/// The composed text, and where in it things stand. All ranges are bytes.
#[derive(Debug, Default)]
pub(crate) struct Prefix {
    pub(crate) text: String,
    /// The cache blocks, each with the place where it begins.
    cuts: Vec<(Slice, usize)>,
    /// Where segments end.
    marks: Vec<usize>,
    /// The bullets that each layer added, in the order of [`Accumulated::added`].
    pub(crate) guardrails: Vec<Range<usize>>,
    pub(crate) surface_notes: Vec<Range<usize>>,
    /// Kept where sections are wanted.
    pieces: Option<Vec<Piece>>,
}

/// The prefix last made, and what is known of its layers since.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last<'l> {
    pub(crate) prefix: &'l str,
    pub(crate) known: &'l [Known],
}

/// The stable text that joins the prefix after what the layers and runtime sections make.
#[derive(Debug)]
pub(crate) struct Glue<'g> {
    pub(crate) binding_glue: Option<&'g str>,
    pub(crate) facts: Option<&'g str>,
    pub(crate) facts_note: Option<&'g str>,
}

impl Prefix {
    /// Composes the text of the layers and the runtime sections.
    pub(crate) fn compose(
        contributions: &[Contribution<'_>],
        resolved: &Resolved,
        runtime: &RuntimeSections<'_>,
        wording: &Wording<'_>,
        with_pieces: bool,
        last: Last<'_>,
    ) -> Self {
        let mut prefix = Self {
            pieces: with_pieces.then(Vec::new),
            ..Self::default()
        };
        prefix.enter(Slice::Workspace);
        prefix.text.reserve(last.prefix.len());
        prefix.policy(contributions, resolved, runtime, wording, last);
        prefix.surface(contributions, resolved, runtime, wording, last);
        for (slice, name, text) in [
            (Slice::Skills, "skills", &runtime.skills),
            (Slice::Skills, "mcp", &runtime.mcp),
            (Slice::Skills, "tool-index", &runtime.tool_index),
            (Slice::BindingGlue, "standing", &runtime.standing),
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
            prefix.marks.clear();
        }
        prefix
    }

    /// Adds what the host binds in, each after a blank line.
    pub(crate) fn bind(&mut self, glue: &Glue<'_>) {
        for (name, text) in [
            ("binding-glue", glue.binding_glue),
            ("facts", glue.facts),
            ("facts-note", glue.facts_note),
        ] {
            let text = text.map(trim).unwrap_or_default();
            if !text.is_empty() {
                self.enter(Slice::BindingGlue);
                self.blank_line();
                self.text.push_str(text);
                self.piece(name, None, "\n");
            }
        }
    }

    /// The cache blocks with text in them, in order.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (Slice, &str)> {
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

    /// The bullets of all layers: they stand in one run.
    pub(crate) fn all(&self, ranges: &[Range<usize>]) -> Option<&str> {
        let (first, last) = ranges.first().zip(ranges.last())?;
        self.text.get(first.start..last.end)
    }

    /// The text in segments, so that a small change leaves most of them as they were: every bound of a block, of a
    /// winner's text and of a layer's bullets is one of a segment.
    #[cfg(feature = "wasm")]
    pub(crate) fn segments(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.marks.iter().enumerate().map(|(at, end)| {
            let start = at.checked_sub(1).and_then(|at| self.marks.get(at));
            let text = self.text.get(start.copied().unwrap_or(0)..*end);
            text.unwrap_or_default()
        })
    }

    /// The number of segments before the byte at `end`.
    #[cfg(feature = "wasm")]
    pub(crate) fn segments_before(&self, end: usize) -> usize {
        self.marks.partition_point(|mark| *mark <= end)
    }

    /// Where each piece came from, if that was asked for.
    pub(crate) fn sections(&self, contributions: &[Contribution<'_>]) -> Option<Vec<Section>> {
        let mut start = 0;
        let mut from = 0;
        let sections = self.pieces.as_ref()?.iter().map(|piece| {
            let text = self.text.get(from..piece.end).unwrap_or_default();
            let origin = piece.origin.and_then(|at| contributions.get(at));
            let section = Section {
                name: piece.name.into(),
                block: piece.slice.label().into(),
                start,
                end: start + utf16_len(text),
                layer: origin.map(|it| it.layer),
                source: origin.and_then(|it| it.source.as_deref().map(str::to_owned)),
            };
            start = section.end;
            from = piece.end;
            section
        });
        Some(sections.collect())
    }

    fn policy(
        &mut self,
        contributions: &[Contribution<'_>],
        resolved: &Resolved,
        runtime: &RuntimeSections<'_>,
        wording: &Wording<'_>,
        last: Last<'_>,
    ) {
        let winner = |at: Option<usize>| at.and_then(|at| contributions.get(at));
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
        let instructions = contributions
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
            push_bullet(&mut self.text, trim(text));
            self.piece("instructions", Some(origin), "");
        }
        if !resolved.guardrails.added.is_empty() {
            self.blank_line();
            self.heading("guardrails", &wording.guardrails_heading);
        }
        self.guardrails = self.bullets(
            "guardrails",
            &resolved.guardrails,
            contributions,
            |it| &it.guardrails,
            |layer, items| {
                last.known
                    .get(layer)?
                    .guardrails
                    .as_ref()?
                    .of(items, last.prefix)
            },
        );
        self.text.truncate(self.text.trim_end().len());
        self.text.push('\n');
        self.seal();
    }

    fn surface(
        &mut self,
        contributions: &[Contribution<'_>],
        resolved: &Resolved,
        runtime: &RuntimeSections<'_>,
        wording: &Wording<'_>,
        last: Last<'_>,
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
            self.surface_notes = self.bullets(
                "surface-note",
                &resolved.surface_notes,
                contributions,
                |it| &it.surface_notes,
                |layer, items| {
                    last.known
                        .get(layer)?
                        .surface_notes
                        .as_ref()?
                        .of(items, last.prefix)
                },
            );
        }
    }

    fn bullets<'l>(
        &mut self,
        name: &'static str,
        accumulated: &Accumulated,
        contributions: &[Contribution<'_>],
        list: impl for<'c> Fn(&'c Contribution<'_>) -> &'c [Item<'c>],
        last: impl Fn(usize, &[usize]) -> Option<&'l str>,
    ) -> Vec<Range<usize>> {
        let mut ranges = Vec::with_capacity(accumulated.added.len());
        for added in &accumulated.added {
            self.mark();
            let start = self.text.len();
            let items = contributions
                .get(added.layer)
                .map(&list)
                .unwrap_or_default();
            if self.pieces.is_none()
                && let Some(bullets) = last(added.layer, &added.items)
            {
                self.text.push_str(bullets);
            } else {
                for item in added.items.iter().filter_map(|at| items.get(*at)) {
                    push_bullet(&mut self.text, &item.text);
                    self.record(name, Some(added.layer));
                }
            }
            self.mark();
            ranges.push(start..self.text.len());
        }
        ranges
    }

    fn heading(&mut self, name: &'static str, heading: &str) {
        if !is_blank(heading) {
            self.text.push_str(heading);
            self.piece(name, None, "\n");
        }
    }

    /// The newline before a section given as it is.
    fn lead(&mut self, text: &str) {
        if !text.starts_with('\n') {
            self.text.push('\n');
        }
    }

    /// Begins a cache block, unless it has begun.
    fn enter(&mut self, slice: Slice) {
        if self.cuts.last().is_none_or(|(last, _)| *last != slice) {
            self.cuts.push((slice, self.text.len()));
        }
    }

    /// Appends text and ends a piece with it; what was appended since the last piece is part of this one.
    fn piece(&mut self, name: &'static str, origin: Option<usize>, text: &str) {
        self.text.push_str(text);
        self.record(name, origin);
        self.mark();
    }

    /// Ends a piece, without a segment of its own.
    fn record(&mut self, name: &'static str, origin: Option<usize>) {
        if let (Some(pieces), Some((slice, _))) = (&mut self.pieces, self.cuts.last()) {
            pieces.push(Piece {
                name,
                slice: *slice,
                end: self.text.len(),
                origin,
            });
        }
    }

    /// Ends a segment, unless it is empty.
    fn mark(&mut self) {
        let end = self.text.len();
        if self.marks.last().map_or(end > 0, |last| *last < end) {
            self.marks.push(end);
        }
    }

    /// Adds newlines until the text ends with a blank line; none at its very start.
    fn blank_line(&mut self) {
        while !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
        self.mark();
    }

    /// Gives what was appended, or cut off, since the last piece to that piece.
    fn seal(&mut self) {
        let end = self.text.len();
        self.marks.retain(|mark| *mark <= end);
        self.mark();
        if let Some(piece) = self.pieces.as_mut().and_then(|pieces| pieces.last_mut()) {
            piece.end = end;
        }
    }
}

/// The piece of system text after the prefix: who speaks and where, after a blank line.
pub(crate) fn channel_meta(prefix: &str, channel_meta: &str) -> String {
    let text = trim(channel_meta);
    if text.is_empty() {
        return String::new();
    }
    let mut block = String::with_capacity(text.len() + 3);
    if !prefix.is_empty() {
        let newlines = match prefix {
            _ if prefix.ends_with("\n\n") => "",
            _ if prefix.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        block.push_str(newlines);
    }
    block.push_str(text);
    block.push('\n');
    block
}

/// The section of [`channel_meta`], which follows the prefix.
pub(crate) fn channel_section(prefix_utf16: usize, block: &str) -> Option<Section> {
    (!block.is_empty()).then(|| Section {
        name: "channel-meta".into(),
        block: Slice::ChannelMeta.label().into(),
        start: prefix_utf16,
        end: prefix_utf16 + utf16_len(block),
        layer: None::<Layer>,
        source: None,
    })
}
