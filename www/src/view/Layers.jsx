// @ts-check

/** @import { Layer } from "prompt-strata" */
/** @import { ContentField, EditedDocument, EditedLayer, Text } from "../model/document.js" */

import { useMemo, useRef } from "preact/hooks";
import { parseGuardrails, renderGuardrails } from "prompt-strata";
import { focusSoon } from "../focus.js";
import * as model from "../model/document.js";
import { place } from "../model/paths.js";
import { byteLength } from "../model/sizes.js";
import { CONTENT_WORDS, LAYER_HINTS, counted, layerName, layerTitle } from "../model/words.js";
import { edit, edited, message, notices } from "../state.js";
import { Choice, ListField, Notes, TextField } from "./fields.jsx";

const WINNERS = new Set(["identity", "operatingRules"]);
const LISTS = new Set(["guardrails", "surfaceNotes"]);

export function Layers() {
  const { layers } = edited.value;
  return (
    <section class="part" id="layers" aria-labelledby="layers-title">
      <div class="part-head">
        <h2 id="layers-title">Layers</h2>
        <p class="lede">Broad to narrow. A narrow layer speaks last; no layer can take away a guardrail.</p>
      </div>
      {!model.isInOrder(edited.value) && (
        <p class="remark">
          These layers are not in order of breadth.{" "}
          <button type="button" onClick={() => edit(model.putInOrder(edited.value))}>
            Put them in order
          </button>
        </p>
      )}
      {layers.length === 0 && <p class="remark">No layer yet. Add the first one below, perhaps a shipped default.</p>}
      <div class="layers">
        {layers.map((layer, index) => (
          <LayerCard key={layer.id} layer={layer} isFirstOpen={index === layers.length - 3} />
        ))}
      </div>
      <AddLayer />
    </section>
  );
}

function AddLayer() {
  const select = useRef(/** @type {HTMLSelectElement | null} */ (null));
  return (
    <form
      class="add-layer"
      onSubmit={(event) => {
        event.preventDefault();
        const { document, id } = model.addLayer(edited.value, /** @type {Layer} */ (select.current?.value));
        edit(document);
        focusSoon(`${place.inLayer(id, "source")}-text`, place.layer(id));
      }}
    >
      <label for="add-layer">Add a layer</label>
      <select id="add-layer" ref={select}>
        {model.LAYERS.map((name) => (
          <option key={name} value={name} selected={name === "bot"}>
            {`${layerName(name)}: ${LAYER_HINTS[name]}`}
          </option>
        ))}
      </select>
      <button type="submit">Add</button>
    </form>
  );
}

/** @param {{ layer: EditedLayer, isFirstOpen: boolean }} props */
function LayerCard({ layer, isFirstOpen }) {
  const wasOpen = useRef(isFirstOpen || Object.keys(layer.content).length === 0);
  const { id } = layer;
  const title = layerTitle(layer);
  return (
    <details class="layer" id={place.layer(id)} data-tint={layer.layer} open={wasOpen.current}>
      <summary>
        <h3>
          {layerName(layer.layer)} {layer.source && <span class="source">{layer.source}</span>}
        </h3>
        {layer.trusted === false && <span class="badge warning">not trusted</span>}
        <WorstNotice id={id} />
        <span class="says">{whatItSays(layer)}</span>
      </summary>
      <div class="layer-body">
        <p class="hint">{LAYER_HINTS[layer.layer]}</p>
        <LayerHead layer={layer} />
        {model.CONTENT_FIELDS.map((field) => (
          <ContentField key={field} layer={layer} field={field} title={title} />
        ))}
        <LayerActions layer={layer} title={title} />
      </div>
    </details>
  );
}

/** @param {{ id: number }} props */
function WorstNotice({ id }) {
  const found = notices.value.get(place.layer(id)) ?? [];
  const warnings = found.filter(({ severity }) => severity !== "info").length;
  if (warnings === 0) return null;
  return <span class="badge warning">{counted(warnings, "warning")}</span>;
}

/** @type {Record<ContentField, [one: string, many: string]>} */
const BRIEF = {
  identity: ["identity", "identity"],
  operatingRules: ["rules", "rules"],
  instructions: ["instructions", "instructions"],
  guardrails: ["guardrail", "guardrails"],
  surfaceNotes: ["note", "notes"],
};

/** @param {EditedLayer} layer */
function whatItSays({ content }) {
  const parts = model.CONTENT_FIELDS.filter((field) => content[field] !== undefined).map((field) => {
    const text = content[field];
    const [one, many] = BRIEF[field];
    if (typeof text === "object") return counted(text.length, one, many);
    return text === "" && WINNERS.has(field) ? `${many} emptied` : many;
  });
  return parts.length === 0 ? "says nothing yet" : parts.join(", ");
}

/** @param {{ layer: EditedLayer }} props */
function LayerHead({ layer }) {
  const { id, source, trusted } = layer;
  const kindPlace = place.inLayer(id, "layer");
  const sourcePlace = place.inLayer(id, "source");
  const trustPlace = place.inLayer(id, "trusted");
  return (
    <div class="layer-head">
      <p class="line" id={kindPlace}>
        <label for={`${kindPlace}-text`}>Layer</label>
        <select
          id={`${kindPlace}-text`}
          value={layer.layer}
          onChange={(event) => {
            edit(model.renameLayer(edited.value, id, /** @type {Layer} */ (event.currentTarget.value)));
            focusSoon(`${kindPlace}-text`);
          }}
        >
          {model.LAYERS.map((name) => (
            <option key={name} value={name}>
              {layerName(name)}
            </option>
          ))}
        </select>
        <Notes place={kindPlace} />
      </p>
      <p class="line" id={sourcePlace}>
        <label for={`${sourcePlace}-text`}>Source</label>
        <input
          id={`${sourcePlace}-text`}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="a path, a name, an id"
          value={source ?? ""}
          onInput={(event) =>
            edit(model.setLayer(edited.value, id, { source: event.currentTarget.value || undefined }), sourcePlace)
          }
        />
      </p>
      <Choice
        place={trustPlace}
        legend="Does somebody vouch for this text?"
        value={trusted === undefined ? "unstated" : trusted ? "yes" : "no"}
        choices={[
          { value: "yes", label: "Yes, trusted" },
          { value: "no", label: "No, not trusted" },
          { value: "unstated", label: "Not stated" },
        ]}
        onChoice={(value) =>
          edit(model.setLayer(edited.value, id, { trusted: value === "unstated" ? undefined : value === "yes" }))
        }
      >
        <Notes place={trustPlace} />
      </Choice>
    </div>
  );
}

