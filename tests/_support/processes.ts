/**
 * Processes of one service: they share storage and a clock, and nothing else. Browsers that come to any of them.
 *
 * @module
 */
import { type Adapter, type AuthConfig, type CompleteAdapter, type Session, skipCSRFCheck } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { createSealer } from "../../src/crypto/seal.ts";
import { createEngine } from "../../src/service/engine.ts";
import type { AuthFunction } from "../../src/contract/handler.ts";
import { authFunction } from "../../src/service/guard.ts";
import { respond } from "../../src/service/respond.ts";
import { type AuthSessions, sessionFunctions } from "../../src/service/session_actions.ts";
import { endSessions, type ProviderFilter } from "../../src/session/end.ts";
import { password, recordLog, SECRET } from "./service.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";

/** The name of the session cookie. */
export const COOKIE = "authjs.session-token";

export const HOME = "http://localhost:3000";

/** Cookies of a browser by name. Copy the map, and somebody has stolen them. */
export type Cookies = Map<string, string>;

/** One process of the service. */
export interface Process {
  readonly auth: AuthFunction;
  readonly sessions: AuthSessions;
  /** The calls of storage so far. */
  readonly calls: string[];
  readonly errors: Error[];
  /** Ends sessions as a provider demands it. */
  endSessions(filter: ProviderFilter): Promise<number>;
  /** Answers a request, and the browser keeps the cookies. */
  send(cookies: Cookies, path: string, fields?: Readonly<Record<string, string>>): Promise<Response>;
  /** Signs in as a user with this id. */
  signIn(cookies: Cookies, id: string): Promise<void>;
  /** Reads the session as a page does. */
  read(cookies: Cookies): Promise<Session | null>;
  signOut(cookies: Cookies): Promise<void>;
  /** The request of a browser, sent by a page of the service. */
  requestOf(cookies: Cookies): Request;
}

export interface World {
  readonly storage: CompleteAdapter;
  readonly runtime: TestRuntime;
  open(config?: AuthConfig): Process;
  /** Seals claims as Auth.js does, or a version that stored no rows. */
  sealBefore(claims: Readonly<Record<string, unknown>>): Promise<Cookies>;
  /** Opens the token of a browser. */
  claimsOf(cookies: Cookies): Promise<Readonly<Record<string, unknown>> | null>;
}

/** Makes a service whose processes are opened one by one. */
export function openWorld(): World {
  const runtime = testRuntime();
  const storage = memoryAdapter({ now: runtime.now });
  const sealer = createSealer([SECRET], runtime);
  return {
    storage,
    runtime,
    open: (config = {}) => openProcess(storage, runtime, config),
    sealBefore: async (claims) => {
      return new Map([[COOKIE, await sealer.seal(claims, { salt: COOKIE, maxAge: 30 * 24 * 3600 })]]);
    },
    claimsOf: (cookies) => sealer.open(cookies.get(COOKIE) ?? "", COOKIE),
  };
}

function openProcess(storage: CompleteAdapter, runtime: TestRuntime, config: AuthConfig): Process {
  const calls: string[] = [];
  const { logger, errors } = recordLog();
  const given: Adapter = config.adapter ?? storage;
  const engine = createEngine({
    secret: SECRET,
    trustHost: true,
    skipCSRFCheck,
    logger,
    // Whoever types an id is that user.
    providers: [password({ authorize: ({ username }) => ({ id: String(username), name: String(username) }) })],
    ...config,
    adapter: counting(given, calls),
    session: { strategy: "jwt", ...config.session },
  }, runtime);

  async function send(cookies: Cookies, path: string, fields?: Readonly<Record<string, string>>): Promise<Response> {
    const response = await respond(await engine.run(requestFor(cookies, path, fields)));
    keep(cookies, response);
    return response;
  }

  return {
    auth: authFunction(engine),
    calls,
    errors,
    sessions: sessionFunctions(engine),
    endSessions: async (filter) => (await engine.runWithoutRequest((config) => endSessions(config, filter))).ended,
    send,
    async signIn(cookies, id) {
      await send(cookies, "/auth/callback/credentials", { username: id, password: "lovelace" });
    },
    async read(cookies) {
      return await (await send(cookies, "/auth/session")).json();
    },
    async signOut(cookies) {
      await send(cookies, "/auth/signout", {});
    },
    requestOf: (cookies) => requestFor(cookies, "/settings", {}),
  };
}

function requestFor(cookies: Cookies, path: string, fields?: Readonly<Record<string, string>>): Request {
  const headers = {
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    ...(fields && { origin: HOME, "content-type": "application/x-www-form-urlencoded" }),
  };
  return new Request(HOME + path, {
    headers,
    ...(fields && { method: "POST", body: new URLSearchParams(fields).toString() }),
  });
}

function keep(cookies: Cookies, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/;\s*max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** The same operations in another object, as another process has it. */
function counting(adapter: Adapter, calls: string[]): Adapter {
  return Object.fromEntries(
    Object.entries(adapter).map(([name, operation]) => [name, (...args: readonly unknown[]) => {
      calls.push(name);
      return (operation as (...args: readonly unknown[]) => unknown)(...args);
    }]),
  );
}
