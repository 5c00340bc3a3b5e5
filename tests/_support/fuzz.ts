/**
 * A visitor who acts by chance: requests that are almost right, because a parser and a check only show what they are
 * worth to what gets past the one before.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type AuthConfig, createAuth, customFetch } from "@x/auth";
import { passkey } from "@x/auth/providers/passkey";
import type { Site } from "./browser.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { CookieJar } from "./cookie_jar.ts";
import { leakIn } from "./faults.ts";
import { type Reached, StoredSignIns } from "./fuzz_stored_sign_ins.ts";
import { assertResponseRules } from "./response_rules.ts";
import type { Issuer } from "./issuer.ts";
import { liveIssuer } from "./live_issuer.ts";
import { ADA, password, recordLog, SECRET, testConfig } from "./service.ts";
import { SEEDS } from "../unit/http/_redirect_corpus.ts";

/** What is planted where it must not come out. */
const CANARIES = {
  client: "canary-client-secret-4b1d",
  access: "canary-access-token-9c2e",
  refresh: "canary-refresh-token-7f30",
  claim: "canary-in-the-session-token-20aa",
  thrown: "canary-in-an-error-51c8",
} as const;

/** Where a request may be answered, and what the service there is like. */
export interface Arena {
  readonly name: string;
  readonly origin: string;
  readonly basePath: string;
  readonly site: Site;
  /** The provider, as it is at the moment. */
  readonly issuer: Issuer;
  /** Makes the provider forget what it was asked, so that it does not grow. */
  renew(): void;
  /** Origins that a `Location` may have besides its own. */
  readonly leads: ReadonlySet<string>;
  readonly errors: Error[];
  /** Passkeys and emails, where there is storage. */
  readonly storedSignIns: StoredSignIns | null;
}

function makeIssuer(): Issuer {
  const issuer = liveIssuer();
  issuer.grant({ access_token: CANARIES.access, refresh_token: CANARIES.refresh });
  return issuer;
}

interface ArenaOptions {
  readonly origin: string;
  readonly basePath?: string;
  readonly config?: AuthConfig;
  readonly leads?: readonly string[];
  /** Whether people are remembered, and have passkeys and emails. */
  readonly stored?: boolean;
}

function openArena(
  name: string,
  { origin, basePath = "/auth", config = {}, leads = [], stored = false }: ArenaOptions,
): Arena {
  const { logger, errors } = recordLog();
  const storedSignIns = stored ? new StoredSignIns(origin) : null;
  let issuer = makeIssuer();
  const reach = {
    clientSecret: CANARIES.client,
    [customFetch]: (input: string | URL | Request, init?: RequestInit) => issuer.fetch(new Request(input, init)),
  };
  const form = { url: `${issuer.url}/authorize`, params: { response_mode: "form_post" } };
  const { handler } = createAuth(testConfig({
    basePath,
    logger,
    providers: [
      password({
        authorize: (fields) => {
          if (fields.username === "thrower") throw new Error(CANARIES.thrown);
          if (fields.username !== ADA.username || fields.password !== ADA.password) return null;
          return { id: "1", name: "Ada Lovelace", email: "ada@example.com" };
        },
      }),
      issuer.provider({ ...reach, checks: ["pkce", "state", "nonce"] }),
      issuer.oauthProvider({ ...reach, id: "plain" }),
      issuer.oauthProvider({ ...reach, id: "posting", authorization: form, checks: ["state", "pkce"] }),
      ...(storedSignIns
        ? [
          issuer.provider({ ...reach, id: "linking", allowDangerousEmailAccountLinking: true }),
          passkey(),
          storedSignIns.mails("email"),
          storedSignIns.mails("code", true),
        ]
        : []),
    ],
    ...(storedSignIns && { adapter: storedSignIns.adapter }),
    ...config,
    callbacks: { jwt: ({ token }) => ({ ...token, kept: CANARIES.claim }), ...config.callbacks },
  }));
  return {
    name,
    origin,
    basePath,
    site: handler,
    get issuer() {
      return issuer;
    },
    renew: () => {
      issuer = makeIssuer();
      storedSignIns?.renew();
    },
    storedSignIns,
    leads: new Set([origin, issuer.url, ...leads]),
    errors,
  };
}

