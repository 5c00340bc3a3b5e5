/**
 * No way in leads past a second factor: every way, with every factor, every kind of session, and everybody of whom a second
 * proof is asked.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EncryptJWT } from "jose";
import type { Adapter, AdapterAccount, AdapterAuthenticator, AuthConfig } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { encode } from "@x/auth/jwt";
import { betterAuth } from "@x/auth/migrate/better-auth";
import { nextAuthV4 } from "@x/auth/migrate/next-auth-v4";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { secondFactor, type SecondFactorOptions } from "@x/auth/second-factor";
import { read } from "../../src/service/guard.ts";
import { signInFor } from "../../src/service/actions.ts";
import type { Authenticator, CeremonyOptions } from "../_support/authenticator.ts";
import { BetterAuthTables, OTHER_SECRET } from "../_support/better_auth_tables.ts";
import { createIssuer } from "../_support/issuer.ts";
import { testRuntime } from "../_support/runtime.ts";
import { codeAt, enrol, RECOVERY, resolvedFor } from "../_support/second_factor.ts";
import { SECRET } from "../_support/service.ts";
import { otherAdapter, sessionKinds } from "../_support/session_kinds.ts";
import { openVisitedService, teller, type VisitedService, type Visitor } from "../_support/visitors.ts";
import { countRows } from "./_service.ts";

const ID = "ada";
const ADA = "ada@example.com";
const ORIGIN = "http://localhost:3000";
const SESSION = "authjs.session-token";
const PENDING = "authjs.pending";
const MAILED = "135790";
const OPTIONS = "/auth/webauthn-options/passkey?action=authenticate";
const tried = countRows("ways past a second factor");

const issuer = createIssuer();
issuer.claim({ sub: "oidc-ada", email: ADA, email_verified: true });

/** Of whom a second proof is asked. */
const REQUIRED: Readonly<Record<string, SecondFactorOptions["require"]>> = {
  "who has enrolled": "enrolled",
  "everybody": "always",
  "whom a function names": ({ email }) => email === ADA,
};

/** What Ada has. */
const FACTORS = ["nothing", "an application", "a passkey", "recovery codes only", "a trusted browser"] as const;
type Factor = typeof FACTORS[number];

const foreign = () => withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } });
const KINDS = Object.entries(sessionKinds(foreign)).filter(([kind]) => !kind.includes("beside"));

/** What was written, and told. */
interface Written {
  readonly sessions: string[];
  readonly accounts: string[];
  readonly passkeys: string[];
  readonly events: string[];
}

interface Site {
  readonly service: VisitedService;
  readonly adapter: Adapter;
  readonly runtime: ReturnType<typeof testRuntime>;
  readonly written: Written;
  readonly strategy: "jwt" | "database";
  /** Lets her sign in as if she had no factor: to begin what is older than her factor. */
  readonly before: VisitedService;
  trusted: string | null;
  steps: number;
}

interface Way {
  /** Comes in, up to where a session would begin. */
  readonly come: (site: Site, ada: Visitor) => Promise<unknown>;
  /** Whether what it proves is two factors. */
  readonly isBoth?: true;
  /** Whether it is a session that began somewhere else: nobody signs in, and nothing waits. */
  readonly isElsewhere?: true;
  /** Whether it adds something to a session that is older than the factor. */
  readonly isAddition?: true;
}

