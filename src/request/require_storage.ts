/**
 * The storage of flows that need it. A separate file, so that only they load it.
 *
 * @module
 */
import type { Storage } from "../storage/guard.ts";
import { MissingAdapter } from "../kernel/errors.ts";
import type { RequestContext } from "./context.ts";

/** Gives the storage. @throws {MissingAdapter} if `adapter` is not set. */
export function requireStorage({ config: { storage } }: Pick<RequestContext, "config">): Storage {
  if (storage) return storage;
  throw new MissingAdapter("Cannot sign in with this provider: set `adapter`");
}
