import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Auth, type AuthConfig, createAuth, customFetch, type OAuthProvider, type OidcProvider, raw } from "@x/auth";
import { CredentialsSignin } from "@x/auth/errors";
import type { Site } from "../_support/browser.ts";
import { CLIENT, type Issuer } from "../_support/issuer.ts";
import {
  answerOf,
  ask,
  type Cookies,
  countRows,
  fetchOf,
  keep,
  liveIssuer,
  locationOf,
  providerOf,
} from "./_service.ts";

const SECRET = "canary-AUTH_SECRET/+=?&~longer than 32 characters";
const PASSWORD = "canary-password/+=?&~<'\">";

/** Everything that somebody could read, and where it was. */
class Watch {
  readonly seen: [where: string, text: string][] = [];
  /** What must not be read, by its name. */
  readonly canaries = new Map<string, string>([
    ["AUTH_SECRET", SECRET],
    ["client secret", CLIENT.secret],
    ["password", PASSWORD],
  ]);

  plant(name: string, value: unknown): void {
    if (typeof value === "string" && value.length >= 6) this.canaries.set(`${name} ${this.canaries.size}`, value);
  }

  note(where: string, ...things: unknown[]): void {
    this.seen.push([where, things.map((thing) => textOf(thing)).join("\n")]);
  }

  /** The places that show a canary in any writing. */
  leaks(): string[] {
    return this.seen.flatMap(([where, text]) =>
      [...this.canaries].flatMap(([name, value]) => {
        rows();
        return writingsOf(value).some((writing) => text.includes(writing))
          ? [`${name} in ${where}: ${text.slice(0, 200)}`]
          : [];
      })
    );
  }
}

/** All that a value says, also where a JSON of it would be silent. */
function textOf(thing: unknown, above: readonly unknown[] = []): string {
  if (typeof thing !== "object" || thing === null) return String(thing);
  if (above.includes(thing)) return "";
  const members = Reflect.ownKeys(thing).map((name) =>
    `${String(name)}: ${textOf((thing as Record<PropertyKey, unknown>)[name], [...above, thing])}`
  );
  return [thing instanceof Error ? `${thing.name}: ${thing.message}\n${thing.stack}` : "", ...members].join("\n");
}

/** Base64 of a text that stands anywhere in a longer one: the middle is the same, for each of three offsets. */
function base64Middles(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).toString("base64");
    return encoded.slice(offset === 0 ? 0 : 4, -4);
  }).filter((middle) => middle.length >= 8);
}

function writingsOf(value: string): string[] {
  const base64 = base64Middles(value);
  const hex = Buffer.from(value).toString("hex");
  const form = String(new URLSearchParams({ v: value })).slice(2);
  const url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const html = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const json = JSON.stringify(value).slice(1, -1);
  return [
    value,
    encodeURIComponent(value),
    encodeURI(value),
    form,
    html,
    json,
    hex,
    hex.toUpperCase(),
    ...base64,
    ...url,
  ];
}

let watch = new Watch();

// The console is where logs go by default.
const console_ = { ...globalThis.console };
before(() => {
  for (const name of ["error", "warn", "log", "info", "debug"] as const) {
    globalThis.console[name] = (...things: unknown[]) => watch.note(`console.${name}`, ...things);
  }
});
after(() => void Object.assign(globalThis.console, console_));

const rows = countRows("canaries looked for");

interface Case {
  readonly issuer?: (issuer: Issuer) => void;
  readonly provider?: Partial<OidcProvider>;
  readonly oauth?: Partial<OAuthProvider>;
  readonly config?: AuthConfig;
  /** Changes what the person at the provider brings back. */
  readonly answer?: (query: URLSearchParams) => void;
  /** Whether nobody is to be signed in. */
  readonly fails?: boolean;
}

const html = (status: number) => () => new Response("<html>", { status });
/** An endpoint that repeats all it was told. */
const echo = (status: number) => async (request: Request) =>
  Response.json({
    error: "invalid_grant",
    error_description: `${await request.clone().text()} ${request.headers.get("authorization")}`,
  }, { status });
const failing = (what: string) => () => {
  throw new Error(what);
};

