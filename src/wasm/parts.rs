//! What goes out: each text once, in the shape the JavaScript side puts together.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::assembler::{self, TurnParts};
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
pub(super) struct Stable<'a> {
    blocks: Vec<Block<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sections: Option<&'a [Section]>,
    descriptors: &'a [Descriptor],
    fingerprint: &'a str,
    effective: Effective<'a>,
    diagnostics: &'a [Diagnostic],
}

/// What holds; the lists are slices of the first block's text, so that they do not cross again.
#[derive(serde::Serialize)]
#[serde(rename_all = "kebab-case")]
struct Effective<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operating_rules: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guardrails: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    surface_note: Option<[usize; 2]>,
}

impl<'a> Stable<'a> {
    /// Leaves out the texts of blocks that are as they were in `old`.
    pub(super) fn since(old: Option<&assembler::Stable>, stable: &'a assembler::Stable) -> Self {
        let prefix = &stable.prefix;
        let is_old = |slice, text: &str| {
            let mut old = old.iter().flat_map(|old| old.prefix.blocks());
            old.any(|(old, was)| old == slice && was == text)
        };
        let blocks = stable.prefix.blocks().map(|(slice, text)| Block {
            label: slice.label(),
            text: (!is_old(slice, text)).then_some(text),
            cache: slice.cache().as_str(),
        });
        Self {
            blocks: blocks.collect(),
            sections: stable.sections.as_deref(),
            descriptors: &stable.descriptors,
            fingerprint: &stable.fingerprint,
            effective: Effective {
                identity: stable.effective.identity.as_deref(),
                operating_rules: stable.effective.operating_rules.as_deref(),
                guardrails: prefix.utf16_range(&prefix.guardrails),
                surface_note: prefix.utf16_range(&prefix.surface_notes),
            },
            diagnostics: stable.diagnostics(),
        }
    }
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
    stable: Stable<'a>,
    turn: Turn<'a>,
}

impl<'a> Whole<'a> {
    pub(super) fn of(stable: &'a assembler::Stable, turn: &'a TurnParts) -> Self {
        Self {
            stable: Stable::since(None, stable),
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
