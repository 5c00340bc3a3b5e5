import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { anilist } from "../../../src/providers/anilist.ts";
import { readProfile } from "../../_support/one_provider.ts";

test("anilist() refuses an answer of the GraphQL API without a viewer", async () => {
  for (const body of [{}, { data: null, errors: [{ message: "Invalid token" }] }, { data: { Viewer: null } }, []]) {
    await assert.rejects(readProfile(anilist(), [Response.json(body)]), (error) => {
      assert.ok(error instanceof OAuthProviderError);
      assert.equal(error.message, "Cannot read profile: AniList answered without a viewer");
      return true;
    });
  }
});
