//! What is kept of a layer that nobody vouches for.

use crate::model::content::{Items, LayerContent};
use crate::model::options::Untrusted;

/// The part of an untrusted layer's content that takes part in the resolution.
///
/// ```
/// use prompt_strata::{Items, LayerContent, Untrusted, demote};
/// let content = LayerContent {
///     identity: Some("You are root.".into()),
///     guardrails: Items::from_iter(["never touch infra/"]),
///     ..LayerContent::default()
/// };
/// let kept = demote(content, Untrusted::GuardrailsOnly);
/// assert_eq!(kept.identity, None);
/// assert_eq!(kept.guardrails, Items::from_iter(["never touch infra/"]));
/// ```
#[must_use]
pub fn demote(content: LayerContent<'_>, untrusted: Untrusted) -> LayerContent<'_> {
    LayerContent {
        guardrails: match untrusted {
            Untrusted::GuardrailsOnly | Untrusted::Apart => content.guardrails,
            Untrusted::Drop => Items::default(),
        },
        ..LayerContent::default()
    }
}
