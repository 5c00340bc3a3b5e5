/** Adapters and callbacks that were written for Auth.js see here what they see there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AdapterUser, AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { HERE, openSide, type Side, THERE, type World } from "../_support/both_sides.ts";
import { plainOf } from "../_support/stores.ts";
import { NINETEEN, strict } from "../_support/strict_adapter.ts";

const ADA = { sub: "ada", name: "Ada", email: "ada@example.com" };
const SIDES: readonly Side[] = [HERE, THERE];
const STRATEGIES = ["database", "jwt"] as const;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A value without what is random or differs by a moment. */
function steady(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, member) => {
    if (typeof member !== "string") return member;
    return UUID.test(member) ? "(id)" : /^\d{4}-\d\d-\d\dT/.test(member) ? "(time)" : member;
  });
}

function staff(user: object = { id: "grace", name: "Grace", email: "grace@example.com" }) {
  return credentials({ credentials: { name: {} }, authorize: () => user as never });
}

// What comes in by every way, and goes on by what sessions do.
async function tour(world: World, adapter: Adapter): Promise<string[]> {
  const ada = world.visitor();
  const leads = [await ada.come("google", ADA), await ada.come("lax", { sub: "ada-2" })];
  leads.push(await world.visitor().come("lax", { ...ADA, sub: "not ada" }));
  leads.push(await ada.openLink(world, ADA.email), await world.visitor().openLink(world, "new@example.com"));
  if (ada.token().length < 100) {
    await adapter.updateSession?.({ sessionToken: ada.token(), expires: new Date(Date.now() + 20 * 86_400_000) });
  }
  await ada.session();
  leads.push(await ada.signOut());
  return leads;
}

for (const strategy of STRATEGIES) {
  test(`adapters are given the members that Auth.js gives them and no other (${strategy})`, async () => {
    const toured: unknown[] = [];
    for (const side of SIDES) {
      const { adapter, refused, called } = strict(memoryAdapter());
      const world = openSide(side, {
        adapter,
        session: { strategy },
        providers: side === HERE ? [passkey(), staff()] : [],
      });
      toured.push(await tour(world, adapter));
      assert.deepEqual(refused, [], side.name);
      if (side === THERE) continue;
      const grace = world.visitor();
      await grace.signIn("credentials", { name: "grace" });
      await grace.signIn("credentials", { name: "grace" });
      const key = world.visitor();
      assert.equal(await key.register("key@example.com"), "/");
      assert.equal(await key.elsewhere().authenticate(), "/");
      assert.deepEqual(refused, []);
      const unused = ["deleteUser", "unlinkAccount", "getAccount"];
      const stored = ["createSession", "getSessionAndUser", "updateSession", "deleteSession"];
      const expected = NINETEEN.filter((name) =>
        !unused.includes(name) && (strategy === "database" || !stored.includes(name))
      );
      assert.deepEqual(NINETEEN.filter((name) => called.has(name)), expected);
    }
    assert.deepEqual(toured[0], toured[1]);
  });
}

test("what is undone after a failure is undone with exact members", async () => {
  for (const failing of ["linkAccount", "createAuthenticator"] as const) {
    const rows = plainOf(memoryAdapter());
    const numbered = { ...rows, createUser: (user: AdapterUser) => rows.createUser({ ...user, id: "1" }) };
    const { adapter, refused, called } = strict({ ...numbered, [failing]: () => Promise.reject(new Error("down")) });
    const world = openSide(HERE, { adapter, providers: [passkey()] });
    assert.equal(await world.visitor().register("key@example.com"), "/auth/error Configuration");
    assert.ok(called.has("deleteUser"));
    assert.deepEqual(refused, []);
    assert.equal(await rows.getUserByEmail("key@example.com"), null);
  }
});

/** Storage that numbers its users, and fails at an id that is no number. */
function numbering(): Adapter & { readonly rows: Adapter } {
  const rows = plainOf(memoryAdapter());
  let last = 0;
  return {
    ...rows,
    rows,
    createUser: (user) => rows.createUser({ ...user, id: String(++last) }),
    getUser: (id) => {
      if (!/^\d+$/.test(id)) throw new TypeError(`invalid input syntax for type integer: "${id}"`);
      return rows.getUser(id);
    },
  };
}

