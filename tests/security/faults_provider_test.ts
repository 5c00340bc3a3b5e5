/** Identity providers that fail in every way: nobody signs in, nobody waits for long, and other providers keep working. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Account, AuthConfig, OidcProvider } from "@x/auth";
import { Browser, type Site } from "../_support/browser.ts";
import {
  type FaultRuntime,
  faultRuntime,
  leakIn,
  LIMITS,
  pause,
  serve,
  soon,
  until,
  watch,
  watchProcess,
} from "../_support/faults.ts";
import { createIssuer, type Endpoint, type Issuer, json, makeKey, type Override } from "../_support/issuer.ts";
import { recordLog, testConfig } from "../_support/service.ts";
import { allOf } from "../unit/oauth/_flow.ts";
import { countRows } from "./_service.ts";

watchProcess();
const rows = countRows("faults of providers");

const CANARIES = {
  client: "canary-client-secret-4b1d",
  access: "canary-access-token-9c2e",
  refresh: "canary-refresh-token-7f30",
  inside: "canary-in-a-faulty-answer-5a6b",
} as const;

/** A service with two providers, of which the test spoils one. */
interface World {
  readonly issuer: Issuer;
  readonly runtime: FaultRuntime;
  readonly site: Site;
  readonly errors: Error[];
  /** Accounts, as `events.signIn` got them. */
  readonly accounts: Account[];
  /** Requests to hosts that nobody configured. */
  readonly strays: string[];
  browser(idp?: Site): Browser;
  /** Fails if a secret is in the log or in a response to a browser. */
  assertQuiet(): void;
}

function openWorld(overrides: Partial<OidcProvider> = {}, config: AuthConfig = {}): World {
  const { logger, errors } = recordLog();
  const strays: string[] = [];
  const told: string[] = [];
  const accounts: Account[] = [];
  const now = (): number => runtime.now() / 1000;
  const issuer = createIssuer({ now });
  const other = createIssuer({ url: "https://other.test", now });
  const runtime = faultRuntime((request) => {
    const { origin } = new URL(request.url);
    const asked = [issuer, other].find(({ url }) => url === origin);
    if (asked) return asked.fetch(request);
    strays.push(request.url);
    return json({});
  });
  for (const { grant } of [issuer, other]) grant({ access_token: CANARIES.access, refresh_token: CANARIES.refresh });
  const facts = { checks: ["pkce", "state", "nonce"], idToken: false, clientSecret: CANARIES.client } as const;
  const handler = serve(
    testConfig({
      providers: [issuer.provider({ ...facts, ...overrides }), other.provider({ ...facts, id: "other" })],
      events: { signIn: ({ account }) => void (account && accounts.push(account)) },
      logger: { ...logger, debug: (message, facts) => void told.push(message + JSON.stringify(facts)) },
      timeouts: LIMITS,
      ...config,
    }),
    runtime,
  );
  const site: Site = async (request) => {
    const response = await handler(request);
    const headers = [...response.headers].filter(([name]) => name !== "set-cookie" && name !== "location");
    told.push(JSON.stringify(headers) + await response.clone().text());
    return response;
  };
  return {
    issuer,
    runtime,
    site,
    errors,
    accounts,
    strays,
    browser(idp = agree(issuer)) {
      return new Browser(site, { mayFail: true }).allow(issuer.url, idp).allow(other.url, agree(other));
    },
    assertQuiet() {
      const verifiers = issuer.requests.flatMap(({ form }) => form.get("code_verifier") ?? []);
      const secrets = [...Object.values(CANARIES), ...verifiers, "a secret for tests"];
      assert.equal(leakIn([...told, ...errors.map((error) => allOf(error))].join("\n"), secrets), undefined);
    },
  };
}

/** The provider's page, with a person who agrees at once. */
function agree(issuer: Issuer, change: (params: URLSearchParams) => unknown = () => {}): Site {
  return async (request) => {
    const { redirectUri, params } = await issuer.consent(request.url);
    change(params);
    return new Response(null, { status: 302, headers: { location: `${redirectUri}?${params}` } });
  };
}

function shown({ url }: Browser): string {
  return url.pathname + url.search;
}

