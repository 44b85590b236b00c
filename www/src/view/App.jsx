// @ts-check

/** @import { Kept } from "../model/aside.js" */
/** @import { Theme } from "../state.js" */

import { useEffect, useRef, useState } from "preact/hooks";
import { writeJson } from "../model/files.js";
import { sentence } from "../model/words.js";
import * as state from "../state.js";
import { Facts, OptionsPart, Runtime } from "./Host.jsx";
import { Layers } from "./Layers.jsx";
import { Result } from "./Result.jsx";

export function App() {
  const [isDropping, setDropping] = useState(false);
  const [shown, show] = useState(/** @type {"document" | Kept | undefined} */ (undefined));

  useEffect(() => listenForUndo(), []);
  useEffect(() => listenForPaste(), []);
  useEffect(() => listenForDrop(setDropping), []);

  return (
    <>
      <a class="skip" href="#layers-title">
        Skip to the layers
      </a>
      <a class="skip" href="#result">
        Skip to what the model reads
      </a>
      <Header onJson={() => show("document")} />
      <KeptBar onLook={show} />
      <MessageBar />
      <div class="panes">
        <section class="pane" id="editor" aria-label="What you write">
          <Layers />
          <Runtime />
          <Facts />
          <OptionsPart />
          <p class="start-over">
            Start over:{" "}
            <button type="button" class="quiet" onClick={state.startWithExample}>
              with the example
            </button>{" "}
            <button type="button" class="quiet" onClick={state.startWithNothing}>
              with nothing
            </button>
          </p>
        </section>
        <Result />
      </div>
      {isDropping && (
        <div class="drop" aria-hidden="true">
          <p>Let go to open the file</p>
        </div>
      )}
      {shown && <JsonDialog kept={shown === "document" ? undefined : shown} onClose={() => show(undefined)} />}
    </>
  );
}

/** @param {{ onJson: () => void }} props */
function Header({ onJson }) {
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  return (
    <header class="top">
      <h1>
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <path class="narrow" d="M4 7c8-4 16 4 24 0v5c-8 4-16-4-24 0z" />
          <path class="middle" d="M4 14c8-4 16 4 24 0v5c-8 4-16-4-24 0z" />
          <path class="broad" d="M4 21c8-4 16 4 24 0v5c-8 4-16-4-24 0z" />
        </svg>
        Prompt Strata
      </h1>
      <nav class="between-panes" aria-label="Parts of the page">
        <a href="#editor">Write</a>
        <a href="#result">Read</a>
      </nav>
      <div class="tools" role="toolbar" aria-label="File and history">
        <input
          ref={file}
          class="unseen"
          type="file"
          accept=".json,application/json"
          tabIndex={-1}
          aria-label="Open a JSON file"
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            if (chosen) void openFile(chosen);
            // So that the same file can be chosen again.
            event.currentTarget.value = "";
          }}
        />
        <button type="button" onClick={() => file.current?.click()}>
          Open…
        </button>
        <button type="button" onClick={saveFile}>
          Save
        </button>
        <button type="button" onClick={onJson} title="See, copy or paste the input as JSON">
          JSON…
        </button>
        <span class="pair">
          <button type="button" onClick={state.undo} disabled={!state.canUndo.value}>
            Undo
          </button>
          <button type="button" onClick={state.redo} disabled={!state.canRedo.value}>
            Redo
          </button>
        </span>
        <label class="theme">
          <span class="unseen">Appearance</span>
          <select
            value={state.theme.value}
            onChange={(event) => {
              state.theme.value = /** @type {Theme} */ (event.currentTarget.value);
            }}
          >
            <option value="auto">Auto</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
      </div>
    </header>
  );
}

function MessageBar() {
  const message = state.message.value;
  return (
    <div class="messages">
      <div role="status">
        {message?.kind === "status" && (
          <div class="message">
            <p>{message.text}</p>
            {message.canUndo && (
              <button type="button" class="quiet" onClick={state.undo}>
                Undo
              </button>
            )}
            <Dismiss />
          </div>
        )}
      </div>
      <div role="alert">
        {message?.kind === "problem" && (
          <div class="message problem">
            <div>
              <p>
                <strong>{message.text}</strong>
              </p>
              {message.problem && (
                <p>
                  {sentence(message.problem.message)}.
                  {message.problem.path && (
                    <>
                      {" "}
                      Look at <code class="path">{message.problem.path}</code> in the file.
                    </>
                  )}
                </p>
              )}
            </div>
            <Dismiss />
          </div>
        )}
      </div>
    </div>
  );
}

