/**
 * Holds the house together: imports go down, each package and each door to the outside world stays in its place.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read scripts/check_layers.ts
 * ```
 *
 * @module
 */
import { say } from "./say.ts";
import { sourcesBelow } from "./source_files.ts";
import { countCodeLines, type Import, importsOf, type Token, tokenize } from "./source_text.ts";

/**
 * The levels, lowest first. A name that ends in "/" is a folder, whose files may import each other; any other is a file
 * that a program imports.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ["src/kernel/"],
  ["src/crypto/", "src/errors.ts"],
  ["src/http/"],
  ["src/contract/", "src/mail.ts"],
  [
    "src/config/",
    "src/providers/",
    "src/jwt.ts",
    "adapters/conformance/",
    "adapters/kv/",
    "adapters/memory/",
    "adapters/sql/",
  ],
  ["src/stores/", "src/action_url.ts", "adapters/"],
  ["src/request/"],
  ["src/sign_in/", "src/session/", "src/pages/"],
  ["src/oauth/", "src/email/", "src/credentials/", "src/webauthn/", "src/views/"],
  ["src/service/", "src/attestation.ts"],
  ["src/auth.ts", "src/node.ts"],
  ["mod.ts"],
];

/** Rooms that nothing imports: what is in them reaches a program only when the program asks for it by name. */
const LEAVES: readonly string[] = ["src/providers/", "adapters/"];

/** The only dynamic imports of our own code: who, and what. */
export const LAZY: readonly (readonly [file: string, target: string])[] = [
  ["src/service/lazy.ts", "src/service/flows.ts"],
  ["src/service/lazy.ts", "src/service/actions.ts"],
  ["src/service/lazy.ts", "src/pages/render.tsx"],
  ["src/service/lazy.ts", "src/oauth/mod.ts"],
  ["src/service/lazy.ts", "src/email/mod.ts"],
  ["src/service/lazy.ts", "src/credentials/sign_in.ts"],
  ["src/service/lazy.ts", "src/webauthn/mod.ts"],
];

/** Where each package may be imported: a file, or a room. */
export const PACKAGES: Readonly<Record<string, string>> = {
  "@simplewebauthn/server": "src/webauthn/library.ts",
  "node:fs": "adapters/sqlite.ts",
  "node:sqlite": "adapters/sqlite.ts",
  "nodemailer": "src/providers/nodemailer.ts",
  "oauth4webapi": "src/oauth/",
  "preact": "src/pages/",
  "preact-render-to-string": "src/pages/",
};

/** Where a `Response` may be made. */
const RESPONSE_MAKERS: readonly string[] = [
  "src/service/respond.ts",
  "src/service/guard.ts", // copies an answer of the application, to add cookies
  "src/oauth/outbound.ts", // copies an answer of a provider, once its body is read
  "src/oauth/keys.ts", // hands keys to a library that would fetch them
  "src/oauth/tokens.ts", // hands tokens to a library that reads responses
];

/** The only file that touches the outside world. */
const OUTSIDE = "src/kernel/runtime.ts";

/** Lines of code that a file may hold without saying why it is longer. */
const LONGEST = 200;

/** What is wrong, and where. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

interface Place {
  readonly layer: number;
  /** The entry of the table: a file, or the room it is in. */
  readonly entry: string;
}

function placeOf(path: string): Place | null {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const [layer, entries] of LAYERS.entries()) {
    const entry = entries.find((entry) => entry === path || entry === folder);
    if (entry) return { layer, entry };
  }
  return null;
}

function isIn(path: string, entry: string): boolean {
  return entry.endsWith("/") ? path.startsWith(entry) : path === entry;
}

/** Checks one file on its own. `path` is relative to the root of the project. */
export function checkFile(path: string, text: string): Finding[] {
  const tokens = tokenize(text);
  const found = [...checkName(path), ...checkMarkers(path, text)];
  // Scripts, tests and examples live outside the layers.
  if (!/^(?:src|adapters)\/|^mod\.ts$/.test(path)) return found;
  const place = placeOf(path);
  if (!place) found.push({ file: path, line: 1, reason: "it is not in the table of layers" });
  for (const imported of importsOf(tokens)) {
    const reason = problemOfImport(path, place, imported);
    if (reason) found.push({ file: path, line: imported.line, reason });
  }
  return [...found, ...checkTokens(path, tokens), ...checkLength(path, text, tokens)];
}

