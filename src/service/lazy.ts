/**
 * Everything that is loaded late: to read a sealed session, which most requests do, needs none of it.
 *
 * @module
 */
import { type Load, once } from "../kernel/load.ts";

/** What a configuration with an adapter needs: sessions that are rows. */
export const stores: Load<typeof import("../session_stores/mod.ts")> = once(() => import("../session_stores/mod.ts"));

/** What resolves a configuration. */
export const setup: Load<typeof import("./setup.ts")> = once(() => import("./setup.ts"));

/** What answers when something fails. */
export const failures: Load<typeof import("./error_outcomes.ts")> = once(() => import("./error_outcomes.ts"));

/** `auth.check()`. */
export const checks: Load<typeof import("./check.ts")> = once(() => import("./check.ts"));

/** What each endpoint does. */
export const flows: Load<typeof import("./flows.ts")> = once(() => import("./flows.ts"));

/** `signIn()`, `signOut()` and `update()`. */
export const actions: Load<typeof import("./actions.ts")> = once(() => import("./actions.ts"));

/** `accessToken()`, with oauth4webapi. */
export const accessTokens: Load<typeof import("./access_token.ts")> = once(() => import("./access_token.ts"));
/** `auth.sessions`. */
export const sessionActions: Load<typeof import("./session_actions.ts")> = once(() => import("./session_actions.ts"));

/** Paths that the service does not have. */
export const unknownPath: Load<typeof import("./unknown_path.ts")> = once(() => import("./unknown_path.ts"));

/** What is no `Request`. */
export const wrongRequest: Load<typeof import("./wrong_request.ts")> = once(() => import("./wrong_request.ts"));

/** The built-in pages. */
export const pages: Load<typeof import("../pages/render.ts")> = once(() => import("../pages/render.ts"));

/** OAuth and OpenID Connect, with oauth4webapi. */
export const oauth: Load<typeof import("../oauth/mod.ts")> = once(() => import("../oauth/mod.ts"));

/** Logout at a provider and by a provider. */
export const logout: Load<typeof import("../logout/mod.ts")> = once(() => import("../logout/mod.ts"));

/** Sign-in links and codes by email. */
export const email: Load<typeof import("../email/mod.ts")> = once(() => import("../email/mod.ts"));

/** Credentials, such as a password. */
export const credentials: Load<typeof import("../credentials/sign_in.ts")> = once(() =>
  import("../credentials/sign_in.ts")
);

/** Passkeys, with SimpleWebAuthn. */
export const webauthn: Load<typeof import("../webauthn/mod.ts")> = once(() => import("../webauthn/mod.ts"));

/** Sessions that another library began. */
export const formerSessions: Load<typeof import("../session_stores/former_store.ts")> = once(() =>
  import("../session_stores/former_store.ts")
);
