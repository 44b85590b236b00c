//! The seed file: what a product ships, one Markdown text cut into blocks.

use serde::Serialize;

use crate::files::block_name::BlockName;
use crate::files::edit::set_block;
use crate::guardrails::markdown_in_strict;
use crate::model::content::LayerContent;
use crate::model::diagnostic::{Diagnostic, DiagnosticCode, at_most};
use crate::model::error::{ErrorCode, StrataError, quote};
use crate::model::limits::{MAX_DIAGNOSTICS, MAX_TEXT_BYTES};
use crate::text::search::{replace, split_once};
use crate::text::whitespace::{lines, strip_bom, trim};

const MARKER_START: &str = "<!-- block:";
const MARKER_END: &str = "-->";
const VERSION_MARK: &str = "{{version}}";

/// What a seed file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Seed {
    /// The content of the seed layer.
    pub content: LayerContent<'static>,
    /// A contract of the host's code; empty where the file has none.
    pub capability_contract: String,
    /// A contract of the host's code; empty where the file has none.
    pub presentation_contract: String,
    /// A contract of the host's code; empty where the file has none.
    pub sandbox_contract: String,
    /// What of the file is not used.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SeedBlock {
    Editable(BlockName),
    CapabilityContract,
    PresentationContract,
    SandboxContract,
}

impl SeedBlock {
    fn of(name: &str) -> Option<Self> {
        match replace(name, "-", "_").as_str() {
            "identity" => Some(Self::Editable(BlockName::Identity)),
            "operating_rules" => Some(Self::Editable(BlockName::OperatingRules)),
            "guardrails" => Some(Self::Editable(BlockName::Guardrails)),
            "capability_contract" => Some(Self::CapabilityContract),
            "presentation_contract" => Some(Self::PresentationContract),
            "sandbox_contract" => Some(Self::SandboxContract),
            _ => None,
        }
    }
}

/// Whether a line begins as a marker does, give or take white space and letter case.
fn looks_like_marker(line: &str) -> bool {
    let inside = trim(line).strip_prefix("<!--").map(str::trim_start);
    let start = inside.and_then(|inside| inside.get(..5));
    start.is_some_and(|start| start.eq_ignore_ascii_case("block"))
}

/// The block name on a marker line, or `None` for any other line.
fn marker(line: &str) -> Option<&str> {
    let inside = trim(line).strip_prefix(MARKER_START)?;
    inside.strip_suffix(MARKER_END).map(trim)
}

/// Reads a seed file: blocks begin at whole lines `<!-- block: NAME -->`, and `{{version}}` is replaced in their bodies.
///
/// Bodies are trimmed; guardrails are read in the strict dialect. What is not used is a diagnostic: text before
/// the first block, a block with an unknown name, and all but the last of a repeated one; and so is a line that looks
/// like a marker, is none, and stays text.
///
/// ```
/// use prompt_strata::parse_seed;
/// let seed = parse_seed("<!-- block: identity -->\nYou are Ada {{version}}.\n", "1.2.0")?;
/// assert_eq!(seed.content.identity.as_deref(), Some("You are Ada 1.2.0."));
/// # Ok::<(), prompt_strata::StrataError>(())
/// ```
///
/// # Errors
///
/// [`ErrorCode::TooLarge`] where the versions put in come to more than [`MAX_TEXT_BYTES`].
pub fn parse_seed(text: &str, version: &str) -> Result<Seed, StrataError> {
    check_versions(text, version)?;
    let mut seed = Seed::default();
    let parts = cut(strip_bom(text));
    // Where each block is given for the last time: there are six at the most.
    let mut last: Vec<(SeedBlock, usize)> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if let Some(block) = part.block {
            last.retain(|(other, _)| *other != block);
            last.push((block, index));
        }
    }
    let mut seen: Vec<SeedBlock> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let is_last = |block| last.contains(&(block, index));
        let is_repeated = part.block.is_some_and(|block| seen.contains(&block));
        let is_replaced = part.block.is_some_and(|block| !is_last(block));
        seed.take(part, version, is_repeated, is_replaced);
        seen.extend(part.block.filter(|_| !is_repeated));
    }
    seed.diagnostics = at_most(seed.diagnostics, MAX_DIAGNOSTICS, 0);
    Ok(seed)
}