const WAYS: Readonly<Record<string, Way>> = {
  "OAuth": { come: (_, ada) => ada.come("plain", { sub: "1", email: ADA }) },
  "OAuth with a POST callback": {
    come: async (_, ada) => {
      const { searchParams } = new URL(await ada.leave("posting"));
      const code = btoa(JSON.stringify({ sub: "1", email: ADA }));
      const relayed = await ada.post("/auth/callback/posting", { code, state: searchParams.get("state") ?? "" });
      const { pathname, search } = new URL(relayed.headers.get("location") ?? "");
      return await ada.get(pathname + search);
    },
  },
  "an account that links by its address": {
    come: (_, ada) => ada.come("linking", { sub: String(Math.random()), email: ADA, email_verified: true }),
  },
  "OpenID Connect": {
    come: async (_, ada) => {
      const { redirectUri, params } = await issuer.consent(await ada.leave("idp"));
      return await ada.get(`${new URL(redirectUri).pathname}?${params}`);
    },
  },
  "a link by email": {
    come: async ({ service }, ada) => {
      await ada.ask(ADA);
      return await ada.open(service.links.get(ADA) ?? assert.fail("no link was sent"));
    },
  },
  "a code by email": {
    come: async (_, ada) => {
      await ada.post("/auth/signin/mailed", { email: ADA });
      return await ada.get(`/auth/callback/mailed?${new URLSearchParams({ token: MAILED, email: ADA })}`);
    },
  },
  "a password": { come: (_, ada) => ada.type(ID) },
  "signIn() of the application": {
    come: async ({ service: { engine } }, ada) => {
      const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = { cookie, "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };
      const request = new Request(`${ORIGIN}/login`, { method: "POST", headers: { ...headers, origin: ORIGIN } });
      const call = { provider: "password", options: { name: ID }, params: undefined };
      const response = await signInFor(engine, request, call) as Response;
      for (const header of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
        if (value === "") ada.cookies.delete(name);
        else ada.cookies.set(name, value);
      }
    },
  },
  "a passkey that verifies nobody": { come: (_, ada) => withPasskey(ada, { clear: 4 }) },
  "a passkey that verifies its user": { come: (_, ada) => withPasskey(ada), isBoth: true },
  "a session of next-auth 4": {
    come: async ({ adapter, strategy }, ada) => {
      const value = strategy === "database" ? await oldRow(adapter) : await sealAsNextAuth();
      ada.cookies.set("next-auth.session-token", value);
    },
    isElsewhere: true,
  },
  "a session of an older version": {
    come: async ({ adapter, strategy }, ada) => {
      const token = { sub: ID, email: ADA };
      const sealed = () => encode({ token, secret: SECRET, salt: SESSION, maxAge: 6 * 365 * 86_400 });
      ada.token = strategy === "database" ? await oldRow(adapter) : await sealed();
    },
    isElsewhere: true,
  },
  "an account that is added": {
    come: async ({ before }, ada) => {
      const earlier = before.visitor();
      await earlier.come("plain", { sub: "1", email: ADA });
      for (const [name, value] of earlier.cookies) if (!name.includes("csrf")) ada.cookies.set(name, value);
      return await ada.come("adding", { sub: "of Ada" });
    },
    isAddition: true,
  },
};

async function oldRow(adapter: Adapter): Promise<string> {
  const sessionToken = crypto.randomUUID();
  await adapter.createSession?.({ sessionToken, userId: ID, expires: new Date(Date.UTC(2032, 1)) });
  return sessionToken;
}

/** Seals claims as next-auth 4 does. */
async function sealAsNextAuth(): Promise<string> {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const info = utf8("NextAuth.js Generated Encryption Key");
  const ikm = await crypto.subtle.importKey("raw", utf8(SECRET), "HKDF", false, ["deriveBits"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: utf8(""), info };
  const key = new Uint8Array(await crypto.subtle.deriveBits(params, ikm, 256));
  const token = new EncryptJWT({ sub: ID, email: ADA, iat: 1, jti: "1", exp: Date.UTC(2040, 1) / 1000 });
  return await token.setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(key);
}

interface Passkey {
  readonly device: Authenticator;
  readonly account: AdapterAccount;
  readonly authenticator: AdapterAuthenticator;
}

let made: Promise<Passkey> | undefined;

/** The passkey of Ada, which is made once. */
function passkeyOfAda(): Promise<Passkey> {
  return made ??= (async () => {
    const adapter = memoryAdapter();
    const service = await openVisitedService({ adapter, session: { strategy: "database" } });
    await adapter.createUser({ id: ID, email: ADA, emailVerified: new Date(0) });
    await adapter.linkAccount({ provider: "plain", providerAccountId: "1", userId: ID, type: "oauth" });
    const ada = service.visitor();
    await ada.come("plain", { sub: "1", email: ADA });
    await ada.register(ADA);
    const [authenticator] = await adapter.listAuthenticatorsByUserId(ID);
    const [account] = (await adapter.listAccountsByUserId(ID)).filter(({ provider }) => provider === "passkey");
    assert.ok(authenticator && account, service.errors.join());
    return { device: ada.device, account, authenticator };
  })();
}

async function withPasskey(ada: Visitor, forgery: { readonly clear?: number } = {}): Promise<Response> {
  const { options } = await (await ada.get(OPTIONS)).json();
  const data = await (await passkeyOfAda()).device.get(options, forgery);
  return await ada.post("/auth/callback/passkey", { action: "authenticate", data });
}

/** Notes what is written for good. */
function watched(adapter: Adapter, { sessions, accounts, passkeys }: Written): Adapter {
  return {
    ...adapter,
    createSession: async (session) => {
      sessions.push(session.sessionToken);
      return await adapter.createSession?.(session) ?? session;
    },
    linkAccount: async (account) => {
      accounts.push(account.provider);
      return await adapter.linkAccount?.(account);
    },
    createAuthenticator: async (authenticator) => {
      passkeys.push(authenticator.credentialID);
      return await adapter.createAuthenticator?.(authenticator) ?? authenticator;
    },
    ...(adapter.commit && {
      commit: async (plan) => {
        const { createSession, linkAccount, createAuthenticator } = plan;
        const result = await adapter.commit?.(plan) ?? "conflict";
        if (result !== "done") return result;
        if (createSession) sessions.push(createSession.sessionToken);
        if (linkAccount) accounts.push(linkAccount.provider);
        if (createAuthenticator) passkeys.push(createAuthenticator.credentialID);
        return result;
      },
    }),
  };
}

interface Case {
  readonly config: () => AuthConfig & { readonly adapter: Adapter };
  readonly require: SecondFactorOptions["require"];
  readonly factor: Factor;
}

async function open({ config, require, factor }: Case): Promise<Site> {
  const runtime = testRuntime({ fetch: (request) => issuer.fetch(request) });
  const { adapter, session, ...rest } = config();
  const written: Written = { sessions: [], accounts: [], passkeys: [], events: [] };
  const common: AuthConfig = {
    ...rest,
    session: { migrateFrom: nextAuthV4(), ...session },
    account: { freshSignIn: false },
    providers: [
      passkey({ authenticationOptions: { userVerification: "discouraged" } }),
      ...["plain", "adding"].map((id) => teller(id)),
      teller("linking", { allowDangerousEmailAccountLinking: true }),
      teller("posting", {
        authorization: { url: "https://idp.test/authorize", params: { response_mode: "form_post" } },
      }),
      issuer.provider(),
      {
        id: "email",
        name: "Email",
        type: "email",
        sendVerificationRequest: ({ identifier, url }) => keepLink(identifier, url),
      },
      {
        id: "mailed",
        name: "Code",
        type: "email",
        generateVerificationToken: () => MAILED,
        sendVerificationRequest: () => {},
      },
      credentials({
        id: "password",
        credentials: { name: {} },
        authorize: ({ name }) => name === ID ? { id: ID, email: ADA } : null,
      }),
    ],
    callbacks: { session: ({ session, auth }) => ({ expires: session.expires, user: session.user, auth }) },
  };
  const keepLink = (address: string, url: string) => void service.links.set(address, new URL(url));
  const service = await openVisitedService({
    ...common,
    runtime,
    adapter: watched(adapter, written),
    features: [secondFactor({ require, ...(factor === "a trusted browser" && { trustDevices: { days: 30 } }) })],
    events: { signIn: ({ account }) => void written.events.push(account?.provider ?? "") },
  });
  const before = await openVisitedService({ ...common, runtime, adapter });
  await adapter.createUser?.({ id: ID, email: ADA, emailVerified: new Date(0) });
  for (const provider of ["plain", "posting"]) await link(adapter, provider, "1");
  await link(adapter, "idp", "oidc-ada");
  await adapter.linkAccount?.({ provider: "password", providerAccountId: ID, userId: ID, type: "credentials" });
  const { account, authenticator } = await passkeyOfAda();
  await adapter.linkAccount?.(account);
  await adapter.createAuthenticator?.(authenticator);
  const strategy = session?.strategy ?? "jwt";
  const site: Site = { service, before, adapter, runtime, written, strategy, trusted: null, steps: 0 };
  const kinds = { "nothing": [], "recovery codes only": ["recovery"], "a passkey": ["recovery"] } as const;
  await enrol(
    resolvedFor(adapter, runtime),
    ID,
    factor === "an application" || factor === "a trusted browser" ? ["totp", "recovery"] : kinds[factor],
  );
  if (factor === "a trusted browser") {
    const ada = service.visitor();
    await ada.come("plain", { sub: "1", email: ADA });
    await prove(site, ada, factor);
    site.trusted = ada.cookies.get("authjs.trusted-device") ?? null;
  }
  return site;
}

async function link(adapter: Adapter, provider: string, providerAccountId: string): Promise<void> {
  await adapter.linkAccount?.({ provider, providerAccountId, userId: ID, type: "oauth" });
}

/** Gives the second proof, with what Ada has. */
async function prove({ runtime, adapter }: Site, ada: Visitor, factor: Factor): Promise<Response> {
  // No step is right twice.
  runtime.advance(60);
  if (factor === "a passkey" || factor === "nothing") {
    const { passkeyOptions } = await (await ada.get("/auth/challenge?method=passkey")).json();
    const data = await (await passkeyOfAda()).device.get(passkeyOptions as CeremonyOptions);
    return await ada.post("/auth/challenge", { method: "passkey", data });
  }
  if (factor !== "recovery codes only") {
    const code = await codeAt(runtime);
    return await ada.post("/auth/challenge", { method: "totp", code, trust: "on" });
  }
  const response = await ada.post("/auth/challenge", { method: "recovery-code", code: RECOVERY[0] });
  // She gets it back, for the next way.
  const [set] = await adapter.listRecords?.({ kind: "factor", userId: ID }) ?? [];
  await adapter.removeRecord?.({ kind: "factor", id: set?.id ?? "" });
  await enrol(resolvedFor(adapter, runtime), ID, ["recovery"]);
  return response;
}

interface Shown {
  readonly user: { readonly email: string | null };
  readonly auth: { readonly level: number };
}

async function sessionOf(ada: Visitor): Promise<Shown | null> {
  return await (await ada.get("/auth/session")).json();
}

/** Whether `auth()` finds somebody in these cookies. */
async function isFound({ service: { engine } }: Site, cookies: ReadonlyMap<string, string>): Promise<boolean> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { session } = await read(engine, new Request(ORIGIN, { headers: { cookie } }), false);
  return session !== null;
}

/** Demands that a browser has nothing that opens a session, under whatever name it is sent. */
async function assertOutside(site: Site, ada: Visitor): Promise<void> {
  assert.equal(await isFound(site, ada.cookies), false, "auth() finds somebody");
  for (const value of ada.cookies.values()) {
    for (const name of [SESSION, `${SESSION}.0`, "next-auth.session-token"]) {
      assert.equal(await isFound(site, new Map([[name, value]])), false, `a cookie opens a session as ${name}`);
    }
  }
  const copy = site.service.visitor();
  for (const [name, value] of ada.cookies) copy.cookies.set(name, value);
  assert.equal(await sessionOf(copy), null, "GET /session tells of somebody");
}

function forget({ sessions, accounts, passkeys, events }: Written): void {
  for (const list of [sessions, accounts, passkeys, events]) list.length = 0;
}

const NOTHING: Written = { sessions: [], accounts: [], passkeys: [], events: [] };

interface Entry {
  readonly site: Site;
  readonly way: Way;
  readonly factor: Factor;
  readonly require: SecondFactorOptions["require"];
}

async function tryWay({ site, way, factor, require }: Entry): Promise<void> {
  const { service, written } = site;
  forget(written);
  const ada = service.visitor();
  if (site.trusted) ada.cookies.set("authjs.trusted-device", site.trusted);
  await way.come(site, ada);
  const isTrusted = factor === "a trusted browser" && require === "enrolled";
  const isAsked = require !== "enrolled" || (factor !== "nothing" && !isTrusted);
  if (way.isAddition) return await assertAddition({ site, way, factor, require }, ada);
  if (way.isBoth || !isAsked) {
    const session = await sessionOf(ada);
    assert.equal(session?.auth.level, way.isBoth ? 2 : 1, service.errors.join());
    assert.equal(written.events.length, way.isElsewhere ? 0 : 1);
    site.trusted = ada.cookies.get("authjs.trusted-device") ?? null;
    return;
  }
  assert.deepEqual(
    way.isElsewhere ? { ...written, sessions: [] } : written,
    NOTHING,
    "written before the second proof",
  );
  await assertOutside(site, ada);
  assert.equal(ada.cookies.has(PENDING), !way.isElsewhere, service.errors.join());
  if (way.isElsewhere) return;
  await prove(site, ada, factor);
  assert.equal((await sessionOf(ada))?.auth.level, 2, service.errors.join());
  assert.equal(written.events.length, 1);
  assert.equal(ada.cookies.has(PENDING), false);
  const { sessions } = written;
  assert.equal(new Set(sessions).size, sessions.length, "a session is written twice");
  if (site.strategy === "database") assert.equal(sessions.length, 1);
}

/** An account is added by a session at level 2, or where nothing is asked. */
async function assertAddition({ site, factor, require }: Entry, ada: Visitor): Promise<void> {
  const { written, adapter, service } = site;
  const owner = await adapter.getUserByAccount?.({ provider: "adding", providerAccountId: "of Ada" });
  if (require === "enrolled" && factor === "nothing") {
    assert.equal(owner?.id, ID, service.errors.join());
    return;
  }
  assert.notEqual(owner?.id, ID, "an account is added before the second proof");
  assert.deepEqual(written.passkeys, []);
  const session = await sessionOf(ada);
  assert.notEqual(session?.auth.level, 2);
  // Where every reading asks, her session was none, so somebody new has signed in.
  if (require !== "enrolled") assert.notEqual(session?.user.email, ADA);
}

for (const [kind, config] of KINDS) {
  test(`no way in leads past a second factor: sessions are ${kind}`, async () => {
    for (const [who, require] of Object.entries(REQUIRED)) {
      for (const factor of FACTORS) {
        const site = await open({ config, require, factor });
        for (const [name, way] of Object.entries(WAYS)) {
          try {
            await tryWay({ site, way, factor, require });
          } catch (error) {
            throw new Error(`${name}, ${factor}, asked is ${who}`, { cause: error });
          }
          tried();
        }
      }
    }
  });
}

test("no session that is copied from Better Auth leads past a second factor", async () => {
  for (const factor of FACTORS) {
    const tables = new BetterAuthTables();
    tables.addUser(ID);
    const cookie = tables.addSession(ID, { expiresAt: "2032-01-01T00:00:00.000Z" });
    const own = memoryAdapter();
    const { adapter, sessions } = betterAuth({ adapter: own, database: tables.database, secret: OTHER_SECRET });
    const config = () => ({ adapter, session: { strategy: "database", migrateFrom: sessions } }) as const;
    const site = await open({ config, require: "enrolled", factor });
    const ada = site.service.visitor();
    ada.cookies.set("better-auth.session_token", cookie);
    assert.equal(await isFound(site, ada.cookies), factor === "nothing", factor);
  }
});