/** Services of different configurations. */
export function openArenas(): readonly Arena[] {
  return [
    openArena("plain", { origin: "http://localhost:3000" }),
    openArena("https", { origin: "https://app.test", config: { theme: { brandColor: "#346df1" } } }),
    openArena("custom pages", {
      origin: "https://app.test",
      basePath: "/api/auth",
      leads: ["https://login.test"],
      config: {
        pages: { signIn: "/login?x=1", signOut: "/bye", error: "https://login.test/oops", verifyRequest: "/look" },
      },
    }),
    openArena("long sessions", {
      origin: "https://app.test",
      config: {
        session: { updateAge: 0 },
        callbacks: { jwt: ({ token }) => ({ ...token, text: "x".repeat(5000), kept: CANARIES.claim }) },
      },
    }),
    openArena("behind a redirect proxy", {
      origin: "https://preview.app.test",
      config: { redirectProxyUrl: "https://proxy.test/auth", redirectProxyOrigins: ["https://*.app.test"] },
    }),
    openArena("with stored sessions", {
      origin: "https://app.test",
      stored: true,
      config: { session: { strategy: "database" } },
    }),
    openArena("with storage and sealed sessions", {
      origin: "http://localhost:3000",
      stored: true,
      config: { session: { strategy: "jwt" } },
    }),
    openArena("a redirect proxy", {
      origin: "https://proxy.test",
      leads: ["https://preview.app.test"],
      config: { redirectProxyUrl: "https://proxy.test/auth", redirectProxyOrigins: ["https://*.app.test"] },
    }),
  ];
}

/** A request as it can be written down. */
export interface Shot {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

const METHODS = ["GET", "GET", "GET", "POST", "POST", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "FOO"];

const ACTIONS = [
  "session",
  "csrf",
  "providers",
  "signin",
  "signout",
  "error",
  "verify-request",
  "callback",
  "webauthn-options",
];

const GENUINE = ["credentials", "idp", "plain", "posting", "linking", "passkey", "email", "code"];
const PROVIDERS = ["undefined", "nobody", "__proto__", "constructor", "IDP", "idp/x", ""];

const NAMES = [
  "callbackUrl",
  "error",
  "code",
  "state",
  "iss",
  "csrfToken",
  "email",
  "provider",
  "scope",
  "prompt",
  "redirect_uri",
  "client_id",
  "nonce",
  "response",
  "id_token",
  "error_description",
  "user",
  "username",
  "password",
  "data",
  "action",
  "token",
  "__proto__",
  "constructor",
  "toString",
  "then",
];

/** Texts that parsers stumble over. */
const TEXTS = [
  "",
  "ada",
  "thrower",
  " ",
  "%",
  "%zz",
  "%c0%af",
  "\0",
  "\r\nset-cookie: a=b",
  "\ud800",
  "ä漢🔑",
  "\u2028",
  "<script>alert(1)</script>",
  "\"'><svg/onload=1>",
  "javascript:alert(1)",
  "{{7*7}}",
  "null",
  "undefined",
  "true",
  "[object Object]",
  "1e999",
  "-1",
  "OAuthCallbackError",
  "AccessDenied",
  "Configuration",
  "eyJhbGciOiJub25lIn0.e30.",
  "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..AAAAAAAAAAAAAAAAAAAAAA.AAAA.AAAA",
  "x".repeat(300),
  "x".repeat(9000),
  "x".repeat(17_000),
  "a=1&a=2",
  "\ufeff",
];

/** Bodies that are wrong, whole. */
const BODIES = [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"csrfToken":{"$ne":null}}',
  '{"toJSON":1,"then":1}',
  "[[]]",
  "null",
  '"x"',
  "1e999",
  `{"a":${'{"a":'.repeat(40)}1${"}".repeat(40)}}`,
  `{"a":${"[".repeat(50_000)}`,
  '{"a":1,"a":2}',
  '{"a":"\\ud800"}',
  "\ufeff{}",
  "__proto__[polluted]=1",
  "constructor.prototype.polluted=1&toString=1&hasOwnProperty=1",
  "__proto__=1&then=1",
  "a=1&a=2&a[]=1&a.b=1",
  "a=1;b=2",
  "%=%&%zz=%c0%af",
  `${"a=1&".repeat(20_000)}`,
  `x=${"x".repeat(64 * 1024 + 1)}`,
  `x=${"x".repeat(60_000)}`,
  "",
];

const TYPES = [
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded; charset=utf-8",
  "APPLICATION/JSON",
  "application/json",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/json, text/html",
  "",
];

const FORM = "application/x-www-form-urlencoded";

