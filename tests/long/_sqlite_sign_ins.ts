/** Signs people in without end, and says of each that it is done: to be killed in the middle of it. */
import { writeSync } from "node:fs";
import process from "node:process";
import { sqliteAdapter } from "../../adapters/sqlite.ts";

const [path = "", life = ""] = process.argv.slice(-2);
const LATER = new Date(Date.UTC(2100, 0, 1));

/** The sign-ins of one visitor after another; several of these run at once. */
async function signIn(lane: number): Promise<never> {
  const adapter = sqliteAdapter(path, { busyTimeout: 30_000 });
  for (let n = 0;; n += 1) {
    const name = `${life}-${lane}-${n}`;
    const identifier = `${name}@example.com`;
    await adapter.createVerificationToken({ identifier, token: "hash", expires: LATER });
    await adapter.putRecord({ kind: "pending", id: name, version: 0, data: {} });
    const result = await adapter.commit({
      consume: { identifier, tokens: ["hash"], now: new Date() },
      createUser: { id: name, email: identifier, emailVerified: new Date() },
      records: {
        remove: [{ kind: "pending", id: name }],
        put: [{ kind: "password", id: name, userId: name, version: 0, data: { hash: name } }],
      },
      linkAccount: { userId: name, provider: "mock", providerAccountId: name, type: "oidc" },
      createSession: { sessionToken: name, userId: name, expires: LATER },
    });
    if (result !== "done") throw new Error(`${name}: ${result}`);
    // At once, unlike a stream: what was said must be true even if nothing else happens any more.
    writeSync(1, `${name}\n`);
  }
}

await Promise.all([0, 1, 2, 3].map(signIn));
