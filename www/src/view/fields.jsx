// @ts-check

// Fields of text: one that may say nothing, and a list of items.

/** @import { ComponentChildren } from "preact" */
/** @import { Diagnostic } from "prompt-strata" */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { memo } from "preact/compat";
import { focusSoon } from "../focus.js";
import { notices } from "../state.js";
import { byteLength } from "../model/sizes.js";
import { counted, sentence, shortNotice } from "../model/words.js";

const GROWS_ALONE = CSS.supports("field-sizing", "content");

/**
 * A text area as tall as its text.
 *
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.value
 * @param {(text: string) => void} props.onText
 * @param {string} [props.label] Where no `<label>` names it.
 * @param {string} [props.describedBy]
 * @param {string} [props.placeholder]
 * @param {(event: KeyboardEvent) => void} [props.onKeyDown]
 * @param {() => void} [props.onBlur]
 * @param {boolean} [props.isSingle] Begins with one line.
 */
export function TextArea({ id, value, onText, label, describedBy, placeholder, onKeyDown, onBlur, isSingle = false }) {
  const element = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  useLayoutEffect(() => {
    if (GROWS_ALONE || !element.current) return;
    element.current.style.height = "auto";
    element.current.style.height = `${element.current.scrollHeight + 2}px`;
  }, [value]);
  return (
    <textarea
      ref={element}
      id={id}
      class={isSingle ? "grows single" : "grows"}
      rows={isSingle ? 1 : 2}
      spellcheck={false}
      value={value}
      aria-label={label}
      aria-describedby={describedBy}
      placeholder={placeholder}
      onInput={(event) => onText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  );
}

/**
 * The notices of a place, briefly; the panel of notices has them in full.
 *
 * @param {{ place: string, id?: string }} props
 */
export function Notes({ place, id }) {
  const found = notices.value.get(place);
  if (!found) return null;
  return (
    <ul class="notes" id={id}>
      {brief(found).map(({ text, severity, title }) => (
        <li key={text} class={`note ${severity}`} title={title}>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** One line for each kind. @param {Diagnostic[]} found */
function brief(found) {
  /** @type {Map<string, { text: string, severity: string, title: string, count: number }>} */
  const kinds = new Map();
  for (const { code, severity, message } of found) {
    const known = kinds.get(code);
    if (known) {
      known.count += 1;
      known.title += `\n${sentence(message)}`;
    } else kinds.set(code, { text: shortNotice(code) ?? sentence(message), severity, title: sentence(message), count: 1 });
  }
  return [...kinds.values()].map(({ count, text, ...rest }) => ({
    ...rest,
    text: count > 1 ? `${text} (${count})` : text,
  }));
}

/**
 * A text that may be absent. Absent is a thin row; written is a text area; empty on purpose is one that says so.
 *
 * @param {object} props
 * @param {string} props.place
 * @param {string} props.label
 * @param {string} props.owner Names whose field it is, for those who do not see the page.
 * @param {string} [props.hint]
 * @param {string | undefined} props.value
 * @param {(text: string | undefined) => void} props.onText
 * @param {string} props.absent What holds while it is absent.
 * @param {boolean} [props.overrides] Whether an empty text hides what broader layers say.
 * @param {ComponentChildren} [props.note]
 * @param {ComponentChildren} [props.extra] More buttons.
 */
export function TextField({ place, label, owner, hint, value, onText, absent, overrides = false, note, extra }) {
  const [isOpen, setOpen] = useState(false);
  const id = `${place}-text`;
  const hintId = `${place}-hint`;
  const isEmptied = overrides && value === "";
  const emptyButton = (
    <button
      type="button"
      class="quiet"
      aria-label={`Empty on purpose: ${label}, ${owner}`}
      onClick={() => {
        onText("");
        focusSoon(id);
      }}
    >
      Empty on purpose
    </button>
  );

  if (value === undefined && !isOpen) {
    return (
      <div class="field absent" id={place}>
        <span class="name">{label}</span>
        <span class="state">{absent}</span>
        <span class="actions">
          <button
            type="button"
            class="quiet"
            aria-label={`Write: ${label}, ${owner}`}
            onClick={() => {
              setOpen(true);
              focusSoon(id);
            }}
          >
            Write
          </button>
          {overrides && emptyButton}
        </span>
        <Notes place={place} />
      </div>
    );
  }

  return (
    <div class={isEmptied ? "field emptied" : "field"} id={place}>
      <div class="head">
        <label class="name" for={id}>
          {label}
        </label>
        {isEmptied && <span class="badge">empty on purpose</span>}
        {value === undefined && <span class="state">{absent}</span>}
        <span class="actions">
          {extra}
          {overrides && value !== undefined && value !== "" && emptyButton}
          {value !== undefined && (
            <button
              type="button"
              class="quiet"
              aria-label={`${overrides ? "Inherit instead" : "Remove"}: ${label}, ${owner}`}
              onClick={() => {
                setOpen(false);
                onText(undefined);
                focusSoon(place);
              }}
            >
              {overrides ? "Inherit instead" : "Remove"}
            </button>
          )}
        </span>
      </div>
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      <TextArea
        id={id}
        value={value ?? ""}
        describedBy={hint ? hintId : undefined}
        placeholder={isEmptied ? "Nothing here, and nothing from broader layers either." : "Write here …"}
        onText={onText}
        onBlur={() => {
          if (value === undefined) setOpen(false);
        }}
      />
      {note}
      <Notes place={place} />
    </div>
  );
}

/**
 * @param {object} props
 * @param {string} props.place Of the item.
 * @param {string} props.list Of its list.
 * @param {number} props.index
 * @param {string} props.label
 * @param {string} props.value
 * @param {(change: ItemChange) => void} props.onChange Always the same function.
 */
function PlainItem({ place, list, index, label, value, onChange }) {
  const id = `${place}-text`;
  return (
    <li id={place}>
      <TextArea
        id={id}
        isSingle
        label={`${label} ${index + 1}`}
        value={value}
        onText={(text) => onChange({ list, index, text })}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            onChange({ list, index: index + 1, insert: true });
          } else if (event.key === "Backspace" && value === "") {
            event.preventDefault();
            onChange({ list, index, remove: true });
          }
        }}
      />
      <button
        type="button"
        class="quiet icon"
        aria-label={`Remove ${label} ${index + 1}`}
        title="Remove"
        onClick={() => onChange({ list, index, remove: true })}
      >
        ×
      </button>
      <Notes place={place} />
    </li>
  );
}

const Item = memo(PlainItem);

/**
 * @typedef {object} ItemChange
 * @property {string} list
 * @property {number} index
 * @property {string} [text]
 * @property {boolean} [insert]
 * @property {boolean} [remove]
 */

/**
 * A list of items, one short text area each. Enter begins the next.
 *
 * @param {object} props
 * @param {string} props.place
 * @param {string} props.label
 * @param {string} props.owner
 * @param {string} props.hint
 * @param {readonly string[]} props.items
 * @param {(items: readonly string[] | undefined, place?: string) => void} props.onItems
 * @param {ComponentChildren} [props.extra]
 */
function PlainListField({ place, label, owner, hint, items, onItems, extra }) {
  const latest = useRef({ items, onItems });
  latest.current = { items, onItems };
  const [onChange] = useState(() => (/** @type {ItemChange} */ { index, text, insert, remove }) => {
    const { items: now, onItems: tell } = latest.current;
    if (insert) {
      tell(now.toSpliced(index, 0, ""));
      focusSoon(`${place}-${index}-text`);
    } else if (remove) {
      tell(now.length === 1 ? undefined : now.toSpliced(index, 1));
      focusSoon(`${place}-${Math.max(0, index - 1)}-text`, place);
    } else tell(now.with(index, text ?? ""), `${place}-${index}`);
  });
  const bytes = byteLength(items.join(""));
  return (
    <div class="field" id={place} role="group" aria-labelledby={`${place}-name`}>
      <div class="head">
        <span class="name" id={`${place}-name`}>
          {label}
        </span>
        <span class="state">{`${counted(items.length, "item")}, ${counted(bytes, "byte")}`}</span>
        <span class="actions">
          {extra}
          <button
            type="button"
            class="quiet"
            aria-label={`Remove all: ${label}, ${owner}`}
            onClick={() => {
              onItems(undefined);
              focusSoon(place);
            }}
          >
            Remove
          </button>
        </span>
      </div>
      <p class="hint">{hint}</p>
      <ul class="items">
        {items.map((item, index) => (
          <Item
            key={index}
            list={place}
            place={`${place}-${index}`}
            index={index}
            label={label}
            value={item}
            onChange={onChange}
          />
        ))}
      </ul>
      <button
        type="button"
        class="quiet add"
        aria-label={`Add one: ${label}, ${owner}`}
        onClick={() => onChange({ list: place, index: items.length, insert: true })}
      >
        + Add one
      </button>
    </div>
  );
}

/**
 * Rendered only when its items change: what it calls does not depend on anything else.
 */
export const ListField = memo(
  PlainListField,
  (was, now) => was.items === now.items && was.place === now.place && was.owner === now.owner,
);

/**
 * A choice between a few.
 *
 * @template {string} T
 * @param {object} props
 * @param {string} props.place
 * @param {string} props.legend
 * @param {T} props.value
 * @param {readonly { value: T, label: string, term?: string }[]} props.choices
 * @param {(value: T) => void} props.onChoice
 * @param {ComponentChildren} [props.children]
 */
export function Choice({ place, legend, value, choices, onChoice, children }) {
  return (
    <fieldset class="choice" id={place}>
      <legend>{legend}</legend>
      <div class="choices">
        {choices.map((one) => (
          <label key={one.value}>
            <input
              type="radio"
              name={place}
              checked={one.value === value}
              onChange={() => onChoice(one.value)}
            />
            <span>
              {one.label} {one.term && <code class="term">{one.term}</code>}
            </span>
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}
