/**
 * Which service the functions of a page are for that are told of none.
 *
 * @module
 */
import { type ClientOptions, connect, type Connection } from "./connection.ts";

let mounted: string | undefined;

/** Connects to a service, which is then that of all functions that are told of none. */
export function mount(basePath: string | undefined): Connection {
  mounted = basePath ?? mounted;
  return at();
}

/** Connects to a service, or else to the one that was mounted last. */
export function at({ basePath = mounted }: ClientOptions = {}): Connection {
  return connect({ basePath });
}