async function assertSignsIn(world: World, provider = "idp", browser = world.browser()): Promise<void> {
  await soon(browser.signIn(provider), `a sign-in by ${provider}`);
  assert.equal(shown(browser), "/", world.errors.map((error) => allOf(error)).join("\n"));
  assert.equal((await browser.session())?.user?.email, "ada@example.com");
}

interface Expected {
  /** `error` in the address of the page that is shown. */
  readonly page: string;
  /** Log lines. */
  readonly lines?: number;
  /** How often the endpoint was asked. */
  readonly asked?: number;
  /** Whether only a deadline ends it, and which. */
  readonly hangs?: number | undefined;
  /** Seconds until the provider is asked again after the fault. */
  readonly recovery?: number | undefined;
}

/** Asserts that a fault fails one sign-in, in time and without leaks, that others work meanwhile, and all work after it. */
async function assertRefused(world: World, endpoint: Endpoint, expected: Expected): Promise<void> {
  const { page, lines = 1, hangs, recovery = 6 } = expected;
  const { issuer, runtime, errors } = world;
  const ada = world.browser();
  const attempt = watch(ada.signIn("idp"));
  if (hangs === undefined) {
    await soon(attempt.value, "the answer");
  } else {
    await until(() => issuer.count(endpoint) > 0, "a request");
    await assertSignsIn(world, "other");
    assert.equal(attempt.settled, false, "somebody else was served before the deadline");
    runtime.elapse(hangs);
    await soon(attempt.value, "the answer after its deadline");
  }
  const place = page === "OAuthCallbackError" ? "signin" : "error";
  assert.equal(shown(ada), `/auth/${place}?error=${page}`);
  assert.deepEqual([await ada.session(), ada.cookies.names("session-token")], [null, []]);
  assert.equal(errors.length, lines, errors.map((error) => allOf(error)).join("\n"));
  if (expected.asked !== undefined) assert.equal(issuer.count(endpoint), expected.asked);
  await assertSignsIn(world, "other");
  issuer.override(endpoint, (_request, honest) => honest());
  runtime.elapse(recovery);
  await assertSignsIn(world, "idp", ada);
  assert.equal(errors.length, lines);
  assert.deepEqual([world.strays, runtime.timers()], [[], 0]);
  world.assertQuiet();
}

/** Bodies and requests that are not cancelled yet. */
let held = 0;

/** A body that begins and does not end. */
function stream(next: (at: number) => Uint8Array | Promise<Uint8Array>): ReadableStream<Uint8Array> {
  let at = 0;
  held++;
  return new ReadableStream({
    pull: async (controller) => controller.enqueue(await next(at++)),
    cancel: () => void held--,
  }, { highWaterMark: 0 });
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

const JSON_TYPE = { "content-type": "application/json" };

/** The honest answer, with its body or its status changed. */
function changed(change: (text: string) => BodyInit, init: ResponseInit = {}): Override {
  return async (_request, honest) =>
    new Response(change(await (await honest()).text()), { headers: JSON_TYPE, ...init });
}

function failing(message: string, code?: string): Override {
  return ({ url }) => {
    const cause = Object.assign(new Error(`${message}: ${url} ${CANARIES.inside}`), code && { code });
    throw new TypeError(`error sending request for url (${url}?x=${CANARIES.inside}): ${message}`, { cause });
  };
}

function throwing(thrown: unknown): Override {
  return () => {
    throw thrown;
  };
}

const ENDPOINTS = ["discovery", "token", "jwks", "userinfo"] as const;
type At = readonly Endpoint[];
/** The documents that are asked for once more. */
const DOCUMENTS: At = ["discovery", "jwks"];

interface Fault {
  readonly lie: Override;
  readonly at?: At;
  readonly hangs?: boolean;
  readonly retried?: boolean;
}

const UNREADABLE = Object.freeze({
  get message(): string {
    throw new Error(CANARIES.inside);
  },
});

const CONNECTIONS: Readonly<Record<string, Override>> = {
  "cannot be resolved": failing("dns error: failed to lookup address information", "ENOTFOUND"),
  "refuses connections": failing("tcp connect error: Connection refused", "ECONNREFUSED"),
  "resets connections": failing("connection closed before message completed", "ECONNRESET"),
  "cannot be routed to": failing("No route to host", "EHOSTUNREACH"),
  "has a certificate that has expired": failing("invalid peer certificate: Expired", "CERT_HAS_EXPIRED"),
  "has another host's certificate": failing("NotValidForName", "ERR_TLS_CERT_ALTNAME_INVALID"),
  "has a certificate of its own making": failing("UnknownIssuer", "DEPTH_ZERO_SELF_SIGNED_CERT"),
  "speaks plain text where TLS was expected": failing("InvalidMessage", "ERR_SSL_WRONG_VERSION_NUMBER"),
  "speaks no HTTP": failing("invalid HTTP version parsed"),
  "makes fetch throw a text": throwing(CANARIES.inside),
  "makes fetch throw null": throwing(null),
  "makes fetch throw nothing": throwing(undefined),
  "makes fetch throw what cannot be read": throwing(UNREADABLE),
  "makes fetch throw a frozen error": throwing(Object.freeze(new Error(CANARIES.inside))),
  "makes fetch give no response": (() => undefined) as unknown as Override,
  "closes in the middle of its body": () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"issuer":')),
        pull: (controller) => controller.error(new TypeError(`error reading a body ${CANARIES.inside}`)),
      }, { highWaterMark: 2 }),
      { headers: JSON_TYPE },
    ),
};

