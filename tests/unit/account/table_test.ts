import assert from "node:assert/strict";
import { test } from "node:test";
import { readName } from "../../../src/account/rename.ts";
import { ACCOUNT_ACTS, actNamed } from "../../../src/account/table.ts";
import { ACTS } from "../../../src/sign_in/dangerous.ts";

/** What only a session is needed for. Everything else needs a fresh sign-in with every proof, or the link of an email. */
const WITH_A_SESSION = ["rename", "renamePasskey", "keep", "section"];

test("every act but the harmless ones needs a fresh sign-in with every proof, or the link of an email", () => {
  for (const [name, { judged }] of Object.entries(ACCOUNT_ACTS)) {
    if (judged === null) continue;
    const { begun, done, level } = ACTS[judged];
    const demands = WITH_A_SESSION.includes(name) ? ["a session", "a session", "any"] : ["fresh", "fresh", "highest"];
    assert.deepEqual([begun, done, level], demands, name);
  }
});

test("an act is found by its name only, not by a member that every object has", () => {
  assert.equal(actNamed("rename"), ACCOUNT_ACTS.rename);
  for (const name of ["constructor", "__proto__", "toString", "", "Rename", null, undefined, ["rename"], {}]) {
    assert.equal(actNamed(name), null);
  }
});

test("a name is one line without control characters, and not empty", () => {
  assert.equal(readName("  Ada   Lovelace\n"), "Ada Lovelace");
  assert.equal(readName("עדה 😀 Øgård"), "עדה 😀 Øgård");
  assert.equal(readName("A".repeat(256)), "A".repeat(256));
  for (const typed of ["", "  ", "A".repeat(257), "A\u0000", "A\u001b[31m", "\ud800", 1, null, ["Ada"], { a: 1 }]) {
    assert.equal(readName(typed), null, JSON.stringify(typed));
  }
});
