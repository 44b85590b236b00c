"use client";

import * as strata from "prompt-strata";
import { useEffect } from "react";
import vectors from "../../fixtures.js";
import { probe } from "../../matrix/probe.js";

export default function Page() {
  useEffect(() => {
    globalThis.report = probe(strata, vectors);
  }, []);
  return <p>client</p>;
}
