/**
 * One site on two servers, Auth.js and this library, behind a proxy that shares out the requests.
 *
 * @module
 */
import { Auth } from "@auth/core";
import OtherCredentials from "@auth/core/providers/credentials";
import { type AuthConfig, createAuth } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { type LoopbackProvider, startLoopbackProvider } from "./migration_provider.ts";

/** What both servers are made of. */
export interface SiteOptions {
  readonly strategy: "jwt" | "database";
  /** The adapter of each server, over the same storage. */
  readonly adapters: readonly [theirs: NonNullable<AuthConfig["adapter"]>, ours: NonNullable<AuthConfig["adapter"]>];
  /** What differs in this library's configuration, to see that it is noticed. */
  readonly flaw?: AuthConfig;
}

/** The site. */
export interface MigrationSite {
  /** Where the proxy is. */
  readonly origin: string;
  /** The share of requests that this library answers, in percent. */
  share: number;
  /** Requests that each server has answered. */
  readonly answered: { theirs: number; ours: number };
  /** The newest link that was sent to an address. */
  readonly links: Map<string, string>;
  /** What the servers logged as errors. */
  readonly errors: string[];
  close(): Promise<void>;
}

const SECRET = "the secret of both, longer than 32 characters";

type Handler = (request: Request) => Response | Promise<Response>;

/** Starts both servers, the provider and the proxy. */
export function startMigrationSite(options: SiteOptions): MigrationSite {
  const provider = startLoopbackProvider();
  const links = new Map<string, string>();
  const errors: string[] = [];
  const common = commonConfig(options.strategy, { provider, links, errors });
  const theirs = listen(onProxysUrl(theirSite(common, options)));
  const ours = listen(ourSite(common, options));
  const answered = { theirs: 0, ours: 0 };
  const random = seeded(1);
  const proxy = listen((request) => {
    const target = pinned(request.headers.get("cookie") ?? "") ?? (random() * 100 < site.share ? "ours" : "theirs");
    answered[target]++;
    return forward(request, target === "ours" ? ours.origin : theirs.origin);
  });
  const site: MigrationSite = {
    origin: proxy.origin.replace("127.0.0.1", "localhost"),
    share: 0,
    answered,
    links,
    errors,
    async close() {
      for (const server of [proxy, theirs, ours, provider]) await server.close();
    },
  };
  return site;
}

/** A sign-in that is under way at a provider is finished by the server that started it. Their cookies tell which. */
function pinned(cookie: string): "ours" | "theirs" | null {
  const names = cookie.split(/; */).map((pair) => pair.slice(0, pair.indexOf("=")));
  if (names.some((name) => /^authjs\.state\../.test(name))) return "ours";
  return names.includes("authjs.state") || names.includes("authjs.pkce.code_verifier") ? "theirs" : null;
}

interface Surroundings {
  readonly provider: LoopbackProvider;
  readonly links: Map<string, string>;
  readonly errors: string[];
}

type CommonConfig = ReturnType<typeof commonConfig>;

function commonConfig(strategy: SiteOptions["strategy"], { provider, links, errors }: Surroundings) {
  const email = {
    id: "email",
    name: "Email",
    type: "email" as const,
    from: "site@example.com",
    maxAge: 600,
    sendVerificationRequest({ identifier, url }: { identifier: string; url: string }) {
      links.set(identifier, url);
      return Promise.resolve();
    },
  };
  return {
    secret: SECRET,
    trustHost: true,
    basePath: "/auth",
    // Renewed at each read, so that each server seals what the other one sealed before.
    session: { strategy, updateAge: 0 },
    providers: [provider.entry("first"), provider.entry("second"), email],
    logger: {
      error: (error: Error) => void errors.push(`${error.name}: ${error.message} ${error.cause ?? ""}`),
      warn: () => {},
      debug: () => {},
    },
    callbacks: {
      jwt({ token, trigger, session }: { token: object; trigger?: string | undefined; session?: unknown }) {
        return trigger === "update" ? { ...token, name: (session as { name: string }).name } : token;
      },
    },
  };
}

const PASSWORD = { credentials: { name: {} }, authorize: userOfForm };

function userOfForm({ name }: Partial<Record<string, unknown>>): { id: string; name: string; email: string } {
  return { id: String(name), name: String(name), email: `${name}@password.example` };
}

function theirSite(common: CommonConfig, { adapters: [adapter], strategy }: SiteOptions): Handler {
  // Auth.js has no credentials with stored sessions.
  const password = strategy === "jwt" ? [OtherCredentials(PASSWORD)] : [];
  const config = { ...common, adapter, providers: [...common.providers, ...password] } as Parameters<typeof Auth>[1];
  return async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname.startsWith("/auth/")) return await Auth(request, config);
    const answer = await Auth(new Request(`${origin}/auth/session`, { headers: request.headers }), config);
    const session = await answer.json();
    if (session) return new Response(session.user.email, { headers: cookiesOf(answer) });
    return new Response(null, { status: 302, headers: { location: `${origin}/auth/signin` } });
  };
}

function cookiesOf({ headers }: Response): Headers {
  const copied = new Headers();
  for (const cookie of headers.getSetCookie()) copied.append("set-cookie", cookie);
  return copied;
}

function ourSite(common: CommonConfig, { adapters: [, adapter], strategy, flaw }: SiteOptions): Handler {
  const password = strategy === "jwt" ? [credentials(PASSWORD)] : [];
  const providers = [...common.providers, ...password];
  const { handler, auth } = createAuth({ ...common, adapter, providers, protect: ["/members"], ...flaw } as AuthConfig);
  return auth((request, session) => {
    if (new URL(request.url).pathname.startsWith("/auth/")) return handler(request);
    return new Response(session?.user?.email);
  });
}

interface Listening {
  readonly origin: string;
  close(): Promise<void>;
}

function listen(handler: Handler): Listening {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
  return { origin: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() };
}

/** As the bindings of Auth.js do it: its core takes the URL of a request as it is. */
function onProxysUrl(handler: Handler): Handler {
  return (request) => {
    const { pathname, search } = new URL(request.url);
    const { headers } = request;
    const origin = `${headers.get("x-forwarded-proto")}://${headers.get("x-forwarded-host")}`;
    return handler(new Request(origin + pathname + search, request));
  };
}

async function forward(request: Request, to: string): Promise<Response> {
  const { pathname, search, host } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("x-forwarded-host", host);
  headers.set("x-forwarded-proto", "http");
  const body = request.method === "POST" ? await request.text() : undefined;
  const { method } = request;
  return await fetch(to + pathname + search, {
    method,
    headers,
    redirect: "manual",
    ...(body !== undefined && { body }),
  });
}

/** A random number generator whose numbers are the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
