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

// text → model → guardrails → read → prepare → resolve → compose → record → assembler → files → wasm: no folder uses one
// further along (`tests/structure.rs`).
mod assembler;
mod compose;
mod files;
mod guardrails;
mod model;
mod prepare;
mod read;
mod record;
mod resolve;
mod text;
// Reached from JavaScript, and from the tests of the boundary.
#[cfg(feature = "wasm")]
#[doc(hidden)]
pub mod wasm;

pub use assembler::Assembler;
pub use assembler::one_shot::{assemble, resolve};
pub use compose::blocks::{build_blocks, flatten_blocks};
pub use compose::facts::render_facts;
pub use files::block_name::{BlockName, parse_block_name};
pub use files::edit::{get_block, set_block};
pub use files::layer_files::{layer_from_files, layer_to_files};
pub use files::seed::{Seed, parse_seed};
pub use files::sub_layer::{SubLayer, sub_layer_path};
pub use guardrails::{parse_guardrails, render_guardrails};
pub use model::assembly::{AssembleInput, Assembly, Effective, Resolution, ResolveInput};
pub use model::cache_block::{BlockParts, CacheBlock, CachePolicy};
pub use model::content::{Items, LayerContent, LayerInput};
pub use model::descriptor::{Descriptor, HexDigest};
pub use model::diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use model::error::{ErrorCode, StrataError};
pub use model::fact::{Fact, Volatility};
pub use model::layer::{Layer, layer_label};
pub use model::limits;
pub use model::options::{Dialect, Options, Untrusted};
pub use model::runtime::RuntimeSections;
pub use model::section::Section;
pub use model::turn::Turn;
pub use model::wording::Wording;
pub use prepare::trust::demote;
pub use record::digest::{Hasher, Sha2, digest};
pub use record::drift::{Change, Drift, drift};
pub use record::fingerprint::fingerprint;

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
