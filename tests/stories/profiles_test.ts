/** Profiles that hold what storage and cookies cannot keep: nobody is locked out by a name or a picture. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig, CompleteAdapter, TokenSet, User } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { credentials } from "@x/auth/providers/credentials";
import { leadsTo, openMultiProvider } from "../_support/multi_provider.ts";
import { PLAIN } from "../_support/stores.ts";

const PICTURE = "https://example.com/ada.png";
const PHOTO = `data:image/png;base64,${"iVBORw0KGgo".repeat(6400)}`;

interface Told {
  readonly name?: unknown;
  readonly picture?: unknown;
}

/** What a provider tells, and what is shown of it. */
const PROFILES: Readonly<Record<string, readonly [told: Told, shown: Partial<User>]>> = {
  "a name that was cut inside an emoji": [{ name: "Ada \ud83d" }, { name: "Ada \ufffd" }],
  "a name that begins with half an emoji": [{ name: "\ude00 Ada" }, { name: "\ufffd Ada" }],
  "a name with an emoji": [{ name: "Ada \ud83d\ude00" }, { name: "Ada \ud83d\ude00" }],
  "a name with NUL": [{ name: "A\0d\0a" }, { name: "Ada" }],
  "a name of 70 kB": [{ name: "Ada ".repeat(17_500) }, { name: "Ada ".repeat(256) }],
  "a picture of 70 kB": [{ name: "Ada", picture: PHOTO }, { name: "Ada", image: null }],
  "a picture of 2049 characters": [{ name: "Ada", picture: `${PICTURE}?${"x".repeat(2021)}` }, {
    name: "Ada",
    image: null,
  }],
  "a picture of 2048 characters": [{ name: "Ada", picture: `${PICTURE}?${"x".repeat(2020)}` }, {
    name: "Ada",
    image: `${PICTURE}?${"x".repeat(2020)}`,
  }],
  "a picture with NUL and half an emoji": [{ name: "Ada", picture: `${PICTURE}?\0\ud83d` }, {
    name: "Ada",
    image: `${PICTURE}?\ufffd`,
  }],
};

/** Where somebody is kept. */
const KEPT: Readonly<Record<string, () => Pick<AuthConfig, "adapter" | "session">>> = {
  "in a sealed session": () => ({ session: { strategy: "jwt" } }),
  "in memory": () => ({ adapter: memoryAdapter() as Adapter }),
  "in SQLite": () => ({ adapter: sqliteAdapter(":memory:") as Adapter }),
  "in SQLite, with a sealed session": () => ({
    adapter: sqliteAdapter(":memory:") as Adapter,
    session: { strategy: "jwt" },
  }),
};

for (const [what, [told, shown]] of Object.entries(PROFILES)) {
  for (const [where, options] of Object.entries(KEPT)) {
    test(`somebody with ${what} gets in, and is stored ${where}`, async () => {
      const { visitor, come, log } = openMultiProvider(options() as AuthConfig & { adapter?: CompleteAdapter });
      for (const _ of ["first", "again"]) {
        const browser = visitor();
        assert.equal(leadsTo(await come(browser, "google", { sub: "ada", email: "ada@example.com", ...told })), "/");
        // Where there was never a picture, some storage says so and some says nothing.
        const { image = null, ...user } = (await browser.session())?.user ?? {};
        assert.deepEqual({ ...user, image }, { email: "ada@example.com", image: null, ...shown });
      }
      assert.deepEqual(log.errors, []);
    });
  }
}

/** A picture that no cookie holds. */
const LONG = `data:image/png;base64,${"iVBORw0KGgo".repeat(6000)}`.slice(0, 65_535);

/** An adapter with the operations of Auth.js, whose column for pictures has some length. */
function foreign(rows: CompleteAdapter, longest: number): CompleteAdapter {
  const taking = <User extends { image?: string | null | undefined }>(user: User): User => {
    if ((user.image?.length ?? 0) > longest) throw new Error("value too long for type character varying");
    return user;
  };
  return {
    ...Object.fromEntries(PLAIN.map((name) => [name, rows[name]])),
    createUser: (user) => rows.createUser(taking(user)),
    updateUser: (user) => rows.updateUser(taking(user)),
  } as CompleteAdapter;
}

