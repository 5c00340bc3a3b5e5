/**
 * The rooms of signing in, each loaded when somebody first signs in that way: reading a session, which is most of what a
 * site asks, does without them and their libraries.
 *
 * @module
 */

/** The room of OAuth and OpenID Connect. */
export const oauth: () => Promise<typeof import("../oauth/mod.ts")> = once(() => import("../oauth/mod.ts"));

/** The room of links by e-mail. */
export const email: () => Promise<typeof import("../email/mod.ts")> = once(() => import("../email/mod.ts"));

/** The room of credentials. */
export const credentials: () => Promise<typeof import("../credentials/sign_in.ts")> = once(() =>
  import("../credentials/sign_in.ts")
);

/** The room of passkeys. */
export const webauthn: () => Promise<typeof import("../webauthn/mod.ts")> = once(() => import("../webauthn/mod.ts"));

function once<Room>(load: () => Promise<Room>): () => Promise<Room> {
  let room: Room | undefined;
  return async () => room ??= await load();
}
