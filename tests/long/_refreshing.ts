/** Asks for access tokens, at once when told to, or without end: then to be killed in the middle of it. */
import { writeSync } from "node:fs";
import process from "node:process";
import pg from "pg";
import type { CompleteAdapter } from "../../src/contract/adapter.ts";
import { postgresAdapter } from "../../adapters/postgres.ts";
import { sqliteAdapter } from "../../adapters/sqlite.ts";
import { serviceOver } from "../_support/refresh_server.ts";

/** What a process does. */
export interface RefreshTask {
  readonly kind: "sqlite" | "postgres";
  /** Path or URL. */
  readonly at: string;
  /** Where the provider is. */
  readonly url: string;
  readonly person: string;
  /** How many ask at once; 0 to ask again and again. */
  readonly callers: number;
  /** `timeouts.request`. */
  readonly request: number;
}

const task = JSON.parse(process.argv.at(-1) ?? "") as RefreshTask;
const { person, callers } = task;

function open(): { readonly adapter: CompleteAdapter; readonly close: () => unknown } {
  if (task.kind === "sqlite") {
    const adapter = sqliteAdapter(task.at, { busyTimeout: 30_000 });
    return { adapter, close: () => adapter.close() };
  }
  const pool = new pg.Pool({ connectionString: task.at, max: 8 });
  return { adapter: postgresAdapter(pool), close: () => pool.end() };
}

// At once, unlike a stream: what was said must be true even if nothing else happens any more.
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

const { adapter, close } = open();
const ask = serviceOver(adapter, task.url, task.request);
await adapter.getUser(person);
say("ready");
if (callers > 0) {
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const all = await Promise.allSettled(Array.from({ length: callers }, () => ask(person)));
  say(JSON.stringify(all.map((one) => one.status === "fulfilled" ? one.value : String(one.reason))));
  process.stdin.destroy();
  await close();
} else {
  let refused: string | undefined;
  for (;;) {
    const given: string = await ask(person, { refused }).catch((error: unknown) => `error: ${error}`);
    say(given);
    refused = given;
  }
}
