import { Assembler } from "prompt-strata";

export function tail(): string {
  using assembler = new Assembler({ layers: [] });
  return assembler.assemble().tail;
}
