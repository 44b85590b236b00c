//! A handle never lies: after any edits, also refused ones, it gives what a fresh assembly of its layers gives.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "common/edits.rs"]
mod edits;

use edits::Seeded;
use prompt_strata::limits::MAX_TEXT_BYTES;
use prompt_strata::{AssembleInput, Assembler, ErrorCode, Layer, LayerContent, LayerInput, Turn};

/// How many runs of edits; each is a handle of its own.
const RUNS: u64 = 100_000;

#[test]
fn after_any_edits_a_handle_gives_what_a_fresh_assembly_gives() {
    for run in 0..RUNS {
        edits::check(&mut Seeded(run), run);
    }
}

#[test]
fn what_a_handle_holds_is_limited_as_a_whole_and_a_refusal_changes_nothing() {
    let said = |source: &'static str, bytes: usize| LayerInput {
        source: Some(source.into()),
        ..LayerInput::new(
            Layer::Bot,
            LayerContent {
                identity: Some("x".repeat(bytes).into()),
                ..LayerContent::default()
            },
        )
    };
    let mut handle = Assembler::new(AssembleInput::default()).unwrap();
    let half = MAX_TEXT_BYTES / 2;
    handle.set_layer(said("a", half - 1)).unwrap();
    // Names of sources are text, too: this is the limit to the byte.
    handle.set_layer(said("b", half - 1)).unwrap();
    let before = handle.assemble(Turn::default()).unwrap();
    for layer in [said("b", half), said("c", 0), said("a", half)] {
        let error = handle.set_layer(layer).unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooLarge);
        let message = "more than 8388608 bytes of text in all layers together";
        assert_eq!(error.to_string(), message);
        assert!(handle.assemble(Turn::default()).unwrap() == before);
    }
    // What is taken out makes room.
    assert_eq!(handle.remove_layer(Layer::Bot, Some("a")), Ok(true));
    handle.set_layer(said("c", half - 1)).unwrap();
}
