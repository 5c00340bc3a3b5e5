/**
 * What a client of a provider needs only if the configuration, or the metadata of the provider, says so.
 *
 * @module
 */
import { type Load, once } from "../kernel/load.ts";

/** Pushed authorization requests. */
export const pushedRequests: Load<typeof import("./pushed_request.ts")> = once(() => import("./pushed_request.ts"));

/** Signed authorization requests. */
export const requestObjects: Load<typeof import("./request_object.ts")> = once(() => import("./request_object.ts"));

/** Signed authorization responses. */
export const signedResponses: Load<typeof import("./signed_response.ts")> = once(() => import("./signed_response.ts"));
/** Encrypted answers of a provider, with jose. */
export const decryption: Load<typeof import("./decryption.ts")> = once(() => import("./decryption.ts"));

/** The FAPI 2.0 security profile. */
export const fapi2: Load<typeof import("./fapi2.ts")> = once(() => import("./fapi2.ts"));

/** Access tokens that are bound to a key. */
export const dpop: Load<typeof import("./dpop.ts")> = once(() => import("./dpop.ts"));
