// Reads a host's folder into the input of `assemble`. All reading happens here: the package itself touches no file.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { layerFromFiles, parseSeed, subLayerPath } from "prompt-strata";

/** @import { AssembleInput, Descriptor, Diagnostic, Fact, Layer, LayerContent, Options, RuntimeSections } from "prompt-strata" */

/**
 * One layer in `host.json`. Its texts are in a seed file, in a folder, or in a sub-folder with a checked name.
 *
 * @typedef {object} HostLayer
 * @property {Layer} layer
 * @property {string} source
 * @property {boolean} [trusted]
 * @property {string} [seedFile]
 * @property {string} [folder]
 * @property {{ kind: "surface" | "agents", name: string, root: string }} [sub]
 * @property {string[]} [instructions] lines
 */

/**
 * `host.json`: what the host's own code would state. Texts are lists of lines, since JSON has no long strings.
 *
 * @typedef {object} Host
 * @property {string} version the host's, for `{{version}}` in the seed file
 * @property {string} title
 * @property {HostLayer[]} layers broadest first
 * @property {Record<keyof RuntimeSections, string[]>} runtime
 * @property {Fact[]} facts
 * @property {string[]} bindingGlue
 * @property {string[]} channelMeta
 * @property {Options} options
 */

/**
 * @typedef {object} Loaded
 * @property {string} title
 * @property {AssembleInput} input
 * @property {Diagnostic[]} diagnostics what the files gave, with the file in `path`
 * @property {Descriptor[]} recorded the descriptors of an earlier run
 */

/**
 * @param {string} root
 * @returns {Loaded}
 */
export function load(root) {
  /** @type {Host} */
  const host = readJson(root, "host.json");
  /** @type {RuntimeSections} */
  const runtime = {};
  /** @type {Diagnostic[]} */
  const diagnostics = [];

  const layers = host.layers.map((entry) => {
    /** @type {LayerContent} */
    let content;
    if (entry.seedFile === undefined) {
      const folder = folderOf(entry);
      const layer = layerFromFiles(readFolder(join(root, folder)));
      content = layer.content;
      diagnostics.push(...layer.diagnostics.map((found) => within(folder, found)));
    } else {
      const { content: said, diagnostics: found, ...contracts } = parseSeed(readText(root, entry.seedFile), {
        version: host.version,
      });
      content = said;
      Object.assign(runtime, contracts);
      diagnostics.push(...found.map((one) => within(/** @type {string} */ (entry.seedFile), one)));
    }
    if (entry.instructions !== undefined) content.instructions = entry.instructions.join("\n");
    const { layer, source, trusted } = entry;
    return { layer, source, ...(trusted !== undefined && { trusted }), content };
  });

  // Each section ends its last line, so the next one stands behind a blank line.
  const sections = Object.entries(host.runtime).map(([name, lines]) => [name, `${lines.join("\n")}\n`]);
  return {
    title: host.title,
    input: {
      layers,
      runtime: { ...runtime, ...Object.fromEntries(sections) },
      facts: host.facts,
      bindingGlue: host.bindingGlue.join("\n"),
      channelMeta: host.channelMeta.join("\n"),
      options: { ...host.options, sections: true },
    },
    diagnostics,
    recorded: readJson(root, "recorded.json"),
  };
}

/** @param {HostLayer} entry */
function folderOf({ layer, folder, sub }) {
  if (folder !== undefined) return folder;
  // The name may come from a person, and null keeps `../elsewhere` from becoming a path.
  const path = sub && subLayerPath(sub.kind, sub.name, { root: sub.root });
  if (!path) throw new Error(`host.json: no folder for the layer "${layer}"`);
  return path;
}

/**
 * @param {string} folder
 * @returns {Record<string, string>} texts by file name
 */
function readFolder(folder) {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort(); // The order of a directory differs between systems, the order of diagnostics must not.
  return Object.fromEntries(names.map((name) => [name, readText(folder, name)]));
}

/**
 * @param {string} folder
 * @param {string} name
 */
function readText(folder, name) {
  // A checkout with CRLF line ends must not look like drift.
  return readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n");
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {any} these files are the example's own, so their shape is not checked
 */
function readJson(folder, name) {
  try {
    return JSON.parse(readText(folder, name));
  } catch (error) {
    throw new Error(`${name}: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
}

/**
 * @param {string} place
 * @param {Diagnostic} diagnostic
 * @returns {Diagnostic}
 */
function within(place, diagnostic) {
  return { ...diagnostic, path: diagnostic.path === undefined ? place : `${place}: ${diagnostic.path}` };
}
