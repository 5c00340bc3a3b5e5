/**
 * Checks that the public subpaths in deno.json match the files, or writes them.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read scripts/check_exports.ts
 * deno run --allow-read --allow-write=deno.json scripts/check_exports.ts --write
 * ```
 *
 * @module
 */
import { printLine } from "./print.ts";
import { isFile, sourcesBelow } from "./source_files.ts";

/** The file of each subpath. */
export type Exports = Readonly<Record<string, string>>;

/** Subpaths that are chosen by hand. Every other file that users import adds one. */
const CHOSEN: Exports = {
  ".": "./mod.ts",
  "./account": "./src/account.ts",
  "./account-fetch": "./src/account_fetch.ts",
  "./adapters": "./src/adapters.ts",
  "./attestation": "./src/attestation.ts",
  "./cli": "./cli/main.ts",
  "./client/account": "./client/account/client.ts",
  "./client/account/react": "./client/account/react.ts",
  "./client/account/solid": "./client/account/solid.ts",
  "./client/account/svelte": "./client/account/svelte.ts",
  "./client/account/vue": "./client/account/vue.ts",
  "./doctor": "./src/doctor.ts",
  "./errors": "./src/errors.ts",
  "./jwt": "./src/jwt.ts",
  "./limits": "./src/limits.ts",
  "./mail": "./src/mail.ts",
  "./node": "./src/node.ts",
  "./passwords": "./src/passwords.ts",
  "./providers": "./src/providers.ts",
  "./second-factor": "./src/second_factor.ts",
  "./solid-start/client": "./client/core/authjs_solid.ts",
  "./sveltekit/client": "./client/core/authjs.ts",
  "./testing": "./testing/mod.ts",
};

/** Lists the exports of a package with these clients, providers, adapters and bindings, in order. @param files Their paths. */
export function exportsFor(files: readonly string[]): Exports {
  const derived = files.map((file): [string, string] => {
    return [
      file.replace(/^(?:src\/|bindings\/|client\/)?/, "./").replace("/deprecated/", "/").replace(/\.ts$/, "")
        .replaceAll("_", "-"),
      `./${file}`,
    ];
  });
  return Object.fromEntries([...Object.entries(CHOSEN), ...derived.sort(([a], [b]) => a < b ? -1 : 1)]);
}

/** Compares the exports with what they should be, and lists the differences. */
export function exportProblems(actual: Exports, wanted: Exports, exists: (target: string) => boolean): string[] {
  const problems: string[] = [];
  for (const [subpath, target] of Object.entries(wanted)) {
    if (!(subpath in actual)) problems.push(`"${subpath}" is not exported: it must be ${target}`);
    else if (actual[subpath] !== target) problems.push(`"${subpath}" is ${actual[subpath]}: it must be ${target}`);
  }
  for (const [subpath, target] of Object.entries(actual)) {
    if (!(subpath in wanted)) {
      problems.push(
        `"${subpath}" is exported, but stands for no provider, challenge, adapter, binding, migration or line of CHOSEN`,
      );
    }
    if (!exists(target)) problems.push(`"${subpath}" is ${target}, which does not exist`);
  }
  const unsorted = Object.keys(actual).join() !== Object.keys(wanted).join();
  if (problems.length === 0 && unsorted) problems.push("the subpaths are not in order");
  return problems;
}

/** Replaces the exports in the text of deno.json. */
export function withExports(denoJson: string, exports: Exports): string {
  const member = JSON.stringify(exports, null, 2).replaceAll("\n", "\n  ");
  // No subpath contains a brace, so the first one ends the member.
  return denoJson.replace(/("exports": )\{[^}]*\}/, (_, name: string) => name + member);
}

function filesIn(folder: string): string[] {
  return sourcesBelow(folder).filter((path) => path.split("/").length === folder.split("/").length + 1);
}

function derivedFiles(): string[] {
  const folders = [
    ...["adapters", "bindings", "client", "migrate", "src/challenges", "src/providers", "src/providers/deprecated"],
  ];
  return folders.flatMap((folder) => filesIn(folder));
}

/** Compares deno.json with the files. */
export function checkTree(): string[] {
  const { exports } = JSON.parse(Deno.readTextFileSync("deno.json")) as { readonly exports: Exports };
  return exportProblems(exports, exportsFor(derivedFiles()), isFile);
}

if (import.meta.main) {
  if (Deno.args.includes("--write")) {
    const wanted = exportsFor(derivedFiles());
    Deno.writeTextFileSync("deno.json", withExports(Deno.readTextFileSync("deno.json"), wanted));
  }
  const problems = checkTree();
  for (const problem of problems) printLine(`deno.json: ${problem}`);
  printLine(problems.length ? "Run scripts/check_exports.ts --write" : "The exports match the files");
  if (problems.length) Deno.exit(1);
}
