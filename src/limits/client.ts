/**
 * The address of the client of a request, and how it was found.
 *
 * @module
 */
import type { ConnectionInfo } from "../contract/handler.ts";
import { isObject } from "../kernel/objects.ts";
import { CallbackRouteError } from "../kernel/errors.ts";
import { LazyRequest } from "../http/request_like.ts";
import type { RequestContext } from "../request/context.ts";
import { addressInHeader, type ClientAddress, proxyHeaderOf, publicAddress, readAddress } from "./client_address.ts";

/** Where a client was looked for. */
export interface FoundClient {
  /** `null` if it is unknown. */
  readonly address: string | null;
  /** How it was found, or why it was not, as a sentence of `check()` goes on. */
  readonly how: string;
}

/** Finds the address of a client. Unless it is configured where, it counts only where no proxy can be in front. */
export function findClient(ctx: RequestContext, option: ClientAddress | undefined): FoundClient {
  if (option === undefined) return findDirect(ctx);
  if (option === "connection") {
    return { address: readAddress(connectedTo(ctx) ?? ""), how: "the other end of the connection" };
  }
  if (typeof option === "function") return { address: call(ctx, option), how: "what `clientAddress` returned" };
  const { header, hops = 1 } = option;
  const address = addressInHeader(ctx.incoming, option);
  const how = `number ${hops} from the right in the header "${header}"`;
  const isInner = address !== null && publicAddress(address) === null;
  return { address, how: isInner ? `${how}, which ${INNER}` : how };
}

// With too few `hops` all visitors would have the address of one proxy, and share its limit.
const INNER = "is on a private network: unless your visitors are, there are more proxies, so raise `hops`";

const SET_IT = "set `clientAddress` of `limits()`";

function findDirect(ctx: RequestContext): FoundClient {
  const header = proxyHeaderOf(ctx.incoming);
  if (header) return { address: null, how: `a proxy has set the header "${header}": ${SET_IT}` };
  if (ctx.config.trustHost === "any") {
    return { address: null, how: `proxies are trusted (\`trustHost\`), and none has named the client: ${SET_IT}` };
  }
  const connected = connectedTo(ctx);
  if (connected === null) return { address: null, how: `the host does not tell it: ${SET_IT}` };
  const address = publicAddress(connected);
  const how = "the other end of the connection";
  return { address, how: address === null ? `${how} is on a private network, so it may be a proxy: ${SET_IT}` : how };
}

function connectedTo({ connection, incoming }: RequestContext): string | null {
  const remote = isObject(connection) ? (connection as ConnectionInfo).remoteAddr : undefined;
  const socket = incoming instanceof LazyRequest ? incoming.socket?.remoteAddress : undefined;
  const name: unknown = isObject(remote) ? remote.hostname : socket;
  return typeof name === "string" ? name : null;
}

function call(ctx: RequestContext, find: Extract<ClientAddress, (...args: never) => unknown>): string | null {
  try {
    const found: unknown = find(ctx.request);
    return typeof found === "string" ? readAddress(found) : null;
  } catch (cause) {
    // Nobody is locked out because of it.
    const message = "Cannot tell who a client is: `clientAddress` of `limits()` failed";
    ctx.config.logger.error(new CallbackRouteError(message, { cause, logCode: "callback-threw" }), ctx);
    return null;
  }
}
