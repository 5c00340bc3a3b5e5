/** Mistakes that show while people sign in: at a provider, at an address, in storage. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth, customFetch } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { passkey } from "@x/auth/providers/passkey";
import { ERROR_PAGE, type Handler, type Mistake, SECRET, SERVED, setEnv, tellMistakes } from "./_table.ts";
import { HERE, startAt, visitor } from "./_visitor.ts";

const ada = credentials({ credentials: { name: {} }, authorize: () => ({ id: "1", name: "Ada" }) });
const hub = github({ clientId: "app", clientSecret: "s" });

function made(config: Partial<AuthConfig> = {}) {
  return createAuth({ providers: [ada, hub], ...config }).handler;
}

const BACK = { status: 302 } as const;
const NOT_FOUND = { status: 404, text: /<h1>Page not found<\/h1>/ } as const;

// --- Callback URLs -----------------------------------------------------------------------------------------------------

const unknown = {
  see: NOT_FOUND,
  code: "callback-provider-unknown",
  level: "warn",
  log: /the callback URL that is registered at a provider must end in the `id` that it has in `providers`/,
} as const;

tellMistakes([
  {
    name: "the callback URL at a provider has a misspelt id",
    make: () => made(),
    ask: `${HERE}/auth/callback/githb?code=c&state=s`,
    ...unknown,
    says: ["asked for /auth/callback/githb", '`providers` has "credentials", "github"'],
  },
  {
    name: "the callback URL at a provider has the id in upper case",
    make: () => made({ basePath: "/api/auth" }),
    ask: `${HERE}/api/auth/callback/GitHub?code=c&state=s`,
    ...unknown,
    says: ["asked for /api/auth/callback/GitHub", '"github"'],
  },
  {
    name: "the provider of a callback URL was removed, and no other is left",
    make: () => made({ providers: [] }),
    ask: `${HERE}/auth/callback/github?code=c`,
    ...unknown,
    says: ["`providers` has no provider"],
  },
  {
    name: "the provider of a callback URL is left out for want of a client id",
    env: { AUTH_GITHUB_ID: undefined },
    make: () => made({ providers: [ada, github({ clientSecret: "s" })] }),
    ask: `${HERE}/auth/callback/github?code=c`,
    see: BACK,
    log: /invalid-config: Cannot use provider "github"/,
    says: ["`clientId`", "AUTH_GITHUB_ID"],
    besides: [/A provider is left out/],
  },
]);

test("at most four unknown providers of callback URLs are told, in plain characters: strangers choose them", async () => {
  const said: string[] = [];
  const logger = { warn: (code: string, message?: string) => void said.push(`${code}: ${message}`) };
  const handler = made({ secret: SECRET, logger });
  const asked = ["a%0ab", "x".repeat(80), "a", "a", "b", "c", "d", "e", "f"];
  for (const id of asked) {
    assert.equal((await handler(new Request(`${HERE}/auth/callback/${id}`))).status, 404);
  }
  assert.deepEqual(said.map((line) => line.slice(0, 59)), [
    "callback-provider-unknown: asked for /auth/callback/a, and ",
    "callback-provider-unknown: asked for /auth/callback/b, and ",
    "callback-provider-unknown: asked for /auth/callback/c, and ",
    "callback-provider-unknown: asked for /auth/callback/d, and ",
  ]);
});

test("of many providers, twenty are named", async () => {
  const said: string[] = [];
  const providers = Array.from({ length: 25 }, (_, n) => ({ ...hub, id: `p${n}` }));
  const handler = made({
    secret: SECRET,
    providers,
    logger: { warn: (_code, message = "") => void said.push(message) },
  });
  await handler(new Request(`${HERE}/auth/callback/githb`));
  assert.match(said.join(), /"p19", …:/);
});

// --- What providers answer ---------------------------------------------------------------------------------------------

const OAUTH = {
  ...{ id: "acme", name: "Acme", type: "oauth", clientId: "app", clientSecret: SECRET, checks: ["state"] },
  ...{ authorization: "https://id.test/authorize", token: "https://id.test/token", userinfo: "https://id.test/me" },
} as const;

/** The provider sends people back with an error. */
function refused(error: string, description = "No."): Pick<Mistake, "make" | "ask" | "see"> {
  return {
    make: () => made({ providers: [OAUTH] }),
    see: BACK,
    async ask(handler: Handler) {
      const ask = visitor(handler);
      const state = (await startAt(ask, "acme")).get("state") ?? "";
      return await ask(`/auth/callback/acme?${new URLSearchParams({ error, error_description: description, state })}`);
    },
  };
}

