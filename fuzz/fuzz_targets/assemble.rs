//! Bytes as JSON: a refusal names its reason, and every assembly keeps the invariants.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prompt_strata::{
    AssembleInput, Assembler, Assembly, CachePolicy, ErrorCode, Layer, LayerContent, LayerInput,
    Turn, assemble, drift, fingerprint,
};

fn concatenated(assembly: &Assembly, wanted: impl Fn(CachePolicy) -> bool) -> String {
    let blocks = assembly.blocks.iter().filter(|block| wanted(block.cache));
    blocks.map(|block| &*block.text).collect()
}

fn keeps_invariants(assembly: &Assembly) {
    assert_eq!(
        assembly.prefix,
        concatenated(assembly, |cache| cache == CachePolicy::OneHour)
    );
    assert_eq!(assembly.system, concatenated(assembly, |_| true));
    assert!(assembly.prefix.is_empty() || !assembly.prefix.trim().is_empty());
    assert!(assembly.blocks.len() <= 4);
    assert!(
        assembly
            .blocks
            .iter()
            .all(|block| !block.text.trim().is_empty())
    );

    let mut end = 0;
    let mut spans = Vec::new();
    let mut start = 0;
    for block in &assembly.blocks {
        let after = start + block.text.encode_utf16().count();
        spans.push((&*block.label, start..after));
        start = after;
    }
    for section in assembly.sections.iter().flatten() {
        assert_eq!(section.start, end, "a gap or an overlap");
        assert!(section.end > section.start, "an empty section");
        let home = spans.iter().find(|(label, _)| *label == section.block);
        let (_, span) = home.expect("the block of the section is there");
        assert!(
            span.start <= section.start && section.end <= span.end,
            "{section:?} in {span:?}"
        );
        end = section.end;
    }
    if assembly.sections.is_some() {
        assert_eq!(end, assembly.system.encode_utf16().count());
    }

    assert_eq!(drift(&assembly.descriptors, &assembly.descriptors), None);
    assert_eq!(assembly.fingerprint, fingerprint(&assembly.descriptors));
    for diagnostic in &assembly.diagnostics {
        assert!(!diagnostic.message.is_empty());
        assert_eq!(diagnostic.severity, diagnostic.code.severity());
    }
}

/// Whether another reader takes the bytes for JSON; ignored, no number is out of range and no surrogate alone.
fn is_json(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fuzz_target!(|bytes: &[u8]| {
    let input = match AssembleInput::from_json_bytes(bytes) {
        Ok(input) => {
            assert!(is_json(bytes), "read, but not JSON");
            input
        }
        Err(error) => {
            assert!(!error.message().is_empty());
            assert!(error.message().contains(error.path()));
            assert!(
                error.code() != ErrorCode::InvalidJson || !is_json(bytes),
                "{error}"
            );
            return;
        }
    };
    let assembly = match assemble(input.clone()) {
        Ok(assembly) => assembly,
        Err(error) => {
            assert!(!error.message().is_empty() && !error.path().is_empty());
            return;
        }
    };
    keeps_invariants(&assembly);

    // Asking for sections, or not, changes nothing else.
    let mut other = input.clone();
    other.options.sections = !other.options.sections;
    let other = assemble(other).expect("sections are no reason to refuse");
    keeps_invariants(&other);
    assert_eq!(
        Assembly {
            sections: assembly.sections.clone(),
            ..other
        },
        assembly
    );

    let mut assembler = Assembler::new(input.clone())
        .expect("it was just assembled")
        .into_owned();
    assert_eq!(assembler.assemble(Turn::default()).as_ref(), Ok(&assembly));

    // A layer that comes and goes leaves no trace.
    let source = Some("fuzz:visitor".into());
    let visitor = LayerInput {
        source,
        ..LayerInput::new(
            Layer::Chat,
            LayerContent {
                guardrails: ["never   LEAVE a trace"].into_iter().collect(),
                instructions: Some("visit".into()),
                ..LayerContent::default()
            },
        )
    };
    if assembler.set_layer(visitor).is_ok() {
        keeps_invariants(
            &assembler
                .assemble(Turn::default())
                .expect("facts are as they were"),
        );
        assert_eq!(
            assembler.remove_layer(Layer::Chat, Some("fuzz:visitor")),
            Ok(true)
        );
        let known = input
            .layers
            .iter()
            .any(|it| it.source.as_deref() == Some("fuzz:visitor"));
        if !known {
            assert_eq!(assembler.assemble(Turn::default()).as_ref(), Ok(&assembly));
        }
    }

    let turn = assembler.assemble(Turn {
        facts: Some(Vec::new()),
        channel_meta: Some("".into()),
        epistemic_stance: Some("certain".into()),
        temporal: None,
    });
    let turn = turn.expect("an empty turn");
    keeps_invariants(&turn);
});
