//! Guardrail text whose sense depends on where a line stands, and what a stranger may do with it.

#![allow(clippy::unwrap_used)]

use prompt_strata::limits::MAX_TEXT_BYTES;
use prompt_strata::{
    AssembleInput, Diagnostic, DiagnosticCode, Dialect, ErrorCode, Items, Layer, LayerContent,
    LayerInput, Options, Untrusted, assemble, parse_guardrails, parse_seed,
};

fn markdown(text: &str) -> Vec<String> {
    let items = parse_guardrails(text, Dialect::Markdown).unwrap();
    items.into_iter().map(Into::into).collect()
}

#[test]
fn a_heading_left_of_the_bullets_text_is_the_documents() {
    for (text, items) in [
        (
            "## Allowed\n\n- read files\n\n ## Forbidden\n\n- delete files\n",
            ["Allowed: read files", "Forbidden: delete files"],
        ),
        (
            "- a\n ## Forbidden\n- delete files",
            ["a", "Forbidden: delete files"],
        ),
        (
            "1. a\n\n  ## Forbidden\n\n1. delete files",
            ["a", "Forbidden: delete files"],
        ),
        (
            "- a\n  ## not a heading\n- delete files",
            ["a ## not a heading", "delete files"],
        ),
    ] {
        assert_eq!(markdown(text), items, "{text:?}");
    }
}

#[test]
fn comments_vanish_also_before_one_that_never_ends() {
    assert_eq!(markdown("<!-- a --><!-- b\n- c"), ["<!-- b", "c"]);
    assert_eq!(markdown("<!--\n-->x \nh"), ["x h"]);
}

#[test]
fn a_break_of_stars_is_no_item() {
    let text = "* * *\n***\n- a\n  *  *  *\n  b\n* **\n- * *";
    assert_eq!(markdown(text), ["a b", "* *"]);
    // This is how an item of two dashes is written.
    assert_eq!(markdown("- - -"), ["- -"]);
}

#[test]
fn a_fence_may_close_at_the_margin() {
    let text = "- run:\n  ```\n  make\n```\n- b";
    assert_eq!(markdown(text), ["run: ``` make ```", "b"]);
}

#[test]
fn wrapped_prose_keeps_its_numbers() {
    let text = "We moved in\n2024. That was late.";
    assert_eq!(markdown(text), ["We moved in 2024. That was late."]);
    assert_eq!(markdown("Rules\n1. ask"), ["Rules", "ask"]);
}

/// A short text that headings make long.
fn amplified() -> String {
    format!("## {}\n{}", "A".repeat(5700), "- B\n".repeat(1400))
}

#[test]
fn what_is_dropped_is_not_multiplied() {
    let content = LayerContent {
        surface_notes: Items::Text(amplified().into()),
        ..LayerContent::default()
    };
    let layer = LayerInput {
        trusted: Some(false),
        ..LayerInput::new(Layer::Workspace, content)
    };
    let assembly = assemble(AssembleInput {
        layers: vec![layer; 50],
        options: Options {
            dialect: Dialect::Markdown,
            untrusted: Untrusted::Drop,
            ..Options::default()
        },
        ..AssembleInput::default()
    })
    .unwrap();
    let is_dropped = |it: &&Diagnostic| it.code == DiagnosticCode::UntrustedDropped;
    let dropped = assembly.diagnostics.iter().filter(is_dropped);
    assert_eq!(dropped.clone().count(), 50);
    for diagnostic in dropped {
        let message = "dropped from the untrusted layer: all of its surface notes";
        assert_eq!(diagnostic.message, message);
    }
}

#[test]
fn versions_are_not_put_in_without_bound() {
    let marks = "{{version}}".repeat(1024);
    let fits = "v".repeat(MAX_TEXT_BYTES / 1024);
    assert!(parse_seed(&marks, &fits).is_ok());
    let error = parse_seed(&marks, &format!("{fits}v")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooLarge);
    assert_eq!(error.path(), "text");
    assert_eq!(
        error.to_string(),
        "more than 8388608 bytes of versions in the text"
    );
}
