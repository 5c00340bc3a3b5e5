// deno-lint-ignore-file no-console -- where there is no configuration, the console is the log
/** Code of the application that fails in every way there is: the answer is safe, in time and logged once. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { AuthConfig, AuthConfigSource, Logger, OidcProvider, Profile, ProviderInput } from "@x/auth";
import { authFunction } from "../../src/service/guard.ts";
import { createEngine } from "../../src/service/engine.ts";
import { Browser, type Site } from "../_support/browser.ts";
import {
  CONFIG_LIMIT,
  type FaultRuntime,
  faultRuntime,
  LIMITS,
  pause,
  ruin,
  serve,
  soon,
  structureOf,
  until,
  watch,
  watchProcess,
} from "../_support/faults.ts";
import { createIssuer, type Issuer } from "../_support/issuer.ts";
import { ADA, password, recordLog, SECRET } from "../_support/service.ts";
import { countRows } from "./_service.ts";

watchProcess();
const rows = countRows("faults of the application");

type Run = (honest: () => unknown, args: readonly unknown[]) => unknown;

/** One way in which a function fails. */
interface Fault {
  readonly name: string;
  /** What comes of it: an error, a value, nothing for ever, or what an honest one gives. */
  readonly kind: "throws" | "gives" | "hangs" | "honest";
  readonly run: Run;
}

const UNREADABLE = Object.freeze({
  get message(): string {
    throw new Error("unreadable");
  },
  get stack(): string {
    throw new Error("unreadable");
  },
});

class Unspeakable extends Error {
  override get message(): string {
    throw new Error("unspeakable");
  }
}

const cyclicError = new Error("cyclic");
cyclicError.cause = cyclicError;

const THROWN: Readonly<Record<string, unknown>> = {
  "an error": new Error("mine"),
  "a frozen error": Object.freeze(new TypeError("mine")),
  "an error that is its own cause": cyclicError,
  "an error whose message throws": new Unspeakable(),
  "an error whose name is a number": Object.assign(new Error("mine"), { name: 7 }),
  "a text": "mine",
  "null": null,
  "nothing": undefined,
  "an object that cannot be read": UNREADABLE,
};

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

interface Cycle {
  self?: Cycle;
}

function cycle(): Cycle {
  const made: Cycle = {};
  return made.self = made;
}

const JUNK: Readonly<Record<string, () => unknown>> = {
  "undefined": () => undefined,
  "null": () => null,
  "an empty text": () => "",
  "0": () => 0,
  "1": () => 1,
  "false": () => false,
  "an empty list": () => [],
  "a list": () => [{ id: "1", name: "Ada" }],
  "an empty object": () => ({}),
  "a symbol": () => Symbol("x"),
  "a bigint": () => 1n,
  "a function": () => () => true,
  "a revoked proxy": revoked,
  "a cyclic object": cycle,
  "a text of 10 MB": () => "x".repeat(10_000_000),
  "an invalid date": () => new Date(NaN),
  "a thenable that gives undefined and then what is right": () => ({
    then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
      resolve(undefined);
      resolve(true);
      reject(new Error("too late"));
    },
  }),
};

/** Settles the promises that came too late. */
const late: (() => void)[] = [];

const FAULTS: readonly Fault[] = [
  ...Object.entries(THROWN).flatMap(([name, thrown]): Fault[] => [
    {
      name: `throws ${name}`,
      kind: "throws",
      run: () => {
        throw thrown;
      },
    },
    { name: `rejects with ${name}`, kind: "throws", run: () => Promise.reject(thrown) },
  ]),
  ...Object.entries(JUNK).map(([name, make]): Fault => ({ name, kind: "gives", run: make })),
  { name: "never settles", kind: "hangs", run: () => new Promise(() => {}) },
  { name: "gives a thenable that never settles", kind: "hangs", run: () => ({ then: () => {} }) },
  {
    name: "rejects too late",
    kind: "hangs",
    run: () => new Promise((_, reject) => late.push(() => reject(new Error("too late")))),
  },
  {
    name: "gives what is right too late",
    kind: "hangs",
    run: (honest) => new Promise((resolve) => late.push(() => resolve(honest()))),
  },
  { name: "takes a moment", kind: "honest", run: (honest) => pause(2).then(honest) },
  {
    name: "gives a thenable that settles twice",
    kind: "honest",
    run: (honest) => ({
      then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
        resolve(honest());
        resolve(undefined);
        reject(new Error("too late"));
      },
    }),
  },
  {
    name: "ruins what it was given",
    kind: "honest",
    run: async (honest, args) => {
      const answer = await honest();
      for (const given of args) ruin(given);
      return answer;
    },
  },
  { name: "calls back into the service", kind: "honest", run: (honest) => callBack().then(honest) },
];

