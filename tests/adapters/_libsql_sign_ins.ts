/** Signs people in over libSQL without end: to be killed in the middle of it. */
import { createClient } from "@libsql/client";
import process from "node:process";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { signInWithoutEnd } from "../_support/endless_sign_ins.ts";

const [path = "", life = ""] = process.argv.slice(-2);

// Several visitors at once, over connections of their own.
await Promise.all([0, 1].map((lane) => {
  const client = createClient({ url: `file:${path}` });
  return signInWithoutEnd(sqliteAdapter(client, { busyTimeout: 30_000 }), `${life}-${lane}`);
}));
