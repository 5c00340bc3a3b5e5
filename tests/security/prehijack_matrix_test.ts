/**
 * V26: who registers with an address, and who proves it: every way of each, in every order, over every kind of storage.
 *
 * Afterwards nothing that the impostor had opens the user of whoever proved the address, who loses nothing.
 */
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import pg from "pg";
import type { Adapter, CompleteAdapter } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { betterAuth } from "@x/auth/migrate/better-auth";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { Authenticator } from "../_support/authenticator.ts";
import { BetterAuthTables, hashPassword, OTHER_SECRET } from "../_support/better_auth_tables.ts";
import type { Browser } from "../_support/browser.ts";
import {
  type MultiProvider,
  type MultiProviderOptions,
  openMultiProvider,
  type Person,
} from "../_support/multi_provider.ts";
import { type PasskeyHolder, passkeyHolder } from "../_support/passkey_holder.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";
import { strict } from "../_support/strict_adapter.ts";

/** Providers by what their word is worth. */
const IDPS = {
  vouching: {},
  linking: { allowDangerousEmailAccountLinking: true },
  other: {},
  hosted: { vouches: "no" },
  domain: { vouches: "own domain", ownDomains: { claim: "hd" } },
} satisfies MultiProviderOptions<Adapter>["idps"];

/** A way of an impostor: a provider, and what it says about the address. It vouches for nobody's. */
interface ImpostorWay {
  readonly name: string;
  readonly idp: keyof typeof IDPS | null;
  readonly says?: Readonly<Record<string, unknown>>;
  /** Whether the user was registered at Better Auth, before the switch. @default {false} */
  readonly isFormer?: boolean;
}

const IMPOSTORS: readonly ImpostorWay[] = [
  { name: "a provider that says that it did not verify the address", idp: "other", says: { email_verified: false } },
  { name: "a provider that says nothing about the address", idp: "other", says: {} },
  { name: "a provider whose addresses link, that did not verify it", idp: "linking", says: { email_verified: false } },
  { name: "software that anybody hosts, whose word is no proof", idp: "hosted", says: { email_verified: true } },
  {
    name: "a provider that vouches for another domain",
    idp: "domain",
    says: { email_verified: true, hd: "other.example" },
  },
  { name: "a passkey", idp: null },
];

/** The way of those who registered before, where the migration finds them. */
const FORMER: ImpostorWay = { name: "an account of Better Auth", idp: "other", says: {}, isFormer: true };

const PASSWORD = "of the impostor";
const PASSWORD_HASH = hashPassword(PASSWORD);

/** A way to prove an address. */
interface VictimWay {
  readonly name: string;
  readonly idp: keyof typeof IDPS | null;
  readonly says?: Readonly<Record<string, unknown>>;
}

const VICTIMS: readonly VictimWay[] = [
  { name: "a link", idp: null },
  { name: "a provider that vouches", idp: "vouching" },
  { name: "a provider that vouches and whose addresses link", idp: "linking" },
  { name: "a provider that vouches for the domain", idp: "domain", says: { hd: "example.com" } },
];

/** Storage over which the people are told. */
interface Kind {
  readonly name: string;
  readonly skip?: boolean;
  /** Whether accounts of a user can be listed. Where they cannot, an account of the impostor stays. */
  readonly lists: boolean;
  open(): Promise<{ readonly rows: CompleteAdapter; readonly close?: () => Promise<void> | void }>;
  /** What the service is given of the rows. @default all */
  readonly given?: (rows: CompleteAdapter) => Adapter;
  /** Whether the users of Better Auth are taken over. @default {false} */
  readonly migrates?: boolean;
}

const bin = findPostgres();
const kv = (globalThis as { Deno?: { openKv?: (path: string) => Promise<Parameters<typeof denoKvAdapter>[0]> } }).Deno;

