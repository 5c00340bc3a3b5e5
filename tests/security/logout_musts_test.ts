/**
 * What the three specifications of logout demand of a client, each with the lie that it refuses.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-backchannel-1_0.html | Back-Channel Logout}
 * @see {@link https://openid.net/specs/openid-connect-frontchannel-1_0.html | Front-Channel Logout}
 * @see {@link https://openid.net/specs/openid-connect-rpinitiated-1_0.html | RP-Initiated Logout}
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { CLIENT, encode, makeKey, signJws } from "../_support/issuer.ts";
import { END_SESSION, EVENT, SID, World, type WorldOptions } from "./_logout.ts";
import { ask, type Asked, countRows, JSON_TYPE, keep, locationOf, ORIGIN } from "./_service.ts";

const rows = countRows("musts of logout");

interface TokenRow {
  /** The section, and what it demands. */
  readonly must: string;
  /** What the provider, or somebody else, sends. */
  readonly lie: string;
  readonly send: (world: World) => string | Promise<string>;
  readonly options?: WorldOptions;
  readonly asked?: (token: string) => Asked;
}

const iat = (world: World): number => Math.floor(world.runtime.now() / 1000);

const hs256 = (claims: unknown, header: object, secret: string = CLIENT.secret): string => {
  const signed = `${encode({ alg: "HS256", ...header })}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
};

const EXPLICIT = { typ: "logout+jwt" };

const BACK_CHANNEL: readonly TokenRow[] = [
  {
    must: "2.4: the typ of a token that has one is logout+jwt",
    lie: "a token with the typ of access tokens",
    send: (world) => world.token({}, { typ: "at+jwt" }),
  },
  {
    must: "2.4: the typ of a token that has one is logout+jwt",
    lie: "a token with the typ JWT, as id_tokens have",
    send: (world) => world.token({}, { typ: "JWT" }),
  },
  {
    must: "2.4: the typ of a token that has one is logout+jwt",
    lie: "a typ that is a list",
    send: (world) => world.token({}, { typ: ["logout+jwt"] }),
  },
  { must: "2.4: iss is required", lie: "no iss", send: (world) => world.token({ iss: undefined }) },
  {
    must: "2.6, 4: iss is the issuer",
    lie: "another issuer",
    send: (world) => world.token({ iss: "https://evil.test" }),
  },
  {
    must: "2.6, 4: iss is the issuer, exactly",
    lie: "a slash more",
    send: (world) => world.token({ iss: "https://idp.test/" }),
  },
  { must: "2.4: aud is required", lie: "no aud", send: (world) => world.token({ aud: undefined }) },
  {
    must: "2.6, 4: aud is this client",
    lie: "a token for another client",
    send: (world) => world.token({ aud: "client-2" }),
  },
  {
    must: "2.6, 4: no other audience is trusted",
    lie: "a list with another client",
    send: (world) => world.token({ aud: [CLIENT.id, "client-2"] }),
  },
  {
    must: "2.6, 4: aud names the client as a whole",
    lie: "a list in a list",
    send: (world) => world.token({ aud: [[CLIENT.id]] }),
  },
  { must: "2.6, 4: azp is this client", lie: "another azp", send: (world) => world.token({ azp: "client-2" }) },
  { must: "2.4: iat is required", lie: "no iat", send: (world) => world.token({ iat: undefined }) },
  { must: "2.4: iat is a time", lie: "an iat in text", send: (world) => world.token({ iat: String(iat(world)) }) },
  {
    must: "2.6, 4: iat is not long ago",
    lie: "a token of three minutes ago that has not expired",
    send: (world) => world.token({ iat: iat(world) - 180, exp: iat(world) + 3600 }),
  },
  {
    must: "2.6, 4: iat is not in the future",
    lie: "a token of tomorrow",
    send: (world) => world.token({ iat: iat(world) + 86_400, exp: iat(world) + 90_000 }),
  },
  { must: "2.4: exp is required", lie: "no exp", send: (world) => world.token({ exp: undefined }) },
  {
    must: "2.6, 4: exp is in the future",
    lie: "a token that has expired",
    send: (world) => world.token({ exp: iat(world) - 31 }),
  },
  { must: "2.4: exp is a time", lie: "an exp in text", send: (world) => world.token({ exp: "never" }) },
  {
    must: "RFC 7519, 4.1.5: nbf is in the past",
    lie: "a token for later",
    send: (world) => world.token({ nbf: iat(world) + 60 }),
  },
  { must: "2.4: jti is required", lie: "no jti", send: (world) => world.token({ jti: undefined }) },
  { must: "2.4: jti is text", lie: "a number as jti", send: (world) => world.token({ jti: 1 }) },
  { must: "2.4: jti is unique", lie: "an empty jti", send: (world) => world.token({ jti: "" }) },
  { must: "2.4: events is required", lie: "no events", send: (world) => world.token({ events: undefined }) },
  {
    must: "2.6, 6: events is an object",
    lie: "the name of the event",
    send: (world) => world.token({ events: EVENT }),
  },
  { must: "2.6, 6: events is an object", lie: "a list", send: (world) => world.token({ events: [EVENT] }) },
  {
    must: "2.6, 6: events has the member of a logout",
    lie: "another event",
    send: (world) => world.token({ events: { "http://schemas.openid.net/event/other": {} } }),
  },
  {
    must: "2.6, 6: events has the member of a logout, exactly",
    lie: "the name in other letters",
    send: (world) => world.token({ events: { [EVENT.toUpperCase()]: {} } }),
  },
  {
    must: "2.4: the member is an object",
    lie: "the member is true",
    send: (world) => world.token({ events: { [EVENT]: true } }),
  },
  {
    must: "2.4: the member is an object",
    lie: "the member is null",
    send: (world) => world.token({ events: { [EVENT]: null } }),
  },
  {
    must: "2.4: the event is a logout and nothing else",
    lie: "another event beside it",
    send: (world) => world.token({ events: { [EVENT]: {}, "http://schemas.openid.net/event/other": {} } }),
  },
  { must: "2.6, 7: there is no nonce", lie: "a nonce", send: (world) => world.token({ nonce: "n" }) },
  { must: "2.6, 7: there is no nonce", lie: "a nonce that is null", send: (world) => world.token({ nonce: null }) },
  {
    must: "2.6, 5: there is sub, sid or both",
    lie: "neither",
    send: (world) => world.token({ sub: undefined, sid: undefined }),
  },
  { must: "2.4: sid is text", lie: "a sid that is an object", send: (world) => world.token({ sid: {} }) },
  { must: "2.4: sid is text", lie: "an empty sid", send: (world) => world.token({ sid: "", sub: "ada-1" }) },
  {
    must: "2.4: sub is text",
    lie: "a list of people",
    send: (world) => world.token({ sub: ["ada-1"], sid: undefined }),
  },
  { must: "2.4: sub is text", lie: "a sub of 256 characters", send: (world) => world.token({ sub: "a".repeat(256) }) },
  {
    must: "2.2: a client that demands sid gets it",
    lie: "a logout token without sid",
    send: (world) => world.token({ sub: "ada-1", sid: undefined }),
    options: { provider: { client: { backchannel_logout_session_required: true } } },
  },
  {
    must: "2.6, 3: the alg none is never used",
    lie: "a token without a signature",
    send: (world) => `${encode({ alg: "none", typ: "logout+jwt" })}.${encode(world.claims())}.`,
  },
  {
    must: "2.6, 2: the signature is verified",
    lie: "claims that were changed afterwards",
    send: (world) => {
      const [header, , signature] = world.token().split(".");
      return `${header}.${encode(world.claims({ sid: "other" }))}.${signature}`;
    },
  },
  {
    must: "2.6, 2: the key is one of the issuer",
    lie: "a key of somebody else, under the kid of the issuer",
    send: (world) => {
      const kid = world.issuer.keys[0]?.kid;
      return signJws(world.claims(), { alg: "RS256", kid, typ: "logout+jwt" }, makeKey("RS256"));
    },
  },
  {
    must: "2.6, 2: the key is one of the issuer",
    lie: "a key that is written into the header",
    send: (world) => {
      const key = makeKey("RS256");
      return signJws(world.claims(), { alg: "RS256", kid: key.kid, jwk: key.jwk, typ: "logout+jwt" }, key);
    },
  },
  {
    must: "2.6, 3: a shared secret is the key only if the client is registered so",
    lie: "HS256 with the client secret",
    send: (world) => hs256(world.claims(), EXPLICIT),
  },
  {
    must: "2.6, 3: a shared secret is the key only if the client is registered so",
    lie: "HS256 with the client secret, which the provider announces",
    send: (world) => hs256(world.claims(), EXPLICIT),
    options: { metadata: { id_token_signing_alg_values_supported: ["RS256", "HS256"] } },
  },
  {
    must: "2.6, 3: a public key is no shared secret",
    lie: "HS256 with the public key",
    send: (world) => hs256(world.claims(), EXPLICIT, JSON.stringify(world.issuer.keys[0]?.jwk)),
  },
  {
    must: "2.6, 3: the alg is the one that is registered",
    lie: "RS256 where the client is registered with HS256",
    send: (world) => world.token(),
    options: { provider: { client: { id_token_signed_response_alg: "HS256" } } },
  },
  {
    must: "2.6, 2: a signature with a shared secret is verified",
    lie: "HS256 with another secret",
    send: (world) => hs256(world.claims(), EXPLICIT, "another secret"),
    options: { provider: { client: { id_token_signed_response_alg: "HS256" } } },
  },
  {
    must: "2.6, 3: the alg is one that the provider announces",
    lie: "ES256 where RS256 is announced",
    send: (world) => {
      const key = makeKey("ES256");
      world.issuer.keys.push(key);
      return world.issuer.sign(world.claims(), EXPLICIT, key);
    },
    options: { metadata: { id_token_signing_alg_values_supported: ["RS256"] } },
  },
  {
    must: "RFC 7515, 4.1.11: what is critical is understood",
    lie: "a critical extension",
    send: (world) => world.token({}, { typ: "logout+jwt", crit: ["b64"], b64: true }),
  },
  {
    must: "4: an id_token is no logout token",
    lie: "an id_token of the person",
    send: (world) => {
      const { iss, aud, iat, exp } = world.claims();
      return world.issuer.sign({ iss, aud, iat, exp, sub: "ada-1", sid: SID, nonce: "n" });
    },
  },
  {
    must: "4: an id_token is no logout token",
    lie: "an id_token without nonce and with a jti",
    send: (world) => {
      const { iss, aud, iat, exp, jti } = world.claims();
      return world.issuer.sign({ iss, aud, iat, exp, jti, sub: "ada-1", sid: SID });
    },
  },
  { must: "2.5: the token is a signed JWT", lie: "any text", send: () => "logout" },
  { must: "2.5: the token is there", lie: "an empty text", send: () => "" },
  {
    must: "2.5: each claim is there once",
    lie: "a second sid",
    send: (world) => {
      const text = JSON.stringify(world.claims()).replace("{", `{"sid":"other",`);
      return world.issuer.sign(text as never, EXPLICIT);
    },
  },
  {
    must: "2.5: the body is a form",
    lie: "JSON",
    send: (world) => world.token(),
    asked: (token) => ({
      fields: JSON.stringify({ logout_token: token }),
      headers: { "content-type": JSON_TYPE },
      method: "POST",
    }),
  },
  {
    must: "2.5: the token is there once",
    lie: "two tokens",
    send: (world) => world.token(),
    asked: (token) => ({
      fields: `logout_token=${token}&logout_token=${token}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      method: "POST",
    }),
  },
  {
    must: "2.5: the token is in the body",
    lie: "a token in the query",
    send: (world) => world.token(),
    asked: () => ({ fields: {} }),
  },
];