const SILENCES: Readonly<Record<string, Override>> = {
  "never answers": ({ signal }) => {
    held++;
    signal.addEventListener("abort", () => held--);
    return never();
  },
  "sends headers and then nothing": () => new Response(stream(never), { headers: JSON_TYPE }),
  "sends half of its answer and then nothing": async (_request, honest) => {
    const bytes = new Uint8Array(await (await honest()).arrayBuffer());
    return new Response(stream((at) => at === 0 ? bytes.slice(0, bytes.length / 2) : never()), { headers: JSON_TYPE });
  },
  "sends one byte at a time": async (_request, honest) => {
    const bytes = new Uint8Array(await (await honest()).arrayBuffer());
    return new Response(stream((at) => pause(5).then(() => bytes.slice(at, at + 1))), { headers: JSON_TYPE });
  },
  "sends white space for ever, slowly": () =>
    new Response(stream(() => pause(5).then(() => Uint8Array.of(0x20))), { headers: JSON_TYPE }),
};

function status(code: number, headers: Record<string, string> = {}): Override {
  if (code === 204 || code === 205 || code === 304) return () => new Response(null, { status: code, headers });
  return changed((text) => text, { status: code, headers: { ...JSON_TYPE, ...headers } });
}

function redirect(code: number, location: string): Override {
  return () => new Response(`<a href="${location}">`, { status: code, headers: { location } });
}

/** Good answers under statuses that do not say so. */
const STATUSES: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    [201, 203, 206].map((code) => [code, { lie: status(code), at: ["discovery", "token", "jwks"] }]),
  ),
  ...Object.fromEntries([204, 205, 304, 400, 401, 402, 403, 404, 409, 410, 418, 421, 429, 451, 499].map((code) => [
    code,
    { lie: status(code) },
  ])),
  ...Object.fromEntries([500, 501, 502, 504, 520, 599].map((code) => [code, { lie: status(code), retried: true }])),
  "503 with Retry-After": { lie: status(503, { "retry-after": "3600" }), retried: true },
  "429 with Retry-After": { lie: status(429, { "retry-after": "Wed, 21 Oct 2099 07:28:00 GMT" }) },
  "401 with a challenge": { lie: status(401, { "www-authenticate": `Bearer error="x", realm="${CANARIES.inside}"` }) },
  "401 with a demand for proof": { lie: status(401, { "www-authenticate": "DPoP algs=ES256", "dpop-nonce": "n" }) },
  "401 with a broken challenge": { lie: status(401, { "www-authenticate": '=,"\\ Basic' }) },
};

const REDIRECTS: Readonly<Record<string, Override>> = Object.fromEntries(
  [300, 301, 302, 303, 307, 308].flatMap((code) =>
    ["https://evil.test/", "https://idp.test/elsewhere", "http://169.254.169.254/", "//evil.test", "javascript:x"].map((
      to,
    ) => [`${code} to ${to}`, redirect(code, to)])
  ),
);

const MIB = 1024 * 1024;
const PAGE = `<!doctype html><title>Log in</title><form action="https://evil.test"><input value="${CANARIES.inside}">`;

