//! Every diagnostic, exactly, and in the order of the input.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use DiagnosticCode::{
    Blanked, DuplicateFactKey, DuplicateFolded, FactEscaped, ItemEscaped, LayerOrder,
    LayerRepeated, LineBreaksFolded, MarkdownInStrict, MoreDiagnostics, SeedMarkerLike,
    SeedPreamble, SeedRepeatedBlock, SeedUnknownBlock, TrustUnstated, UndeclaredDynamicFact,
    UnknownFile, UntrustedDropped, UntrustedKept,
};
use Severity::{Error, Info, Warning};
use prompt_strata::limits::MAX_DIAGNOSTICS;
use prompt_strata::{
    AssembleInput, Assembler, Diagnostic, DiagnosticCode, Fact, Layer, LayerContent, LayerInput,
    ResolveInput, Severity, Turn, assemble, layer_from_files, parse_seed, resolve,
};
use serde_json::json;

type Row<'r> = (DiagnosticCode, Severity, &'r str, &'r str);

#[track_caller]
fn check(found: &[Diagnostic], rows: &[Row<'_>]) {
    let found: Vec<Row<'_>> = found
        .iter()
        .map(|it| {
            (
                it.code,
                it.severity,
                &*it.message,
                it.path.as_deref().unwrap_or("none"),
            )
        })
        .collect();
    similar_asserts::assert_eq!(found, rows);
}

fn assembled(json: &str) -> Vec<Diagnostic> {
    assemble(AssembleInput::from_json(json).unwrap())
        .unwrap()
        .diagnostics
}

#[test]
fn nothing_to_say() {
    let json = r##"{"layers": [
        {"layer": "seed", "content": {"identity": "I", "guardrails": ["a", "# b"]}},
        {"layer": "workspace", "trusted": true, "content": {"guardrails": "- c\nd"}},
        {"layer": "bot", "content": {"identity": "J", "surfaceNotes": [" e ", ""]}}
    ], "facts": [{"key": "k", "value": "v < w", "volatility": "dynamic"}]}"##;
    check(&assembled(json), &[]);
}

#[test]
fn layers_out_of_order() {
    let json = r#"{"layers": [
        {"layer": "bot", "content": {}},
        {"layer": "seed", "content": {}},
        {"layer": "bot", "content": {}},
        {"layer": "shared", "content": {}},
        {"layer": "agent", "content": {}}
    ]}"#;
    check(
        &assembled(json),
        &[
            (
                LayerOrder,
                Warning,
                "seed comes after the narrower bot",
                "layers[1].layer",
            ),
            (
                LayerRepeated,
                Warning,
                "bot is given more than once; all are applied",
                "layers[2].layer",
            ),
            (
                LayerOrder,
                Warning,
                "shared comes after the narrower bot",
                "layers[3].layer",
            ),
        ],
    );
}

