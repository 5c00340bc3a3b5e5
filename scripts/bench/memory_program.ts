/**
 * Serves many in one process, then measures its memory. Its input is a {@linkcode MemoryInput}, its result a
 * {@linkcode MeasuredMemory}.
 *
 * @module
 */
import { type Adapter, type AuthConfig, createAuth, type Handler } from "@x/auth";
import { encode } from "@x/auth/jwt";
import { github } from "@x/auth/providers/github";
import process from "node:process";
import type { MeasuredMemory, MemoryInput } from "./memory.ts";
import { finish, readInput } from "./program.ts";
import { mapAdapter } from "./sides/map_adapter.ts";
import { ADA, CLIENT, SECRET } from "./sides/side.ts";

const COOKIE = "authjs.session-token";

const COMMON: AuthConfig = {
  providers: [github(CLIENT)],
  secret: SECRET,
  trustHost: true,
  basePath: "/auth",
  logger: { warn: () => {} },
};

async function sealed(user: number, secret: string = SECRET): Promise<string> {
  const token = { sub: String(user), name: ADA.name, email: ADA.email };
  return `${COOKIE}=${await encode({ token, secret, salt: COOKIE })}`;
}

async function ask(handler: Handler, host: string, cookie: string, path = "session"): Promise<void> {
  const response = await handler(new Request(`http://${host}/auth/${path}`, { headers: { cookie } }));
  const text = await response.text();
  const isRight = path === "session" ? text.includes(ADA.name) : text.includes(`http://${host}/auth/callback`);
  if (!isRight) throw new Error(`Cannot measure memory: ${path} answers ${response.status} ${text.slice(0, 200)}`);
}

async function serve({ again, sessions, stored, hosts, tenants }: MemoryInput): Promise<void> {
  const { handler } = createAuth(COMMON);
  const first = await sealed(0);
  for (let time = 0; time < again; time++) await ask(handler, "localhost", first);
  for (let user = 1; user <= sessions; user++) await ask(handler, "localhost", await sealed(user));
  for (let host = 0; host < hosts; host++) {
    await ask(handler, `site-${host}.example`, first);
    await ask(handler, `site-${host}.example`, first, "providers");
  }
  const withStorage = createAuth({ ...COMMON, adapter: emptyStorage() });
  for (let user = 0; user < stored; user++) await ask(withStorage.handler, "localhost", `${COOKIE}=token-${user}`);
  await serveTenants(tenants);
}

/** Knows a session for every token, and keeps none. */
function emptyStorage(): Adapter {
  const expires = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000);
  const user = { id: "1", name: ADA.name, email: ADA.email, emailVerified: null };
  const read = (sessionToken: string) => ({ session: { sessionToken, userId: "1", expires }, user });
  return { ...mapAdapter(), getSessionAndUser: read };
}

/** One configuration for each tenant, as an application makes it for a request: the next request gets another object. */
async function serveTenants(count: number): Promise<void> {
  const secretOf = (host: string): string => `the secret of ${host}, a text of at least 32 characters`;
  const { handler } = createAuth((request) => {
    const { hostname } = new URL(request.url);
    return { ...COMMON, providers: [github(CLIENT)], secret: secretOf(hostname) };
  });
  for (let tenant = 0; tenant < count; tenant++) {
    const host = `tenant-${tenant}.example`;
    const cookie = await sealed(tenant, secretOf(host));
    for (const path of ["session", "session", "providers"]) await ask(handler, host, cookie, path);
  }
}

interface Collectors {
  readonly gc?: () => void;
  readonly Bun?: { gc(now: boolean): void };
}

async function measureMemory(): Promise<MeasuredMemory> {
  const { gc, Bun } = globalThis as Collectors;
  // What is finalized needs another collection.
  for (let time = 0; time < 3; time++) {
    Bun?.gc(true);
    gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, resident: rss };
}

await serve(readInput<MemoryInput>());
finish(await measureMemory());
