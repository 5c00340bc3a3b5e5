/**
 * An application in a test, with everything around it in the hands of the test.
 *
 * @module
 */
import { memoryAdapter } from "../../adapters/memory.ts";
import type { Adapter } from "../../src/contract/adapter.ts";
import { type TestSetup, testSetup } from "../../src/contract/test_setup.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { type App, type AppSource, siteOf } from "./app.ts";
import type { Site } from "./browser.ts";
import { createClock, type TestClock } from "./clock.ts";
import { assertNobodys, assertTest } from "./guard.ts";
import { type Mailbox, mailbox } from "./mailbox.ts";
import { type FakeProvider, fakeProvider, type OpenProvider } from "./provider.ts";
import { environment } from "./environment.ts";
import { rewire, type Rewired } from "./rewire.ts";
import { testRuntime } from "./runtime.ts";
import { type Known, Visitor } from "./visitor.ts";

/** Options of `testAuth`. */
export interface TestOptions {
  /** Whether this is a test although nothing says so. @default {false} */
  readonly allow?: boolean | undefined;
  /**
   * The origin of the site: of this machine, or a name that belongs to nobody, such as `https://app.test`.
   *
   * @default {"http://localhost:3000"}
   */
  readonly origin?: string | undefined;
  /** When the test begins. @default now */
  readonly now?: Date | undefined;
  /** What the service reads of the environment. Nothing is read of the real one. @default a client for each provider */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The adapter to use where the configuration has one. @default one that keeps everything in memory */
  readonly adapter?: Adapter | undefined;
  /** The path of the service. Needed only where it is neither `/auth` nor `/api/auth`. */
  readonly basePath?: string | undefined;
  /** Answers requests of the service to anything but its providers. @default each fails */
  readonly fetch?: ((request: Request) => Promise<Response> | Response) | undefined;
}

/** An application in a test. */
export interface World {
  /** Answers the requests to the application. */
  readonly handler: Site;
  /** The origin of the site. */
  readonly origin: string;
  /** The clock of the service. Browsers of visitors have the same. */
  readonly clock: TestClock;
  /** Every email that the service sends. */
  readonly mailbox: Mailbox;
  /** Users, accounts and sessions, if the configuration has an adapter. */
  readonly adapter: Adapter;
  /** Gives a provider of the configuration, as the test plays it. */
  provider(id: string): FakeProvider;
  /** Opens a browser that nobody has used. */
  visitor(): Visitor;
  /** Ends it: calls `close` of the application, if it has one. */
  close(): Promise<void>;
  /** The same as {@linkcode World.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes a world. @param make Makes the application. */
export function createWorld(make: AppSource, options: TestOptions = {}): World {
  const { allow, origin: given = "http://localhost:3000", now = new Date(systemRuntime.now()), env = {} } = options;
  assertTest("testAuth()", allow);
  assertNobodys(given);
  const { origin } = new URL(given);
  const clock = createClock(now.getTime());
  const issuers = new Set<string>();
  const readEnv = environment(env, issuers);
  const runtime = { ...testRuntime({ fetch: options.fetch ?? refuse }), now: clock.now, env: readEnv };
  const box = mailbox();
  const adapter = options.adapter ?? memoryAdapter({ now: clock.now });
  const fakes = new Map<string, OpenProvider>();
  const fake = (id: string): OpenProvider => {
    const known = fakes.get(id) ?? fakeProvider(id, clock.now);
    fakes.set(id, known);
    return known;
  };
  const secret = Array.from(runtime.random(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  let known: Known | null = null;
  const setUp: TestSetup = (written, usualPath) => {
    const wired: Rewired = rewire(written, { secret, runtime, mailbox: box, adapter, issuers, fake });
    known = { ...wired, basePath: wired.config.basePath ?? usualPath ?? "/auth" };
    return { config: wired.config, runtime };
  };
  const app = Promise.resolve(make({ [testSetup]: setUp }));
  // Whoever asks for something is told of it.
  app.catch(() => {});
  const handler: Site = async (request) => await siteOf(await app)(request);

  async function wake(): Promise<Known> {
    for (const path of options.basePath ? [options.basePath] : ["/auth", "/api/auth"]) {
      if (!known) await (await handler(new Request(new URL(`${path}/csrf`, origin)))).body?.cancel();
    }
    if (known) return known;
    throw new Error(
      "Cannot find the service: no configuration has the test in it. Write `createAuth({ ...config, ...test })` with what " +
        "the function that makes the application gets, and if the service is neither below /auth nor below /api/auth, " +
        "set the option `basePath` of `testAuth()`",
    );
  }

  const close = async (): Promise<void> => await closing(await app);
  return {
    handler,
    origin,
    clock,
    mailbox: box,
    adapter,
    provider: fake,
    visitor: () => new Visitor({ handler, origin, now: clock.now, runtime, mailbox: box, fake, wake }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function closing(app: App): Promise<void> {
  if (typeof app === "object" && "close" in app) await app.close?.();
}

function refuse({ url }: Request): Response {
  throw new Error(`Cannot reach ${new URL(url).origin}: nothing leaves a test. Answer it with the option \`fetch\``);
}