const CASES: Readonly<Record<string, Case>> = {
  "a sign-in that succeeds": {},
  "a sign-in by userinfo": { provider: { idToken: false } },
  "a sign-in with the secret in the form": {
    provider: { client: { token_endpoint_auth_method: "client_secret_post" } },
  },
  "a sign-in with an assertion": { provider: { client: { token_endpoint_auth_method: "client_secret_jwt" } } },
  "a plain OAuth sign-in": { oauth: {} },
  "a token endpoint that fails": { issuer: (issuer) => issuer.override("token", html(500)), fails: true },
  "a token endpoint that is no JSON": { issuer: (issuer) => issuer.override("token", html(200)), fails: true },
  "a token endpoint that repeats the request as its error": {
    issuer: (issuer) => issuer.override("token", echo(400)),
    fails: true,
  },
  "a token endpoint that repeats the request with status 200": {
    issuer: (issuer) => issuer.override("token", echo(200)),
    fails: true,
  },
  "a token endpoint that does not know the client": {
    issuer: (issuer) =>
      issuer.override("token", (request) => {
        const challenge = { "www-authenticate": `Basic realm="${request.headers.get("authorization")}"` };
        return Response.json({ error: "invalid_client" }, { status: 401, headers: challenge });
      }),
    fails: true,
  },
  "a token endpoint that sends elsewhere": {
    issuer: (issuer) =>
      issuer.override("token", async (request) => {
        return new Response(null, {
          status: 307,
          headers: { location: `https://evil.test/?${await request.clone().text()}` },
        });
      }),
    fails: true,
  },
  "a network that quotes what it sent": {
    issuer: (issuer) =>
      issuer.override("token", async (request) => {
        throw new TypeError(
          `error sending request ${request.url} ${await request.clone().text()} ${
            request.headers.get("authorization")
          }`,
        );
      }),
    fails: true,
  },
  "a token of another kind": { issuer: (issuer) => issuer.grant({ token_type: "mac" }), fails: true },
  "an answer without an access token": { issuer: (issuer) => issuer.grant({ access_token: undefined }), fails: true },
  "an id_token of another issuer": { issuer: (issuer) => issuer.claim({ iss: "https://evil.test" }), fails: true },
  "an id_token of another audience": { issuer: (issuer) => issuer.claim({ aud: "other" }), fails: true },
  "an id_token with another nonce": { issuer: (issuer) => issuer.claim({ nonce: "other" }), fails: true },
  "an id_token that is past": { issuer: (issuer) => issuer.claim({ exp: 1 }), fails: true },
  "an id_token of an unknown key": { issuer: (issuer) => issuer.header({ kid: "unknown" }), fails: true },
  "an id_token that is none": { issuer: (issuer) => issuer.rewrite((idToken) => `${idToken}.x`), fails: true },
  "a key document that fails": { issuer: (issuer) => issuer.override("jwks", html(404)), fails: true },
  "metadata that fails": { issuer: (issuer) => issuer.override("discovery", html(404)), fails: true },
  "a userinfo endpoint that refuses": {
    provider: { idToken: false },
    issuer: (issuer) =>
      issuer.override(
        "userinfo",
        (request) => Response.json({ error: request.headers.get("authorization") }, { status: 401 }),
      ),
    fails: true,
  },
  "a userinfo endpoint that tells of somebody else": {
    provider: { idToken: false },
    issuer: (issuer) => issuer.person({ sub: "eve" }),
    fails: true,
  },
  "a profile callback that fails": { provider: { profile: failing("no profile") }, fails: true },
  "a profile callback that gives no id": { provider: { profile: () => ({}) }, fails: true },
  "a person who declines": {
    answer: (query) => {
      query.set("error", "access_denied");
      query.set("error_description", `no code for ${CLIENT.id}, whose state was ${query.get("state")}`);
      query.delete("code");
    },
    fails: true,
  },
  "an answer with another state": { answer: (query) => query.set("state", "other"), fails: true },
  "an answer of another issuer": { answer: (query) => query.set("iss", "https://evil.test"), fails: true },
  "an answer with the code twice": { answer: (query) => query.append("code", query.get("code") ?? ""), fails: true },
  "callbacks.signIn that says no": { config: { callbacks: { signIn: () => false } }, fails: true },
  "callbacks.signIn that fails": { config: { callbacks: { signIn: failing("no sign-in") } }, fails: true },
  "callbacks.jwt that fails": { config: { callbacks: { jwt: failing("no token") } }, fails: true },
  "callbacks.jwt that gives too much": {
    config: { callbacks: { jwt: ({ token, account }) => ({ ...token, account, roles: "r".repeat(40_000) }) } },
    fails: true,
  },
  "callbacks.session that fails": { config: { callbacks: { session: failing("no session") } } },
  "an event handler that fails": { config: { events: { signIn: failing("no event") } } },
};