/// A short text with many marks must not grow without bound.
fn check_versions(text: &str, version: &str) -> Result<(), StrataError> {
    let mut marks = 0_usize;
    let mut rest = text;
    while let Some((_, after)) = split_once(rest, VERSION_MARK) {
        marks += 1;
        rest = after;
    }
    if marks.saturating_mul(version.len()) > MAX_TEXT_BYTES {
        let message = format!("more than {MAX_TEXT_BYTES} bytes of versions in the text");
        return Err(StrataError::new(ErrorCode::TooLarge, &"text", message));
    }
    Ok(())
}

/// One block of the file, or the text before the first.
struct Part<'t> {
    /// The name on the marker line.
    name: Option<&'t str>,
    block: Option<SeedBlock>,
    body: String,
    line: usize,
    /// Lines of the body that look like markers, each with its number.
    marker_like: Vec<(usize, &'t str)>,
}

fn cut(text: &str) -> Vec<Part<'_>> {
    let mut part = Part {
        name: None,
        block: None,
        body: String::new(),
        line: 1,
        marker_like: Vec::new(),
    };
    let mut parts = Vec::new();
    for (text, line) in lines(text).zip(1..) {
        if let Some(name) = marker(text) {
            parts.push(part);
            part = Part {
                name: Some(name),
                block: SeedBlock::of(name),
                body: String::new(),
                line,
                marker_like: Vec::new(),
            };
        } else {
            if looks_like_marker(text) && part.marker_like.len() <= MAX_DIAGNOSTICS {
                part.marker_like.push((line, trim(text)));
            }
            part.body.push_str(text);
            part.body.push('\n');
        }
    }
    parts.push(part);
    parts
}

impl Seed {
    /// Takes in one part of the file, and says what of it is not used.
    fn take(&mut self, part: &Part<'_>, version: &str, is_repeated: bool, is_replaced: bool) {
        // Only now: a version forges no block.
        let body = replace(&part.body, VERSION_MARK, version);
        let body = trim(&body);
        self.tell(part, body, is_repeated);
        for (line, text) in &part.marker_like {
            let message = format!("{} looks like a marker, but is text", quote(text));
            self.diagnose(DiagnosticCode::SeedMarkerLike, message, *line);
        }
        let Some(block) = part.block.filter(|_| !is_replaced) else {
            return;
        };
        if block == SeedBlock::Editable(BlockName::Guardrails)
            && let Some(message) = markdown_in_strict(body)
        {
            self.diagnose(DiagnosticCode::MarkdownInStrict, message, part.line);
        }
        match block {
            SeedBlock::Editable(block) => {
                let content = std::mem::take(&mut self.content);
                self.content = set_block(content, block, Some(body)).into_owned();
            }
            SeedBlock::CapabilityContract => body.clone_into(&mut self.capability_contract),
            SeedBlock::PresentationContract => body.clone_into(&mut self.presentation_contract),
            SeedBlock::SandboxContract => body.clone_into(&mut self.sandbox_contract),
        }
    }

    fn diagnose(&mut self, code: DiagnosticCode, message: String, line: usize) {
        let place = Some(format!("line {line}"));
        self.diagnostics.push(Diagnostic::new(code, message, place));
    }

    /// Says what is the matter with a block as a whole.
    fn tell(&mut self, part: &Part<'_>, body: &str, is_repeated: bool) {
        let (code, message) = match (part.name, part.block) {
            (None, _) if body.is_empty() => return,
            (None, _) => {
                let text = quote(body);
                let message = format!("text before the first block is not used: {text}");
                (DiagnosticCode::SeedPreamble, message)
            }
            (Some(name), None) => {
                let message = format!("the block {} is unknown and not used", quote(name));
                (DiagnosticCode::SeedUnknownBlock, message)
            }
            (Some(name), Some(_)) if is_repeated => {
                let message = format!("the block {} is repeated, the last counts", quote(name));
                (DiagnosticCode::SeedRepeatedBlock, message)
            }
            _ => return,
        };
        self.diagnose(code, message, part.line);
    }
}