/** Answers with status 200 that are not what they should be. */
const CONTENTS: Readonly<Record<string, Fault>> = {
  "a page": { lie: () => new Response(PAGE, { headers: { "content-type": "text/html" } }) },
  "a page that says it is JSON": { lie: () => new Response(PAGE, { headers: JSON_TYPE }) },
  "nothing": { lie: () => new Response(null, { headers: JSON_TYPE }) },
  "white space": { lie: () => new Response(" \n\t ", { headers: JSON_TYPE }) },
  "JSON behind a byte order mark": { lie: changed((text) => "\ufeff" + text) },
  "JSON in UTF-16": { lie: changed((text) => Uint8Array.from(Buffer.from(text, "utf16le"))) },
  "JSON that is cut off": { lie: changed((text) => text.slice(0, -1)) },
  "JSON that is cut in half": { lie: changed((text) => text.slice(0, text.length / 2)) },
  "JSON with something behind it": { lie: changed((text) => `${text}\n${text}`) },
  "JSON with a comment": { lie: changed((text) => `/* ${CANARIES.inside} */${text}`) },
  "JSON with NaN": { lie: changed((text) => text.replace("{", '{"nan":NaN,')) },
  "JSON with single quotes": { lie: changed((text) => text.replaceAll('"', "'")) },
  "JSON behind a guard against inclusion": { lie: changed((text) => `)]}'\n${text}`) },
  "JSON in a callback": { lie: changed((text) => `callback(${text})`) },
  "JSON in JSON": { lie: changed((text) => JSON.stringify(text)) },
  "JSON in a list": { lie: changed((text) => `[${text}]`) },
  "null": { lie: () => json(null) },
  "an empty list": { lie: () => json([]) },
  "an empty object": { lie: () => json({}) },
  "a text": { lie: () => json(CANARIES.inside) },
  "a number": { lie: () => json(1) },
  "true": { lie: () => json(true) },
  "a form": { lie: () => new Response(`access_token=${CANARIES.access}&token_type=bearer&sub=1&keys=1`) },
  "100,000 lists deep": { lie: changed((text) => text.replace("{", `{"a":${"[".repeat(1e5)}${"]".repeat(1e5)},`)) },
  "100,000 objects deep": {
    lie: changed((text) => text.replace("{", `{"a":${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)},`)),
  },
  "100,000 lists deep and open": { lie: () => new Response("[".repeat(1e5), { headers: JSON_TYPE }) },
  "not UTF-8": { lie: changed((text) => Uint8Array.of(...Buffer.from(text.replace("{", '{"x":"')), 0xc0, 0xaf, 0x22)) },
  "not UTF-8 in a name": {
    lie: changed((text) => {
      return Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x2c, ...Buffer.from(text.slice(1)));
    }),
  },
  "binary": { lie: () => new Response(crypto.getRandomValues(new Uint8Array(4096))) },
  "one byte more than 1 MiB": { lie: changed((text) => text + " ".repeat(MIB + 1 - text.length)) },
  "a text of 4 MiB": { lie: changed((text) => text.replace("{", `{"x":"${"x".repeat(4 * MIB)}",`)) },
  "endless": { lie: () => new Response(stream(() => new Uint8Array(MIB / 8).fill(0x20)), { headers: JSON_TYPE }) },
  "packed 1000 to 1": {
    lie: () => {
      const zeros = new Blob([new Uint8Array(8 * MIB)]).stream().pipeThrough(new CompressionStream("gzip"));
      return new Response(zeros.pipeThrough(new DecompressionStream("gzip")), { headers: JSON_TYPE });
    },
  },
  "an error": {
    lie: () => json({ error: "server_error", error_description: "Try later", access_token: CANARIES.inside }),
  },
};

const GENERAL: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(Object.entries(CONNECTIONS).map(([name, lie]) => [name, { lie, retried: true }])),
  ...Object.fromEntries(Object.entries(SILENCES).map(([name, lie]) => [name, { lie, hangs: true }])),
  ...Object.fromEntries(Object.entries(STATUSES).map(([name, fault]) => [`answers ${name}`, fault])),
  ...Object.fromEntries(Object.entries(REDIRECTS).map(([name, lie]) => [`redirects with ${name}`, { lie }])),
  ...Object.fromEntries(Object.entries(CONTENTS).map(([name, fault]) => [`answers with what is ${name}`, fault])),
};

