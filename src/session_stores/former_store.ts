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
import type {
  ActiveSession,
  EndedSession,
  FindOptions,
  RefreshedSession,
  RefreshOptions,
  SessionStore,
} from "./session_store.ts";

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

  const tokenIn = (cookies: CookieJar): string | null => former.read((name) => cookies.readFormer(name));

  const open = async (token: string): Promise<JWT | null> => await former.open?.(token, jwt.secrets) ?? null;

  async function findSealed(token: string, options: FindOptions = {}): Promise<ActiveSession | null> {
    const claims = await open(token);
    const admitted = claims && rows ? await rows.admit(claims, options) : claims;
    return admitted && { strategy: "jwt", claims: admitted };
  }

  async function findFormer(cookies: CookieJar, options?: FindOptions): Promise<ActiveSession | null> {
    const token = tokenIn(cookies);
    if (!token) return null;
    const found = isStored ? await own.find(withToken(cookies, token), options) : await findSealed(token, options);
    if (found) foundByFormer.add(found);
    return found;
  }

  async function refresh(
    cookies: CookieJar,
    active: ActiveSession,
    options: RefreshOptions,
  ): Promise<RefreshedSession | null> {
    // It is sealed again at once.
    const refreshed = await own.refresh(cookies, active, { ...options, due: foundByFormer.has(active) });
    if (!options.renew || !foundByFormer.has(active)) return refreshed;
    cookies.clearFormer();
    // A sealed session has been sealed and sent by now. A stored one is sent only if its row was extended.
    if (refreshed?.strategy === "database") {
      own.write(cookies, { token: refreshed.session.sessionToken, expires: refreshed.expires });
    }
    return refreshed;
  }

  async function end(cookies: CookieJar): Promise<EndedSession | null> {
    const token = tokenIn(cookies);
    cookies.clearFormer();
    const endOwn = (): Promise<EndedSession | null> => own.end(cookies);
    if (!token) return await endOwn();
    if (!isStored) {
      const claims = await open(token);
      const ended = await endOwn();
      if (claims) await rows?.end(claims);
      return ended ?? (claims && { token: claims });
    }
    // Both, even if one of them fails.
    const [endedFormer, ended] = await Promise.allSettled([own.end(withToken(cookies, token)), endOwn()]);
    if (endedFormer.status === "rejected") throw endedFormer.reason;
    if (ended.status === "rejected") throw ended.reason;
    return hasRow(ended.value) ? ended.value : endedFormer.value;
  }

  return {
    find: async (cookies, options) => await findFormer(cookies, options) ?? await own.find(cookies, options),
    reserve: (owner) => own.reserve(owner),
    prepare: (owner, cookies) => own.prepare(owner, cookies),
    previousToken(cookies) {
      const token = tokenIn(cookies);
      return own.previousToken(token ? withToken(cookies, token) : cookies);
    },
    write(cookies, prepared) {
      own.write(cookies, prepared);
      cookies.clearFormer();
    },
    refresh,
    forget: (cookies) => own.forget(cookies),
    end,
  };
}

/** The same cookies, as if the session token were another one. */
function withToken(cookies: CookieJar, token: string): CookieJar {
  const read: CookieJar["read"] = (role, slot) => role === "sessionToken" ? token : cookies.read(role, slot);
  return new Proxy(cookies, {
    get(jar, name: keyof CookieJar) {
      const member = name === "read" ? read : jar[name];
      // Methods of a jar work on the jar itself only.
      return typeof member === "function" ? member.bind(jar) : member;
    },
  });
}

function hasRow(ended: EndedSession | null): boolean {
  return ended !== null && "session" in ended && ended.session !== null;
}