test("whoever signs in by credentials is the same user each time, although storage numbers its users", async () => {
  const adapter = numbering();
  const { errors, visitor } = openSide(HERE, { adapter, session: { strategy: "database" }, providers: [staff()] });
  for (const _ of ["first", "second", "third"]) {
    const grace = visitor();
    assert.equal(await grace.signIn("credentials", {}), "/");
    assert.deepEqual((await grace.session())?.user, { name: "Grace", email: "grace@example.com" });
    assert.equal((await adapter.getSessionAndUser?.(grace.token()))?.user.id, "1");
  }
  assert.equal((await adapter.getUserByAccount?.({ provider: "credentials", providerAccountId: "grace" }))?.id, "1");
  assert.deepEqual(errors, []);
});

test("an id that `authorize` returns opens nobody else's user who happens to have it", async () => {
  const adapters: readonly Adapter[] = [numbering(), plainOf(memoryAdapter())];
  for (const adapter of adapters) {
    const ada = await adapter.createUser?.({ id: "1", email: ADA.email, emailVerified: null });
    assert.equal(ada?.id, "1");
    const providers = [staff({ id: "1", name: "Mallory", email: "mallory@example.com" })];
    const { visitor } = openSide(HERE, { adapter, session: { strategy: "database" }, providers });
    for (const _ of ["first", "second"]) {
      const mallory = visitor();
      assert.equal(await mallory.signIn("credentials", {}), "/");
      assert.deepEqual((await mallory.session())?.user, { name: "Mallory", email: "mallory@example.com" });
    }
    assert.deepEqual(await adapter.getUser?.("1"), ada);
    assert.notEqual((await adapter.getUserByEmail?.("mallory@example.com"))?.id, "1");
  }
});

test("storage whose ids are UUIDs stores whoever has another id under one of its own", async () => {
  const rows = plainOf(memoryAdapter());
  const checked = (id: string) => {
    if (!UUID.test(id)) throw new TypeError(`invalid input syntax for type uuid: "${id}"`);
    return id;
  };
  const adapter: Adapter = {
    ...rows,
    createUser: (user) => rows.createUser({ ...user, id: checked(user.id) }),
    getUser: (id) => rows.getUser(checked(id)),
  };
  const { visitor } = openSide(HERE, { adapter, session: { strategy: "database" }, providers: [staff()] });
  const ids = new Set<unknown>();
  for (const _ of ["first", "second"]) {
    const grace = visitor();
    assert.equal(await grace.signIn("credentials", {}), "/");
    ids.add((await adapter.getSessionAndUser?.(grace.token()))?.user.id);
  }
  assert.equal(ids.size, 1);
});

test("whoever signs in by credentials without an address is the same user each time", async () => {
  const adapter = numbering();
  const providers = [staff({ id: "grace", name: "Grace" })];
  const { errors, visitor } = openSide(HERE, { adapter, session: { strategy: "database" }, providers });
  for (const _ of ["first", "second"]) {
    const grace = visitor();
    assert.equal(await grace.signIn("credentials", {}), "/");
    assert.equal((await adapter.getSessionAndUser?.(grace.token()))?.user.id, "1");
  }
  assert.deepEqual(errors, []);
});

test("storage that is down is not taken for an id that it cannot look up", async () => {
  const adapter = numbering();
  const down = () => Promise.reject(new Error("down"));
  const config: AuthConfig = {
    session: { strategy: "database" },
    providers: [staff({ id: "grace", name: "Grace" })],
  };
  await openSide(HERE, { ...config, adapter }).visitor().signIn("credentials", {});
  let calls = 0;
  const failing: Adapter = {
    ...adapter,
    getUserByAccount: () => calls++ === 0 ? null : down() as never,
    getUser: down,
  };
  const { visitor } = openSide(HERE, { ...config, adapter: failing });
  assert.equal(await visitor().signIn("credentials", {}), "/auth/error Configuration");
  assert.equal(await adapter.getUser?.("2"), null);
});