const KINDS: readonly Kind[] = [
  { name: "memory", lists: true, open: () => Promise.resolve({ rows: memoryAdapter() }) },
  {
    name: "SQLite",
    lists: true,
    open() {
      const rows = sqliteAdapter(":memory:");
      return Promise.resolve({ rows, close: () => rows.close() });
    },
  },
  {
    name: "Deno KV",
    lists: true,
    skip: typeof kv?.openKv !== "function",
    async open() {
      const opened = await kv?.openKv?.(":memory:");
      assert.ok(opened);
      return { rows: denoKvAdapter(opened), close: () => (opened as unknown as { close(): void }).close() };
    },
  },
  {
    name: "PostgreSQL",
    lists: true,
    skip: skipsWithoutPostgres(bin, "The prehijack matrix on PostgreSQL"),
    async open() {
      const server = await startPostgres(bin);
      const pool = new pg.Pool({ connectionString: server.url, max: 8 });
      const rows = postgresAdapter(pool);
      await rows.migrate();
      return {
        rows,
        async close() {
          await pool.end();
          await server.stop();
        },
      };
    },
  },
  {
    name: "the nineteen operations of Auth.js",
    lists: false,
    open: () => Promise.resolve({ rows: memoryAdapter() }),
    given: (rows) => strict(rows).adapter,
  },
  {
    name: "a migration from Better Auth",
    lists: true,
    migrates: true,
    open: () => Promise.resolve({ rows: memoryAdapter() }),
  },
];

/** What happens before one of the calls to storage. */
class Interruption {
  #left = -1;
  #act: () => Promise<unknown> = () => Promise.resolve();

  before(call: number, act: () => Promise<unknown>): void {
    [this.#left, this.#act] = [call, act];
  }

  /** Stops waiting. Tells whether it has happened. */
  end(): boolean {
    const happened = this.#left < 0;
    this.#left = -1;
    return happened;
  }

  around(adapter: Adapter): Adapter {
    return Object.fromEntries(
      Object.entries(adapter).map(([name, operation]) => [name, async (...args: unknown[]) => {
        if (this.#left >= 0 && this.#left-- === 0) await this.#act();
        return await (operation as (...args: unknown[]) => unknown)(...args);
      }]),
    );
  }
}

interface Stage extends MultiProvider<Adapter> {
  readonly kind: Kind;
  readonly rows: CompleteAdapter;
  readonly interruption: Interruption;
  /** The tables of Better Auth. */
  readonly former: BetterAuthTables;
}

let count = 0;

/** Two people and an address. */
class Scene {
  readonly address: string;
  readonly #number = ++count;
  /** The authenticator of each, and the passkeys on it. */
  readonly impostorKeys: Authenticator;
  readonly victimKeys: Authenticator;
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.address = `victim-${this.#number}@example.com`;
    const { origin } = stage.visitor();
    this.impostorKeys = new Authenticator({ origin });
    this.victimKeys = new Authenticator({ origin });
  }

  get impostor(): Person {
    return { sub: `impostor-${this.#number}`, name: "Victim", email: this.address };
  }

  /** The impostor under their own name, at a provider that vouches for that. */
  get mallory(): Person {
    return { sub: `mallory-${this.#number}`, email: `mallory-${this.#number}@example.com`, email_verified: true };
  }

  get victim(): Person {
    return { sub: `victim-${this.#number}`, name: "Victim", email: this.address, email_verified: true };
  }

  holder(keys: Authenticator = this.impostorKeys, browser: Browser = this.#stage.visitor()): PasskeyHolder {
    return passkeyHolder(browser, keys);
  }

  /** The impostor comes, by their way. */
  async register({ idp, says, isFormer }: ImpostorWay): Promise<Browser> {
    if (isFormer) return this.#registerBefore(this.#stage.former);
    if (idp === null) {
      const holder = this.holder();
      await holder.register(this.address);
      return holder.browser;
    }
    const browser = this.#stage.visitor();
    await this.#stage.come(browser, idp, { ...this.impostor, ...says });
    return browser;
  }

  #registerBefore(former: BetterAuthTables): Browser {
    const id = `former-${this.#number}`;
    former.addUser(id, { email: this.address, emailVerified: 0 });
    former.addAccount(id, { providerId: "other", accountId: this.impostor.sub });
    former.addAccount(id, { accountId: id, providerId: "credential", password: PASSWORD_HASH });
    const browser = this.#stage.visitor();
    const session = encodeURIComponent(former.addSession(id));
    browser.cookies.store(`better-auth.session_token=${session}; Path=/`, browser.url);
    return browser;
  }

