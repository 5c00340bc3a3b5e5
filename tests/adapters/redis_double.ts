/**
 * A double of the service of Upstash: Redis over HTTP, as far as its adapter asks.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a service with nothing in it. */
export async function redisDouble(): Promise<{ url: string; close: () => Promise<void> }> {
  const values = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const isEncoded = request.headers["upstash-encoding"] === "base64";
    const answer = ([command = "", ...args]: readonly string[]) => {
      const result = run(values, command.toUpperCase(), args);
      return { result: isEncoded && typeof result === "string" ? Buffer.from(result).toString("base64") : result };
    };
    const asked = JSON.parse(await textOf(request));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.url === "/pipeline" ? asked.map(answer) : answer(asked)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function run(values: Map<string, string>, command: string, args: readonly string[]): string | number | null {
  const [key = "", value = ""] = args;
  switch (command) {
    case "GET":
      return values.get(key) ?? null;
    case "SET":
      values.set(key, String(value));
      return "OK";
    case "DEL":
      return args.filter((one) => values.delete(one)).length;
    default:
      throw new Error(`The double does not know ${command}`);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}
