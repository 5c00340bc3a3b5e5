/** What changes of databases mean. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { readSnapshot } from "./_files.ts";
import { SCHEMA } from "./schema.ts";
import { weigh } from "./_snapshot.ts";

const recorded = readSnapshot(SCHEMA.id);

test("a new table is an addition, whatever its columns are", () => {
  assert.deepEqual(
    levels(...["sqlite", "postgres"].flatMap((store) => [
      `${store} table auth_other: exists`,
      `${store} column auth_other.kind: text not null`,
      `${store} unique index auth_other.other_key_unique: kind, id`,
      `${store} reference auth_other.userId: user.id on delete CASCADE`,
      "deno-kv key auth/other/<kind>/<id>: exists",
    ])),
    ["minor"],
  );
});

test("a new column of a table that exists is an addition if it may be empty or has a default", () => {
  assert.deepEqual(
    levels("sqlite column user.note: TEXT", "postgres column users.note: text not null default 'none'"),
    ["minor"],
  );
  assert.deepEqual(levels("sqlite column user.note: TEXT not null"), ["major"]);
  assert.deepEqual(levels("postgres column users.note: text not null"), ["major"]);
});

test("a new rule for rows that exist breaks databases, and an index does not", () => {
  assert.deepEqual(levels("sqlite unique index user.user_name_unique: name"), ["major"]);
  assert.deepEqual(levels("sqlite reference session.provider: account.provider on delete CASCADE"), ["major"]);
  assert.deepEqual(levels("sqlite index user.user_name_index: name"), ["minor"]);
});

test("what goes breaks databases, but for an index", () => {
  const without = (line: RegExp) =>
    weigh(SCHEMA, recorded, recorded.filter((text) => !line.test(text))).map(({ verdict }) => verdict.level);
  assert.deepEqual(without(/^sqlite column user\.image:/), ["major"]);
  assert.deepEqual(without(/^deno-kv key auth\/user_by_email/), ["major"]);
  assert.deepEqual(without(/^postgres index sessions\.sessions_userId_index:/), ["minor"]);
});

function levels(...lines: readonly string[]): string[] {
  return [...new Set(weigh(SCHEMA, recorded, [...recorded, ...lines]).map(({ verdict }) => verdict.level))];
}
