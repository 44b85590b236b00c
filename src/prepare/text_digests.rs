//! The digests of a layer's texts.

use crate::model::descriptor::HexDigest;

/// The digests of a layer's texts, as far as they were needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextDigests {
    pub(crate) identity: Option<HexDigest>,
    pub(crate) operating_rules: Option<HexDigest>,
    pub(crate) instructions: Option<HexDigest>,
}