for (const [name, { lie, at = ENDPOINTS, hangs = false, retried = false }] of Object.entries(GENERAL)) {
  for (const endpoint of at) {
    test(`a provider whose ${endpoint} ${name} signs nobody in`, async () => {
      const world = openWorld();
      world.issuer.override(endpoint, lie);
      const again = retried && DOCUMENTS.includes(endpoint);
      await assertRefused(world, endpoint, {
        page: name === "answers with what is an error" && endpoint === "token" ? "OAuthCallbackError" : "Configuration",
        // A fault of `fetch` itself counts as the network's; a key document that is no key set is not asked for again.
        asked: again ? 2 : 1,
        hangs: hangs ? LIMITS.request : undefined,
        recovery: endpoint === "token" || endpoint === "userinfo" ? 0 : 6,
      });
      assert.equal(held, 0, "every body and every request was cancelled");
      rows();
    });
  }
}

test("an answer that comes after its deadline is cancelled, and changes nothing", async () => {
  for (const endpoint of ENDPOINTS) {
    const world = openWorld();
    let answer: (response: Response) => void = () => {};
    world.issuer.override(endpoint, () => new Promise((resolve) => answer = resolve));
    await assertRefused(world, endpoint, { page: "Configuration", hangs: LIMITS.request });
    answer(new Response(stream(() => new Uint8Array(10)), { headers: JSON_TYPE }));
    await until(() => held === 0, "the cancellation");
    assert.equal(world.errors.length, 1);
    rows();
  }
});

test("a provider that stays below the limit of each request is held to the total limit", async () => {
  const world = openWorld();
  const { issuer, runtime, errors } = world;
  const waiting: (() => void)[] = [];
  const lie: Override = async (_request, honest) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return await honest();
  };
  for (const endpoint of ENDPOINTS) issuer.override(endpoint, lie);
  const limits = { total: LIMITS.request, request: LIMITS.total };
  const site = serve(
    testConfig({
      providers: [issuer.provider({ idToken: false })],
      logger: { error: (error) => void errors.push(error) },
      timeouts: limits,
    }),
    runtime,
  );
  const ada = new Browser(site, { mayFail: true }).allow(issuer.url, agree(issuer));
  const attempt = watch(ada.signIn("idp"));
  await until(() => waiting.length > 0, "a request");
  runtime.elapse(limits.total);
  await soon(attempt.value, "the answer");
  assert.equal(shown(ada), "/auth/error?error=Configuration");
  assert.equal(errors.length, 1);
  for (const go of waiting) go();
  rows();
});

// Authorization responses.

const ANSWERS: readonly (readonly [
  name: string,
  change: (params: URLSearchParams) => unknown,
  page: string,
  lines?: number,
])[] = [
  ["says that the person declined", (p) => error(p, "access_denied"), "OAuthCallbackError"],
  ["says that the server failed", (p) => error(p, "server_error"), "OAuthCallbackError"],
  ["says that it will be back", (p) => error(p, "temporarily_unavailable"), "OAuthCallbackError"],
  ["says something with markup", (p) => error(p, "<script>alert(1)</script>"), "OAuthCallbackError"],
  ["says something of 4,000 characters", (p) => error(p, "x".repeat(4000)), "OAuthCallbackError"],
  ["says something with line breaks", (p) => error(p, "a\r\nset-cookie: a=b"), "OAuthCallbackError"],
  ["says an error and a code", (p) => p.set("error", "server_error"), "OAuthCallbackError"],
  ["says an error, but not whose", (p) => (error(p, "access_denied"), p.delete("state")), "Verification"],
  ["has no code", (p) => p.delete("code"), "Configuration"],
  ["has a code that nobody gave", (p) => p.set("code", CANARIES.inside), "OAuthCallbackError"],
  ["has a code of 8,000 characters", (p) => p.set("code", "c".repeat(8000)), "OAuthCallbackError"],
  ["has a code of control characters", (p) => p.set("code", "\0\x01\r\n\x7f"), "OAuthCallbackError"],
  ["has no state", (p) => p.delete("state"), "Verification"],
  ["has another state", (p) => p.set("state", "x".repeat(43)), "Verification"],
  ["has a state of 8,000 characters", (p) => p.set("state", "s".repeat(8000)), "Verification"],
  ["names another issuer", (p) => p.set("iss", "https://evil.test"), "Configuration"],
  ["brings an id_token", (p) => p.set("id_token", `e30.${CANARIES.inside}.x`), "Configuration"],
];

