/** A second factor that a provider has asked for: believed of a verified id_token, where it was asked for, and nowhere else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { auth0Mfa, entraMfa, googleMfa, oktaMfa, secondFactor, type UpstreamClaims } from "@x/auth/second-factor";
import { upstreamClaims } from "../../src/oauth/authentication.ts";
import { asksHow } from "../../src/oauth_client/request_params.ts";
import { resolveConfig } from "../../src/config/resolve.ts";
import type { ResolvedOAuthProvider } from "../../src/config/resolved_provider.ts";
import { isUpstreamEnough, upstreamWarnings } from "../../src/second_factor/upstream.ts";
import { createEngine } from "../../src/service/engine.ts";
import { respond } from "../../src/service/respond.ts";
import type { Site } from "../_support/browser.ts";
import { type Change, createIssuer, encode, type Issuer, json } from "../_support/issuer.ts";
import { START, testRuntime } from "../_support/runtime.ts";
import { password, testConfig } from "../_support/service.ts";
import { answerOf, ask, type Cookies, formToken, givesSession, keep, locationOf } from "./_service.ts";

const NOW = Math.floor(START / 1000);
const CLAIMS = { claims: { id_token: { amr: null } } };
const MFA = { amr: ["pwd", "mfa"] };

interface World {
  readonly issuer: Issuer;
  readonly site: Site;
  readonly seen: UpstreamClaims[];
}

interface WorldOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly kind?: "oidc" | "oauth";
  readonly config?: AuthConfig;
}

function open({ params = {}, kind = "oidc", config = {} }: WorldOptions = {}): World {
  const issuer = createIssuer();
  const seen: UpstreamClaims[] = [];
  const authorization = { params };
  const upstream = {
    idp: (claims: UpstreamClaims) => {
      seen.push(claims);
      return oktaMfa(claims);
    },
  };
  const engine = createEngine(
    testConfig({
      adapter: memoryAdapter(),
      providers: [
        kind === "oidc"
          ? issuer.provider({ authorization, idToken: false })
          : issuer.oauthProvider({ authorization: { url: `${issuer.url}/authorize`, params } }),
      ],
      features: [secondFactor({ require: "always", upstream })],
      callbacks: {
        session: ({ session, auth }) => ({ expires: session.expires, user: session.user, auth }),
      },
      ...config,
    }),
    testRuntime({ fetch: (request) => issuer.fetch(request) }),
  );
  return { issuer, seen, site: async (request) => respond(await engine.run(request)) };
}

/** Sets out to the provider. */
async function leave({ site }: World, added: Readonly<Record<string, string>> = {}, before?: Cookies) {
  const { csrfToken, cookies } = await formToken(site);
  const query = new URLSearchParams(added);
  const started = await ask(site, `/auth/signin/idp?${query}`, {
    cookies: { ...cookies, ...before },
    fields: { csrfToken },
  });
  return { location: locationOf(started), cookies: keep(started, before) };
}

async function come(world: World, added?: Readonly<Record<string, string>>): Promise<Response> {
  const { location, cookies } = await leave(world, added);
  return await ask(world.site, await answerOf(world.issuer, location), { cookies });
}

async function levelOf(world: World, response: Response): Promise<number | null> {
  if (!givesSession(response)) return null;
  const session = await (await ask(world.site, "/auth/session", { cookies: keep(response) })).json();
  return session?.auth.level ?? null;
}

for (const strategy of ["database", "jwt"] as const) {
  test(`who has given a second factor at the provider gives none here: strategy ${strategy}`, async () => {
    const world = open({ params: CLAIMS, config: { session: { strategy } } });
    world.issuer.claim({ ...MFA, auth_time: NOW - 5 });
    assert.equal(await levelOf(world, await come(world)), 2);
    assert.deepEqual(world.seen, [{ ...MFA, auth_time: NOW - 5 }]);
    world.issuer.claim({ amr: ["pwd"] });
    const response = await come(world);
    assert.equal(givesSession(response), false);
    assert.match(locationOf(response), /\/auth\/challenge$/);
  });
}

const ASKED: Readonly<Record<string, readonly [params: Readonly<Record<string, unknown>>, claims: Change]>> = {
  "acr_values": [{ acr_values: "urn:okta:loa:2fa:any" }, { acr: "urn:okta:loa:2fa:any" }],
  "max_age": [{ max_age: 3600 }, { ...MFA, auth_time: NOW }],
  "claims": [CLAIMS, MFA],
};

