/** Signs people in without end: to be killed in the middle of it. */
import process from "node:process";
import { sqliteAdapter } from "../../adapters/sqlite.ts";
import { signInWithoutEnd } from "../_support/endless_sign_ins.ts";

const [path = "", life = ""] = process.argv.slice(-2);

// Several visitors at once.
await Promise.all(
  [0, 1, 2, 3].map((lane) => signInWithoutEnd(sqliteAdapter(path, { busyTimeout: 30_000 }), `${life}-${lane}`)),
);