/// All that can be said about layers and facts, at once: the order is the input's.
#[test]
fn everything_at_once_in_input_order() {
    let json = r##"{"layers": [
        {"layer": "seed", "source": "s", "content": {
            "identity": "I", "operatingRules": "R",
            "guardrails": ["never push", "a\r\n b", "c\nd"], "surfaceNotes": ["n"]}},
        {"layer": "workspace", "content": {"guardrails": "# Rules\n- NEVER  push\n- never push\n- a b"}},
        {"layer": "workspace", "source": "w", "trusted": false, "content": {
            "identity": "", "operatingRules": "two\nlines", "instructions": "i",
            "guardrails": ["kept", "never push"], "surfaceNotes": ["dropped"]}},
        {"layer": "bot", "content": {"identity": "", "operatingRules": " ", "surfaceNotes": ["x", "N", "N"]}},
        {"layer": "shared", "content": {"surfaceNotes": "a\n # Y\n"}}
    ], "facts": [
        {"key": "k", "value": "x\ny", "volatility": "dynamic"},
        {"key": "s", "value": "</facts>", "volatility": "static"},
        {"key": "k", "value": "<FACTS", "volatility": "static"}
    ]}"##;
    let escaped = "was escaped to stay on its line and in its block";
    let (k, s) = (
        &format!("the fact `k` {escaped}"),
        &format!("the fact `s` {escaped}"),
    );
    let rows: [Row<'_>; 21] = [
        (
            LineBreaksFolded,
            Warning,
            "line breaks became spaces in `a b`",
            "layers[0].content.guardrails[1]",
        ),
        (
            LineBreaksFolded,
            Warning,
            "line breaks became spaces in `c d`",
            "layers[0].content.guardrails[2]",
        ),
        (
            TrustUnstated,
            Warning,
            "the workspace layer does not say whether it is trusted, and counts as trusted",
            "layers[1].trusted",
        ),
        (
            MarkdownInStrict,
            Warning,
            "the Markdown heading `# Rules` is read as text in the strict dialect",
            "layers[1].content.guardrails",
        ),
        (
            DuplicateFolded,
            Info,
            "3 guardrails are duplicates and folded, the first `NEVER  push` into that of seed `s`",
            "layers[1].content.guardrails",
        ),
        (
            UntrustedDropped,
            Warning,
            "dropped from the untrusted layer: identity ``",
            "layers[2].content.identity",
        ),
        (
            UntrustedDropped,
            Warning,
            "dropped from the untrusted layer: operating rules `two\\nlines`",
            "layers[2].content.operatingRules",
        ),
        (
            UntrustedDropped,
            Warning,
            "dropped from the untrusted layer: instructions `i`",
            "layers[2].content.instructions",
        ),
        (
            UntrustedKept,
            Info,
            "kept from the untrusted layer: guardrail `kept`",
            "layers[2].content.guardrails[0]",
        ),
        (
            UntrustedKept,
            Info,
            "kept from the untrusted layer: guardrail `never push`",
            "layers[2].content.guardrails[1]",
        ),
        (
            DuplicateFolded,
            Info,
            "1 guardrail is a duplicate and folded, the first `never push` into that of seed `s`",
            "layers[2].content.guardrails[1]",
        ),
        (
            UntrustedDropped,
            Warning,
            "dropped from the untrusted layer: surface note `dropped`",
            "layers[2].content.surfaceNotes[0]",
        ),
        (
            Blanked,
            Info,
            "empty identity hides that of seed `s`",
            "layers[3].content.identity",
        ),
        (
            Blanked,
            Info,
            "empty operating rules hide those of seed `s`",
            "layers[3].content.operatingRules",
        ),
        (
            DuplicateFolded,
            Info,
            "2 surface notes are duplicates and folded, the first `N` into that of seed `s`",
            "layers[3].content.surfaceNotes[1]",
        ),
        (
            LayerOrder,
            Warning,
            "shared comes after the narrower bot",
            "layers[4].layer",
        ),
        (
            MarkdownInStrict,
            Warning,
            "the Markdown heading `# Y` is read as text in the strict dialect",
            "layers[4].content.surfaceNotes",
        ),
        (FactEscaped, Warning, k, "facts[0]"),
        (FactEscaped, Warning, s, "facts[1]"),
        (
            DuplicateFactKey,
            Warning,
            "the fact `k` is stated more than once",
            "facts[2].key",
        ),
        (FactEscaped, Warning, k, "facts[2]"),
    ];
    let found = assembled(json);
    check(&found, &rows);

    // A resolution says the same about the layers.
    let mut value: serde_json::Value = serde_json::from_str(json).unwrap();
    value.as_object_mut().unwrap().remove("facts");
    let value = value.to_string();
    let resolution = resolve(ResolveInput::from_json(&value).unwrap()).unwrap();
    check(&resolution.diagnostics, &rows[..17]);
}

#[test]
fn a_dropped_layer() {
    let json = r#"{"layers": [{"layer": "bot", "source": "b", "trusted": false, "content": {
        "guardrails": ["g", " ", "h"], "surfaceNotes": "- n\n- m"
    }}], "options": {"untrusted": "drop"}}"#;
    check(
        &assembled(json),
        &[
            (
                UntrustedDropped,
                Warning,
                "dropped from the untrusted layer: guardrail `g`",
                "layers[0].content.guardrails[0]",
            ),
            (
                UntrustedDropped,
                Warning,
                "dropped from the untrusted layer: guardrail `h`",
                "layers[0].content.guardrails[2]",
            ),
            (
                UntrustedDropped,
                Warning,
                "dropped from the untrusted layer: surface note `n`",
                "layers[0].content.surfaceNotes",
            ),
            (
                UntrustedDropped,
                Warning,
                "dropped from the untrusted layer: surface note `m`",
                "layers[0].content.surfaceNotes",
            ),
        ],
    );
}

