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
