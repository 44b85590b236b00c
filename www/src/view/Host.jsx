// @ts-check

// What the host's code states: runtime sections, facts, binding and channel, options.

/** @import { Options, Wording } from "prompt-strata" */
/** @import { EditedFact, RuntimeField } from "../model/document.js" */

import { focusSoon } from "../focus.js";
import * as model from "../model/document.js";
import { place } from "../model/paths.js";
import { RUNTIME_WORDS, WORDING_WORDS, counted } from "../model/words.js";
import { edit, edited } from "../state.js";
import { Choice, Notes, TextArea, TextField } from "./fields.jsx";

/** @type {readonly RuntimeField[]} */
const EACH_TURN = ["epistemicStance", "temporal"];

export function Runtime() {
  const { runtime, bindingGlue, channelMeta } = edited.value;
  const written = model.RUNTIME_FIELDS.filter((field) => runtime[field] !== undefined).length;
  const texts = written + Number(bindingGlue !== undefined) + Number(channelMeta !== undefined);
  const stable = model.RUNTIME_FIELDS.filter((field) => !EACH_TURN.includes(field));
  return (
    <details class="part" id="runtime">
      <summary>
        <h2>The host’s own text</h2>
        <span class="says">{counted(texts, "text")}</span>
      </summary>
      <p class="lede">What the program around the model says. No layer can edit it.</p>
      {stable.map((field) => (
        <RuntimeText key={field} field={field} />
      ))}
      <HostText
        field="bindingGlue"
        label="Binding"
        hint="What stably belongs to this place: peers, accounts (bindingGlue)."
        value={bindingGlue}
      />
      <h3 class="between">Changes with each turn</h3>
      <HostText
        field="channelMeta"
        label="Sender and channel"
        hint="Who speaks and where; kept for 5 minutes (channelMeta)."
        value={channelMeta}
      />
      {EACH_TURN.map((field) => (
        <RuntimeText key={field} field={field} />
      ))}
    </details>
  );
}

/** @param {{ field: RuntimeField }} props */
function RuntimeText({ field }) {
  const { label, hint } = RUNTIME_WORDS[field];
  const at = place.runtime(field);
  return (
    <TextField
      place={at}
      label={label}
      owner="the host’s own text"
      hint={hint}
      value={edited.value.runtime[field]}
      absent="not given"
      onText={(text) => edit(model.setRuntime(edited.value, field, text), text === undefined ? "" : at)}
    />
  );
}

/** @param {{ field: "bindingGlue" | "channelMeta", label: string, hint: string, value: string | undefined }} props */
function HostText({ field, label, hint, value }) {
  const at = place.host(field);
  return (
    <TextField
      place={at}
      label={label}
      owner="the host’s own text"
      hint={hint}
      value={value}
      absent="not given"
      onText={(text) => edit(model.setHostText(edited.value, field, text), text === undefined ? "" : at)}
    />
  );
}

export function Facts() {
  const { facts } = edited.value;
  return (
    <details class="part" id="facts">
      <summary>
        <h2>Facts</h2>
        <span class="says">{counted(facts.length, "fact")}</span>
      </summary>
      <p class="lede">
        A static fact joins what is read first. A dynamic one comes at the end, so that its change costs nothing.
      </p>
      <ul class="facts">
        {facts.map((fact, index) => (
          <FactRow key={fact.id} fact={fact} number={index + 1} />
        ))}
      </ul>
      <button
        type="button"
        class="quiet add"
        onClick={() => {
          const { document, id } = model.addFact(edited.value);
          edit(document);
          focusSoon(`${place.inFact(id, "key")}-text`);
        }}
      >
        + Add a fact
      </button>
    </details>
  );
}

