/**
 * The functions of a service that act for a request to the application. Each is loaded when it is first called.
 *
 * @module
 */
import { type Load, once } from "../kernel/load.ts";

/** `signIn()`, `signOut()` and `update()`. */
export const actions: Load<typeof import("./actions.ts")> = once(() => import("./actions.ts"));

/** `accessToken()`, with oauth4webapi. */
export const accessTokens: Load<typeof import("./access_token.ts")> = once(() => import("./access_token.ts"));

/** `auth.sessions`. */
export const sessionActions: Load<typeof import("./session_actions.ts")> = once(() => import("./session_actions.ts"));

/** `auth.require()`, and what a guard answers that asks for more than a session. */
export const requirements: Load<typeof import("./require.ts")> = once(() => import("./require.ts"));

/** `auth.check()`. */
export const checks: Load<typeof import("./check.ts")> = once(() => import("./check.ts"));

/** `auth.passwords`. */
export const passwordActions: Load<typeof import("./password_actions.ts")> = once(() =>
  import("./password_actions.ts")
);

/** `auth.factors`. */
export const factorActions: Load<typeof import("./factor_actions.ts")> = once(() => import("./factor_actions.ts"));

/** `auth.account`. */
export const accountActions: Load<typeof import("./account_actions.ts")> = once(() => import("./account_actions.ts"));
