// @ts-check

// The text that the model reads, tinted by where each piece came from.

/** @import { Span } from "../model/spans.js" */

import { memo } from "preact/compat";
import { useMemo } from "preact/hooks";
import { focusPlace } from "../focus.js";
import { LAYERS } from "../model/document.js";
import { placesOfPiece } from "../model/paths.js";
import { byteLength } from "../model/sizes.js";
import { legendOf } from "../model/spans.js";
import { POLICIES, cacheBlockLabel, counted, layerName, layerTitle, pieceLabel } from "../model/words.js";
import { assembly, edited, looked, lookedSpan, spans, stressed, tell, total } from "../state.js";

const ONE_BULLET = /^- [^\n]*\n?$/;
const ORIGINS = { host: "The host’s own text", wording: "Fixed wording" };

export function Prompt() {
  const stable = spans.value.filter(({ block }) => block !== "channel_meta");
  const channel = spans.value.filter(({ block }) => block === "channel_meta");
  const { prefix, tail } = assembly.value;
  return (
    <>
      <section class="result" id="prefix" aria-labelledby="prefix-title">
        <div class="part-head">
          <h2 id="prefix-title">
            What the model reads first <span class="term">prefix</span>
          </h2>
          <CopyButton text={prefix} what="The prefix" />
          <p class="lede">The same for every turn, so a provider can keep it. Point at a line to see who wrote it.</p>
        </div>
        <Legend />
        {prefix === "" ? (
          <p class="remark">Nothing yet. Write something in a layer, and it appears here as you type.</p>
        ) : (
          <Text label="The prefix, piece by piece" spans={stable} />
        )}
      </section>
      {channel.length > 0 && (
        <section class="result" id="channel" aria-labelledby="channel-title">
          <div class="part-head">
            <h2 id="channel-title">
              Then, who is speaking <span class="term">channel_meta</span>
            </h2>
            <p class="lede">{`${counted(total.value.channel, "byte")}, ${POLICIES["5m"]}.`}</p>
          </div>
          <Text label="Sender and channel" spans={channel} />
        </section>
      )}
      <section class="result" id="tail" aria-labelledby="tail-title">
        <div class="part-head">
          <h2 id="tail-title">
            What changes each turn <span class="term">tail</span>
          </h2>
          {tail !== "" && <CopyButton text={tail} what="The tail" />}
          <p class="lede">Belongs at the end of the conversation, where a change costs nothing.</p>
        </div>
        {tail === "" ? (
          <p class="remark">Nothing. A stance, a clock or a dynamic fact would be here.</p>
        ) : (
          <div class="text tail">{tail}</div>
        )}
      </section>
    </>
  );
}

/** @param {{ text: string, what: string }} props */
function CopyButton({ text, what }) {
  return (
    <button
      type="button"
      class="quiet copy"
      aria-label={`Copy ${what.toLowerCase()}`}
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(text);
          tell(`${what} is copied.`);
        } catch {
          tell("This browser does not let the page copy. Select the text and copy it yourself.");
        }
      }}
    >
      Copy
    </button>
  );
}

