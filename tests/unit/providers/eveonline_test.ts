import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserinfoEndpoint } from "../../../src/contract/provider.ts";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import type { Profile, TokenSet } from "../../../src/kernel/model.ts";
import { eveonline } from "../../../src/providers/eveonline.ts";
import { userOf } from "../../_support/one_provider.ts";

const NOW = 1_763_820_000;

const CLAIMS = {
  iss: "https://login.eveonline.com",
  sub: "CHARACTER:EVE:95465499",
  aud: ["client-1", "EVE Online"],
  exp: NOW + 1199,
  name: "Ada Lovelace",
};

function jwt(claims: unknown): string {
  return `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
}

async function profileOf(access_token: unknown, tokens: TokenSet = {}): Promise<Profile> {
  const { request } = eveonline().userinfo as UserinfoEndpoint;
  assert.ok(request);
  return await request({
    provider: {
      id: "eveonline",
      name: "EVE Online",
      clientId: "client-1",
      clientSecret: "secret",
      issuer: "https://login.eveonline.com",
      callbackUrl: "https://example.com/auth/callback/eveonline",
      authorization: { url: undefined },
      token: { url: undefined },
      userinfo: { url: undefined },
    },
    tokens: { access_token: access_token as string, expires_in: 1199, expires_at: NOW + 1199, ...tokens },
    fetch: () => Promise.reject(new Error("nothing is requested")),
  });
}

test("eveonline() reads the profile from the access token, in both spellings of the issuer", async () => {
  for (const iss of ["https://login.eveonline.com", "login.eveonline.com"]) {
    assert.deepEqual(await profileOf(jwt({ ...CLAIMS, iss })), { ...CLAIMS, iss });
  }
  assert.equal((await profileOf(jwt({ ...CLAIMS, aud: "client-1" }))).sub, CLAIMS.sub);
  assert.equal((await profileOf(jwt({ ...CLAIMS, name: "Āda 🚀" }))).name, "Āda 🚀");
});

test("eveonline() refuses an access token that is not for this service, or no longer valid", async () => {
  const rows: [claims: Readonly<Record<string, unknown>>, problem: RegExp][] = [
    [{ iss: "https://login.evil.test" }, /another issuer/],
    [{ iss: "https://login.eveonline.com/" }, /another issuer/],
    [{ iss: ["login.eveonline.com"] }, /another issuer/],
    [{ iss: undefined }, /another issuer/],
    [{ aud: ["client-2", "EVE Online"] }, /another client/],
    [{ aud: [["client-1"]] }, /another client/],
    [{ aud: undefined }, /another client/],
    [{ exp: NOW }, /expired/],
    [{ exp: NOW - 1 }, /expired/],
    [{ exp: `${NOW + 1199}` }, /expired/],
    [{ exp: undefined }, /expired/],
  ];
  for (const [claims, problem] of rows) {
    await assert.rejects(profileOf(jwt({ ...CLAIMS, ...claims })), (error) => {
      assert.ok(error instanceof OAuthProviderError);
      assert.match(error.message, problem);
      return true;
    }, JSON.stringify(claims));
  }
  // Nothing says what the time is.
  await assert.rejects(profileOf(jwt(CLAIMS), { expires_in: undefined, expires_at: undefined }), /expired/);
});

test("eveonline() refuses an access token that is not a JWT", async () => {
  const odd = [undefined, null, 1, "", "opaque", "a.b", "a.b.c.d", "..", "e30.!!.c2ln", jwt(null), jwt([1]), jwt("x")];
  for (const token of [...odd, `e30.${Buffer.from("{").toString("base64url")}.c2ln`, `${jwt(CLAIMS)}\n`]) {
    await assert.rejects(profileOf(token), /not a JWT/, String(token));
  }
});

test("eveonline() takes the number of the character as the id, and nothing that is malformed", async () => {
  assert.deepEqual(await userOf(eveonline(), CLAIMS), {
    id: "95465499",
    name: "Ada Lovelace",
    email: null,
    image: "https://images.evetech.net/characters/95465499/portrait?size=128",
  });
  for (
    const sub of ["95465499", "CHARACTER:EVE:", "CHARACTER:EVE:9/../8", "CHARACTER:EVE:9\n", "xCHARACTER:EVE:9", 9]
  ) {
    const { id, image } = await userOf(eveonline(), { ...CLAIMS, sub: sub as string });
    assert.deepEqual([id, image], [undefined, undefined], String(sub));
  }
});