/** The token endpoint refuses the code. */
function tokenRefused(
  error: string,
  description = "No.",
  status = 400,
): Pick<Mistake, "make" | "ask" | "see"> {
  const answer = () => Promise.resolve(Response.json({ error, error_description: description }, { status }));
  return {
    make: () => made({ providers: [{ ...OAUTH, [customFetch]: answer }] }),
    see: BACK,
    async ask(handler: Handler) {
      const ask = visitor(handler);
      const state = (await startAt(ask, "acme")).get("state") ?? "";
      return await ask(`/auth/callback/acme?${new URLSearchParams({ code: "c", state })}`);
    },
  };
}

const REGISTER = `register ${HERE}/auth/callback/acme there as its redirect URI`;

tellMistakes([
  {
    name: "another redirect URI is registered, as GitHub says it",
    ...refused(
      "redirect_uri_mismatch",
      "The redirect_uri MUST match the registered callback URL for this application.",
    ),
    code: "redirect-uri-mismatch",
    log: /Cannot sign in with "acme": the provider answered with an error/,
    says: [REGISTER, "redirect_uri_mismatch"],
  },
  {
    name: "another redirect URI is registered, as the description says",
    ...refused("invalid_request", "Invalid parameter: redirect-uri"),
    code: "redirect-uri-mismatch",
    log: /Cannot sign in with "acme": the provider answered with an error/,
    says: [REGISTER],
  },
  {
    name: "the token endpoint says that the redirect URI is another, with the status 200",
    ...tokenRefused("redirect_uri_mismatch", "The redirect_uri MUST match.", 200),
    code: "redirect-uri-mismatch",
    log: /Cannot sign in with "acme": its token endpoint refused this client/,
    says: [REGISTER],
  },
  {
    name: "the token endpoint says of the code that it belongs to another redirect URI",
    ...tokenRefused("invalid_grant", "Incorrect redirect_uri"),
    code: "redirect-uri-mismatch",
    log: /Cannot sign in with "acme": the provider answered with an error/,
    says: [REGISTER, "Incorrect redirect_uri"],
  },
  {
    name: "`clientSecret` is wrong",
    ...tokenRefused("invalid_client", "Client authentication failed", 401),
    code: "token-request-refused",
    log:
      /Cannot sign in with "acme": its token endpoint refused this client; check its `clientId` and `clientSecret`, or/,
    says: ["Client authentication failed"],
  },
  {
    name: "`clientSecret` is wrong, as GitHub says it",
    ...tokenRefused("incorrect_client_credentials", "The client_id and/or client_secret are incorrect.", 200),
    code: "token-request-refused",
    log: /its token endpoint refused this client; check its `clientId` and `clientSecret`/,
    says: ["client_secret are incorrect"],
  },
  {
    name: "the token endpoint does not say what is wrong with the request",
    ...tokenRefused("invalid_request"),
    code: "token-request-refused",
    log: /check its `clientId` and `clientSecret`, and that http/,
    says: [`${HERE}/auth/callback/acme is registered there`],
  },
  {
    name: "`clientId` is not known to the provider",
    ...refused("invalid_client", "Unknown client"),
    code: "oauth-callback-error",
    log: /the provider answered with an error; check its `clientId`/,
    says: ["Unknown client"],
  },
  {
    name: "the client may not ask for a code",
    ...refused("unauthorized_client"),
    code: "oauth-callback-error",
    log: /the provider answered with an error; check its `clientId`/,
    says: ["registered there for the authorization code flow"],
  },
  {
    name: "`scope` names something that the provider does not have",
    ...refused("invalid_scope", "Unknown scope: emails"),
    code: "oauth-callback-error",
    log: /the provider answered with an error; check the `scope`/,
    says: ["`authorization`", "Unknown scope: emails"],
  },
  {
    name: "somebody cancels at the provider",
    ...refused("access_denied", "The user did not visit the redirect_uri"),
    code: "sign-in-cancelled",
    level: "warn",
    log: /Cannot sign in with "acme": the provider answered with an error/,
    says: ["access_denied"],
  },
  {
    name: "a code is used twice",
    ...tokenRefused("invalid_grant", "Code was used before"),
    code: "code-refused",
    level: "warn",
    log: /the provider answered with an error/,
    says: ["Code was used before"],
  },
  {
    name: "the sign-in begins at localhost, and the provider sends people to 127.0.0.1",
    make: () => made(),
    async ask(handler: Handler) {
      const state = (await startAt(visitor(handler), "github")).get("state") ?? "";
      return await handler(new Request(`http://127.0.0.1:3000/auth/callback/github?code=c&state=${state}`));
    },
    see: BACK,
    code: "flow-cookie-missing",
    level: "warn",
    log: /Cannot redeem flow: its cookie is missing/,
    says: ["came back to http://127.0.0.1:3000", "set AUTH_URL"],
  },
  {
    name: "the cookie of a sign-in is for this site only",
    make: () => made({ cookies: { state: { options: { sameSite: "strict" } } } }),
    ask: `${HERE}/auth/callback/github?code=c&state=abcdefghijklmnop`,
    see: BACK,
    code: "flow-cookie-missing",
    level: "warn",
    log: /Cannot redeem flow: its cookie is missing/,
    says: ['`cookies.state` has `sameSite: "strict"`', 'set `sameSite: "lax"`'],
  },
]);

