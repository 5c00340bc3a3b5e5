import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** A port that nothing else gets before it is released. */
export interface HeldPort {
  readonly port: number;
  release(): Promise<void>;
}

/** Holds a free port of this machine, while servers that take any port start. */
export async function holdPort(): Promise<HeldPort> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Finds a port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const { port, release } = await holdPort();
  await release();
  return port;
}