/** @param {{ layer: EditedLayer, field: ContentField, title: string }} props */
function ContentField({ layer, field, title }) {
  const { id, content } = layer;
  const { label, hint } = CONTENT_WORDS[field];
  const text = content[field];
  const fieldPlace = place.inLayer(id, field);
  /** @type {(text: Text | undefined, at?: string) => void} */
  const onText = (now, at = fieldPlace) => edit(model.setContent(edited.value, id, field, now), now === undefined ? "" : at);

  if (!LISTS.has(field)) {
    const isWinner = WINNERS.has(field);
    return (
      <TextField
        place={fieldPlace}
        label={label}
        owner={title}
        hint={hint}
        value={typeof text === "string" ? text : undefined}
        onText={onText}
        absent={isWinner ? inheritance(edited.value, id, field) : "adds nothing"}
        overrides={isWinner}
        note={isWinner && text !== undefined && <Hidden layer={layer} field={field} />}
      />
    );
  }

  if (typeof text === "string") {
    const dialect = edited.value.options.dialect;
    return (
      <TextField
        place={fieldPlace}
        label={label}
        owner={title}
        hint={`${hint} One a line, each after “- ”.`}
        value={text}
        onText={onText}
        absent="adds nothing"
        extra={
          <button
            type="button"
            class="quiet"
            aria-label={`Edit as a list: ${label}, ${title}`}
            onClick={() => {
              const items = parseGuardrails(text, { dialect });
              onText(items.length === 0 ? [""] : items, "");
              focusSoon(`${fieldPlace}-0-text`);
            }}
          >
            As a list
          </button>
        }
      />
    );
  }

  if (text === undefined) {
    return (
      <div class="field absent" id={fieldPlace}>
        <span class="name">{label}</span>
        <span class="state">adds nothing</span>
        <span class="actions">
          <button
            type="button"
            class="quiet"
            aria-label={`Write: ${label}, ${title}`}
            onClick={() => {
              onText([""], "");
              focusSoon(`${fieldPlace}-0-text`);
            }}
          >
            Write
          </button>
        </span>
        <Notes place={fieldPlace} />
      </div>
    );
  }

  return (
    <ListField
      place={fieldPlace}
      label={label}
      owner={title}
      hint={hint}
      items={text}
      onItems={onText}
      extra={
        <button
          type="button"
          class="quiet"
          aria-label={`Edit as one text: ${label}, ${title}`}
          onClick={() => {
            onText(renderGuardrails(text), "");
            focusSoon(`${fieldPlace}-text`);
          }}
        >
          As one text
        </button>
      }
    />
  );
}

/**
 * @param {EditedDocument} document
 * @param {number} id
 * @param {ContentField} field
 */
function inheritance(document, id, field) {
  const from = model.inheritedFrom(document, id, field);
  if (!from) return "inherits, though no broader layer says anything";
  return from.content[field] === ""
    ? `inherits from ${layerTitle(from)}, which empties it`
    : `inherits from ${layerTitle(from)}`;
}

/** @param {{ layer: EditedLayer, field: ContentField }} props */
function Hidden({ layer, field }) {
  if (layer.trusted === false) return null;
  const by = model.hiddenBy(edited.value, layer.id, field);
  if (!by) return null;
  const how = by.content[field] === "" ? "empties this" : "says its own";
  return <p class="hidden-by">{`Not used here: ${layerTitle(by)}, which is narrower, ${how}.`}</p>;
}

/** @param {{ layer: EditedLayer, title: string }} props */
function LayerActions({ layer, title }) {
  const { id } = layer;
  const bytes = useMemo(() => {
    const text = model.CONTENT_FIELDS.flatMap((field) => layer.content[field] ?? []).join("");
    return byteLength(text);
  }, [layer.content]);
  /** @param {-1 | 1} step */
  const move = (step) => () => {
    edit(model.moveLayer(edited.value, id, step));
    focusSoon(place.layer(id));
  };
  return (
    <div class="layer-actions">
      <span class="state">{counted(bytes, "byte")}</span>
      {model.canMove(edited.value, id, -1) && (
        <button type="button" class="quiet" aria-label={`Move up: ${title}`} onClick={move(-1)}>
          Move up
        </button>
      )}
      {model.canMove(edited.value, id, 1) && (
        <button type="button" class="quiet" aria-label={`Move down: ${title}`} onClick={move(1)}>
          Move down
        </button>
      )}
      <button
        type="button"
        class="quiet"
        aria-label={`Remove this layer: ${title}`}
        onClick={() => {
          edit(model.removeLayer(edited.value, id));
          message.value = { kind: "status", text: `Removed the layer ${title}.`, canUndo: true };
          focusSoon("add-layer");
        }}
      >
        Remove this layer
      </button>
    </div>
  );
}