for (const { must, lie, send, options, asked } of BACK_CHANNEL) {
  test(`back-channel, ${must}; refused: ${lie}`, async () => {
    const isMac = options?.provider?.client?.id_token_signed_response_alg === "HS256";
    const world = new World(options);
    const faults: string[] = [];
    Object.assign(world.log.logger, { error: (error: Error) => void faults.push(String(error)) });
    if (isMac) world.issuer.rewrite((idToken) => hs256(JSON.parse(atob(idToken.split(".")[1] ?? "")), {}));
    const cookies = await world.signIn();
    assert.ok(await world.isSignedIn(cookies));
    const token = await send(world);
    const response = await world.post(token, asked?.(token));
    rows();
    assert.equal(response.status, 400);
    assert.match(response.headers.get("cache-control") ?? "", /no-store/);
    const body = await response.json();
    assert.ok(body.error === "invalid_request" || typeof body.message === "string", JSON.stringify(body));
    // The library that verifies signatures looks at some claims, too.
    if (!must.startsWith("2.6, 2")) assert.notEqual(body.error_description, "its signature is wrong");
    assert.ok(await world.isSignedIn(cookies), "the session goes on");
    assert.deepEqual(faults, [], "whoever can post a form cannot raise an alarm");
    // An honest one still ends it, so that the lie is the reason.
    const honest = isMac ? hs256(world.claims(), EXPLICIT) : world.token({ sub: "ada-1" });
    assert.equal((await world.post(honest)).status, 200);
    assert.ok(!await world.isSignedIn(cookies));
  });
}

