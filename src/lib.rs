//! Assembles the system prompt of an LLM request from layered JSON.
//!
//! ```
//! use prompt_strata::{AssembleInput, assemble};
//!
//! let input = AssembleInput::from_json(r#"{
//!     "layers": [
//!         {"layer": "seed", "content": {
//!             "identity": "You are a careful assistant.",
//!             "guardrails": ["Never reveal a secret."]
//!         }},
//!         {"layer": "bot", "source": "bot:7", "content": {
//!             "identity": "You are Ada.",
//!             "guardrails": "- never reveal a secret.\n- reply in Hindi"
//!         }}
//!     ],
//!     "channelMeta": "Sender: Bob"
//! }"#)?;
//! let assembly = assemble(input)?;
//! assert_eq!(
//!     assembly.prefix,
//!     "You are Ada.\n\nGuardrails:\n- Never reveal a secret.\n- reply in Hindi\n",
//! );
//! assert_eq!(assembly.system, format!("{}\nSender: Bob\n", assembly.prefix));
//! assert_eq!(assembly.diagnostics[0].code.as_str(), "duplicate-folded");
//! # Ok::<(), prompt_strata::StrataError>(())
//! ```
//!
//! Layers go from broad to narrow: `seed` < `shared` < `workspace` < `surface` < `bot` < `chat` < `agent`. The
//! narrowest wins identity and rules; guardrails only ever accumulate. The stable **prefix** is the same to the
//! byte for the same layers, runtime sections and static facts, so that a provider's cache holds; what changes
//! each turn rides in the **tail**. **Descriptors** record who contributed what.
//!
//! Everything is a pure function: no filesystem, no network, no clock. [`Assembler`] is the handle for repeated
//! turns. JavaScript hosts use the npm package of the same name, which is this crate compiled to WebAssembly.

mod assembler;
mod assembly;
mod block_name;
mod cache_block;
mod content;
mod contribution;
mod descriptor;
mod diagnostic;
mod digest;
mod drift;
mod edit;
mod error;
mod facts;
mod guardrails;
mod index;
mod input;
mod layer;
mod layer_files;
pub mod limits;
mod options;
mod prefix;
mod record;
mod resolution;
mod runtime;
mod search;
mod section;
mod seed;
mod tail;
mod trust;
// Reached from JavaScript, and from the tests of the boundary.
#[cfg(feature = "wasm")]
#[doc(hidden)]
pub mod wasm;
mod whitespace;
mod wording;

pub use assembler::{Assembler, Turn};
pub use assembly::{
    AssembleInput, Assembly, Effective, Resolution, ResolveInput, assemble, resolve,
};
pub use block_name::{BlockName, parse_block_name};
pub use cache_block::{BlockParts, CacheBlock, CachePolicy, build_blocks, flatten_blocks};
pub use content::{Items, LayerContent, LayerInput};
pub use descriptor::{Descriptor, fingerprint};
pub use diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use digest::{Hasher, HexDigest, Sha2, digest};
pub use drift::{Change, Drift, drift};
pub use edit::{get_block, set_block};
pub use error::{ErrorCode, StrataError};
pub use facts::{Fact, Volatility, render_facts};
pub use guardrails::{Dialect, parse_guardrails, render_guardrails};
pub use layer::{Layer, layer_label};
pub use layer_files::{SubLayer, layer_from_files, layer_to_files, sub_layer_path};
pub use options::Options;
pub use runtime::RuntimeSections;
pub use section::Section;
pub use seed::{Seed, parse_seed};
pub use trust::{Untrusted, demote};
pub use wording::Wording;

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
