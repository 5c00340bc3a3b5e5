import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { gitlab } from "../../../src/providers/gitlab.ts";
import { readProfile, urlsOf } from "../../_support/one_provider.ts";

test("gitlab() refuses a profile response without a 2xx status", async () => {
  for (const status of [302, 401, 403, 404, 500]) {
    const answers = [Response.json({ id: 1, message: "No" }, { status }), Response.json([])];
    await assert.rejects(readProfile(gitlab(), answers), (error) => {
      assert.ok(error instanceof OAuthProviderError);
      assert.match(error.message, new RegExp(`answered ${status}`));
      return true;
    });
  }
});

test("gitlab() sets email_verified for a confirmed address", async () => {
  for (const [confirmed_at, expected] of [["2024-05-23T09:05:22.000Z", true], [null, false], [undefined, false]]) {
    const { profile } = await readProfile(gitlab(), [Response.json({ id: 1, confirmed_at, email_verified: true })]);
    assert.equal(profile.email_verified, expected);
  }
});

test("gitlab() signs in with a self-managed GitLab, also below a path", async () => {
  for (const options of [{ baseUrl: "https://example.com/gitlab/" }, { issuer: "https://example.com/gitlab" }]) {
    const provider = gitlab(options);
    for (const url of urlsOf(provider)) assert.ok(url.startsWith("https://example.com/gitlab/"), url);
    const { requests } = await readProfile(provider, [Response.json({ id: 1 })]);
    assert.deepEqual(requests.map(({ url }) => url), ["https://example.com/gitlab/api/v4/user"]);
  }
});
