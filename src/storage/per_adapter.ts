/**
 * What a process keeps for each adapter.
 *
 * @module
 */
import { isObject } from "../kernel/objects.ts";

/** Makes one of something for each adapter. The configuration around it may be another object for each request. */
export function perAdapter<Kept>(make: () => Kept): (adapter: unknown) => Kept {
  const known = new WeakMap<object, Kept>();
  return (adapter) => {
    if (!isObject(adapter)) return make(); // reported as a problem of the configuration
    const kept = known.get(adapter) ?? make();
    known.set(adapter, kept);
    return kept;
  };
}
