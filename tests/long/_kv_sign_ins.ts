/** Signs people in over a Deno KV file until it is killed, and writes down each name once it is acknowledged. */
import { denoKvAdapter } from "../../adapters/deno_kv.ts";

const WORKERS = 8;

const [path = "", life = ""] = Deno.args;
const adapter = denoKvAdapter(await Deno.openKv(path));
const expires = new Date(Date.UTC(2100, 0, 1));

/** A new person signs in, and then again: the former sessions go, the account is changed, another session is made. */
async function signIn(name: string): Promise<void> {
  const account = { provider: "idp", providerAccountId: name };
  await adapter.commit({
    createUser: { id: name, email: `${name}@example.com`, emailVerified: null },
    records: { put: [{ kind: "password", id: name, userId: name, version: 0, data: { hash: "of another" } }] },
    linkAccount: { ...account, userId: name, type: "oidc" },
    createSession: { userId: name, sessionToken: `first-${name}`, expires },
  });
  await adapter.commit({
    updateUser: { id: name, emailVerified: expires },
    evict: { userId: name, email: `${name}@example.com` },
    records: { put: [{ kind: "password", id: name, userId: name, group: "g", version: 0, data: { hash: name } }] },
    updateAccount: { ...account, access_token: "new" },
    createSession: { userId: name, sessionToken: `second-${name}`, expires },
  });
}

async function work(worker: number): Promise<void> {
  for (let count = 0;; count++) {
    const name = `${life}-${worker}-${count}`;
    await signIn(name);
    // Written at once, so that what was said before the end has been said.
    Deno.stdout.writeSync(new TextEncoder().encode(`${name}\n`));
  }
}

await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
