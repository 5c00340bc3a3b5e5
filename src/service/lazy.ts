/**
 * Everything that is loaded late: to read a sealed session, which most requests do, needs none of it.
 *
 * @module
 */
import { type Load, once } from "../kernel/load.ts";

/** What a configuration with an adapter needs: the guard of the adapter, and sessions that are rows. */
export const stores: Load<typeof import("../stores/mod.ts")> = once(() => import("../stores/mod.ts"));

/** What each endpoint does. */
export const flows: Load<typeof import("./flows.ts")> = once(() => import("./flows.ts"));

/** `signIn()`, `signOut()` and `update()`. */
export const actions: Load<typeof import("./actions.ts")> = once(() => import("./actions.ts"));

/** `accessToken()`, with oauth4webapi. */
export const accessTokens: Load<typeof import("./access_token.ts")> = once(() => import("./access_token.ts"));

/** The built-in pages, with preact. */
export const pages: Load<typeof import("../pages/render.tsx")> = once(() => import("../pages/render.tsx"));

/** OAuth and OpenID Connect, with oauth4webapi. */
export const oauth: Load<typeof import("../oauth/mod.ts")> = once(() => import("../oauth/mod.ts"));

/** Sign-in links and codes by email. */
export const email: Load<typeof import("../email/mod.ts")> = once(() => import("../email/mod.ts"));

/** Credentials, such as a password. */
export const credentials: Load<typeof import("../credentials/sign_in.ts")> = once(() =>
  import("../credentials/sign_in.ts")
);

/** Passkeys, with SimpleWebAuthn. */
export const webauthn: Load<typeof import("../webauthn/mod.ts")> = once(() => import("../webauthn/mod.ts"));

/** Sessions that another library began. */
export const formerSessions: Load<typeof import("../stores/former_store.ts")> = once(() =>
  import("../stores/former_store.ts")
);
