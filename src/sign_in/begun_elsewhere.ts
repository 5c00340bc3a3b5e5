/**
 * Sessions that began elsewhere: in another library, or in a version that did not keep how.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { AccessDenied } from "../kernel/errors.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { User } from "../kernel/model.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import type { ActiveSession, SessionStore } from "../session_stores/session_store.ts";
import { assure } from "./assure.ts";

/**
 * Makes a store that judges such a session like one that begins, whenever it is found. Where another proof is missing there is
 * no session, so its user signs in again. It does not end: it goes on if the user no longer needs that proof.
 */
export function judgingBegunElsewhere(config: ResolvedConfig, store: SessionStore): SessionStore {
  return {
    find: async (cookies, options) => {
      const found = await store.find(cookies, options);
      return found && await mayGoOn(config, cookies, found) ? found : null;
    },
    reserve: (owner) => store.reserve(owner),
    prepare: (owner, cookies) => store.prepare(owner, cookies),
    previousToken: (cookies, token) => store.previousToken(cookies, token),
    write: (cookies, prepared) => store.write(cookies, prepared),
    succeed: (cookies, active, step) => store.succeed(cookies, active, step),
    refresh: (cookies, active, options) => store.refresh(cookies, active, options),
    forget: (cookies) => store.forget(cookies),
    end: (cookies, token) => store.end(cookies, token),
  };
}

async function mayGoOn(config: ResolvedConfig, cookies: CookieJar, active: ActiveSession): Promise<boolean> {
  const authentication = authenticationOf(active);
  // Each sign-in here keeps its provider, and no callback changes that.
  if (authentication.provider !== undefined) return true;
  try {
    const { act } = await assure({ config, cookies }, { user: userOf(active), evicts: false, authentication });
    return act === "enter";
  } catch (error) {
    if (error instanceof AccessDenied) return false;
    throw error;
  }
}

function userOf(active: ActiveSession): User {
  if (active.strategy === "database") return active.user;
  const { sub, name, email, picture } = active.claims;
  return {
    ...(sub !== undefined && { id: sub }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(picture !== undefined && { image: picture }),
  };
}
