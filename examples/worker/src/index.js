// @ts-check

import { StrataError, assemble } from "prompt-strata";

/** The most bytes a request may have. */
const LIMIT = 1024 * 1024;

export default {
  /**
   * `POST /assemble` takes the layers as JSON and answers with the assembled prompt.
   *
   * @param {Request} request
   * @returns {Promise<Response>}
   */
  async fetch(request) {
    if (new URL(request.url).pathname !== "/assemble") {
      return problem(404, "not-found", "there is only /assemble");
    }
    if (request.method !== "POST") {
      return problem(405, "method-not-allowed", "/assemble takes POST", { allow: "POST" });
    }
    const body = await readBody(request);
    if (!body) return problem(413, "too-large", `more than ${LIMIT} bytes`);
    try {
      return Response.json(assemble(body));
    } catch (thrown) {
      if (thrown instanceof StrataError && thrown.code !== "internal") {
        return problem(400, thrown.code, thrown.message, {}, thrown.path);
      }
      // Our own failure is for the log, and none of the caller's business.
      console.error(thrown);
      return problem(500, "internal", "the prompt could not be assembled");
    }
  },
};

/**
 * Reads the body while it arrives, and no further than the limit.
 *
 * @param {Request} request
 * @returns {Promise<Uint8Array | undefined>} Nothing where there is more.
 */
async function readBody(request) {
  if (Number(request.headers.get("content-length")) > LIMIT) return undefined;
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  /** @type {Uint8Array[]} */
  const chunks = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return join(chunks, length);
    length += value.length;
    if (length > LIMIT) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}

/**
 * @param {Uint8Array[]} chunks
 * @param {number} length
 */
function join(chunks, length) {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * @param {number} status
 * @param {string} code
 * @param {string} message
 * @param {Record<string, string>} [headers]
 * @param {string} [path]
 */
function problem(status, code, message, headers = {}, path = "") {
  return Response.json({ code, path, message }, { status, headers });
}
