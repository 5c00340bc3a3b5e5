/**
 * Checks that imports run down the table of folders, that packages are imported only where they belong, and that files
 * are named and placed as agreed. What stands inside a file is checked by `deno lint`, with scripts/lint_plugin.ts.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-run scripts/check_layers.ts
 * ```
 *
 * @module
 */
import type { Exports } from "./check_exports.ts";
import { type Import, readImports } from "./module_graph.ts";
import { printLine } from "./print.ts";
import { sourcesBelow } from "./source_files.ts";

/**
 * The layers, lowest first; a file imports from lower layers and from its own folder only, so folders form no cycle. A
 * name that ends in "/" is a folder without its subfolders; any other is a file that users import.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ["src/kernel/"],
  ["src/crypto/", "src/texts/", "src/errors.ts", "client/core/"],
  ["src/http/", "src/hashing/", "src/mail/", "client/", "client/account/"],
  ["src/contract/", "src/mail.ts"],
  [
    "src/storage/",
    "src/passwords/",
    "src/providers/mail/",
    "src/adapters.ts",
    "src/doctor.ts",
    "src/jwt.ts",
    "src/providers.ts",
    "adapters/conformance/",
    "adapters/kv/",
    "adapters/memory/",
    "adapters/redis/",
    "adapters/sessions/",
    "adapters/sql/",
  ],
  [
    "src/config/",
    "src/providers/",
    "src/node.ts",
    "src/passwords.ts",
    "adapters/",
    "migrate/better_auth/",
    "cli/terminal/",
  ],
  ["src/session_stores/", "src/action_url.ts", "src/providers/deprecated/", "migrate/", "cli/doctor/", "cli/schema/"],
  ["src/request/", "cli/session/"],
  ["cli/", "src/sign_in/", "src/session/", "src/pages/", "src/oauth_client/"],
  [
    ...["src/oauth/", "src/logout/", "src/email/", "src/credentials/", "src/webauthn/", "src/access_tokens/"],
    ...["src/views/", "src/limits/", "src/passwords/endpoints/"],
  ],
  [
    "src/service/",
    "src/challenges/",
    "src/account/",
    "src/account_fetch.ts",
    "src/attestation.ts",
    "src/limits.ts",
    "src/second_factor/",
  ],
  ["src/account.ts", "src/auth.ts", "src/second_factor.ts", "bindings/host/", "testing/kit/"],
  ["mod.ts", "bindings/", "testing/"],
];

/** The most layers: a longer table cannot be kept in mind. */
const MOST_LAYERS = 13;

/** Folders that nothing imports: a program loads only those of their files that it names. */
const NEVER_IMPORTED: readonly string[] = [
  "cli/",
  "migrate/",
  "src/challenges/",
  "src/providers/",
  "src/providers/deprecated/",
  "adapters/",
  "bindings/",
  "client/",
  "client/account/",
  "testing/",
];

/** Former names, which stand for providers of the catalogue. */
const FORMER = "src/providers/deprecated/";

/** Folders that stand on `src/`, with all that is in them: nothing in `src/` imports from them. */
const ON_TOP: readonly string[] = ["cli/", "migrate/", "adapters/", "bindings/", "client/", "testing/"];

