/**
 * What a client of a provider needs only if the configuration, or the metadata of the provider, says so.
 *
 * @module
 */
import { type Load, once } from "../kernel/load.ts";

/** Authorization requests that are signed or pushed. */
export const authorizationRequests: Load<typeof import("./authorization_request.ts")> = once(() =>
  import("./authorization_request.ts")
);

/** Signed authorization responses. */
export const signedResponses: Load<typeof import("./signed_response.ts")> = once(() => import("./signed_response.ts"));

/** The FAPI 2.0 security profile. */
export const fapi2: Load<typeof import("./fapi2.ts")> = once(() => import("./fapi2.ts"));

/** Access tokens that are bound to a key. */
export const dpop: Load<typeof import("./dpop.ts")> = once(() => import("./dpop.ts"));
