/** Vendors whose profile needs more than a GET with a bearer token, or whose options change where it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OAuthProvider } from "../../../src/contract/provider.ts";
import { epicGames } from "../../../src/providers/epic_games.ts";
import { etsy } from "../../../src/providers/etsy.ts";
import { eventbrite } from "../../../src/providers/eventbrite.ts";
import { facebook } from "../../../src/providers/facebook.ts";
import { foursquare } from "../../../src/providers/foursquare.ts";
import { fusionauth } from "../../../src/providers/fusionauth.ts";
import { hubspot } from "../../../src/providers/hubspot.ts";
import { instagram } from "../../../src/providers/instagram.ts";
import { intuit } from "../../../src/providers/intuit.ts";
import { kakao } from "../../../src/providers/kakao.ts";
import { lichess } from "../../../src/providers/lichess.ts";
import { linear } from "../../../src/providers/linear.ts";
import { readProfile, urlsOf, userOf } from "../../_support/one_provider.ts";

test("etsy() puts nothing but digits into a path", async () => {
  for (const user_id of [undefined, null, "", "1/../2", "1?x", {}, -1, 1.5]) {
    await assert.rejects(readProfile(etsy(), [Response.json({ user_id })]), /without a user_id/, String(user_id));
  }
  const answers = [Response.json({ user_id: "90071992547409931" }), Response.json({ user_id: "90071992547409931" })];
  const { requests } = await readProfile(etsy(), answers);
  assert.deepEqual(requests.map(({ url, headers }) => [url, headers.get("x-api-key")]), [
    ["https://openapi.etsy.com/v3/application/users/me", "a-client:a-secret"],
    ["https://openapi.etsy.com/v3/application/users/90071992547409931", "a-client:a-secret"],
  ]);
});

test("eventbrite() gives the primary address, and whether that one is verified", async () => {
  const main = { email: "ada@example.com", primary: true, verified: false };
  const other = { email: "a@example.org", primary: false, verified: true };
  const rows: [emails: unknown, email: string | undefined, verified: boolean][] = [
    [[other, main], main.email, false],
    [[other, { ...main, verified: true }], main.email, true],
    [[other], other.email, true],
    [[{ ...main, verified: "true" }], main.email, false],
    [[], undefined, false],
    [null, undefined, false],
  ];
  for (const [emails, email, verified] of rows) {
    const answer = Response.json({ id: "1", emails, email_verified: true });
    const { profile } = await readProfile(eventbrite(), [answer]);
    assert.deepEqual([(await userOf(eventbrite(), profile)).email, profile.email_verified], [email, verified]);
  }
});

test("eventbrite() has no picture without an id of one, and puts no other path into its URL", async () => {
  assert.equal((await userOf(eventbrite(), { id: "1", image_id: null })).image, null);
  const { image } = await userOf(eventbrite(), { id: "1", image_id: "../5?a" });
  assert.equal(image, "https://img.evbuc.com/https%3A%2F%2Fcdn.evbuc.com%2Fimages%2F..%2F5%3Fa%2F1%2Foriginal.jpg");
});

test("kakao() takes an address for verified if it is valid, too", async () => {
  const rows: [valid: unknown, verified: unknown, expected: boolean][] = [
    [true, true, true],
    [false, true, false],
    [true, false, false],
    [undefined, true, false],
    [true, undefined, false],
    ["true", true, false],
  ];
  for (const [is_email_valid, is_email_verified, expected] of rows) {
    const kakao_account = { email: "ada@example.com", is_email_valid, is_email_verified };
    const { profile } = await readProfile(kakao(), [Response.json({ id: 1, kakao_account, email_verified: true })]);
    assert.equal(profile.email_verified, expected);
  }
  const { profile } = await readProfile(kakao(), [Response.json({ id: 1, email_verified: true })]);
  assert.equal(profile.email_verified, false);
});

test("lichess() has no address if the person or the configuration removed the scope", async () => {
  for (
    const answer of [Response.json({ error: "Missing scope" }, { status: 403 }), Response.json({}), new Response()]
  ) {
    const { profile } = await readProfile(lichess(), [Response.json({ id: "ada", email: "x@example.com" }), answer]);
    assert.equal(profile.email, null);
  }
});

test("hubspot() asks who the access token is of, and keeps the token out of URL and profile", async () => {
  const answer = { active: true, user_id: 1, user: "ada@example.com", token: "a-token", signed_access_token: {} };
  const { profile, requests: [request] } = await readProfile(hubspot(), [Response.json(answer)]);
  assert.deepEqual(profile, { active: true, user_id: 1, user: "ada@example.com" });
  assert.equal(request?.url, "https://api.hubapi.com/oauth/2026-03/token/introspect");
  assert.equal(request.headers.get("authorization"), null);
});

test("foursquare() sends the access token as a parameter, with the version of the API", async () => {
  const { requests: [request] } = await readProfile(foursquare({ apiVersion: "20260101" }), [Response.json({})]);
  assert.equal(request?.url, "https://api.foursquare.com/v2/users/self?v=20260101&oauth_token=a-token");
  assert.equal(request.headers.get("authorization"), null);
});

test("intuit() takes an address for verified only if Intuit says so, in production and in the sandbox", async () => {
  const sandbox = { sandbox: true };
  const rows: [options: object, origin: string, document: string][] = [
    [{}, "https://accounts.platform.intuit.com", "openid_configuration"],
    [sandbox, "https://sandbox-accounts.platform.intuit.com", "openid_sandbox_configuration"],
  ];
  for (const [options, origin, document] of rows) {
    const provider = intuit(options);
    for (const [emailVerified, expected] of [[true, true], ["true", false], [undefined, false]]) {
      const answer = Response.json({ sub: "1", emailVerified, email_verified: true });
      const { profile, requests } = await readProfile(provider as unknown as OAuthProvider, [answer]);
      assert.equal(profile.email_verified, expected);
      assert.deepEqual(requests.map(({ url }) => url), [`${origin}/v1/openid_connect/userinfo`]);
    }
    assert.equal(provider.wellKnown, `https://developer.api.intuit.com/.well-known/${document}`);
    assert.deepEqual(provider.options, {});
  }
});

test("vendors that separate scopes with commas get them so", () => {
  for (const make of [facebook, instagram, kakao, linear]) {
    const { authorization } = make();
    assert.equal(typeof authorization === "object" && authorization.scopeSeparator, ",", make.name);
  }
});

test("options that are a provider's own change its URLs and its parameters, and go no further", () => {
  const meta = facebook({ graphApiVersion: "v25.0", fields: ["id", "name"], configId: "1234" });
  assert.deepEqual(urlsOf(meta), [
    "https://www.facebook.com/v25.0/dialog/oauth",
    "https://graph.facebook.com/v25.0/oauth/access_token",
    "https://graph.facebook.com/v25.0/me?fields=id,name",
  ]);
  assert.deepEqual(meta.authorization, {
    url: "https://www.facebook.com/v25.0/dialog/oauth",
    params: { scope: "email public_profile", config_id: "1234" },
    scopeSeparator: ",",
  });
  const epic = epicGames({ deploymentId: "abc" });
  assert.deepEqual(epic.token, {
    url: "https://api.epicgames.dev/epic/oauth/v2/token",
    form: { deployment_id: "abc" },
  });
  assert.deepEqual(epicGames().token, { url: "https://api.epicgames.dev/epic/oauth/v2/token" });
  const fusion = fusionauth({ issuer: "https://id.example.com/", tenantId: "a/b" });
  assert.equal(fusion.wellKnown, "https://id.example.com/.well-known/openid-configuration?tenantId=a%2Fb");
  assert.equal(fusionauth({ issuer: "https://id.example.com" }).wellKnown, undefined);
  for (const { options } of [meta, epic]) assert.deepEqual(options, {});
  assert.deepEqual(fusion.options, { issuer: "https://id.example.com/" });
});