// --- Passkeys ----------------------------------------------------------------------------------------------------------

function withPasskeys(options: Parameters<typeof passkey>[0] = {}) {
  const session = { strategy: "jwt" } as const;
  return made({ trustHost: true, adapter: memoryAdapter(), session, providers: [ada, passkey(options)] });
}

const noPasskeys = {
  code: "passkey-address",
  level: "warn",
  log: /passkeys of provider "passkey" do not work at/,
} as const;

tellMistakes([
  {
    name: "passkeys at a site on http",
    make: () => withPasskeys(),
    ask: "http://shop.example/auth/signin",
    see: SERVED,
    ...noPasskeys,
    says: ["http://shop.example", "browsers have none on http", "https", "AUTH_URL"],
  },
  {
    name: "passkeys at a site on http, from a page of the application",
    make: () => withPasskeys(),
    ask: "http://shop.example/auth/webauthn-options/passkey?action=authenticate",
    see: { status: 200 },
    ...noPasskeys,
    says: ["browsers have none on http"],
  },
  {
    name: "passkeys at the IP address of this machine",
    make: () => withPasskeys(),
    ask: "http://127.0.0.1:3000/auth/signin",
    see: SERVED,
    ...noPasskeys,
    says: ["browsers have none for IP addresses", "such as localhost"],
  },
  {
    name: "passkeys at the IPv6 address of another machine",
    make: () => withPasskeys(),
    ask: "https://[fd00::7]/auth/signin",
    see: SERVED,
    ...noPasskeys,
    says: ["browsers have none for IP addresses", "by a name"],
  },
  {
    name: "`relayingParty.id` is the domain of production, and the site is opened at localhost",
    make: () => withPasskeys({ relayingParty: { id: "shop.example" } }),
    ask: `${HERE}/auth/signin`,
    see: SERVED,
    ...noPasskeys,
    says: ["at http://localhost:3000", '`relayingParty.id` is "shop.example"', 'Set it to "localhost"'],
  },
  {
    name: "`relayingParty.id` is another host below the domain of the site",
    make: () => withPasskeys({ relayingParty: { id: "login.shop.example" } }),
    ask: "https://shop.example/auth/webauthn-options/passkey?action=register&email=a@b.example",
    see: { status: 200 },
    ...noPasskeys,
    says: ['"login.shop.example"', 'Set it to "shop.example"'],
  },
  {
    name: "`relayingParty.origin` is another address than that of the site",
    make: () => withPasskeys({ relayingParty: { id: "shop.example", origin: "https://www.shop.example" } }),
    ask: "https://shop.example/auth/signin",
    see: SERVED,
    ...noPasskeys,
    says: ['`relayingParty.origin` is "https://www.shop.example"', "Add https://shop.example to it"],
  },
]);

test("nothing is said where passkeys work", async () => {
  const said: string[] = [];
  const logger = { warn: (code: string) => void said.push(code) };
  const cases: readonly (readonly [asked: string, party: object])[] = [
    ["https://shop.example", {}],
    ["http://localhost:3000", {}],
    ["http://app.localhost:3000", {}],
    ["https://www.shop.example", { id: "shop.example" }],
    ["https://www.shop.example", { id: ["other.example", "shop.example"] }],
    ["https://www.shop.example", { id: "shop.example", origin: "https://www.shop.example" }],
    // Related origins: the domain lists them.
    ["https://shop.test", { id: "shop.example", origin: ["https://shop.example", "https://shop.test"] }],
  ];
  for (const [asked, relayingParty] of cases) {
    const adapter = memoryAdapter();
    const providers = [passkey({ relayingParty })];
    const config: Partial<AuthConfig> = { secret: SECRET, trustHost: true, logger, adapter, providers };
    assert.equal((await made(config)(new Request(`${asked}/auth/signin`))).status, 200);
  }
  assert.deepEqual(said, []);
});

