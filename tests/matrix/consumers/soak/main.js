// Reads stretches as lines, answers each with a line.
import { createInterface } from "node:readline";

import { stretch } from "./soak.js";

for await (const line of createInterface({ input: process.stdin })) {
  const answer = stretch(JSON.parse(line));
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  console.log(JSON.stringify({ ...answer, heap: heapUsed, rss }));
}
