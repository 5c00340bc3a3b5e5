import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import type { Profile } from "../../../src/kernel/model.ts";
import { github } from "../../../src/providers/github.ts";
import { readProfile, urlsOf } from "../../_support/one_provider.ts";

test("github() requests the profile and the addresses, and sets email_verified", async () => {
  const main = { email: "ada@example.com", primary: true, verified: true };
  const other = { email: "ada@users.noreply.github.com", primary: false, verified: false };
  const rows: [publicAddress: string | null, emails: Response, expected: Profile][] = [
    [null, Response.json([other, main]), { email: main.email, email_verified: true }],
    [null, Response.json([{ ...main, verified: false }]), { email: main.email, email_verified: false }],
    ["", Response.json([other, main]), { email: main.email, email_verified: true }],
    [main.email, Response.json([other, main]), { email: main.email, email_verified: true }],
    [other.email, Response.json([main, other]), { email: other.email, email_verified: false }],
    ["b@example.com", Response.json([main]), { email: "b@example.com", email_verified: false }],
    [main.email, Response.json([]), { email: main.email, email_verified: false }],
    [main.email, Response.json({ message: "Not Found" }, { status: 404 }), {
      email: main.email,
      email_verified: false,
    }],
    [null, Response.json([main], { status: 403 }), { email: null, email_verified: false }],
    [null, Response.json([]), { email: null, email_verified: false }],
  ];
  for (const [email, emails, expected] of rows) {
    // A profile cannot vouch for its own address.
    const answers = [Response.json({ id: 1, email, email_verified: true }), emails];
    const { profile, requests } = await readProfile(github(), answers);
    assert.deepEqual(profile, { id: 1, ...expected });
    assert.deepEqual(requests.map(({ url }) => url), [
      "https://api.github.com/user",
      "https://api.github.com/user/emails",
    ]);
    for (const { headers } of requests) {
      assert.equal(headers.get("authorization"), "Bearer a-token");
      assert.equal(headers.get("accept"), "application/vnd.github+json");
      assert.ok(headers.get("user-agent"));
    }
  }
});

test("github() signs in with an Enterprise Server", async () => {
  const provider = github({ enterprise: { baseUrl: "https://git.example.com/" } });
  assert.deepEqual([...urlsOf(provider)].sort(), [
    "https://git.example.com/api/v3/user",
    "https://git.example.com/login/oauth",
    "https://git.example.com/login/oauth/access_token",
    "https://git.example.com/login/oauth/authorize",
  ]);
  assert.deepEqual(provider.options, {});
  const { requests } = await readProfile(provider, [Response.json({ id: 1 }), Response.json([])]);
  assert.deepEqual(requests.map(({ url }) => url), [
    "https://git.example.com/api/v3/user",
    "https://git.example.com/api/v3/user/emails",
  ]);
});

test("github() refuses a profile response without a 2xx status", async () => {
  for (const status of [302, 401, 403, 404, 500]) {
    const answers = [Response.json({ id: 1, message: "No" }, { status }), Response.json([])];
    await assert.rejects(readProfile(github(), answers), (error) => {
      assert.ok(error instanceof OAuthProviderError);
      assert.match(error.message, new RegExp(`answered ${status}`));
      return true;
    });
  }
});
