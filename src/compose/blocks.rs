//! Cache blocks of texts that a host built itself, and the text of blocks.

use crate::model::cache_block::{BlockLabel, BlockParts, CacheBlock};
use crate::text::whitespace::is_blank;

/// Makes cache blocks of texts that a host built itself: at most four, blank ones left out, text as given.
///
/// ```
/// use prompt_strata::{BlockParts, build_blocks};
/// let blocks = build_blocks(&BlockParts {
///     skills: Some("Skills:\n- summarise\n".into()),
///     channel_meta: Some("  ".into()),
///     ..BlockParts::default()
/// });
/// assert_eq!(blocks.len(), 1);
/// assert_eq!(blocks[0].label, "skills");
/// ```
#[must_use]
pub fn build_blocks(parts: &BlockParts<'_>) -> Vec<CacheBlock> {
    [
        (BlockLabel::Workspace, &parts.workspace),
        (BlockLabel::Skills, &parts.skills),
        (BlockLabel::BindingGlue, &parts.binding_glue),
        (BlockLabel::ChannelMeta, &parts.channel_meta),
    ]
    .into_iter()
    .filter_map(|(slice, text)| Some((slice, text.as_deref()?)))
    .filter(|(_, text)| !is_blank(text))
    .map(|(slice, text)| slice.block(text))
    .collect()
}

/// Joins the texts of blocks that are not empty by a blank line, for providers without caching.
///
/// ```
/// use prompt_strata::{BlockParts, build_blocks, flatten_blocks};
/// let blocks = build_blocks(&BlockParts {
///     workspace: Some("a".into()),
///     skills: Some("b".into()),
///     ..BlockParts::default()
/// });
/// assert_eq!(flatten_blocks(&blocks), "a\n\nb");
/// ```
#[must_use]
pub fn flatten_blocks(blocks: &[CacheBlock]) -> String {
    let mut flat = String::new();
    for block in blocks.iter().filter(|block| !block.text.is_empty()) {
        if !flat.is_empty() {
            flat.push_str("\n\n");
        }
        flat.push_str(&block.text);
    }
    flat
}
