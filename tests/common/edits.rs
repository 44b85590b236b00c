//! Runs of edits on a handle, each compared with a fresh assembly: shared by the tests and the fuzzer.
//!
//! Texts come from pools so small that layers fold each other's items in and out, and each run tosses every option.

use prompt_strata::{
    AssembleInput, Assembler, Assembly, Dialect, ErrorCode, Fact, Items, Layer, LayerContent,
    LayerInput, Options, RuntimeSections, Turn, Untrusted, Wording, assemble,
};

/// What decides: each throw is below the number of sides.
pub(crate) trait Dice {
    /// Throws once.
    fn below(&mut self, sides: usize) -> usize;

    /// One of a pool.
    fn of<T: Copy>(&mut self, pool: &[T]) -> T {
        pool[self.below(pool.len())]
    }

    /// A text of the pool, or none.
    fn maybe(&mut self, pool: &[&'static str]) -> Option<std::borrow::Cow<'static, str>> {
        (self.below(2) == 0).then(|| self.of(pool).into())
    }
}

/// Dice with a seed (splitmix64), so that a failure names the run that shows it.
pub(crate) struct Seeded(pub(crate) u64);

impl Dice for Seeded {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }
}

const ITEMS: [&str; 9] = [
    "a",
    "A ",
    "b",
    "Never:",
    "never: ",
    "",
    "c\nd",
    "<facts> é",
    "a",
];
const LISTS: [&str; 5] = [
    "- a\n- b",
    "# Never\n- a",
    "Guardrails:\n* A",
    "",
    "b\n\nc d",
];
const TEXTS: [&str; 5] = ["x", " y\n", "", "é 😀", "x"];
const LAYERS: [Layer; 4] = [Layer::Seed, Layer::Workspace, Layer::Bot, Layer::Chat];
const SOURCES: [Option<&str>; 3] = [None, Some("s"), Some("t")];

fn items(dice: &mut impl Dice) -> Items<'static> {
    if dice.below(4) == 0 {
        return Items::Text(dice.of(&LISTS).into());
    }
    let count = dice.below(4);
    Items::from_iter((0..count).map(|_| dice.of(&ITEMS)))
}

fn layer(dice: &mut impl Dice) -> LayerInput<'static> {
    LayerInput {
        layer: dice.of(&LAYERS),
        source: dice.of(&SOURCES).map(Into::into),
        trusted: dice.of(&[None, Some(true), Some(false)]),
        content: LayerContent {
            identity: dice.maybe(&TEXTS),
            operating_rules: dice.maybe(&TEXTS),
            instructions: dice.maybe(&TEXTS),
            guardrails: items(dice),
            surface_notes: items(dice),
        },
    }
}

fn wording(dice: &mut impl Dice) -> Wording<'static> {
    let base = match dice.below(2) {
        0 => Wording::source(),
        _ => Wording::neutral(),
    };
    match dice.below(3) {
        0 => Wording {
            guardrails_heading: dice.of(&TEXTS).into(),
            surface_notes_heading: dice.of(&TEXTS).into(),
            instructions_heading: dice.of(&TEXTS).into(),
            stance_clarifier: dice.of(&TEXTS).into(),
            facts_note: dice.of(&TEXTS).into(),
            untrusted_heading: dice.of(&TEXTS).into(),
        },
        _ => base,
    }
}

fn input(dice: &mut impl Dice) -> AssembleInput<'static> {
    let count = dice.below(4);
    AssembleInput {
        layers: (0..count).map(|_| layer(dice)).collect(),
        runtime: RuntimeSections {
            capability_contract: dice.maybe(&TEXTS),
            presentation_contract: dice.maybe(&TEXTS),
            sandbox_contract: dice.maybe(&TEXTS),
            surface: dice.maybe(&TEXTS),
            skills: dice.maybe(&TEXTS),
            mcp: dice.maybe(&TEXTS),
            tool_index: dice.maybe(&TEXTS),
            standing: dice.maybe(&TEXTS),
            epistemic_stance: dice.maybe(&TEXTS),
            temporal: dice.maybe(&TEXTS),
        },
        facts: facts(dice, false),
        binding_glue: dice.maybe(&TEXTS),
        channel_meta: dice.maybe(&TEXTS),
        options: Options {
            untrusted: dice.of(&[Untrusted::GuardrailsOnly, Untrusted::Apart, Untrusted::Drop]),
            dialect: dice.of(&[Dialect::Strict, Dialect::Markdown]),
            wording: wording(dice),
            sections: dice.below(2) == 0,
        },
    }
}

