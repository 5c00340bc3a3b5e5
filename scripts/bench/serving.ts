/**
 * Serves a side over HTTP, with what each runtime has for it.
 *
 * @module
 */
import { nodeListener } from "@x/auth/node";
import type { Handler } from "@x/auth";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { load } from "./packages.ts";
import type { RuntimeKind } from "./runtime_kind.ts";
import type { Setup, Side, SideName } from "./sides/side.ts";

/** What serves on each runtime. */
export const SERVERS = {
  deno: ["Deno.serve"],
  node: ["node:http", "Express 5"],
  bun: ["Bun.serve"],
} as const satisfies Readonly<Record<RuntimeKind, readonly string[]>>;

/** What serves. */
export type ServerName = typeof SERVERS[RuntimeKind][number];

/** The headers of the floor. */
export type FloorHeaders = readonly (readonly [name: string, value: string])[];

/** Whether a side can be served so: `@auth/core` has no listener for `node:http`. */
export function canServe(server: ServerName, side: SideName): boolean {
  return server !== "node:http" || side !== "@auth/core";
}

/** Listens on a free port of this machine and returns it. */
export async function listen(server: ServerName, side: Side, setup: Setup, headers: FloorHeaders): Promise<number> {
  switch (server) {
    case "Deno.serve":
      return Deno.serve({ ...ANY_PORT, onListen: () => {} }, (request) => side.answer(request)).addr.port;
    case "Bun.serve":
      return (globalThis as unknown as WithBun).Bun.serve({ ...ANY_PORT, fetch: (request) => side.answer(request) })
        .port;
    case "node:http":
      return await portOf(createServer(await listenerOf(side, headers)));
    case "Express 5":
      return await portOf(createServer(await expressApp(side, setup, headers)));
    default:
      return server satisfies never;
  }
}

const ANY_PORT = { hostname: "127.0.0.1", port: 0 } as const;

interface WithBun {
  readonly Bun: {
    serve(options: { hostname: string; port: number; fetch: Side["answer"] }): { readonly port: number };
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface BetterAuthNode {
  readonly toNodeHandler: (handler: Side["answer"]) => Listener;
}

async function listenerOf({ name, answer }: Side, headers: FloorHeaders): Promise<Listener> {
  switch (name) {
    case "@x/auth":
      // The handler itself: a function around it would be asked with a `Request`.
      return nodeListener(answer as Handler);
    case "better-auth":
      return (await load<BetterAuthNode>("better-auth/node")).toNodeHandler(answer);
    case "floor":
      return floorListener(headers);
    default:
      throw new TypeError(`${name} has no listener for node:http`);
  }
}

/** The least that an answer with our headers can cost. */
function floorListener(headers: FloorHeaders): Listener {
  // Without the length, node would send the body in chunks.
  const sent = { ...Object.fromEntries(headers), "content-length": "4" };
  return (request, response) => {
    // Read, as every service has to.
    const { cookie = "" } = request.headers;
    response.writeHead(cookie.length < 1e6 ? 200 : 400, sent);
    response.end("null");
  };
}

type ExpressApp = Listener & {
  use(path: string, listener: unknown): void;
  all(path: string, listener: unknown): void;
};

async function expressApp(side: Side, setup: Setup, headers: FloorHeaders): Promise<ExpressApp> {
  const { default: express } = await load<{ readonly default: () => ExpressApp }>("express");
  const app = express();
  switch (side.name) {
    case "@x/auth":
      app.use("/auth", await listenerOf(side, headers));
      return app;
    case "@auth/core": {
      const { authCoreConfig } = await import("./sides/auth_core.ts");
      const { ExpressAuth } = await load<{ readonly ExpressAuth: (config: unknown) => unknown }>("@auth/express");
      app.use("/auth", ExpressAuth(authCoreConfig(setup)));
      return app;
    }
    case "better-auth":
    case "floor":
      app.all("/auth/*splat", await listenerOf(side, headers));
      return app;
    default:
      return side.name satisfies never;
  }
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
