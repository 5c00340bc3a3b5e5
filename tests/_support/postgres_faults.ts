/** A proxy in front of PostgreSQL that fails at statements which a test chooses. */
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

/** The first bytes of messages: a statement as text, the end of one that is prepared, and the end of the connection. */
const [QUERY, SYNC, CLOSE] = [..."QSX"].map((letter) => letter.charCodeAt(0));

/** Starts a proxy. What a client writes when it waits for nothing is a statement, or the first part of one. */
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
    // The first chunk opens the connection.
    let isIdle = false;
    let answersNobody = false;
    client.on("data", (bytes) => {
      const isStatement = isIdle && bytes[0] !== CLOSE;
      isIdle = bytes[0] === 0 || bytes[0] === QUERY || bytes.at(-5) === SYNC;
      const fault = isStatement ? choice(statements++) : undefined;
      if (fault === "lost before") return end();
      if (fault === "lost after") answersNobody = true;
      if (fault === "collided") isIdle = true;
      upstream.write(fault === "collided" ? COLLISION : bytes);
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

/** A statement in place of another: the server itself fails, and ends the transaction. */
const COLLISION = simpleQuery("do $$ begin raise exception 'collided' using errcode = '40001'; end $$");

function simpleQuery(text: string): Uint8Array {
  const body = new TextEncoder().encode(`${text}\0`);
  const message = new Uint8Array(5 + body.length);
  message[0] = QUERY ?? 0;
  new DataView(message.buffer).setUint32(1, 4 + body.length);
  message.set(body, 5);
  return message;
}
