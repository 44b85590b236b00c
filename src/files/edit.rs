//! Editing one block of a layer's content.

use std::borrow::Cow;

use crate::files::block_name::BlockName;
use crate::guardrails::{parse_guardrails, render_guardrails};
use crate::model::content::{Items, LayerContent};
use crate::model::options::Dialect;
use crate::text::whitespace::trim;

/// The text of a list as bullets, or `None` where it says nothing.
fn bullets(items: &Items<'_>) -> Option<String> {
    let text = match items {
        Items::List(items) => render_guardrails(items),
        // Strict text never fails.
        Items::Text(text) => {
            render_guardrails(parse_guardrails(text, Dialect::Strict).unwrap_or_default())
        }
    };
    (!text.is_empty()).then_some(text)
}

/// Reads one block: a text as it is, a list as bullets; `None` where the layer inherits.
///
/// ```
/// use prompt_strata::{BlockName, Items, LayerContent, get_block};
/// let content = LayerContent {
///     identity: Some("".into()),
///     guardrails: Items::from_iter(["never push"]),
///     ..LayerContent::default()
/// };
/// assert_eq!(get_block(&content, BlockName::Identity).as_deref(), Some(""));
/// assert_eq!(get_block(&content, BlockName::Guardrails).as_deref(), Some("- never push\n"));
/// assert_eq!(get_block(&content, BlockName::SurfaceNote), None);
/// ```
#[must_use]
pub fn get_block(content: &LayerContent<'_>, block: BlockName) -> Option<String> {
    match block {
        BlockName::Identity => content.identity.as_deref().map(str::to_owned),
        BlockName::OperatingRules => content.operating_rules.as_deref().map(str::to_owned),
        BlockName::Guardrails => bullets(&content.guardrails),
        BlockName::SurfaceNote => bullets(&content.surface_notes),
    }
}

/// Replaces one block: a text is stored trimmed, a list is parsed as strict guardrail text, and `None` resets the
/// block to what broader layers say.
///
/// ```
/// use prompt_strata::{BlockName, LayerContent, get_block, set_block};
/// let content = set_block(LayerContent::default(), BlockName::Identity, Some(" You are Ada.\n"));
/// assert_eq!(content.identity.as_deref(), Some("You are Ada."));
/// let content = set_block(content, BlockName::Identity, None);
/// assert_eq!(content.identity, None);
/// ```
#[must_use]
pub fn set_block<'a>(
    mut content: LayerContent<'a>,
    block: BlockName,
    text: Option<&'a str>,
) -> LayerContent<'a> {
    let trimmed = || text.map(|text| Cow::Borrowed(trim(text)));
    let items = || {
        let text = text.unwrap_or_default();
        Items::List(parse_guardrails(text, Dialect::Strict).unwrap_or_default())
    };
    match block {
        BlockName::Identity => content.identity = trimmed(),
        BlockName::OperatingRules => content.operating_rules = trimmed(),
        BlockName::Guardrails => content.guardrails = items(),
        BlockName::SurfaceNote => content.surface_notes = items(),
    }
    content
}