/** What a shot came back with, for whoever counts. */
export interface Tally {
  shots: number;
  readonly statuses: Map<number, number>;
  /** Sessions that were made. */
  entered: number;
  /** Those of them that a provider vouched for. */
  vouched: number;
  /** What happened where there is storage. */
  readonly reached: Reached;
}

/** A visitor who knows the service well and does almost what one should. */
export class Fuzzer {
  readonly tally: Tally;
  readonly #chance: Chance;
  readonly #arenas: readonly Arena[];
  readonly #jars: Map<Arena, CookieJar[]>;
  /** Genuine things that were seen: cookies, tokens, places. They are sent again where they do not belong. */
  readonly #cookies: [name: string, value: string][] = [];
  readonly #answers = new Map<CookieJar, string[]>();
  readonly #tokens = new Map<CookieJar, string>();
  readonly #markers: string[] = [];

  constructor(chance: Chance, arenas: readonly Arena[]) {
    this.#chance = chance;
    this.#arenas = arenas;
    const storedSignIns = arenas.flatMap((arena) => arena.storedSignIns ?? []);
    const sum = (name: keyof Reached) => storedSignIns.reduce((total, { reached }) => total + reached[name], 0);
    this.tally = {
      shots: 0,
      statuses: new Map(),
      entered: 0,
      vouched: 0,
      get reached() {
        return {
          passkeys: sum("passkeys"),
          entered: sum("entered"),
          mailed: sum("mailed"),
          added: sum("added"),
          evicted: sum("evicted"),
          displaced: sum("displaced"),
        };
      },
    };
    this.#jars = new Map(arenas.map((arena) => [arena, Array.from({ length: 2 }, () => new CookieJar())]));
  }