/** How our own code is loaded late: by a constant at the top of a file, so that a reader sees there what it may load. */
const LATE = [
  /^(?:export )?const \w+(?:: [^=]+)? = once\(\(\) =>\s*import\("[^"]+"\)\s*\);$/gm,
  // A row of a table of such constants, in a file that has one for each of many.
  /^ {2}\S+: \(\) => import\("[^"]+"\),$/gm,
];

/** The same without `once()`, in code that has to stay small or does without our other code. */
const LATE_AND_SMALL = /^(?:export )?const \w+ = \(\)(?:: [^=]+)? => import\("[^"]+"\);$/gm;

/** Where each package may be imported: files and folders. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@simplewebauthn/server": ["src/webauthn/library.ts"],
  "jose": ["src/oauth_client/decryption.ts", "src/oauth_client/keys.ts"],
  "node:buffer": ["testing/kit/"],
  "node:crypto": ["testing/kit/"],
  "node:http": ["testing/kit/"],
  "node:net": ["testing/kit/"],
  "node:fs": ["adapters/sql/sqlite_source.ts"],
  "node:process": ["cli/main.ts"],
  "node:sqlite": ["adapters/sql/sqlite_source.ts"],
  "node:util": ["cli/terminal/arguments.ts"],
  "next": ["bindings/next.ts"],
  "@builder.io/qwik": ["bindings/qwik.ts"],
  "@builder.io/qwik-city": ["bindings/qwik.ts"],
  "@sveltejs/kit": ["bindings/sveltekit.ts"],
  "nodemailer": ["src/providers/nodemailer.ts"],
  "oauth4webapi": ["src/oauth/", "src/oauth_client/", "src/access_tokens/", "src/logout/"],
  "preact": ["src/pages/"],
  "preact-render-to-string": ["src/pages/render.ts"],
  "react": ["client/account/react.ts", "client/next_react.ts", "client/react.ts"],
  "solid-js": ["client/account/solid.ts", "client/solid.ts"],
  "uqr": ["src/second_factor/qr_library.ts"],
  "vue": ["client/account/vue.ts", "client/vue.ts"],
};

/** What is wrong, and where. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

interface Place {
  readonly layer: number;
  /** The entry of the table: a file, or its folder. */
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

/** Checks each import on its own: it runs down, and to a package in its place. */
export function checkImports(imports: readonly Import[]): Finding[] {
  return imports.flatMap((each) => {
    const reason = each.specifier.startsWith(".") ? problemOfFile(each) : problemOfPackage(each);
    return reason ? [{ file: each.file, line: each.line, reason }] : [];
  });
}

function problemOfFile({ file, target }: Import): string | null {
  const from = placeOf(file);
  const to = placeOf(target);
  if (!to) return `it imports ${target}, which is not in the table of layers`;
  // A file without a place is reported separately.
  if (!from || target === file) return null;
  if (to.entry === from.entry && to.entry.endsWith("/")) return null;
  const folder = ON_TOP.find((folder) => target.startsWith(folder) && !file.startsWith(folder));
  // A migration works on databases as the adapters do, the command prints their tables, and tests keep users in memory.
  const isOfAdapters = folder === "adapters/" && /^(?:migrate|cli|testing)\//.test(file);
  if (folder && !isOfAdapters) {
    return `it imports ${target}, but nothing outside imports from ${folder}`;
  }
  const isFormer = from.entry === FORMER && to.entry === "src/providers/";
  const takesAdapter = /^(?:cli|testing)\//.test(file) && to.entry === "adapters/";
  if (NEVER_IMPORTED.includes(to.entry) && !isFormer && !takesAdapter) {
    return `it imports ${target}, but nothing imports ${to.entry}`;
  }
  if (to.layer < from.layer) return null;
  return to.layer === from.layer
    ? `it imports ${target}, its neighbour in layer ${from.layer}`
    : `it imports ${target}: layer ${to.layer} from layer ${from.layer}`;
}

function problemOfPackage({ file, specifier }: Import): string | null {
  const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const homes = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : undefined;
  if (!homes) return `it imports "${specifier}", which is not among the packages of this project`;
  const isAtHome = homes.some((home) => isIn(file, home));
  return isAtHome ? null : `it imports "${specifier}", which belongs in ${homes.join(" or ")}`;
}

/** Finds files that import each other, within a folder or across: values, types, and what `import()` loads late. */
export function checkCycles(imports: readonly Import[]): Finding[] {
  const found: Finding[] = [];
  const graph = Map.groupBy(imports, ({ file }) => file);
  const done = new Set<string>();
  const trail: string[] = [];
  // What is written between the files of a circle.
  const arrows: string[] = [];
  function visit(path: string): void {
    trail.push(path);
    for (const { target, line, kind } of graph.get(path) ?? []) {
      arrows.push({ static: " -> ", type: " -type-> ", dynamic: " -import()-> " }[kind]);
      const start = trail.indexOf(target);
      if (start >= 0) {
        const cycle = trail.slice(start).map((each, at) => each + arrows[start + at]).join("") + target;
        found.push({ file: path, line, reason: `its imports form a cycle: ${cycle}` });
      } else if (!done.has(target)) visit(target);
      arrows.pop();
    }
    trail.pop();
    done.add(path);
  }
  for (const path of graph.keys()) if (!done.has(path)) visit(path);
  return found;
}

/** Finds code of ours that is loaded late in another form than the agreed one. */
export function checkLate(path: string, text: string): Finding[] {
  const forms = /^(?:client|bindings\/host)\//.test(path) ? [...LATE, LATE_AND_SMALL] : LATE;
  const blank = (found: string): string => found.replace(/[^\n]/g, " ");
  const rest = forms.reduce((code, form) => code.replace(form, blank), text.replace(/\/\*[^]*?\*\/|\/\/.*/g, blank));
  return [...rest.matchAll(/(?<!typeof )\bimport\(\s*"(\.[^"]*)"/g)].map(({ 1: specifier, index }) => ({
    file: path,
    line: rest.slice(0, index).split("\n").length,
    reason: `it loads ${specifier} late, but not by a constant at the top: const name = once(() => import("…"))`,
  }));
}

