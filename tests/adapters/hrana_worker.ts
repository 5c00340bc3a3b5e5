/** A server of libSQL in a thread of its own: a replica blocks the thread that reads from it while it asks the server. */
import { startHrana } from "./hrana_server.ts";

const scope = globalThis as unknown as Worker;

scope.onmessage = async ({ data }: MessageEvent<string>) => {
  const { url } = await startHrana(data);
  scope.postMessage(url);
};
