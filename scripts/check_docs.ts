/**
 * Checks the documentation: every public symbol has a comment, and every example compiles and runs.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-run scripts/check_docs.ts
 * ```
 *
 * @module
 */
import type { Exports } from "./check_exports.ts";
import { printLine } from "./print.ts";
import { isFile } from "./source_files.ts";

/** A command of Deno, and what it proves. */
export interface Step {
  readonly claim: string;
  readonly args: readonly string[];
}

/** Lists the commands that have to succeed, for these entry points and Markdown pages. */
export function stepsFor(entryPoints: readonly string[], pages: readonly string[]): Step[] {
  const prose = pages.length === 0 ? [] : [{
    claim: `the examples in ${pages.join(" and ")} compile`,
    args: ["check", "--frozen", "--doc-only", ...pages],
  }];
  return [
    { claim: "every public symbol is documented", args: ["doc", "--lint", ...entryPoints] },
    ...prose,
    {
      // No permissions: an example that needs some has to say so.
      claim: "the examples in the comments compile and run",
      args: [
        "test",
        "--doc",
        "--frozen",
        "--no-prompt",
        "--preload=./scripts/doc_preload.ts",
        "mod.ts",
        "adapters",
        "bindings",
        "client",
        "src",
      ],
    },
  ];
}

/** Imports Qwik as it starts, which Deno resolves for a site that has it only. `deno check` reads it all the same. */
const UNRESOLVABLE = "./bindings/qwik.ts";

/** Lists the guides below docs. */
function guides(folder = "docs"): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? guides(path) : path.endsWith(".md") ? [path] : [];
  }).sort();
}

if (import.meta.main) {
  const { exports } = JSON.parse(Deno.readTextFileSync("deno.json")) as { readonly exports: Exports };
  const entryPoints = Object.values(exports).filter((path) => path !== UNRESOLVABLE);
  const steps = stepsFor(entryPoints, ["README.md", "CONTRIBUTING.md", ...guides()].filter(isFile));
  let failures = 0;
  for (const { claim, args } of steps) {
    const { success } = await new Deno.Command(Deno.execPath(), { args: [...args], stdin: "null" }).spawn().status;
    if (!success) failures += 1;
    printLine(`${success ? "ok" : "FAILED"}: ${claim}`);
  }
  if (failures) Deno.exit(1);
}