/** What the table of layers is compared with. */
export interface Tree {
  /** The paths of all sources that are published. */
  readonly files: readonly string[];
  readonly imports: readonly Import[];
  /** `exports` of deno.json. */
  readonly exports: Exports;
  readonly layers?: readonly (readonly string[])[];
}

/** Compares the table with the tree: each file has a layer, each entry a file, and a file directly in src is public. */
export function checkTable({ files, imports, exports, layers = LAYERS }: Tree): Finding[] {
  const found: Finding[] = [];
  const report = (file: string, reason: string): void => void found.push({ file, line: 1, reason });
  if (layers.length > MOST_LAYERS) {
    report("scripts/check_layers.ts", `the table has ${layers.length} layers, more than ${MOST_LAYERS}`);
  }
  for (const entry of layers.flat()) {
    if (!files.some((path) => isIn(path, entry))) report(entry, "the table of layers names it, but it does not exist");
  }
  for (const file of files.filter((file) => !placeOf(file))) report(file, "it is not in the table of layers");
  const reExported = imports.filter(({ file }) => file === "mod.ts").map(({ target }) => target);
  const isPublic = [...Object.values(exports).map((path) => path.replace("./", "")), ...reExported];
  for (
    const file of files.filter((path) =>
      /^(?:src|adapters|bindings|cli|client|migrate|testing)\/[^/]+$/.test(path) && !isPublic.includes(path)
    )
  ) {
    report(file, "users cannot import it, so it belongs in a folder: neither deno.json nor mod.ts exports it");
  }
  return found;
}

// Written in two halves, so that this file passes its own check.
const MARKER = new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|")})\\b`);

/** An order to `deno lint` that switches our own rules off, by name or with all others. */
const IGNORES = /deno-lint-ignore(?:-file *(?:$|--)|.*\bx-auth\/)/;

/** The one that is allowed, with its reason. */
const LONG_FILE = /^\/\/ deno-lint-ignore-file x-auth\/max-lines -- \S/;

/** Checks the name and the comments of any file, tests and scripts included. */
export function checkFile(path: string, text: string): Finding[] {
  const found: Finding[] = [];
  const [name = ""] = path.split("/").slice(-1);
  // A leading underscore marks what tests share and a runner must not take for a test.
  const pattern = path.startsWith("tests/") ? /^_?[a-z0-9]+(_[a-z0-9]+)*\.[a-z]+$/ : /^[a-z0-9]+(_[a-z0-9]+)*\.[a-z]+$/;
  // In an application for a framework, the framework chooses the names.
  if (!pattern.test(name) && !/^(?:examples|tests\/frameworks\/(?:authjs|over))\//.test(path)) {
    found.push({ file: path, line: 1, reason: `its name is not snake_case: ${name}` });
  }
  for (const [index, content] of text.split("\n").entries()) {
    const [marker] = MARKER.exec(content) ?? [];
    if (marker) found.push({ file: path, line: index + 1, reason: `it is unfinished: ${marker}` });
    if (isPublished(path) && IGNORES.test(content) && !LONG_FILE.test(content)) {
      found.push({ file: path, line: index + 1, reason: "it switches off a rule that has no exceptions" });
    }
  }
  return found;
}

function isPublished(path: string): boolean {
  return /^(?:src|adapters|bindings|cli|client|migrate|testing)\/|^mod\.ts$/.test(path);
}

/** Checks the whole project. */
export async function checkTree(): Promise<Finding[]> {
  const all = [
    "mod.ts",
    ...["adapters", "bindings", "cli", "client", "migrate", "src", "testing", "scripts", "tests", "examples"].flatMap((
      name,
    ) => sourcesBelow(name)),
  ];
  const files = all.filter(isPublished);
  const imports = await readImports(files);
  const { exports } = JSON.parse(Deno.readTextFileSync("deno.json")) as { readonly exports: Exports };
  return [
    ...all.flatMap((path) => checkFile(path, Deno.readTextFileSync(path))),
    ...checkTable({ files, imports, exports }),
    ...checkImports(imports),
    ...checkCycles(imports),
    ...files.flatMap((path) => checkLate(path, Deno.readTextFileSync(path))),
  ];
}

if (import.meta.main) {
  const found = await checkTree();
  for (const { file, line, reason } of found) printLine(`${file}:${line}: ${reason}`);
  printLine(found.length ? `${found.length} findings in the layers` : "The layers hold");
  if (found.length) Deno.exit(1);
}
