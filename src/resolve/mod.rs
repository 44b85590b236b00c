//! Resolution: of several layers, who wins and what accumulates.

pub(crate) mod accumulated;

use crate::model::diagnostic::{Diagnostic, DiagnosticCode, Told};
use crate::model::limits::MAX_DIAGNOSTICS;
use crate::model::options::Untrusted;
use crate::prepare::changes::Changed;
use crate::prepare::item::Item;
use crate::prepare::notice::{Notice, Place};
use crate::prepare::prepared_layer::PreparedLayer;
use crate::resolve::accumulated::{Accumulated, Apart};
use crate::text::hash_table::{HashKey, Seen};
use crate::text::whitespace::is_blank;

/// Who wins and what accumulates, by position in the list of layers.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    /// The last layer that says something, also when that is nothing but white space.
    pub(crate) identity: Option<usize>,
    pub(crate) operating_rules: Option<usize>,
    pub(crate) guardrails: Accumulated,
    pub(crate) surface_notes: Accumulated,
}

impl Resolved {
    /// Applies layers in the order given; only the lists that changed in one of them are gone through again. Gives those
    /// as they were: guardrails and surface notes.
    pub(crate) fn update(
        &mut self,
        layers: &[PreparedLayer<'_>],
        untrusted: Untrusted,
        changed: Changed,
    ) -> [Option<Accumulated>; 2] {
        let mut old = [None, None];
        let [old_guardrails, old_notes] = &mut old;
        self.identity = layers.iter().rposition(|it| it.identity.is_some());
        self.operating_rules = layers.iter().rposition(|it| it.operating_rules.is_some());
        if changed.guardrails {
            let is_apart: Apart = match untrusted {
                Untrusted::Apart => |it| it.is_untrusted,
                Untrusted::GuardrailsOnly | Untrusted::Drop => |_| false,
            };
            let new = Accumulated::of(layers, guardrails, is_apart);
            *old_guardrails = Some(std::mem::replace(&mut self.guardrails, new));
        }
        if changed.surface_notes {
            let new = Accumulated::of(layers, surface_notes, |_| false);
            *old_notes = Some(std::mem::replace(&mut self.surface_notes, new));
        }
        old
    }

    /// What a host may want to know about it, in the order of the input.
    ///
    /// The number is how many there are beside these: more than a result holds.
    pub(crate) fn diagnose(&self, layers: &[PreparedLayer<'_>], hash_key: &HashKey) -> Told {
        let prepared = layers.iter().enumerate();
        let prepared = prepared.flat_map(|(layer, it)| {
            let notices = it.notices.iter().cloned();
            notices.map(move |notice| (layer, notice))
        });
        let found = prepared
            .chain(out_of_order(layers))
            .chain(repeated(layers, hash_key))
            .chain(self.blanked(layers))
            .chain(
                self.guardrails
                    .notices(layers, guardrails, Place::Guardrails, "guardrail"),
            )
            .chain(self.surface_notes.notices(
                layers,
                surface_notes,
                Place::SurfaceNotes,
                "surface note",
            ));
        let mut by_layer: Vec<Vec<Notice>> = Vec::new();
        by_layer.resize_with(layers.len(), Vec::new);
        found.for_each(|(layer, notice)| {
            if let Some(notices) = by_layer.get_mut(layer) {
                // A handful for each list, so that inserting them costs less than sorting would weigh.
                let is_before = |it: &Notice| it.place.item() <= notice.place.item();
                let at = notices.iter().rposition(is_before).map_or(0, |at| at + 1);
                notices.insert(at, notice);
            }
        });
        let mut diagnostics = Vec::new();
        let mut more = layers.iter().map(|it| it.more_notices).sum();
        for (layer, notices) in by_layer.iter().enumerate() {
            for field in Place::FIELDS {
                let here = notices.iter().filter(|it| it.place.field() == field);
                for notice in here {
                    if diagnostics.len() == MAX_DIAGNOSTICS {
                        more += 1;
                        continue;
                    }
                    let path = Some(format!("layers[{layer}].{}", notice.place));
                    diagnostics.push(Diagnostic::new(notice.code, &*notice.message, path));
                }
            }
        }
        (diagnostics, more)
    }

    /// Winners with nothing to say, that hide a broader layer with something.
    fn blanked(&self, layers: &[PreparedLayer<'_>]) -> Vec<(usize, Notice)> {
        type Text = for<'c> fn(&'c PreparedLayer<'_>) -> Option<&'c str>;
        let texts: [(Option<usize>, Text, Place, &str); 2] = [
            (
                self.identity,
                |it| it.identity.as_deref(),
                Place::Identity,
                "identity hides that",
            ),
            (
                self.operating_rules,
                |it| it.operating_rules.as_deref(),
                Place::OperatingRules,
                "operating rules hide those",
            ),
        ];
        let mut found = Vec::new();
        for (winner, text, place, name) in texts {
            let Some((broader, winner)) = winner.and_then(|at| layers.split_at_checked(at)) else {
                continue;
            };
            let is_said = |it: &&PreparedLayer<'_>| text(it).is_some_and(|text| !is_blank(text));
            let is_silent = winner.first().and_then(text).is_some_and(is_blank);
            if is_silent && let Some(hidden) = broader.iter().rfind(is_said) {
                let message = format!("empty {name} of {}", hidden.describe());
                found.push((
                    broader.len(),
                    Notice {
                        code: DiagnosticCode::Blanked,
                        place,
                        message,
                    },
                ));
            }
        }
        found
    }
}

fn guardrails<'c>(layer: &'c PreparedLayer<'_>) -> &'c [Item<'c>] {
    &layer.guardrails
}

fn surface_notes<'c>(layer: &'c PreparedLayer<'_>) -> &'c [Item<'c>] {
    &layer.surface_notes
}

/// Layers that come after a narrower one.
fn out_of_order<'c>(layers: &'c [PreparedLayer<'_>]) -> impl Iterator<Item = (usize, Notice)> + 'c {
    let mut narrowest = None;
    layers.iter().enumerate().filter_map(move |(at, it)| {
        let narrower = narrowest.filter(|narrowest| *narrowest > it.layer);
        narrowest = narrowest.max(Some(it.layer));
        let message = format!("{} comes after the narrower {}", it.layer, narrower?);
        Some((
            at,
            Notice {
                code: DiagnosticCode::LayerOrder,
                place: Place::Layer,
                message,
            },
        ))
    })
}

/// Layers that an earlier input has the name and source of.
fn repeated(layers: &[PreparedLayer<'_>], hash_key: &HashKey) -> Vec<(usize, Notice)> {
    let name = |it: &PreparedLayer<'_>| match &it.source {
        Some(source) => [it.layer.as_str(), " ", source].concat(),
        None => it.layer.as_str().to_owned(),
    };
    let names: Vec<String> = layers.iter().map(name).collect();
    let mut seen = Seen::new(hash_key);
    let mut found = Vec::new();
    for ((at, it), name) in layers.iter().enumerate().zip(&names) {
        if !seen.add(name) {
            let message = format!("{} is given more than once; all are applied", it.describe());
            let notice = Notice {
                code: DiagnosticCode::LayerRepeated,
                place: Place::Layer,
                message,
            };
            found.push((at, notice));
        }
    }
    found
}
