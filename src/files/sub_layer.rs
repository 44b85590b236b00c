//! The directories of layers that have one of their own.

use crate::text::whitespace::trim;

/// Where prompts are kept below a project's root.
const PROMPTS: &str = ".vak/prompts";

const PROMPTS_ON_WINDOWS: &str = ".vak\\prompts";

/// Whether a path ends with what separates folders, on Windows or elsewhere.
fn ends_with_separator(path: &str) -> bool {
    matches!(path.as_bytes(), [.., b'/' | b'\\'])
}

/// The longest name of a sub-layer, in bytes.
const MAX_NAME_BYTES: usize = 64;

/// What kind of layer lives in a directory of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubLayer {
    /// The layer of one surface.
    Surface,
    /// The layer of one agent role.
    Agents,
}

impl SubLayer {
    /// The name of the directory that holds the layers of this kind.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Agents => "agents",
        }
    }
}

/// The directory of a sub-layer's files, or `None` where the name is none.
///
/// A name is trimmed and has 1–64 bytes of ASCII letters, digits, `-` and `_`, so that it cannot leave the
/// directory. Nor is it one that Windows keeps for devices, such as `CON` (departure 12). `root` is the folder that
/// holds `.vak/prompts`, or that folder itself, and is kept as given but for separators at its end; without one the path
/// is relative.
///
/// ```
/// use prompt_strata::{SubLayer, sub_layer_path};
/// let path = sub_layer_path(SubLayer::Agents, " reviewer ", None);
/// assert_eq!(path.as_deref(), Some(".vak/prompts/agents/reviewer"));
/// assert_eq!(sub_layer_path(SubLayer::Agents, "../x", None), None);
/// ```
#[must_use]
pub fn sub_layer_path(kind: SubLayer, name: &str, root: Option<&str>) -> Option<String> {
    let name = trim(name);
    let is_name = (1..=MAX_NAME_BYTES).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let root = root.unwrap_or_default();
    let mut path = root.to_owned();
    while ends_with_separator(&path) {
        path.pop();
    }
    let is_prompts = path
        .strip_suffix(PROMPTS)
        .or_else(|| path.strip_suffix(PROMPTS_ON_WINDOWS));
    if !is_prompts.is_some_and(|parent| parent.is_empty() || ends_with_separator(parent)) {
        if !root.is_empty() {
            path.push('/');
        }
        path.push_str(PROMPTS);
    }
    let is_name = is_name && !is_device(name);
    is_name.then(|| format!("{path}/{}/{name}", kind.as_str()))
}

/// Whether Windows keeps a name for a device, in any case.
fn is_device(name: &str) -> bool {
    let numbered = name
        .len()
        .checked_sub(1)
        .and_then(|at| name.split_at_checked(at));
    ["con", "prn", "aux", "nul"]
        .iter()
        .any(|device| name.eq_ignore_ascii_case(device))
        || numbered.is_some_and(|(port, number)| {
            let is_port = ["com", "lpt"]
                .iter()
                .any(|it| port.eq_ignore_ascii_case(it));
            is_port && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}
