// @ts-check

// Sizes, contributions, notices and what changed since the pinned state.

/** @import { Descriptor, Diagnostic } from "prompt-strata" */

import { focusPlace } from "../focus.js";
import { bySeverity, countInWords, SEVERITY_WORDS } from "../model/notices.js";
import { describePath, placesOf } from "../model/paths.js";
import {
  POLICIES,
  cacheBlockLabel,
  counted,
  grouped,
  layerName,
  percent,
  pieceLabel,
  sentence,
} from "../model/words.js";
import * as state from "../state.js";
import { Inspector, Prompt } from "./Prompt.jsx";

export function Result() {
  const isStale = state.problem.value !== undefined;
  return (
    <main class="pane" id="result" tabIndex={-1} aria-label="What the model reads">
      <Problem />
      <div class={isStale ? "stale" : undefined}>
        <Figures />
        <CacheBlocks />
        <Prompt />
        <Pinned />
        <Notices />
        <Contributions />
      </div>
      <Inspector />
    </main>
  );
}

function Problem() {
  const problem = state.problem.value;
  return (
    <div role="alert">
      {problem && (
        <div class="problem">
          <p>
            <strong>This cannot be assembled yet.</strong> {sentence(problem.message)}.
          </p>
          <p>What you see below is the last result that worked.</p>
          <JumpButton path={problem.path} />
        </div>
      )}
    </div>
  );
}

/** @param {{ path: string | undefined }} props */
export function JumpButton({ path }) {
  if (!path) return null;
  const document = state.edited.value;
  const places = placesOf(document, path);
  if (places.length === 0) return <code class="path">{path}</code>;
  return (
    <button
      type="button"
      class="quiet jump"
      title={path}
      onClick={() => focusPlace(placesOf(state.edited.value, path))}
    >
      {describePath(document, path)}
    </button>
  );
}

function Figures() {
  const { prefix, tail } = state.total.value;
  const { diagnostics } = state.assembly.value;
  const serious = diagnostics.filter(({ severity }) => severity !== "info").length;
  const comparison = state.comparison.value;
  return (
    <nav class="figures" aria-label="At a glance">
      <a href="#prefix">
        <strong>{grouped(prefix)}</strong> <span>bytes read first</span>
      </a>
      <a href="#tail">
        <strong>{grouped(tail)}</strong> <span>bytes each turn</span>
      </a>
      <a href="#notices">
        <strong>{serious}</strong> <span>{serious === 1 ? "warning" : "warnings"}</span>
      </a>
      {comparison ? (
        <a href="#pinned" class={comparison.isPrefixSame ? "good" : "bad"}>
          <strong>{comparison.isPrefixSame ? "same" : "changed"}</strong> <span>since pinned</span>
        </a>
      ) : (
        <button type="button" class="pin" onClick={state.pin} disabled={state.problem.value !== undefined}>
          <strong>Pin</strong> <span>to see what changes</span>
        </button>
      )}
    </nav>
  );
}