/** What a provider may send. */
const ACCEPTED: readonly (readonly [what: string, send: TokenRow["send"], options?: WorldOptions])[] = [
  ["a token with sid", (world) => world.token()],
  ["a token with sub", (world) => world.token({ sid: undefined, sub: "ada-1" })],
  ["a token with both", (world) => world.token({ sub: "ada-1" })],
  ["a token without typ, of an older provider", (world) => world.token({}, {})],
  ["a typ in other letters, with its tree", (world) => world.token({}, { typ: "application/Logout+JWT" })],
  ["a list of one audience", (world) => world.token({ aud: [CLIENT.id] })],
  ["a token of a minute ago", (world) => world.token({ iat: iat(world) - 60 })],
  ["a clock that is 20 seconds off", (world) => world.token({ iat: iat(world) + 20 })],
  ["claims of the provider's own", (world) => world.token({ trace: "1", error: 1 })],
];

for (const [what, send, options] of ACCEPTED) {
  test(`back-channel: ${what} ends the session`, async () => {
    const world = new World(options);
    const cookies = await world.signIn();
    const response = await world.post(await send(world));
    rows();
    assert.equal(response.status, 200);
    assert.match(response.headers.get("cache-control") ?? "", /no-store/);
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.ok(!await world.isSignedIn(cookies));
    assert.deepEqual(world.log.errors, []);
  });
}

