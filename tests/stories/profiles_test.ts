/** Profiles that hold what storage and cookies cannot keep: nobody is locked out by a name or a picture. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig, CompleteAdapter, TokenSet, User } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { credentials } from "@x/auth/providers/credentials";
import { leadsTo, openMultiProvider } from "../_support/multi_provider.ts";

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
