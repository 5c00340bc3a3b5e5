/** What features are told of, in stories with every way in: all that happened, once it is stored, and no secret. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Adapter, type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { limits } from "@x/auth/limits";
import { type Feature, makeFeature } from "../../src/contract/feature.ts";
import type { AuthEvent } from "../../src/request/happened.ts";
import { pageUrl } from "../../src/request/links.ts";
import { redirectTo } from "../../src/request/outcome.ts";
import type { Points } from "../../src/request/points.ts";
import { secondFactor } from "../../src/second_factor.ts";
import { resumeSignIn } from "../../src/sign_in/resume.ts";
import { findRaisable, raiseSession } from "../../src/sign_in/step_up.ts";
import { byLink as signInByLink, look, openAccountSite } from "../_support/account_site.ts";
import { byLink, enrol, openFactorSite } from "../_support/enrolling.ts";
import { openWorld } from "../_support/refreshes.ts";
import { recordLog, testConfig } from "../_support/service.ts";
import { password } from "@x/auth/providers/password";
import { mailbox } from "../_support/mailbox.ts";
import { openVisitedSite } from "../_support/password_visits.ts";
import { cheapHash } from "../_support/passwords.ts";
import { openVisitedService, type VisitedService, type Visitor } from "../_support/visitors.ts";
import { pageRequest, SID, World } from "./_logout.ts";

/** Every type: one that is missing here does not compile, and one that no story has fails the last test. */
const TYPES: Readonly<Record<AuthEvent["type"], true>> = {
  signIn: true,
  signInChallenged: true,
  sessionRaised: true,
  signInFailed: true,
  limited: true,
  signOut: true,
  sessionEnded: true,
  userCreated: true,
  userChanged: true,
  userDeleted: true,
  accountLinked: true,
  accountUnlinked: true,
  passkeyAdded: true,
  passkeyRemoved: true,
  factorAdded: true,
  factorRemoved: true,
  recoveryCodeUsed: true,
  passwordSet: true,
  passwordRemoved: true,
  tokenRefreshed: true,
  tokenRefused: true,
};

const seen = new Set<string>();

/** A feature that records what it is told. */
class Recorder {
  readonly events: AuthEvent[] = [];
  readonly feature: Feature;

  constructor(points: Points = {}, check: (event: AuthEvent) => Promise<void> | void = () => {}) {
    const changed: Points["changed"] = async (_, event) => {
      this.events.push(event);
      seen.add(event.type);
      await check(event);
    };
    this.feature = makeFeature("recorder", [], () => Promise.resolve({ ...points, changed } satisfies Points));
  }

