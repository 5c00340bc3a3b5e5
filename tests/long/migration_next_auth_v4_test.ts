/** People who are signed in to a service of next-auth 4 when it is replaced by this library. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type AuthConfig, createAuth, type Session } from "@x/auth";
import { type SqliteAdapter, sqliteAdapter } from "@x/auth/adapters/sqlite";
import { nextAuthV4 } from "@x/auth/migrate/next-auth-v4";
import { credentials } from "@x/auth/providers/credentials";
import { type LoopbackProvider, startLoopbackProvider } from "../_support/migration_provider.ts";
import { type Peer, startPeer, Visitor } from "../_support/peers.ts";

const SECRET = "the secret of next-auth 4, longer than 32 characters";
const PEOPLE = 200;

for (const strategy of ["jwt", "database"] as const) {
  describe(`next-auth 4 with the strategy ${strategy}`, () => {
    let folder: string;
    let provider: LoopbackProvider;
    let peer: Peer;
    let adapter: SqliteAdapter | undefined;
    let handler: (request: Request) => Promise<Response>;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "next-auth-"));
      provider = startLoopbackProvider();
      const file = join(folder, "auth.db");
      adapter = strategy === "database" ? sqliteAdapter(file, { synchronous: "normal" }) : undefined;
      await adapter?.getUser("nobody"); // so that there are tables
      peer = await startPeer("next_auth_v4", {
        secret: SECRET,
        provider: provider.url,
        database: adapter ? file : null,
      });
      const password = credentials({
        credentials: { name: {} },
        authorize: ({ name }) => ({ id: String(name), name: String(name), email: `${name}@password.example` }),
      });
      const entry = provider.entry("first");
      const config: AuthConfig = {
        secret: SECRET,
        trustHost: true,
        basePath: "/api/auth",
        adapter,
        providers: adapter ? [entry] : [entry, password],
        session: { migrateFrom: nextAuthV4() },
      };
      ({ handler } = createAuth(config));
    });

    after(async () => {
      await peer?.close();
      await provider?.close();
      adapter?.close();
      await rm(folder, { recursive: true });
    });

    async function signIn(visitor: Visitor, service: Peer["answer"], name: string): Promise<string> {
      if (strategy === "jwt" && name.endsWith("0")) {
        await visitor.post(service, "/api/auth/callback/credentials", { name });
        return `${name}@password.example`;
      }
      const location = await visitor.post(service, "/api/auth/signin/first");
      await (await visitor.send(service, await visitor.agree(location, name))).body?.cancel();
      return `${name}@first.example`;
    }

    async function emailOf(visitor: Visitor, service: Peer["answer"]): Promise<string | null> {
      const session = await visitor.readJson<Session | null>(service, "/api/auth/session");
      return session?.user?.email ?? null;
    }

    test("nobody of 200 is signed out when the service is replaced", async () => {
      const disturbed: string[] = [];
      for (let n = 0; n < PEOPLE; n++) {
        const [visitor, name] = [new Visitor(), `p${n}`];
        const email = await signIn(visitor, peer.answer, name);
        assert.equal(await emailOf(visitor, peer.answer), email);
        const copy = visitor.cookies.get("next-auth.session-token")?.value;
        assert.ok(copy);
        const emails = [await emailOf(visitor, handler), await emailOf(visitor, handler)];
        if (emails.some((each) => each !== email)) disturbed.push(`${name}: ${emails}`);
        assert.deepEqual(visitor.cookies.names("session-token"), ["authjs.session-token"]);
        await visitor.post(handler, "/api/auth/signout");
        assert.equal(await emailOf(visitor, handler), null);
        if (strategy === "database") {
          visitor.cookies.store(`next-auth.session-token=${copy}; Path=/`, new URL(visitor.origin));
          assert.equal(await emailOf(visitor, handler), null);
        }
        // The same person with the same account is the same user.
        assert.equal(await signIn(visitor, handler, name), email);
        assert.equal(await emailOf(visitor, handler), email);
      }
      assert.deepEqual(disturbed, []);
    });

    test("a service with another secret signs everybody out, which the test above would notice", async () => {
      if (strategy === "database") return;
      const visitor = new Visitor();
      await signIn(visitor, peer.answer, "somebody");
      const migrateFrom = nextAuthV4({ secret: "another secret, longer than 32 characters" });
      const config = { secret: SECRET, trustHost: true, basePath: "/api/auth", session: { migrateFrom } };
      assert.equal(
        await emailOf(visitor, createAuth({ ...config, providers: [provider.entry("first")] }).handler),
        null,
      );
    });
  });
}
