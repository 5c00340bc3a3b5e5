/** People who have accounts and sessions at a service of Better Auth when it is replaced by this library. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { type CompleteAdapter, createAuth, type Session } from "@x/auth";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { betterAuth, type BetterAuthDatabase, type BetterAuthMigration } from "@x/auth/migrate/better-auth";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { Authenticator } from "../_support/authenticator.ts";
import { type LoopbackProvider, startLoopbackProvider } from "../_support/migration_provider.ts";
import { type Peer, startPeer, Visitor } from "../_support/peers.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";

const SECRET = "the secret of Better Auth, longer than 32 characters";
const PASSWORD = "correct horse battery staple";
const PEOPLE = 200;

interface Databases {
  /** What Better Auth is told. */
  readonly url: string;
  readonly database: BetterAuthDatabase;
  readonly own: CompleteAdapter;
  close(): Promise<void>;
}

async function openSqlite(): Promise<Databases> {
  const folder = await mkdtemp(join(tmpdir(), "better-auth-"));
  const url = join(folder, "better-auth.db");
  const database = new DatabaseSync(url, { timeout: 5000 });
  database.exec("pragma journal_mode = wal");
  const own = sqliteAdapter(join(folder, "auth.db"), { synchronous: "normal" });
  return {
    url,
    database,
    own,
    async close() {
      database.close();
      own.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openPostgres(): Promise<Databases> {
  const server = await startPostgres(findPostgres());
  const pool = new pg.Pool({ connectionString: server.url });
  const own = postgresAdapter(pool);
  await own.migrate();
  return {
    url: server.url,
    database: pool,
    own,
    async close() {
      await pool.end();
      await server.stop();
    },
  };
}

const DATABASES = { SQLite: openSqlite, PostgreSQL: openPostgres };

for (const [name, open] of Object.entries(DATABASES)) {
  const skip = name === "PostgreSQL" && skipsWithoutPostgres(findPostgres(), "the migration from Better Auth");

  describe(`Better Auth with ${name}`, { skip }, () => {
    let databases: Databases;
    let provider: LoopbackProvider;
    let peer: Peer;
    let theirs: Peer["answer"];
    let migration: BetterAuthMigration;
    let ours: Peer["answer"];

    before(async () => {
      databases = await open();
      provider = startLoopbackProvider();
      peer = await startPeer("better_auth", { secret: SECRET, provider: provider.url, database: databases.url });
      theirs = peer.answer;
      migration = betterAuth({ adapter: databases.own, database: databases.database, secret: SECRET });
      ours = serve(migration);
    });

    after(async () => {
      await peer?.close();
      await provider?.close();
      await databases?.close();
    });

    function serve({ adapter, sessions, authorize }: BetterAuthMigration): Peer["answer"] {
      return createAuth({
        secret: "the secret of this library, longer than 32 characters",
        trustHost: true,
        adapter,
        logger: { error: () => {} },
        session: { migrateFrom: sessions },
        providers: [
          provider.entry("first"),
          credentials({ credentials: { email: {}, password: { type: "password" } }, authorize }),
          passkey(),
        ],
      }).handler;
    }

    const emailHere = async (visitor: Visitor): Promise<string | null> => {
      return (await visitor.readJson<Session | null>(ours, "/auth/session"))?.user?.email ?? null;
    };
    const emailThere = async (visitor: Visitor): Promise<string | null> => {
      const session = await visitor.readJson<Session | null>(theirs, "/api/auth/get-session?disableCookieCache=true");
      return session?.user?.email ?? null;
    };

    async function signUp(name: string): Promise<Visitor> {
      const visitor = new Visitor();
      await visitor.sendJson(theirs, "/api/auth/sign-up/email", {
        name,
        email: `${name}@mail.example`,
        password: PASSWORD,
      });
      return visitor;
    }

    async function signInAtProvider(visitor: Visitor, service: Peer["answer"], name: string): Promise<void> {
      const location = service === ours
        ? await visitor.post(ours, "/auth/signin/first")
        : (await visitor.sendJson<{ url: string }>(theirs, "/api/auth/sign-in/social", {
          provider: "first",
          callbackURL: "/",
        })).url;
      await (await visitor.send(service, await visitor.agree(location, name))).body?.cancel();
    }

    function signInHere(visitor: Visitor, name: string, password = PASSWORD): Promise<URL> {
      return visitor.post(ours, "/auth/callback/credentials", { email: `${name}@mail.example`, password });
    }

    test("nobody of 200 is signed out when the service is replaced", async () => {
      const disturbed: string[] = [];
      for (let n = 0; n < PEOPLE; n++) {
        const name = `p${n}`;
        const byProvider = n % 4 === 3;
        const visitor = byProvider ? new Visitor() : await signUp(name);
        if (byProvider) await signInAtProvider(visitor, theirs, name);
        const email = byProvider ? `${name}@first.example` : `${name}@mail.example`;
        assert.equal(await emailThere(visitor), email);
        // As a page asks for several things at once.
        const emails = await Promise.all([emailHere(visitor), emailHere(visitor), emailHere(visitor)]);
        emails.push(await emailHere(visitor));
        if (emails.some((each) => each !== email)) disturbed.push(`${name}: ${emails}`);
        assert.deepEqual(visitor.cookies.names("better-auth"), []);
      }
      assert.deepEqual(disturbed, []);
    });

    test("whoever signs out here is signed out there, and a copy of the old cookie opens nothing", async () => {
      const visitor = await signUp("leaving");
      const copy = new Visitor();
      for (const name of visitor.cookies.names("better-auth")) {
        const value = visitor.cookies.get(name)?.value;
        copy.cookies.store(`${name}=${value}; Path=/`, new URL(copy.origin));
      }
      assert.equal(await emailHere(visitor), "leaving@mail.example");
      assert.equal(await emailThere(copy), "leaving@mail.example");
      await visitor.post(ours, "/auth/signout");
      assert.equal(await emailHere(visitor), null);
      assert.equal(await emailHere(copy), null);
      assert.equal(await emailThere(copy), null);
    });

    test("whoever signs out there is signed out here", async () => {
      const visitor = await signUp("revoking");
      const elsewhere = new Visitor();
      const body = { email: "revoking@mail.example", password: PASSWORD };
      await elsewhere.sendJson(theirs, "/api/auth/sign-in/email", body);
      assert.equal(await emailHere(elsewhere), "revoking@mail.example");
      await visitor.sendJson(theirs, "/api/auth/revoke-sessions", {});
      assert.equal(await emailHere(visitor), null);
      assert.equal(await emailHere(elsewhere), null);
    });

    test("a password that was set there signs in here, and a wrong one does not", async () => {
      await signUp("typing");
      const visitor = new Visitor();
      assert.equal((await signInHere(visitor, "typing", "wrong")).searchParams.get("error"), "CredentialsSignin");
      assert.equal((await signInHere(visitor, "typing")).searchParams.get("error"), null);
      assert.equal(await emailHere(visitor), "typing@mail.example");
    });

    test("an account at a provider that was linked there signs in here, as the same user", async () => {
      const there = new Visitor();
      await signInAtProvider(there, theirs, "linked");
      const session = await there.readJson<{ user: { id: string } }>(theirs, "/api/auth/get-session");
      const visitor = new Visitor();
      await signInAtProvider(visitor, ours, "linked");
      assert.equal(await emailHere(visitor), "linked@first.example");
      assert.equal((await migration.adapter.getUserByEmail("linked@first.example"))?.id, session.user.id);
    });

    test("a passkey that was made there signs in here", async () => {
      const there = await signUp("touching");
      const device = new Authenticator();
      const options = await there.readJson<{ challenge: string }>(
        theirs,
        "/api/auth/passkey/generate-register-options",
      );
      const response = JSON.parse(await device.create(options));
      await there.sendJson(theirs, "/api/auth/passkey/verify-registration", { response, name: "key" });
      const visitor = new Visitor();
      const path = "/auth/webauthn-options/passkey?action=authenticate";
      const offered = await visitor.readJson<{ options: { challenge: string } }>(ours, path);
      const data = await device.get(offered.options);
      await visitor.post(ours, "/auth/callback/passkey", { action: "authenticate", data });
      assert.equal(await emailHere(visitor), "touching@mail.example");
    });

    test("a session with another secret is nobody's, which the first test would notice", async () => {
      const visitor = await signUp("stranger");
      const secret = "another secret, also longer than 32 characters";
      const service = serve(betterAuth({ adapter: databases.own, database: databases.database, secret }));
      assert.equal(await visitor.readJson(service, "/auth/session"), null);
      assert.equal(await emailHere(visitor), "stranger@mail.example");
    });

    test("after everything was copied, everybody goes on without Better Auth", async () => {
      const visitor = await signUp("last");
      const { users, sessions } = await migration.copyAll();
      assert.ok(users > PEOPLE && sessions > PEOPLE, `${users} users, ${sessions} sessions`);
      await peer.close();
      const service = createAuth({
        secret: "the secret of this library, longer than 32 characters",
        trustHost: true,
        adapter: databases.own,
        session: { migrateFrom: migration.sessions },
        providers: [provider.entry("first")],
      }).handler;
      assert.equal((await visitor.readJson<Session>(service, "/auth/session"))?.user?.email, "last@mail.example");
    });
  });
}
