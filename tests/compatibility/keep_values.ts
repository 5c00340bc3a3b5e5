/**
 * Keeps the values of a release in `tests/compatibility/values/`: of this one when it is published, or of a commit.
 *
 * @example Usage
 * ```sh
 * deno run -A tests/compatibility/keep_values.ts
 * deno run -A tests/compatibility/keep_values.ts 026cf0b
 * ```
 *
 * @module
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { valuesPath } from "./cookies.ts";
import { runIn, takeRelease } from "./_history.ts";

/** Values that releases could not make yet. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
  "63e0b3a": [
    "why a sign-in failed",
    "chosen language",
    "provider that was used last",
    "return from a logout at the provider",
  ],
};

function keep(release: string, folder: string): void {
  const made = runIn(folder, "make_values.ts", MISSING[release]);
  const path = valuesPath(release);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, made);
}

const [commit] = Deno.args;
if (commit === undefined) {
  const { version } = JSON.parse(readFileSync("deno.json", "utf8")) as { readonly version: string };
  keep(version, ".");
} else {
  const { folder, remove } = takeRelease(commit);
  keep(commit, folder);
  remove();
}
