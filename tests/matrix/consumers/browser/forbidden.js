import * as inline from "./node_modules/prompt-strata/dist/inline.js";
import * as web from "./node_modules/prompt-strata/dist/web.js";

const attempts = {
  inline: async () => inline.assemble({ layers: [] }),
  "inline again": async () => inline.assemble({ layers: [] }),
  web: () => web.init(),
  "web again": () => web.init(),
};

const report = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    report[name] = { code: "nothing was thrown" };
  } catch (thrown) {
    const isTyped = thrown instanceof inline.StrataError || thrown instanceof web.StrataError;
    report[name] = { isTyped, code: thrown.code, message: thrown.message };
  }
}
globalThis.report = report;
