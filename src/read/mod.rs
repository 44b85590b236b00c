//! From JSON, or a value of another language, to the typed input: each mistake is found with its path.

pub(crate) mod fields;
pub(crate) mod json;
mod shapes;
pub(crate) mod value;

pub(crate) use fields::FromValue;

pub(crate) use value::Value;
