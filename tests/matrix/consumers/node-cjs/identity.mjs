import { createRequire } from "node:module";

import * as imported from "prompt-strata";

const required = createRequire(import.meta.url)("prompt-strata");

let isInstance = false;
try {
  required.digest(7);
} catch (thrown) {
  isInstance = thrown instanceof imported.StrataError;
}
console.log(JSON.stringify({ isSameClass: required.StrataError === imported.StrataError, isInstance }));