interface FrameRow {
  readonly must: string;
  readonly lie: string;
  readonly query: string;
  readonly options?: WorldOptions;
}

const ISS = encodeURIComponent("https://idp.test");

const FRONT_CHANNEL: readonly FrameRow[] = [
  { must: "2: iss and sid come together", lie: "neither", query: "" },
  { must: "2: iss and sid come together", lie: "only iss", query: `?iss=${ISS}` },
  { must: "2: iss and sid come together", lie: "only sid", query: `?sid=${SID}` },
  { must: "2: iss is the issuer", lie: "another issuer", query: `?iss=https%3A%2F%2Fevil.test&sid=${SID}` },
  { must: "2: iss is the issuer, exactly", lie: "a slash more", query: `?iss=${ISS}%2F&sid=${SID}` },
  { must: "2: iss is the issuer, exactly", lie: "a site of a similar name", query: `?iss=${ISS}.evil.test&sid=${SID}` },
  { must: "2: sid is that of the session", lie: "another sid", query: `?iss=${ISS}&sid=other` },
  { must: "2: sid is that of the session", lie: "an empty sid", query: `?iss=${ISS}&sid=` },
  { must: "2: sid is that of the session", lie: "a zero", query: `?iss=${ISS}&sid=%00` },
  {
    must: "2: sid is that of the session",
    lie: "a sid of 300 characters",
    query: `?iss=${ISS}&sid=${"a".repeat(300)}`,
  },
  { must: "2: sid is that of the session", lie: "its beginning", query: `?iss=${ISS}&sid=${SID.slice(0, 4)}` },
];

