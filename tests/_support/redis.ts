/**
 * A Redis or Valkey server for the tests of one file: started in a folder of its own, gone without a trace afterwards.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Redis } from "ioredis";
import { freePort } from "./free_port.ts";
import { endServer, spawnServer, untilReady } from "./installed_server.ts";

/** A server that runs. */
export interface RedisServer {
  /** Where clients connect to. */
  readonly url: string;
  /** Kills it, and starts it again with what it has on its disk. */
  restart(): Promise<void>;
  /** Kills it. */
  kill(): Promise<void>;
  /** Stops it and removes what it stored. */
  stop(): Promise<void>;
}

/** The program of the server: `REDIS_SERVER`, else what is installed. */
export function findRedis(): string | null {
  const { REDIS_SERVER } = process.env;
  const names = REDIS_SERVER ? [REDIS_SERVER] : ["redis-server", "valkey-server"];
  return names.find((name) => spawnSync(name, ["--version"]).status === 0) ?? null;
}

const MISSING = "there is no Redis. Install it (apt-get install -y --no-install-recommends redis-server), " +
  "or set REDIS_SERVER.";

/** Whether tests that need Redis are skipped, which they say loudly. Where nobody reads along they are not. */
export function skipsWithoutRedis(command: string | null, what: string): boolean {
  if (command || process.env.CI === "true") return false;
  process.stderr.write(`\n*** ${what} did not run: ${MISSING}\n\n`);
  return true;
}

/** Starts a server that forgets everything when it ends, unless the settings say something else. */
export async function startRedis(
  command: string | null,
  settings: Readonly<Record<string, string>> = {},
): Promise<RedisServer> {
  if (!command) throw new Error(`Cannot test with Redis: ${MISSING}`);
  const folder = await mkdtemp(join(tmpdir(), "redis-"));
  const port = await freePort();
  const all = { port: String(port), bind: "127.0.0.1", dir: folder, save: "", appendonly: "no", ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const start = async () => {
    const server = spawnServer({ command, args, cwd: folder, signal: "KILL" });
    await untilReady(server, "Redis", /ready to accept connections/i);
    return server;
  };
  let server = await start();
  const kill = () => endServer(server);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      await kill();
      server = await start();
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Something that listens. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** A service like that of Upstash in front of a server: each request has a command, or a list of them at `/pipeline`. */
export async function upstashProxy(url: string): Promise<Listening> {
  const redis = new Redis(url);
  const server = createServer(async (request, response) => {
    const isEncoded = request.headers["upstash-encoding"] === "base64";
    const answer = async ([command = "", ...args]: readonly unknown[]) => {
      try {
        const result = await redis.call(String(command), ...args.map(String));
        return { result: isEncoded ? encoded(result) : result };
      } catch (error) {
        // As the service does: with all that was sent.
        return { error: `${(error as Error).message}, command was: ${JSON.stringify([command, ...args])}` };
      }
    };
    const asked = JSON.parse(await bodyOf(request));
    const answers = request.url === "/pipeline" ? await Promise.all(asked.map(answer)) : await answer(asked);
    response.statusCode = "error" in answers ? 400 : 200;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answers));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      redis.disconnect();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function encoded(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(encoded);
  return typeof result === "string" ? Buffer.from(result).toString("base64") : result;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** A proxy that drops connections. */
export interface DroppingProxy extends Listening {
  /** Drops the connection at the k-th piece that a client sends from now on: before it is sent on, or before its answer. */
  dropAt(piece: number, when: "before" | "after"): void;
  /** How often a connection was dropped. */
  readonly drops: number;
}

/** Starts a proxy in front of a server. */
export async function droppingProxy(url: string): Promise<DroppingProxy> {
  const port = Number(new URL(url).port);
  let [left, when, drops] = [Infinity, "before" as "before" | "after", 0];
  const open = new Set<Socket>();
  const server = createTcpServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    let isDropping = false;
    const drop = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", drop);
      socket.on("close", drop);
    }
    client.on("data", (piece) => {
      if (--left === 0) {
        drops++;
        if (when === "before") return drop();
        isDropping = true;
      }
      upstream.write(piece);
    });
    upstream.on("data", (piece) => isDropping ? drop() : client.write(piece));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${address.port}`,
    dropAt: (piece, at) => void ([left, when] = [piece, at]),
    get drops() {
      return drops;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
