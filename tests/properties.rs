//! The claims of the contract, each over generated input; a test is named after its claim.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    missing_docs,
    unreachable_pub
)]

mod common;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use common::{
    blank, content, descriptor, document, dynamic_fact, fact, input, items, layer, layer_input,
    line, list, mutation, options, prose, runtime, snake_case, source, text, turn, wire,
    with_sections,
};
use prompt_strata::{
    AssembleInput, Assembler, Assembly, BlockName, BlockParts, CachePolicy, Descriptor,
    DiagnosticCode, Dialect, ErrorCode, Fact, Items, Layer, LayerContent, LayerInput, ResolveInput,
    RuntimeSections, StrataError, Turn, Untrusted, Volatility, assemble, build_blocks, digest,
    drift, fingerprint, flatten_blocks, get_block, layer_from_files, layer_to_files,
    parse_guardrails, parse_seed, render_facts, render_guardrails, resolve, set_block,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

const BLOCKS: [BlockName; 4] = [
    BlockName::Identity,
    BlockName::OperatingRules,
    BlockName::Guardrails,
    BlockName::SurfaceNote,
];

fn dialect() -> impl Strategy<Value = Dialect> {
    select(vec![Dialect::Strict, Dialect::Markdown])
}

/// What duplicates share, found another way than the crate does.
fn duplicate_key(item: &str) -> String {
    let words: Vec<&str> = item.split_whitespace().collect();
    words.join(" ").to_ascii_lowercase()
}

/// The keys of the guardrails in force.
fn keys(assembly: &Assembly) -> BTreeSet<String> {
    let bullets = assembly.effective.guardrails.as_deref().unwrap_or_default();
    let items = bullets.lines().map(|line| line.strip_prefix("- ").unwrap());
    items.map(duplicate_key).collect()
}

/// Items as they are written: a lone `\r` ends no line where text is read, but is one space where items are written.
fn on_one_line(items: &[Cow<'_, str>]) -> Vec<String> {
    let one = |item: &Cow<'_, str>| {
        let pieces = item.split(['\n', '\r']).map(str::trim);
        let pieces: Vec<&str> = pieces.filter(|it| !it.is_empty()).collect();
        pieces.join(" ")
    };
    items.iter().map(one).collect()
}

fn words(texts: &[Cow<'_, str>]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for text in texts {
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    counts
}

fn blocks_text(assembly: &Assembly, wanted: impl Fn(CachePolicy) -> bool) -> String {
    let blocks = assembly.blocks.iter().filter(|it| wanted(it.cache));
    blocks.map(|it| &*it.text).collect()
}

fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// Another host's stable input, in the order in which the prefix holds it; a later piece has a greater number.
const PIECES: usize = 8;

/// The input without its pieces from `first` on.
fn without_pieces(mut input: AssembleInput<'_>, first: usize) -> AssembleInput<'_> {
    let fixed = |it: &Fact<'_>| it.volatility == Volatility::Static;
    for piece in first..PIECES {
        match piece {
            0 => input.runtime.skills = None,
            1 => input.runtime.mcp = None,
            2 => input.runtime.tool_index = None,
            3 => input.runtime.standing = None,
            4 => input.binding_glue = None,
            5 => input.facts.retain(|it| !fixed(it)),
            6 => input.facts.retain(fixed),
            _ => input.channel_meta = None,
        }
    }
    input
}

/// The label of the block that a piece is in.
fn block_of(piece: usize) -> &'static str {
    match piece {
        0..=2 => "skills",
        3..=6 => "binding_glue",
        _ => "channel_meta",
    }
}

/// What a handle is asked to do.
#[derive(Clone, Debug)]
enum Step {
    Set(LayerInput<'static>),
    Remove(Layer, Option<Cow<'static, str>>),
    Turn(Turn<'static>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => layer_input().prop_map(Step::Set),
        2 => (layer(), source()).prop_map(|(layer, source)| Step::Remove(layer, source)),
        1 => turn().prop_map(Step::Turn),
    ]
}

/// The positions of the layers that a layer and source mean.
fn meant(layers: &[LayerInput<'_>], layer: Layer, source: Option<&str>) -> Vec<usize> {
    let is_meant = |it: &LayerInput<'_>| it.layer == layer && it.source.as_deref() == source;
    (0..layers.len())
        .filter(|at| is_meant(&layers[*at]))
        .collect()
}

/// The documented rule: replace the one that is meant, or insert after the last that is not narrower.
fn model_set(layers: &mut Vec<LayerInput<'static>>, new: LayerInput<'static>) -> bool {
    match meant(layers, new.layer, new.source.as_deref())[..] {
        [] => {
            let last = layers.iter().rposition(|it| it.layer <= new.layer);
            layers.insert(last.map_or(0, |at| at + 1), new);
            true
        }
        [at] => {
            layers[at] = new;
            true
        }
        _ => false,
    }
}

/// The turn as a one-off assembly; the prefix is what the declared facts made it.
fn model_turn(input: &AssembleInput<'static>, turn: &Turn<'static>) -> Assembly {
    let mut input = input.clone();
    input.channel_meta = turn.channel_meta.clone().or(input.channel_meta);
    let runtime = &mut input.runtime;
    runtime.epistemic_stance = turn
        .epistemic_stance
        .clone()
        .or(runtime.epistemic_stance.take());
    runtime.temporal = turn.temporal.clone().or(runtime.temporal.take());
    let mut expected = assemble(input.clone()).unwrap();
    if let Some(facts) = &turn.facts {
        input.facts.clone_from(facts);
        expected.tail = assemble(input).unwrap().tail;
    }
    expected
}

/// Layers that say who they are in every text, so that a section shows its origin.
fn marked_layers() -> impl Strategy<Value = Vec<LayerInput<'static>>> {
    let shared = select(vec!["nobody pushes", "Nobody  pushes"]);
    let one = (
        layer(),
        any::<bool>(),
        0_usize..4,
        0_usize..3,
        option::of(shared),
        blank(),
    );
    vec(one, 0..6).prop_map(|layers| {
        let layers = layers.into_iter().enumerate();
        let layers = layers.map(|(at, (layer, trusted, items, notes, shared, space))| {
            let list = |count: usize, what: &str| {
                let own =
                    (0..count).map(|it| format!("{space}{what} {it} 😀 of L{at}Q\n\tand {at}"));
                own.chain(shared.map(str::to_owned)).collect()
            };
            LayerInput {
                source: Some(format!("L{at}Q").into()),
                trusted: Some(trusted),
                ..LayerInput::new(
                    layer,
                    LayerContent {
                        identity: (items % 2 == 0).then(|| format!("{space}I am L{at}Q").into()),
                        operating_rules: (notes == 1).then(|| format!("Rules of L{at}Q\n").into()),
                        instructions: (items > 1).then(|| format!("Do\nas L{at}Q says").into()),
                        guardrails: list(items, "guard"),
                        surface_notes: list(notes, "note"),
                    },
                )
            }
        });
        layers.collect()
    })
}

proptest! {
    // ---- §3 guardrail text

    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rendered_items_are_read_again_as_they_were(items in vec(line(), 0..8), dialect in dialect()) {
        let rendered = render_guardrails(&items);
        prop_assert_eq!(parse_guardrails(&rendered, dialect).unwrap(), items);
    }

    #[test]
    fn rendered_items_are_read_again_also_under_their_heading(
        items in vec(line(), 1..8),
        dialect in dialect(),
    ) {
        let rendered = format!("Guardrails:\n{}", render_guardrails(&items));
        prop_assert_eq!(parse_guardrails(&rendered, dialect).unwrap(), items);
    }

    #[test]
    fn items_are_trimmed_lines_and_never_empty(text in prose(), dialect in dialect()) {
        for item in parse_guardrails(&text, dialect).unwrap() {
            prop_assert!(!item.is_empty());
            prop_assert_eq!(item.trim(), &*item);
            prop_assert!(!item.contains('\n'));
        }
    }

    #[test]
    fn the_strict_dialect_never_loses_text(document in document()) {
        let items = parse_guardrails(&document.text, Dialect::Strict).unwrap();
        let counts = words(&items);
        for word in document.once.iter().chain(&document.headings).chain(&document.comments) {
            prop_assert_eq!(counts.get(word), Some(&1), "{} in {:?}", word, items);
        }
    }

    #[test]
    fn the_strict_dialect_keeps_every_word_in_its_order(text in prose()) {
        let items = parse_guardrails(&text, Dialect::Strict).unwrap();
        let is_word = |it: &&str| !it.is_empty() && *it != "Guardrails";
        let split = |c: char| !c.is_alphanumeric();
        let want: Vec<&str> = text.split(split).filter(is_word).collect();
        let joined = items.join("\n");
        let got: Vec<&str> = joined.split(split).filter(is_word).collect();
        prop_assert_eq!(got, want);
    }

    #[test]
    fn the_markdown_dialect_never_loses_text(document in document()) {
        let items = parse_guardrails(&document.text, Dialect::Markdown).unwrap();
        let counts = words(&items);
        for word in &document.once {
            prop_assert_eq!(counts.get(word), Some(&1), "{} in {:?}", word, items);
        }
        for word in &document.headings {
            prop_assert!(counts.contains_key(word), "{} in {:?}", word, items);
        }
    }

    #[test]
    fn what_was_read_is_written_and_read_again(document in document(), dialect in dialect()) {
        let items = parse_guardrails(&document.text, dialect).unwrap();
        let rendered = render_guardrails(&items);
        prop_assert_eq!(parse_guardrails(&rendered, dialect).unwrap(), items);
    }

    #[test]
    fn a_leading_byte_order_mark_is_ignored(document in document(), dialect in dialect()) {
        let text = document.text.trim_start_matches('\u{feff}');
        let marked = format!("\u{feff}{text}");
        let items = parse_guardrails(text, dialect).unwrap();
        prop_assert_eq!(parse_guardrails(&marked, dialect).unwrap(), items);
    }

    // ---- §4 resolution

    #[test]
    fn no_arrangement_of_layers_can_shorten_the_guardrails(
        some in input(),
        more in vec(layer_input(), 0..4),
        order in any::<prop::sample::Index>(),
        repeats in vec(any::<Index>(), 0..3),
        vouched in vec(select(vec![None, Some(true), Some(false)]), 12),
        shuffle in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut some = some;
        some.options.untrusted = Untrusted::GuardrailsOnly;
        let kept = keys(&assemble(some.clone()).unwrap());

        let mut arranged = some;
        let own = arranged.layers.clone();
        arranged.layers.extend(more);
        if !own.is_empty() {
            arranged.layers.extend(repeats.iter().map(|at| own[at.index(own.len())].clone()));
        }
        let mut layers: Vec<_> = shuffle.iter().zip(arranged.layers).collect();
        layers.sort_by_key(|(place, _)| **place);
        arranged.layers = layers.into_iter().map(|(_, it)| it).collect();
        if !arranged.layers.is_empty() {
            let count = arranged.layers.len();
            arranged.layers.rotate_left(order.index(count));
        }
        for (layer, trusted) in arranged.layers.iter_mut().zip(vouched) {
            layer.trusted = trusted;
        }
        let now = keys(&assemble(arranged).unwrap());
        prop_assert!(kept.is_subset(&now), "lost {:?}", kept.difference(&now));
    }

    #[test]
    fn every_guardrail_given_is_in_force_and_the_broadest_spelling_is_kept(
        lists in vec(list(), 0..5),
    ) {
        let mut expected: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for list in &lists {
            let Items::List(items) = list else { panic!("a list was asked for") };
            for item in items {
                // A line break and the white space around it are one space; the key does not tell them apart.
                if !item.trim().is_empty() && seen.insert(duplicate_key(item)) {
                    expected.push(duplicate_key(item));
                }
            }
        }
        let layers = lists.into_iter().map(|guardrails| {
            LayerInput::new(Layer::Bot, LayerContent { guardrails, ..LayerContent::default() })
        });
        let input = AssembleInput { layers: layers.collect(), ..AssembleInput::default() };
        let assembly = assemble(input).unwrap();
        let bullets = assembly.effective.guardrails.unwrap_or_default();
        let got: Vec<String> = bullets.lines().map(|it| duplicate_key(&it[2..])).collect();
        prop_assert_eq!(got, expected);
    }

    #[test]
    fn duplicates_differ_in_white_space_and_ascii_case_alone(
        base in "[a-zA-Z][a-zA-Z0-9 .@\\[`{~]{0,140}[éÉЖж😀\u{80}]{0,1}[a-zA-Z ]{0,20}",
        twists in vec(0u8..6, 1..12),
        other in option::of((any::<Index>(), "[a-zA-Z@\\[`{é]")),
    ) {
        // Every length and every place of eight bytes and of sixty-four is met.
        let mut twisted = String::new();
        for (at, c) in base.chars().enumerate() {
            match (twists[at % twists.len()], c) {
                (0, ' ') => twisted.push_str("  "),
                (1, ' ') => twisted.push_str("\u{a0}\t"),
                (2, ' ') => twisted.push_str(" \n "),
                (3, _) => twisted.push(c.to_ascii_uppercase()),
                (4, _) => twisted.push(c.to_ascii_lowercase()),
                _ => twisted.push(c),
            }
        }
        if let Some((at, letter)) = other {
            let places: Vec<usize> = twisted.char_indices().map(|(at, _)| at).collect();
            let at = places[at.index(places.len())];
            let end = at + twisted[at..].chars().next().unwrap().len_utf8();
            twisted.replace_range(at..end, &letter);
        }
        let expected = BTreeSet::from([duplicate_key(&base), duplicate_key(&twisted)]);
        let content = LayerContent { guardrails: Items::from_iter([base, twisted]), ..LayerContent::default() };
        let layers = vec![LayerInput::new(Layer::Bot, content)];
        let assembly = assemble(AssembleInput { layers, ..AssembleInput::default() }).unwrap();
        prop_assert_eq!(assembly.effective.guardrails.clone().unwrap().lines().count(), expected.len());
        prop_assert_eq!(keys(&assembly), expected);
    }

    #[test]
    fn guardrails_given_as_text_are_the_items_that_are_read_from_it(
        document in document(),
        dialect in dialect(),
    ) {
        let items = parse_guardrails(&document.text, dialect).unwrap();
        let mut seen = BTreeSet::new();
        let expected: Vec<String> = items.iter().map(|it| duplicate_key(it)).collect();
        let expected: Vec<String> = expected.into_iter().filter(|it| seen.insert(it.clone())).collect();
        let guardrails = Items::Text(document.text.as_str().into());
        let content = LayerContent { guardrails, ..LayerContent::default() };
        let mut input = AssembleInput {
            layers: vec![LayerInput::new(Layer::Bot, content)],
            ..AssembleInput::default()
        };
        input.options.dialect = dialect;
        let bullets = assemble(input).unwrap().effective.guardrails.unwrap_or_default();
        let got: Vec<String> = bullets.lines().map(|it| duplicate_key(&it[2..])).collect();
        prop_assert_eq!(got, expected);
    }

    #[test]
    fn an_item_never_forges_a_line_a_heading_or_a_section(
        guardrails in list(),
        surface_notes in list(),
        layer in layer(),
    ) {
        let content = LayerContent { guardrails, surface_notes, ..LayerContent::default() };
        let layers = vec![LayerInput::new(layer, content)];
        let assembly = assemble(AssembleInput { layers, ..AssembleInput::default() }).unwrap();
        prop_assert!(!assembly.prefix.contains('\r'));
        let lines: Vec<&str> = assembly.prefix.split('\n').collect();
        let headings: Vec<&str> =
            lines.iter().copied().filter(|it| !it.is_empty() && !it.starts_with("- ")).collect();
        let effective = &assembly.effective;
        let mut expected = Vec::new();
        expected.extend(effective.guardrails.as_ref().map(|_| "Guardrails:"));
        expected.extend(effective.surface_note.as_ref().map(|_| "Also true on this surface:"));
        prop_assert_eq!(headings, expected);
    }

    #[test]
    fn the_last_layer_that_says_something_wins(layers in vec(layer_input(), 0..5)) {
        let heard = |it: &&LayerInput<'_>| it.trusted != Some(false);
        let said = layers.iter().filter(heard);
        let identity = said.clone().rev().find_map(|it| it.content.identity.clone());
        let rules = said.rev().find_map(|it| it.content.operating_rules.clone());
        let input = AssembleInput { layers, ..AssembleInput::default() };
        let assembly = assemble(input).unwrap();
        let not_empty = |text: Option<Cow<'_, str>>| {
            text.filter(|it| !it.is_empty()).map(Cow::into_owned)
        };
        let record = assembly.descriptors.iter().find(|it| it.block == "identity");
        prop_assert_eq!(
            record.map(|it| (it.digest.clone(), it.bytes)),
            identity.as_deref().map(|it| (digest(it), it.len() as u64))
        );
        prop_assert_eq!(assembly.effective.identity, not_empty(identity));
        prop_assert_eq!(assembly.effective.operating_rules, not_empty(rules));
    }

    #[test]
    fn a_dropped_layer_leaves_no_trace_in_the_text(
        some in input(),
        at in any::<Index>(),
        layer in layer_input(),
    ) {
        let mut some = some;
        some.options.untrusted = Untrusted::Drop;
        let without = assemble(some.clone()).unwrap();
        let at = at.index(some.layers.len() + 1);
        some.layers.insert(at, LayerInput { trusted: Some(false), ..layer });
        let with = assemble(some).unwrap();
        prop_assert_eq!(with.system, without.system);
        prop_assert_eq!(with.descriptors, without.descriptors);
        prop_assert_eq!(with.effective, without.effective);
        prop_assert_eq!(with.sections, without.sections);
    }

    #[test]
    fn the_prefix_is_empty_exactly_where_nothing_but_white_space_results(some in input()) {
        let assembly = assemble(some).unwrap();
        prop_assert_eq!(assembly.prefix.is_empty(), assembly.prefix.trim().is_empty());
        prop_assert_eq!(assembly.system.is_empty(), assembly.system.trim().is_empty());
    }

    #[test]
    fn blank_input_gives_an_empty_prefix(blanks in vec(option::of(blank()), 18), layer in layer()) {
        let mut blanks = blanks.into_iter().map(|it| it.map(Cow::Owned));
        let mut next = || blanks.next().flatten();
        let content = LayerContent {
            identity: next(),
            operating_rules: next(),
            instructions: next(),
            guardrails: Items::from_iter(next()),
            surface_notes: Items::Text(next().unwrap_or_default()),
        };
        let runtime = RuntimeSections {
            capability_contract: next(),
            presentation_contract: next(),
            sandbox_contract: next(),
            surface: next(),
            skills: next(),
            mcp: next(),
            tool_index: next(),
            standing: next(),
            epistemic_stance: next(),
            temporal: next(),
        };
        let assembly = assemble(AssembleInput {
            layers: vec![LayerInput::new(layer, content)],
            runtime,
            binding_glue: next(),
            channel_meta: next(),
            ..AssembleInput::default()
        });
        let assembly = assembly.unwrap();
        prop_assert_eq!(&assembly.system, "");
        prop_assert_eq!(&assembly.tail, "");
        prop_assert!(assembly.blocks.is_empty());
    }

    #[test]
    fn blank_pieces_leave_no_trace(some in input(), blanks in vec(blank(), 11)) {
        let mut without = some;
        let given = |text: &Option<Cow<'_, str>>| text.as_ref().is_some_and(|it| !it.trim().is_empty());
        let mut with = without.clone();
        // The surface is left out: above notes it is text as given, blank or not.
        let slots = |input: &mut AssembleInput<'static>, change: &mut dyn FnMut(&mut Option<Cow<'static, str>>)| {
            let runtime = &mut input.runtime;
            for slot in [
                &mut runtime.capability_contract,
                &mut runtime.presentation_contract,
                &mut runtime.sandbox_contract,
                &mut runtime.skills,
                &mut runtime.mcp,
                &mut runtime.tool_index,
                &mut runtime.standing,
                &mut runtime.epistemic_stance,
                &mut runtime.temporal,
                &mut input.binding_glue,
                &mut input.channel_meta,
            ] {
                if !given(slot) {
                    change(slot);
                }
            }
        };
        let mut blanks = blanks.into_iter();
        slots(&mut with, &mut |slot| *slot = blanks.next().map(Cow::Owned));
        slots(&mut without, &mut |slot| *slot = None);
        prop_assert_eq!(assemble(with).unwrap(), assemble(without).unwrap());
    }

    #[test]
    fn resolving_is_assembling_without_facts_and_blocks(some in input()) {
        let resolved = resolve(ResolveInput {
            layers: some.layers.clone(),
            runtime: some.runtime.clone(),
            options: some.options.clone(),
        });
        let resolved = resolved.unwrap();
        let some = AssembleInput { facts: Vec::new(), binding_glue: None, channel_meta: None, ..some };
        let assembly = assemble(some).unwrap();
        prop_assert_eq!(&resolved.prefix, &assembly.prefix);
        prop_assert_eq!(&resolved.prefix, &assembly.system);
        prop_assert_eq!(resolved.tail, assembly.tail);
        prop_assert_eq!(resolved.descriptors, assembly.descriptors);
        prop_assert_eq!(resolved.fingerprint, assembly.fingerprint);
        prop_assert_eq!(resolved.effective, assembly.effective);
        prop_assert_eq!(resolved.diagnostics, assembly.diagnostics);
    }

    // ---- descriptors, digest, fingerprint

    #[test]
    fn a_descriptor_records_the_text_as_given(some in input()) {
        let assembly = assemble(some).unwrap();
        let effective = &assembly.effective;
        for (block, text) in [
            ("identity", &effective.identity),
            ("operating-rules", &effective.operating_rules),
        ] {
            let mut found = assembly.descriptors.iter().filter(|it| it.block == block);
            let record = found.next();
            prop_assert!(found.next().is_none());
            if let Some(text) = text {
                let record = record.unwrap();
                prop_assert_eq!(&record.digest, &digest(text));
                prop_assert_eq!(record.bytes, text.len() as u64);
            }
        }
        for (block, text) in [
            ("guardrails", &effective.guardrails),
            ("surface-note", &effective.surface_note),
        ] {
            let records = assembly.descriptors.iter().filter(|it| it.block == block);
            let bytes: u64 = records.map(|it| it.bytes).sum();
            prop_assert_eq!(bytes, text.as_deref().unwrap_or_default().len() as u64);
        }
    }

    #[test]
    fn descriptors_are_ordered_by_block_then_breadth(some in input()) {
        let assembly = assemble(some).unwrap();
        let order = assembly.descriptors.iter().map(|it| {
            (it.block.to_string(), it.layer.parse::<Layer>().unwrap())
        });
        prop_assert!(order.is_sorted());
    }

    #[test]
    fn a_digest_is_64_lower_case_hex_digits_and_tells_texts_apart(a in prose(), b in prose()) {
        let hex = |text: &str| text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        prop_assert_eq!(digest(&a).len(), 64);
        prop_assert!(hex(&digest(&a)));
        prop_assert_eq!(digest(&a) == digest(&b), a == b);
    }

    #[test]
    fn a_fingerprint_is_the_digest_of_what_it_lists_in_order(
        list in vec(descriptor(), 0..6),
        other in vec(descriptor(), 0..6),
    ) {
        let joined = |list: &[Descriptor]| {
            let lines = list.iter().map(|it| format!("{}:{}:{}", it.block, it.layer, it.digest));
            lines.collect::<Vec<_>>().join("|")
        };
        prop_assert_eq!(fingerprint(&list), digest(&joined(&list)));
        prop_assert_eq!(fingerprint(&list) == fingerprint(&other), joined(&list) == joined(&other));
        let assembled = AssembleInput::default();
        prop_assert_eq!(assemble(assembled).unwrap().fingerprint, digest(""));
    }

    // ---- §5 drift

    #[test]
    fn a_list_never_drifts_from_itself(list in vec(descriptor(), 0..10)) {
        prop_assert_eq!(drift(&list, &list), None);
    }

    #[test]
    fn an_unknown_baseline_is_no_change(list in vec(descriptor(), 0..10)) {
        prop_assert_eq!(drift(&[], &list), None);
    }

    #[test]
    fn drift_applied_to_the_frozen_list_gives_the_current_one(
        frozen in vec(descriptor(), 1..10),
        current in vec(descriptor(), 0..10),
    ) {
        let count = |list: &[Descriptor]| {
            let mut counts = BTreeMap::<String, usize>::new();
            for it in list {
                *counts.entry(format!("{it:?}")).or_default() += 1;
            }
            counts
        };
        let Some(found) = drift(&frozen, &current) else {
            prop_assert_eq!(count(&frozen), count(&current));
            return Ok(());
        };
        let mut applied = frozen;
        let was = found.changed.iter().map(|it| &it.was);
        for gone in found.removed.iter().chain(was) {
            let at = applied.iter().position(|it| it == gone);
            prop_assert!(at.is_some(), "{:?} was never there", gone);
            applied.remove(at.unwrap());
        }
        applied.extend(found.added.iter().cloned());
        applied.extend(found.changed.iter().map(|it| it.now.clone()));
        prop_assert_eq!(count(&applied), count(&current));
        for it in &found.changed {
            prop_assert_eq!(
                (&it.was.block, &it.was.layer, &it.was.source),
                (&it.now.block, &it.now.layer, &it.now.source)
            );
            prop_assert_ne!(&it.was.digest, &it.now.digest);
        }
        let marks: String = found.lines.iter().filter_map(|it| it.chars().next()).collect();
        let expected = [
            "+".repeat(found.added.len()),
            "-".repeat(found.removed.len()),
            "~".repeat(found.changed.len()),
        ];
        prop_assert_eq!(marks, expected.concat());
    }

    // ---- §6 facts

    #[test]
    fn a_fact_cannot_forge_a_line_or_close_the_block(facts in vec(fact(), 0..6)) {
        let Some(rendered) = render_facts(&facts).unwrap() else {
            prop_assert!(facts.is_empty());
            return Ok(());
        };
        prop_assert!(!rendered.contains('\r'));
        let lines: Vec<&str> = rendered.split('\n').collect();
        prop_assert_eq!(lines.first(), Some(&"<facts>"));
        prop_assert_eq!(lines.last(), Some(&"</facts>"));
        let inside = &lines[1..lines.len() - 1];
        let mut stated: Vec<String> = Vec::new();
        for line in inside {
            let lower = line.to_ascii_lowercase();
            prop_assert!(!lower.contains("<facts") && !lower.contains("</facts"), "{}", line);
            if let Some(fact) = line.strip_prefix("- ") {
                stated.push(fact.to_owned());
            } else {
                let more = line.strip_prefix("  ");
                prop_assert!(more.is_some(), "neither a fact nor the rest of one: {:?}", line);
                let last = stated.last_mut().unwrap();
                last.push('\n');
                last.push_str(more.unwrap());
            }
        }
        // The escape is undone on both sides, since a value may hold "&lt;" itself.
        let plain = |text: &str| {
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            text.replace("&lt;", "<")
        };
        let given = facts.iter().map(|it| plain(&format!("{}: {}", it.key, it.value)));
        let stated = stated.iter().map(|it| plain(it));
        prop_assert_eq!(stated.collect::<Vec<_>>(), given.collect::<Vec<_>>());
    }

    #[test]
    fn a_key_that_is_blank_or_holds_a_line_break_is_refused(
        facts in vec(fact(), 0..4),
        bad in prop_oneof![
            blank(),
            (line(), select(vec!["\n", "\r"]), line()).prop_map(|(a, gap, b)| [&*a, gap, &*b].concat()),
        ],
        at in any::<Index>(),
    ) {
        let at = at.index(facts.len() + 1);
        let mut facts = facts;
        facts.insert(at, Fact::dynamic(bad, "v"));
        let error = render_facts(&facts).unwrap_err();
        prop_assert_eq!(error.code(), ErrorCode::InvalidFactKey);
        prop_assert_eq!(error.path(), format!("[{at}].key"));
        let error = assemble(AssembleInput { facts, ..AssembleInput::default() }).unwrap_err();
        prop_assert_eq!(error.path(), format!("facts[{at}].key"));
    }

    #[test]
    fn the_note_depends_only_on_what_is_declared(
        some in input(),
        first in vec(dynamic_fact(), 1..4),
        second in vec(dynamic_fact(), 1..4),
    ) {
        let fixed = |it: &Fact<'_>| it.volatility == Volatility::Static;
        let mut some = some;
        some.facts.retain(fixed);
        let with = |facts: &[Fact<'static>]| {
            let mut input = some.clone();
            input.facts.extend_from_slice(facts);
            assemble(input).unwrap()
        };
        prop_assert_eq!(with(&first).prefix, with(&second).prefix);
    }

    // ---- §7 cache blocks

    #[test]
    fn the_prefix_is_the_hour_blocks_concatenated(some in input()) {
        let assembly = assemble(some).unwrap();
        let hour = blocks_text(&assembly, |cache| cache == CachePolicy::OneHour);
        prop_assert_eq!(hour, assembly.prefix);
    }

    #[test]
    fn the_system_is_all_blocks_concatenated(some in input()) {
        let assembly = assemble(some).unwrap();
        prop_assert_eq!(blocks_text(&assembly, |_| true), assembly.system);
    }

    #[test]
    fn there_are_at_most_four_blocks_in_order_none_of_them_blank(some in input()) {
        let assembly = assemble(some).unwrap();
        let order = ["workspace", "skills", "binding_glue", "channel_meta"];
        let places = assembly.blocks.iter().map(|block| {
            order.iter().position(|label| *label == block.label).unwrap()
        });
        let places: Vec<usize> = places.collect();
        prop_assert!(places.is_sorted_by(|a, b| a < b), "{:?}", places);
        for block in &assembly.blocks {
            prop_assert!(!block.text.trim().is_empty());
            let expected = match &*block.label {
                "channel_meta" => CachePolicy::FiveMinutes,
                _ => CachePolicy::OneHour,
            };
            prop_assert_eq!(block.cache, expected);
        }
    }

    #[test]
    fn a_later_piece_never_changes_an_earlier_block(
        some in input(),
        other in input(),
        first in 0..PIECES,
    ) {
        // Another host's later pieces, and none at all.
        let mut changed = some.clone();
        let fixed = |it: &Fact<'_>| it.volatility == Volatility::Static;
        for piece in first..PIECES {
            match piece {
                0 => changed.runtime.skills.clone_from(&other.runtime.skills),
                1 => changed.runtime.mcp.clone_from(&other.runtime.mcp),
                2 => changed.runtime.tool_index.clone_from(&other.runtime.tool_index),
                3 => changed.runtime.standing.clone_from(&other.runtime.standing),
                4 => changed.binding_glue.clone_from(&other.binding_glue),
                5 => {
                    changed.facts.retain(|it| !fixed(it));
                    changed.facts.extend(other.facts.iter().filter(|it| fixed(it)).cloned());
                }
                6 => {
                    changed.facts.retain(fixed);
                    changed.facts.extend(other.facts.iter().filter(|it| !fixed(it)).cloned());
                }
                _ => changed.channel_meta.clone_from(&other.channel_meta),
            }
        }
        let bare = assemble(without_pieces(some.clone(), first)).unwrap();
        let with = assemble(some).unwrap();
        let with_others = assemble(changed).unwrap();
        prop_assert!(with.system.starts_with(&bare.system));
        prop_assert!(with.prefix.starts_with(&bare.prefix));
        prop_assert!(with_others.prefix.starts_with(&bare.prefix));
        let earlier = |assembly: &Assembly| {
            let blocks = assembly.blocks.iter().cloned();
            let limit = ["workspace", "skills", "binding_glue", "channel_meta"];
            let limit: Vec<_> = limit.into_iter().take_while(|it| *it != block_of(first)).collect();
            blocks.filter(|it| limit.contains(&&*it.label)).collect::<Vec<_>>()
        };
        prop_assert_eq!(earlier(&with), earlier(&bare));
        prop_assert_eq!(earlier(&with), earlier(&with_others));
    }

    #[test]
    fn what_a_turn_brings_never_changes_the_prefix(some in input(), other in input(), turn in turn()) {
        let before = assemble(some.clone()).unwrap().prefix;
        let fixed = |it: &Fact<'_>| it.volatility == Volatility::Static;
        let assembler = Assembler::new(some.clone()).unwrap();
        prop_assert_eq!(&assembler.assemble(turn).unwrap().prefix, &before);

        let mut changed = some;
        changed.runtime.epistemic_stance = other.runtime.epistemic_stance;
        changed.runtime.temporal = other.runtime.temporal;
        changed.channel_meta = other.channel_meta;
        let is_declared = changed.facts.iter().any(|it| !fixed(it));
        if is_declared {
            changed.facts.push(Fact::dynamic("another", "live value"));
        }
        for fact in changed.facts.iter_mut().filter(|it| !fixed(it)) {
            fact.value = Cow::Borrowed("another value");
        }
        prop_assert_eq!(assemble(changed).unwrap().prefix, before);
    }

    #[test]
    fn built_blocks_keep_text_as_given_and_flatten_with_a_blank_line(
        texts in vec(option::of(text()), 4),
    ) {
        let parts = BlockParts {
            workspace: texts[0].clone(),
            skills: texts[1].clone(),
            binding_glue: texts[2].clone(),
            channel_meta: texts[3].clone(),
        };
        let kept = texts.iter().flatten().filter(|it| !it.trim().is_empty());
        let kept: Vec<&str> = kept.map(|it| &**it).collect();
        let blocks = build_blocks(&parts);
        let built: Vec<&str> = blocks.iter().map(|it| &*it.text).collect();
        prop_assert_eq!(&built, &kept);
        prop_assert_eq!(flatten_blocks(&blocks), kept.join("\n\n"));
    }

    // ---- §8 assembly

    #[test]
    fn sections_cover_the_system_without_gap_or_overlap(some in input()) {
        let assembly = assemble(with_sections(some)).unwrap();
        let sections = assembly.sections.unwrap();
        let mut end = 0;
        for section in &sections {
            prop_assert_eq!(section.start, end);
            prop_assert!(section.end > section.start, "{:?} is empty", section);
            end = section.end;
        }
        prop_assert_eq!(end, utf16(&assembly.system).len());
    }

    #[test]
    fn sections_lie_in_the_block_they_name(some in input()) {
        let assembly = assemble(with_sections(some)).unwrap();
        let mut spans = BTreeMap::new();
        let mut start = 0;
        for block in &assembly.blocks {
            let end = start + utf16(&block.text).len();
            spans.insert(&*block.label, (start, end));
            start = end;
        }
        for section in assembly.sections.unwrap() {
            let span = spans.get(&*section.block);
            prop_assert!(span.is_some(), "{:?} is in no block", section);
            let (start, end) = span.unwrap();
            prop_assert!(*start <= section.start && section.end <= *end, "{:?}", section);
        }
    }

    #[test]
    fn sections_show_exactly_the_origin_of_their_text(
        layers in marked_layers(),
        runtime in runtime(),
        facts in vec(fact(), 0..3),
        channel_meta in option::of(text()),
        options in options(),
    ) {
        let input = AssembleInput { layers, runtime, facts, channel_meta, options, ..AssembleInput::default() };
        let assembly = assemble(with_sections(input.clone())).unwrap();
        let units = utf16(&assembly.system);
        let mut guardrails = 0;
        let mut notes = 0;
        for section in assembly.sections.unwrap() {
            let text = String::from_utf16(&units[section.start..section.end]).unwrap();
            let named = (0..input.layers.len()).filter(|at| text.contains(&format!("L{at}Q")));
            let named: Vec<usize> = named.collect();
            let Some(layer) = section.layer else {
                prop_assert_eq!(section.source, None);
                prop_assert!(named.is_empty(), "{:?} shows no origin", text);
                prop_assert!(!text.contains("obody"), "{:?} shows no origin", text);
                continue;
            };
            let source = section.source.as_deref().unwrap();
            let at: usize = source[1..source.len() - 1].parse().unwrap();
            let by = &input.layers[at];
            prop_assert_eq!(layer, by.layer);
            let line = text.trim();
            let has = |items: &Items<'_>| match items {
                Items::List(items) => {
                    items.iter().any(|it| {
                        let folded = it.replace("\n\t", " ");
                        line.strip_prefix("- ").is_some_and(|line| line == folded.trim())
                    })
                }
                Items::Text(_) => false,
            };
            let said = |own: &Option<Cow<'_, str>>| own.as_deref().unwrap().trim().to_owned();
            match &*section.name {
                "identity" => prop_assert_eq!(line, said(&by.content.identity)),
                "operating-rules" => prop_assert_eq!(line, said(&by.content.operating_rules)),
                "instructions" => {
                    prop_assert_eq!(line, format!("- {}", said(&by.content.instructions)));
                }
                "guardrails" => {
                    guardrails += 1;
                    prop_assert!(has(&by.content.guardrails), "{:?} is not of {}", text, source);
                }
                "surface-note" => {
                    notes += 1;
                    prop_assert!(has(&by.content.surface_notes), "{:?} is not of {}", text, source);
                }
                other => panic!("a section of a layer is named {other}"),
            }
            if !line.contains("obody") {
                prop_assert_eq!(named, vec![at], "{:?}", text);
            }
        }
        let lines = |text: Option<String>| text.unwrap_or_default().lines().count();
        prop_assert_eq!(guardrails, lines(assembly.effective.guardrails));
        prop_assert_eq!(notes, lines(assembly.effective.surface_note));
    }

    #[test]
    fn sections_change_nothing_else(some in input()) {
        let mut plain = some.clone();
        plain.options.sections = false;
        let with = assemble(with_sections(some)).unwrap();
        let without = assemble(plain).unwrap();
        prop_assert_eq!(&without.sections, &None);
        prop_assert_eq!(Assembly { sections: None, ..with }, without);
    }

    #[test]
    fn equal_input_gives_equal_bytes(some in input()) {
        let json = wire(&some).to_string();
        let read = AssembleInput::from_json(&json).unwrap();
        let bytes = |input: AssembleInput<'_>| {
            serde_json::to_string(&assemble(input).unwrap()).unwrap()
        };
        let first = bytes(some.clone());
        prop_assert_eq!(&bytes(some.clone()), &first);
        prop_assert_eq!(&bytes(some.into_owned()), &first);
        prop_assert_eq!(&bytes(read.clone()), &first);
        prop_assert_eq!(&bytes(read.into_owned()), &first);
    }

    #[test]
    fn a_handle_is_the_same_as_assembling_its_layers(
        some in input(),
        steps in vec(step(), 0..6),
    ) {
        let mut assembler = Assembler::new(some.clone()).unwrap();
        let mut model = some;
        for step in steps {
            match step {
                Step::Set(layer) => {
                    let found = assembler.set_layer(layer.clone());
                    if model_set(&mut model.layers, layer) {
                        prop_assert_eq!(found, Ok(()));
                    } else {
                        prop_assert_eq!(found.map_err(|it| it.code()), Err(ErrorCode::AmbiguousLayer));
                    }
                }
                Step::Remove(layer, source) => {
                    let found = assembler.remove_layer(layer, source.as_deref());
                    match meant(&model.layers, layer, source.as_deref())[..] {
                        [] => prop_assert_eq!(found, Ok(false)),
                        [at] => {
                            prop_assert_eq!(found, Ok(true));
                            model.layers.remove(at);
                        }
                        _ => prop_assert_eq!(found.map_err(|it| it.code()), Err(ErrorCode::AmbiguousLayer)),
                    }
                }
                Step::Turn(turn) => {
                    let mut got = assembler.assemble(turn.clone()).unwrap();
                    let expected = model_turn(&model, &turn);
                    if turn.facts.is_some() {
                        // What is to say about the facts of a turn is another test's.
                        got.diagnostics.clone_from(&expected.diagnostics);
                    }
                    prop_assert_eq!(got, expected);
                }
            }
            let again = assembler.assemble(Turn::default()).unwrap();
            prop_assert_eq!(again, assemble(model.clone()).unwrap());
        }
        let owned = assembler.into_owned().assemble(Turn::default());
        prop_assert_eq!(owned, assemble(model));
    }

    #[test]
    fn a_dynamic_fact_is_undeclared_exactly_where_none_was_declared(
        some in input(),
        facts in vec(dynamic_fact(), 0..4),
    ) {
        let is_declared = some.facts.iter().any(|it| it.volatility == Volatility::Dynamic);
        let expected = if is_declared { 0 } else { facts.len() };
        let assembler = Assembler::new(some).unwrap();
        let turn = Turn { facts: Some(facts), ..Turn::default() };
        let assembly = assembler.assemble(turn).unwrap();
        let undeclared = |it: &&prompt_strata::Diagnostic| it.code == DiagnosticCode::UndeclaredDynamicFact;
        prop_assert_eq!(assembly.diagnostics.iter().filter(undeclared).count(), expected);
    }

    #[test]
    fn diagnostics_are_in_input_order(some in input(), facts in option::of(vec(dynamic_fact(), 0..4))) {
        let assembler = Assembler::new(some).unwrap();
        let has_turn = facts.is_some();
        let assembly = assembler.assemble(Turn { facts, ..Turn::default() }).unwrap();
        let index = |path: &str| -> usize {
            path[path.find('[').unwrap() + 1..path.find(']').unwrap()].parse().unwrap()
        };
        let fields = ["layer", "trusted", "content.identity", "content.operatingRules",
            "content.instructions", "content.guardrails", "content.surfaceNotes"];
        let mut layers = Vec::new();
        let mut stated = Vec::new();
        for it in &assembly.diagnostics {
            let path = it.path.as_deref().unwrap();
            if let Some(rest) = path.strip_prefix("layers[") {
                prop_assert!(stated.is_empty(), "a layer after a fact");
                let (_, field) = rest.split_once("].").unwrap();
                let field = field.split('[').next().unwrap();
                layers.push((index(path), fields.iter().position(|it| *it == field).unwrap()));
            } else {
                // Facts of the handle come before those of a turn, and their paths tell them apart.
                let is_of_turn = path.starts_with("facts[");
                prop_assert!(is_of_turn || has_turn && path.starts_with("input.facts["), "{}", path);
                stated.push((is_of_turn, index(path)));
            }
        }
        prop_assert!(layers.is_sorted(), "{:?}", assembly.diagnostics);
        prop_assert!(stated.is_sorted(), "{:?}", assembly.diagnostics);
    }

    #[test]
    fn diagnostics_about_the_facts_of_a_turn_are_in_input_order(facts in vec(dynamic_fact(), 0..5)) {
        let assembler = Assembler::new(AssembleInput::default()).unwrap();
        let assembly = assembler.assemble(Turn { facts: Some(facts), ..Turn::default() }).unwrap();
        let places = assembly.diagnostics.iter().map(|it| {
            let path = it.path.as_deref().unwrap();
            path[6..path.find(']').unwrap()].parse::<usize>().unwrap()
        });
        prop_assert!(places.is_sorted(), "{:?}", assembly.diagnostics);
    }

    // ---- §2 and §9 edits and files

    #[test]
    fn what_was_set_is_what_is_read(content in content(), block in select(&BLOCKS[..]), text in text()) {
        let edited = set_block(content.clone(), block, Some(&text));
        let read = get_block(&edited, block);
        match block {
            BlockName::Identity | BlockName::OperatingRules => {
                prop_assert_eq!(read.as_deref(), Some(text.trim()));
            }
            BlockName::Guardrails | BlockName::SurfaceNote => {
                let items = parse_guardrails(&text, Dialect::Strict).unwrap();
                let bullets = render_guardrails(items);
                prop_assert_eq!(read, Some(bullets).filter(|it| !it.is_empty()));
            }
        }
        for other in BLOCKS.into_iter().filter(|other| *other != block) {
            prop_assert_eq!(get_block(&edited, other), get_block(&content, other));
        }
        prop_assert_eq!(edited.instructions, content.instructions);
    }

    #[test]
    fn setting_what_is_read_changes_nothing_that_is_read(
        content in content(),
        block in select(&BLOCKS[..]),
    ) {
        let edited = set_block(content, block, Some("- a\nb\n\n c\r\n")).into_owned();
        let read = get_block(&edited, block);
        let again = set_block(edited.clone(), block, read.as_deref());
        prop_assert_eq!(&again, &edited);
    }

    #[test]
    fn null_resets_a_block_to_inherited(content in content(), block in select(&BLOCKS[..])) {
        let cleared = set_block(content, block, None);
        prop_assert_eq!(get_block(&cleared, block), None);
    }

    #[test]
    fn a_layer_written_as_files_is_read_as_it_was(
        texts in vec(option::of(text()), 4),
    ) {
        let mut content = LayerContent::default();
        for (block, text) in BLOCKS.into_iter().zip(&texts) {
            // A byte order mark at the start of a file is the editor's, so none is expected back.
            let is_unseen = |c: char| c.is_whitespace() || c == '\u{feff}';
            let text = text.as_deref().map(|it| it.trim_start_matches(is_unseen).trim());
            content = set_block(content, block, text);
        }
        let files = layer_to_files(&content).unwrap();
        for (name, text) in &files {
            prop_assert!(text.ends_with('\n'), "{}", name);
        }
        let (read, diagnostics) = layer_from_files(files.iter().map(|(name, text)| (*name, &**text)));
        for list in [&mut content.guardrails, &mut content.surface_notes] {
            if let Items::List(items) = list {
                *list = on_one_line(items).into_iter().collect();
            }
        }
        prop_assert_eq!(&read, &content);
        let odd = |it: &&prompt_strata::Diagnostic| it.code != DiagnosticCode::MarkdownInStrict;
        prop_assert_eq!(diagnostics.iter().find(odd), None);
        prop_assert_eq!(layer_to_files(&read).unwrap(), files);
    }

    #[test]
    fn an_item_of_a_list_stays_one_item_through_files(guardrails in list()) {
        let content = LayerContent { guardrails, ..LayerContent::default() };
        let count = match &content.guardrails {
            Items::List(items) => items.iter().filter(|it| !it.trim().is_empty()).count(),
            Items::Text(_) => 0,
        };
        let bullets = get_block(&content, BlockName::Guardrails).unwrap_or_default();
        let items = parse_guardrails(&bullets, Dialect::Strict).unwrap();
        prop_assert_eq!(items.len(), count, "{:?}", bullets);
    }

    #[test]
    fn a_seed_file_gives_each_block_its_body(bodies in vec(option::of(line()), 6), gap in blank()) {
        let names = ["identity", "operating-rules", "guardrails", "capability_contract",
            "presentation-contract", "sandbox_contract"];
        let mut file = String::new();
        for (name, body) in names.iter().zip(&bodies) {
            if let Some(body) = body {
                file += &format!("  <!-- block: {name} -->\r\n{gap}\n{body}\n{gap}\n");
            }
        }
        let seed = parse_seed(&file, "1").unwrap();
        let body = |at: usize| bodies[at].as_deref();
        prop_assert_eq!(seed.content.identity.as_deref(), body(0));
        prop_assert_eq!(seed.content.operating_rules.as_deref(), body(1));
        let guardrails = parse_guardrails(body(2).unwrap_or_default(), Dialect::Strict).unwrap();
        prop_assert_eq!(seed.content.guardrails, Items::List(guardrails));
        prop_assert_eq!(&*seed.capability_contract, body(3).unwrap_or_default());
        prop_assert_eq!(&*seed.presentation_contract, body(4).unwrap_or_default());
        prop_assert_eq!(&*seed.sandbox_contract, body(5).unwrap_or_default());
    }

    // ---- §2 and §10 input

    #[test]
    fn an_input_written_as_json_is_read_as_it_was(some in input()) {
        let json = wire(&some).to_string();
        let read = AssembleInput::from_json(&json).unwrap();
        // An empty list, or text, says nothing, and is not written.
        let mut expected = some;
        for layer in &mut expected.layers {
            for items in [&mut layer.content.guardrails, &mut layer.content.surface_notes] {
                if items.is_empty() {
                    *items = Items::default();
                }
            }
        }
        prop_assert_eq!(&read, &expected);
        prop_assert_eq!(AssembleInput::from_json_bytes(json.as_bytes()), Ok(expected));
    }

    #[test]
    fn snake_case_is_the_same_as_camel_case(some in input()) {
        let camel = wire(&some);
        let snake = snake_case(camel.clone()).to_string();
        let camel = camel.to_string();
        prop_assert_eq!(AssembleInput::from_json(&snake), AssembleInput::from_json(&camel));
    }

    #[test]
    fn a_misspelt_field_is_never_silently_nothing(some in input(), letter in "[a-z]", at in any::<Index>()) {
        let mut value = wire(&some);
        let paths = ["", "/runtime", "/options", "/options/wording", "/layers/0", "/layers/0/content", "/facts/0"];
        let there: Vec<_> = paths.into_iter().filter(|it| value.pointer(it).is_some()).collect();
        let place = value.pointer_mut(there[at.index(there.len())]).unwrap();
        let name = format!("zz{letter}");
        place.as_object_mut().unwrap().insert(name.clone(), serde_json::Value::Null);
        let json = value.to_string();
        let error = AssembleInput::from_json(&json).unwrap_err();
        prop_assert_eq!(error.code(), ErrorCode::UnknownField);
        prop_assert!(error.path().ends_with(&name), "{}", error.path());
        let quoted = format!("`{name}`");
        prop_assert!(error.message().contains(&quoted), "{}", error);
    }

    #[test]
    fn text_that_is_no_input_is_refused_with_a_reason(text in any::<String>()) {
        if let Err(error) = AssembleInput::from_json(&text) {
            reads_well(&error)?;
        }
    }

    #[test]
    fn bytes_that_are_no_input_are_refused_with_a_reason(bytes in vec(any::<u8>(), 0..64)) {
        if let Err(error) = AssembleInput::from_json_bytes(&bytes) {
            reads_well(&error)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    #[test]
    fn mutated_input_is_refused_with_a_reason_or_assembled(
        some in input(),
        mutations in vec(mutation(), 1..4),
    ) {
        let mut bytes = wire(&some).to_string().into_bytes();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
        }
        match AssembleInput::from_json_bytes(&bytes) {
            Err(error) => reads_well(&error)?,
            Ok(input) => {
                if let Err(error) = assemble(input) {
                    reads_well(&error)?;
                }
            }
        }
    }

    #[test]
    fn what_is_not_json_is_told_from_what_is(
        some in input(),
        mutations in vec(mutation(), 0..3),
        soup in "[-+.eE0-9\\[\\]{},:\" \\\\untrlfas]{0,12}",
        is_soup in any::<bool>(),
    ) {
        let mut bytes = wire(&some).to_string().into_bytes();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
        }
        let mutated = String::from_utf8_lossy(&bytes).into_owned();
        let json = if is_soup { format!("{{\"layers\":[{soup}]}}") } else { mutated };
        // Ignored, a number is never out of range and a surrogate never alone.
        let source = json.strip_prefix('\u{feff}').unwrap_or(&json);
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(source).is_ok();
        let found = AssembleInput::from_json(&json).map_err(|it| it.code());
        if is_json {
            prop_assert_ne!(found.err(), Some(ErrorCode::InvalidJson), "{}", json);
        } else {
            prop_assert!(found.is_err(), "{}", json);
        }
    }

    #[test]
    fn items_of_any_text_are_written_and_read_again(items in items()) {
        let text = match items {
            Items::List(items) => items.join("\n"),
            Items::Text(text) => text.into_owned(),
        };
        for dialect in [Dialect::Strict, Dialect::Markdown] {
            let read = parse_guardrails(&text, dialect).unwrap();
            let rendered = render_guardrails(&read);
            prop_assert_eq!(parse_guardrails(&rendered, dialect).unwrap(), on_one_line(&read));
        }
    }
}

