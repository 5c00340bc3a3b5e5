/** V is a flaw of services of this kind, H one that was seen in code like this: each row has a mutant or a test. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { MUTANTS } from "../mutants/all.ts";

const EXPECTED = [...idsUpTo("V", 94), ...idsUpTo("H", 32)];

/** Rows for which nothing can be taken out of the code: the test that sees them, by file and a piece of its name. */
const TESTED: Readonly<Record<string, readonly [file: string, name: string]>> = {
  V01: ["stories/email_test.ts", "V01, V08: a token of one address opens no other"],
  V08: ["stories/email_test.ts", "V01, V08: a token of one address opens no other"],
  V30: ["security/parallel_test.ts", "one link that is pressed 64 times at once lets in once"],
  V33: ["e2e/_passkey_stories.ts", "nobody changes a passkey of somebody else"],
  V39: ["security/rows_test.ts", "V39: an answer does not tell whether somebody exists"],
  V43: ["unit/session_stores/database_sessions_test.ts", "a session of a user who was deleted is null"],
  V44: ["_support/postgres_contest.ts", "V44: with one connection for everybody"],
  V48: [
    "unit/session_stores/database_sessions_test.ts",
    "a session that another tab ends while this one renews it stays ended",
  ],
  V92: ["security/prehijack_test.ts", "unexpired email change: a link signs in the owner of the mailbox"],
  V93: ["unit/email/start_test.ts", "startEmail() stores the hash that Auth.js stores"],
  V94: ["security/malformed_input_test.ts", "V20: no field or parameter chooses whose session it is"],
  H08: ["security/prehijack_test.ts", "non-verifying provider: an account whose provider says ${says} is gone"],
  H31: ["security/webauthn_test.ts", "V86, U8: options for an address that is known"],
};

/** Rows about what does not exist yet. */
const WAITING: Readonly<Record<string, string>> = {
  V23: "rate limits",
  V29: "the renewal of a provider's tokens",
  V66: "second factors",
  V77: "rate limits",
};

function idsUpTo(letter: string, last: number): string[] {
  return Array.from({ length: last }, (_, at) => `${letter}${String(at + 1).padStart(2, "0")}`);
}

test("every row of the catalogue has a mutant, a test or a reason to wait, and only one of them", () => {
  const guarded = MUTANTS.flatMap(({ name }) => name.slice(0, name.indexOf(":")).split(", "));
  const rows = [...new Set(guarded), ...Object.keys(TESTED), ...Object.keys(WAITING)].filter((id) =>
    /^[VH]\d/.test(id)
  );
  assert.deepEqual(rows.sort(), EXPECTED.sort());
});

for (const [id, [file, name]] of Object.entries(TESTED)) {
  test(`the test of ${id} exists: ${name}`, async () => {
    const text = await readFile(new URL(`../${file}`, import.meta.url), "utf8");
    assert.match(text.slice(0, text.indexOf(name)), /\btest\(\s*["`][^"`\n]*$/);
  });
}
