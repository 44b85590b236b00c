import * as strata from "./node_modules/prompt-strata/dist/web.js";
import vectors from "./fixtures.js";
import { probe } from "./matrix/probe.js";

let early = "nothing was thrown";
try {
  strata.assemble({ layers: [] });
} catch (thrown) {
  early = thrown instanceof strata.StrataError ? thrown.code : String(thrown);
}
await strata.init();
globalThis.report = { early, ...probe(strata, vectors) };