function error(params: URLSearchParams, code: string): void {
  params.delete("code");
  params.set("error", code);
  params.set("error_description", `<b>${CANARIES.inside.slice(0, 3)}</b>`);
}

for (const [name, change, page, lines = 1] of ANSWERS) {
  test(`an authorization answer that ${name} signs nobody in`, async () => {
    const world = openWorld();
    const ada = world.browser(agree(world.issuer, change));
    await soon(ada.signIn("idp"), "the answer");
    assert.equal(shown(ada), `/auth/${page === "OAuthCallbackError" ? "signin" : "error"}?error=${page}`);
    assert.deepEqual(ada.cookies.names("session-token"), []);
    assert.equal(world.errors.length, lines);
    await assertSignsIn(world, "other", world.browser());
    await assertSignsIn(world, "idp", world.browser());
    assert.equal(world.runtime.timers(), 0);
    world.assertQuiet();
    rows();
  });
}

for (const repeated of ["code", "state", "iss", "error", "error_description", "error_uri", "response", "token"]) {
  test(`an authorization answer with ${repeated} twice is refused before anything is read`, async () => {
    const world = openWorld();
    const ada = world.browser(agree(world.issuer, (params) => {
      for (const value of ["a", "b"]) params.append(repeated, value);
    }));
    await ada.signIn("idp");
    assert.deepEqual([ada.status, world.errors.length, world.issuer.count("token")], [400, 0, 0]);
    assert.deepEqual(ada.cookies.names("session-token"), []);
    rows();
  });
}

test("an authorization answer without iss is refused where the metadata promises one", async () => {
  const world = openWorld();
  const promising: Override = async (_request, honest) => {
    return json({ ...await (await honest()).json(), authorization_response_iss_parameter_supported: true });
  };
  world.issuer.override("discovery", promising);
  const ada = await world.browser().signIn("idp");
  assert.equal(shown(ada), "/auth/error?error=Configuration");
  const named = world.browser(agree(world.issuer, (params) => params.set("iss", "https://idp.test")));
  await assertSignsIn(world, "idp", named);
  rows(2);
});

// Faults of one endpoint.

const member = (change: Readonly<Record<string, unknown>>): Override => async (_request, honest) =>
  json({ ...await (await honest()).json(), ...change });

const TOKENS: readonly (readonly [name: string, lie: Override, page?: string])[] = [
  ["an error beside tokens", member({ error: "invalid_grant" }), "OAuthCallbackError"],
  ["an error with status 400", () => json({ error: "invalid_grant" }, 400), "OAuthCallbackError"],
  ["an error with status 401", () => json({ error: "invalid_client" }, 401)],
  ["an error with status 500", () => json({ error: "server_error" }, 500), "OAuthCallbackError"],
  [
    "an error that quotes the secret",
    () => json({ error: "invalid_client", error_description: `wrong secret ${CANARIES.client}` }, 400),
  ],
  [
    "a demand for a DPoP nonce",
    () => json({ error: "use_dpop_nonce" }, 400, { "dpop-nonce": CANARIES.inside }),
  ],
  ["an error that is an object", () => json({ error: { message: CANARIES.inside } }, 400)],
  ["no access_token", member({ access_token: undefined })],
  ["an empty access_token", member({ access_token: "" })],
  ["a number as access_token", member({ access_token: 1 })],
  ["a list as access_token", member({ access_token: [CANARIES.access] })],
  ["no token_type", member({ token_type: undefined })],
  ["an empty token_type", member({ token_type: "" })],
  ["a number as token_type", member({ token_type: 1 })],
  ["null as token_type", member({ token_type: null })],
  ["another token_type", member({ token_type: "mac" })],
  ["a number as refresh_token", member({ refresh_token: 1 })],
  ["no id_token", member({ id_token: undefined })],
  ["an id_token that is not one", member({ id_token: CANARIES.inside })],
];

