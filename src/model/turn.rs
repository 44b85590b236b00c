//! What a turn brings.

use std::borrow::Cow;

use crate::model::fact::Fact;

/// What is new in one turn; `None` keeps what the handle was made with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn<'a> {
    /// This turn's dynamic facts.
    pub facts: Option<Vec<Fact<'a>>>,
    /// Who speaks and where.
    pub channel_meta: Option<Cow<'a, str>>,
    /// The stance.
    pub epistemic_stance: Option<Cow<'a, str>>,
    /// The clock.
    pub temporal: Option<Cow<'a, str>>,
}
