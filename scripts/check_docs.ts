/**
 * Checks the comments: every public symbol has one, and every example in them compiles and runs. The programs of the
 * guides are checked and run by `scripts/docs/run.ts`.
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

/** A command of Deno, and what it proves. */
export interface Step {
  readonly claim: string;
  readonly args: readonly string[];
}

/** Lists the commands that have to succeed, for these entry points. */
export function stepsFor(entryPoints: readonly string[]): Step[] {
  return [
    { claim: "every public symbol is documented", args: ["doc", "--lint", ...entryPoints] },
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
        "cli",
        "client",
        "migrate",
        "src",
        "testing",
      ],
    },
  ];
}

/** Imports Qwik as it starts, which Deno resolves for a site that has it only. `deno check` reads it all the same. */
const UNRESOLVABLE = "./bindings/qwik.ts";

if (import.meta.main) {
  const { exports } = JSON.parse(Deno.readTextFileSync("deno.json")) as { readonly exports: Exports };
  const entryPoints = Object.values(exports).filter((path) => path !== UNRESOLVABLE);
  const steps = stepsFor(entryPoints);
  let failures = 0;
  for (const { claim, args } of steps) {
    const { success } = await new Deno.Command(Deno.execPath(), { args: [...args], stdin: "null" }).spawn().status;
    if (!success) failures += 1;
    printLine(`${success ? "ok" : "FAILED"}: ${claim}`);
  }
  if (failures) Deno.exit(1);
}