  /** The victim comes, and proves the address: where the provider's word does not suffice, by a link. */
  async prove({ idp, says }: VictimWay): Promise<Browser> {
    const browser = this.#stage.visitor();
    if (idp !== null) await this.#stage.come(browser, idp, { ...this.victim, ...says });
    return await this.isIn(browser) ? browser : await this.#stage.verifyMailbox(browser, this.address);
  }

  /** Whether a browser is signed in as the user who has the address. */
  async isIn(browser: Browser): Promise<boolean> {
    return (await browser.session())?.user?.email === this.address;
  }

  async accounts(): Promise<string[]> {
    const { rows } = this.#stage;
    const user = await rows.getUserByEmail(this.address);
    const accounts = user ? await rows.listAccountsByUserId(user.id) : [];
    return accounts.map(({ provider, providerAccountId }) => `${provider}/${providerAccountId}`);
  }

  /** Checks that nothing of the impostor is left in the user of the victim. */
  async assertLeft(browsers: readonly Browser[], already: readonly string[] = []): Promise<void> {
    const { kind, rows } = this.#stage;
    for (const browser of browsers) assert.equal(await this.isIn(browser), false, "a session of the impostor");
    const theirs = (await this.accounts()).filter((account) => {
      return account.includes("impostor-") || account.includes("mallory-");
    });
    // What storage cannot list stays: this alone, and nothing that was added later.
    assert.deepEqual(theirs, kind.lists ? [] : already, "accounts of the impostor");
    if (!kind.lists) return;
    const user = await rows.getUserByEmail(this.address);
    const owned = await rows.listAuthenticatorsByUserId(user?.id ?? "");
    assert.ok(owned.length <= this.victimKeys.passkeys.length, "credentials of the impostor");
  }

  /** Checks that nothing of the impostor opens the user of the victim, or belongs to it. */
  async assertOut(browsers: readonly Browser[], way: ImpostorWay, already: readonly string[] = []): Promise<void> {
    const { kind, visitor, come } = this.#stage;
    await this.assertLeft(browsers, already);
    for (const key of this.impostorKeys.passkeys) {
      const holder = this.holder();
      await holder.authenticate().catch(() => false);
      assert.equal(await this.isIn(holder.browser), false, `a passkey of the impostor (${key.id})`);
    }
    if (!kind.lists) return;
    const again = visitor();
    if (way.idp) await come(again, way.idp, { ...this.impostor, ...way.says });
    else await this.holder(this.impostorKeys, again).register(this.address);
    assert.equal(await this.isIn(again), false, "a new sign-in of the impostor");
    await come(again, "vouching", this.mallory);
    assert.equal(await this.isIn(again), false, "another account of the impostor");
    if (!way.isFormer) return;
    const byPassword = visitor();
    await byPassword.signIn("credentials", { email: this.address, password: PASSWORD });
    assert.equal(await this.isIn(byPassword), false, "the password of the impostor");
  }
}

/** The impostor gathers all that a user can have: another session, an account under another name, and a passkey. */
async function gather(scene: Scene, stage: Stage, way: ImpostorWay): Promise<Browser[]> {
  const first = await scene.register(way);
  assert.equal(await scene.isIn(first), true);
  const second = stage.visitor();
  if (way.idp) await stage.come(second, way.idp, { ...scene.impostor, ...way.says });
  else await scene.holder(undefined, second).authenticate();
  assert.equal(await scene.isIn(second), true);
  await stage.come(first, "vouching", scene.mallory);
  assert.equal(await scene.holder(undefined, second).register(), true);
  return [first, second];
}

/** What storage that cannot list accounts leaves to the impostor. */
function unlistedOf(way: ImpostorWay, accounts: readonly string[]): string[] {
  const theirs = accounts.filter((account) => account.includes("impostor-") || account.includes("mallory-"));
  return way.idp ? theirs : theirs.filter((account) => account.includes("mallory-"));
}

