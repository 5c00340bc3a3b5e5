/** Sessions that a feature does not let go on: none at each reading, until their user has proven more. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { type Adapter, type AuthConfig, createAuth, type StepUpRequired } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { secondFactor } from "@x/auth/second-factor";
import { resolveConfig } from "../../src/config/resolve.ts";
import { makeFeature } from "../../src/contract/feature.ts";
import { refused } from "../../src/request/outcome.ts";
import type { Points } from "../../src/request/points.ts";
import { callsNoUserCode } from "../../src/session/read.ts";
import { findRaisable, raiseSession } from "../../src/sign_in/step_up.ts";
import { sourcesBelow } from "../../scripts/source_files.ts";
import { testRuntime } from "../_support/runtime.ts";
import { codeAt, enrol, resolvedFor } from "../_support/second_factor.ts";
import { testConfig } from "../_support/service.ts";
import { otherAdapter, type SessionKind, sessionKinds } from "../_support/session_kinds.ts";
import { openVisitedService, type Visitor } from "../_support/visitors.ts";

const TOLD = { sub: "1", email: "ada@example.com" };

function foreign(): Adapter {
  return withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } });
}

const SESSIONS = sessionKinds(foreign);

/** Lets everybody in, and then asks for more when it is told to. */
function strict(asks: () => boolean) {
  return makeFeature("strict", ["records"], () => {
    return Promise.resolve(
      {
        continues: ({ level }) => level >= 2 || !asks(),
        routes: {
          "POST challenge": async (ctx) => {
            const found = await findRaisable(ctx);
            if (!found) return refused(401, "nobody");
            const isRaised = await raiseSession(ctx, { ...found, methods: ["mfa", "otp"] });
            return refused(isRaised ? 404 : 400, "");
          },
        },
      } satisfies Points,
    );
  }, ["continues", "routes"]);
}

interface Read {
  readonly auth: { readonly level: number };
}

async function read(visitor: Visitor): Promise<Read | null> {
  return await (await visitor.get("/auth/session")).json();
}

function showingAuth(config: SessionKind): SessionKind {
  return {
    ...config,
    callbacks: { session: ({ session, auth }) => ({ expires: session.expires, user: session.user, auth }) },
  };
}

for (const [sessions, config] of Object.entries(SESSIONS)) {
  test(`a session that may not go on is none, but its cookie stays: sessions are ${sessions}`, async () => {
    let asks = false;
    const adapter = config().adapter;
    const service = await openVisitedService({
      ...showingAuth(config()),
      adapter,
      runtime: testRuntime(),
      features: [strict(() => asks)],
    });
    const ada = service.visitor();
    await ada.come("plain", TOLD);
    assert.equal((await read(ada))?.auth.level, 1, service.errors.join());
    asks = true;
    const token = ada.token;
    assert.equal(await read(ada), null);
    assert.equal(ada.token, token, "it was forgotten");
    // Nothing else may be done with it.
    const other = service.visitor();
    for (const [name, value] of ada.cookies) other.cookies.set(name, value);
    await other.come("plain", { sub: "2", email: "2@example.com" });
    const owner = await adapter.getUserByAccount?.({ provider: "plain", providerAccountId: "2" });
    assert.notEqual(owner?.email, TOLD.email, "an account was added");
  });

  test(`a session that may not go on is raised, or ends with a sign-out: sessions are ${sessions}`, async () => {
    let asks = false;
    const service = await openVisitedService({ ...showingAuth(config()), features: [strict(() => asks)] });
    const [ada, grace] = [service.visitor(), service.visitor()];
    await ada.come("plain", TOLD);
    await grace.come("plain", { sub: "3", email: "grace@example.com" });
    asks = true;
    assert.equal((await ada.post("/auth/challenge")).status, 404);
    assert.equal((await read(ada))?.auth.level, 2, service.errors.join());
    await grace.signOut();
    assert.equal(grace.token, undefined);
    assert.equal((await grace.post("/auth/challenge")).status, 401);
  });

  test(`with \`require\`, sessions of one factor end where a second one is needed: sessions are ${sessions}`, async () => {
    const adapter = config().adapter;
    let isAdmin = false;
    const seen: unknown[] = [];
    const admins = secondFactor({
      require: (user) => {
        seen.push(user);
        return isAdmin;
      },
    });
    const before = await openVisitedService({ ...config(), adapter });
    const [ada, holder] = [before.visitor(), before.visitor()];
    await ada.come("plain", TOLD);
    await holder.register("key@example.com");
    const pass = async (features: AuthConfig["features"]) => {
      const site = await openVisitedService({ ...config(), adapter, ...(features && { features }) });
      return await Promise.all([ada, holder].map(async ({ cookies }) => {
        const visitor = site.visitor();
        for (const [name, value] of cookies) if (!name.includes("csrf")) visitor.cookies.set(name, value);
        return await visitor.inside() !== null;
      }));
    };
    assert.deepEqual(await pass([]), [true, true]);
    assert.deepEqual(await pass([secondFactor({ require: "always" })]), [false, true]);
    assert.deepEqual(await pass([secondFactor()]), [true, true]);
    assert.deepEqual(await pass([admins]), [true, true]);
    isAdmin = true;
    assert.deepEqual(await pass([admins]), [false, true]);
    // As storage has them, and not as a cookie remembers them. Who has proven two factors is not looked up.
    assert.equal(seen.length, 2);
    for (const user of seen) assert.ok("emailVerified" in (user as object));
  });
}