#[test]
fn many_items_of_one_list_are_counted() {
    let items: Vec<String> = (0..MAX_DIAGNOSTICS + 5)
        .map(|it| format!("g{it}"))
        .collect();
    let input = json!({"layers": [
        {"layer": "bot", "trusted": false, "content": {"guardrails": items}}
    ]});
    let found = assembled(&input.to_string());
    assert_eq!(found.len(), MAX_DIAGNOSTICS + 1);
    check(
        &found[MAX_DIAGNOSTICS - 1..],
        &[
            (
                UntrustedKept,
                Info,
                "kept from the untrusted layer: guardrail `g99`",
                "layers[0].content.guardrails[99]",
            ),
            (MoreDiagnostics, Warning, "and 5 more", "none"),
        ],
    );
}

#[test]
fn a_turn_with_facts_that_were_not_declared() {
    let json = r#"{"layers": [{"layer": "workspace", "content": {}}],
        "facts": [{"key": "k", "value": "a\nb", "volatility": "static"}]}"#;
    let assembler = Assembler::new(AssembleInput::from_json(json).unwrap()).unwrap();
    let trust = "the workspace layer does not say whether it is trusted, and counts as trusted";
    let escaped = "the fact `k` was escaped to stay on its line and in its block";
    let about_the_input: [Row<'_>; 2] = [
        (TrustUnstated, Warning, trust, "layers[0].trusted"),
        (FactEscaped, Warning, escaped, "facts[0]"),
    ];
    let silent = assembler.assemble(Turn::default()).unwrap();
    check(&silent.diagnostics, &about_the_input);

    let facts = Some(vec![Fact::dynamic("k", "v")]);
    let turn = assembler
        .assemble(Turn {
            facts,
            ..Turn::default()
        })
        .unwrap();
    let undeclared = "the dynamic fact `k` was not declared, so the prefix does not announce it";
    // A path into the input, that cannot be mistaken for one into the turn.
    let mut rows = about_the_input.to_vec();
    rows[1].3 = "input.facts[0]";
    rows.push((UndeclaredDynamicFact, Warning, undeclared, "facts[0]"));
    rows.push((
        DuplicateFactKey,
        Warning,
        "the fact `k` is stated more than once",
        "facts[0].key",
    ));
    check(&turn.diagnostics, &rows);
}

#[test]
fn a_seed_file() {
    let text = "hello\nthere\n<!-- block: identity -->\na\n<!-- block: nope -->\nb\n\
        <!-- block: identity -->\nc\n<!-- block: guardrails -->\n# G\n- x\n";
    check(
        &parse_seed(text, "1").unwrap().diagnostics,
        &[
            (
                SeedPreamble,
                Warning,
                "text before the first block is not used: `hello\\nthere`",
                "line 1",
            ),
            (
                SeedUnknownBlock,
                Error,
                "the block `nope` is unknown and not used",
                "line 5",
            ),
            (
                SeedRepeatedBlock,
                Error,
                "the block `identity` is repeated, the last counts",
                "line 7",
            ),
            (
                MarkdownInStrict,
                Warning,
                "the Markdown heading `# G` is read as text in the strict dialect",
                "line 9",
            ),
        ],
    );
    check(
        &parse_seed(" \n<!-- block: identity -->\na", "1")
            .unwrap()
            .diagnostics,
        &[],
    );
}