function Legend() {
  const entries = legendOf(spans.value, LAYERS);
  if (entries.length === 0) return null;
  return (
    <ul class="legend" aria-label="Whose text it is">
      {entries.map(({ key, origin, layer }) => {
        const isStressed = stressed.value === key;
        return (
          <li key={key}>
            <button
              type="button"
              data-tint={key}
              aria-pressed={isStressed}
              onClick={() => {
                stressed.value = isStressed ? undefined : key;
              }}
            >
              <span class="swatch" aria-hidden="true" />
              {origin === "layer" ? layerName(layer ?? key) : ORIGINS[origin]}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** @param {{ label: string, spans: Span[] }} props */
function Text({ label, spans: shown }) {
  const ambiguous = useMemo(() => namesUsedTwice(shown), [shown]);
  const current = Math.max(
    0,
    shown.findIndex(({ key }) => key === looked.value),
  );

  /** @param {Event} event */
  const spanAt = (event) => {
    const element = event.target instanceof Element ? event.target.closest("[data-index]") : null;
    return element instanceof HTMLElement ? shown[Number(element.dataset.index)] : undefined;
  };
  /** @param {Event} event */
  const look = (event) => {
    const span = spanAt(event);
    if (span) looked.value = span.key;
  };
  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const onKeyDown = (event) => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: shown.length - 1 }[event.key];
    const span = to === undefined ? undefined : shown[to];
    if (span && to !== undefined) {
      event.preventDefault();
      looked.value = span.key;
      const element = event.currentTarget.children[to];
      if (element instanceof HTMLElement) element.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      goToEdit(shown[current]);
    }
  };

  return (
    <div
      class="text"
      role="list"
      aria-label={label}
      data-stress={stressed.value}
      onMouseOver={look}
      onFocusIn={look}
      onDblClick={(event) => goToEdit(spanAt(event))}
      onKeyDown={onKeyDown}
    >
      {shown.map((span, index) => (
        <Piece
          key={span.key}
          index={index}
          lead={span.lead}
          body={span.body}
          blankLines={span.blankLines}
          tint={span.layer ?? span.origin}
          margin={span.startsRun ? marginOf(span, ambiguous) : undefined}
          startsRun={span.startsRun}
          endsRun={span.endsRun}
          breakpoint={span.breakpoint && `${cacheBlockLabel(span.block)}: ${POLICIES[span.breakpoint]}`}
          isCurrent={index === current}
          isLooked={span.key === looked.value}
        />
      ))}
    </div>
  );
}

/** @param {Span | undefined} span */
function goToEdit(span) {
  if (span) focusPlace(placesOfPiece(edited.value, { ...span, text: span.body }));
}

/** The layers of which several are here, so that the name alone tells too little. @param {Span[]} shown */
function namesUsedTwice(shown) {
  /** @type {Map<string, Set<string | undefined>>} */
  const sources = new Map();
  for (const { layer, source } of shown) {
    if (layer !== undefined) sources.set(layer, (sources.get(layer) ?? new Set()).add(source));
  }
  return new Set([...sources].filter(([, found]) => found.size > 1).map(([layer]) => layer));
}

/**
 * @param {Span} span
 * @param {Set<string>} ambiguous
 */
function marginOf({ layer, source, origin, name }, ambiguous) {
  if (layer === undefined) return origin === "host" ? pieceLabel(name) : "";
  return ambiguous.has(layer) && source ? `${layerName(layer)} · ${source}` : layerName(layer);
}

const Piece = memo(
  /**
   * @param {object} props
   * @param {number} props.index
   * @param {string} props.lead
   * @param {string} props.body
   * @param {number} props.blankLines
   * @param {string} props.tint
   * @param {string | undefined} props.margin
   * @param {boolean} props.startsRun
   * @param {boolean} props.endsRun
   * @param {string | undefined} props.breakpoint
   * @param {boolean} props.isCurrent
   * @param {boolean} props.isLooked
   */
  function Piece({ index, lead, body, blankLines, tint, margin, startsRun, endsRun, breakpoint, isCurrent, isLooked }) {
    const edges = `${startsRun ? " starts" : ""}${endsRun ? " ends" : ""}${isLooked ? " looked" : ""}${
      ONE_BULLET.test(body) ? " bullet" : ""
    }`;
    return (
      <div
        class={`piece${edges}`}
        role="listitem"
        tabIndex={isCurrent ? 0 : -1}
        aria-describedby="inspector"
        data-index={index}
        data-tint={tint}
        data-breakpoint={breakpoint}
      >
        {lead !== "" && (
          <span class="lead" style={{ "--lines": blankLines }}>
            {lead}
          </span>
        )}
        <span class="body" data-margin={margin || undefined}>
          {body}
        </span>
      </div>
    );
  },
);

/** Says of the piece that is looked at where it came from. */
export function Inspector() {
  const span = lookedSpan.value;
  return (
    <div class="inspector" data-tint={span ? (span.layer ?? span.origin) : undefined}>
      <p id="inspector">
        {span ? (
          <>
            <span class="swatch" aria-hidden="true" />
            <strong>{pieceLabel(span.name)}</strong>
            <span>
              {span.layer === undefined
                ? ORIGINS[span.origin === "host" ? "host" : "wording"]
                : `from ${layerTitle({ layer: span.layer, source: span.source })}`}
            </span>
            <span>
              {"cache block "}
              <code>{span.block}</code>
            </span>
            <span>{counted(byteLength(span.lead + span.body), "byte")}</span>
          </>
        ) : (
          "Point at a line of the text, or go through it with the arrow keys: here it says who wrote it."
        )}
      </p>
      {span && (
        <button type="button" class="quiet" onClick={() => goToEdit(span)}>
          Edit it
        </button>
      )}
    </div>
  );
}