/// What holds for every refusal: a lower-case sentence that names the place, which only a whole input lacks.
fn reads_well(error: &StrataError) -> Result<(), TestCaseError> {
    let message = error.message();
    let first = message.chars().next();
    prop_assert!(first.is_some());
    let is_plain = !first.is_some_and(char::is_uppercase)
        || message.starts_with("JSON")
        || message.starts_with("UTF-8");
    prop_assert!(is_plain, "{}", message);
    prop_assert_eq!(error.to_string(), message);
    prop_assert!(!message.contains('\n'), "{}", message);
    prop_assert!(
        message.contains(error.path()),
        "{} is not in {}",
        error.path(),
        message
    );
    let about_a_place = matches!(
        error.code(),
        ErrorCode::UnknownField
            | ErrorCode::MissingField
            | ErrorCode::DuplicateField
            | ErrorCode::UnknownLayer
            | ErrorCode::UnknownValue
            | ErrorCode::InvalidFactKey
            | ErrorCode::TooDeep
    );
    prop_assert!(
        !about_a_place || !error.path().is_empty(),
        "{} has no path",
        message
    );
    prop_assert_ne!(error.code(), ErrorCode::Internal);
    Ok(())
}

#[test]
fn the_channel_stands_behind_a_blank_line_however_the_prefix_ends() {
    for (standing, between) in [("x", "\n\n"), ("x\n", "\n"), ("x\n\n", ""), ("x\n\n\n", "")] {
        let input = AssembleInput {
            runtime: RuntimeSections {
                standing: Some(standing.into()),
                ..RuntimeSections::default()
            },
            channel_meta: Some(" c ".into()),
            ..AssembleInput::default()
        };
        let assembly = assemble(input).unwrap();
        assert!(assembly.prefix.ends_with(standing));
        assert_eq!(assembly.system, format!("{}{between}c\n", assembly.prefix));
    }
}
