/**
 * What a session knows of the session at the provider that it began with: in its row, or in its claims if it has none.
 *
 * @module
 */
import { type AtRest, openAtRest, sealAtRest } from "../crypto/at_rest.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { JWT } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";
import { logoutHintOf } from "./session_row.ts";
import type { ActiveSession, EndedSession, ProviderSession } from "./session_store.ts";

/** The longest `sid` that is kept in claims, in characters. */
const LONGEST_SID = 255;

/** The longest id_token that is kept in claims, in characters: they travel in cookies. */
const LONGEST_ID_TOKEN = 4 * 1024;

/**
 * Makes the claims of a session that has no row. The id_token is encrypted once more: a coder of the developer's may only
 * sign, and a callback may return all claims to the browser.
 */
export async function providerClaims(sealer: Sealer, { provider, sid, idToken }: ProviderSession): Promise<JWT> {
  const isHint = idToken !== undefined && idToken.length <= LONGEST_ID_TOKEN;
  const logout_hint = isHint ? await sealAtRest(sealer, hintOf(provider), idToken) : undefined;
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

/** Gives what a session knows of its provider. `null` if it began without one, or before that was kept. */
export function keptProviderSession(session: ActiveSession | EndedSession): KeptProviderSession | null {
  if ("session" in session && session.session) {
    const { provider, providerSid: sid, logoutHint: sealed } = session.session;
    if (provider) return { provider, sid, hint: sealed ? { ...logoutHintOf(session.session), sealed } : null };
  }
  const claims = "claims" in session ? session.claims : "token" in session ? session.token : {};
  const { provider, sid, logout_hint: sealed } = isObject(claims.provider_session) ? claims.provider_session : {};
  if (typeof provider !== "string") return null;
  return {
    provider,
    sid: typeof sid === "string" ? sid : undefined,
    hint: typeof sealed === "string" ? { ...hintOf(provider), sealed } : null,
  };
}

/** Decrypts the id_token. `null` if it was not kept, or the secret has changed. */
export async function openLogoutHint(sealer: Sealer, { hint }: KeptProviderSession): Promise<string | null> {
  return hint && await openAtRest(sealer, hint, hint.sealed);
}

function hintOf(provider: string): AtRest {
  return { purpose: "logoutHint", owner: `claims of ${provider}` };
}
