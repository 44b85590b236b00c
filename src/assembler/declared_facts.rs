//! The facts a handle was made with, and those that a turn states.

use crate::compose::facts;
use crate::model::diagnostic::Told;
use crate::model::error::{ErrorCode, StrataError, quote};
use crate::model::fact::{self, Fact, Volatility};
use crate::model::path::Path;
use crate::text::hash_table::{HashKey, Seen};

/// The facts a handle was made with.
#[derive(Debug)]
pub(super) struct DeclaredFacts<'a> {
    pub(super) dynamic: Vec<Fact<'a>>,
    /// The static facts, rendered.
    pub(super) fixed: Option<String>,
    pub(super) fixed_keys: Vec<String>,
    /// About all of them, and about the static ones alone, as a turn with facts of its own tells of them.
    pub(super) diagnostics: Told,
    pub(super) fixed_diagnostics: Told,
}

impl<'a> DeclaredFacts<'a> {
    pub(super) fn new(stated: Vec<Fact<'a>>, hash_key: &HashKey) -> Result<Self, StrataError> {
        let path = Path::ROOT.field("facts");
        fact::check(&stated, &path)?;
        let is_fixed = |fact: &Fact<'_>| fact.volatility == Volatility::Static;
        let indexed = || stated.iter().enumerate();
        let diagnostics = facts::diagnose(indexed(), &path, &mut Seen::new(hash_key), true);
        let fixed = indexed().filter(|(_, fact)| is_fixed(fact));
        // Not to be mistaken for the facts of the turn.
        let input = Path::ROOT.field("input");
        let path = input.field("facts");
        let fixed_diagnostics = facts::diagnose(fixed, &path, &mut Seen::new(hash_key), true);
        let fixed = || stated.iter().filter(|fact| is_fixed(fact));
        Ok(Self {
            fixed: facts::render(fixed()),
            fixed_keys: fixed().map(|fact| fact.key.to_string()).collect(),
            dynamic: stated.into_iter().filter(|fact| !is_fixed(fact)).collect(),
            diagnostics,
            fixed_diagnostics,
        })
    }

    pub(super) fn into_owned(self) -> DeclaredFacts<'static> {
        DeclaredFacts {
            dynamic: self.dynamic.into_iter().map(Fact::into_owned).collect(),
            fixed: self.fixed,
            fixed_keys: self.fixed_keys,
            diagnostics: self.diagnostics,
            fixed_diagnostics: self.fixed_diagnostics,
        }
    }

    /// Renders the dynamic facts of a turn, with what is to say about all facts of it.
    pub(super) fn turn(
        &self,
        turn: Option<&[Fact<'_>]>,
        hash_key: &HashKey,
    ) -> Result<(Option<String>, Told), StrataError> {
        let Some(turn) = turn else {
            let rendered = facts::render(self.dynamic.iter());
            return Ok((rendered, self.diagnostics.clone()));
        };
        let path = Path::ROOT.field("facts");
        fact::check(turn, &path)?;
        for (index, fact) in turn.iter().enumerate() {
            let path = path.index(index);
            if fact.volatility == Volatility::Static {
                return Err(StrataError::at(
                    ErrorCode::StaticFactInTurn,
                    &path.field("volatility"),
                    format_args!("static fact {} in a turn", quote(&fact.key)),
                    "a turn never changes the prefix",
                ));
            }
        }
        let mut stated = Seen::new(hash_key);
        self.fixed_keys.iter().for_each(|key| {
            stated.add(key);
        });
        let is_announced = !self.dynamic.is_empty();
        let turn_facts = turn.iter().enumerate();
        let (mut diagnostics, mut more) = self.fixed_diagnostics.clone();
        let (found, beside) = facts::diagnose(turn_facts, &path, &mut stated, is_announced);
        diagnostics.extend(found);
        more += beside;
        Ok((facts::render(turn.iter()), (diagnostics, more)))
    }
}
