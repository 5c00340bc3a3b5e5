/**
 * Decides which modules of the npm package become one file.
 *
 * A module that one entry needs goes into the file of that entry. What several need goes into a file that they share:
 * `core` is what every program loads at once, `setup` what the first request of each loads, and the others are named
 * after who shares them. No module is in two files, so an error has one class.
 *
 * @module
 */

/** What a module imports. Paths are relative to the package; packages are left out. */
export interface ModuleLinks {
  readonly now: readonly string[];
  /** What it imports with `import()`. */
  readonly later: readonly string[];
}

/** The entry whose needs are the core. */
const MAIN = "mod.js";

/** What every service loads with its first request. */
const AT_FIRST = "src/service/setup.js";

/** What tests import. What a program shares with it stays in the file that it has for the program. */
const TESTING = /^testing\//;

/** The entries that share a file, which has their name. The first that matches counts. */
const READERS: readonly (readonly [name: string, entries: RegExp])[] = [
  ["bindings", /^(?:bindings\/|src\/node\.js$)/],
  ["adapters", /^adapters\//],
  ["client", /^client\//],
  ["mail", /^src\/(?:providers\/|mail\.js$)/],
  ["storage", /^src\/session_stores\//],
  [
    "oauth",
    /^src\/(?:oauth|oauth_client|logout)\/|^src\/(?:account_fetch|service\/(?:access_token|check|doctor_endpoint|facts))\.js$/,
  ],
  ["service", /^src\//],
  ["command", /^cli\//],
];

/** What no application loads. What it shares with one stays in the file that it has for the application. */
const COMMAND = "command";

const SQL = "adapters/sql/";

/** Libraries that are large and that few need: a file of their own. */
const APART: Readonly<Record<string, string>> = { "src/webauthn/library.js": "webauthn" };

/** The names of the files that hold a library. */
export const LIBRARIES: readonly string[] = Object.values(APART);

/** The names of the files that are shared, each after those that it may import. */
export const SHARED: readonly string[] = [
  ...LIBRARIES,
  "core",
  "setup",
  "storage",
  "common",
  ...READERS.map(([name]) => name).filter((name) => name !== "storage" && name !== COMMAND).toReversed(),
  "sql",
  COMMAND,
];

/** Entries that applications import, and that have no room of their own. */
const AT_ONCE: ReadonlySet<string> = new Set(["bindings", "adapters", "client", "mail"]);

/**
 * Names the shared file of each module that belongs to one.
 *
 * @param links Each module of the package.
 * @param entries The files that applications import.
 */
export function chunksOf(links: ReadonlyMap<string, ModuleLinks>, entries: readonly string[]): Map<string, string> {
  if (!links.has(AT_FIRST)) throw new Error(`Cannot share files: ${AT_FIRST} does not exist`);
  const later = new Set([...links.values()].flatMap((each) => each.later).filter((path) => links.has(path)));
  const readers = new Map<string, string[]>();
  for (const entry of new Set([...entries, ...later])) {
    for (const path of neededBy(entry, links)) readers.set(path, [...readers.get(path) ?? [], entry]);
  }
  const core = coreOf(links, entries, readers);
  const first = neededBy(AT_FIRST, links);
  const chunks = new Map<string, string>();
  for (const [path, all] of readers) {
    const programs = all.filter((entry) => !TESTING.test(entry));
    if (programs.length === 0) continue;
    const isTested = programs.length < all.length;
    const names = new Set(programs.map(readerOf));
    if (core.has(path)) chunks.set(path, "core");
    else if (first.has(path)) chunks.set(path, names.isDisjointFrom(AT_ONCE) ? "setup" : "core");
    else if ((programs.length > 1 || isTested) && !entries.includes(path) && !later.has(path)) {
      const name = APART[path] ?? nameOf(names);
      // Apart from what adapters share that store elsewhere.
      chunks.set(path, name === "adapters" && path.startsWith(SQL) ? "sql" : name);
    }
  }
  return chunks;
}

/** Lists the modules that load together with one. */
function neededBy(entry: string, links: ReadonlyMap<string, ModuleLinks>): ReadonlySet<string> {
  const needed = new Set([entry]);
  // A loop over a set also visits what is added during the loop.
  for (const path of needed) for (const each of links.get(path)?.now ?? []) if (links.has(each)) needed.add(each);
  return needed;
}

/** What the main entry needs, and what most providers need. */
function coreOf(
  links: ReadonlyMap<string, ModuleLinks>,
  entries: readonly string[],
  readers: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const isProvider = (path: string): boolean => path.startsWith("src/providers/");
  const half = entries.filter(isProvider).length / 2;
  const popular = [...readers].filter(([, of]) => of.filter(isProvider).length > half).map(([path]) => path);
  return new Set([MAIN, ...popular].flatMap((path) => [...neededBy(path, links)]));
}

function readerOf(entry: string): string {
  return READERS.find(([, entries]) => entries.test(entry))?.[0] ?? "common";
}

/** A module is read by all that read what imports it, so a file for many readers imports from none for fewer. */
function nameOf(readers: ReadonlySet<string>): string {
  const names = readers.size > 1 ? readers.difference(new Set([COMMAND])) : readers;
  const [first = "common"] = names;
  if (names.size === 1) return first;
  if (names.has("adapters") || names.has("storage")) return "storage";
  return [...names].every((name) => name === "oauth" || name === "service") ? "service" : "common";
}
