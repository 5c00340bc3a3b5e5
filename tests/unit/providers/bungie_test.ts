import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { bungie } from "../../../src/providers/bungie.ts";
import { readProfile, userOf } from "../../_support/one_provider.ts";

const RESPONSE = { bungieNetUser: { membershipId: "1", displayName: "Ada" } };

test("bungie() refuses an answer that reports an error with status 200", async () => {
  const bodies = [
    { ErrorCode: 99, ErrorStatus: "WebAuthRequired", Message: "Please sign-in." },
    { ErrorCode: 99, ErrorStatus: "WebAuthRequired", Response: RESPONSE },
    { Response: RESPONSE },
  ];
  for (const body of bodies) {
    await assert.rejects(readProfile(bungie({ apiKey: "a-key" }), [Response.json(body)]), (error) => {
      assert.ok(error instanceof OAuthProviderError);
      assert.match(error.message, /^Cannot read profile: Bungie answered with (?:WebAuthRequired|an error)$/);
      return true;
    });
  }
});

test("bungie() finds the picture at its own origin", async () => {
  const rows: [path: string | null | undefined, image: string | null][] = [
    ["/img/a.jpg", "https://www.bungie.net/img/a.jpg"],
    ["img/a.jpg", "https://www.bungie.net/img/a.jpg"],
    ["@example.com/a.jpg", "https://www.bungie.net/@example.com/a.jpg"],
    ["", null],
    [null, null],
    [undefined, null],
  ];
  for (const [profilePicturePath, image] of rows) {
    const profile = { Response: { bungieNetUser: { ...RESPONSE.bungieNetUser, profilePicturePath } } };
    assert.equal((await userOf(bungie(), profile)).image, image);
  }
});
