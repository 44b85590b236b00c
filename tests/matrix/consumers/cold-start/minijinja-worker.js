import { Environment, initSync } from "./node_modules/minijinja-js/dist/web/minijinja_js.js";
import module from "./node_modules/minijinja-js/dist/web/minijinja_js_bg.wasm";
import { INPUT } from "./input.js";
import { render } from "./template.js";

export const prompt = () => {
  initSync({ module });
  return render(new Environment(), INPUT);
};
