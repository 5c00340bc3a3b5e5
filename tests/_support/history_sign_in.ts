/**
 * Runs histories on `src/sign_in` directly, without HTTP, so that many thousands fit into a test. Who somebody is has been
 * found out already, by protocols that have tests of their own.
 *
 * @module
 */
import type { CompleteAdapter } from "@x/auth";
import { passkey } from "@x/auth/providers/passkey";
import { openContext, type RequestContext } from "../../src/request/context.ts";
import { AuthError } from "../../src/kernel/errors.ts";
import { asSameOriginUrl, type RedirectUrl } from "../../src/http/redirect_url.ts";
import type { SignInAttempt } from "../../src/sign_in/attempt.ts";
import { completeSignIn } from "../../src/sign_in/complete.ts";
import { findSessionUser, openSession } from "../../src/sign_in/current.ts";
import { vouchingFor } from "../../src/sign_in/vouching.ts";
import { resolveNow } from "./resolved.ts";
import { guardAdapter } from "../../src/storage/guard.ts";
import { createDatabaseStore } from "../../src/session_stores/database_store.ts";
import { createJwtStore } from "../../src/session_stores/jwt_store.ts";
import { createSealedRows } from "../../src/session_stores/sealed_rows.ts";
import { ownerOf } from "../../src/session_stores/session_store.ts";
import type { Scene, Stage } from "./histories.ts";
import { applicationOf } from "./history_application.ts";
import { type Act, type OracleOptions, personOf, sessionOptionsOf } from "./oracle_histories.ts";
import { testRuntime } from "./runtime.ts";
import { testConfig } from "./service.ts";

const HOME = "http://localhost:3000/";
const LINK_LIFETIME = 600_000;

/** A service over storage that histories may share, met where everybody has shown who they are. */
export function signInStage(adapterOf: () => CompleteAdapter, strategy: OracleOptions["strategy"]): Stage {
  return {
    strategy,
    demandsRecent: false,
    open: (name) => Promise.resolve(openTail({ adapter: adapterOf(), strategy, name })),
  };
}

interface TailOptions {
  readonly adapter: CompleteAdapter;
  readonly strategy: OracleOptions["strategy"];
  readonly name: string;
}

