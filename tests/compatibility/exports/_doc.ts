/**
 * What `deno doc --json` says of the public subpaths: the parts that the gate reads.
 *
 * @module
 */
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A type, as its syntax. `value` depends on the kind. */
export interface TypeNode {
  readonly kind: string;
  readonly repr?: string;
  // deno-lint-ignore no-explicit-any -- the shape of each kind is read in one place, `_types.ts`
  readonly value?: any;
}

/** A parameter of a function. */
export interface Parameter {
  readonly kind: "identifier" | "object" | "array" | "assign" | "rest";
  readonly optional?: boolean;
  readonly tsType?: TypeNode;
  /** The parameter that has a default. */
  readonly left?: Parameter;
}

/** A parameter of a type. */
export interface TypeParameter {
  readonly name: string;
  readonly constraint?: TypeNode;
  readonly default?: TypeNode;
}

/** What can be called. */
export interface Signature {
  readonly typeParams?: readonly TypeParameter[];
  readonly params: readonly Parameter[];
  readonly returnType?: TypeNode;
  /** The same, of function types and of signatures in interfaces. */
  readonly tsType?: TypeNode;
}

/** A member of an interface or a class. */
export interface Member extends Partial<Signature> {
  readonly name: string;
  /** Whether the name is an expression, such as a symbol. */
  readonly computed?: boolean;
  readonly optional?: boolean;
  readonly readonly?: boolean;
  readonly isStatic?: boolean;
  readonly accessibility?: string;
  /** The signature of a method of a class. */
  readonly functionDef?: Signature;
}

/** What a declaration says. Which members it has depends on its kind. */
export interface Definition extends Partial<Signature> {
  readonly properties?: readonly Member[];
  readonly methods?: readonly Member[];
  readonly constructors?: readonly Signature[];
  readonly callSignatures?: readonly Signature[];
  readonly indexSignatures?: readonly Signature[];
  readonly extends?: string | readonly TypeNode[];
  readonly superTypeParams?: readonly TypeNode[];
  readonly target?: Place;
}

/** Where something is declared. */
export interface Place {
  readonly filename: string;
  readonly byteIndex: number;
}

/** One declaration of a name. A function with overloads has several. */
export interface Declaration {
  readonly kind: "interface" | "typeAlias" | "function" | "class" | "variable" | "reference";
  readonly location: Place;
  readonly def: Definition;
}

/** A name that a module exports. */
export interface DocSymbol {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

/** The names of each subpath. */
export type Docs = ReadonlyMap<string, readonly DocSymbol[]>;

/** What only sites of Qwik install. */
const ABSENT = ["@builder.io/qwik", "@builder.io/qwik/build", "@builder.io/qwik-city"];

/** Reads the exports of all subpaths in one run of `deno doc`. @throws {Error} with what Deno says. */
export async function readDocs(): Promise<Docs> {
  const { exports, imports } = JSON.parse(await Deno.readTextFile("deno.json")) as {
    readonly exports: Readonly<Record<string, string>>;
    readonly imports: Readonly<Record<string, string>>;
  };
  const map = await Deno.makeTempFile({ suffix: ".json" });
  try {
    const stubs = Object.fromEntries(ABSENT.map((name) => [name, "data:text/typescript,export%20{}"]));
    await Deno.writeTextFile(map, JSON.stringify({ imports: { ...imports, ...stubs } }));
    const files = [...new Set(Object.values(exports))];
    const args = ["doc", "--json", "--quiet", "--no-lock", `--import-map=${map}`, ...files];
    const command = new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } });
    const { success, stdout, stderr } = await command.output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as {
      readonly nodes: Readonly<Record<string, { readonly symbols: readonly DocSymbol[] }>>;
    };
    const symbolsOf = (file: string): readonly DocSymbol[] => nodes[pathToFileURL(resolve(file)).href]?.symbols ?? [];
    return new Map(Object.entries(exports).map(([subpath, file]) => [subpath, symbolsOf(file)]));
  } finally {
    await rm(map);
  }
}