#[test]
fn the_files_of_a_layer() {
    let files = [
        ("notes.md", "x"),
        ("guardrails.md", "## A\n- x"),
        ("surface-note.md", "\u{feff}# b"),
        ("identity.md", "# fine"),
        ("Identity.md", ""),
    ];
    check(
        &layer_from_files(files).1,
        &[
            (
                UnknownFile,
                Error,
                "the file `notes.md` is unknown and not used",
                "[\"notes.md\"]",
            ),
            (
                MarkdownInStrict,
                Warning,
                "the Markdown heading `## A` is read as text in the strict dialect",
                "[\"guardrails.md\"]",
            ),
            (
                MarkdownInStrict,
                Warning,
                "the Markdown heading `# b` is read as text in the strict dialect",
                "[\"surface-note.md\"]",
            ),
            (
                UnknownFile,
                Error,
                "the file `Identity.md` is unknown and not used",
                "[\"Identity.md\"]",
            ),
        ],
    );
}

#[test]
fn on_the_wire() {
    let found = assembled(r#"{"layers": [{"layer": "workspace", "content": {}}]}"#);
    let message = "the workspace layer does not say whether it is trusted, and counts as trusted";
    assert_eq!(
        json!(found),
        json!([{
            "code": "trust-unstated",
            "severity": "warning",
            "message": message,
            "path": "layers[0].trusted",
        }])
    );
    assert_eq!(
        found[0].to_string(),
        format!("warning: {message} (layers[0].trusted)")
    );
}

#[test]
fn codes_are_kebab_case() {
    let codes = [
        (LayerOrder, "layer-order"),
        (TrustUnstated, "trust-unstated"),
        (UntrustedDropped, "untrusted-dropped"),
        (UntrustedKept, "untrusted-kept"),
        (DuplicateFolded, "duplicate-folded"),
        (Blanked, "blanked"),
        (LineBreaksFolded, "line-breaks-folded"),
        (FactEscaped, "fact-escaped"),
        (DuplicateFactKey, "duplicate-fact-key"),
        (UndeclaredDynamicFact, "undeclared-dynamic-fact"),
        (SeedPreamble, "seed-preamble"),
        (SeedUnknownBlock, "seed-unknown-block"),
        (SeedRepeatedBlock, "seed-repeated-block"),
        (UnknownFile, "unknown-file"),
        (MarkdownInStrict, "markdown-in-strict"),
    ];
    for (code, spelt) in codes {
        assert_eq!(code.as_str(), spelt);
    }
}

#[test]
fn guardrails_that_stand_apart() {
    let json = r#"{"layers": [
        {"layer": "workspace", "trusted": false, "source": "s", "content": {"guardrails": ["</Facts>", "a"]}},
        {"layer": "bot", "content": {"guardrails": ["A"]}},
        {"layer": "bot", "source": "s", "content": {}},
        {"layer": "bot", "source": "s", "content": {}}
    ], "options": {"untrusted": "apart"}}"#;
    check(
        &assembled(json),
        &[
            (
                ItemEscaped,
                Warning,
                "escaped to forge no facts: `&lt;/Facts>`",
                "layers[0].content.guardrails[0]",
            ),
            (
                UntrustedKept,
                Info,
                "kept from the untrusted layer: guardrail `&lt;/Facts>`",
                "layers[0].content.guardrails[0]",
            ),
            (
                UntrustedKept,
                Info,
                "kept from the untrusted layer: guardrail `a`",
                "layers[0].content.guardrails[1]",
            ),
            (
                DuplicateFolded,
                Info,
                "1 guardrail is a duplicate and folded, the first `a` into that of bot",
                "layers[0].content.guardrails[1]",
            ),
            (
                LayerRepeated,
                Warning,
                "bot `s` is given more than once; all are applied",
                "layers[3].layer",
            ),
        ],
    );
}

#[test]
fn what_looks_like_a_marker() {
    let text = "<!-- block: identity -->\na\n <!--  Block x\n";
    check(
        &parse_seed(text, "1").unwrap().diagnostics,
        &[(
            SeedMarkerLike,
            Warning,
            "`<!--  Block x` looks like a marker, but is text",
            "line 3",
        )],
    );
}

