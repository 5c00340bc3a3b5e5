/**
 * Modules of other folders that are loaded late: reading a sealed session, which most requests do, needs none of them.
 *
 * @module
 */
import { type Load, once } from "../kernel/load.ts";

/** What a configuration with an adapter needs: sessions that are rows. */
export const stores: Load<typeof import("../session_stores/mod.ts")> = once(() => import("../session_stores/mod.ts"));

/** What opens the built-in pages. */
export const views: Load<typeof import("../views/pages.ts")> = once(() => import("../views/pages.ts"));

/** What draws the built-in pages. */
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

/** The endpoints of passwords. */
export const passwords: Load<typeof import("../passwords/endpoints/mod.ts")> = once(() =>
  import("../passwords/endpoints/mod.ts")
);

/** Passkeys, with SimpleWebAuthn. */
export const webauthn: Load<typeof import("../webauthn/mod.ts")> = once(() => import("../webauthn/mod.ts"));

/** Sessions that another library began. */
export const formerSessions: Load<typeof import("../session_stores/former_store.ts")> = once(() =>
  import("../session_stores/former_store.ts")
);

/** What judges sessions whenever they are found, where features do. */
export const judged: Load<typeof import("../sign_in/judged_sessions.ts")> = once(() =>
  import("../sign_in/judged_sessions.ts")
);

/** The limits of a service that says nothing about them. */
export const defaultLimits: Load<typeof import("../limits/by_default.ts")> = once(() =>
  import("../limits/by_default.ts")
);
