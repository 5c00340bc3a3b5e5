/** Replicas of a database of libSQL: files that are made of what a server of ours has. */
import { type Client, type Config, createClient } from "@libsql/client";
import { dirname, join } from "node:path";
import { temporaryFile } from "./temporary.ts";

/** A server, and the machines with a replica of its database. */
export interface Primary {
  /** Its address. */
  readonly url: string;
  /** Opens a replica in a file of its own. */
  replica(options?: Partial<Config>): Client;
  /** Stops the server. */
  stop(): void;
  /** Closes all replicas, stops the server, and removes the files. */
  close(): Promise<void>;
}

/** Starts a server with an empty database, in a thread of its own. */
export async function startPrimary(): Promise<Primary> {
  const { path, remove } = await temporaryFile("primary.db");
  const worker = new Worker(new URL("./hrana_worker.ts", import.meta.url), { type: "module" });
  const url = await new Promise<string>((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(path);
  });
  const clients: Client[] = [];
  return {
    url,
    replica: (options) => {
      const file = join(dirname(path), `replica-${clients.length}.db`);
      const client = createClient({ url: `file:${file}`, syncUrl: url, ...options });
      clients.push(client);
      return client;
    },
    stop: () => worker.terminate(),
    close: async () => {
      for (const client of clients) client.close();
      worker.terminate();
      await remove();
    },
  };
}