function CacheBlocks() {
  const sizes = state.sizes.value;
  if (sizes.length === 0) return null;
  return (
    <section class="result blocks" aria-labelledby="blocks-title">
      <h2 id="blocks-title">
        How a provider can keep it <span class="term">cache blocks</span>
      </h2>
      <div class="bar" aria-hidden="true">
        {sizes.map(({ label, share, cache }) => (
          <span key={label} class={`slice ${label}`} data-cache={cache} style={{ flexGrow: share }} />
        ))}
      </div>
      <ol class="block-list">
        {sizes.map(({ label, bytes, share, cache }) => (
          <li key={label}>
            <span class={`slice ${label}`} data-cache={cache} aria-hidden="true" />
            <p>
              {cacheBlockLabel(label)} <code class="term">{label}</code>
            </p>
            <p class="size">{`${counted(bytes, "byte")} (${percent(share)}), ${POLICIES[cache]}`}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Pinned() {
  const comparison = state.comparison.value;
  return (
    <section class="result" id="pinned" aria-labelledby="pinned-title">
      <div class="part-head">
        <h2 id="pinned-title">
          What changed <span class="term">drift</span>
        </h2>
        <span class="actions">
          <button type="button" onClick={state.pin} disabled={state.problem.value !== undefined}>
            {comparison ? "Pin this state instead" : "Pin this state"}
          </button>
          {comparison && (
            <>
              <button type="button" class="quiet" onClick={state.backToPinned}>
                Back to it
              </button>
              <button type="button" class="quiet" onClick={state.unpin}>
                Unpin
              </button>
            </>
          )}
        </span>
        {!comparison && (
          <p class="lede">
            Pin the state as it is now, go on editing, and see here what is different and what it costs.
          </p>
        )}
      </div>
      <div role="status" aria-label="Compared with the pinned state">
        {comparison && <Verdict comparison={comparison} />}
      </div>
      {comparison?.drift && <DriftLists drift={comparison.drift} />}
    </section>
  );
}

/** @param {{ comparison: import("../model/drift.js").Comparison }} props */
function Verdict({ comparison }) {
  const { isPrefixSame, isComparable, drift, kept, paid } = comparison;
  const bytes = paid.reduce((sum, block) => sum + block.bytes, 0);
  return (
    <>
      <p class={isPrefixSame ? "verdict good" : "verdict bad"}>
        {isPrefixSame
          ? "The prefix is the same, to the byte: what a provider kept still counts."
          : "The prefix is different: a cache miss."}
      </p>
      {paid.length > 0 && (
        <p>
          {`Read again: ${counted(bytes, "byte")} (${names(paid)}).`}
          {kept.length > 0 && ` Still kept: ${names(kept)}.`}
        </p>
      )}
      {!isComparable && <p>No layer said anything in the pinned state, so there is nothing to compare layers with.</p>}
      {isComparable && !drift && <p>{`No layer’s contribution changed${isPrefixSame ? "" : "; the host’s own text, a fact or an option did"}.`}</p>}
    </>
  );
}

/** @param {{ label: string }[]} blocks */
function names(blocks) {
  return blocks.map(({ label }) => cacheBlockLabel(label).toLowerCase()).join("; ");
}

/** @param {{ drift: import("prompt-strata").Drift }} props */
function DriftLists({ drift }) {
  const { added, removed, changed, lines } = drift;
  return (
    <>
      <p class="drift-counts">{`${added.length} added, ${removed.length} removed, ${changed.length} changed`}</p>
      <ul class="drift">
        {lines.map((line, index) => (
          <li key={index} data-kind={line[0]}>
            {line}
          </li>
        ))}
      </ul>
    </>
  );
}

function Notices() {
  const { diagnostics } = state.assembly.value;
  return (
    <section class="result" id="notices" aria-labelledby="notices-title">
      <div class="part-head">
        <h2 id="notices-title">
          What to know <span class="term">diagnostics</span>
        </h2>
        <p class="lede" role="status" id="notice-count">
          {sentence(countInWords(diagnostics))}
        </p>
      </div>
      {bySeverity(diagnostics).map(({ severity, found }) => (
        <div key={severity} class="severity">
          <h3>{SEVERITY_WORDS[severity].title}</h3>
          <ul>
            {found.map((one, index) => (
              <Notice key={index} notice={one} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** @param {{ notice: Diagnostic }} props */
function Notice({ notice }) {
  const { severity, message, code, path } = notice;
  return (
    <li class={`notice ${severity}`}>
      <p>{sentence(message)}</p>
      <p class="where">
        <JumpButton path={path} /> <code class="term">{code}</code>
      </p>
    </li>
  );
}

function Contributions() {
  const { descriptors, fingerprint } = state.assembly.value;
  return (
    <section class="result" id="contributions" aria-labelledby="contributions-title">
      <div class="part-head">
        <h2 id="contributions-title">
          Who contributed what <span class="term">descriptors</span>
        </h2>
        <p class="lede">Keep this list with a conversation, and you can tell later whether its prompt has drifted.</p>
      </div>
      {descriptors.length === 0 ? (
        <p class="remark">No layer contributes anything.</p>
      ) : (
        <div class="table" role="group" aria-label="Table of contributions" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Block</th>
                <th scope="col">Layer</th>
                <th scope="col">Source</th>
                <th scope="col" class="number">
                  Bytes
                </th>
                <th scope="col">SHA-256</th>
              </tr>
            </thead>
            <tbody>
              {descriptors.map((one, index) => (
                <Contribution key={index} one={one} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="fingerprint">
        Fingerprint <code>{fingerprint}</code>
      </p>
    </section>
  );
}

/** @param {{ one: Descriptor }} props */
function Contribution({ one }) {
  const { block, layer, source, bytes, digest } = one;
  return (
    <tr data-tint={layer}>
      <td>{pieceLabel(block)}</td>
      <td>
        <span class="swatch" aria-hidden="true" /> {layerName(layer)}
      </td>
      <td>{source ?? ""}</td>
      <td class="number">{grouped(bytes)}</td>
      <td>
        <code title={digest}>{digest.slice(0, 10)}</code>
      </td>
    </tr>
  );
}
