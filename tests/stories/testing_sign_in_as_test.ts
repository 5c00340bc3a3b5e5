/** `signInAs()` of the test kit gives what a real sign-in gives. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { password } from "@x/auth/providers/password";
import { resend } from "@x/auth/providers/resend";
import { testAuth, type Visitor, type World } from "@x/auth/testing";

const ADA = { name: "Ada", email: "ada@example.com", image: "https://example.com/ada.png" } as const;

const quiet = { error: () => {}, warn: () => {}, debug: () => {} };

/** Every call of the application, as text in which ids and times are equal. */
type Calls = string[];

function recording(calls: Calls): Pick<AuthConfig, "callbacks" | "events"> {
  const note = (name: string, message: object) => void calls.push(`${name} ${plain(message)}`);
  return {
    callbacks: {
      signIn: (message) => (note("callbacks.signIn", message), true),
      jwt: (message) => (note("callbacks.jwt", message), message.token),
      session: (message) => (note("callbacks.session", message), message.session),
    },
    events: Object.fromEntries(
      ["createUser", "updateUser", "linkAccount", "signIn", "signOut", "session"].map((name) => {
        return [name, (message: object) => note(`events.${name}`, message)];
      }),
    ),
  };
}

const ID =
  /^(?:(?:sealed:)?[0-9a-f-]{36}(?:\.\d+)?|[0-9a-f]{64}|access-\d+|\d{5,}|ada@example\.com|[\w-]{43}|ey[\w-]+\.[\w-]+\.[\w-]+)$/;
const KEPT: ReadonlySet<string> = new Set(["email", "identifier"]);

/** A value as text, with its members in order. */
function plain(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === "number" && member > 100_000) return "a number";
    if (typeof member === "string" && !KEPT.has(name) && ID.test(member)) return "an id";
    if (typeof member === "string" && /^\d{4}-\d\d-\d\dT/.test(member)) return "a time";
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => a < b ? -1 : 1));
  });
}

interface Left {
  readonly calls: Calls;
  readonly cookies: unknown;
  readonly rows: unknown;
  readonly session: string;
}

async function leftBy(
  config: (calls: Calls) => AuthConfig,
  signIn: (ada: Visitor, world: World) => Promise<unknown>,
): Promise<Left> {
  const calls: Calls = [];
  const world = testAuth({ logger: quiet, ...recording(calls), ...config(calls) }, { now: new Date("2031-05-06") });
  const ada = world.visitor();
  await signIn(ada, world);
  const session = plain(await ada.session());
  const cookies = ada.jar.all().map(({ value, made: _, ...cookie }) => plain({ ...cookie, length: value.length }))
    .toSorted();
  const user = await world.adapter.getUserByEmail?.(ADA.email);
  const rows = user && [
    user,
    await world.adapter.listAccountsByUserId?.(user.id),
    await world.adapter.listSessionsByUserId?.(user.id),
  ];
  return { calls, cookies, rows: plain(rows), session };
}

const PROFILE = { google: { ...ADA, picture: ADA.image }, github: { ...ADA, avatar_url: ADA.image } } as const;

describe("signInAs() leaves the cookies, rows and calls of a real sign-in", () => {
  const authorize = () => ({ id: "1", ...ADA });
  const ways: Readonly<Record<string, readonly [AuthConfig, Readonly<Record<string, unknown>>]>> = {
    google: [{ providers: [google()] }, PROFILE.google],
    github: [{ providers: [github()] }, PROFILE.github],
    resend: [{ providers: [resend({ from: "us@example.com" })] }, { email: ADA.email }],
    credentials: [{ providers: [credentials({ credentials: { password: { type: "password" } }, authorize })] }, {}],
  };
  for (const [provider, [config, given]] of Object.entries(ways)) {
    for (const strategy of ["jwt", "database"] as const) {
      for (const stored of [true, false]) {
        if (!stored && (strategy === "database" || provider === "resend")) continue;
        test(`with ${provider}, strategy ${strategy}, ${stored ? "with" : "without"} storage`, async () => {
          const make = () => ({ ...config, session: { strategy }, ...(stored && { adapter: memoryAdapter() }) });
          const real = await leftBy(make, (ada) => ada.signIn(provider, given));
          const user = provider === "credentials" ? { id: "1", ...ADA } : ADA;
          const same = await leftBy(make, (ada) => ada.signInAs(user));
          assert.ok(real.session.includes(ADA.email) && real.calls.length > 1, plain(real));
          if (stored && provider !== "credentials") assert.ok(plain(real.rows).includes(ADA.email));
          // What a provider says beside the user is its own.
          const shape = (calls: Calls) => calls.map((call) => call.replace(/"profile":\{[^}]*\}/, ""));
          assert.deepEqual({ ...same, calls: shape(same.calls) }, { ...real, calls: shape(real.calls) });
        });
      }
    }
  }
});

