import * as strata from "./node_modules/prompt-strata/dist/inline.js";
import vectors from "./fixtures.js";
import { probe } from "./matrix/probe.js";

addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (!event.request.url.endsWith("/report-from-the-service-worker")) return;
  event.respondWith(Response.json(probe(strata, vectors)));
});
