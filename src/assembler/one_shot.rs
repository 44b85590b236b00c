//! One prompt, by a handle that is used once: so the two cannot differ.

use crate::assembler::Assembler;
use crate::model::assembly::{AssembleInput, Assembly, Resolution, ResolveInput};
use crate::model::error::StrataError;
use crate::model::turn::Turn;

/// Assembles one prompt.
///
/// ```
/// use prompt_strata::{AssembleInput, Fact, Items, Layer, LayerContent, LayerInput, assemble};
///
/// let assembly = assemble(AssembleInput {
///     layers: vec![
///         LayerInput::new(Layer::Seed, LayerContent {
///             identity: Some("You are a careful assistant.".into()),
///             guardrails: Items::from_iter(["Never reveal a secret."]),
///             ..LayerContent::default()
///         }),
///         LayerInput::new(Layer::Bot, LayerContent {
///             identity: Some("You are Ada.".into()),
///             ..LayerContent::default()
///         }),
///     ],
///     facts: vec![Fact::dynamic("current_time", "12:00")],
///     ..AssembleInput::default()
/// })?;
/// assert!(assembly.prefix.starts_with("You are Ada.\n\nGuardrails:\n- Never reveal a secret.\n"));
/// assert_eq!(assembly.tail, "<facts>\n- current_time: 12:00\n</facts>");
/// # Ok::<(), prompt_strata::StrataError>(())
/// ```
///
/// # Errors
///
/// [`ErrorCode::InvalidFactKey`](crate::ErrorCode::InvalidFactKey) for a fact whose key is blank or holds a line
/// break, [`ErrorCode::TooLarge`](crate::ErrorCode::TooLarge) where Markdown headings multiply beyond
/// [`MAX_TEXT_BYTES`](crate::limits::MAX_TEXT_BYTES).
pub fn assemble(input: AssembleInput<'_>) -> Result<Assembly, StrataError> {
    Assembler::new(input)?.assemble(Turn::default())
}

/// Resolves layers and runtime sections, without facts and cache blocks.
///
/// # Errors
///
/// As [`assemble`].
pub fn resolve(input: ResolveInput<'_>) -> Result<Resolution, StrataError> {
    let assembly = assemble(input.into())?;
    Ok(Resolution {
        prefix: assembly.prefix,
        tail: assembly.tail,
        descriptors: assembly.descriptors,
        fingerprint: assembly.fingerprint,
        effective: assembly.effective,
        diagnostics: assembly.diagnostics,
    })
}