interface Room {
  readonly isKept: boolean;
  open(t: { after(run: () => void): void }): CompleteAdapter | Promise<CompleteAdapter>;
}

const ROOM: Readonly<Record<string, Room>> = {
  "in memory": { open: () => memoryAdapter(), isKept: true },
  "in SQLite": { open: () => sqliteAdapter(":memory:"), isKept: true },
  "in Deno KV, which takes 60 KiB": {
    async open(t) {
      const kv = await Deno.openKv(":memory:");
      t.after(() => kv.close());
      return denoKvAdapter(kv);
    },
    isKept: false,
  },
  "by an adapter of Auth.js": { open: () => foreign(memoryAdapter(), Infinity), isKept: true },
  "by an adapter of Auth.js with a short column": { open: () => foreign(memoryAdapter(), 2048), isKept: false },
};

for (const [where, { open, isKept }] of Object.entries(ROOM)) {
  const runs = where.includes("Deno KV") && !("Deno" in globalThis) ? test.skip : test;
  for (const strategy of ["jwt", "database"] as const) {
    runs(
      `a picture of 65,535 characters is ${isKept ? "stored" : "left out"} ${where}, and is in no ${strategy} session`,
      async (t) => {
        for (const way of ["google", "password"]) {
          const adapter = await open(t);
          const given: unknown[] = [];
          const person = { name: "Ada", email: "ada@example.com", image: LONG };
          const { visitor, come, log } = openMultiProvider({
            adapter,
            session: { strategy },
            providers: [
              credentials({ id: "password", credentials: { name: {} }, authorize: () => ({ id: "ada", ...person }) }),
            ],
            callbacks: {
              session: ({ session, user }) => (given.push(user?.image), session),
            },
          });
          for (const _ of ["first", "again"]) {
            const browser = visitor();
            if (way === "password") await browser.signIn("password", { name: "ada" });
            else await come(browser, "google", { sub: "ada", name: "Ada", email: "ada@example.com", picture: LONG });
            const { name, image } = (await browser.session())?.user ?? {};
            assert.deepEqual([name, image ?? null], ["Ada", null]);
            if (strategy === "database") assert.equal(given.at(-1), isKept ? LONG : null);
          }
          const isStored = way === "google" || strategy === "database";
          const stored = await adapter.getUserByEmail("ada@example.com");
          assert.equal(stored?.image, isStored ? (isKept ? LONG : null) : undefined);
          assert.deepEqual(log.errors, []);
        }
      },
    );
  }
}

test("a picture of 65,536 characters is stored nowhere", async () => {
  const { visitor, come, adapter } = openMultiProvider({ adapter: memoryAdapter() });
  await come(visitor(), "google", { sub: "ada", email: "ada@example.com", picture: `${LONG}x` });
  assert.equal((await adapter.getUserByEmail("ada@example.com"))?.image, null);
});

test("a long picture is not shown with a stored session", async () => {
  const { visitor, come, adapter } = openMultiProvider({ adapter: memoryAdapter() });
  const browser = visitor();
  await come(browser, "google", { sub: "ada", email: "ada@example.com", picture: LONG });
  assert.equal((await adapter.getUserByEmail("ada@example.com"))?.image, LONG);
  assert.deepEqual((await browser.session())?.user, { email: "ada@example.com", image: null });
});

test("a picture of an earlier library, which is long, bursts no cookie", async () => {
  const adapter = memoryAdapter();
  const { visitor, verifyMailbox, log } = openMultiProvider({ adapter, session: { strategy: "jwt" } });
  await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: new Date(0), image: LONG });
  const browser = await verifyMailbox(visitor(), "ada@example.com");
  assert.deepEqual((await browser.session())?.user, { email: "ada@example.com", image: null });
  assert.deepEqual(log.errors, []);
});