for (const { must, lie, query } of FRONT_CHANNEL) {
  for (const stored of [true, false]) {
    test(`front-channel, ${must}; nothing ends ${stored ? "with" : "without"} storage: ${lie}`, async () => {
      const world = new World({ stored });
      const cookies = await world.signIn();
      const response = await ask(world.site, `/auth/frontchannel-logout/idp${query}`, { cookies });
      rows();
      assert.equal(response.status, 200);
      assert.equal(await response.text(), "");
      assert.deepEqual(response.headers.getSetCookie(), []);
      assert.ok(await world.isSignedIn(cookies));
      const honest = await ask(world.site, `/auth/frontchannel-logout/idp?iss=${ISS}&sid=${SID}`, { cookies });
      assert.ok(!await world.isSignedIn(keep(honest, cookies)));
    });
  }
}

test("front-channel, 2: the sessions of a sid end without a cookie, as a frame of another site has none", async () => {
  const world = new World();
  const [cookies, others] = [await world.signIn(), await world.signIn({ sid: "another" })];
  const response = await ask(world.site, `/auth/frontchannel-logout/idp?iss=${ISS}&sid=${SID}`);
  assert.equal(response.status, 200);
  assert.ok(!await world.isSignedIn(cookies));
  assert.ok(await world.isSignedIn(others));
  rows();
});

test("front-channel, 2: the answer is not cached, is empty, and only the issuer may frame it", async () => {
  const world = new World();
  const { headers } = await ask(world.site, `/auth/frontchannel-logout/idp?iss=${ISS}&sid=${SID}`);
  assert.match(headers.get("cache-control") ?? "", /no-store/);
  assert.match(headers.get("content-security-policy") ?? "", /; frame-ancestors https:\/\/idp\.test; sandbox$/);
  assert.equal(headers.get("x-frame-options"), null);
  const refused = await ask(world.site, "/auth/frontchannel-logout/idp", { method: "POST" });
  assert.equal(refused.status, 405);
  assert.equal(refused.headers.get("x-frame-options"), "DENY");
  const unknown = await ask(world.site, "/auth/frontchannel-logout/other");
  assert.equal(unknown.status, 404);
  assert.equal(unknown.headers.get("x-frame-options"), "DENY");
  rows(3);
});

test("front-channel: HEAD ends nothing", async () => {
  const world = new World();
  const cookies = await world.signIn();
  const asked = { method: "HEAD", cookies };
  assert.equal((await ask(world.site, `/auth/frontchannel-logout/idp?iss=${ISS}&sid=${SID}`, asked)).status, 200);
  assert.ok(await world.isSignedIn(cookies));
  rows();
});