for (const [how, [params, claims]] of Object.entries(ASKED)) {
  test(`a second factor of the provider is believed where ${how} asks for it, in the configuration or by the caller`, async () => {
    const configured = open({ params });
    configured.issuer.claim(claims);
    assert.equal(await levelOf(configured, await come(configured)), 2);
    const called = open();
    called.issuer.claim(claims);
    const added = Object.entries(params).map(([name, value]) => {
      return [name, typeof value === "object" ? JSON.stringify(value) : String(value)];
    });
    assert.equal(await levelOf(called, await come(called, Object.fromEntries(added))), 2);
  });
}

test("what nobody asked for is not believed", async () => {
  const unasked = [
    {},
    { acr_values: "" },
    { max_age: "" },
    { claims: { userinfo: { acr: null, amr: null } } },
    {
      claims: { id_token: { email: null } },
    },
    { claims: "no JSON" },
    { claims: "null" },
    { claims: "[]" },
  ];
  for (const params of unasked) {
    const world = open({ params });
    world.issuer.claim(MFA);
    assert.equal(givesSession(await come(world)), false, JSON.stringify(params));
    assert.deepEqual(world.seen, []);
  }
});

test("what the userinfo endpoint says is not believed", async () => {
  const world = open({ params: CLAIMS });
  world.issuer.override("userinfo", async (_, honest) => json({ ...await (await honest()).json(), ...MFA, acr: "x" }));
  assert.equal(givesSession(await come(world)), false);
  assert.deepEqual(world.seen, [{}]);
  assert.ok(world.issuer.requests.some(({ endpoint }) => endpoint === "userinfo"));
});

test("what an id_token says that was not verified is not believed", async () => {
  const world = open({ params: CLAIMS, kind: "oauth" });
  const payload = encode({ iss: world.issuer.url, sub: "1", ...MFA });
  world.issuer.override("token", async (_, honest) => {
    return json({ ...await (await honest()).json(), id_token: `${encode({ alg: "none" })}.${payload}.` });
  });
  assert.equal(givesSession(await come(world)), false);
  assert.deepEqual(world.seen, []);
});

test("the id_token of another sign-in is refused", async () => {
  const world = open({ params: CLAIMS });
  world.issuer.claim(MFA);
  let kept: string | undefined;
  world.issuer.override("token", async (_, honest) => {
    const answer = await (await honest()).json();
    kept ??= answer.id_token;
    return json({ ...answer, id_token: kept });
  });
  assert.equal(await levelOf(world, await come(world)), 2);
  world.issuer.claim({ amr: ["pwd"] });
  const response = await come(world);
  assert.equal(givesSession(response), false);
  assert.doesNotMatch(locationOf(response), /challenge/);
});

test("of two tabs each is judged by what it asked for itself", async () => {
  const world = open();
  const asked = JSON.stringify(CLAIMS.claims);
  const strong = await leave(world, { claims: asked });
  const weak = await leave(world, {}, strong.cookies);
  world.issuer.claim(MFA);
  const cookies = { ...strong.cookies, ...weak.cookies };
  assert.equal(givesSession(await ask(world.site, await answerOf(world.issuer, weak.location), { cookies })), false);
  assert.deepEqual(world.seen, []);
  const response = await ask(world.site, await answerOf(world.issuer, strong.location), { cookies });
  assert.equal(await levelOf(world, response), 2);
});

test("a caller cannot ask for less than the configuration", async () => {
  const world = open({ params: { acr_values: "urn:okta:loa:2fa:any" } });
  world.issuer.claim({ acr: "urn:okta:loa:1fa:any" });
  const response = await come(world, { acr_values: "urn:okta:loa:1fa:any" });
  assert.equal(givesSession(response), false);
  assert.match(locationOf(response), /error=AccessDenied/);
});

test("a provider that is not listed is not believed, whatever it is called", () => {
  const authentication = { time: undefined, methods: ["fed"], level: 1 } as const;
  const judge = (provider: string | undefined, upstream: object, claims: UpstreamClaims | undefined = MFA) => {
    const mint = { user: {}, evicts: false, authentication: { ...authentication, provider }, upstream: claims };
    return isUpstreamEnough(mint, { upstream: upstream as never });
  };
  assert.equal(judge("idp", { idp: googleMfa }), true);
  assert.equal(judge("idp", { idp: googleMfa }, {}), false);
  assert.equal(judge("other", { idp: googleMfa }), false);
  assert.equal(judge(undefined, { undefined: googleMfa }), false);
  for (const name of ["constructor", "toString", "__proto__"]) assert.equal(judge(name, {}), false);
  for (const answer of [1, 3, "2", true, null, undefined, Promise.resolve(2)]) {
    assert.equal(judge("idp", { idp: () => answer }), false, String(answer));
  }
  const none = { user: {}, evicts: false, authentication: { ...authentication, provider: "idp" } };
  assert.equal(isUpstreamEnough(none, { upstream: { idp: () => 2 } }), false);
});