/**
 * What this version of the page cannot take stays, with the reason.
 *
 * @param {{ onLook: (kept: Kept) => void }} props
 */
function KeptBar({ onLook }) {
  const kept = state.kept.value;
  if (!kept) return null;
  const { name, problem } = kept;
  return (
    <div class="messages" role="alert">
      <div class="message problem" id="kept">
        <div>
          <p>
            <strong>
              {sentence(name)} is kept{problem ? ", but this version of the page does not take it." : " and can be opened again."}
            </strong>
          </p>
          {problem && <p>{sentence(problem.message)}.</p>}
        </div>
        <button type="button" onClick={() => onLook(kept)}>
          Look at it
        </button>
        <button type="button" class="quiet" onClick={() => state.discardKept(kept)}>
          Discard
        </button>
      </div>
    </div>
  );
}

function Dismiss() {
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        state.message.value = undefined;
      }}
    >
      Dismiss
    </button>
  );
}

/** @param {{ kept: Kept | undefined, onClose: () => void }} props */
function JsonDialog({ kept, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [text, setText] = useState(() => kept?.text ?? writeJson(state.edited.value));
  const [note, setNote] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="json" aria-labelledby="json-title" onClose={onClose}>
      <h2 id="json-title">The input as JSON</h2>
      <p class="lede" id="json-hint">
        {kept ? "This is what was kept. Mend it here, or copy it." : "This is all that is saved. Copy it, or put another in its place."}
      </p>
      <textarea
        aria-labelledby="json-title"
        aria-describedby="json-hint"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div role="alert">{note && <p class="problem">{note}</p>}</div>
      <div class="dialog-actions">
        <button
          type="button"
          class="primary"
          onClick={() => {
            const problem = state.open(text, kept?.name ?? "the pasted text");
            if (problem) {
              setNote(`${sentence(problem.message)}.`);
              return;
            }
            if (kept) state.discardKept(kept);
            dialog.current?.close();
          }}
        >
          Use this text
        </button>
        <button
          type="button"
          onClick={async () => {
            try {
              await navigator.clipboard.writeText(text);
              setNote("");
              state.tell("The JSON is copied.");
              dialog.current?.close();
            } catch {
              setNote("This browser does not let the page copy. Select the text and copy it yourself.");
            }
          }}
        >
          Copy
        </button>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}

const LARGEST = 64 * 1024 * 1024;

/** @param {File} file */
async function openFile(file) {
  if (file.size > LARGEST) {
    state.complain(`“${file.name}” is larger than any prompt, and was not opened.`);
    return;
  }
  try {
    state.openOrComplain(new Uint8Array(await file.arrayBuffer()), `“${file.name}”`);
  } catch {
    state.complain(`“${file.name}” could not be read, and your text is as it was. Is it a folder, or has it moved?`);
  }
}

function saveFile() {
  const url = URL.createObjectURL(new Blob([writeJson(state.edited.value)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "prompt.json";
  link.click();
  // Later: some browsers begin to read only after the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {EventTarget | null} target */
function isTypedInto(target) {
  return target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
}

function listenForUndo() {
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("dialog")) return;
    const key = event.key.toLowerCase();
    if (key === "z") (event.shiftKey ? state.redo : state.undo)();
    else if (key === "y") state.redo();
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}

function listenForPaste() {
  /** @param {ClipboardEvent} event */
  const onPaste = (event) => {
    if (isTypedInto(event.target)) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (file) void openFile(file);
    else if (text.trim() !== "") state.openOrComplain(text, "the pasted text");
    else return;
    event.preventDefault();
  };
  document.addEventListener("paste", onPaste);
  return () => document.removeEventListener("paste", onPaste);
}

/** @param {(isDropping: boolean) => void} setDropping */
function listenForDrop(setDropping) {
  /** @param {DragEvent} event */
  const hasFile = (event) => event.dataTransfer?.types.includes("Files") ?? false;
  /** @param {DragEvent} event */
  const onDragOver = (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    setDropping(true);
  };
  /** @param {DragEvent} event */
  const onDragLeave = (event) => {
    if (event.relatedTarget === null) setDropping(false);
  };
  /** @param {DragEvent} event */
  const onDrop = (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    setDropping(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (file) void openFile(file);
  };
  document.addEventListener("dragover", onDragOver);
  document.addEventListener("dragleave", onDragLeave);
  document.addEventListener("drop", onDrop);
  return () => {
    document.removeEventListener("dragover", onDragOver);
    document.removeEventListener("dragleave", onDragLeave);
    document.removeEventListener("drop", onDrop);
  };
}
