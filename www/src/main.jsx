// @ts-check

import { render } from "preact";
import "./styles/page.css";
import { App } from "./view/App.jsx";

const root = document.getElementById("app");
if (root) render(<App />, root);