test("other members of a profile are stored in a form that storage takes, however deep", async () => {
  const adapter = sqliteAdapter(":memory:");
  const since = new Date(0);
  const profile = () => ({
    id: "ada",
    name: "Ada",
    email: "ada@example.com",
    nick: "A\0\ud83d",
    homes: [{ "ci\0ty": "Lon\0don\ud83d", since, floors: 3, garden: null }],
  });
  const { visitor, come, log } = openMultiProvider({ adapter, idps: { google: { profile } } });
  assert.equal(leadsTo(await come(visitor(), "google", { sub: "ada" })), "/");
  const { nick, homes } = { ...await adapter.getUserByEmail("ada@example.com") } as Record<string, unknown>;
  assert.deepEqual({ nick, homes }, {
    nick: "A\ufffd",
    homes: [{ city: "London\ufffd", since, floors: 3, garden: null }],
  });
  assert.deepEqual(log.errors, []);
});

test("tokens of an account are kept as they came, whatever characters are in them", async () => {
  const { visitor, come, issuer, adapter } = openMultiProvider({ adapter: memoryAdapter() });
  issuer.grant({ access_token: "a\0b\ud83d", refresh_token: "\ud83d" });
  assert.equal(leadsTo(await come(visitor(), "google", { sub: "ada" })), "/");
  const account = await adapter.getAccount("ada", "google");
  assert.deepEqual([account?.access_token, account?.refresh_token], ["a\0b\ud83d", "\ud83d"]);
});

test("an id_token that holds a picture is not kept, whoever asks for it, and a plain one is", async () => {
  for (const account of [undefined, (tokens: TokenSet) => tokens]) {
    for (const [picture, isKept] of [[PHOTO, false], [PICTURE, true]] as const) {
      const seen: unknown[] = [];
      const { visitor, come, adapter } = openMultiProvider({
        idps: { google: account ? { account } : {} },
        callbacks: { signIn: ({ account }) => Boolean(seen.push(account?.id_token)) },
      });
      assert.equal(leadsTo(await come(visitor(), "google", { sub: "ada", picture })), "/");
      const kept = await adapter.getAccount("ada", "google");
      assert.equal(typeof seen[0], "string", "the application is given it");
      assert.deepEqual([kept?.id_token, kept?.token_type], [isKept ? seen[0] : undefined, "bearer"]);
    }
  }
});

for (const strategy of ["jwt", "database"] as const) {
  test(`a user whom authorize describes with such texts gets in (${strategy})`, async () => {
    const password = credentials({
      id: "password",
      credentials: { name: {} },
      authorize: () => ({ id: "ada", name: "A\0da \ud83d", email: "ada@example.com", image: PHOTO }),
    });
    const { visitor, log } = openMultiProvider({
      adapter: sqliteAdapter(":memory:"),
      session: { strategy },
      providers: [password],
    });
    const browser = visitor();
    await browser.signIn("password", { name: "ada" });
    assert.deepEqual((await browser.session())?.user, { name: "Ada \ufffd", email: "ada@example.com", image: null });
    assert.deepEqual(log.errors, []);
  });
}

test("ids and addresses are refused rather than changed into somebody else's", async () => {
  let known = { id: "ada\0", email: "ada@example.com" };
  const adapter = memoryAdapter();
  const password = credentials({ id: "password", credentials: { name: {} }, authorize: () => known });
  const { visitor } = openMultiProvider({ adapter, providers: [password] });
  await visitor().signIn("password", { name: "ada" });
  known = { id: "ada", email: "ada\0@example.com" };
  const browser = await visitor().signIn("password", { name: "ada" });
  assert.equal(browser.url.searchParams.get("error"), null);
  const ids = await Promise.all(["ada\0", "ada"].map(async (id) => (await adapter.getUser(id))?.email));
  assert.deepEqual(ids, ["ada@example.com", "ada\0@example.com"]);
});
