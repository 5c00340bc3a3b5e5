/**
 * A service with limits, and people who come to it from many addresses.
 *
 * @module
 */
import type { Adapter, AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { limits, type LimitsOptions } from "@x/auth/limits";
import { credentials } from "@x/auth/providers/credentials";
import { createEngine } from "../../src/service/engine.ts";
import { respond } from "../../src/service/respond.ts";
import { type Mailbox, mailbox } from "./mailbox.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { type Log, recordLog, testConfig } from "./service.ts";
import { Visitor } from "./visitors.ts";

/** What a test may choose. */
export interface LimitedOptions {
  readonly limits?: LimitsOptions;
  readonly config?: AuthConfig;
  /** `null` for none. @default one in memory */
  readonly adapter?: Adapter | null;
  readonly email?: Parameters<typeof mailbox>[0];
}

/** A service with limits. */
export interface LimitedService {
  readonly runtime: TestRuntime;
  readonly log: Log;
  readonly box: Mailbox;
  /** The passwords that were compared, by name. */
  readonly compared: Map<string, number>;
  /** Somebody at an address, with a browser that nobody has used. */
  visitor(address?: string | null): Visitor;
  /** Sends a request from an address. */
  send(request: Request, address?: string | null): Promise<Response>;
}

/** The password of everybody. */
export const PASSWORD = "correct horse";

/** Opens a service whose visitors sign in with a name and {@linkcode PASSWORD}, or by email. */
export async function openLimited(options: LimitedOptions = {}): Promise<LimitedService> {
  const runtime = testRuntime();
  const log = recordLog();
  const box = mailbox(options.email);
  const compared = new Map<string, number>();
  const { adapter = memoryAdapter({ now: runtime.now }) } = options;
  const config = testConfig({
    ...(adapter && { adapter }),
    session: { strategy: "jwt" },
    logger: log.logger,
    providers: [
      credentials({
        id: "password",
        credentials: { username: {}, password: { type: "password" } },
        authorize: ({ username, password }) => {
          const name = String(username);
          compared.set(name, (compared.get(name) ?? 0) + 1);
          return password === PASSWORD ? { id: name, name } : null;
        },
      }),
      ...adapter ? [box.provider] : [],
    ],
    features: [limits({ clientAddress: { header: "x-client" }, ...options.limits })],
    ...options.config,
  });
  const engine = createEngine(config, runtime);
  const send = async (request: Request, address: string | null = null) => {
    if (address !== null) request.headers.set("x-client", address);
    return await respond(await engine.run(request));
  };
  const first = new Visitor((request) => send(request));
  const { csrfToken } = await (await first.get("/auth/csrf")).json();
  const form = { csrfToken: String(csrfToken), cookie: first.cookies.get("authjs.csrf-token") ?? "" };
  const visitor = (address: string | null = null) => new Visitor((request) => send(request, address), form);
  return { runtime, log, box, compared, visitor, send };
}

/** Types a name and a password. Whether somebody is in, or what is answered. */
export async function tryPassword(
  visitor: Visitor,
  username: string,
  password = "wrong",
): Promise<"in" | "wrong" | "limited"> {
  const response = await visitor.post("/auth/callback/password", { username, password });
  if (response.status === 429) return "limited";
  return /error=/.test(response.headers.get("location") ?? "") ? "wrong" : "in";
}