let callBack = (): Promise<unknown> => Promise.resolve();

/** A function of the application that is honest until a fault is put in. */
class Trap {
  fault: Fault | null = null;
  calls = 0;

  around<A extends unknown[], R>(honest: (...args: A) => R): (...args: A) => R {
    return (...args) => {
      const { fault } = this;
      if (!fault) return honest(...args);
      this.calls++;
      // Faults do not nest: what a fault calls is honest.
      this.fault = null;
      try {
        return fault.run(() => honest(...args), args) as R;
      } finally {
        this.fault = fault;
      }
    };
  }
}

/** What one row works with. */
interface World {
  readonly issuer: Issuer;
  readonly runtime: FaultRuntime;
  readonly source: AuthConfigSource;
  readonly site: Site;
  /** The names of the errors that were logged. */
  readonly errors: readonly string[];
}

type Act = (browser: Browser, world: World) => Promise<string>;

/** What a row is held to. */
interface Expected {
  /** What the act answers. */
  readonly answer: string;
  /** Whether somebody is signed in afterwards. */
  readonly in: boolean;
  readonly errors: readonly string[];
}

interface Slot {
  readonly name: string;
  readonly config: (trap: Trap, issuer: Issuer) => AuthConfig | (() => AuthConfig);
  readonly act: Act;
  /** Seconds until what hangs is given up. */
  readonly limit: number;
  readonly honest: Expected;
  readonly throws: Expected;
  readonly hangs: Expected;
  /** What comes of a value, by its name; anything else is `junk`. */
  readonly junk: Expected;
  readonly gives?: Readonly<Record<string, Expected>>;
  /** Faults that say nothing here. */
  readonly skip?: readonly string[];
  /** Whether ruined arguments may show in the rest of this request. */
  readonly shares?: boolean;
  /** Whether somebody is signed in before. */
  readonly signedIn?: boolean;
  /** Whether it takes a new service to recover. */
  readonly fatal?: boolean;
}

// The acts.

function pathOf(response: Response): string {
  const url = new URL(response.headers.get("location") ?? "about:blank");
  return url.pathname + url.search;
}

const byPassword: Act = async (browser) => {
  const csrfToken = await browser.csrf();
  return pathOf(await browser.post("/auth/callback/credentials", { ...ADA, csrfToken, callbackUrl: "/cart" }));
};

const byWrongPassword: Act = async (browser) => {
  const csrfToken = await browser.csrf();
  return pathOf(await browser.post("/auth/callback/credentials", { username: "eve", csrfToken }));
};

const byProvider: Act = async (browser, { issuer }) => {
  const csrfToken = await browser.csrf();
  const started = await browser.post("/auth/signin/idp", { csrfToken, callbackUrl: "/cart" });
  const location = started.headers.get("location") ?? "";
  if (!location.startsWith(issuer.url)) return pathOf(started);
  const { redirectUri, params } = await issuer.consent(location);
  return pathOf(await browser.get(`${new URL(redirectUri).pathname}?${params}`));
};

const read: Act = async (browser) => {
  const response = await browser.get("/auth/session");
  const body = await response.json();
  return `${response.status} ${body?.user?.name ?? JSON.stringify(body)}`;
};

const signOut: Act = async (browser) => {
  const csrfToken = await browser.csrf();
  return pathOf(await browser.post("/auth/signout", { csrfToken, callbackUrl: "/bye" }));
};

const openSignIn: Act = async (browser) => {
  const response = await browser.get("/auth/signin?callbackUrl=/cart");
  const target = /name="callbackUrl" value="([^"]*)"/.exec(await response.text())?.[1];
  return `${response.status} ${response.headers.get("location") ?? target}`;
};

const enter: Act = async (browser, { source, runtime }) => {
  const engine = createEngine(source, runtime);
  const guarded = authFunction(engine)((_request, session) => new Response(`inside: ${session?.user?.name}`));
  const url = new URL("/members", browser.origin);
  const cookie = browser.cookies.headerFor(url, { sameSite: true, safe: true }) ?? "";
  const response = await guarded(new Request(url, { headers: { cookie } }));
  const location = response.headers.get("location");
  return `${response.status} ${location ?? await response.text()}`;
};

// The slots.