for (const [name, lie, page = "Configuration"] of TOKENS) {
  test(`a token answer with ${name} signs nobody in, and the request is not repeated`, async () => {
    const world = openWorld();
    world.issuer.override("token", lie);
    await assertRefused(world, "token", { page, asked: 1, recovery: 0 });
    rows();
  });
}

const LIFETIMES: readonly (readonly [json: string, seconds: number | undefined])[] = [
  ["3600", 3600],
  ['"3600"', 3600],
  ["3600.9", 3600],
  ["1", 1],
  ["0", undefined],
  ["-1", undefined],
  ['"-1"', undefined],
  ["1e20", undefined],
  ["1e999", undefined],
  ["null", undefined],
  ['""', undefined],
  ['" "', undefined],
  ['"NaN"', undefined],
  ['"an hour"', undefined],
  ["true", undefined],
  ["[3600]", undefined],
  ['{"seconds":3600}', undefined],
];

for (const [text, seconds] of LIFETIMES) {
  test(`a token answer with expires_in ${text} lasts ${seconds ?? "for an unknown time"}`, async () => {
    const world = openWorld();
    world.issuer.override("token", changed((honest) => honest.replace('"expires_in":3600', `"expires_in":${text}`)));
    await assertSignsIn(world);
    const now = Math.floor(world.runtime.now() / 1000);
    assert.equal(world.accounts[0]?.expires_at, seconds === undefined ? undefined : now + seconds);
    assert.equal(world.errors.length, 0);
    rows();
  });
}

test("a token answer without expires_in lasts for an unknown time", async () => {
  const world = openWorld();
  world.issuer.grant({ expires_in: undefined });
  await assertSignsIn(world);
  assert.equal(world.accounts[0]?.expires_at, undefined);
  rows();
});

const METADATA: readonly (readonly [name: string, metadata: Readonly<Record<string, unknown>>, at?: Endpoint])[] = [
  ["another issuer", { issuer: "https://evil.test" }],
  ["no issuer", { issuer: undefined }],
  ["a list of issuers", { issuer: ["https://idp.test"] }],
  ["an issuer over http", { issuer: "http://idp.test" }],
  ["a token endpoint over http", { token_endpoint: "http://idp.test/token" }],
  ["a token endpoint inside", { token_endpoint: "http://169.254.169.254/latest" }],
  ["a token endpoint with a user", { token_endpoint: "https://a:b@idp.test/token" }],
  ["a token endpoint that is a file", { token_endpoint: "file:///etc/passwd" }],
  ["a relative token endpoint", { token_endpoint: "/token" }],
  ["null as token endpoint", { token_endpoint: null }],
  ["an authorization endpoint that is script", { authorization_endpoint: "javascript:alert(1)" }],
  ["keys over http", { jwks_uri: "http://idp.test/jwks" }],
  ["userinfo over http", { userinfo_endpoint: "http://idp.test/userinfo" }],
  ["no authorization endpoint", { authorization_endpoint: undefined }],
  ["no PKCE but plain", { code_challenge_methods_supported: ["plain"] }],
  ["no token endpoint", { token_endpoint: undefined }],
  ["no keys", { jwks_uri: undefined }],
  ["no userinfo", { userinfo_endpoint: undefined }],
];

for (const [name, metadata] of METADATA) {
  test(`metadata with ${name} signs nobody in`, async () => {
    const world = openWorld();
    world.issuer.override("discovery", member(metadata));
    // What is missing only later is remembered as long as good metadata: an hour.
    await assertRefused(world, "discovery", { page: "Configuration", asked: 1, recovery: 3601 });
    rows();
  });
}

const big = makeKey("RS256");

function keySet(make: (honest: Record<string, unknown>) => unknown): Override {
  return async (_request, honest) => json({ keys: make((await (await honest()).json()).keys[0]) });
}

const KEYS: readonly (readonly [name: string, lie: Override])[] = [
  ["no key", keySet(() => [])],
  ["a symmetric key under its name", keySet(({ kid }) => [{ kty: "oct", k: "c2VjcmV0", kid, alg: "HS256" }])],
  ["its key twice", keySet((key) => [key, key])],
  ["an object instead of a list", keySet((key) => ({ 0: key, length: 1 }))],
  ["its key deep inside", keySet((key) => [[key]])],
  ["10,000 keys of full size", keySet((key) => [key, ...Array(10_000).fill(big.jwk)])],
];