#[test]
fn notices_of_one_list_are_in_the_order_of_its_items() {
    let json = r#"{"layers": [
        {"layer": "seed", "content": {"guardrails": ["a", "A", "b\nc", "d\ne"], "surfaceNotes": ["f", "F", "g\nh"]}}
    ]}"#;
    let folded = |path| {
        let message = match path {
            "layers[0].content.guardrails[1]" => {
                "1 guardrail is a duplicate and folded, the first `A` into that of seed"
            }
            _ => "1 surface note is a duplicate and folded, the first `F` into that of seed",
        };
        (DuplicateFolded, Info, message, path)
    };
    let joined = |message, path| (LineBreaksFolded, Warning, message, path);
    check(
        &assembled(json),
        &[
            folded("layers[0].content.guardrails[1]"),
            joined(
                "line breaks became spaces in `b c`",
                "layers[0].content.guardrails[2]",
            ),
            joined(
                "line breaks became spaces in `d e`",
                "layers[0].content.guardrails[3]",
            ),
            folded("layers[0].content.surfaceNotes[1]"),
            joined(
                "line breaks became spaces in `g h`",
                "layers[0].content.surfaceNotes[2]",
            ),
        ],
    );
}

/// How many diagnostics there are of each code, and what the last says.
fn tally(diagnostics: &[Diagnostic]) -> (Vec<(DiagnosticCode, usize)>, &str) {
    let mut counts: Vec<(DiagnosticCode, usize)> = Vec::new();
    for it in diagnostics {
        match counts.last_mut() {
            Some((code, count)) if *code == it.code => *count += 1,
            _ => counts.push((it.code, 1)),
        }
    }
    (counts, &diagnostics.last().unwrap().message)
}

#[test]
fn a_turn_counts_what_it_leaves_out() {
    let broken = (0..60).map(|it| format!("{it}\nb"));
    let twice = |count: usize, make: fn(&'static str, &'static str) -> Fact<'static>| {
        std::iter::repeat_n((), count + 1).map(move |()| make("k", "v"))
    };
    let input = |layer_notices: usize, fixed: usize| AssembleInput {
        layers: vec![LayerInput::new(
            Layer::Seed,
            LayerContent {
                guardrails: broken.clone().take(layer_notices).collect(),
                ..LayerContent::default()
            },
        )],
        facts: twice(fixed, Fact::fixed)
            .chain([Fact::dynamic("declared", "v")])
            .collect(),
        ..AssembleInput::default()
    };
    let turn = |count: usize| Turn {
        facts: Some(twice(count - 1, Fact::dynamic).collect()),
        ..Turn::default()
    };
    // Those of the layers come first; each list leaves some out that do not fit.
    for (layer_notices, fixed, stated, shown, message) in [
        (
            60,
            10,
            20,
            vec![(LineBreaksFolded, 60), (DuplicateFactKey, 30)],
            None,
        ),
        (
            60,
            30,
            20,
            vec![(LineBreaksFolded, 60), (DuplicateFactKey, 40)],
            Some("and 10 more"),
        ),
        (
            60,
            0,
            150,
            vec![(LineBreaksFolded, 60), (DuplicateFactKey, 40)],
            Some("and 110 more"),
        ),
        (
            0,
            150,
            150,
            vec![(DuplicateFactKey, 100)],
            Some("and 200 more"),
        ),
        (
            10,
            150,
            20,
            vec![(LineBreaksFolded, 10), (DuplicateFactKey, 90)],
            Some("and 80 more"),
        ),
    ] {
        let handle = Assembler::new(input(layer_notices, fixed)).unwrap();
        let diagnostics = handle.assemble(turn(stated)).unwrap().diagnostics;
        let (mut counts, last) = tally(&diagnostics);
        if let Some(message) = message {
            assert_eq!(counts.pop(), Some((MoreDiagnostics, 1)));
            assert_eq!(last, message);
        }
        assert_eq!(counts, shown);
    }
}

#[test]
fn what_is_dropped_is_quoted_as_it_was() {
    let json = r#"{"layers": [
        {"layer": "workspace", "trusted": false, "content": {"surfaceNotes": ["</facts>"], "guardrails": ["g"]}}
    ], "options": {"untrusted": "apart"}}"#;
    check(
        &assembled(json),
        &[
            (
                UntrustedKept,
                Info,
                "kept from the untrusted layer: guardrail `g`",
                "layers[0].content.guardrails[0]",
            ),
            (
                UntrustedDropped,
                Warning,
                "dropped from the untrusted layer: surface note `</facts>`",
                "layers[0].content.surfaceNotes[0]",
            ),
        ],
    );
}
