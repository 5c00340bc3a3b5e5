/**
 * Keeps the public subpaths in deno.json equal to what the tree holds.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read scripts/check_exports.ts
 * deno run --allow-read --allow-write=deno.json scripts/check_exports.ts --write
 * ```
 *
 * @module
 */
import { say } from "./say.ts";
import { isFile, sourcesBelow } from "./source_files.ts";

/** Subpaths by the file that each leads to. */
export type Exports = Readonly<Record<string, string>>;

/** Subpaths that are chosen by hand; there is one more for each provider and adapter. */
const CHOSEN: Exports = {
  ".": "./mod.ts",
  "./attestation": "./src/attestation.ts",
  "./errors": "./src/errors.ts",
  "./jwt": "./src/jwt.ts",
  "./mail": "./src/mail.ts",
  "./node": "./src/node.ts",
};

/** Says what a package with these providers and adapters, as paths, must export, in order. */
export function exportsFor(files: readonly string[]): Exports {
  const leaves = files.map((file): [string, string] => {
    return [file.replace(/^(?:src\/)?/, "./").replace(/\.ts$/, "").replaceAll("_", "-"), `./${file}`];
  });
  return Object.fromEntries([...Object.entries(CHOSEN), ...leaves.sort(([a], [b]) => a < b ? -1 : 1)]);
}

/** Compares what is exported with what must be, and says what is wrong. */
export function exportProblems(actual: Exports, wanted: Exports, exists: (target: string) => boolean): string[] {
  const problems: string[] = [];
  for (const [subpath, target] of Object.entries(wanted)) {
    if (!(subpath in actual)) problems.push(`"${subpath}" is not exported: it must be ${target}`);
    else if (actual[subpath] !== target) problems.push(`"${subpath}" is ${actual[subpath]}: it must be ${target}`);
  }
  for (const [subpath, target] of Object.entries(actual)) {
    if (!(subpath in wanted)) problems.push(`"${subpath}" is exported, but no file asks for it`);
    if (!exists(target)) problems.push(`"${subpath}" leads to ${target}, which does not exist`);
  }
  const unsorted = Object.keys(actual).join() !== Object.keys(wanted).join();
  if (problems.length === 0 && unsorted) problems.push("the subpaths are not in order");
  return problems;
}

/** Puts exports into the text of deno.json and leaves the rest of it as it is. */
export function withExports(denoJson: string, exports: Exports): string {
  const member = JSON.stringify(exports, null, 2).replaceAll("\n", "\n  ");
  // No subpath holds a brace, so the first one closes the member.
  return denoJson.replace(/("exports": )\{[^}]*\}/, (_, name: string) => name + member);
}

function filesIn(folder: string): string[] {
  return [...sourcesBelow(folder)].filter((path) => path.split("/").length === folder.split("/").length + 1);
}

function leafFiles(): string[] {
  return [...filesIn("adapters"), ...filesIn("src/providers")];
}

/** Compares deno.json with the tree. */
export function checkTree(): string[] {
  const { exports } = JSON.parse(Deno.readTextFileSync("deno.json")) as { readonly exports: Exports };
  return exportProblems(exports, exportsFor(leafFiles()), isFile);
}

if (import.meta.main) {
  if (Deno.args.includes("--write")) {
    const wanted = exportsFor(leafFiles());
    Deno.writeTextFileSync("deno.json", withExports(Deno.readTextFileSync("deno.json"), wanted));
  }
  const problems = checkTree();
  for (const problem of problems) say(`deno.json: ${problem}`);
  say(problems.length ? "Run scripts/check_exports.ts --write" : "The exports are what the tree holds");
  if (problems.length) Deno.exit(1);
}
