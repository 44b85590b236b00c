//! A result in one crossing: all its text as one string, and a list of numbers that says how to cut it.
//!
//! Small objects made one field at a time were most of what a small prompt cost. Lengths count UTF-16 code units,
//! which is what JavaScript cuts by. `pkg/src/results.js` reads what this writes, value by value in the same order.

use wasm_bindgen::prelude::*;

use crate::text::utf16::utf16_len;

#[wasm_bindgen]
extern "C" {
    /// Who reads a result, while it is still in the memory of the core.
    pub type Receiver;

    /// Takes a text that is kept apart; before the rest.
    #[wasm_bindgen(method, js_name = keepApart)]
    fn keep_apart(this: &Receiver, text: &str);

    #[wasm_bindgen(method)]
    fn receive(this: &Receiver, text: &str, numbers: &[u32]);
}

pub(super) struct Writer {
    text: String,
    /// How long the text is, in UTF-16 code units.
    units: usize,
    numbers: Vec<u32>,
}

impl Writer {
    pub(super) fn new() -> Self {
        // Room for a turn.
        Self {
            text: String::with_capacity(512),
            units: 0,
            numbers: Vec::with_capacity(32),
        }
    }

    pub(super) fn number(&mut self, number: usize) {
        // Nothing counted here exceeds the limits of an input by much.
        self.numbers.push(u32::try_from(number).unwrap_or(u32::MAX));
    }

    pub(super) fn text(&mut self, text: &str) {
        let units = utf16_len(text);
        self.number(units);
        self.push(units, text);
    }

    /// A text that may be absent; the number is one more than its length.
    pub(super) fn optional(&mut self, text: Option<&str>) {
        let text = text.map(|text| (utf16_len(text), text));
        self.number(text.map_or(0, |(units, _)| units + 1));
        if let Some((units, text)) = text {
            self.push(units, text);
        }
    }

    fn push(&mut self, units: usize, text: &str) {
        self.units += units;
        self.text.push_str(text);
    }

    /// Writes what its reader keeps for longer than the rest, led by the length of its text.
    pub(super) fn kept(&mut self, write: impl FnOnce(&mut Self)) {
        let (place, before) = (self.numbers.len(), self.units);
        self.number(0);
        write(self);
        let units = self.units - before;
        if let Some(place) = self.numbers.get_mut(place) {
            *place = u32::try_from(units).unwrap_or(u32::MAX);
        }
    }

    pub(super) fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len());
        items.iter().for_each(|item| write(self, item));
    }

    /// Hands a text over that is kept apart: a part of a string keeps the whole of it in memory, so that a host that
    /// records descriptors would keep every prompt they describe.
    pub(super) fn apart(text: &str, receiver: &Receiver) {
        receiver.keep_apart(text);
    }

    pub(super) fn finish(&self, receiver: &Receiver) {
        receiver.receive(&self.text, &self.numbers);
    }
}