for (const [name, lie] of KEYS) {
  test(`a key document with ${name} signs nobody in`, async () => {
    const world = openWorld();
    world.issuer.override("jwks", lie);
    await assertRefused(world, "jwks", { page: "Configuration", recovery: 301 });
    assert.ok(world.issuer.count("jwks") <= 3, "made-up keys do not become a flood");
    rows();
  });
}

test("a key document may hold 10,000 other keys, and junk, beside the right one", async () => {
  const others = Array.from({ length: 10_000 }, (_, at) => ({ kty: "oct", kid: `k${at}` }));
  for (const more of [others, [null, 1, "x", [], {}]]) {
    const world = openWorld();
    world.issuer.override("jwks", keySet((key) => [...more, key, ...more]));
    await assertSignsIn(world);
    assert.equal(world.issuer.count("jwks"), 1);
    rows();
  }
});

// What changes between start and callback.

const CHANGES: readonly (readonly [name: string, metadata: Readonly<Record<string, unknown>> | null, page: string])[] =
  [
    ["its token endpoint moves", { token_endpoint: "https://evil.test/token" }, "Verification"],
    ["its token endpoint is gone", { token_endpoint: undefined }, "Verification"],
    ["its issuer becomes another", { issuer: "https://evil.test" }, "Configuration"],
    ["its keys are gone", { jwks_uri: undefined }, "Configuration"],
    ["its metadata is gone", null, "Configuration"],
  ];

for (const [name, metadata, page] of CHANGES) {
  test(`a provider of whom ${name} between start and callback lets nobody in`, async () => {
    const world = openWorld();
    const { issuer, runtime } = world;
    await assertSignsIn(world);
    runtime.elapse(3599);
    const ada = world.browser(agree(issuer, () => {
      runtime.elapse(2);
      issuer.override("discovery", metadata ? member(metadata) : () => json({}, 404));
    }));
    await soon(ada.signIn("idp"), "the answer");
    assert.equal(shown(ada), `/auth/error?error=${page}`);
    assert.deepEqual([world.errors.length, world.strays], [1, []]);
    await assertSignsIn(world, "other");
    issuer.override("discovery", (_request, honest) => honest());
    runtime.elapse(3601);
    await assertSignsIn(world, "idp", ada);
    world.assertQuiet();
    rows();
  });
}

test("a provider whose authorization endpoint moves between start and callback keeps working", async () => {
  const world = openWorld();
  await assertSignsIn(world);
  world.runtime.elapse(3599);
  const ada = world.browser(agree(world.issuer, () => {
    world.runtime.elapse(2);
    world.issuer.override("discovery", member({ authorization_endpoint: "https://idp.test/authorize2" }));
  }));
  await assertSignsIn(world, "idp", ada);
  rows();
});

test("a provider that fails every second time for ten minutes fails only those sign-ins", async () => {
  const world = openWorld();
  const { issuer, runtime, errors } = world;
  let turn = 0;
  const flap: Override = (_request, honest) => (turn++ * 7919) % 10 < 5 ? json({}, 503) : honest();
  for (const endpoint of ENDPOINTS) issuer.override(endpoint, flap);
  let entered = 0;
  for (let user = 0; user < 200; user++) {
    runtime.elapse(3);
    const known = errors.length;
    const ada = await world.browser().signIn("idp");
    const enters = shown(ada) === "/";
    entered += Number(enters);
    if (!enters) assert.equal(shown(ada), "/auth/error?error=Configuration");
    assert.equal(ada.cookies.names("session-token").length, enters ? 1 : 0);
    assert.equal(errors.length - known, enters ? 0 : 1);
    if (user % 10 === 0) await assertSignsIn(world, "other");
    rows();
  }
  assert.ok(entered > 0 && entered < 200, `${entered} of 200 got in`);
  for (const endpoint of ENDPOINTS) issuer.override(endpoint, (_request, honest) => honest());
  runtime.elapse(6);
  await assertSignsIn(world);
  assert.equal(runtime.timers(), 0);
  world.assertQuiet();
});
