/**
 * Keeps the docs true: every public symbol has its comment, and every example compiles and runs.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-run scripts/check_docs.ts
 * ```
 *
 * @module
 */
import type { Exports } from "./check_exports.ts";
import { say } from "./say.ts";
import { isFile } from "./source_files.ts";

/** A command of Deno, and what it shows. */
export interface Step {
  readonly promise: string;
  readonly args: readonly string[];
}

/** Lists what must succeed, for these entry points and these pages of prose. */
export function stepsFor(entryPoints: readonly string[], pages: readonly string[]): Step[] {
  const prose = pages.length === 0 ? [] : [{
    promise: `the examples in ${pages.join(" and ")} compile`,
    args: ["check", "--frozen", "--doc-only", ...pages],
  }];
  return [
    { promise: "every public symbol is documented", args: ["doc", "--lint", ...entryPoints] },
    ...prose,
    {
      // Without permissions: an example must not need more than it says.
      promise: "the examples in the comments compile and run",
      args: [
        "test",
        "--doc",
        "--frozen",
        "--no-prompt",
        "--preload=./scripts/doc_preload.ts",
        "mod.ts",
        "adapters",
        "src",
      ],
    },
  ];
}

if (import.meta.main) {
  const { exports } = JSON.parse(Deno.readTextFileSync("deno.json")) as { readonly exports: Exports };
  const steps = stepsFor(Object.values(exports), ["README.md", "CONTRIBUTING.md"].filter(isFile));
  let failures = 0;
  for (const { promise, args } of steps) {
    // One after the other: each prints as it goes.
    const { success } = await new Deno.Command(Deno.execPath(), { args: [...args], stdin: "null" }).spawn().status;
    if (!success) failures += 1;
    say(`${success ? "Holds" : "Does not hold"}: ${promise}`);
  }
  if (failures) Deno.exit(1);
}
