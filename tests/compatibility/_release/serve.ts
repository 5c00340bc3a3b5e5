/**
 * Serves the release in whose folder it runs, with its sessions in a SQLite file, and prints its port.
 *
 * @module
 */
import process from "node:process";
import { createAuth } from "@x/auth";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { SERVICES } from "./services.ts";

const [path = "", name = ""] = process.argv.slice(-2);
const { origin, config } = SERVICES[name] ?? {};
if (!config) throw new Error(`There is no service "${name}"`);

/** The newest link, by address. */
const links = new Map<string | null, string>();
const mail = (url: string): void => void links.set(new URL(url).searchParams.get("email"), url);
const adapter = sqliteAdapter(path, { synchronous: "normal", busyTimeout: 30_000 });
const { handler } = createAuth(config({ now: Date.now, adapter, mail }));

// Whichever release answers, the site has one address.
Deno.serve({ port: 0, onListen: ({ port }) => void process.stdout.write(`${port}\n`) }, async (request) => {
  const { pathname, search, searchParams } = new URL(request.url);
  if (pathname === "/mail") return new Response(links.get(searchParams.get("email")));
  const body = request.method === "POST" ? { body: await request.text() } : {};
  const { method, headers } = request;
  return await handler(new Request(new URL(pathname + search, origin), { method, headers, ...body }));
});
