import { assemble } from "prompt-strata";
import { INPUT } from "./input.js";

export const prompt = () => assemble(INPUT).system;
