// @ts-check

// Reads declaration files with the TypeScript compiler.

import { join } from "node:path";
import ts from "typescript";

import { testsFolder } from "./repository.js";

/** @type {ts.CompilerOptions} */
export const STRICT = {
  strict: true,
  noEmit: true,
  // The compiler's own libraries are not what is checked.
  skipDefaultLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
  types: [],
};

/**
 * What the compiler complains about, one line each.
 *
 * @param {ts.Program} program
 */
export function complaints(program) {
  return ts.getPreEmitDiagnostics(program).map(({ file, start, code, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, "\n");
    if (!file || start === undefined) return `TS${code}: ${message}`;
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    return `${file.fileName.split("/").at(-1)}:${line + 1}:${character + 1} TS${code}: ${message}`;
  });
}

/**
 * Compiles sources that are nowhere on disk, as if they stood in the folder of the tests.
 *
 * @param {Record<string, string>} sources By file name.
 * @param {ts.CompilerOptions} options
 */
export function compileSources(sources, options) {
  const paths = new Map(Object.entries(sources).map(([name, text]) => [join(testsFolder, name), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => paths.has(path) || fileExists(path);
  host.readFile = (path) => paths.get(path) ?? readFile(path);
  host.getCurrentDirectory = () => testsFolder;
  return complaints(ts.createProgram([...paths.keys()], options, host));
}

/** The declarations of one file, and what is in them. */
export class Declarations {
  /** @param {string} path */
  constructor(path) {
    const program = ts.createProgram([path], STRICT);
    const source = program.getSourceFile(path);
    this.complaints = complaints(program);
    this.checker = program.getTypeChecker();
    const module = source && this.checker.getSymbolAtLocation(source);
    if (!source || !module) throw new Error(`${path} is no module`);
    this.source = source;
    this.symbols = new Map(this.checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  }

  /** The names of exported values: functions, classes, constants. */
  get values() {
    const isValue = (/** @type {ts.Symbol} */ symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0;
    return [...this.symbols.values()].filter(isValue).map(({ name }) => name);
  }

  /** @param {string} name */
  #symbol(name) {
    const symbol = this.symbols.get(name);
    if (!symbol) throw new Error(`${name} is not declared`);
    return symbol;
  }

  /**
   * An interface, a class or a type alias.
   *
   * @param {string} name
   */
  type(name) {
    return this.checker.getDeclaredTypeOfSymbol(this.#symbol(name));
  }

  /** @param {string} name */
  signature(name) {
    const [signature] = this.checker.getTypeOfSymbol(this.#symbol(name)).getCallSignatures();
    return signature;
  }

  /**
   * The signature of a method of a class.
   *
   * @param {string} name
   * @param {string} method
   */
  methodSignature(name, method) {
    const symbol = this.checker.getPropertyOfType(this.type(name), method);
    if (!symbol) throw new Error(`${name}.${method} is not declared`);
    const [signature] = this.checker.getTypeOfSymbol(symbol).getCallSignatures();
    return signature;
  }

  /**
   * The fields of an object type: their types without undefined, and whether they may be left out.
   *
   * @param {ts.Type} type
   */
  fields(type) {
    return this.checker.getPropertiesOfType(type).map((symbol) => ({
      name: symbol.name,
      isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      alternatives: this.alternatives(this.checker.getTypeOfSymbol(symbol)),
    }));
  }

  /**
   * The parameters of a function, as if they were fields.
   *
   * @param {ts.Signature} signature
   */
  parameters(signature) {
    return signature.parameters.map((symbol) => {
      const declaration = /** @type {ts.ParameterDeclaration} */ (symbol.valueDeclaration);
      return {
        name: symbol.name,
        isOptional: this.checker.isOptionalParameter(declaration),
        alternatives: this.alternatives(this.checker.getTypeOfSymbol(symbol)),
      };
    });
  }

  /**
   * The members of a union, without undefined; any other type is its own only member.
   *
   * @param {ts.Type} type
   */
  alternatives(type) {
    const members = type.isUnion() ? type.types : [type];
    return members.filter((member) => (member.flags & ts.TypeFlags.Undefined) === 0);
  }

  /**
   * What kind of value a type that is no union stands for.
   *
   * @param {ts.Type} type
   * @returns {"text" | "number" | "boolean" | "null" | "list" | "object"}
   */
  kind(type) {
    const { flags } = type;
    if (flags & ts.TypeFlags.StringLike) return "text";
    // `string & {}`, which keeps the literals beside it in editors.
    if (type.isIntersection() && type.types.some((it) => it.flags & ts.TypeFlags.String)) return "text";
    if (flags & ts.TypeFlags.NumberLike) return "number";
    if (flags & ts.TypeFlags.BooleanLike) return "boolean";
    if (flags & ts.TypeFlags.Null) return "null";
    if (this.checker.isArrayType(type)) return "list";
    if (flags & ts.TypeFlags.Object) return "object";
    throw new Error(`what is ${this.checker.typeToString(type)}?`);
  }

  /**
   * The string literals among types.
   *
   * @param {ts.Type[]} types
   */
  literals(types) {
    return types.flatMap((type) => (type.isStringLiteral() ? [type.value] : []));
  }

  /** @param {ts.Type} list */
  elementType(list) {
    return this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (list))[0];
  }
}
