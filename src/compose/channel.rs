//! What follows the prefix: who speaks and where.

use crate::model::cache_block::BlockLabel;
use crate::model::layer::Layer;
use crate::model::section::Section;
use crate::text::utf16::utf16_len;
use crate::text::whitespace::trim;

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
        block: BlockLabel::ChannelMeta.label().into(),
        start: prefix_utf16,
        end: prefix_utf16 + utf16_len(block),
        layer: None::<Layer>,
        source: None,
    })
}
