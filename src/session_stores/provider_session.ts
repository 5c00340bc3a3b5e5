/**
 * What a session keeps of its sign-in and of the session at the provider: in its row, or in its claims if it has none.
 *
 * @module
 */
import { type AtRest, openAtRest, sealAtRest } from "../crypto/at_rest.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { AdapterSession, JWT } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";
import { toRow } from "./authentication.ts";
import type { ActiveSession, Authentication, EndedSession, ProviderSession, SessionOwner } from "./session_store.ts";

/** The longest `sid` in a row, in characters: storage finds sessions by it, and keys have a limit. */
const LONGEST_SID_IN_ROW = 256;

/** The longest id_token in a row, in characters. With a picture in it, it may exceed the record size of storage. */
const LONGEST_ID_TOKEN_IN_ROW = 16 * 1024;

/** The longest `sid` in claims, in characters. */
const LONGEST_SID = 255;

/** The longest id_token in claims, in characters: they travel in cookies. */
const LONGEST_ID_TOKEN = 4 * 1024;

/** Makes the row of a new session, for storage that keeps extra fields. */
export async function describedRow(
  sealer: Sealer,
  core: Pick<AdapterSession, "sessionToken" | "userId" | "expires">,
  { providerSession, authentication }: Pick<SessionOwner, "providerSession" | "authentication">,
  now: number,
): Promise<AdapterSession> {
  const { sid, idToken } = providerSession ?? {};
  const isHint = idToken !== undefined && idToken.length <= LONGEST_ID_TOKEN_IN_ROW;
  return {
    ...core,
    ...toRow({ ...authentication, time: authentication.time ?? Math.floor(now / 1000) }),
    ...(sid !== undefined && isUsableSid(sid) && { providerSid: sid }),
    ...(isHint && { logoutHint: await sealAtRest(sealer, hintOf(core.sessionToken), idToken) }),
  };
}

/**
 * Makes the row of a session in place of another, with all that it holds. The id_token is sealed for the new key.
 *
 * @param authentication How its user signed in; `null` if rows do not say it.
 */
export async function succeedingRow(
  sealer: Sealer,
  { logoutHint, ...before }: AdapterSession,
  after: Pick<AdapterSession, "sessionToken" | "expires">,
  authentication: Authentication | null,
): Promise<AdapterSession> {
  // Some databases number their rows.
  const { id: _, ...kept } = before as AdapterSession & { readonly id?: unknown };
  const idToken = logoutHint ? await openAtRest(sealer, hintOf(before.sessionToken), logoutHint) : null;
  return {
    ...kept,
    ...after,
    ...(authentication && toRow(authentication)),
    ...(idToken !== null && { logoutHint: await sealAtRest(sealer, hintOf(after.sessionToken), idToken) }),
  };
}

// Databases refuse NUL, and write all lone surrogates the same.
function isUsableSid(sid: string): boolean {
  return sid !== "" && sid.length <= LONGEST_SID_IN_ROW && sid.isWellFormed() && !sid.includes("\0");
}

/**
 * Makes the claims of a session that has no row. The id_token is encrypted once more: `jwt.encode` may only sign,
 * and a callback may return all claims to the browser.
 */
export async function providerClaims(sealer: Sealer, { provider, sid, idToken }: ProviderSession): Promise<JWT> {
  const isHint = idToken !== undefined && idToken.length <= LONGEST_ID_TOKEN;
  const logout_hint = isHint ? await sealAtRest(sealer, claimHintOf(provider), idToken) : undefined;
  return {
    provider_session: {
      provider,
      ...(sid !== undefined && sid.length <= LONGEST_SID && { sid }),
      ...(logout_hint && { logout_hint }),
    },
  };
}

/** What is kept of a session at a provider. The id_token is still sealed. */
export interface KeptProviderSession extends Pick<ProviderSession, "provider" | "sid"> {
  readonly hint: (AtRest & { readonly sealed: string }) | null;
}

/** Gives what a session keeps of its provider; `null` if it has none, or was made by a version that kept nothing. */
export function keptProviderSession(session: ActiveSession | EndedSession): KeptProviderSession | null {
  if ("session" in session && session.session) {
    const { provider, providerSid: sid, logoutHint: sealed } = session.session;
    if (provider) return { provider, sid, hint: sealed ? { ...hintOf(session.session.sessionToken), sealed } : null };
  }
  const claims = "claims" in session ? session.claims : "token" in session ? session.token : {};
  const { provider, sid, logout_hint: sealed } = isObject(claims.provider_session) ? claims.provider_session : {};
  if (typeof provider !== "string") return null;
  return {
    provider,
    sid: typeof sid === "string" ? sid : undefined,
    hint: typeof sealed === "string" ? { ...claimHintOf(provider), sealed } : null,
  };
}

/** Decrypts the id_token. `null` if it was not kept, or the secret has changed. */
export async function openLogoutHint(sealer: Sealer, { hint }: KeptProviderSession): Promise<string | null> {
  return hint && await openAtRest(sealer, hint, hint.sealed);
}

/** What a sealed id_token belongs to: the row of a session, or the claims of one. */
function hintOf(owner: string): AtRest {
  return { purpose: "logoutHint", owner };
}

function claimHintOf(provider: string): AtRest {
  return hintOf(`claims of ${provider}`);
}
