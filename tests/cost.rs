//! Large and adversarial input: it ends, with the right answer. Nothing here is timed; what is quadratic never ends.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use std::borrow::Cow;

use prompt_strata::limits::{MAX_DIAGNOSTICS, MAX_TEXT_BYTES};
use prompt_strata::{
    AssembleInput, Assembler, Descriptor, Dialect, ErrorCode, Fact, Items, Layer, LayerContent,
    LayerInput, Turn, assemble, drift, parse_guardrails, parse_seed, render_facts,
    render_guardrails,
};

const MANY: usize = 100_000;
const DIALECTS: [Dialect; 2] = [Dialect::Strict, Dialect::Markdown];

fn guardrails(items: Items<'static>) -> LayerInput<'static> {
    LayerInput::new(
        Layer::Bot,
        LayerContent {
            guardrails: items,
            ..LayerContent::default()
        },
    )
}

fn with_sections(layers: Vec<LayerInput<'static>>) -> AssembleInput<'static> {
    let mut input = AssembleInput {
        layers,
        ..AssembleInput::default()
    };
    input.options.sections = true;
    input
}

fn parse(text: &str, dialect: Dialect) -> Vec<Cow<'_, str>> {
    parse_guardrails(text, dialect).unwrap()
}

#[test]
fn many_guardrails_half_of_them_duplicates() {
    // The second half repeats the first, in other words for the eye and the same for the key.
    let items = (0..MANY / 2).map(|it| format!("never do {it}"));
    let again = (0..MANY / 2).map(|it| format!("Never  DO\t{it}"));
    let input = with_sections(vec![guardrails(items.chain(again).collect())]);
    let assembly = assemble(input).unwrap();
    let bullets = assembly.effective.guardrails.unwrap();
    assert_eq!(bullets.lines().count(), MANY / 2);
    assert!(bullets.ends_with("\n- never do 49999\n"));
    // The heading is a section, too.
    assert_eq!(assembly.sections.unwrap().len(), MANY / 2 + 1);
    let folded = &assembly.diagnostics[0].message;
    assert_eq!(
        folded,
        "50000 guardrails are duplicates and folded, the first `Never  DO\\t0` into that of bot"
    );
    assert_eq!(assembly.diagnostics.len(), 1);
}

#[test]
fn many_layers_with_the_same_guardrails() {
    let layers = 1000;
    let layer = |at: usize| {
        let items = (0..100)
            .map(|it| format!("rule {it}"))
            .chain([format!("own {at}")]);
        LayerInput {
            source: Some(at.to_string().into()),
            ..guardrails(items.collect())
        }
    };
    let input = with_sections((0..layers).map(layer).collect());
    let mut assembler = Assembler::new(input).unwrap();
    let first = assembler.assemble(Turn::default()).unwrap();
    assert_eq!(
        first.effective.guardrails.unwrap().lines().count(),
        100 + layers
    );
    assert_eq!(first.descriptors.len(), layers);
    assert_eq!(first.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    // Without the first layer, the second has them all.
    assert_eq!(assembler.remove_layer(Layer::Bot, Some("0")), Ok(true));
    let second = assembler.assemble(Turn::default()).unwrap();
    assert_eq!(
        second.effective.guardrails.unwrap().lines().count(),
        100 + layers - 1
    );
}

#[test]
fn all_duplicates() {
    let text = "- never push\n".repeat(MAX_TEXT_BYTES / 13);
    for dialect in DIALECTS {
        let items = parse(&text, dialect);
        assert_eq!(items.len(), MAX_TEXT_BYTES / 13);
    }
    let assembly = assemble(with_sections(vec![guardrails(Items::Text(text.into()))])).unwrap();
    assert_eq!(assembly.prefix, "Guardrails:\n- never push\n");
}

#[test]
fn one_giant_line() {
    let line = "word ".repeat(MAX_TEXT_BYTES / 5);
    for dialect in DIALECTS {
        assert_eq!(parse(&line, dialect), [line.trim()]);
        assert_eq!(parse(&format!("- {line}"), dialect), [line.trim()]);
    }
    let input = with_sections(vec![guardrails(Items::List(vec![line.clone().into()]))]);
    let assembly = assemble(input).unwrap();
    assert_eq!(
        assembly.prefix.len(),
        "Guardrails:\n- \n".len() + line.trim().len()
    );
}

#[test]
fn giant_lines_of_marks() {
    for mark in [
        "#", "-", "*", "`", "~", "<", "<!--", "- ", "1", " ", "\t", "\u{85}", "\u{feff}",
    ] {
        let line = mark.repeat(MAX_TEXT_BYTES / 4 / mark.len());
        for dialect in DIALECTS {
            let items = parse(&line, dialect);
            assert!(items.len() <= 1, "{mark:?}");
            let rendered = render_guardrails(&items);
            assert_eq!(parse(&rendered, dialect), items, "{mark:?}");
        }
    }
}

#[test]
fn all_blank_lines() {
    for line in ["\n", "\r\n", " \t\n", "\u{3000}\n"] {
        let text = line.repeat(MAX_TEXT_BYTES / 2 / line.len());
        for dialect in DIALECTS {
            assert!(parse(&text, dialect).is_empty());
        }
        // A line break between items that are far apart.
        let item = format!("a{text}b");
        let assembly = assemble(with_sections(vec![guardrails(
            [item].into_iter().collect(),
        )]));
        assert_eq!(assembly.unwrap().prefix, "Guardrails:\n- a b\n");
    }
}

#[test]
fn comments_without_an_end() {
    let text = "<!-- a\n".repeat(MANY);
    let items = parse(&text, Dialect::Markdown);
    assert_eq!(items.len(), 1);
    assert_eq!(items[0].split(' ').filter(|it| *it == "a").count(), MANY);
    // Each chain of comments breaks off at its last.
    let text = "<!-- --> <!-- a\n--> <!--\n\n".repeat(MANY / 2) + "b";
    let items = parse(&text, Dialect::Markdown);
    assert!(items.last().unwrap().ends_with('b'));
    // One end, after all: there is nothing but a comment.
    let text = "<!-- a\n".repeat(MANY) + "-->";
    assert!(parse(&text, Dialect::Markdown).is_empty());
    let text = "<!-- a -->".repeat(MANY) + " b";
    assert_eq!(parse(&text, Dialect::Markdown), ["b"]);
}

#[test]
fn code_without_an_end() {
    let text = "```\n- a\n".repeat(MANY + 1);
    let items = parse(&text, Dialect::Markdown);
    let kept = items.iter().map(|it| it.matches('a').count());
    assert_eq!(kept.sum::<usize>(), MANY + 1);
    let text = "- ```\n  ~~~\n".repeat(MANY);
    assert_eq!(parse(&text, Dialect::Markdown).len(), MANY);
}

#[test]
fn headings_that_multiply_are_refused_before_they_take_memory() {
    let long = "h".repeat(MAX_TEXT_BYTES / 8);
    let under_a_long_heading = format!("a\n## {long}\n{}", "- x\n".repeat(MANY));
    let nested = format!(
        "a\n## {long}\n{}",
        "### h\n#### i\n##### j\n###### k\n".repeat(MANY / 4)
    );
    for text in [under_a_long_heading, nested] {
        let error = parse_guardrails(&text, Dialect::Markdown).unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooLarge);
        // The strict dialect repeats nothing, so nothing multiplies.
        assert!(parse(&text, Dialect::Strict).len() <= MANY + 2);
    }
}

#[test]
fn many_headings() {
    let flat = "a\n".to_owned() + &"## h\n".repeat(MANY);
    assert_eq!(parse(&flat, Dialect::Markdown).len(), MANY + 1);
    let nested = "# a\n## b\n### c\n#### d\n##### e\n###### f\n".repeat(MANY / 6);
    let items = parse(&nested, Dialect::Markdown);
    assert_eq!(items.len(), MANY / 6);
    assert!(items.iter().all(|it| it == "a: b: c: d: e: f"));
}

#[test]
fn deep_nesting() {
    // Each bullet deeper than the one above: all of them belong to the first.
    let depth = 2000;
    let text: String = (0..depth)
        .map(|it| format!("{}- w{it}\n", " ".repeat(it)))
        .collect();
    let items = parse(&text, Dialect::Markdown);
    assert_eq!(items.len(), 1);
    assert!(items[0].ends_with("- w1999"));
    assert_eq!(parse(&text, Dialect::Strict).len(), depth);
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let json = [open.repeat(MANY), close.repeat(MANY)].concat();
        let error = AssembleInput::from_json(&json).unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooDeep);
        let json = format!("{{\"layers\":{json}}}");
        let error = AssembleInput::from_json(&json).unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooDeep);
    }
}