  /** Makes one request and judges the answer. A failure says how to repeat it. */
  async shoot(): Promise<void> {
    // Where people are remembered there is more to be found.
    const arena = this.#chance.pick(
      this.#chance.hits(0.3) ? this.#arenas.filter(({ storedSignIns }) => storedSignIns) : this.#arenas,
    );
    const jar = this.#chance.pick(this.#jars.get(arena) ?? []);
    const shot = this.#chance.hits(0.4) ? await this.#step(arena, jar) : this.#wander(arena, jar);
    await this.#send(arena, jar, shot);
  }

  /** Lets the providers forget. */
  renew(): void {
    for (const arena of this.#arenas) arena.renew();
  }

  /** Whether every browser, whatever it has been through, can still sign in. */
  async assertEverybodySignsIn(): Promise<void> {
    for (const [arena, jars] of this.#jars) {
      for (const jar of [...jars, new CookieJar()]) {
        await this.#send(arena, jar, this.#shot(arena, jar, "GET", "/csrf"));
        const fields = new URLSearchParams({ ...ADA, csrfToken: this.#tokens.get(jar) ?? "" });
        const shot = this.#shot(arena, jar, "POST", "/callback/credentials", String(fields));
        await this.#send(arena, jar, shot);
        const url = new URL(`${arena.origin}${arena.basePath}/session`);
        const cookie = jar.headerFor(url, { sameSite: true, safe: true }) ?? "";
        const session = await (await arena.site(new Request(url, { headers: { cookie } }))).json();
        assert.equal(session?.user?.name, "Ada Lovelace", `nobody can sign in any more at ${arena.name}`);
      }
    }
  }

  // The right way, a step at a time.
  async #step(arena: Arena, jar: CookieJar): Promise<Shot> {
    const csrfToken = this.#tokens.get(jar) ?? "";
    const fields = (more: Readonly<Record<string, string>>) => String(new URLSearchParams({ csrfToken, ...more }));
    if (arena.storedSignIns && this.#chance.hits(0.6)) {
      const { path, fields: more } = await arena.storedSignIns.step(this.#chance, jar, arena.basePath);
      const body = more && fields(more);
      const spoiled = body && this.#chance.hits(0.1) ? this.#spoil(body) : body;
      return this.#shot(arena, jar, body === undefined ? "GET" : "POST", path, spoiled ?? null);
    }
    switch (this.#chance.below(8)) {
      case 0:
        return this.#shot(arena, jar, "GET", "/csrf");
      case 1:
        return this.#shot(arena, jar, "POST", "/callback/credentials", fields({ ...ADA, callbackUrl: this.#target() }));
      case 2: {
        const id = this.#chance.pick(["idp", "plain", "posting", ...(arena.storedSignIns ? ["linking"] : [])]);
        return this.#shot(arena, jar, "POST", `/signin/${id}`, fields({ callbackUrl: this.#target() }));
      }
      case 3:
      case 4: {
        const mine = this.#answers.get(
          this.#chance.hits(0.9) ? jar : this.#chance.pick([...this.#answers.keys(), jar]),
        );
        const address = mine?.pop();
        if (!address) return this.#shot(arena, jar, "GET", "/session");
        if (arena.storedSignIns) {
          const claims = arena.storedSignIns.claims(this.#chance);
          arena.issuer.claim(claims);
          arena.issuer.person(claims);
        }
        const { redirectUri, params } = await arena.issuer.consent(address);
        const { pathname } = new URL(redirectUri);
        const path = pathname.slice(pathname.indexOf("/callback"));
        if (path.endsWith("posting") && this.#chance.hits(0.5)) {
          return this.#shot(arena, jar, "POST", path, String(params), { "sec-fetch-site": "cross-site" });
        }
        return this.#shot(
          arena,
          jar,
          "GET",
          `${path}?${this.#chance.hits(0.7) ? params : this.#spoil(String(params))}`,
        );
      }
      case 5:
        return this.#shot(arena, jar, "GET", "/session");
      case 6:
        return this.#shot(arena, jar, "POST", "/session", JSON.stringify({ csrfToken, data: { note: this.#text() } }), {
          "content-type": "application/json",
        });
      default:
        return this.#shot(arena, jar, "POST", "/signout", fields({ callbackUrl: this.#target() }));
    }
  }

  #shot(
    { origin, basePath }: Arena,
    jar: CookieJar,
    method: string,
    path: string,
    body: string | null = null,
    headers: Record<string, string> = {},
  ): Shot {
    const url = `${origin}${basePath}${path}`;
    const cookie = jar.headerFor(new URL(url), { sameSite: true, safe: true });
    return {
      method,
      url,
      body,
      headers: Object.entries({
        "sec-fetch-site": "same-origin",
        ...(cookie && { cookie }),
        ...(body !== null && { "content-type": FORM, origin }),
        ...headers,
      }),
    };
  }

  // Anything a client can write.
  #wander(arena: Arena, jar: CookieJar): Shot {
    const chance = this.#chance;
    const method = chance.pick(METHODS);
    const query = chance.hits(0.6) ? `?${this.#query()}` : "";
    const url = arena.origin + this.#path(arena) + query;
    const withBody = method !== "GET" && method !== "HEAD" && chance.hits(0.9);
    const headers: [string, string][] = [];
    const add = (name: string, values: readonly string[], share: number) => {
      if (chance.hits(share)) headers.push([name, chance.pick(values)]);
    };
    if (withBody) add("content-type", TYPES, 0.95);
    add("content-encoding", ["gzip", "identity", "br"], 0.03);
    add("origin", [arena.origin, "https://evil.test", "null", "", "x"], 0.6);
    add("sec-fetch-site", ["same-origin", "none", "cross-site", "same-site", "x", ""], 0.6);
    add("x-forwarded-host", ["app.test", "evil.test", "a,b", "", "[::1]:8080", "x y", "evil.test/", "@"], 0.05);
    add("x-forwarded-proto", ["https", "http", "https,http", "javascript", ""], 0.05);
    add("x-auth-return-redirect", ["1", ""], 0.2);
    add("authorization", ["Bearer %", "Bearer x", "Basic x", "Bearer " + "x".repeat(5000)], 0.05);
    add("referer", ["https://evil.test/", "x"], 0.05);
    add("accept", ["*/*", "text/html", "application/json;q=9"], 0.1);
    const cookie = this.#cookieHeader(jar, url);
    if (cookie) headers.push(["cookie", cookie]);
    return { method, url, headers, body: withBody ? this.#body(jar) : null };
  }

  #path({ basePath }: Arena): string {
    const chance = this.#chance;
    let path = `${basePath}/${chance.pick(ACTIONS)}`;
    const named = /signin$|callback$|options$/.test(path);
    if (chance.hits(named ? 0.8 : 0.05)) path += `/${chance.pick(chance.hits(0.9) ? GENUINE : PROVIDERS)}`;
    if (chance.hits(0.92)) return path;
    const at = chance.below(path.length);
    const odd = ["/", "//", "%2f", "..", "/./", ";", "%00", "%", "\\", "A", "%73", "\u00e4", "?", ".", "~"];
    return path.slice(0, at) + chance.pick(odd) + path.slice(at + chance.below(2));
  }

  #query(): string {
    const pairs = Array.from({ length: 1 + this.#chance.below(4) }, () => this.#pair());
    return pairs.map(([name, value]) => `${name}=${this.#chance.hits(0.9) ? encodeURIComponent(value) : value}`)
      .join("&").replace(/[\0-\x20\x7f-\uffff#]/g, "_");
  }

  #pair(): [string, string] {
    const name = this.#chance.pick(NAMES);
    const value = name === "callbackUrl" ? this.#target() : this.#text();
    return [name, value.isWellFormed() ? value : "\ufffd"];
  }

  #target(): string {
    return this.#chance.hits(0.3) ? this.#chance.pick(["/", "/cart", "/auth/signout"]) : this.#chance.pick(SEEDS);
  }

  #text(): string {
    const chance = this.#chance;
    if (chance.hits(0.2)) {
      const marker = `<m${chance.below(1e9)}>`;
      if (this.#markers.push(marker) > 50) this.#markers.shift();
      return marker;
    }
    return chance.hits(0.3) && this.#cookies.length > 0 ? chance.pick(this.#cookies)[1] : chance.pick(TEXTS);
  }

  #body(jar: CookieJar): string | Uint8Array<ArrayBuffer> {
    const chance = this.#chance;
    if (chance.hits(0.03)) return Uint8Array.of(0xff, 0xfe, 0x00, chance.below(256));
    if (chance.hits(0.25)) return chance.pick(BODIES);
    const csrfToken = this.#tokens.get(jar) ?? "";
    const pairs = [["csrfToken", csrfToken], ...Array.from({ length: chance.below(4) }, () => this.#pair())];
    if (chance.hits(0.3)) return JSON.stringify(Object.fromEntries(pairs));
    const text = String(new URLSearchParams(pairs as [string, string][]));
    return chance.hits(0.3) ? this.#spoil(text) : text;
  }

  #spoil(text: string): string {
    const chance = this.#chance;
    const at = chance.below(text.length + 1);
    switch (chance.below(6)) {
      case 0:
        return text.slice(0, at);
      case 1:
        return text.slice(0, at) + String.fromCharCode(33 + chance.below(90)) + text.slice(at + 1);
      case 2:
        return text + text;
      case 3:
        return text.slice(at) + text.slice(0, at);
      case 4:
        return text.toUpperCase();
      default:
        return text.slice(0, at) + text.slice(at + 1 + chance.below(8));
    }
  }

  #cookieHeader(jar: CookieJar, url: string): string | null {
    const chance = this.#chance;
    const own = URL.canParse(url) ? jar.headerFor(new URL(url), { sameSite: true, safe: true }) : null;
    if (chance.hits(0.5)) return own;
    const pairs = (own ?? "").split("; ").filter((pair) => pair).map((pair) => {
      const equals = pair.indexOf("=");
      return [pair.slice(0, equals), pair.slice(equals + 1)] as [string, string];
    });
    for (let changes = 1 + chance.below(3); changes > 0; changes--) this.#changeCookies(pairs);
    return pairs.map(([name, value]) => `${name}=${value}`).join("; ").replace(/[^\x20-\x7e]/g, "_").trim() || null;
  }

  #changeCookies(pairs: [string, string][]): void {
    const chance = this.#chance;
    const at = chance.below(pairs.length);
    const pair = pairs[at];
    const known = this.#cookies.length > 0 ? chance.pick(this.#cookies) : null;
    switch (chance.below(9)) {
      case 0: // another's value under this name
        if (pair && known) pair[1] = known[1];
        break;
      case 1:
        if (pair) pair[1] = this.#spoil(pair[1]);
        break;
      case 2:
        if (pair) pairs.push([pair[0], pair[1]]);
        break;
      case 3:
        if (pair) pairs.splice(at, 1);
        break;
      case 4:
        if (known) pairs.push([...known]);
        break;
      case 5: { // chunks that nobody made
        if (!pair) break;
        const half = Math.ceil(pair[1].length / 2);
        pairs.splice(at, 1, [`${pair[0]}.0`, pair[1].slice(0, half)], [`${pair[0]}.1`, pair[1].slice(half)]);
        break;
      }
      case 6:
        if (pair) pair[1] = chance.pick(TEXTS);
        break;
      case 7:
        pairs.push([chance.pick(["__proto__", "authjs.state.x", "__Secure-authjs.state.%", "a".repeat(99), ""]), "x"]);
        break;
      default:
        if (pair) pair[0] = this.#spoil(pair[0]);
    }
  }

  async #send(arena: Arena, jar: CookieJar, shot: Shot): Promise<void> {
    const request = requestOf(shot);
    if (!request) return; // what no server would have let through
    this.tally.shots++;
    arena.errors.length = 0;
    const response = await arena.site(request);
    const body = await response.text();
    try {
      this.#judge(arena, request, response, body);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${reproduction(arena, shot)}`, { cause: error });
    }
    const url = new URL(shot.url);
    this.#learn(jar, url, response, body);
    arena.storedSignIns?.learn(jar, url, arena.basePath, body);
  }

  #judge({ leads, errors }: Arena, request: Request, response: Response, body: string): void {
    const { statuses } = this.tally;
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const url = new URL(request.url);
    // The error page for a fault of the server has the status of one.
    const asked = url.searchParams.get("error") === "Configuration" && url.pathname.endsWith("/error");
    // A proxy that says https makes an answer for https.
    const spoken = new URL(url);
    if (request.headers.get("x-forwarded-proto") === "https") spoken.protocol = "https:";
    assertResponseRules(response, { url: spoken, byService: true, mayFail: asked });
    const location = response.headers.get("location");
    if (location !== null) {
      const { origin, host, username, password } = new URL(location);
      // The services trust a proxy that names their host.
      const named = host === request.headers.get("x-forwarded-host") || host === url.host;
      assert.ok(leads.has(origin) || named, `it leads to ${location}`);
      assert.equal(username + password, "");
    }
    const told = body + errors.map((error) => `${error.message} ${JSON.stringify(error.cause)} ${error.stack}`).join();
    const leak = leakIn(body, [...Object.values(CANARIES), SECRET]) ??
      leakIn(told, [CANARIES.client, CANARIES.access, CANARIES.refresh, SECRET]);
    assert.equal(leak, undefined, "it tells a secret");
    for (const marker of this.#markers) assert.ok(!body.includes(marker), `it repeats ${marker}`);
    assert.equal(({} as Record<string, unknown>).polluted, undefined, "objects are polluted");
    const unforeseen = errors.find(({ message }) => /unexpectedly|Cannot write/.test(message));
    assert.equal(unforeseen, undefined, "it met what nobody foresaw");
  }

  #learn(jar: CookieJar, url: URL, response: Response, body: string): void {
    for (const header of response.headers.getSetCookie()) {
      jar.store(header, url);
      const [pair = ""] = header.split(";");
      const equals = pair.indexOf("=");
      const value = pair.slice(equals + 1);
      if (!value) continue;
      if (this.#cookies.push([pair.slice(0, equals), value]) > 100) this.#cookies.shift();
      if (!/session-token(?:\.0)?=/.test(pair)) continue;
      this.tally.entered++;
      if (/\/callback\/(?:idp|plain|posting|linking)$/.test(url.pathname)) this.tally.vouched++;
    }
    const location = response.headers.get("location") ?? "";
    if (location.startsWith("https://idp.test/authorize")) {
      const answers = this.#answers.get(jar) ?? [];
      this.#answers.set(jar, [...answers.slice(-4), location]);
    }
    const [, token] = /"csrfToken":"([0-9a-f]{64})"/.exec(body) ?? [];
    if (token) this.#tokens.set(jar, token);
  }
}

function requestOf({ method, url, headers, body }: Shot): Request | null {
  try {
    return new Request(url, { method, headers: headers as [string, string][], redirect: "manual", body });
  } catch {
    return null;
  }
}

function reproduction({ name }: Arena, { method, url, headers, body }: Shot): string {
  const sent = typeof body === "string" ? JSON.stringify(body.slice(0, 2000)) : String(body);
  return `at the service "${name}":\nnew Request(${JSON.stringify(url)}, {\n  method: "${method}",\n` +
    `  headers: ${JSON.stringify(headers)},\n  body: ${sent},\n})`;
}

/** Makes so many requests of a seed, and tells of them. */
export async function fuzz(seed: number, requests: number): Promise<Tally> {
  const fuzzer = new Fuzzer(chanceOf(seed), openArenas());
  try {
    for (let shots = 1; fuzzer.tally.shots < requests; shots++) {
      await fuzzer.shoot();
      if (shots % 10_000 === 0) fuzzer.renew();
    }
    await fuzzer.assertEverybodySignsIn();
  } catch (error) {
    throw new Error(`after ${fuzzer.tally.shots} requests of the seed ${seed}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return fuzzer.tally;
}