test("at most four addresses without passkeys are told", async () => {
  const said: string[] = [];
  const logger = { warn: (code: string) => void said.push(code) };
  const config = { secret: SECRET, trustHost: true, logger, adapter: memoryAdapter(), providers: [passkey()] };
  const handler = made(config);
  for (let n = 0; n < 9; n += 1) await handler(new Request(`http://shop${n}.example/auth/signin`));
  assert.deepEqual(said, Array(4).fill("passkey-address"));
});

// --- Proxies and cookies -----------------------------------------------------------------------------------------------

const page = (url: string, headers: Record<string, string>) => () => new Request(url, { headers });

tellMistakes([
  {
    name: "the headers of a proxy are ignored, and the line names its host and both options",
    make: () => made(),
    ask: page(`${HERE}/auth/signin`, { "x-forwarded-host": "shop.example" }),
    see: SERVED,
    code: "proxy-unheard",
    level: "warn",
    log: /the headers of a proxy are ignored \(X-Forwarded-Host: shop\.example\)/,
    says: ["AUTH_URL", "AUTH_TRUST_HOST=true", "`trustHost: true`"],
  },
  {
    name: "two proxies write hosts, and both are ignored",
    make: () => made(),
    ask: page(`${HERE}/auth/signin`, { "x-forwarded-host": "shop.example, [auth][error]" }),
    see: SERVED,
    code: "proxy-unheard",
    level: "warn",
    log: /the headers of a proxy are ignored \(X-Forwarded-Host\)/,
    says: ["AUTH_URL"],
  },
  {
    name: "AUTH_TRUST_HOST is false",
    env: { AUTH_TRUST_HOST: "false" },
    make: () => made(),
    see: ERROR_PAGE,
    code: "untrusted-host",
    log: /Cannot trust the host/,
    says: ["`trustHost: true`", "AUTH_URL"],
  },
  {
    name: "AUTH_URL has https, and a proxy says that the page was opened by http",
    env: { AUTH_URL: "https://shop.example" },
    make: () => made(),
    ask: page("http://10.0.0.7:3000/auth/signin", { "x-forwarded-proto": "http" }),
    see: SERVED,
    code: "origin-differs",
    level: "warn",
    log: /a page was opened by http, and the cookies are for https only/,
    says: ["https://shop.example (from AUTH_URL)", "redirect http to https", "set AUTH_URL to the http address"],
  },
  {
    name: "AUTH_URL has https, and a browser opens a page by http",
    env: { AUTH_URL: "https://shop.example" },
    make: () => made(),
    ask: page("http://shop.example/auth/signin", { "upgrade-insecure-requests": "1" }),
    see: SERVED,
    code: "origin-differs",
    level: "warn",
    log: /a page was opened by http, and the cookies are for https only/,
    says: ["Browsers drop them, so nobody stays signed in"],
  },
  {
    name: "`useSecureCookies` is true at a site on http",
    make: () => made({ trustHost: true, useSecureCookies: true }),
    ask: page("http://192.168.0.7:3000/auth/signin", { "upgrade-insecure-requests": "1" }),
    see: SERVED,
    code: "origin-differs",
    level: "warn",
    log: /a page was opened by http, and the cookies are for https only/,
    says: ["`useSecureCookies`", "remove the option"],
  },
]);

test("nothing is said of cookies where browsers keep them, or where no browser asks", async () => {
  const said: string[] = [];
  const logger = { warn: (code: string, message?: string) => void said.push(`${code}: ${message}`) };
  const cases: readonly (readonly [AuthConfig["useSecureCookies"], string, Record<string, string>])[] = [
    // By https to a proxy that says so, and to one that does not.
    [undefined, "http://10.0.0.7:3000", { "x-forwarded-proto": "https", "upgrade-insecure-requests": "1" }],
    [undefined, "http://10.0.0.7:3000", { "sec-fetch-site": "none", "upgrade-insecure-requests": "1" }],
    // The first of two proxies has the https.
    [undefined, "http://10.0.0.7:3000", { "sec-fetch-site": "none", "x-forwarded-proto": "http" }],
    [undefined, "https://shop.example", { "upgrade-insecure-requests": "1" }],
    // A probe of a load balancer.
    [undefined, "http://10.0.0.7:3000", {}],
    [false, "http://10.0.0.7:3000", { "upgrade-insecure-requests": "1" }],
  ];
  const restore = setEnv({ AUTH_URL: "https://shop.example", NODE_ENV: undefined });
  try {
    for (const [useSecureCookies, asked, headers] of cases) {
      const handler = made({ secret: SECRET, logger, useSecureCookies });
      assert.equal((await handler(new Request(`${asked}/auth/signin`, { headers }))).status, 200);
    }
  } finally {
    restore();
  }
  assert.deepEqual(said, []);
});

