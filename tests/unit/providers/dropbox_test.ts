import assert from "node:assert/strict";
import { test } from "node:test";
import { dropbox } from "../../../src/providers/dropbox.ts";
import { readProfile } from "../../_support/one_provider.ts";

test("dropbox() asks for the account without a body, and reads the parts of the name", async () => {
  const account = { account_id: "dbid:1", email: "ada@example.com", email_verified: false };
  const rows: [name: object | null | undefined, expected: unknown[]][] = [
    [{ display_name: "Ada Lovelace", given_name: "Ada", surname: "Lovelace" }, ["Ada Lovelace", "Ada", "Lovelace"]],
    [null, [undefined, undefined, undefined]],
    [undefined, [undefined, undefined, undefined]],
  ];
  for (const [name, expected] of rows) {
    const { profile, requests: [request] } = await readProfile(dropbox(), [Response.json({ ...account, name })]);
    assert.deepEqual([profile.name, profile.given_name, profile.family_name], expected);
    assert.deepEqual([profile.account_id, profile.email_verified], ["dbid:1", false]);
    assert.deepEqual([request?.method, request?.headers.get("content-type")], ["POST", null]);
    assert.equal(await request?.text(), "");
  }
});
