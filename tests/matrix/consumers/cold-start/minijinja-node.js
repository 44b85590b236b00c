import { Environment } from "minijinja-js";
import { INPUT } from "./input.js";
import { render } from "./template.js";

export const prompt = () => render(new Environment(), INPUT);