test("a session callback is given the whole row and the whole user, but not the session token", async () => {
  const bodies: unknown[] = [];
  const given: Record<string, unknown>[] = [];
  for (const side of SIDES) {
    const session: NonNullable<AuthConfig["callbacks"]>["session"] = ({ session, user }) => {
      given.push({
        isDate: (session.expires as unknown) instanceof Date,
        hasVerified: "emailVerified" in (user ?? {}),
      });
      return session;
    };
    const { visitor } = openSide(side, { adapter: memoryAdapter(), callbacks: { session } });
    const ada = visitor();
    await ada.come("google", { ...ADA, email_verified: true });
    const body = await ada.session() ?? {};
    assert.equal("sessionToken" in body, side === THERE);
    const { sessionToken: _, ...rest } = body;
    assert.equal(rest.userId, (rest.user as AdapterUser).id);
    bodies.push(steady(rest));
  }
  assert.deepEqual(bodies[0], bodies[1]);
  assert.deepEqual(given[0], given[1]);
  assert.deepEqual(given[0], { isDate: true, hasVerified: true });
});

test("a session without a callback shows name, email and image, whatever the user has", async () => {
  const bodies: unknown[] = [];
  for (const side of SIDES) {
    const ada = openSide(side, { adapter: memoryAdapter() }).visitor();
    await ada.come("google", ADA);
    bodies.push(steady(await ada.session()));
  }
  assert.deepEqual(bodies[0], bodies[1]);
});

/** A row as mappers return it: the members are getters of a class. */
class Row {
  #row: Readonly<Record<string, unknown>>;

  constructor(row: object) {
    this.#row = row as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(row)) {
      if (name in this) continue;
      Object.defineProperty(Object.getPrototypeOf(this), name, {
        configurable: true,
        get(this: Row) {
          return this.#row[name];
        },
      });
    }
  }

  /** A member of its own that is an instance, too. */
  readonly balance: object = new Map([["EUR", 1]]);

  /** A mapper's connection, which is no member of the row. */
  get connection(): unknown {
    return new Map([["password", "secret of the database"]]);
  }
}

/** A row that says what it is as JSON. */
class JsonRow extends Row {
  readonly #json: object;
  readonly dataValues: object;

  constructor(row: object) {
    super(row);
    this.#json = row;
    this.dataValues = row;
  }

