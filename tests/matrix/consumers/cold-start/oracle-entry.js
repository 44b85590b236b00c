import { createOracle } from "./oracle.js";
import { sha256Hex } from "./node-crypto.js";
import { INPUT } from "./input.js";

export const prompt = () => createOracle({ sha256Hex }).assemble(INPUT).system;