  /** What was told since the last call: without times, and with numbers in place of the ids of users. */
  take(): object[] {
    const told = this.events.splice(0);
    for (const { time } of told) assert.ok(time instanceof Date);
    return told.map((event) => {
      const { time: _, ...rest } = event;
      const { userId, sessionId: __, ...others } = rest as {
        readonly userId?: string | null;
        readonly sessionId?: string;
      };
      return userId === undefined ? others : { ...others, userId: userId === null ? null : this.#numberOf(userId) };
    });
  }

  readonly #users: string[] = [];

  #numberOf(userId: string): number {
    if (!this.#users.includes(userId)) this.#users.push(userId);
    return this.#users.indexOf(userId) + 1;
  }
}

interface Site {
  readonly adapter: Adapter & ReturnType<typeof memoryAdapter>;
  readonly service: VisitedService;
  readonly recorder: Recorder;
  readonly ada: Visitor;
}

// Each secret has this word in it.
const ADA = "canary-ada@example.com";
const TOLD = { sub: "canary-1", email: ADA } as const;
const PROVEN = { ...TOLD, email_verified: true } as const;

/** An adapter of others: no transaction, so everything is written in steps. */
function foreign(): Site["adapter"] {
  const { commit: _, once: __, ...rest } = memoryAdapter();
  return rest as Site["adapter"];
}

const SESSIONS: Readonly<Record<string, () => AuthConfig & { readonly adapter: Site["adapter"] }>> = {
  "stored": () => ({ adapter: memoryAdapter(), session: { strategy: "database" } }),
  "sealed": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt" } }),
  "sealed, without rows": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt", revalidate: false } }),
  "stored by an adapter of others": () => ({ adapter: foreign(), session: { strategy: "database" } }),
};

async function open(
  { adapter, ...config }: AuthConfig & { readonly adapter: Site["adapter"] },
  points: Points = {},
): Promise<Site> {
  const recorder = new Recorder(points, async (event) => {
    // What is told is stored by then.
    if (event.type === "userCreated") {
      assert.ok(await adapter.getUser(event.userId), "it was told before it was stored");
    }
    if (event.type === "passkeyAdded") {
      assert.equal((await adapter.listAuthenticatorsByUserId(event.userId)).length, 1);
    }
  });
  const service = await openVisitedService({ adapter, ...config, features: [recorder.feature] });
  service.passwords.set("canary-right", { id: "7", email: "canary-typed@example.com" });
  return { adapter, service, recorder, ada: service.visitor() };
}

/** What of a browser and of storage is secret. */
async function secretsOf({ adapter }: Site, visitors: readonly Visitor[]): Promise<string[]> {
  const users = [await adapter.getUserByEmail(ADA)].flatMap((user) => user ?? []);
  const rows = await Promise.all(users.map(({ id }) => adapter.listSessionsByUserId(id)));
  return [
    "canary",
    btoa("canary").replaceAll("=", "").slice(0, -1),
    ...visitors.flatMap(({ cookies }) => {
      return [...cookies].flatMap(([name, value]) => name === "authjs.last-provider" ? [] : [value]);
    }),
    ...rows.flat().map(({ sessionToken }) => sessionToken),
  ].filter((secret) => secret.length >= 6);
}

const failed = (reason: string, provider?: string) => ({ type: "signInFailed", ...(provider && { provider }), reason });
const created = { type: "userCreated", userId: 1 };
const changed = { type: "userChanged", userId: 1 };
const linked = (provider: string) => ({ type: "accountLinked", provider, userId: 1 });
const passkeyAdded = { type: "passkeyAdded", provider: "passkey", userId: 1 };
const signedOut = (provider: string) => ({ type: "signOut", provider, userId: 1 });
const proof = { type: "sessionEnded", reason: "proof", userId: 1 };

function signedIn(provider: string, methods: readonly string[], isNewUser: boolean) {
  return { type: "signIn", provider, methods, isNewUser, userId: 1 };
}

const NEW_PASSKEY = signedIn("passkey", ["mfa", "swk", "user"], true);

type Story = (site: Site) => Promise<readonly object[]>;

async function openLink({ service, ada }: Site, visitor = ada): Promise<void> {
  await visitor.ask(ADA);
  await visitor.open(service.links.get(ADA) ?? assert.fail());
}

/** What happens, and what is told of it. */
const STORIES: Readonly<Record<string, Story>> = {
  "a new user by OAuth, who signs out and comes again": async ({ ada }) => {
    await ada.come("plain", TOLD);
    await ada.signOut();
    await ada.signOut();
    await ada.come("plain", TOLD);
    return [
      created,
      linked("plain"),
      signedIn("plain", ["fed"], true),
      signedOut("plain"),
      signedIn("plain", ["fed"], false),
    ];
  },
  "a new user by a link, who comes again": async (site) => {
    await openLink(site);
    await openLink(site);
    return [created, signedIn("email", ["mail"], true), signedIn("email", ["mail"], false)];
  },
  "a user whose address is proven later": async (site) => {
    await site.ada.come("plain", TOLD);
    await openLink(site);
    return [
      created,
      linked("plain"),
      signedIn("plain", ["fed"], true),
      proof,
      changed,
      signedIn("email", ["mail"], false),
    ];
  },
  "an account that links by its address": async (site) => {
    await openLink(site);
    await site.service.visitor().come("linking", PROVEN);
    return [created, signedIn("email", ["mail"], true), linked("linking"), signedIn("linking", ["fed"], false)];
  },
  "an account that may not be linked": async (site) => {
    await openLink(site);
    await site.service.visitor().come("plain", TOLD);
    return [created, signedIn("email", ["mail"], true), failed("OAuthAccountNotLinked", "plain")];
  },
  "an account that somebody who is signed in adds": async (site) => {
    await openLink(site);
    await site.ada.come("plain", TOLD);
    return [created, signedIn("email", ["mail"], true), linked("plain")];
  },
  "a new user with a passkey, who comes again": async ({ ada, service }) => {
    const key = await ada.register(ADA) ?? assert.fail(service.errors.join());
    await ada.signOut();
    await ada.authenticate(key);
    return [created, passkeyAdded, NEW_PASSKEY, signedOut("passkey"), { ...NEW_PASSKEY, isNewUser: false }];
  },
  "a passkey that somebody who is signed in adds": async (site) => {
    await openLink(site);
    await site.ada.register(ADA);
    return [created, signedIn("email", ["mail"], true), passkeyAdded];
  },
  "a passkey that is not known any more": async ({ ada, adapter }) => {
    const key = await ada.register(ADA) ?? assert.fail();
    const { id = "" } = await adapter.getUserByEmail(ADA) ?? {};
    await adapter.deleteUser(id);
    await ada.authenticate(key);
    return [created, passkeyAdded, NEW_PASSKEY, failed("WebAuthnVerificationError", "passkey")];
  },
  "a wrong password": async ({ ada }) => {
    await ada.type("canary-wrong");
    return [failed("CredentialsSignin", "password")];
  },
  "a wrong link": async ({ ada, service }) => {
    await ada.ask(ADA);
    const { pathname, searchParams } = service.links.get(ADA) ?? assert.fail();
    searchParams.set("token", "canary-a-token-that-was-never-sent");
    await ada.get(`${pathname}?${searchParams}`);
    return [failed("Verification", "email")];
  },
  "a form without its token": async ({ ada }) => {
    for (const path of ["callback/password", "signin/plain", "signin/email", "callback/passkey"]) {
      await ada.post(`/auth/${path}`, { csrfToken: "canary" });
    }
    await ada.post("/auth/signout", { csrfToken: "canary" });
    return ["password", "plain", "email", "passkey"].map((provider) => failed("MissingCSRF", provider));
  },
  "a provider that refuses": async ({ ada }) => {
    const { searchParams } = new URL(await ada.leave("plain"));
    const answer = { error: "access_denied", error_description: "canary", state: searchParams.get("state") ?? "" };
    await ada.get(`/auth/callback/plain?${new URLSearchParams(answer)}`);
    return [failed("OAuthCallbackError", "plain")];
  },
  "an answer that nobody asked for": async ({ ada }) => {
    await ada.get("/auth/callback/plain?code=canary&state=canary");
    return [failed("InvalidCheck", "plain")];
  },
  "pages, and paths that do not exist": async ({ ada }) => {
    for (const path of ["signin", "signin/plain", "error?error=AccessDenied", "session", "csrf", "callback/nobody"]) {
      await ada.get(`/auth/${path}`);
    }
    return [];
  },
};

function withoutProvider(event: { readonly type?: string; readonly provider?: string }): object {
  const { provider: _, ...rest } = event;
  return event.type === "signOut" ? rest : event;
}

for (const [sessions, config] of Object.entries(SESSIONS)) {
  for (const [name, story] of Object.entries(STORIES)) {
    test(`features are told of ${name}, and learn no secret: sessions are ${sessions}`, async () => {
      const site = await open(config());
      const told = await story(site);
      // A row of an adapter of others does not say which provider a session began with.
      const expected = sessions.endsWith("of others") ? told.map(withoutProvider) : told;
      const text = JSON.stringify(site.recorder.events);
      assert.deepEqual(site.recorder.take(), expected, site.service.errors.join("\n"));
      for (const secret of await secretsOf(site, [site.ada])) assert.ok(!text.includes(secret), `${secret} in ${text}`);
      assert.deepEqual(site.service.errors.filter(({ name }) => name === "EventError"), []);
    });
  }

  test(`features are told of everybody whom the application refuses: sessions are ${sessions}`, async () => {
    const { ada, recorder } = await open({ ...config(), callbacks: { signIn: () => false } });
    await ada.come("plain", TOLD);
    await ada.ask(ADA);
    await ada.type("canary-right");
    await ada.register(ADA);
    const providers = ["plain", "email", "password", "passkey"];
    assert.deepEqual(recorder.take(), providers.map((provider) => failed("AccessDenied", provider)));
  });

  test(`features are told of a sign-in with credentials: sessions are ${sessions}`, async () => {
    const { ada, recorder } = await open(config());
    await ada.type("canary-right");
    const isStored = sessions.startsWith("stored");
    const signIn = { type: "signIn", provider: "password", methods: [], userId: 1 };
    assert.deepEqual(recorder.take(), isStored ? [created, { ...signIn, isNewUser: true }] : [signIn]);
  });
}

test("features are told of a wrong code, and then of the right one", async () => {
  const codes: string[] = [];
  const { ada, recorder } = await open({
    adapter: memoryAdapter(),
    providers: [{
      id: "email",
      name: "Email",
      type: "email",
      generateVerificationToken: () => "123456",
      sendVerificationRequest: ({ url }) => void codes.push(new URL(url).searchParams.get("token") ?? ""),
    }],
  });
  await ada.ask(ADA);
  const query = (token: string) => new URLSearchParams({ token, email: ADA });
  await ada.get(`/auth/callback/email?${query("654321")}`);
  await ada.get(`/auth/callback/email?${query("123456")}`);
  const text = JSON.stringify(recorder.events);
  for (const code of ["654321", "123456", ...codes]) assert.ok(!text.includes(code));
  assert.deepEqual(recorder.take(), [failed("Verification", "email"), created, signedIn("email", ["mail"], true)]);
});

const CHALLENGE: Points = {
  mint: (_, { authentication }) => {
    return authentication.level === 2 ? { act: "enter" } : { act: "challenge", missing: ["otp"] };
  },
  routes: {
    "POST challenge": async (ctx, { fields }) => {
      if (fields.code === "123456") return await resumeSignIn(ctx, ["mfa", "otp"]);
      return redirectTo(pageUrl(ctx, "signIn", { error: "AccessDenied" }));
    },
  },
};

for (const sessions of ["stored", "sealed", "sealed, without rows"] as const) {
  test(`features are told of a sign-in that waits for a second proof, and of the sign-in after it: sessions are ${sessions}`, async () => {
    const { ada, recorder } = await open(SESSIONS[sessions]?.() ?? assert.fail(), CHALLENGE);
    await ada.come("plain", TOLD);
    const challenged = { type: "signInChallenged", provider: "plain", methods: ["fed"], userId: 1 };
    assert.deepEqual(recorder.take(), [created, linked("plain"), challenged]);
    await ada.post("/auth/challenge", { code: "123456" });
    assert.deepEqual(recorder.take(), [signedIn("plain", ["fed", "mfa", "otp"], true)]);
    await ada.post("/auth/challenge", { code: "123456" });
    assert.deepEqual(recorder.take(), [failed("AccessDenied")]);
    await ada.type("canary-right");
    const text = JSON.stringify(recorder.events);
    assert.ok(!text.includes("canary"));
    assert.equal(recorder.events.at(-1)?.type, "signInChallenged");
  });
}

const STEP_UP: Points = {
  routes: {
    "POST challenge": async (ctx) => {
      const found = await findRaisable(ctx) ?? assert.fail();
      await raiseSession(ctx, { ...found, methods: ["mfa", "otp"] });
      return redirectTo(pageUrl(ctx, "signIn"));
    },
  },
};

for (const sessions of ["stored", "sealed", "sealed, without rows"] as const) {
  test(`features are told of a session that is raised, and of no other sign-in: sessions are ${sessions}`, async () => {
    const site = await open(SESSIONS[sessions]?.() ?? assert.fail(), STEP_UP);
    const { ada, recorder } = site;
    await ada.come("plain", TOLD);
    recorder.take();
    await ada.post("/auth/challenge");
    const [event] = recorder.events;
    assert.equal(event !== undefined && "sessionId" in event, sessions !== "sealed, without rows");
    const text = JSON.stringify(event);
    for (const secret of await secretsOf(site, [ada])) assert.ok(!text.includes(secret));
    assert.deepEqual(recorder.take(), [{ type: "sessionRaised", methods: ["fed", "mfa", "otp"], userId: 1 }]);
  });
}

test("features are told of a sign-in that storage refuses, and of nothing that was not stored", async () => {
  for (const isHere of [true, false]) {
    const whole = memoryAdapter();
    const fail = () => Promise.reject(new Error("canary: storage is down"));
    const adapter = { ...whole, ...(isHere ? { commit: fail } : { commit: undefined, createSession: fail }) };
    const { ada, recorder } = await open({ adapter: adapter as Site["adapter"], session: { strategy: "database" } });
    await ada.come("plain", TOLD);
    assert.deepEqual(recorder.take(), [failed("AdapterError", "plain")]);
  }
});

test("features are told of a sign-in that takes too long, and its answer waits no longer for them", async () => {
  const hang = () => new Promise<never>(() => {});
  const recorder = new Recorder({}, hang);
  const service = await openVisitedService({
    adapter: memoryAdapter(),
    features: [recorder.feature],
    callbacks: { signIn: hang },
    timeouts: { total: 1 },
  });
  const ada = service.visitor();
  const away = await ada.leave("plain");
  const start = performance.now();
  await ada.comeBack(away, TOLD);
  const took = performance.now() - start;
  assert.ok(took < 1600, `${took} ms`);
  assert.deepEqual(recorder.take(), [failed("Timeout", "plain")]);
});

test("features are told of a sign-in that a page of the application starts, and that fails", async () => {
  const recorder = new Recorder();
  const { signIn } = createAuth(testConfig({ features: [recorder.feature] }));
  const request = () =>
    new Request("http://localhost:3000/", { method: "POST", headers: { origin: "http://localhost:3000" } });
  await assert.rejects(signIn(request(), "credentials", { username: "ada", password: "canary" }));
  await assert.rejects(signIn(request(), "canary", {}));
  const foreign = new Request("http://localhost:3000/", { method: "POST", headers: { origin: "https://other.test" } });
  await assert.rejects(signIn(foreign, "credentials", { username: "ada", password: "lovelace" }));
  assert.ok(!JSON.stringify(recorder.events).includes("canary"));
  assert.deepEqual(recorder.take(), [
    failed("CredentialsSignin", "credentials"),
    failed("InvalidProvider"),
    failed("MissingCSRF", "credentials"),
  ]);
});

for (const strategy of ["database", "jwt"] as const) {
  test(`features are told whose sessions end, and which, with strategy ${strategy}`, async () => {
    const recorder = new Recorder();
    const world = new World({ session: { strategy }, features: [recorder.feature] });
    const auth = await sessionsOf(world);
    const [phone] = [await world.signIn(), await world.signIn({ sid: "other" }), await world.signIn({ sid: "third" })];
    const began = recorder.events.flatMap((event) => event.type === "signIn" ? [event.sessionId] : []);
    const { userId = "" } = recorder.events.find(({ type }) => type === "signIn") as { readonly userId?: string };
    const listed = (await auth.list(userId)).map(({ id }) => id);
    assert.deepEqual([...began].sort(), listed.sort());
    recorder.take();

    assert.equal(await auth.revoke(began[1] ?? ""), true);
    assert.deepEqual(recorder.events.map((event) => "sessionId" in event && event.sessionId), [began[1]]);
    assert.deepEqual(recorder.take(), [{ type: "sessionEnded", reason: "revoked", count: 1, userId: 1 }]);
    assert.equal(await auth.revoke(began[1] ?? ""), false);
    assert.equal(await auth.revokeOthers(pageRequest(phone ?? {})), 1);
    assert.deepEqual(recorder.take(), [{ type: "sessionEnded", reason: "revoked", count: 1, userId: 1 }]);
    await world.signOut(phone ?? {});
    assert.deepEqual(recorder.events.map((event) => "sessionId" in event && event.sessionId), [began[0]]);
    assert.deepEqual(recorder.take(), [{ type: "signOut", provider: "idp", userId: 1 }]);
    await world.signIn();
    recorder.take();
    assert.equal(await auth.revokeAll(userId), 1);
    assert.equal(await auth.revokeAll(userId), 0);
    assert.deepEqual(recorder.take(), [{ type: "sessionEnded", reason: "revoked", count: 1, userId: 1 }]);
  });

  test(`features are told of logouts by the provider, with strategy ${strategy}`, async () => {
    const recorder = new Recorder();
    const world = new World({ session: { strategy }, features: [recorder.feature] });
    await world.signIn();
    recorder.take();
    const token = world.token();
    assert.equal((await world.post(token)).status, 200);
    const ended = { type: "sessionEnded", provider: "idp", count: 1, userId: 1 };
    const text = JSON.stringify(recorder.events);
    assert.ok(!text.includes(token) && !text.includes(SID));
    assert.deepEqual(recorder.take(), [{ ...ended, reason: "backchannel" }]);
    assert.equal((await world.post(token)).status, 400);
    assert.deepEqual(recorder.take(), []);

    await world.signIn();
    recorder.take();
    const query = new URLSearchParams({ iss: world.issuer.url, sid: SID });
    await world.site(new Request(`http://localhost:3000/auth/frontchannel-logout/idp?${query}`));
    assert.deepEqual(recorder.take(), [{ ...ended, reason: "frontchannel" }]);
  });
}

async function sessionsOf({ engine }: World) {
  const { sessionFunctions } = await import("../../src/service/session_actions.ts");
  return sessionFunctions(engine);
}

test("features are told of tokens that are refreshed, and of those that are refused", async () => {
  const recorder = new Recorder();
  const { ask, write, family, runtime } = await openWorld({ config: { features: [recorder.feature] } });
  await Promise.all([ask(), ask()]);
  await ask();
  const text = JSON.stringify(recorder.events);
  assert.ok(!text.includes("access-") && !text.includes("refresh-"), text);
  assert.deepEqual(recorder.take(), [{ type: "tokenRefreshed", provider: "idp", userId: 1 }]);
  family.hasEnded = true;
  await write({ expires_at: runtime.now() / 1000 - 1 });
  await assert.rejects(ask(), { name: "RefreshRequired" });
  await assert.rejects(ask(), { name: "RefreshRequired" });
  assert.deepEqual(recorder.take(), [{ type: "tokenRefused", provider: "idp", userId: 1 }]);
});

test("a feature that throws or hangs when it is told changes no answer", async () => {
  const answers = async (changed?: Points["changed"]) => {
    const log = recordLog();
    const feature = makeFeature("recorder", [], () => Promise.resolve({ ...(changed && { changed }) }));
    const service = await openVisitedService({
      ...log,
      adapter: memoryAdapter(),
      features: [feature],
      timeouts: { total: 2, event: 0.05 },
    });
    const ada = service.visitor();
    const told = [
      await ada.come("plain", TOLD),
      await ada.get("/auth/session"),
      await ada.signOut(),
      await ada.come("plain", TOLD),
      await ada.type("nobody"),
    ].map((
      { status, headers },
    ) => [status, headers.get("location"), headers.getSetCookie().map((text) => text.split(/=|state\./)[0])]);
    return { told, errors: log.errors.map(({ name }) => name) };
  };
  const { told, errors } = await answers();
  assert.deepEqual(errors, ["CredentialsSignin"]);
  const throwing = await answers(() => {
    throw new Error("canary");
  });
  const rejecting = await answers(() => Promise.reject(new Error("canary")));
  const hanging = await answers(() => new Promise(() => {}));
  for (const other of [throwing, rejecting, hanging]) {
    assert.deepEqual(other.told, told);
    assert.equal(other.errors.filter((name) => name === "EventError").length, 6);
  }
});

test("a feature that hangs longer than an answer may take does not break it", async () => {
  const feature = makeFeature("hangs", [], () => Promise.resolve({ changed: () => new Promise<void>(() => {}) }));
  const service = await openVisitedService({ adapter: memoryAdapter(), features: [feature], timeouts: { total: 0.4 } });
  const ada = service.visitor();
  const response = await ada.come("plain", TOLD);
  assert.doesNotMatch(response.headers.get("location") ?? "", /error/);
  assert.notEqual(ada.token, undefined);
});

test("second factors that are added and removed are told, with who removed them", async () => {
  const recorder = new Recorder();
  const site = await openFactorSite({ adapter: memoryAdapter(), features: [secondFactor(), recorder.feature] });
  const ada = site.service.visitor();
  await byLink(site, ada);
  const { id, codes } = await enrol(site, ada);
  await ada.signOut();
  await byLink(site, ada);
  await ada.post("/auth/challenge", { method: "recovery-code", code: codes[3] ?? "" });
  assert.match(site.mails.at(-1)?.subject ?? "", /^A recovery code was used/);
  await ada.post("/auth/factors", { act: "remove", id });
  const told = recorder.take().filter((event) => /^(?:factor|recovery)/.test((event as AuthEvent).type));
  assert.deepEqual(told, [
    { type: "factorAdded", userId: 1, factor: "totp" },
    { type: "factorAdded", userId: 1, factor: "recovery" },
    { type: "recoveryCodeUsed", userId: 1 },
    { type: "factorRemoved", userId: 1, factor: "recovery", by: "owner" },
    { type: "factorRemoved", userId: 1, factor: "totp", by: "owner" },
  ]);
});

test("what is limited is told once, without saying whose account it is", async () => {
  const recorder = new Recorder();
  const service = await openVisitedService({ adapter: memoryAdapter(), features: [recorder.feature, limits()] });
  const ada = service.visitor();
  for (let tries = 0; tries < 30; tries++) await ada.type("canary-ada");
  const limited = recorder.take().filter((event) => (event as AuthEvent).type === "limited");
  assert.deepEqual(limited, [{ type: "limited", act: "credentials", by: "account", provider: "password" }]);
});

test("passwords that are set and removed are told, with who did it", async () => {
  const recorder = new Recorder();
  const box = mailbox();
  const site = openVisitedSite({
    features: [recorder.feature],
    providers: [password({ hash: cheapHash() }), box.provider],
  });
  const ada = await site.arrive("ada@example.com", "canary on a bicycle");
  await site.forget(site.browser(), "ada@example.com");
  await ada.open(site.linkTo("ada@example.com"));
  await ada.submit({ password: "canary on a tricycle" }, "/reset");
  await ada.post("/auth/password", { csrfToken: await ada.csrf(), password: "canary on a unicycle" });
  await ada.post("/auth/password", { csrfToken: await ada.csrf(), act: "remove" });
  const { id } = await site.adapter.getUserByEmail?.("ada@example.com") ?? assert.fail();
  await site.passwords.set(id, "canary on a scooter");
  await site.passwords.remove(id);
  const told = recorder.take().filter((event) => /^password/.test((event as AuthEvent).type));
  assert.deepEqual(told, [
    { type: "passwordSet", userId: 1, by: "link" },
    { type: "passwordSet", userId: 1, by: "link" },
    { type: "passwordSet", userId: 1, by: "owner" },
    { type: "passwordRemoved", userId: 1, by: "owner" },
    { type: "passwordSet", userId: 1, by: "application" },
    { type: "passwordRemoved", userId: 1, by: "application" },
  ]);
});

test("an account that is removed, and a user who deletes their own, are told without what was in them", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  await signInByLink(site, ada);
  const userId = await ada.inside();
  await ada.come("plain", { sub: "canary" });
  const [way] = (await look(ada)).view?.ways ?? [];
  await ada.post("/auth/account", { act: "unlink", id: way?.id ?? assert.fail("no account was added") });
  await ada.register("ada@example.com");
  const [key] = (await look(ada)).view?.passkeys ?? [];
  await ada.post("/auth/account", { act: "removePasskey", id: key?.id ?? assert.fail("no passkey was added") });
  await ada.post("/auth/account", { act: "delete", typed: "ada@example.com" });
  assert.doesNotMatch(JSON.stringify(site.events), /canary|ada@example\.com/);
  const told = site.events.filter(({ type }) => /^(accountUnlinked|passkeyRemoved|userDeleted)$/.test(type));
  assert.deepEqual(told.map(({ time: _, ...event }) => event), [
    { type: "accountUnlinked", userId, provider: "plain" },
    { type: "passkeyRemoved", userId, provider: "passkey" },
    { type: "userDeleted", userId },
  ]);
  for (const { type } of site.events) seen.add(type);
});

test("each event happens in a story above", () => {
  assert.deepEqual([...seen].sort(), Object.keys(TYPES).sort());
});
