//! What goes out: each text once, in the shape the JavaScript side puts together.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::assembler::{Stable, TurnParts};
use crate::assembly::Effective;
use crate::cache_block::Slice;
use crate::content::LayerContent;
use crate::descriptor::Descriptor;
use crate::diagnostic::Diagnostic;
use crate::section::Section;

/// A block of the prefix; without text where JavaScript has it already.
#[derive(serde::Serialize)]
struct Block<'a> {
    label: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    cache: &'static str,
}

/// The stable part of a prompt.
#[derive(serde::Serialize)]
pub(super) struct Changed<'a> {
    blocks: Vec<Block<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sections: Option<&'a [Section]>,
    descriptors: &'a [Descriptor],
    fingerprint: &'a str,
    effective: &'a Effective,
    diagnostics: &'a [Diagnostic],
}

impl<'a> Changed<'a> {
    pub(super) fn whole(stable: &'a Stable) -> Self {
        Self::since(&[], stable)
    }

    /// Leaves out the texts of blocks that are as they were in `known`.
    pub(super) fn since(known: &[(Slice, String)], stable: &'a Stable) -> Self {
        let blocks = stable.prefix.blocks().map(|(slice, text)| {
            let is_known = known
                .iter()
                .any(|(known, old)| *known == slice && old == text);
            Block {
                label: slice.label(),
                text: (!is_known).then_some(text),
                cache: slice.cache().as_str(),
            }
        });
        Self {
            blocks: blocks.collect(),
            sections: stable.sections.as_deref(),
            descriptors: &stable.descriptors,
            fingerprint: &stable.fingerprint,
            effective: &stable.effective,
            diagnostics: stable.diagnostics(),
        }
    }
}

/// The texts of the blocks, to compare with later.
pub(super) fn texts(stable: &Stable) -> Vec<(Slice, String)> {
    let blocks = stable.prefix.blocks();
    blocks
        .map(|(slice, text)| (slice, text.to_owned()))
        .collect()
}

/// What a turn adds.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Turn<'a> {
    tail: &'a str,
    channel_meta: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<&'a Section>,
    diagnostics: &'a [Diagnostic],
}

impl<'a> Turn<'a> {
    pub(super) fn of(parts: &'a TurnParts) -> Self {
        Self {
            tail: &parts.tail,
            channel_meta: &parts.channel_meta,
            section: parts.section.as_ref(),
            diagnostics: &parts.fact_diagnostics,
        }
    }
}

/// A whole prompt.
#[derive(serde::Serialize)]
pub(super) struct Whole<'a> {
    stable: Changed<'a>,
    turn: Turn<'a>,
}

impl<'a> Whole<'a> {
    pub(super) fn of(stable: &'a Stable, turn: &'a TurnParts) -> Self {
        Self {
            stable: Changed::whole(stable),
            turn: Turn::of(turn),
        }
    }
}

/// What a layer's files say.
#[derive(serde::Serialize)]
pub(super) struct LayerFiles<'a> {
    pub(super) content: LayerContent<'a>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Files by name.
pub(super) struct Files(pub(super) Vec<(&'static str, String)>);

impl Serialize for Files {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, text) in &self.0 {
            map.serialize_entry(name, text)?;
        }
        map.end()
    }
}