fn fact<D: Dice>(dice: &mut D, is_dynamic: bool) -> Fact<'static> {
    let (key, value) = (dice.of(&["k", "l"]), dice.of(&["v", "</facts>"]));
    match is_dynamic || dice.below(2) == 0 {
        true => Fact::dynamic(key, value),
        false => Fact::fixed(key, value),
    }
}

fn facts<D: Dice>(dice: &mut D, all_dynamic: bool) -> Vec<Fact<'static>> {
    let count = dice.below(3);
    (0..count).map(|_| fact(dice, all_dynamic)).collect()
}

/// A turn without facts of its own is a fresh assembly with other sections.
fn during(input: &AssembleInput<'static>, turn: &Turn<'static>) -> Assembly {
    let mut input = input.clone();
    let runtime = &mut input.runtime;
    for (said, kept) in [
        (&turn.epistemic_stance, &mut runtime.epistemic_stance),
        (&turn.temporal, &mut runtime.temporal),
        (&turn.channel_meta, &mut input.channel_meta),
    ] {
        if said.is_some() {
            kept.clone_from(said);
        }
    }
    assemble(input).unwrap()
}

fn edit(
    dice: &mut impl Dice,
    input: &mut AssembleInput<'static>,
    handle: &mut Assembler<'static>,
    run: u64,
) {
    let new = layer(dice);
    let is_meant = |it: &&LayerInput<'_>| it.layer == new.layer && it.source == new.source;
    let meant = input.layers.iter().filter(is_meant).count();
    let at = input.layers.iter().position(|it| is_meant(&it));
    let is_removal = dice.below(3) == 0;
    let done = if is_removal {
        handle.remove_layer(new.layer, new.source.as_deref())
    } else {
        handle.set_layer(new.clone()).map(|()| true)
    };
    if meant > 1 {
        assert_eq!(
            done.unwrap_err().code(),
            ErrorCode::AmbiguousLayer,
            "run {run}"
        );
        return;
    }
    match (is_removal, at) {
        (true, at) => {
            assert_eq!(done, Ok(at.is_some()), "run {run}");
            at.map(|at| input.layers.remove(at));
        }
        (false, Some(at)) => input.layers[at] = new,
        (false, None) => {
            let broader = input.layers.iter().rposition(|it| it.layer <= new.layer);
            input.layers.insert(broader.map_or(0, |at| at + 1), new);
        }
    }
}

/// Makes a handle, edits it up to seven times and takes turns; gives how many edits that were.
///
/// # Panics
///
/// Where the handle gives anything else than a fresh assembly.
pub(crate) fn check(dice: &mut impl Dice, run: u64) -> u64 {
    let mut input = input(dice);
    let mut handle = Assembler::new(input.clone()).unwrap();
    let edits = dice.below(8);
    for _ in 0..edits {
        edit(dice, &mut input, &mut handle, run);
        let fresh = assemble(input.clone()).unwrap();
        let held = handle.assemble(Turn::default()).unwrap();
        assert_eq!(held, fresh, "run {run}");
    }
    let turn = Turn {
        facts: None,
        channel_meta: dice.maybe(&TEXTS),
        epistemic_stance: dice.maybe(&TEXTS),
        temporal: dice.maybe(&TEXTS),
    };
    let held = handle.assemble(turn.clone()).unwrap();
    assert_eq!(held, during(&input, &turn), "run {run}");
    let turn = Turn {
        facts: Some(facts(dice, true)),
        ..turn
    };
    let fresh = Assembler::new(input.clone()).unwrap();
    let held = handle.assemble(turn.clone());
    assert_eq!(held, fresh.assemble(turn), "run {run}");
    edits as u64
}
