/** The conformance suite over every connection to SQLite that can run here. */
import { test } from "node:test";
import { conformanceCases } from "@x/auth/adapters/conformance";
import { CONNECTIONS } from "./sqlite_connections.ts";

for (const [name, open] of Object.entries(CONNECTIONS)) {
  for (const { name: what, run } of conformanceCases(open)) test(`sqliteAdapter() of ${name}: ${what}`, run);
}