function idp(issuer: Issuer, overrides: Partial<OidcProvider> = {}): OidcProvider {
  return issuer.provider({ checks: ["pkce", "state"], ...overrides });
}

const CONFIGURATION = "/auth/error?error=Configuration";
const refused = (...errors: string[]): Expected => ({ answer: CONFIGURATION, in: false, errors });
const entered: Expected = { answer: "/cart", in: true, errors: [] };
const denied: Expected = { answer: "/auth/error?error=AccessDenied", in: false, errors: ["AccessDenied"] };
const timedOut = refused("Timeout");
const provided = refused("OAuthProviderError");
const unnamed = refused("OAuthProfileParseError");

const signInSlot = {
  config: (trap: Trap, issuer: Issuer): AuthConfig => ({
    providers: [password(), idp(issuer)],
    callbacks: { signIn: trap.around(() => true) },
  }),
  limit: LIMITS.total,
  honest: entered,
  throws: denied,
  hangs: timedOut,
  junk: denied,
  // Any text leads somewhere instead, and what leads nowhere leads home.
  gives: { "a text of 10 MB": { answer: "/", in: false, errors: [] } },
  shares: true,
};

const reading: Omit<Slot, "name" | "config"> = {
  act: read,
  limit: LIMITS.total,
  signedIn: true,
  honest: { answer: "200 Ada Lovelace", in: true, errors: [] },
  throws: { answer: "200 null", in: true, errors: ["JWTSessionError"] },
  junk: { answer: "200 null", in: true, errors: ["JWTSessionError"] },
  hangs: { answer: '503 {"message":"Try again later"}', in: true, errors: ["Timeout"] },
};

const ended: Expected = { answer: "200 null", in: false, errors: [] };
const nameless: Expected = { answer: "200 nobody", in: true, errors: [] };

function told(name: "signIn" | "signOut" | "session", act: Act, honest: Expected): Slot {
  const failed = { ...honest, errors: ["EventError"] };
  return {
    name: `events.${name}`,
    config: (trap) => ({ events: { [name]: trap.around(() => {}) } }),
    act,
    limit: LIMITS.event,
    signedIn: act !== byPassword,
    honest,
    throws: failed,
    hangs: failed,
    junk: honest,
    gives: { "a revoked proxy": failed },
  };
}

function written(name: keyof Logger, act: Act, honest: Expected, config: AuthConfig = {}): Slot {
  return {
    name: `logger.${name}`,
    config: (trap) => ({ debug: true, ...config, logger: { ...SILENT, [name]: trap.around(() => {}) } }),
    act,
    limit: 0,
    honest,
    throws: honest,
    hangs: honest,
    junk: honest,
  };
}

const SILENT: Logger = { error: () => {}, warn: () => {}, debug: () => {} };

const TENANT = "https://idp.test/t1/v2.0";

const codec = {
  encode: (token: unknown): string => Buffer.from(JSON.stringify(token)).toString("base64url"),
  decode: (text: string | undefined) => JSON.parse(Buffer.from(text ?? "", "base64url").toString()),
};

const broken: Expected = {
  answer: '500 {"message":"There is a problem with the server configuration. The server\'s log tells more."}',
  in: false,
  errors: ["InvalidConfig"],
};

const withoutSecret: Expected = { ...broken, errors: ["MissingSecret"] };

function sealedBy(jwt: AuthConfig["jwt"]): AuthConfig {
  return { jwt: { encode: ({ token }) => codec.encode(token), decode: ({ token }) => codec.decode(token), ...jwt } };
}

