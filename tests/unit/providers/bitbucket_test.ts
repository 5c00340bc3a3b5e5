import assert from "node:assert/strict";
import { test } from "node:test";
import { bitbucket } from "../../../src/providers/bitbucket.ts";
import { readProfile, userOf } from "../../_support/one_provider.ts";

const user = () => Response.json({ account_id: "1", display_name: "Ada" });

test("bitbucket() takes the primary address, and whether it is confirmed", async () => {
  const rows: [is_confirmed: unknown, expected: boolean][] = [[true, true], [false, false], [undefined, false], [
    1,
    false,
  ]];
  for (const [is_confirmed, expected] of rows) {
    const values = [
      { email: "other@example.com", is_primary: false, is_confirmed: true },
      { email: "ada@example.com", is_primary: true, is_confirmed },
    ];
    const { profile, requests } = await readProfile(bitbucket(), [user(), Response.json({ values })]);
    assert.deepEqual([profile.email, profile.email_verified], ["ada@example.com", expected]);
    assert.deepEqual(requests.map(({ url }) => url), [
      "https://api.bitbucket.org/2.0/user",
      "https://api.bitbucket.org/2.0/user/emails",
    ]);
  }
});

test("bitbucket() gives no address and no statement about it where it may not see any", async () => {
  const answers = [Response.json({ error: {} }, { status: 403 }), Response.json({ values: [] }), Response.json({})];
  for (const answer of answers) {
    const { profile } = await readProfile(bitbucket(), [user(), answer]);
    assert.deepEqual([profile.email, profile.email_verified], [undefined, undefined]);
    assert.deepEqual(await userOf(bitbucket(), profile), { id: "1", name: "Ada", email: undefined, image: undefined });
  }
});