async function impostorFirst(stage: Stage, way: ImpostorWay, proof: VictimWay): Promise<void> {
  const scene = new Scene(stage);
  const browsers = await gather(scene, stage, way);
  const before = unlistedOf(way, await scene.accounts());
  const victim = await scene.prove(proof);
  assert.equal(await scene.isIn(victim), true);
  await scene.assertOut(browsers, way, before);
  await assertKept(scene, stage, victim, proof);
}

/** The victim adds a passkey, and comes back in each way. */
async function assertKept(scene: Scene, stage: Stage, victim: Browser, proof: VictimWay): Promise<void> {
  assert.equal(await scene.isIn(victim), true, "the session of the victim");
  const id = (await stage.rows.getUserByEmail(scene.address))?.id;
  if (scene.victimKeys.passkeys.length === 0) {
    assert.equal(await scene.holder(scene.victimKeys, victim).register(), true);
  }
  const byKey = scene.holder(scene.victimKeys);
  assert.equal(await byKey.authenticate(), true, "the passkey of the victim");
  assert.equal(await scene.isIn(byKey.browser), true);
  const again = await scene.prove(proof);
  assert.equal(await scene.isIn(again), true, "a new sign-in of the victim");
  assert.equal((await stage.rows.getUserByEmail(scene.address))?.id, id, "the same user");
  assert.equal(await scene.isIn(victim), true, "the session from before");
}

async function victimFirst(stage: Stage, way: ImpostorWay, proof: VictimWay): Promise<void> {
  const scene = new Scene(stage);
  const victim = await scene.prove(proof);
  const own = scene.holder(scene.victimKeys, victim);
  assert.equal(await own.register(), true);
  const before = await scene.accounts();
  const mallory = await scene.register(way).catch(() => stage.visitor());
  await scene.assertOut([mallory], way);
  assert.deepEqual(await scene.accounts(), before);
  await assertKept(scene, stage, victim, proof);
  // The first link is no proof for who was proven before.
  const linked = await scene.prove({ name: "", idp: null });
  assert.equal(await scene.isIn(linked), true);
  assert.equal(await scene.isIn(victim), true, "the session of whoever had proven the address before");
  // Without a field for it, nobody knows whom a provider vouched for: passkeys go, and no account.
  const forgets = !stage.kind.lists && proof.idp !== null;
  const kept = forgets ? before.filter((account) => !account.startsWith("passkey/")) : before;
  assert.deepEqual((await scene.accounts()).toSorted(), kept.toSorted());
  if (forgets) return;
  assert.equal(await scene.holder(scene.victimKeys).authenticate(), true);
}

/** All that takes more than one request has begun before the proof, and goes on after it. */
async function underWay(stage: Stage, way: ImpostorWay, proof: VictimWay): Promise<void> {
  const scene = new Scene(stage);
  const browsers = await gather(scene, stage, way);
  const before = unlistedOf(way, await scene.accounts());
  const [adding, , entering] = [browsers[0] as Browser, browsers[1], stage.visitor()];
  const other = { ...scene.mallory, sub: `${scene.mallory.sub}-more`, email: `more-${scene.mallory.email}` };
  const addition = await stage.leave(adding, "vouching");
  const sign_in = way.idp && await stage.leave(entering, way.idp);
  const registering = await scene.holder(undefined, adding).begin("register");
  const keyed = stage.visitor();
  browsers.push(keyed);
  const authenticating = await scene.holder(undefined, keyed).begin("authenticate");
  const victim = await scene.prove(proof);
  await stage.comeBack(adding, addition, other);
  // A user who lost the address may go on, without it.
  await registering.finish().catch(() => false);
  await authenticating.finish().catch(() => false);
  if (stage.kind.lists && way.idp && sign_in) {
    await stage.comeBack(entering, sign_in, { ...scene.impostor, ...way.says });
    browsers.push(entering);
  }
  await scene.assertOut(browsers, way, before);
  await assertKept(scene, stage, victim, proof);
}