const SLOTS: readonly Slot[] = [
  { name: "callbacks.signIn, by a password,", act: byPassword, ...signInSlot },
  { name: "callbacks.signIn, by a provider,", act: byProvider, ...signInSlot },
  {
    name: "callbacks.redirect",
    config: (trap) => ({
      callbacks: { redirect: trap.around(({ url, baseUrl }: { url: string; baseUrl: string }) => baseUrl + url) },
    }),
    act: byPassword,
    limit: LIMITS.total,
    honest: entered,
    throws: { answer: "/", in: true, errors: ["CallbackRouteError"] },
    hangs: timedOut,
    junk: { answer: "/", in: true, errors: [] },
    gives: { "a revoked proxy": { answer: "/", in: true, errors: ["CallbackRouteError"] } },
  },
  {
    name: "callbacks.redirect, on a page,",
    config: (trap) => ({
      callbacks: { redirect: trap.around(({ url, baseUrl }: { url: string; baseUrl: string }) => baseUrl + url) },
    }),
    act: openSignIn,
    limit: LIMITS.total,
    honest: { answer: "200 http://localhost:3000/cart", in: false, errors: [] },
    throws: { answer: "200 http://localhost:3000/", in: false, errors: ["CallbackRouteError"] },
    hangs: { answer: `302 http://localhost:3000${CONFIGURATION}`, in: false, errors: ["Timeout"] },
    junk: { answer: "200 http://localhost:3000/", in: false, errors: [] },
    gives: { "a revoked proxy": { answer: "200 http://localhost:3000/", in: false, errors: ["CallbackRouteError"] } },
  },
  {
    name: "callbacks.jwt, at a sign-in,",
    config: (trap) => ({ callbacks: { jwt: trap.around(({ token }) => structuredClone(token)) } }),
    act: byPassword,
    limit: LIMITS.total,
    honest: entered,
    throws: refused("CallbackRouteError"),
    hangs: timedOut,
    junk: refused("CallbackRouteError"),
    gives: {
      "null": { ...entered, in: false },
      "an empty object": entered,
      "an invalid date": entered,
    },
  },
  {
    name: "callbacks.jwt, at a read,",
    config: (trap) => ({ callbacks: { jwt: trap.around(({ token }) => structuredClone(token)) } }),
    ...reading,
    gives: { "null": ended, "an empty object": nameless, "an invalid date": nameless },
  },
  {
    name: "callbacks.session",
    config: (trap) => ({ callbacks: { session: trap.around(({ session }) => structuredClone(session)) } }),
    ...reading,
    gives: { "an empty object": { answer: "200 {}", in: true, errors: [] } },
  },
  {
    name: "callbacks.authorized",
    config: (trap) => ({ callbacks: { authorized: trap.around(() => true) } }),
    act: enter,
    limit: LIMITS.total,
    signedIn: true,
    honest: { answer: "200 inside: Ada Lovelace", in: true, errors: [] },
    throws: { answer: '503 {"message":"Try again later"}', in: true, errors: ["CallbackRouteError"] },
    hangs: { answer: '503 {"message":"Try again later"}', in: true, errors: ["Timeout"] },
    junk: {
      answer: "302 http://localhost:3000/auth/signin?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fmembers",
      in: true,
      errors: [],
    },
    gives: {
      "a revoked proxy": { answer: '503 {"message":"Try again later"}', in: true, errors: ["CallbackRouteError"] },
    },
    shares: true,
  },
  {
    name: "authorize",
    config: (trap) => ({
      providers: [password({ authorize: trap.around(() => ({ id: "1", name: "Ada Lovelace" })) })],
    }),
    act: byPassword,
    limit: LIMITS.authorize,
    honest: entered,
    throws: refused("CallbackRouteError"),
    hangs: timedOut,
    junk: {
      answer: "/auth/signin?error=CredentialsSignin&code=credentials",
      in: false,
      errors: ["CredentialsSignin"],
    },
    gives: { "a revoked proxy": refused("CallbackRouteError") },
  },
  told("signIn", byPassword, entered),
  told("session", read, { answer: "200 Ada Lovelace", in: true, errors: [] }),
  told("signOut", signOut, { answer: "/bye", in: false, errors: [] }),
  written("error", byPassword, entered, {
    events: {
      signIn: () => {
        throw new Error("an event");
      },
    },
  }),
  written("warn", byPassword, entered),
  written("warn", byWrongPassword, {
    answer: "/auth/signin?error=CredentialsSignin&code=credentials",
    in: false,
    errors: [],
  }),
  written("debug", byPassword, entered),
  {
    name: "profile",
    config: (trap, issuer) => ({
      providers: [
        password(),
        idp(issuer, { profile: trap.around(({ sub, name }: Profile) => ({ id: sub ?? undefined, name })) }),
      ],
    }),
    act: byProvider,
    limit: LIMITS.request,
    honest: entered,
    throws: unnamed,
    hangs: unnamed,
    junk: unnamed,
    shares: true,
  },
  {
    name: "an authorization handler",
    config: (trap, issuer) => ({
      providers: [
        password(),
        idp(issuer, { authorization: trap.around(({ params }) => `${issuer.url}/authorize?${params}`) }),
      ],
    }),
    act: byProvider,
    limit: LIMITS.request,
    honest: entered,
    throws: provided,
    hangs: timedOut,
    junk: provided,
  },
  {
    name: "a token handler",
    config: (trap, issuer) => ({
      providers: [
        password(),
        idp(issuer, {
          token: trap.around(async ({ fetch, params, checks, provider }) => {
            const body = new URLSearchParams({
              code: params.get("code") ?? "",
              code_verifier: checks.code_verifier ?? "",
              redirect_uri: provider.callbackUrl,
            });
            return await (await fetch(`${issuer.url}/token`, { method: "POST", body })).json();
          }),
        }),
      ],
    }),
    act: byProvider,
    limit: LIMITS.request,
    honest: entered,
    throws: provided,
    hangs: provided,
    junk: provided,
  },
  {
    name: "a userinfo handler",
    config: (trap, issuer) => ({
      providers: [
        password(),
        idp(issuer, { idToken: false, userinfo: trap.around(() => ({ sub: "ada-1", name: "Ada Lovelace" })) }),
      ],
    }),
    act: byProvider,
    limit: LIMITS.request,
    honest: entered,
    throws: provided,
    hangs: provided,
    junk: provided,
    gives: { "an empty object": unnamed, "a cyclic object": unnamed, "an invalid date": unnamed },
    shares: true,
  },
  {
    name: "token.conform",
    config: (trap, issuer) => ({
      providers: [
        password(),
        idp(issuer, { token: { url: `${issuer.url}/token`, conform: trap.around(() => undefined) } }),
      ],
    }),
    act: byProvider,
    limit: LIMITS.request,
    honest: entered,
    throws: provided,
    hangs: provided,
    junk: provided,
    gives: {
      "undefined": entered,
      "null": entered,
      "a thenable that gives undefined and then what is right": entered,
    },
  },
  {
    name: "expectedIssuer",
    config: (trap, issuer) => {
      issuer.claim({ tid: "t1", iss: TENANT });
      issuer.override("discovery", async (_request, honest) => {
        return Response.json({ ...await (await honest()).json(), issuer: "https://idp.test/{tenantid}/v2.0" });
      });
      return {
        providers: [
          password(),
          idp(issuer, { expectedIssuer: trap.around(({ tid }) => `https://idp.test/${tid}/v2.0`) }),
        ],
      };
    },
    act: byProvider,
    limit: LIMITS.total,
    honest: entered,
    throws: provided,
    hangs: timedOut,
    junk: provided,
  },
  {
    name: "jwt.encode",
    config: (trap) => sealedBy({ encode: trap.around(({ token }) => codec.encode(token)) }),
    act: byPassword,
    limit: LIMITS.total,
    honest: entered,
    throws: refused("CallbackRouteError"),
    hangs: timedOut,
    junk: refused("CallbackRouteError"),
  },
  {
    name: "jwt.decode",
    config: (trap) => sealedBy({ decode: trap.around(({ token }) => codec.decode(token)) }),
    ...reading,
    gives: {
      "undefined": ended,
      "null": ended,
      "a thenable that gives undefined and then what is right": ended,
      "an empty object": ended,
    },
    // A date has no claims, and the codec of this test writes it as `null`.
    skip: ["an invalid date"],
  },
  {
    name: "a function that configures",
    config: (trap) => trap.around(() => ({ secret: SECRET, trustHost: true, providers: [password()] })),
    act: read,
    limit: CONFIG_LIMIT,
    honest: { answer: "200 null", in: false, errors: [] },
    throws: broken,
    hangs: broken,
    junk: broken,
    gives: Object.fromEntries(
      ["an empty object", "a cyclic object", "an invalid date"].map((name) => [name, withoutSecret]),
    ),
  },
  {
    name: "a factory of providers",
    config: (trap) => ({ providers: [trap.around(() => password()) as ProviderInput] }),
    act: read,
    limit: 0,
    // The provider is left out, with a warning, and the service goes on without it.
    honest: { answer: "200 null", in: false, errors: [] },
    throws: { answer: "200 null", in: false, errors: [] },
    hangs: { answer: "200 null", in: false, errors: [] },
    junk: { answer: "200 null", in: false, errors: [] },
    // Nobody waits for a factory, so whatever comes later comes too late.
    skip: [
      "takes a moment",
      "gives a thenable that settles twice",
      "ruins what it was given",
      "calls back into the service",
      "a text of 10 MB",
    ],
    fatal: true,
  },
];

