//! The blocks of a layer that a person may edit, and how people spell them.

use std::fmt;

use serde::Serialize;

use crate::text::search::replace;
use crate::text::whitespace::trim;

/// A block of a layer that can be edited by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockName {
    /// Who the assistant is.
    Identity,
    /// How it works.
    OperatingRules,
    /// What it must never do; only ever grows.
    Guardrails,
    /// What is also true where the conversation is shown; only ever grows.
    SurfaceNote,
}

impl BlockName {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::OperatingRules => "operating-rules",
            Self::Guardrails => "guardrails",
            Self::SurfaceNote => "surface-note",
        }
    }
}

impl fmt::Display for BlockName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Reads a block name typed by a person, or `None` where it names no editable block.
///
/// White space around it, ASCII letter case and the difference of `_` and `-` are ignored. Sections that the
/// host's code owns, and `instructions`, are not editable.
///
/// ```
/// use prompt_strata::{BlockName, parse_block_name};
/// assert_eq!(parse_block_name(" Operating_Rules "), Some(BlockName::OperatingRules));
/// assert_eq!(parse_block_name("rules"), Some(BlockName::OperatingRules));
/// assert_eq!(parse_block_name("sandbox"), None);
/// ```
#[must_use]
pub fn parse_block_name(name: &str) -> Option<BlockName> {
    let name = replace(&trim(name).to_ascii_lowercase(), "_", "-");
    match name.as_str() {
        "identity" => Some(BlockName::Identity),
        "operating-rules" | "rules" => Some(BlockName::OperatingRules),
        "guardrails" | "guardrail" => Some(BlockName::Guardrails),
        "surface-note" | "surface-notes" | "surface" => Some(BlockName::SurfaceNote),
        _ => None,
    }
}
