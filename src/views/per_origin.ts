/**
 * What is the same for every visitor of one service under one address.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import type { RequestContext } from "../request/context.ts";

/** Addresses that one service is known under: previews and aliases, not what strangers make up. */
const ORIGINS = 16;

/**
 * Remembers a value for each configuration and origin.
 *
 * @param make Makes the value; it may depend on nothing else of the request.
 */
export function perOrigin<T extends object>(make: (ctx: RequestContext) => T): (ctx: RequestContext) => T {
  const known = new WeakMap<object, BoundedMap<string, T>>();
  return (ctx) => {
    const { config, url: { origin } } = ctx;
    let values = known.get(config);
    if (!values) known.set(config, values = new BoundedMap(ORIGINS));
    let value = values.get(origin);
    if (!value) values.set(origin, value = make(ctx));
    return value;
  };
}