function expectedOf(slot: Slot, { kind, name }: Fault): Expected {
  switch (kind) {
    case "throws":
      return slot.throws;
    case "hangs":
      return slot.hangs;
    case "honest":
      return slot.honest;
    case "gives": {
      const same = name.startsWith("a thenable that gives undefined")
        ? slot.gives?.[name] ?? slot.gives?.undefined
        : undefined;
      return same ?? slot.gives?.[name] ?? slot.junk;
    }
    default:
      return kind satisfies never;
  }
}

function openWorld(slot: Slot, trap: Trap): World {
  const { logger, errors } = recordLog();
  const now = (): number => runtime.now() / 1000;
  const issuer = createIssuer({ now, metadata: { id_token_signing_alg_values_supported: ["ES256"] } });
  issuer.rotate("ES256"); // signs faster
  const runtime = faultRuntime(issuer.fetch);
  const config = slot.config(trap, issuer);
  const source: AuthConfigSource = typeof config === "function" ? config : {
    secret: SECRET,
    trustHost: true,
    providers: [password()],
    logger,
    timeouts: LIMITS,
    ...config,
  };
  return {
    issuer,
    runtime,
    source,
    site: serve(source, runtime),
    get errors() {
      return [...errors.map(nameOf), ...printed];
    },
  };
}