for (const [sessions, config] of Object.entries(SESSIONS)) {
  test(`who signed in before everybody needs two factors gives the second one, and is in: sessions are ${sessions}`, async () => {
    const runtime = testRuntime();
    const adapter = config().adapter;
    const before = await openVisitedService({ ...config(), adapter, runtime });
    const known = before.visitor();
    await known.come("plain", TOLD);
    const { id } = await adapter.getUserByEmail?.(TOLD.email) ?? assert.fail();
    await enrol(resolvedFor(adapter, runtime), id);
    const features = [secondFactor({ require: "always" })];
    const service = await openVisitedService({ ...showingAuth(config()), adapter, runtime, features });
    const ada = service.visitor();
    for (const [name, value] of known.cookies) if (!name.includes("csrf")) ada.cookies.set(name, value);
    assert.equal(await read(ada), null);
    assert.equal((await ada.get("/auth/challenge?callbackUrl=/inside")).status, 200);
    await ada.post("/auth/challenge", { method: "totp", code: "000000" });
    assert.equal(await read(ada), null);
    const fields = { method: "totp", code: await codeAt(runtime), callbackUrl: "/inside" };
    const response = await ada.post("/auth/challenge", fields);
    assert.equal(response.headers.get("location"), "http://localhost:3000/inside", service.errors.join());
    assert.equal((await read(ada))?.auth.level, 2);
  });
}

test("guards and `require` lead somebody whose session may not go on to the challenge, and anybody else to the sign-in page", async () => {
  let asks = false;
  const { handler, auth, require } = createAuth(testConfig({
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    features: [strict(() => asks)],
    protect: ["/inside"],
  }));
  const origin = "https://app.test";
  const visit = async (cookie: string): Promise<string> => {
    const headers = { cookie, accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const request = () => new Request(`${origin}/inside?x=1`, { headers });
    const response = await auth(() => new Response("inside"))(request());
    const answer = response.headers.get("location") ?? await response.text();
    const required = await require(request()).then(() => "inside", (error: StepUpRequired) => error.url);
    assert.equal(required, answer);
    return answer;
  };
  const first = await handler(new Request(`${origin}/auth/csrf`));
  const { csrfToken } = await first.json();
  const [csrf = ""] = (first.headers.get("set-cookie") ?? "").split(";");
  const signedIn = await handler(
    new Request(`${origin}/auth/callback/credentials`, {
      method: "POST",
      headers: { cookie: csrf, origin, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken, username: "ada", password: "lovelace" }),
    }),
  );
  const session = signedIn.headers.getSetCookie().find((text) => text.includes("session-token")) ?? assert.fail();
  const [cookie = ""] = session.split(";");
  const back = encodeURIComponent(`${origin}/inside?x=1`);
  assert.equal(await visit(cookie), "inside");
  assert.equal(await visit(""), `${origin}/auth/signin?callbackUrl=${back}`);
  asks = true;
  assert.equal(await visit(cookie), `${origin}/auth/challenge?callbackUrl=${back}`);
  assert.equal(await visit(""), `${origin}/auth/signin?callbackUrl=${back}`);
});

test("a session is read without waiting for features only where none judges it", async () => {
  const judge = (acts: Parameters<typeof makeFeature>[3]) => makeFeature("f", [], () => Promise.resolve({}), acts);
  for (const [acts, expected] of [[["changed"], true], [["continues"], false], [["mint"], false]] as const) {
    const config = testConfig({ features: [judge(acts)], session: { strategy: "jwt" } });
    assert.equal(callsNoUserCode(await resolveConfig(config, testRuntime(), undefined)), expected, acts.join());
  }
});

test("only the step-up finds sessions that may not go on", async () => {
  const asking: string[] = [];
  for (const file of sourcesBelow("src")) {
    if (/unjudged: true/.test(await readFile(file, "utf8"))) asking.push(file);
  }
  assert.deepEqual(asking.map((file) => file.replace(/^.*src\//, "src/")), ["src/sign_in/step_up.ts"]);
});

test("a function of `require` that fails lets nobody in, and the log names it", async () => {
  let fails = false;
  const decide = () => {
    if (fails) throw new TypeError("no such column");
    return false;
  };
  const runtime = testRuntime();
  const adapter = memoryAdapter({ now: runtime.now });
  const service = await openVisitedService({ runtime, adapter, features: [secondFactor({ require: decide })] });
  const ada = service.visitor();
  await ada.come("plain", TOLD);
  assert.ok(await ada.session());
  fails = true;
  assert.equal(await ada.session(), null);
  const bob = service.visitor();
  await bob.come("plain", { sub: "2", email: "bob@example.com" });
  assert.equal(await bob.session(), null);
  assert.equal(service.errors.length, 2);
  for (const { message } of service.errors) assert.match(message, /`require` of `secondFactor` failed/);
  fails = false;
  assert.ok(await ada.session());
});