/** Checks all files together: cycles, imports that lead nowhere, and exceptions that nothing needs any more. */
export function checkGraph(sources: ReadonlyMap<string, string>): Finding[] {
  const found: Finding[] = [];
  const graph = new Map<string, Map<string, number>>();
  for (const [path, text] of sources) {
    const targets = new Map<string, number>();
    for (const { specifier, line } of importsOf(tokenize(text))) {
      if (!specifier?.startsWith(".")) continue;
      const target = resolve(path, specifier);
      targets.set(target, line);
      if (!sources.has(target)) found.push({ file: path, line, reason: `it imports ${target}, which does not exist` });
    }
    graph.set(path, targets);
  }
  const files = [...sources.keys()];
  for (const entry of LAYERS.flat()) {
    if (files.some((path) => isIn(path, entry))) continue;
    found.push({ file: entry, line: 1, reason: "the table of layers names it, but it does not exist" });
  }
  for (const [file, target] of LAZY) {
    if (graph.get(file)?.has(target)) continue;
    found.push({ file, line: 1, reason: `it may load ${target} lazily, but does not` });
  }
  return [...found, ...cyclesOf(graph)];
}

function cyclesOf(graph: ReadonlyMap<string, ReadonlyMap<string, number>>): Finding[] {
  const found: Finding[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  function visit(path: string): void {
    trail.push(path);
    for (const [target, line] of graph.get(path) ?? []) {
      // A module that is loaded late may import the file that loads it, which has long been evaluated by then.
      if (LAZY.some(([file, lazy]) => file === path && lazy === target)) continue;
      const start = trail.indexOf(target);
      if (start >= 0) {
        const cycle = [...trail.slice(start), target].join(" -> ");
        found.push({ file: path, line, reason: `the imports go round: ${cycle}` });
      } else if (!done.has(target)) visit(target);
    }
    trail.pop();
    done.add(path);
  }
  for (const path of graph.keys()) if (!done.has(path)) visit(path);
  return found;
}

function problemOfImport(path: string, place: Place | null, { specifier, dynamic }: Import): string | null {
  if (specifier === null) return "it computes what it imports";
  if (!specifier.startsWith(".")) return problemOfPackage(path, specifier);
  const target = resolve(path, specifier);
  if (dynamic && !LAZY.some(([file, lazy]) => file === path && lazy === target)) {
    return `it loads ${target} lazily, which is not in the list`;
  }
  const theirs = placeOf(target);
  if (!theirs) return `it imports ${target}, which is not in the table of layers`;
  if (!place) return null;
  const sameRoom = theirs.entry === place.entry && place.entry.endsWith("/");
  if (sameRoom || target === path) return null;
  if (LEAVES.includes(theirs.entry)) return `it imports ${target}, but nothing imports ${theirs.entry}`;
  if (theirs.layer < place.layer) return null;
  return theirs.layer === place.layer
    ? `it imports ${target}, its neighbour in layer ${place.layer}`
    : `it imports ${target}: layer ${theirs.layer} from layer ${place.layer}`;
}

function problemOfPackage(path: string, specifier: string): string | null {
  const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const home = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : undefined;
  if (!home) return `it imports "${specifier}", which is not among the packages of this project`;
  return isIn(path, home) ? null : `it imports "${specifier}", which belongs in ${home}`;
}

function resolve(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

function checkName(path: string): Finding[] {
  const [name = ""] = path.split("/").slice(-1);
  // A leading underscore marks what tests share and a runner must not take for a test.
  const pattern = path.startsWith("tests/") ? /^_?[a-z0-9]+(_[a-z0-9]+)*\.[a-z]+$/ : /^[a-z0-9]+(_[a-z0-9]+)*\.[a-z]+$/;
  return pattern.test(name) ? [] : [{ file: path, line: 1, reason: `its name is not snake_case: ${name}` }];
}

// Written in two halves, so that this file passes its own check.
const MARKER = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|")})\\b`);

function checkMarkers(path: string, text: string): Finding[] {
  return text.split("\n").flatMap((content, index) => {
    const [marker] = MARKER.exec(content) ?? [];
    return marker ? [{ file: path, line: index + 1, reason: `it is unfinished: ${marker}` }] : [];
  });
}

function checkLength(path: string, text: string, tokens: readonly Token[]): Finding[] {
  const lines = countCodeLines(tokens);
  if (lines <= LONGEST || /^\/\/ Long because: \S/m.test(text)) return [];
  return [{ file: path, line: 1, reason: `it has ${lines} lines of code, more than ${LONGEST}` }];
}

/** Names that reach the outside world, wherever they stand as a variable. */
const DOORS = new Set(["setTimeout", "setInterval", "setImmediate", "Deno", "Bun", "process", "globalThis"]);

/** Members that reach the outside world, by their object. */
const DOOR_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Date: ["now"],
  Math: ["random"],
  performance: ["now"],
  crypto: ["getRandomValues", "randomUUID"],
};

function checkTokens(path: string, tokens: readonly Token[]): Finding[] {
  const found: Finding[] = [];
  let depth = 0;
  let statement = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "mark" && "([{".includes(token.text)) depth += 1;
    if (token.kind === "mark" && ")]}".includes(token.text)) depth -= 1;
    if (token.kind !== "word") continue;
    if (depth === 0 && STATEMENTS.has(token.text)) statement = index;
    const door = path === OUTSIDE ? null : doorAt(tokens, index);
    // A parameter of that name is what the caller gave.
    const given = door === "fetch()" &&
      tokens.slice(statement, index).some((_, at) => isBinding(tokens, statement + at));
    if (door && !given) found.push({ file: path, line: token.line, reason: `${door} belongs in ${OUTSIDE}` });
    const response = RESPONSE_MAKERS.includes(path) ? null : responseAt(tokens, index);
    if (response) found.push({ file: path, line: token.line, reason: `${response} belongs in src/service/respond.ts` });
  }
  return found;
}