/** What the log of an application hears, at every level. */
const recorder = (): NonNullable<AuthConfig["logger"]> => ({
  error: (...things) => watch.note("logger.error", ...things),
  warn: (...things) => watch.note("logger.warn", ...things),
  debug: (...things) => watch.note("logger.debug", ...things),
});

/** Reads an answer as a browser and all between would; its cookies are sealed and looked at all the same. */
async function read(where: string, response: Response): Promise<Response> {
  const headers = [...response.headers].filter(([name]) => name !== "set-cookie");
  watch.note(`a header of ${where}`, headers);
  watch.note(`the body of ${where}`, await response.clone().text());
  return response;
}

/** Notes what only the service and the provider may know. */
function plantAnswers(issuer: Issuer): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  const fetch = fetchOf(issuer);
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method === "POST") {
      const form = new URLSearchParams(await request.clone().text());
      for (const name of ["code", "code_verifier", "client_secret", "client_assertion"]) {
        watch.plant(name, form.get(name));
      }
      watch.plant("basic authentication", request.headers.get("authorization")?.slice(6));
    }
    const response = await fetch(request);
    const answer = await response.clone().json().catch(() => ({}));
    for (const name of ["access_token", "refresh_token", "id_token"]) watch.plant(name, answer?.[name]);
    return response;
  };
}

async function run(site: Site, issuer: Issuer, change: Case["answer"]): Promise<Cookies> {
  const token = await ask(site, "/auth/csrf", { mayFail: true });
  const { csrfToken } = await token.clone().json().catch(() => ({}));
  const cookies = keep(token);
  const started = await ask(site, "/auth/signin/idp", { cookies, fields: { csrfToken }, mayFail: true });
  await read("the start", new Response(await started.clone().text(), started.status === 302 ? {} : started));
  const location = locationOf(started);
  if (!location.startsWith("https://idp.test/")) return keep(started, cookies);
  const [path, search] = (await answerOf(issuer, location)).split("?");
  const query = new URLSearchParams(search);
  watch.plant("code", query.get("code"));
  change?.(query);
  const finished = await read(
    "the end",
    await ask(site, `${path}?${query}`, { cookies: keep(started, cookies), mayFail: true }),
  );
  const after = keep(finished, keep(started, cookies));
  for (const [name, value] of Object.entries(after)) {
    if (name.includes("session-token")) watch.plant("session token", value);
  }
  const next = locationOf(finished);
  if (next.startsWith("https://app.test/auth/")) {
    await read("the page", await ask(site, next.slice("https://app.test".length), { cookies: after, mayFail: true }));
  }
  return after;
}

for (const [name, { issuer: arrange, provider, oauth, config, answer, fails = false }] of Object.entries(CASES)) {
  for (const own of [true, false]) {
    test(`no secret is shown by ${name}, to ${own ? "the application's log" : "the console"}`, async () => {
      watch = new Watch();
      const issuer = liveIssuer();
      issuer.grant({ refresh_token: "canary-refresh-token/+=?&~", access_token: "canary-access-token/+=?&~" });
      arrange?.(issuer);
      const common = {
        [customFetch]: plantAnswers(issuer),
        checks: ["pkce", "state", ...(oauth ? [] : ["nonce"] as const)],
      } as const;
      const chosen = oauth
        ? issuer.oauthProvider({ ...common, ...oauth })
        : providerOf(issuer, { ...common, ...provider });
      const { handler, auth } = createAuth({
        secret: SECRET,
        trustHost: true,
        debug: true,
        providers: [chosen],
        ...(own && { logger: recorder() }),
        ...config,
      });
      const after = await run(handler, issuer, answer);
      assert.equal(Object.keys(after).some((cookie) => cookie.includes("session-token")), !fails);
      await read("the session", await ask(handler, "/auth/session", { cookies: after }));
      await read("the providers", await ask(handler, "/auth/providers", { cookies: after }));
      const header = Object.entries(after).map(([cookie, value]) => `${cookie}=${value}`).join("; ");
      watch.note("auth()", await auth(new Request("https://app.test/", { headers: { cookie: header } })));
      assert.ok(
        watch.canaries.size >= 3 && watch.seen.length > 5,
        "there was something to find, and something to look at",
      );
      assert.deepEqual(watch.leaks(), []);
    });
  }
}

