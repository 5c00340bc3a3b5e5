/**
 * What few providers need: it is loaded when a sign-in with one of them first uses it.
 *
 * @module
 */
import { type Load, once } from "../kernel/load.ts";

/** Encrypted answers of a provider, with jose. */
export const decryption: Load<typeof import("./decryption.ts")> = once(() => import("./decryption.ts"));

/** Access tokens that are bound to a key. */
export const dpop: Load<typeof import("./dpop.ts")> = once(() => import("./dpop.ts"));
