/**
 * Compares what the package promises with what was recorded in `tests/compatibility/`, and says which changes break
 * something. Fails if one does that no file in `tests/compatibility/overrides/` allows.
 *
 * @example Usage
 * ```sh
 * deno task compatible
 * deno task compatible codes wire      # some snapshots only
 * deno task compatible --quick         # those that take a second, which the tests compare, too
 * deno task compatible --write         # records what is new, and what an override allows
 * ```
 *
 * @module
 */
import { readOverrides, readSnapshot, writeSnapshot } from "../tests/compatibility/_files.ts";
import { report } from "../tests/compatibility/_report.ts";
import { isForbidden, type Snapshot, weigh } from "../tests/compatibility/_snapshot.ts";
import { SNAPSHOTS } from "../tests/compatibility/all.ts";
import { printLine } from "./print.ts";

/** Compares one snapshot, prints how it went, and records it if that is wanted and allowed. @returns whether it is fine. */
async function check(snapshot: Snapshot, version: string, write: boolean): Promise<boolean> {
  const [before, after] = [readSnapshot(snapshot.id), await snapshot.current()];
  // The first time there is nothing to break.
  const findings = before.length ? weigh(snapshot, before, after, readOverrides()) : [];
  for (const line of report(snapshot, after.length, findings, version)) printLine(line);
  const isFine = !findings.some(isForbidden);
  if (write && isFine && (findings.length > 0 || before.length === 0)) writeSnapshot(snapshot.id, after);
  return isFine;
}

if (import.meta.main) {
  const { version } = JSON.parse(Deno.readTextFileSync("deno.json")) as { readonly version: string };
  const wanted = Deno.args.filter((arg) => !arg.startsWith("--"));
  const isWanted = ({ id, needs }: Snapshot): boolean =>
    (wanted.length === 0 || wanted.includes(id)) && !(needs && Deno.args.includes("--quick"));
  const unknown = wanted.filter((id) => !SNAPSHOTS.some((snapshot) => snapshot.id === id));
  for (const id of unknown) printLine(`There is no snapshot "${id}": ${SNAPSHOTS.map((each) => each.id).join(", ")}`);
  let isFine = unknown.length === 0;
  for (const snapshot of SNAPSHOTS.filter(isWanted)) {
    if (!await check(snapshot, version, Deno.args.includes("--write"))) isFine = false;
  }
  if (!isFine) Deno.exit(1);
}
