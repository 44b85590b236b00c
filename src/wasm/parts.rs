//! What goes out, in the order in which the JavaScript side reads it and puts it together.

use std::ops::Range;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::results::{Receiver, Writer};
use crate::assembler::{Assembler, Stable, TurnParts};
use crate::model::content::LayerContent;
use crate::model::diagnostic::Diagnostic;
use crate::model::layer::Layer;
use crate::model::section::Section;
use crate::text::search::is_same;
use crate::text::utf16::utf16_len;

/// A whole prompt: the text of the prefix, and all else.
pub(super) fn whole(assembler: &Assembler<'_>, turn: &TurnParts, receiver: &Receiver) {
    let mut out = Writer::new();
    stable(&mut out, assembler, None, receiver);
    brought(&mut out, turn);
    out.finish(receiver);
}

/// The stable part alone, without what is as it was in `old`.
pub(super) fn since(old: Option<&Stable>, assembler: &Assembler<'_>, receiver: &Receiver) {
    let mut out = Writer::new();
    stable(&mut out, assembler, old, receiver);
    out.finish(receiver);
}

/// What one turn brings.
pub(super) fn turn(turn: &TurnParts, receiver: &Receiver) {
    let mut out = Writer::new();
    brought(&mut out, turn);
    out.finish(receiver);
}

/// Writes the stable part, but of the prefix only the segments that were not in `old`.
fn stable(out: &mut Writer, assembler: &Assembler<'_>, old: Option<&Stable>, receiver: &Receiver) {
    let stable = assembler.stable();
    let prefix = &stable.prefix;
    let all = prefix.segments();
    let before = old.map_or_else(Vec::new, |old| old.prefix.segments());
    segments(out, &all, &before, receiver);
    // Where each segment ends.
    let mut length = 0;
    let ends: Vec<usize> = all
        .iter()
        .map(|text| {
            length += text.len();
            length
        })
        .collect();
    let segments_before = |end: usize| ends.partition_point(|it| *it <= end);
    let mut end = 0;
    let blocks: Vec<_> = prefix.blocks().collect();
    out.list(&blocks, |out, (slice, text)| {
        end += text.len();
        out.text(slice.label());
        out.text(slice.cache().as_str());
        out.number(segments_before(end));
    });
    for text in [assembler.identity(), assembler.operating_rules()] {
        let at = all.iter().position(|it| Some(*it) == text);
        slice(out, at.map_or(0..0, |at| at..at + 1), text);
    }
    let [together, apart] = &prefix.guardrails;
    for run in [together, apart, &prefix.surface_notes] {
        let [start, end] = [run.start, run.end].map(segments_before);
        slice(out, start..end, None);
    }
    out.kept(|out| {
        out.text(&stable.fingerprint);
        out.list(&stable.descriptors, |out, it| {
            out.text(&it.block);
            out.text(&it.layer);
            out.optional(it.source.as_deref());
            out.text(&it.digest);
            // A contribution is no larger than an input.
            out.number(usize::try_from(it.bytes).unwrap_or_default());
        });
    });
    out.list(stable.diagnostics(), diagnostic);
    out.list(stable.sections.as_slice(), |out, it| out.list(it, section));
}

/// Writes how many segments at the start and at the end of the prefix are as they were, and the lengths of those
/// between, whose text is handed over.
fn segments(out: &mut Writer, all: &[&str], old: &[&str], receiver: &Receiver) {
    let is_same = |(old, new): &(&&str, &&str)| is_same(old, new);
    let before = old.iter().zip(all).take_while(is_same).count();
    let most = all.len().min(old.len()) - before;
    let pairs = old.iter().rev().zip(all.iter().rev()).take(most);
    let after = pairs.take_while(is_same).count();
    let new = all.get(before..all.len() - after).unwrap_or_default();
    out.number(before);
    out.number(after);
    out.list(new, |out, text| out.number(utf16_len(text)));
    Writer::apart(&new.concat(), receiver);
}

/// Writes a text as a range of segments, or as it is where there is none.
fn slice(out: &mut Writer, range: Range<usize>, text: Option<&str>) {
    out.number(range.start);
    out.number(range.end);
    if range.is_empty() {
        out.optional(text);
    }
}

fn brought(out: &mut Writer, turn: &TurnParts) {
    out.text(&turn.tail);
    out.text(&turn.channel_meta);
    out.list(turn.section.as_slice(), section);
    out.list(&turn.fact_diagnostics, diagnostic);
}

fn diagnostic(out: &mut Writer, it: &Diagnostic) {
    out.text(it.code.as_str());
    out.text(it.severity.as_str());
    out.text(&it.message);
    out.optional(it.path.as_deref());
}

fn section(out: &mut Writer, it: &Section) {
    out.text(&it.name);
    out.text(&it.block);
    out.number(it.start);
    out.number(it.end);
    out.optional(it.layer.map(Layer::as_str));
    out.optional(it.source.as_deref());
}

/// What a layer's files say.
#[derive(serde::Serialize)]
pub(super) struct LayerFiles<'a> {
    pub(super) content: LayerContent<'a>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Files by name.
pub(super) struct WrittenFiles(pub(super) Vec<(&'static str, String)>);

impl Serialize for WrittenFiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, text) in &self.0 {
            map.serialize_entry(name, text)?;
        }
        map.end()
    }
}
