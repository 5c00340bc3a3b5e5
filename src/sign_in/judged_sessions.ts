/**
 * Sessions as features let them go on: those that began elsewhere are judged like one that begins, and all of them by what
 * they say of their sign-in.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { AccessDenied } from "../kernel/errors.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { User } from "../kernel/model.ts";
import { type Points, pointsOf } from "../request/points.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import { type ActiveSession, ownerOf, type SessionStore } from "../session_stores/session_store.ts";
import { noteWaiting } from "../session_stores/waiting.ts";
import { assure } from "./assure.ts";

/**
 * Makes a store that judges each session whenever it is found.
 *
 * One that began in another library, or in a version that did not keep how, is none where another proof is missing, so its
 * user signs in again. One that a feature does not let go on is none until its user has proven more, and is found by the
 * page that asks for that. Neither ends: it goes on if the user no longer needs the proof.
 */
export async function judgingSessions(config: ResolvedConfig, store: SessionStore): Promise<SessionStore> {
  const judgesBegun = config.actsAt.has("mint");
  const judges = config.actsAt.has("continues")
    ? (await pointsOf(config)).flatMap(({ continues }) => continues ?? [])
    : [];
  return {
    find: async (cookies, options = {}) => {
      const found = await store.find(cookies, options);
      if (!found || (judgesBegun && !await mayHaveBegun(config, cookies, found))) return null;
      if (options.unjudged || judges.length === 0 || await mayGoOn(config, judges, found)) return found;
      noteWaiting(cookies);
      return null;
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

async function mayHaveBegun(config: ResolvedConfig, cookies: CookieJar, active: ActiveSession): Promise<boolean> {
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

async function mayGoOn(
  { storage }: ResolvedConfig,
  judges: readonly NonNullable<Points["continues"]>[],
  active: ActiveSession,
): Promise<boolean> {
  const auth = authenticationOf(active);
  const findUser = async (): Promise<User> => {
    const id = active.strategy === "jwt" ? ownerOf(active) : undefined;
    return (id && await storage?.findUser(id)) || userOf(active);
  };
  for (const judge of judges) if (!await judge(auth, findUser)) return false;
  return true;
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
