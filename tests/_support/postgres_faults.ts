/** A proxy in front of PostgreSQL that fails at statements which a test chooses. */
import { Buffer } from "node:buffer";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * What happens at a statement: the connection is lost before it arrives, or before its response does, or the server says
 * that the transaction collided with another.
 */
export type Fault = "lost before" | "lost after" | "collided";

export const FAULTS: readonly Fault[] = ["lost before", "lost after", "collided"];

/** A proxy. */
export interface FaultyServer {
  /** Where clients connect to. */
  readonly url: string;
  /** Chooses what happens at each statement from now on. `index` counts from 0. */
  choose(fault: (index: number) => Fault | undefined): void;
  /** How many statements there were since then. */
  readonly statements: number;
  close(): Promise<void>;
}

/** The kinds of messages: a statement as text, the end of prepared ones, and the end of the connection. */
const [QUERY, SYNC, CLOSE] = [..."QSX"].map((letter) => letter.charCodeAt(0));

/** Starts a proxy. */
export async function startFaultyServer(url: string): Promise<FaultyServer> {
  const { hostname, port, pathname } = new URL(url);
  let choice: (index: number) => Fault | undefined = () => undefined;
  let statements = 0;
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket)).on("close", end).on("error", end);
    }
    let isIdle = true;
    let answersNobody = false;
    const pass = (message: Uint8Array) => {
      const [kind] = message;
      // A client that was told of a failure may end a statement that has ended.
      const isStatement = isIdle && kind !== 0 && kind !== SYNC && kind !== CLOSE;
      isIdle = kind === 0 || kind === QUERY || kind === SYNC;
      const fault = isStatement ? choice(statements++) : undefined;
      if (fault === "lost before") return end();
      if (fault === "lost after") answersNobody = true;
      if (fault === "collided") upstream.write(kind === QUERY ? simple(COLLISION) : prepared(COLLISION));
      if (fault !== "collided" || kind !== QUERY) upstream.write(message);
    };
    let rest = Buffer.alloc(0);
    client.on("data", (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      for (let size = sizeOf(rest); size <= rest.length; size = sizeOf(rest)) {
        pass(rest.subarray(0, size));
        rest = rest.subarray(size);
      }
    });
    upstream.on("data", (bytes) => answersNobody ? end() : client.write(bytes));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port: own } = proxy.address() as AddressInfo;
  return {
    url: `postgres://tests@127.0.0.1:${own}${pathname}`,
    choose: (fault) => {
      choice = fault;
      statements = 0;
    },
    get statements() {
      return statements;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** A message's size in bytes, of which `bytes` has at least the first ones. The message that opens a connection has no kind. */
function sizeOf(bytes: Buffer): number {
  if (bytes.length < 5) return Infinity;
  return bytes[0] === 0 ? bytes.readUInt32BE(0) : 1 + bytes.readUInt32BE(1);
}

/** The server itself fails at it, and ends the transaction. */
const COLLISION = "do $$ begin raise exception 'collided' using errcode = '40001'; end $$";

/** A statement as text, in place of another. */
function simple(sql: string): Uint8Array {
  return message("Q", `${sql}\0`);
}

/** A prepared statement before another. If it fails, the server ignores whatever comes until the client ends the other. */
function prepared(sql: string): Uint8Array {
  return Buffer.concat([message("P", `\0${sql}\0\0\0`), message("B", "\0".repeat(8)), message("E", "\0".repeat(5))]);
}

function message(kind: string, body: string): Uint8Array {
  const bytes = Buffer.from(`${kind}\0\0\0\0${body}`);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
}
