/**
 * What lies in databases: tables, columns and indexes of SQLite and PostgreSQL, and keys and values of Deno KV. A database
 * of an earlier release is opened without a migration by hand, and the release before opens one of this.
 *
 * @module
 */
import { layoutLines } from "./_release/layouts.ts";
import type { Both, Change, Snapshot, Verdict } from "./_snapshot.ts";

export const SCHEMA: Snapshot = {
  id: "schema",
  unit: "tables, columns, indexes and keys",
  current: layoutLines,
  keyOf,
  judge(change: Change, both: Both): Verdict {
    if (change.kind === "added") return judgeNew(change.after, both);
    const [what, name] = describe(keyOf(change.before));
    // Nothing but speed depends on it.
    if (what === "index") return { level: "minor" };
    return { level: "major", breaks: `databases that exist: ${what} "${name}" of them is another` };
  },
};

function keyOf(line: string): string {
  return line.slice(0, line.indexOf(": "));
}

/** What a key is about: a kind of thing, and its name. */
function describe(key: string): [what: string, name: string] {
  const [, ...words] = key.split(" ");
  const name = words.pop() ?? "";
  return [words.join(" "), name];
}

/** A new table may be as it likes. In one that exists, rows of the release before have to stay possible. */
function judgeNew(line: string, both: Both): Verdict {
  const [store] = line.split(" ");
  const [what, name] = describe(keyOf(line));
  const [table, column] = name.split(".");
  if (!both.had(`${store} table ${table}`)) return { level: "minor" };
  if (what === "column" && / not null(?!.* default )/.test(line)) {
    return { level: "major", breaks: `the release before, which stores rows in "${table}" without "${column}"` };
  }
  if (what === "unique index") {
    return {
      level: "major",
      breaks: `databases that have rows in "${table}" which are no longer allowed beside each other`,
    };
  }
  if (what === "reference") {
    return { level: "major", breaks: `databases that have rows in "${table}" which refer to nothing` };
  }
  return { level: "minor" };
}
