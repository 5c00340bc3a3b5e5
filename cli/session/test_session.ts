/**
 * Makes a session for tests in a browser.
 *
 * @module
 */
import { inferFromEnv } from "../../src/config/env.ts";
import { splitChunks } from "../../src/http/chunks.ts";
import { cookieSpecs } from "../../src/http/cookie_specs.ts";
import { cookieProblem } from "../../src/http/cookie_text.ts";
import { isLoopback } from "../../src/http/origin.ts";
import { encode } from "../../src/jwt.ts";
import { deployedBy } from "../../src/kernel/deployed.ts";
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { toClaims } from "../../src/session_stores/authentication.ts";
import type { SessionRuntime } from "./inspect.ts";
import { namedSecrets } from "./secrets.ts";

/** Who is signed in, and where. */
export interface TestSessionOptions {
  /** The email address, or else the id. */
  readonly user: string;
  /** The id. With an adapter, that of a stored user. @default the value of `user` */
  readonly id?: string | undefined;
  /** The name to show. */
  readonly name?: string | undefined;
  /** The site, on this machine. @default AUTH_URL of the environment, otherwise `http://localhost:3000` */
  readonly url?: string | undefined;
  /** The name of the session cookie, if it was configured. */
  readonly cookie?: string | undefined;
  /** The secret, or several, newest first. @default those of the environment, as the service reads them */
  readonly secret?: string | readonly string[] | undefined;
}

/** A session for tests. */
export interface TestSession {
  /** The version of this form. */
  readonly version: 1;
  /** The origin that it is for. */
  readonly url: string;
  /** The cookies, several for a long session. */
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  /** When it expires, as ISO 8601. */
  readonly expires: string;
}

/** Seconds that it lasts. */
const LIFETIME = 24 * 60 * 60;

/** Makes the session. @throws {InvalidConfig} in production, for a site elsewhere, or if an option is wrong. */
export async function testSession(
  { user, id, name, url: given, cookie, secret }: TestSessionOptions,
  runtime: SessionRuntime = systemRuntime,
): Promise<TestSession> {
  assertTest(runtime);
  const url = siteOf(given, runtime);
  if (user === "") throw new InvalidConfig("Name the user with --user ada@example.com");
  const secure = url.protocol === "https:";
  const { sessionToken } = cookieSpecs(secure, { sessionToken: { name: cookie } });
  const problem = cookieProblem(sessionToken.name, sessionToken.options);
  if (problem) throw new InvalidConfig(`Cannot use --cookie at ${url.origin}: ${problem}`);
  const now = Math.floor(runtime.now() / 1000);
  const claims = {
    sub: id ?? user,
    ...(user.includes("@") && { email: user }),
    ...(name !== undefined && { name }),
    ...toClaims({ time: now, methods: [], provider: undefined }),
  };
  const secrets = namedSecrets(secret, runtime).map(({ text }) => text);
  const token = await encode({ token: claims, secret: secrets, salt: sessionToken.name, maxAge: LIFETIME });
  const cookies = splitChunks(sessionToken.name, token).map(([name, value]) => ({ name, value }));
  return { version: 1, url: url.origin, cookies, expires: new Date((now + LIFETIME) * 1000).toISOString() };
}

// It signs in anybody.
function assertTest({ env }: SessionRuntime): void {
  const names = [env("NODE_ENV"), env("DENO_ENV")];
  if (names.includes("production") || !names.includes("test")) {
    throw new InvalidConfig(
      "Cannot make a session outside of tests: set NODE_ENV=test, with a secret that no real site has",
    );
  }
  const deployed = deployedBy(env);
  if (deployed) throw new InvalidConfig(`Cannot make a session where ${deployed} is set: this program was deployed`);
}

// A secret beside the address of a real site may be that of the site.
function siteOf(given: string | undefined, { env }: SessionRuntime): URL {
  const { origin, problem } = inferFromEnv(env);
  if (problem) throw new InvalidConfig(problem);
  for (const [name, text] of [["AUTH_URL", origin], ["--url", given]] as const) {
    const url = URL.parse(text ?? "http://localhost:3000");
    if (url && /^https?:$/.test(url.protocol) && isLoopback(url.hostname)) continue;
    throw new InvalidConfig(
      `Cannot make a session for another machine: set ${name} to that of a site on this one, as http://localhost:3000`,
    );
  }
  return new URL(given ?? origin ?? "http://localhost:3000");
}
