import assert from "node:assert/strict";
import { test } from "node:test";
import { type Issuer, makeKey } from "../../_support/issuer.ts";
import { openWorld, type World, type WorldOptions } from "../../_support/refreshes.ts";
import { START } from "../../_support/runtime.ts";

const NOW = START / 1000;

function claimsOf(issuer: Issuer, change: object = {}): Record<string, unknown> {
  return { iss: issuer.url, sub: "ada-1", aud: "client-1", iat: NOW, exp: NOW + 300, ...change };
}

/** A world whose account holds the id_token of the sign-in, and whose provider sends another one with a refresh. */
async function openWith(
  idToken: (issuer: Issuer) => string,
  { first = {}, ...options }: WorldOptions & { readonly first?: object | null } = {},
): Promise<World> {
  const world = await openWorld({ ...options, answer: (issuer) => ({ id_token: idToken(issuer) }) });
  if (first) await world.write({ id_token: world.issuer.sign(claimsOf(world.issuer, { iat: NOW - 7200, ...first })) });
  return world;
}

const signed = (change: object = {}) => (issuer: Issuer) => issuer.sign(claimsOf(issuer, change));

test("an id_token that comes with a refresh is verified and stored", async () => {
  const { ask, row, issuer } = await openWith(signed());
  assert.equal((await ask()).accessToken, "family-access-1");
  assert.equal((await row()).id_token, issuer.sign(claimsOf(issuer)));
});

test("a refresh without an id_token keeps the one before", async () => {
  const world = await openWorld();
  await world.write({ id_token: world.issuer.sign(claimsOf(world.issuer)) });
  const before = (await world.row()).id_token;
  await world.ask();
  assert.equal((await world.row()).id_token, before);
});

test("an id_token with the nonce of the sign-in, or with none, is accepted", async () => {
  const first = { nonce: "n1" };
  for (const change of [{ nonce: "n1" }, {}]) {
    assert.equal((await (await openWith(signed(change), { first })).ask()).accessToken, "family-access-1");
  }
});

test("a demand on the age of the sign-in is none on a refresh", async () => {
  const provider = { client: { default_max_age: 60, require_auth_time: true } };
  assert.equal((await (await openWith(signed(), { provider })).ask()).accessToken, "family-access-1");
});

/** What a lying provider sends with a refresh. */
const LIES: Readonly<Record<string, (issuer: Issuer) => string>> = {
  "is about somebody else": signed({ sub: "eve" }),
  "is of another issuer": signed({ iss: "https://evil.test" }),
  "is for another client": signed({ aud: "client-2" }),
  "is for several clients": signed({ aud: ["client-1", "client-2"], azp: "client-2" }),
  "has expired": signed({ exp: NOW - 60 }),
  "is old": signed({ iat: NOW - 7200 }),
  "is not valid yet": signed({ nbf: NOW + 600 }),
  "has another nonce": signed({ nonce: "n2" }),
  "is for another access token": signed({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }),
  "is signed with another key": (issuer) => issuer.sign(claimsOf(issuer), {}, { ...makeKey("RS256"), kid: "other" }),
  "is not signed": (issuer) => issuer.sign(claimsOf(issuer), { alg: "none" }).replace(/[^.]+$/, ""),
  "is no JWT": () => "token",
};

for (const [lie, idToken] of Object.entries(LIES)) {
  test(`tokens whose id_token ${lie} are not given and not stored`, async () => {
    const { ask, row, log, issuer } = await openWith(idToken, { first: { nonce: "n1" } });
    await assert.rejects(() => ask(), { type: "OAuthProviderError" });
    assert.equal((await row()).access_token, "access-0");
    assert.equal(log.errors.length, 1);
    // Nobody tries again at once.
    await assert.rejects(() => ask(), { type: "ProviderUnavailable" });
    assert.equal(issuer.count("token"), 1);
  });
}

test("an id_token with which there is none to compare is verified, and not stored", async () => {
  const { ask, row } = await openWith(signed({ sub: "eve" }), { first: null });
  assert.equal((await ask()).accessToken, "family-access-1");
  assert.equal((await row()).id_token, undefined);
  // Other software may have stored something else.
  const odd = await openWith(signed({ sub: "eve" }), { first: null, account: { id_token: "no JWT" } });
  assert.equal((await odd.ask()).accessToken, "family-access-1");
  assert.equal((await odd.row()).id_token, "no JWT");
  const lying = await openWith(signed({ aud: "client-2" }), { first: null });
  await assert.rejects(() => lying.ask(), { type: "OAuthProviderError" });
});

test("an id_token of a provider whose tokens cannot be verified is stored as it came", async () => {
  const world = await openWorld({
    provider: {
      type: "oauth",
      issuer: undefined,
      token: "https://idp.test/token",
      authorization: "https://idp.test/a",
      userinfo: "https://idp.test/u",
    },
    account: { id_token: "something" },
    answer: () => ({ id_token: "something else" }),
  });
  assert.equal((await world.ask()).accessToken, "family-access-1");
  assert.equal((await world.row()).id_token, "something else");
});
