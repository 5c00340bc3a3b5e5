/** A proxy like Neon's: each WebSocket is a connection to PostgreSQL. */
import { type AddressInfo, connect } from "node:net";
import { neonConfig, Pool } from "@neondatabase/serverless";
import { WebSocket, WebSocketServer } from "ws";
import type { Drive } from "../_support/postgres_connections.ts";

/** Opens a pool of Neon's client on a server, through a proxy of its own. */
export async function openNeon(url: string): Promise<Drive & { readonly driver: Pool }> {
  const { hostname, port } = new URL(url);
  const proxy = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  proxy.on("connection", (client: WebSocket) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    client.on("message", (bytes: Uint8Array) => upstream.write(bytes));
    upstream.on("data", (bytes: Uint8Array) => client.send(bytes));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.close()).on("error", () => client.close());
  });
  await new Promise((resolve) => proxy.once("listening", resolve));
  const { port: own } = proxy.address() as AddressInfo;
  Object.assign(neonConfig, {
    wsProxy: () => `127.0.0.1:${own}/v2`,
    useSecureWebSocket: false,
    pipelineTLS: false,
    pipelineConnect: false,
    // Otherwise each statement waits for a timer.
    coalesceWrites: false,
    webSocketConstructor: WebSocket,
  });
  const driver = new Pool({ connectionString: url, max: 8 });
  return {
    driver,
    end: async () => {
      await driver.end();
      proxy.close();
    },
  };
}