/** What a client sends to the provider, and what it takes from there. */
const RP_INITIATED: Readonly<Record<string, (world: World) => Promise<void>>> = {
  "2: id_token_hint is an id_token that the provider has issued, of the session that ends": async (world) => {
    const issued: string[] = [];
    world.issuer.rewrite((idToken) => (issued.push(idToken), idToken));
    const [first] = [await world.signIn(), await world.signIn({ sid: "another" })];
    assert.equal(new URL(locationOf(await world.signOut(first))).searchParams.get("id_token_hint"), issued[0]);
  },
  "2: client_id is that of the id_token, and post_logout_redirect_uri is one text that can be registered": async (
    world,
  ) => {
    for (const callbackUrl of ["/", "/bye?a=b", "https://evil.test"]) {
      const url = new URL(locationOf(await world.signOut(await world.signIn(), callbackUrl)));
      assert.equal(url.origin + url.pathname + url.search.slice(0, 11), END_SESSION);
      assert.equal(url.searchParams.get("client_id"), CLIENT.id);
      assert.equal(url.searchParams.get("post_logout_redirect_uri"), `${ORIGIN}/auth/signout/idp`);
    }
  },
  "2: each parameter is there once, and state is another each time": async (world) => {
    const states = new Set<string | null>();
    for (let time = 0; time < 3; time++) {
      const { searchParams } = new URL(locationOf(await world.signOut(await world.signIn())));
      for (const name of new Set(searchParams.keys())) assert.equal(searchParams.getAll(name).length, 1, name);
      states.add(searchParams.get("state"));
    }
    assert.equal(states.size, 3);
    assert.ok([...states].every((state) => (state?.length ?? 0) >= 43));
  },
  "3: a return without state, or with a foreign one, leads home; the right one leads on, once": async (world) => {
    const response = await world.signOut(await world.signIn(), "/bye");
    const cookies = keep(response);
    const state = new URL(locationOf(response)).searchParams.get("state");
    for (
      const query of ["", "?state=", "?state=foreign", `?state=${state?.slice(1)}`, `?state=${state}x`, "?error=x"]
    ) {
      const answer = await ask(world.site, `/auth/signout/idp${query}`, { cookies });
      assert.equal(locationOf(answer), `${ORIGIN}/`, query);
    }
    const back = await ask(world.site, `/auth/signout/idp?state=${state}`, { cookies });
    assert.equal(locationOf(back), `${ORIGIN}/bye`);
    const again = await ask(world.site, `/auth/signout/idp?state=${state}`, { cookies: keep(back, cookies) });
    assert.equal(locationOf(again), `${ORIGIN}/`);
    const elsewhere = await ask(world.site, `/auth/signout/idp?state=${state}`);
    assert.equal(locationOf(elsewhere), `${ORIGIN}/`, "another browser");
  },
  "3: the session here has ended before the browser leaves": async (world) => {
    const cookies = await world.signIn();
    const response = await world.signOut(cookies);
    assert.match(locationOf(response), /^https:\/\/idp\.test\//);
    assert.ok(!await world.isSignedIn(keep(response, cookies)));
    assert.ok(!await world.isSignedIn(cookies), "a copy of the cookie is worth nothing");
  },
};

for (const [must, check] of Object.entries(RP_INITIATED)) {
  test(`RP-initiated, ${must}`, async () => {
    await check(new World());
    rows();
  });
}

const ENDPOINTS: Readonly<Record<string, unknown>> = {
  "no endpoint": undefined,
  "an endpoint that is null": null,
  "an endpoint over http": "http://idp.test/logout",
  "an endpoint with a script": "javascript:alert(1)",
  "an endpoint with a password": "https://a:b@idp.test/logout",
  "an endpoint that is no text": 1,
};

for (const [lie, end_session_endpoint] of Object.entries(ENDPOINTS)) {
  test(`RP-initiated, 2.1: the endpoint is an https URL; signed out here only: ${lie}`, async () => {
    const world = new World({ metadata: { end_session_endpoint } });
    const cookies = await world.signIn();
    const response = await world.signOut(cookies);
    assert.equal(locationOf(response), `${ORIGIN}/bye`);
    assert.ok(!await world.isSignedIn(cookies));
    assert.match(world.log.errors[0]?.message ?? "", /^Signed out here, and not at provider "idp": /);
    rows();
  });
}
