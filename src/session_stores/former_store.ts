/**
 * Sessions that another library began and that go on here.
 *
 * A cookie of the other library wins over one of ours. Whenever a session goes on here, and at every sign-in and
 * sign-out, those cookies are removed. So if a browser has one, the other library has set it afterwards.
 *
 * @module
 */
import type { ResolvedConfig, ResolvedFormerSessions } from "../config/resolve.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { JWT } from "../kernel/model.ts";
import type { SealedRows } from "./sealed_rows.ts";
import type { ActiveSession, EndedSession, FindOptions, SessionStore } from "./session_store.ts";

type FormerConfig = { readonly session: Pick<ResolvedConfig["session"], "strategy"> } & Pick<ResolvedConfig, "jwt">;

/**
 * Makes a session store that also reads the sessions of another library.
 *
 * @param config The configuration.
 * @param former The sessions of the other library.
 * @param own The store of this service's own sessions.
 * @param rows The rows of sealed sessions, where they can be ended.
 */
export function createFormerStore(
  { session, jwt }: FormerConfig,
  former: ResolvedFormerSessions,
  own: SessionStore,
  rows: SealedRows | null = null,
): SessionStore {
  const isStored = session.strategy === "database";
  const foundByFormer = new WeakSet<ActiveSession>();

  const tokenIn = (cookies: CookieJar) => former.read((name) => cookies.readFormer(name)) || undefined;

  const open = async (token: string): Promise<JWT | null> => await former.open?.(token, jwt.secrets) ?? null;

  async function findFormer(cookies: CookieJar, options: FindOptions): Promise<ActiveSession | null> {
    const token = tokenIn(cookies);
    if (!token) return null;
    if (isStored) return await own.find(cookies, { ...options, token });
    const claims = await open(token);
    const admitted = claims && rows ? await rows.admit(claims, options) : claims;
    return admitted && { strategy: "jwt", claims: admitted };
  }

  return {
    async find(cookies, options = {}) {
      const found = await findFormer(cookies, options);
      if (found) foundByFormer.add(found);
      return found ?? await own.find(cookies, options);
    },
    reserve: (owner) => own.reserve(owner),
    prepare: (owner, cookies) => own.prepare(owner, cookies),
    previousToken: (cookies) => own.previousToken(cookies, tokenIn(cookies)),
    write(cookies, prepared) {
      own.write(cookies, prepared);
      cookies.clearFormer();
    },
    succeed: (cookies, active, step) => own.succeed(cookies, active, step),
    async refresh(cookies, active, options) {
      const isFormer = foundByFormer.has(active);
      // It is sealed again at once.
      const refreshed = await own.refresh(cookies, active, { ...options, due: isFormer });
      if (!options.renew || !isFormer) return refreshed;
      cookies.clearFormer();
      // A sealed session has been sealed and sent by now. A stored one is sent only if its row was extended.
      if (refreshed?.strategy === "database") {
        own.write(cookies, { token: refreshed.session.sessionToken, expires: refreshed.expires });
      }
      return refreshed;
    },
    forget: (cookies) => own.forget(cookies),
    async end(cookies) {
      const token = tokenIn(cookies);
      cookies.clearFormer();
      if (!token) return await own.end(cookies);
      if (!isStored) {
        const claims = await open(token);
        const ended = await own.end(cookies);
        if (claims) await rows?.end(claims);
        return ended ?? (claims && { token: claims });
      }
      // Both, even if one of them fails.
      const [endedFormer, ended] = await Promise.allSettled([own.end(cookies, token), own.end(cookies)]);
      if (endedFormer.status === "rejected") throw endedFormer.reason;
      if (ended.status === "rejected") throw ended.reason;
      return hasRow(ended.value) ? ended.value : endedFormer.value;
    },
  };
}

function hasRow(ended: EndedSession | null): boolean {
  return ended !== null && "session" in ended && ended.session !== null;
}