/** Words that begin a statement at the top of a file. */
const STATEMENTS = new Set(["function", "const", "let", "class", "export", "interface", "type"]);

function isBinding(tokens: readonly Token[], index: number): boolean {
  const [before, name, next] = [-1, 0, 1].map((step) => tokens[index + step]?.text ?? "");
  return name === "fetch" && ["{", "(", ","].includes(before ?? "") && [":", "}", ",", ")", "="].includes(next ?? "");
}

function doorAt(tokens: readonly Token[], index: number): string | null {
  const [before, name, next, after, last] = [-1, 0, 1, 2, 3].map((step) => tokens[index + step]?.text ?? "");
  if (before === "." || before === "?." || !name) return null;
  const isMember = Object.hasOwn(DOOR_MEMBERS, name) && [".", "?."].includes(next ?? "");
  if (isMember && DOOR_MEMBERS[name]?.includes(after ?? "")) return `${name}.${after}`;
  if (name === "new" && next === "Date" && (after !== "(" || last === ")")) return "new Date()";
  if (name === "Date" && before !== "new" && next === "(") return "Date()";
  if (name === "fetch" && next === "(" && !isDeclaration(tokens, index)) return "fetch()";
  // Followed by a colon it is the name of a member or a parameter, not the thing itself.
  if (DOORS.has(name) && next !== ":" && !(next === "?" && after === ":")) return name;
  return null;
}

/** Whether a name followed by a parenthesis declares a function or method, rather than calling one. */
function isDeclaration(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text ?? "";
  if (before === "function") return true;
  let depth = 0;
  let end = index + 1;
  do {
    if (tokens[end]?.text === "(") depth += 1;
    if (tokens[end]?.text === ")") depth -= 1;
    end += 1;
  } while (depth > 0 && end < tokens.length);
  const after = tokens[end]?.text;
  return after === "{" || (after === ":" && ["{", "}", ";", ",", "async", "readonly"].includes(before));
}

function responseAt(tokens: readonly Token[], index: number): string | null {
  const [name, next, after] = [0, 1, 2].map((step) => tokens[index + step]?.text ?? "");
  if (name === "new" && next === "Response") return "new Response()";
  const isStatic = name === "Response" && next === "." && ["json", "redirect", "error"].includes(after ?? "");
  return isStatic ? `Response.${after}()` : null;
}

/** Checks the whole project. */
export function checkTree(): Finding[] {
  const ours = new Map(
    ["mod.ts", ...sourcesBelow("adapters"), ...sourcesBelow("src")].map((path) => [path, Deno.readTextFileSync(path)]),
  );
  const others = ["scripts", "tests", "examples"].flatMap((folder) => [...sourcesBelow(folder)]);
  return [
    ...[...ours].flatMap(([path, text]) => checkFile(path, text)),
    ...others.flatMap((path) => checkFile(path, Deno.readTextFileSync(path))),
    ...checkGraph(ours),
  ];
}

if (import.meta.main) {
  const found = checkTree();
  for (const { file, line, reason } of found) say(`${file}:${line}: ${reason}`);
  say(found.length ? `${found.length} findings in the layers` : "The layers hold");
  if (found.length) Deno.exit(1);
}
