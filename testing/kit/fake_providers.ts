/**
 * A running application whose providers are played by a server on this machine, with a page on which a developer, or a
 * test in a browser, says who they are.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { AuthConfig } from "../../src/contract/config.ts";
import { type TestSetup, testSetup } from "../../src/contract/test_setup.ts";
import { isLoopback } from "../../src/http/origin.ts";
import { type Runtime, systemRuntime } from "../../src/kernel/runtime.ts";
import { nodeListener } from "../../src/node.ts";
import { environment } from "./environment.ts";
import { assertDevelopment, assertNobodys, assertNotProduction } from "./guard.ts";
import { answerLogin } from "./login_page.ts";
import { fakeProvider, type OpenProvider } from "./provider.ts";
import { rewireProviders } from "./rewire.ts";

/** Options of {@linkcode withFakeProviders}. */
export interface FakeProvidersOptions {
  /** The port of the server, on `127.0.0.1`. @default any that is free */
  readonly port?: number | undefined;
  /** Whether this is development although no variable says so. It never counts in production. @default {false} */
  readonly allow?: boolean | undefined;
}

/**
 * Changes the configuration of an application that runs on this machine: a fake provider stands in for each of its
 * providers of OAuth and OpenID Connect. The service then answers on the hosts of this machine only, and has a secret of
 * its own, so its cookies are worth nothing elsewhere. Everything else is as configured, storage and emails too.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { google } from "@x/auth/providers/google";
 * import { withFakeProviders } from "@x/auth/testing";
 *
 * const config = { providers: [google()], secret: "a random text of at least 32 characters" };
 * const { handler } = createAuth(withFakeProviders(config, { allow: true }));
 * ```
 *
 * @throws {Error} in production, and where neither `NODE_ENV` nor `DENO_ENV` is `development` or `test`, unless `allow` is
 * set. Import it there and not at the top of a program that is deployed.
 */
export function withFakeProviders<C extends AuthConfig>(config: C, options: FakeProvidersOptions = {}): C {
  assertNotProduction("withFakeProviders()");
  assertDevelopment("withFakeProviders()", options.allow);
  const fakes = new Map<string, OpenProvider>();
  const fake = (id: string): OpenProvider => {
    const known = fakes.get(id) ?? fakeProvider(id, systemRuntime.now);
    fakes.set(id, known);
    return known;
  };
  let server: Promise<string> | null = null;
  const setUp: TestSetup = async (written) => {
    const url = systemRuntime.env("AUTH_URL");
    if (url) assertNobodys(url, true);
    const origin = await (server ??= listen(fakes, options.port ?? 0));
    const issuers = new Set<string>();
    const runtime = { ...systemRuntime, env: localEnvironment(issuers) };
    const { config } = rewireProviders(written, { runtime, issuers, fake, authorizeAt: (id) => `${origin}/${id}` });
    // Without it, only the hosts of this machine are trusted.
    const { trustHost: _, jwt = {}, ...rest } = config;
    const { secret: __, ...tokens } = jwt;
    return { config: { ...rest, jwt: tokens, secret: ownSecret(written.secret) }, runtime };
  };
  return { ...config, [testSetup]: setUp };
}

/** Variables that would have the service trust other hosts. */
const TRUST: ReadonlySet<string> = new Set(["AUTH_TRUST_HOST", "NODE_ENV", "AUTH_REDIRECT_PROXY_URL"]);

function localEnvironment(issuers: ReadonlySet<string>): Runtime["env"] {
  const otherwise = environment({}, issuers);
  return (name) => TRUST.has(name) ? undefined : systemRuntime.env(name) ?? otherwise(name);
}

// The same after each start, so that a developer stays signed in, and none that the application has elsewhere.
function ownSecret(given: AuthConfig["secret"]): string {
  const secret = given ?? systemRuntime.env("AUTH_SECRET") ?? "";
  return createHash("sha256").update(`fake providers ${String(secret)}`).digest("hex");
}

async function listen(fakes: ReadonlyMap<string, OpenProvider>, port: number): Promise<string> {
  const { createServer } = await import("node:http");
  const server = createServer(nodeListener(async (request) => {
    const { hostname, pathname } = new URL(request.url);
    const provider = fakes.get(pathname.slice(1));
    // Another name may be one of a site that reads what is here.
    if (!isLoopback(hostname) || !provider) return new Response("Not found", { status: 404 });
    return await answerLogin(request, provider);
  }));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // It ends with the program, also while a browser keeps its connection.
  server.unref();
  server.on("connection", (socket) => socket.unref());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