function nameOf(error: Error & { type?: string }): string {
  return error.type ?? "Error";
}

// Where there is no configuration the console is the log.
const printed: string[] = [];
const TYPES: Readonly<Record<string, string>> = {
  "config-missing": "InvalidConfig",
  "config-unresolved": "InvalidConfig",
  "missing-secret": "MissingSecret",
};
const print = console.error;
before(() => {
  console.error = (line: unknown) => {
    const [, code = ""] = /^\[auth\]\[error\] ([\w-]+)/.exec(String(line)) ?? [];
    if (code) printed.push(TYPES[code] ?? code);
  };
});
after(() => {
  console.error = print;
});

async function assertRow(slot: Slot, fault: Fault): Promise<void> {
  printed.length = 0;
  const trap = new Trap();
  const world = openWorld(slot, trap);
  const { source, runtime, site } = world;
  const ada = new Browser(site, { mayFail: true });
  if (slot.signedIn) await soon(byPassword(ada, world), "signing in");
  const structure = structureOf(source);
  const quiet = world.errors.length;
  callBack = async () => {
    await pause();
    trap.fault = null;
    const url = new URL("/auth/session", ada.origin);
    const cookie = ada.cookies.headerFor(url, { sameSite: true, safe: true }) ?? "";
    await (await site(new Request(url, { headers: { cookie } }))).text();
  };

  const expected = expectedOf(slot, fault);
  trap.fault = fault;
  const act = watch(slot.act(ada, world));
  if (fault.kind === "hangs" && slot.limit > 0) {
    await until(() => trap.calls > 0, "a call");
    await pause(5);
    assert.equal(act.settled, false, "it is waited for");
    runtime.elapse(slot.limit);
  }
  const answer = await soon(act.value, "the answer");
  assert.ok(trap.calls > 0, "the function was called");
  trap.fault = null;
  assert.deepEqual(world.errors.slice(quiet), expected.errors);
  const ruined = slot.shares && fault.name === "ruins what it was given";
  if (!ruined) {
    assert.equal(answer, expected.answer.replace("nobody", answer.startsWith("200 {") ? answer.slice(4) : ""));
  }
  for (const settle of late.splice(0)) settle();
  await pause();
  // What comes too late may still be told: that it failed, or that it found the answer given.
  const told = world.errors.slice(quiet);
  assert.ok(told.length <= expected.errors.length + Number(fault.name.endsWith("too late")), told.join());
  if (slot.fatal) return;
  const session = await ada.session();
  if (!ruined) assert.equal(session !== null, expected.in, JSON.stringify(session));

  // Everybody else is at ease, and so is whoever comes back.
  const act2 = slot.act === byProvider ? byProvider : byPassword;
  for (const browser of [new Browser(site), new Browser(site)]) {
    assert.equal(await soon(act2(browser, world), "signing in"), "/cart");
    assert.match((await browser.session())?.user?.name ?? "", /^Ada/);
  }
  assert.equal(await soon(act2(ada, world), "signing in again"), "/cart");
  assert.deepEqual(world.errors.slice(quiet), told);
  assert.deepEqual(structureOf(source), structure, "nobody changes the configuration");
  assert.equal(runtime.timers(), 0);
}

for (const slot of SLOTS) {
  for (const fault of FAULTS.filter(({ name }) => !slot.skip?.includes(name))) {
    const what = fault.kind === "gives" ? `gives ${fault.name}` : fault.name;
    test(`${slot.name} that ${what} does no harm`, async () => {
      await assertRow(slot, fault);
      rows();
    });
  }
}