test("the check tells of providers that are believed and never say anything", async () => {
  const { issuer } = open();
  const check = async (params: object, upstream: object) => {
    const config = testConfig({
      adapter: memoryAdapter(),
      providers: [issuer.provider({ authorization: { params: { ...params } } }), password()],
    });
    const resolved = await resolveConfig(config, testRuntime(), undefined);
    return upstreamWarnings(resolved, { upstream: upstream as never }).map(([code, message]) => `${code}: ${message}`);
  };
  assert.deepEqual(await check(CLAIMS, { idp: googleMfa }), []);
  const [unasked] = await check({}, { idp: googleMfa });
  assert.match(unasked ?? "", /^upstream-silent: .*"idp".*acr_values/);
  const [absent, other] = await check({}, { okta: oktaMfa, credentials: oktaMfa });
  assert.match(absent ?? "", /"okta", and there is no such provider/);
  assert.match(other ?? "", /"credentials", which is no provider with id_tokens/);
});

test("claims of another shape count as absent", () => {
  const of = (claims: object) => upstreamClaims(claims as never, { asksHow: true });
  assert.deepEqual(of({ acr: "a", acrs: ["c1"], amr: ["pwd"], auth_time: 5, sub: "1" }), {
    acr: "a",
    acrs: ["c1"],
    amr: ["pwd"],
    auth_time: 5,
  });
  for (const acr of [1, null, ["a"], {}, "a".repeat(257)]) assert.deepEqual(of({ acr }), {});
  for (const list of ["mfa", null, {}, [1], ["mfa", 1], Array(33).fill("mfa"), ["a".repeat(257)]]) {
    assert.deepEqual(of({ amr: list, acrs: list }), {});
  }
  for (const auth_time of ["5", null, NaN, Infinity, []]) assert.deepEqual(of({ auth_time }), {});
  assert.equal(upstreamClaims(null, { asksHow: true }), undefined);
  assert.equal(upstreamClaims(MFA, {}), undefined);
});

test("what a caller adds replaces what is configured, also where it asks for nothing", () => {
  const provider = (params: object) => ({ authorization: { params } }) as unknown as ResolvedOAuthProvider;
  const claims = JSON.stringify(CLAIMS.claims);
  for (const added of ["claims={}", "claims=", "claims=%7B%22id_token%22%3A%7B%7D%7D"]) {
    assert.equal(asksHow(provider({ claims }), new URLSearchParams(added)), false, added);
  }
  assert.equal(asksHow(provider({ claims }), new URLSearchParams()), true);
  assert.equal(asksHow(provider({}), new URLSearchParams({ claims })), true);
});

const READ: readonly (readonly [read: (claims: UpstreamClaims) => 1 | 2, claims: UpstreamClaims, level: 1 | 2])[] = [
  ...[auth0Mfa, googleMfa, oktaMfa].flatMap((read) => {
    return [
      [read, { amr: ["mfa"] }, 2],
      [read, { amr: ["pwd", "mfa", "otp"] }, 2],
      [read, { amr: ["pwd", "otp"] }, 1],
      [read, { amr: ["MFA"] }, 1],
      [read, { amr: [] }, 1],
      [read, { acr: "mfa" }, 1],
      [read, {}, 1],
    ] as const;
  }),
  [oktaMfa, { acr: "urn:okta:loa:2fa:any" }, 2],
  [oktaMfa, { acr: "urn:okta:loa:2fa:any:ifpossible" }, 1],
  [oktaMfa, { acr: "urn:okta:loa:1fa:any" }, 1],
  [oktaMfa, { acr: "phr" }, 1],
  [entraMfa("c1"), { acrs: ["c1"] }, 2],
  [entraMfa("c1"), { acrs: ["c2", "c1"] }, 2],
  [entraMfa("c1"), { acrs: ["c10", "p1"] }, 1],
  [entraMfa("c1"), { acr: "c1", amr: ["mfa"] }, 1],
];

test("each provider is read as its documentation says", () => {
  for (const [read, claims, level] of READ) assert.equal(read(claims), level, JSON.stringify(claims));
});
