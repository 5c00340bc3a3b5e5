import assert from "node:assert/strict";
import { test } from "node:test";
import { membersOf } from "../../../../adapters/sql/column_names.ts";

const found = (columns: readonly string[], named?: Record<string, string>) =>
  Object.fromEntries(membersOf("users", columns, named && new Map(Object.entries(named))));

test("membersOf() finds a column by the name of its member", () => {
  assert.deepEqual(found(["id", "emailVerified", "role"]), { id: "id", emailVerified: "emailVerified", role: "role" });
});

for (const spelled of ["email_verified", "emailverified", "EMAIL_VERIFIED", "Email_Verified"]) {
  test(`membersOf() finds a column that spells its member in another way: ${spelled}`, () => {
    assert.deepEqual(found(["id", spelled]), { id: "id", [spelled]: "emailVerified" });
  });
}

test("membersOf() prefers the name of the member to another spelling, whatever their order", () => {
  const both = { email_verified: "email_verified", emailVerified: "emailVerified" };
  assert.deepEqual(found(["email_verified", "emailVerified"]), both);
  assert.deepEqual(found(["emailVerified", "email_verified"]), both);
});

test("membersOf() does not choose between two columns that spell a member in other ways", () => {
  const columns = ["email_verified", "EmailVerified"];
  assert.deepEqual(found(columns), { email_verified: "email_verified", EmailVerified: "EmailVerified" });
});

test("membersOf() takes the column that was named, and leaves out one of the member's own name", () => {
  const named = { emailVerified: "checked" };
  assert.deepEqual(found(["emailVerified", "checked"], named), { checked: "emailVerified" });
  assert.deepEqual(found(["checked", "emailVerified"], named), { checked: "emailVerified" });
});

test("membersOf() gives a member of an application the column that was named", () => {
  assert.deepEqual(found(["id", "user_role"], { role: "user_role" }), { id: "id", user_role: "role" });
});

test("membersOf() leaves out a named column that the table does not have", () => {
  assert.deepEqual(found(["email_verified"], { emailVerified: "checked" }), { email_verified: "email_verified" });
});
