import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import type { Profile } from "../../../src/kernel/model.ts";
import { discord } from "../../../src/providers/discord.ts";
import { readProfile, userOf } from "../../_support/one_provider.ts";

test("discord() refuses a profile response without a 2xx status", async () => {
  for (const status of [302, 401, 403, 404, 500]) {
    const answers = [Response.json({ id: 1, message: "No" }, { status }), Response.json([])];
    await assert.rejects(readProfile(discord(), answers), (error) => {
      assert.ok(error instanceof OAuthProviderError);
      assert.match(error.message, new RegExp(`answered ${status}`));
      return true;
    });
  }
});

test("discord() copies `verified` to `email_verified` if it is a boolean", async () => {
  const rows: [verified: unknown, expected: boolean][] = [
    [true, true],
    [false, false],
    [undefined, false],
    ["true", false],
    [1, false],
  ];
  for (const [verified, expected] of rows) {
    const { profile, requests } = await readProfile(discord(), [Response.json({ id: "1", verified })]);
    assert.equal(profile.email_verified, expected);
    assert.deepEqual(requests.map(({ url }) => url), ["https://discord.com/api/users/@me"]);
  }
});

test("discord() finds the picture", async () => {
  const rows: [profile: Profile, image: string | null][] = [
    [{ id: "80351110224678912", avatar: "a_1f" }, "avatars/80351110224678912/a_1f.gif"],
    [{ id: "80351110224678912", avatar: "1f" }, "avatars/80351110224678912/1f.png"],
    // 80351110224678912 >> 22 is 19157197529, a multiple of six and five more.
    [{ id: "80351110224678912" }, "embed/avatars/5.png"],
    [{ id: "80351110224678912", discriminator: "0" }, "embed/avatars/5.png"],
    [{ id: "80351110224678912", discriminator: "1337" }, "embed/avatars/2.png"],
    [{ id: "../../x", avatar: "1f" }, null],
    [{ avatar: "1f" }, null],
  ];
  for (const [profile, image] of rows) {
    const expected = image && `https://cdn.discordapp.com/${image}`;
    assert.equal((await userOf(discord(), profile)).image, expected, JSON.stringify(profile));
  }
});