  toJSON(): unknown {
    return JSON.parse(JSON.stringify(this.#json));
  }
}

function mapped(make: new (row: object) => object): Adapter {
  const wrap = (answer: unknown): unknown => {
    if (typeof answer !== "object" || answer === null) return answer;
    if (Array.isArray(answer)) return answer.map(wrap);
    if ("session" in answer && "user" in answer) return { session: wrap(answer.session), user: wrap(answer.user) };
    return new make(answer);
  };
  const calls = Object.entries(plainOf(memoryAdapter())).map(([name, operation]) => [
    name,
    async (...args: unknown[]) => wrap(await (operation as (...args: unknown[]) => unknown)(...args)),
  ]);
  return Object.fromEntries(calls);
}

for (const [name, make] of [["getters of a class", Row], ["toJSON and getters", JsonRow]] as const) {
  for (const strategy of STRATEGIES) {
    test(`rows that are instances with ${name} keep their members (${strategy})`, async () => {
      const seen: unknown[] = [];
      for (const side of SIDES) {
        const told: unknown[] = [];
        const note =
          (name: string) => ({ user }: { user: { id?: string | undefined; email?: string | null | undefined } }) => {
            told.push([name, typeof user.id, user.email]);
          };
        const world = openSide(side, {
          // Auth.js copies the row of a session without its getters, so it is given plain rows.
          adapter: side === HERE ? mapped(make) : plainOf(memoryAdapter()),
          session: { strategy },
          events: { createUser: note("createUser"), signIn: note("signIn"), linkAccount: note("linkAccount") },
        });
        const ada = world.visitor();
        const leads = [await ada.come("google", ADA), await world.visitor().come("google", ADA)];
        const session = await ada.session();
        leads.push(await world.visitor().openLink(world, ADA.email));
        seen.push(steady([leads, told, session, world.errors.map(String)]));
      }
      assert.deepEqual(seen[0], seen[1]);
      const session = (seen[0] as unknown[])[2] as { user: unknown };
      assert.deepEqual(session.user, { name: ADA.name, email: ADA.email });
    });
  }

  test(`a callback sees every column of ${name}, and nothing of the mapper`, async () => {
    const users: object[] = [];
    const callbacks: AuthConfig["callbacks"] = {
      session: ({ session, user }) => {
        users.push(user ?? {});
        return session;
      },
    };
    const adapter = mapped(make);
    const ada = openSide(HERE, { adapter, callbacks }).visitor();
    await ada.come("google", ADA);
    const { id } = await adapter.getUserByEmail?.(ADA.email) ?? {};
    await adapter.updateUser?.({ id: String(id), role: "admin" } as never);
    await ada.session();
    const { id: _, ...rest } = users.at(-1) as AdapterUser;
    const own = make === Row ? { balance: new Map([["EUR", 1]]) } : {};
    assert.deepEqual(rest, { ...own, name: "Ada", email: ADA.email, emailVerified: null, role: "admin" });
  });
}

/** What is called while somebody new signs in, in order, and whether storage knows the user by then. */
async function callsOf(side: Side, strategy: "database" | "jwt", way: (world: World) => Promise<unknown>) {
  const calls: unknown[] = [];
  const adapter = memoryAdapter();
  const isKnown = async (id?: string) => await adapter.getUser(String(id)) !== null;
  const event = (name: string) => async ({ user }: { user: { id?: string | undefined } }) => {
    calls.push([name, await isKnown(user.id)]);
  };
  const world = openSide(side, {
    adapter,
    session: { strategy },
    events: {
      createUser: event("createUser"),
      updateUser: event("updateUser"),
      linkAccount: event("linkAccount"),
      signIn: event("signIn"),
    },
    callbacks: {
      async jwt({ token, user, trigger }) {
        if (user) calls.push(["jwt", trigger, await isKnown(user.id)]);
        return token;
      },
    },
  });
  await way(world);
  return calls;
}

const WAYS: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  "a new account": (world) => world.visitor().come("google", ADA),
  "a link by email": (world) => world.visitor().openLink(world, ADA.email),
  "a link for whoever came by an account": async (world) => {
    await world.visitor().come("google", ADA);
    await world.visitor().openLink(world, ADA.email);
  },
  "a second account": async (world) => {
    const ada = world.visitor();
    await ada.come("google", ADA);
    await ada.come("lax", { sub: "ada-2" });
  },
};

for (const strategy of STRATEGIES) {
  for (const [name, way] of Object.entries(WAYS)) {
    test(`events and callbacks.jwt come in the order of Auth.js, after the commit: ${name} (${strategy})`, async () => {
      const here = await callsOf(HERE, strategy, way);
      assert.deepEqual(here, await callsOf(THERE, strategy, way));
      assert.ok(here.length > 1 && here.every((call) => (call as unknown[]).at(-1) === true));
    });
  }
}

test("a jwt callback that fails leaves the user, and the next sign-in works", async () => {
  for (const side of SIDES) {
    const adapter = memoryAdapter();
    let isFirst = true;
    const callbacks: AuthConfig["callbacks"] = {
      jwt({ token }) {
        if (!isFirst) return token;
        isFirst = false;
        throw new Error("the database of roles is down");
      },
    };
    const { visitor } = openSide(side, { adapter, session: { strategy: "jwt" }, callbacks });
    const ada = visitor();
    assert.equal(await ada.come("google", ADA), "/auth/error Configuration", side.name);
    assert.equal(await ada.session(), null);
    const user = await adapter.getUserByEmail(ADA.email);
    assert.equal((await adapter.getUserByAccount({ provider: "google", providerAccountId: "ada" }))?.id, user?.id);
    assert.equal(await ada.come("google", ADA), "/");
    assert.deepEqual((await ada.session())?.user, { name: ADA.name, email: ADA.email });
    assert.deepEqual(await adapter.getUserByEmail(ADA.email), user);
  }
});

/** Storage that numbers its users, and refuses a number that is written as text, as Prisma does. */
function numberedInEarnest(make: (text: string) => number | bigint): Adapter {
  const rows = plainOf(memoryAdapter());
  let last = 0;
  const text = (id: unknown): string => {
    if (typeof id === "string") throw new TypeError("Invalid value provided. Expected Int, provided String.");
    return String(id);
  };
  const user = (row: AdapterUser | null) => row && { ...row, id: make(row.id) } as unknown as AdapterUser;
  const owned = <Row extends { userId: string }>(row: Row): Row => ({ ...row, userId: make(row.userId) as never });
  return {
    ...rows,
    createUser: async (given) => user(await rows.createUser({ ...given, id: String(++last) })) as AdapterUser,
    getUser: async (id) => user(await rows.getUser(text(id))),
    getUserByEmail: async (email) => user(await rows.getUserByEmail(email)),
    getUserByAccount: async (key) => user(await rows.getUserByAccount(key)),
    updateUser: async (given) => user(await rows.updateUser({ ...given, id: text(given.id) })) as AdapterUser,
    linkAccount: (account) => rows.linkAccount({ ...account, userId: text(account.userId) }),
    createSession: async (session) => owned(await rows.createSession({ ...session, userId: text(session.userId) })),
    getSessionAndUser: async (token) => {
      const found = await rows.getSessionAndUser(token);
      return found && { session: owned(found.session), user: user(found.user) as AdapterUser };
    },
    createAuthenticator: async (key) => owned(await rows.createAuthenticator({ ...key, userId: text(key.userId) })),
    getAuthenticator: async (id) => {
      const found = await rows.getAuthenticator(id);
      return found && owned(found);
    },
    listAuthenticatorsByUserId: async (id) => (await rows.listAuthenticatorsByUserId(text(id))).map(owned),
  };
}

for (const strategy of STRATEGIES) {
  for (const [kind, make] of [["numbers", Number], ["large integers", BigInt]] as const) {
    test(`users whose ids are ${kind} sign in by every way (${strategy})`, async () => {
      const toured: unknown[] = [];
      for (const side of SIDES) {
        const adapter = numberedInEarnest(make);
        const world = openSide(side, { adapter, session: { strategy } });
        toured.push(await tour(world, adapter));
      }
      assert.deepEqual(toured.at(0), toured.at(-1));
      const adapter = numberedInEarnest(make);
      const world = openSide(HERE, { adapter, session: { strategy }, providers: [passkey(), staff()] });
      for (const _ of ["first", "second"]) assert.equal(await world.visitor().signIn("credentials", {}), "/");
      const key = world.visitor();
      assert.equal(await key.register("key@example.com"), "/");
      assert.equal(await key.elsewhere().authenticate(), "/");
      // Another process, which has seen no row yet.
      const later = openSide(HERE, { adapter, session: { strategy }, providers: [passkey(), staff()] });
      assert.equal(await key.at(later).come("google", ADA), "/");
      assert.equal(await key.at(later).come("lax", { sub: "ada-2" }), "/");
      assert.deepEqual(later.errors.map(String), []);
    });
  }
}

/** Storage that fails to remove what is not there, as Prisma does. */
function failingForNothing(rows = plainOf(memoryAdapter())): Adapter {
  return {
    ...rows,
    deleteSession: async (token) => {
      if (!await rows.getSessionAndUser(token)) throw new Error("P2025: no record was found for a delete");
      return await rows.deleteSession(token);
    },
  };
}

test("whoever comes with the cookie of a session that is gone signs in and out, whatever storage says", async () => {
  for (const side of SIDES) {
    const adapter = failingForNothing();
    const { visitor } = openSide(side, { adapter });
    const ada = visitor();
    await ada.come("google", ADA);
    await adapter.deleteSession?.(ada.token());
    assert.equal(await ada.come("google", ADA), "/", side.name);
    assert.deepEqual((await ada.session())?.user, { name: ADA.name, email: ADA.email });
    await adapter.deleteSession?.(ada.token());
    assert.equal(await ada.signOut(), "/");
    assert.equal(ada.token(), "");
  }
});

test("a session that storage fails to end stops whoever would sign in over it", async () => {
  const rows = plainOf(memoryAdapter());
  const ada = openSide(HERE, { adapter: { ...rows, deleteSession: () => Promise.reject(new Error("down")) } })
    .visitor();
  await ada.come("google", ADA);
  assert.equal(await ada.come("google", ADA), "/auth/error Configuration");
});
