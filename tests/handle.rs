//! A handle never lies: after any edits, also refused ones, it gives what a fresh assembly of its layers gives.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "common/edits.rs"]
mod edits;

use edits::Seeded;
use prompt_strata::limits::{MAX_TEXT_BYTES, MAX_VALUES};
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

/// Hosts' texts count as those of layers do, each of them.
#[test]
fn all_that_a_handle_holds_counts() {
    use prompt_strata::{Fact, Options, RuntimeSections, Wording};
    let text = || Some(std::borrow::Cow::Owned("x".repeat(MAX_TEXT_BYTES / 32)));
    let given = || text().unwrap_or_default();
    let full = || AssembleInput {
        layers: vec![LayerInput {
            source: text(),
            ..LayerInput::new(
                Layer::Bot,
                LayerContent {
                    identity: text(),
                    operating_rules: text(),
                    instructions: text(),
                    guardrails: [given()].into_iter().collect(),
                    surface_notes: prompt_strata::Items::Text(given()),
                },
            )
        }],
        runtime: RuntimeSections {
            capability_contract: text(),
            presentation_contract: text(),
            sandbox_contract: text(),
            surface: text(),
            skills: text(),
            mcp: text(),
            tool_index: text(),
            standing: text(),
            epistemic_stance: text(),
            temporal: text(),
        },
        facts: vec![
            Fact::fixed(given(), given()),
            Fact::dynamic(given(), given()),
        ],
        binding_glue: text(),
        channel_meta: text(),
        options: Options {
            wording: Wording {
                guardrails_heading: given(),
                surface_notes_heading: given(),
                instructions_heading: given(),
                stance_clarifier: given(),
                facts_note: given(),
                untrusted_heading: given(),
            },
            ..Options::default()
        },
    };
    // Twenty-eight texts: four more of that size fit, and not a byte more.
    let mut handle = Assembler::new(full()).unwrap();
    let fits = "y".repeat(MAX_TEXT_BYTES / 32 * 4);
    let more = |text: &str| {
        let identity = Some(text.to_owned().into());
        LayerInput::new(
            Layer::Chat,
            LayerContent {
                identity,
                ..LayerContent::default()
            },
        )
    };
    handle.set_layer(more(&fits)).unwrap();
    let error = handle.set_layer(more(&format!("{fits}y"))).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooLarge);
    let mut input = full();
    input.layers.push(more(&format!("{fits}y")));
    let error = Assembler::new(input).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooLarge);
}

#[test]
fn the_values_that_a_handle_holds_are_limited_as_well() {
    let items = |count: usize| {
        LayerInput::new(
            Layer::Bot,
            LayerContent {
                guardrails: std::iter::repeat_n("x", count).collect(),
                ..LayerContent::default()
            },
        )
    };
    let named = |source: &'static str, count: usize| LayerInput {
        source: Some(source.into()),
        ..items(count)
    };
    let mut handle = Assembler::new(AssembleInput::default()).unwrap();
    handle.set_layer(items(MAX_VALUES / 2)).unwrap();
    // A source is a value, too.
    handle.set_layer(named("s", MAX_VALUES / 2 - 1)).unwrap();
    let error = handle.set_layer(named("t", 0)).unwrap_err();
    let message = "more than 1000000 values in all layers together";
    assert_eq!(
        (error.code(), &*error.to_string()),
        (ErrorCode::TooLarge, message)
    );
    // What is replaced no longer counts.
    handle.set_layer(items(1)).unwrap();
    handle.set_layer(named("t", MAX_VALUES / 2 - 2)).unwrap();
    assert!(handle.set_layer(named("t", MAX_VALUES / 2 - 1)).is_err());
}
