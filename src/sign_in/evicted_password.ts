/**
 * Passwords in a table of the application, where somebody proves an address for the first time.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { removePassword } from "./stored_password.ts";
import type { WriteSignIn } from "./writer.ts";

/** Makes a writer also remove what lets a user in, where the application keeps hashes: they are in no plan. */
export function evictingStored(config: ResolvedConfig, write: WriteSignIn): WriteSignIn {
  return async (planned, around) => {
    const { evict } = planned.plan;
    if (evict) await removePassword(config, evict.userId);
    return await write(planned, around);
  };
}
