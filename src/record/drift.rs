//! Drift: what differs between a recorded list of descriptors and today's.

use serde::Serialize;

use crate::model::descriptor::Descriptor;
use crate::model::layer::layer_label;
use crate::text::hash_table::{HashKey, Index, Key};

/// A contribution whose text is another than it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// As recorded.
    pub was: Descriptor,
    /// As it is.
    pub now: Descriptor,
}

/// What differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// Contributions that were not there.
    pub added: Vec<Descriptor>,
    /// Contributions that are no longer there.
    pub removed: Vec<Descriptor>,
    /// Contributions with another text.
    pub changed: Vec<Change>,
    /// The same for a person, one line each: added, removed, changed.
    pub lines: Vec<String>,
}

/// Compares a recorded list with today's; `None` where nothing differs.
///
/// Nothing recorded is an unknown baseline, which is no change. Descriptors match by block, layer and source
/// and, where that repeats, by order of occurrence, so a list never drifts from itself.
///
/// ```
/// use prompt_strata::{Descriptor, drift};
/// let was = Descriptor {
///     block: "identity".into(),
///     layer: "bot".into(),
///     source: None,
///     digest: "aa".into(),
///     bytes: 12,
/// };
/// let now = Descriptor { digest: "bb".into(), bytes: 34, ..was.clone() };
/// let drift = drift(&[was], &[now]).expect("the text changed");
/// assert_eq!(drift.lines, ["~ identity from bot (12B → 34B)"]);
/// ```
#[must_use]
pub fn drift(frozen: &[Descriptor], current: &[Descriptor]) -> Option<Drift> {
    keyed(frozen, current, &HashKey::random())
}

pub(crate) fn keyed(
    frozen: &[Descriptor],
    current: &[Descriptor],
    hash_key: &HashKey,
) -> Option<Drift> {
    if frozen.is_empty() {
        return None;
    }
    // Where each key stands next in the recorded list; `later` leads on where it repeats.
    let keys = |list: &[Descriptor]| -> Vec<String> { list.iter().map(Descriptor::key).collect() };
    let (were, are) = (keys(frozen), keys(current));
    let mut next = Index::default();
    let mut later = vec![None; frozen.len()];
    for (index, (key, later)) in were.iter().zip(&mut later).enumerate().rev() {
        *later = next.insert(Key::exact(key, hash_key), index);
    }
    let mut drift = Drift::default();
    let mut gone = vec![true; frozen.len()];
    for (now, key) in current.iter().zip(&are) {
        let found = next.remove_entry(&Key::exact(key, hash_key));
        let index = found.map(|(_, index)| index);
        if let Some((key, index)) = found
            && let Some(Some(later)) = later.get(index)
        {
            next.insert(key, *later);
        }
        let Some((was, gone)) = index.and_then(|at| frozen.get(at).zip(gone.get_mut(at))) else {
            drift.added.push(now.clone());
            continue;
        };
        *gone = false;
        if was.digest != now.digest {
            drift.changed.push(Change {
                was: was.clone(),
                now: now.clone(),
            });
        }
    }
    let removed = frozen.iter().zip(gone).filter(|(_, gone)| *gone);
    drift.removed = removed.map(|(descriptor, _)| descriptor.clone()).collect();
    drift.lines = lines(&drift);
    (!drift.lines.is_empty()).then_some(drift)
}

fn lines(drift: &Drift) -> Vec<String> {
    let from = |descriptor: &Descriptor| {
        format!(
            "{} from {}",
            descriptor.block,
            layer_label(&descriptor.layer)
        )
    };
    let added = drift.added.iter().map(|it| format!("+ {}", from(it)));
    let removed = drift.removed.iter().map(|it| format!("- {}", from(it)));
    let changed = drift
        .changed
        .iter()
        .map(|Change { was, now }| format!("~ {} ({}B → {}B)", from(now), was.bytes, now.bytes));
    added.chain(removed).chain(changed).collect()
}