test("that a proxy is not believed is told once, whatever host strangers write", async () => {
  const said: string[] = [];
  const logger = { warn: (code: string) => void said.push(code) };
  // Bun sets NODE_ENV for tests, and with that every host is trusted.
  const restore = setEnv({ NODE_ENV: undefined });
  try {
    const handler = made({ secret: SECRET, logger });
    for (let n = 0; n < 5; n += 1) {
      await handler(new Request(`${HERE}/auth/signin`, { headers: { "x-forwarded-host": `shop${n}.example` } }));
    }
  } finally {
    restore();
  }
  assert.deepEqual(said, ["proxy-unheard"]);
});

// --- Storage -----------------------------------------------------------------------------------------------------------

/** What drivers say of a table that does not exist. */
const MISSING: readonly (readonly [name: string, error: () => Error])[] = [
  ["SQLite", () => new Error("no such table: user")],
  ["Drizzle over SQLite", () => new Error("Failed query: select 1", { cause: new Error("no such table: session") })],
  ["PostgreSQL", () => Object.assign(new Error('relation "users" does not exist'), { code: "42P01" })],
  ["MySQL", () => Object.assign(new Error("Table 'app.user' doesn't exist"), { code: "ER_NO_SUCH_TABLE" })],
  ["Prisma", () => Object.assign(new Error("The table `main.User` does not exist"), { code: "P2021" })],
];

const session = async (handler: Handler) => {
  const headers = { cookie: "authjs.session-token=0123456789abcdef" };
  return await handler(new Request(`${HERE}/auth/session`, { headers }));
};

tellMistakes([
  ...MISSING.map(([name, error]): Mistake => ({
    name: `the tables of an adapter do not exist: ${name}`,
    make: () => {
      const adapter = { ...memoryAdapter(), getSessionAndUser: () => Promise.reject(error()) };
      return made({ adapter, session: { strategy: "database" } });
    },
    ask: session,
    see: { status: 503, text: /Try again later/ },
    log: /Cannot read the session: .*`getSessionAndUser` failed, because a table is missing/,
    says: ["Create the tables first", "`migrate()`", "the schema and the migrations"],
  })),
]);

test("what else fails in storage is not said to be a missing table", async () => {
  const lines: string[] = [];
  const logger = { error: (_error: Error, details?: { message: string }) => void lines.push(details?.message ?? "") };
  const failures = [
    new Error("database is locked"),
    Object.assign(new Error('column "x" of relation "y" does not exist'), { code: "42703" }),
  ];
  for (const failure of failures) {
    const adapter = { ...memoryAdapter(), getSessionAndUser: () => Promise.reject(failure) };
    const handler = made({ secret: SECRET, adapter, session: { strategy: "database" }, logger });
    assert.equal((await session(handler)).status, 503);
  }
  assert.equal(lines.length, 2);
  assert.doesNotMatch(lines.join(), /table is missing/);
});

// --- Methods -----------------------------------------------------------------------------------------------------------

const METHODS: readonly (readonly [method: string, path: string, status: number, allow: string | null])[] = [
  ["HEAD", "signin", 200, null],
  ["HEAD", "session", 200, null],
  // A HEAD must not use up what can be used once.
  ["HEAD", "callback/github?code=c&state=s", 405, "GET"],
  ["OPTIONS", "session", 405, "GET, POST, HEAD"],
  ["OPTIONS", "callback/credentials", 405, "POST"],
  ["PUT", "signout", 405, "GET, POST, HEAD"],
  ["GET", "callback/credentials", 405, "POST"],
  ["OPTIONS", "callback/githb", 404, null],
];

for (const [method, path, status, allow] of METHODS) {
  test(`${method} of ${path} is answered with ${status}, and the log is silent`, async () => {
    const said: string[] = [];
    const logger = {
      warn: (code: string) => void said.push(code),
      error: (error: Error) => void said.push(error.name),
    };
    const response = await made({ secret: SECRET, logger })(new Request(`${HERE}/auth/${path}`, { method }));
    assert.equal(response.status, status);
    assert.equal(response.headers.get("allow"), allow);
    assert.deepEqual(said, status === 404 ? ["callback-provider-unknown"] : []);
  });
}