/** What the impostor does in one request that another overtakes. */
const ACTS: Readonly<Record<string, (scene: Scene, stage: Stage, browser: Browser, way: ImpostorWay) => unknown>> = {
  "reads the session": (_scene, _stage, browser) => browser.session(),
  "adds an account": (scene, stage, browser) => {
    return stage.come(browser, "vouching", { ...scene.mallory, sub: `${scene.mallory.sub}-more` });
  },
  "adds a passkey": (scene, _stage, browser) => scene.holder(undefined, browser).register(),
  "signs in with a passkey": (scene, _stage, browser) => scene.holder(undefined, browser).authenticate(),
  "signs in again": (scene, stage, browser, { idp, says }) => {
    return idp && stage.kind.lists && stage.come(browser, idp, { ...scene.impostor, ...says });
  },
  "ends all sessions": (_scene, { auth, kind }, browser) => kind.lists && auth.sessions.revokeAll(requestOf(browser)),
  "ends the other sessions": (_scene, { auth, kind }, browser) => {
    return kind.lists && auth.sessions.revokeOthers(requestOf(browser));
  },
};

function requestOf(browser: Browser): Request {
  const url = new URL("/", browser.origin);
  const cookie = browser.cookies.headerFor(url, { sameSite: true, safe: true }) ?? "";
  return new Request(url, { headers: { cookie, "sec-fetch-site": "same-origin" } });
}

/** The most calls to storage of an act. */
const MOST_CALLS = 30;

/** The proof comes before each call to storage that the impostor's act makes, in turn. */
async function overtaken(stage: Stage, name: string, way: ImpostorWay, proof: VictimWay): Promise<void> {
  const { interruption } = stage;
  for (let call = 0; call < MOST_CALLS; call++) {
    const scene = new Scene(stage);
    const browsers = await gather(scene, stage, way);
    const before = unlistedOf(way, await scene.accounts());
    const [acting = stage.visitor()] = browsers;
    let victim: Browser | undefined;
    interruption.before(call, async () => void (victim = await scene.prove(proof)));
    try {
      await ACTS[name]?.(scene, stage, acting, way);
    } catch {
      // It may fail. What counts is what is left.
    }
    if (!interruption.end()) return;
    assert.ok(victim);
    await scene.assertLeft(browsers, before);
    const holder = scene.holder();
    await holder.authenticate().catch(() => false);
    assert.equal(await scene.isIn(holder.browser), false, "the last passkey of the impostor");
    assert.equal(await scene.isIn(victim), true, "the session of the victim");
  }
  assert.fail(`${name} takes more than ${MOST_CALLS} calls`);
}

const [BY_PROVIDER] = IMPOSTORS as readonly [ImpostorWay];
const [BY_LINK] = VICTIMS as readonly [VictimWay];

for (const kind of KINDS) {
  describe(kind.name, { skip: kind.skip ?? false }, () => {
    let stage: Stage;
    let close: (() => Promise<void> | void) | undefined;
    before(async () => {
      const opened = await kind.open();
      close = opened.close;
      const interruption = new Interruption();
      const given = interruption.around(kind.given?.(opened.rows) ?? opened.rows);
      const former = new BetterAuthTables();
      const migration = kind.migrates
        ? betterAuth({ adapter: given as CompleteAdapter, database: former.database, secret: OTHER_SECRET })
        : null;
      const password = credentials({
        credentials: { email: {}, password: {} },
        authorize: (fields) => migration?.authorize(fields) ?? null,
      });
      const service = openMultiProvider<Adapter>({
        adapter: migration?.adapter ?? given,
        ...(migration && { session: { migrateFrom: migration.sessions } }),
        idps: IDPS,
        providers: [passkey(), ...(migration ? [password] : [])],
        mayFail: true,
      });
      stage = { ...service, kind, rows: opened.rows, interruption, former };
    });
    after(() => close?.());

    const ORDERS = { "impostor first": impostorFirst, "victim first": victimFirst, "under way": underWay };
    for (const [order, tell] of Object.entries(ORDERS)) {
      for (const way of kind.migrates ? [FORMER] : IMPOSTORS) {
        for (const proof of VICTIMS) {
          test(`${kind.name}, ${order}: ${way.name} against ${proof.name}`, () => tell(stage, way, proof));
        }
      }
    }
    for (const name of Object.keys(ACTS)) {
      test(`${kind.name}, overtaken: the impostor ${name} while the address is proven`, () => {
        return overtaken(stage, name, kind.migrates ? FORMER : BY_PROVIDER, BY_LINK);
      });
    }
  });
}
