/** Sites where people sign in with passwords, and the people. */
import assert from "node:assert/strict";
import type { Adapter, AuthConfig } from "@x/auth";
import { password, type PasswordHash, type PasswordOptions, type PasswordStore } from "@x/auth/providers/password";
import { createEngine, type Engine, handlerOf } from "../../src/service/engine.ts";
import { type AuthPasswords, passwordFunctions } from "../../src/service/password_actions.ts";
import { Browser } from "./browser.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { recordLog, testConfig } from "./service.ts";

export const ADA = "ada@example.com";
export const BOB = "bob@example.com";

/** What Ada types. */
export const SECRET = "a pelican on a bicycle";

/** A hash that costs nothing, of which a test sees every comparison. `old:` is the format before this one. */
export function cheapHash(compared: string[] = []): PasswordHash {
  return {
    make: (text) => `new:${text.normalize("NFC")}`,
    verify(text, stored) {
      compared.push(stored);
      const [, format, of] = /^(new|old):(.*)$/s.exec(stored) ?? [];
      if (!format) throw new Error(`this is no hash: ${stored.length} characters`);
      if (of !== text.normalize("NFC")) return "no";
      return format === "old" ? "weak" : "yes";
    },
  };
}

/** A table of the application with hashes. */
export function hashTable(): PasswordStore & { readonly rows: Map<string, string> } {
  const rows = new Map<string, string>();
  return {
    rows,
    get: (userId) => rows.get(userId) ?? null,
    set(userId, hash, former) {
      if (former === undefined || rows.get(userId) === former) rows.set(userId, hash);
    },
    remove: (userId) => void rows.delete(userId),
  };
}

/** A site with passwords. */
export interface PasswordSite {
  readonly adapter: Adapter;
  readonly runtime: TestRuntime;
  readonly engine: Engine;
  readonly passwords: AuthPasswords;
  readonly errors: Error[];
  readonly warnings: string[];
  /** The hashes that were compared, in order. */
  readonly compared: string[];
  browser(): Browser;
  /** Stores a user, with a password if there is one. Gives their id. */
  join(email: string, text?: string | null, isProven?: boolean): Promise<string>;
  /** Posts the form as a script does. Gives the error, or `null` for who is signed in. */
  enter(browser: Browser, email: string, text: string): Promise<string | null>;
}

export interface PasswordSiteOptions extends AuthConfig {
  readonly adapter: Adapter;
  readonly password?: PasswordOptions;
  readonly runtime?: TestRuntime;
}

export function openPasswordSite(
  { password: options, runtime = testRuntime(), ...config }: PasswordSiteOptions,
): PasswordSite {
  const { adapter } = config;
  const { logger, errors, warnings } = recordLog();
  const compared: string[] = [];
  const engine = createEngine(
    testConfig({
      logger,
      mail: () => {},
      providers: [password({ hash: cheapHash(compared), ...options })],
      ...config,
      callbacks: { session: ({ session, auth }) => ({ ...session, auth }), ...config.callbacks },
    }),
    runtime,
  );
  const handler = handlerOf(engine);
  const passwords = passwordFunctions(engine);
  return {
    adapter,
    runtime,
    engine,
    passwords,
    errors,
    warnings,
    compared,
    browser: () => new Browser(handler, { mayFail: true }),
    async join(email, text = SECRET, isProven = true) {
      const emailVerified = isProven ? new Date(runtime.now()) : null;
      const user = await adapter.createUser?.({ id: crypto.randomUUID(), name: null, email, emailVerified });
      assert.ok(user);
      if (text !== null) await passwords.set(user.id, text);
      return user.id;
    },
    async enter(browser, email, text) {
      const answer = await browser.post("/auth/callback/password", {
        csrfToken: await browser.csrf(),
        email,
        password: text,
      }, { headers: { "x-auth-return-redirect": "1" } });
      const { url } = await answer.json() as { url: string };
      return new URL(url).searchParams.get("error");
    },
  };
}