function openTail({ adapter, strategy, name }: TailOptions): Scene {
  const storage = guardAdapter(adapter);
  const runtime = testRuntime();
  const config = resolveNow(
    testConfig({ adapter, session: sessionOptionsOf(strategy), providers: [passkey()] }),
    runtime,
  );
  const rows = strategy === "jwt with rows" ? createSealedRows(config, storage) : null;
  const sessions = strategy === "database" ? createDatabaseStore(config, storage) : createJwtStore(config, rows);
  const browsers = Array.from({ length: 8 }, () => new Map<string, string>());
  const away = new Map<number, { readonly provider: string; readonly startedBy: string | null; readonly at: number }>();
  const asked = new Map<string, { readonly hash: string; readonly expires: Date }>();
  const passwords = new Map<number, { readonly id: string; readonly email?: string }>();
  const address = (email: string) => `${email}@${name}.test`;
  const target = asSameOriginUrl("/", HOME) as RedirectUrl;

  function contextAt(browser: number): RequestContext {
    const cookie = [...browsers[browser] ?? []].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(HOME, { headers: { cookie } });
    return openContext(request, new URL(HOME), { config, sessions });
  }

  async function complete(browser: number, attempt: SignInAttempt): Promise<void> {
    const ctx = contextAt(browser);
    try {
      await completeSignIn(ctx, attempt, target);
    } catch (error) {
      if (!(error instanceof AuthError) || error.family === "fault") throw error;
    }
    const cookies = browsers[browser];
    for (const { name, value, options } of ctx.cookies.close()) {
      if (options.maxAge === 0) cookies?.delete(name);
      else cookies?.set(name, value);
    }
  }

  /** Who the pages of the service take a browser for. */
  async function current(browser: number) {
    const active = await openSession(contextAt(browser));
    const user = active && await findSessionUser(config, storage, active);
    return { active, user };
  }

  const application = applicationOf(adapter, {
    name,
    address,
    credentialID: (key) => `${name} ${key}`,
    async sessionAt(browser) {
      const { active } = await current(browser);
      const id = active && ownerOf(active);
      if (!active || !id) return null;
      return { id, stamp: active.strategy === "jwt" ? active.claims.security_stamp ?? null : undefined };
    },
  });

  async function register({ browser, email, key }: Extract<Act, { do: "register" }>): Promise<void> {
    const { user } = await current(browser);
    const id = `${name} ${key}`;
    await complete(browser, {
      method: "webauthn",
      user: { id: crypto.randomUUID(), email: address(email) },
      account: { provider: "passkey", type: "webauthn", providerAccountId: id },
      proof: {
        act: "register",
        authenticator: { ...KEY, credentialID: id, providerAccountId: id },
        label: { id, aaguid: "00000000-0000-0000-0000-000000000000" },
        addToUserId: user?.id ?? null,
        maxCredentials: 100,
      },
      ...DEVICE,
    });
  }

  async function authenticate({ browser, key }: Extract<Act, { do: "authenticate" }>): Promise<void> {
    const found = await storage.getAuthenticator(`${name} ${key}`);
    const account = { provider: "passkey", type: "webauthn", providerAccountId: `${name} ${key}` } as const;
    const user = found && await storage.getUserByAccount(account);
    const { user: signedIn } = await current(browser);
    if (!found || user?.id !== found.userId || (signedIn && signedIn.id !== user.id)) return;
    const { credentialID, counter } = found;
    await complete(browser, {
      method: "webauthn",
      user,
      account,
      proof: { act: "authenticate", credentialID, storedCounter: counter, newCounter: counter },
      ...DEVICE,
    });
  }

  async function comeBack({ browser, told }: Extract<Act, { do: "return" }>): Promise<void> {
    const from = away.get(browser);
    away.delete(browser);
    if (!from || runtime.now() - from.at >= 900_000) return;
    const email = told.email === null ? null : address(told.email);
    await complete(browser, {
      method: "oauth",
      user: { email },
      account: { provider: from.provider, type: "oauth", providerAccountId: `${name}-${told.sub}` },
      profile: { email },
      linking: {
        addToUserId: from.startedBy,
        storedTokens: {},
        ...vouchingFor(
          {
            vouches: "yes",
            ownDomains: { names: [], claim: null },
            tenancy: null,
            allowDangerousEmailAccountLinking: from.provider === "linking",
          },
          { email, email_verified: told.verified },
          email,
        ),
      },
    });
  }

  async function ask({ email }: Extract<Act, { do: "ask" }>): Promise<void> {
    const token = { hash: crypto.randomUUID(), expires: new Date(runtime.now() + LINK_LIFETIME) };
    asked.set(email, token);
    await storage.createVerificationToken({ identifier: address(email), token: token.hash, expires: token.expires });
  }

  async function open({ browser, email }: Extract<Act, { do: "open" }>): Promise<void> {
    const identifier = address(email);
    const user = await storage.getUserByEmail(identifier) ??
      { id: crypto.randomUUID(), email: identifier, emailVerified: null };
    await complete(browser, {
      method: "email",
      user,
      account: { provider: "email", type: "email", providerAccountId: identifier, userId: user.id },
      token: { identifier, hashes: [asked.get(email)?.hash ?? ""] },
    });
  }

  async function act(act: Act): Promise<unknown> {
    switch (act.do) {
      case "leave": {
        const { active } = await current(act.browser);
        const startedBy = active ? ownerOf(active) ?? null : null;
        return away.set(act.browser, { provider: act.provider, startedBy, at: runtime.now() });
      }
      case "return":
        return await comeBack(act);
      case "register":
        return await register(act);
      case "authenticate":
        return await authenticate(act);
      case "ask":
        return await ask(act);
      case "open":
        return await open(act);
      case "password":
        return passwords.set(personOf(act.browser), await application.password(act));
      case "type": {
        const user = passwords.get(personOf(act.browser));
        const account = user && { provider: "password", type: "credentials" as const, providerAccountId: user.id };
        return user && account &&
          await complete(act.browser, { method: "credentials", user, account, credentials: {}, hasPassword: true });
      }
      case "sign out": {
        const ctx = contextAt(act.browser);
        await sessions.end(ctx.cookies);
        return browsers[act.browser]?.clear();
      }
      case "unlink":
        return await application.unlink(act);
      case "move":
        return await application.move(act);
      case "wait":
        return runtime.advance(act.seconds);
      default:
        return act satisfies never;
    }
  }

  return {
    do: async (what) => void await act(what),
    async inside(browser) {
      const { active } = await current(browser);
      return active ? ownerOf(active) ?? null : null;
    },
  };
}

const DEVICE = { userVerified: true, deviceType: "singleDevice" };
const KEY = { credentialPublicKey: "", counter: 0, credentialDeviceType: "multiDevice", credentialBackedUp: true };
