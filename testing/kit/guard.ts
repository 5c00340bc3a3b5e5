/**
 * Refuses to work outside of tests: what is here signs in anybody.
 *
 * @module
 */
import { isLoopback } from "../../src/http/origin.ts";
import { deployedBy } from "../../src/kernel/deployed.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";

/** Variables that runners of tests set: Vitest, Jest, and `node --test`. */
const RUNNERS: readonly string[] = ["VITEST", "JEST_WORKER_ID", "NODE_TEST_CONTEXT"];

/** How runners know the file of a test, such as `app_test.ts` or `app.test.ts`. */
const TEST_FILE = /(?:^|[\\/._])(?:test|spec)\.[cm]?[jt]sx?$/;

interface Host {
  readonly Deno?: { readonly mainModule: string };
  readonly process?: { readonly argv?: readonly string[] };
}

/**
 * Makes sure that this is a test.
 *
 * @param what What was called, for the message.
 * @param allow Whether the caller vouches for it.
 * @throws {Error} if nothing says that it is.
 */
export function assertTest(what: string, allow = false): void {
  if (allow || isTest()) return;
  throw new Error(
    `Cannot call ${what}: nothing says that this is a test, and it signs in anybody. Set the environment variable ` +
      "NODE_ENV to test, or pass `allow: true`",
  );
}

/**
 * Makes sure that this is a test, or the machine of a developer.
 *
 * @throws {Error} if nothing says that it is.
 */
export function assertDevelopment(what: string, allow = false): void {
  const isDevelopment = ["NODE_ENV", "DENO_ENV"].some((name) => systemRuntime.env(name) === "development");
  if (allow || isDevelopment || isTest()) return;
  throw new Error(
    `Cannot call ${what}: nothing says that this is development, and it signs in anybody. Set the environment variable ` +
      "NODE_ENV to development, or pass `allow: true`",
  );
}

/**
 * Makes sure that this is not production, whatever the caller vouches for.
 *
 * @throws {Error} if `NODE_ENV` or `DENO_ENV` is `production`, or the program was deployed.
 */
export function assertNotProduction(what: string): void {
  const name = ["NODE_ENV", "DENO_ENV"].find((name) => systemRuntime.env(name) === "production") ??
    deployedBy((name) => systemRuntime.env(name));
  if (!name) return;
  throw new Error(`Cannot call ${what}: the environment variable ${name} says that this is production`);
}

function isTest(): boolean {
  const { env } = systemRuntime;
  const names = [env("NODE_ENV"), env("DENO_ENV")];
  if (names.includes("production")) return false;
  return names.includes("test") || RUNNERS.some((name) => env(name)) || TEST_FILE.test(mainModule());
}

// `deno test` sets no variable.
function mainModule(): string {
  const { Deno, process } = globalThis as unknown as Host;
  try {
    return Deno ? Deno.mainModule : process?.argv?.[1] ?? "";
  } catch {
    return ""; // without permission to read it
  }
}

/** Names that belong to nobody (RFC 2606, sections 2 and 3). */
const RESERVED = /(?:^|\.)(?:test|example|invalid|example\.(?:com|net|org))$/;

/**
 * Makes sure that an origin is nobody's site.
 *
 * @param listens Whether something listens there: then only this machine will do.
 * @throws {Error} if it may be one.
 */
export function assertNobodys(origin: string, listens = false): void {
  const { hostname } = new URL(origin);
  if (isLoopback(hostname) || (!listens && RESERVED.test(hostname))) return;
  const names = listens ? "such as http://localhost:3000" : "such as http://localhost:3000, or a name such as app.test";
  throw new Error(`Cannot test at ${origin}: it may be a real site. Use one of this machine, ${names}`);
}
