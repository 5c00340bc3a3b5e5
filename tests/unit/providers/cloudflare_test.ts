import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { cloudflare } from "../../../src/providers/cloudflare.ts";
import { readProfile, userOf } from "../../_support/one_provider.ts";

test("cloudflare() refuses an answer without success", async () => {
  const result = { id: "1", email: "ada@example.com" };
  const bodies = [
    { success: false, errors: [{ code: 9109 }], result },
    { success: "true", result },
    { success: true, result: null },
    { result },
  ];
  for (const body of bodies) {
    await assert.rejects(readProfile(cloudflare(), [Response.json(body)]), (error) => {
      assert.ok(error instanceof OAuthProviderError);
      assert.equal(error.message, "Cannot read profile: Cloudflare answered without success");
      return true;
    });
  }
});

test("cloudflare() shows the address of somebody without a name", async () => {
  const rows: [profile: object, name: string | undefined][] = [
    [{ first_name: "Ada", last_name: "Lovelace" }, "Ada Lovelace"],
    [{ first_name: "Ada", last_name: null }, "Ada"],
    [{ first_name: "", last_name: " " }, "ada@example.com"],
    [{}, "ada@example.com"],
  ];
  for (const [profile, name] of rows) {
    assert.equal((await userOf(cloudflare(), { id: "1", email: "ada@example.com", ...profile })).name, name);
  }
});