const FAILURES: Readonly<Record<string, () => never>> = {
  "nothing but a refusal": () => {
    throw new CredentialsSignin("Cannot sign in");
  },
  "an error of its own": () => {
    throw new TypeError("x is not a function");
  },
};

for (const [name, authorize] of Object.entries(FAILURES)) {
  test(`a password is not shown where authorize throws ${name}, not even by what Auth() throws`, async () => {
    watch = new Watch();
    const provider = {
      id: "credentials",
      name: "Password",
      type: "credentials",
      credentials: { password: {} },
      authorize,
    } as const;
    const config: AuthConfig = {
      secret: SECRET,
      trustHost: true,
      debug: true,
      providers: [provider],
      logger: recorder(),
    };
    const { handler, signIn } = createAuth(config);
    const token = await ask(handler, "/auth/csrf");
    const { csrfToken } = await token.json();
    const cookies = keep(token);
    const fields = { csrfToken, username: "ada", password: PASSWORD, callbackUrl: "/" };
    const refused = await read("the refusal", await ask(handler, "/auth/callback/credentials", { cookies, fields }));
    await read(
      "the page",
      await ask(handler, locationOf(refused).slice("https://app.test".length), { cookies, mayFail: true }),
    );
    await assert.rejects(() => signIn(new Request("https://app.test/"), "credentials", fields), (error) => {
      watch.note("what signIn() throws", error);
      return true;
    });
    const request = new Request("https://app.test/auth/callback/credentials", {
      method: "POST",
      headers: {
        cookie: `__Host-authjs.csrf-token=${cookies["__Host-authjs.csrf-token"]}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: String(new URLSearchParams(fields)),
    });
    await assert.rejects(() => Auth(request, { ...config, raw }), (error) => {
      watch.note("what Auth() throws", error);
      return true;
    });
    assert.deepEqual(watch.leaks(), []);
  });
}

for (
  const [name, { issuer: arrange, provider, answer }] of Object.entries(CASES).filter(([, one]) =>
    one.fails && !one.config
  )
) {
  test(`what Auth() throws shows no secret: ${name}`, async () => {
    watch = new Watch();
    const issuer = liveIssuer();
    arrange?.(issuer);
    const chosen = providerOf(issuer, {
      [customFetch]: plantAnswers(issuer),
      checks: ["pkce", "state", "nonce"],
      ...provider,
    });
    const config: AuthConfig = {
      secret: SECRET,
      trustHost: true,
      debug: true,
      providers: [chosen],
      logger: recorder(),
    };
    const thrown: unknown[] = [];
    const site: Site = async (request) => {
      const copy = request.clone();
      await Auth(request, { ...config, raw }).catch((error) => thrown.push(error));
      return await Auth(copy, config);
    };
    await run(site, issuer, answer);
    assert.ok(thrown.length > 0 || name.includes("twice"), "something was thrown");
    watch.note("what Auth() throws", ...thrown);
    assert.deepEqual(watch.leaks(), []);
  });
}

test("the search finds a secret in every encoding", () => {
  const writings: readonly ((text: string) => string)[] = [
    (text) => text,
    encodeURIComponent,
    (text) => String(new URLSearchParams({ text })),
    (text) => Buffer.from(text).toString("hex"),
    (text) => Buffer.from(`a${text}b`).toString("base64"),
    (text) => Buffer.from(`ab${text}`).toString("base64url"),
    (text) => JSON.stringify({ text }),
  ];
  for (const write of writings) {
    for (const canary of [SECRET, PASSWORD, CLIENT.secret]) {
      watch = new Watch();
      watch.note("a log", new Error("x", { cause: { deep: [write(canary)] } }));
      assert.equal(watch.leaks().length, 1, write(canary));
    }
  }
});