/** @param {{ fact: EditedFact, number: number }} props */
function FactRow({ fact, number }) {
  const { id, key, value, volatility } = fact;
  const keyPlace = place.inFact(id, "key");
  const valuePlace = place.inFact(id, "value");
  const volatilityPlace = place.inFact(id, "volatility");
  /** @param {Partial<EditedFact>} patch @param {string} [at] */
  const set = (patch, at) => edit(model.setFact(edited.value, id, patch), at);
  return (
    <li class="fact" id={place.fact(id)}>
      <span id={keyPlace} class="key">
        <input
          id={`${keyPlace}-text`}
          type="text"
          autocomplete="off"
          spellcheck={false}
          aria-label={`Fact ${number}: what is stated`}
          placeholder="what"
          value={key}
          onInput={(event) => set({ key: event.currentTarget.value }, keyPlace)}
        />
      </span>
      <span id={valuePlace} class="value">
        <TextArea
          id={`${valuePlace}-text`}
          isSingle
          label={`Fact ${number}: what holds`}
          placeholder="what holds"
          value={value}
          onText={(text) => set({ value: text }, valuePlace)}
        />
      </span>
      <span id={volatilityPlace} class="volatility">
        <select
          aria-label={`Fact ${number}: how often it changes`}
          value={volatility}
          onChange={(event) =>
            set({ volatility: event.currentTarget.value === "dynamic" ? "dynamic" : "static" })
          }
        >
          <option value="static">stays (static)</option>
          <option value="dynamic">changes (dynamic)</option>
        </select>
      </span>
      <button
        type="button"
        class="quiet icon"
        aria-label={`Remove fact ${number}`}
        title="Remove"
        onClick={() => {
          edit(model.removeFact(edited.value, id));
          focusSoon("facts");
        }}
      >
        ×
      </button>
      <Notes place={place.fact(id)} />
    </li>
  );
}

export function OptionsPart() {
  const { options } = edited.value;
  const { untrusted, dialect, wording } = options;
  /** @type {"source" | "neutral" | "own"} */
  const chosen = typeof wording === "object" && wording ? "own" : (wording ?? "source");
  return (
    <details class="part" id="options">
      <summary>
        <h2>Options</h2>
        <span class="says">
          {[untrusted ?? "guardrails-only", dialect ?? "strict", chosen === "own" ? "own wording" : chosen].join(", ")}
        </span>
      </summary>
      <Choice
        place={place.option("untrusted")}
        legend="Of a layer that nobody vouches for, keep"
        value={/** @type {NonNullable<Options["untrusted"]>} */ (untrusted ?? "guardrails-only")}
        choices={[
          { value: "guardrails-only", label: "its guardrails only", term: "guardrails-only" },
          { value: "apart", label: "its guardrails, apart from all others", term: "apart" },
          { value: "drop", label: "nothing", term: "drop" },
        ]}
        onChoice={(value) => edit(model.setOption(edited.value, "untrusted", value))}
      />
      <Choice
        place={place.option("dialect")}
        legend="Read guardrails and notes written as one text as"
        value={/** @type {NonNullable<Options["dialect"]>} */ (dialect ?? "strict")}
        choices={[
          { value: "strict", label: "plain bullets", term: "strict" },
          { value: "markdown", label: "Markdown with headings", term: "markdown" },
        ]}
        onChoice={(value) => edit(model.setOption(edited.value, "dialect", value))}
      />
      <Choice
        place={place.option("wording")}
        legend="Fixed headings and notes"
        value={chosen}
        choices={[
          { value: "source", label: "as shipped", term: "source" },
          { value: "neutral", label: "without product names", term: "neutral" },
          { value: "own", label: "my own" },
        ]}
        onChoice={(value) => edit(model.setOption(edited.value, "wording", value === "own" ? {} : value))}
      />
      {typeof wording === "object" && wording && model.WORDING_FIELDS.map((name) => <WordingText key={name} name={name} />)}
    </details>
  );
}

/** @param {{ name: keyof Wording }} props */
function WordingText({ name }) {
  const { wording } = edited.value.options;
  const at = place.wording(name);
  return (
    <TextField
      place={at}
      label={WORDING_WORDS[name]}
      owner="fixed headings"
      value={typeof wording === "object" && wording ? wording[name] : undefined}
      absent="as shipped"
      onText={(text) => edit(model.setWording(edited.value, name, text), text === undefined ? "" : at)}
    />
  );
}
