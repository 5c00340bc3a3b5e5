/** Builders for unit tests: good defaults, nothing shared between tests. */
import type { AuthConfig } from "../../src/contract/config.ts";
import { openContext, type RequestContext } from "../../src/request/context.ts";
import { type CookieOverrides, cookieSpecs } from "../../src/http/cookie_specs.ts";
import type { SetCookie } from "../../src/http/cookie_text.ts";
import { type CookieJar, openJar } from "../../src/http/cookies.ts";
import type { ResolvedConfig } from "../../src/config/resolve.ts";
import { resolveNow } from "../_support/resolved.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import { createJwtStore } from "../../src/session_stores/jwt_store.ts";
import { recordLog } from "../_support/service.ts";

export { type Log as TestLog, recordLog as testLog } from "../_support/service.ts";

export const SECRET = "a secret for tests of 32 characters or more";

/** When the clock of a test starts: 2026-01-01T00:00:00Z. */
export const START = Date.UTC(2026, 0, 1);

export interface TestRuntime extends Runtime {
  /** Moves the clock; timers that are due run. */
  advance(seconds: number): void;
  /** How many timers wait. */
  pending(): number;
}

/** A runtime whose clock moves only when told, with no environment and no network. */
export function testRuntime(env: Readonly<Record<string, string | undefined>> = {}): TestRuntime {
  let now = START;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    random: (bytes) => crypto.getRandomValues(bytes),
    fetch: () => Promise.reject(new Error("This test has no network")),
    env: (name) => env[name],
    timer(seconds, run) {
      const timer = { at: now + seconds * 1000, run };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
    advance(seconds) {
      now += seconds * 1000;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
    pending: () => timers.length,
  };
}

export interface JarOptions {
  readonly secure?: boolean;
  readonly overrides?: CookieOverrides;
}

/** A jar with these cookies. Text is taken as the whole header. */
export function jarWith(
  cookies: string | Readonly<Record<string, string>> = {},
  { secure = false, overrides = {} }: JarOptions = {},
): CookieJar {
  const header = typeof cookies === "string" ? cookies : headerOf(cookies);
  return openJar(header || null, cookieSpecs(secure, overrides));
}

/** The `Cookie` header a browser sends for these cookies. */
export function headerOf(cookies: Readonly<Record<string, string>>): string {
  return Object.entries(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("; ");
}

/** What a browser has after it was told of changes. */
export function keep(
  changes: readonly SetCookie[],
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = new Map(Object.entries(before));
  for (const { name, value, options } of changes) {
    if (options.maxAge === 0) kept.delete(name);
    else kept.set(name, value);
  }
  return Object.fromEntries(kept);
}

/** The names a jar sets, and those it removes. */
export function changed(jar: CookieJar): { readonly set: readonly string[]; readonly removed: readonly string[] } {
  const isRemoval = ({ options }: SetCookie) => options.maxAge === 0;
  const names = (cookies: readonly SetCookie[]) => cookies.map(({ name }) => name);
  return {
    set: names(jar.close().filter((cookie) => !isRemoval(cookie))),
    removed: names(jar.close().filter(isRemoval)),
  };
}

/** A configuration that works, resolved. */
export function testConfig(config: AuthConfig = {}, runtime: Runtime = testRuntime()): ResolvedConfig {
  return resolveNow(
    { secret: SECRET, trustHost: true, logger: recordLog().logger, ...config },
    runtime,
  );
}

export interface ContextOptions {
  readonly config?: ResolvedConfig;
  readonly cookies?: string | Readonly<Record<string, string>>;
  readonly init?: RequestInit;
}

/** The context of a request. */
export function testContext(
  url = "https://app.test/auth/session",
  { config = testConfig(), cookies = {}, init = {} }: ContextOptions = {},
): RequestContext {
  const headers = new Headers(init.headers);
  const cookie = typeof cookies === "string" ? cookies : headerOf(cookies);
  if (cookie) headers.set("cookie", cookie);
  const request = new Request(url, { ...init, headers });
  return openContext(request, new URL(url), { config, sessions: createJwtStore(config) });
}