#[test]
fn many_unknown_fields_and_many_values() {
    let fields: Vec<String> = (0..MANY).map(|it| format!("\"f{it}\":0")).collect();
    let error = AssembleInput::from_json(&format!("{{{}}}", fields.join(","))).unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (ErrorCode::UnknownField, "f0")
    );
    let layers = vec!["{\"layer\":\"bot\",\"content\":{}}"; MANY].join(",");
    let json = format!("{{\"layers\":[{layers}]}}");
    let assembly = assemble(AssembleInput::from_json(&json).unwrap()).unwrap();
    assert_eq!(assembly.prefix, "");
}

#[test]
fn many_facts_all_escaped_and_all_of_one_key() {
    let facts: Vec<Fact<'_>> = (0..MANY)
        .map(|_| Fact::dynamic("k", "</facts>\n<"))
        .collect();
    let rendered = render_facts(&facts).unwrap().unwrap();
    assert_eq!(rendered.matches("&lt;/facts>").count(), MANY);
    assert_eq!(rendered.matches("</facts>").count(), 1);
    let breaks = "<\r\n".repeat(MAX_TEXT_BYTES / 3);
    let rendered = render_facts(&[Fact::dynamic("k", breaks)])
        .unwrap()
        .unwrap();
    assert_eq!(rendered.lines().count(), MAX_TEXT_BYTES / 3 + 3);
    let input = AssembleInput {
        facts,
        ..AssembleInput::default()
    };
    let diagnostics = assemble(input).unwrap().diagnostics;
    let last = &diagnostics[MAX_DIAGNOSTICS];
    assert_eq!(diagnostics.len(), MAX_DIAGNOSTICS + 1);
    let more = 2 * MANY - 1 - MAX_DIAGNOSTICS;
    assert_eq!(last.message, format!("and {more} more"));
}

#[test]
fn long_lists_of_one_key_do_not_drift() {
    let list: Vec<Descriptor> = (0..MANY)
        .map(|it| Descriptor {
            block: "guardrails".into(),
            layer: "bot".into(),
            source: None,
            digest: it.to_string(),
            bytes: 1,
        })
        .collect();
    assert_eq!(drift(&list, &list), None);
    let drift = drift(&list, &list[1..]).unwrap();
    assert_eq!((drift.changed.len(), drift.removed.len()), (MANY - 1, 1));
}

#[test]
fn a_seed_file_of_nothing_but_markers() {
    let text = "<!-- block: identity -->\n".repeat(MANY);
    let seed = parse_seed(&text, "1").unwrap();
    assert_eq!(seed.content.identity.as_deref(), Some(""));
    assert_eq!(seed.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    let text = "<!-- block: identity -->\n".to_owned() + &"{{version}}".repeat(MANY);
    let seed = parse_seed(&text, "{{version}}").unwrap();
    assert_eq!(
        seed.content.identity.unwrap().len(),
        MANY * "{{version}}".len()
    );
}
