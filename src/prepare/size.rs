//! How much a layer holds.

use crate::model::content::{Items, LayerInput};

/// How much a handle holds, in what [`limits`](crate::limits) count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Size {
    pub(crate) text: usize,
    pub(crate) values: usize,
}

impl Size {
    pub(super) fn of(layer: &LayerInput<'_>) -> Self {
        let content = &layer.content;
        let mut size = Self::default();
        for text in [
            &layer.source,
            &content.identity,
            &content.operating_rules,
            &content.instructions,
        ] {
            size.add_some(text.as_deref());
        }
        for items in [&content.guardrails, &content.surface_notes] {
            match items {
                Items::List(items) => items.iter().for_each(|item| size.add(item)),
                Items::Text(text) => size.add(text),
            }
        }
        size
    }

    /// Counts a text.
    pub(crate) fn add(&mut self, text: &str) {
        self.text += text.len();
        self.values += 1;
    }

    /// Counts a text, where there is one.
    pub(crate) fn add_some(&mut self, text: Option<&str>) {
        if let Some(text) = text {
            self.add(text);
        }
    }

    /// What is left without `other`, which is part of this.
    pub(crate) fn minus(self, other: Self) -> Self {
        Self {
            text: self.text - other.text,
            values: self.values - other.values,
        }
    }

    /// The two together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            text: self.text + other.text,
            values: self.values + other.values,
        }
    }
}