describe("signInAs()", () => {
  const open = (more: AuthConfig = {}) => {
    return testAuth({ providers: [google()], adapter: memoryAdapter(), logger: quiet, ...more });
  };

  test("signs in a user that was stored before, whatever their provider vouches for", async () => {
    const world = open({ providers: [google({ vouches: "no" })] });
    const user = await world.adapter.createUser?.({ ...ADA, id: "user-1", emailVerified: null });
    for (const who of [{ id: "user-1" }, { email: ADA.email }, { id: "user-1", ...ADA }]) {
      const ada = await world.visitor().signInAs(who);
      assert.equal((await ada.session())?.user?.email, user?.email);
    }
    assert.equal((await world.adapter.listSessionsByUserId?.("user-1"))?.length, 3);
  });

  test("stores a user with the id and the columns that the test wants", async () => {
    const world = open();
    await world.visitor().signInAs({ id: "user-7", role: "admin", ...ADA });
    const { id, role } = await world.adapter.getUserByEmail?.(ADA.email) as unknown as Record<string, unknown>;
    assert.deepEqual([id, role], ["user-7", "admin"]);
    await world.visitor().signInAs({ name: "Bob", email: "bob@example.com", role: "guest" });
    assert.equal(
      (await world.adapter.getUserByEmail?.("bob@example.com") as unknown as { role: string }).role,
      "guest",
    );
  });

  test("signs in with a password that nobody has chosen, and stores none", async () => {
    for (const strategy of ["jwt", "database"] as const) {
      const seen: unknown[] = [];
      const world = open({
        providers: [password, google()],
        session: { strategy },
        callbacks: { session: ({ session, auth }) => (seen.push(auth?.methods), session) },
      });
      const ada = await world.visitor().signInAs(ADA);
      assert.equal((await ada.session())?.user?.email, ADA.email);
      assert.deepEqual(seen.at(-1), ["pwd"]);
      const { id } = await world.adapter.getUserByEmail?.(ADA.email) as { id: string };
      assert.equal(await world.adapter.getRecord?.({ kind: "password", id }), null);
      await assert.rejects(world.visitor().signInAs({ name: "Nobody" }), /needs `email`/);
    }
  });

  test("has two factors if the test wants them", async () => {
    for (const strategy of ["jwt", "database"] as const) {
      const levels: unknown[] = [];
      const world = open({
        session: { strategy },
        callbacks: { session: ({ session, auth }) => (levels.push(auth?.level), session) },
      });
      for (const level of [1, 2] as const) await (await world.visitor().signInAs(ADA, { level })).session();
      assert.deepEqual(levels, [1, 2]);
    }
  });

  test("logs nothing of guards, which are those of the application", async () => {
    const logged: unknown[] = [];
    const logger = { ...quiet, warn: (code: unknown) => logged.push(code) };
    await testAuth((test) => {
      const { auth } = createAuth({ providers: [google()], protect: ["/members"], logger, ...test });
      return auth(() => new Response());
    }).visitor().signInAs(ADA);
    assert.deepEqual(logged, []);
  });

  test("says where it ended if the application refuses", async () => {
    const world = open({ callbacks: { signIn: ({ user }) => user.email !== ADA.email } });
    await assert.rejects(
      world.visitor().signInAs(ADA),
      /Cannot sign in as ada@example.com: it ended at .*AccessDenied/,
    );
    assert.ok(await (await world.visitor().signInAs({ email: "bob@example.com" })).session());
  });

  test("names what is missing", async () => {
    await assert.rejects(testAuth({ providers: [] }).visitor().signInAs(ADA), /has no provider/);
    await assert.rejects(open().visitor().signInAs(ADA, { provider: "gogle" }), /no such provider/);
    await assert.rejects(open().visitor().signIn("gogle"), /the providers are google/);
  });
});
