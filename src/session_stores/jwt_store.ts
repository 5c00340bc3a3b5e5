/**
 * Sessions that are encrypted in the cookie itself.
 *
 * @module
 */
import type { JWTCallbackParams } from "../contract/config.ts";
import { MAX_TOKEN_LENGTH } from "../crypto/seal.ts";
import { decode, encode } from "../jwt.ts";
import { CallbackRouteError, SignOutError } from "../kernel/errors.ts";
import { kindOf } from "../kernel/shown.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { AdapterUser, JWT } from "../kernel/model.ts";
import { shownPicture } from "../kernel/pictures.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { withBeginning } from "./auth_session.ts";
import type { SealedRows } from "./sealed_rows.ts";
import type {
  ActiveSession,
  FindOptions,
  PreparedSession,
  RefreshedSession,
  RefreshOptions,
  SessionOwner,
  SessionStore,
} from "./session_store.ts";

type JwtConfig = Pick<ResolvedConfig, "callbacks" | "jwt" | "runtime" | "sealer" | "session" | "logger">;

/** Creates the store of the strategy `jwt`, with the rows of its sessions where they can be ended. */
export function createJwtStore(config: JwtConfig, rows: SealedRows | null = null): SessionStore {
  const { callbacks, jwt, runtime, sealer, session, logger } = config;

  // What a coder of the developer's is given besides: the other one, too, and ours in its place.
  const coding = {
    secret: jwt.secret,
    maxAge: jwt.maxAge,
    encode: jwt.encode ?? encode,
    decode: jwt.decode ?? decode,
  };

  const open = async (token: string, salt: string): Promise<JWT | null> => {
    // Never remembered: a decoder of the developer's may reject a token for reasons of its own, such as a revocation.
    if (jwt.decode) return asClaims(await jwt.decode({ ...coding, token, salt }));
    return await sealer.open(token, salt, { remember: true });
  };

  const seal = async (claims: JWT, salt: string): Promise<PreparedSession> => {
    const expires = new Date(runtime.now() + Math.min(session.maxAge, jwt.maxAge) * 1000);
    const params = { salt, maxAge: jwt.maxAge };
    const token: unknown = jwt.encode
      ? await jwt.encode({ ...coding, token: claims, salt })
      : await sealer.seal(claims, params);
    if (typeof token !== "string" || token === "") throw new TypeError("jwt.encode must return a token");
    if (token.length > MAX_TOKEN_LENGTH) {
      throw new CallbackRouteError(
        `Cannot keep the session in cookies: it takes ${token.length} characters of at most ${MAX_TOKEN_LENGTH}, and ` +
          `\`${longestOf(claims)}\` takes most of them. Return less from \`callbacks.jwt\`, or set \`adapter\` and ` +
          '`session.strategy: "database"`',
        { logCode: "session-too-large" },
      );
    }
    return { token, expires };
  };

  // A callback that forgot to return the token must not overwrite a valid session.
  const callJwt = async (params: JWTCallbackParams): Promise<JWT | null> => {
    if (!callbacks.jwt) return params.token;
    const { auth_session } = params.token;
    const chosen: unknown = await callbacks.jwt(params);
    if (typeof chosen !== "object" || Array.isArray(chosen)) {
      throw new CallbackRouteError(
        `\`callbacks.jwt\` returned ${
          kindOf(chosen)
        }: it must return the token (\`return token\`), or null to end the session`,
        { logCode: "callback-result" },
      );
    }
    // A callback that forgot the id, or took another one from the client, must not give the session another row.
    return rows && chosen ? { ...chosen, auth_session } : chosen as JWT | null;
  };

  const saltOf = (cookies: CookieJar): string => cookies.nameOf("sessionToken");

  const isDue = (claims: JWT): boolean => {
    return typeof claims.iat !== "number" || claims.iat + session.updateAge <= runtime.now() / 1000;
  };

  const endOf = (claims: JWT): Date => {
    const latest = runtime.now() + session.maxAge * 1000;
    return new Date(typeof claims.exp === "number" ? Math.min(claims.exp * 1000, latest) : latest);
  };

  async function refresh(
    cookies: CookieJar,
    active: ActiveSession,
    { renew, patch, due }: RefreshOptions,
  ): Promise<RefreshedSession | null> {
    if (active.strategy !== "jwt") return null;
    const { claims } = active;
    const before = callbacks.jwt ? JSON.stringify(claims) : "";
    const after = callbacks.jwt
      ? await callJwt({ token: claims, ...(patch && { trigger: "update", session: patch.data }) })
      : claims;
    if (after === null) {
      await rows?.end(claims);
      return null;
    }
    const changed = patch !== undefined || (callbacks.jwt !== null && JSON.stringify(after) !== before);
    const isRenewed = renew && (changed || due || isDue(after) || rows?.isDue(after));
    const kept = isRenewed && rows ? await rows.keep(withBeginning(after, claims), changed, cookies.subject) : after;
    if (kept === null) return null;
    if (!isRenewed || !kept) return { strategy: "jwt", claims: after, expires: endOf(after) };
    const renewed = await seal(kept, saltOf(cookies));
    cookies.writeChunked("sessionToken", renewed.token, { expires: renewed.expires });
    return { strategy: "jwt", claims: kept, expires: renewed.expires };
  }

  async function prepare(owner: SessionOwner, cookies: CookieJar): Promise<PreparedSession | null> {
    const begun = rows ? await rows.begin(owner, () => readClaims(cookies), cookies.subject) : {};
    if (!begun) return null;
    const { user, account, profile, isNewUser } = owner;
    const auth_time = owner.signedInAt ?? signInTime(user as Partial<AdapterUser>, owner.decidedAt ?? runtime.now());
    const { securityStamp } = user as Partial<AdapterUser>;
    const token = {
      name: user.name,
      email: user.email,
      picture: shownPicture(user.image),
      sub: user.id,
      auth_time,
      ...(securityStamp && { security_stamp: securityStamp }),
      ...begun,
      ...owner.claims,
    };
    const trigger = isNewUser ? "signUp" : "signIn";
    const claims = await callJwt({
      token,
      user,
      account,
      profile,
      trigger,
      ...(isNewUser !== undefined && { isNewUser }),
    });
    return claims && await seal(claims, saltOf(cookies));
  }

  async function find(cookies: CookieJar, options: FindOptions = {}): Promise<ActiveSession | null> {
    const token = cookies.readChunked("sessionToken");
    const claims = token ? await open(token, saltOf(cookies)) : null;
    const admitted = claims && rows ? await rows.admit(claims, options) : claims;
    return admitted && { strategy: "jwt", claims: admitted };
  }

  // A session that cannot be read is ended too: its cookie is removed.
  async function readClaims(cookies: CookieJar): Promise<JWT | null> {
    const token = cookies.readChunked("sessionToken");
    try {
      return token ? await open(token, saltOf(cookies)) : null;
    } catch (error) {
      logger.error(new SignOutError("Cannot read the session that ends", { cause: error }), cookies.subject);
      return null;
    }
  }

  const forget = (cookies: CookieJar): void => cookies.clearChunked("sessionToken");

  return {
    find,
    reserve: async (owner) => await rows?.reserve(owner) ?? null,
    prepare,
    previousToken: () => undefined,
    write(cookies, prepared) {
      if (prepared) cookies.writeChunked("sessionToken", prepared.token, { expires: prepared.expires });
      else forget(cookies);
    },
    refresh,
    forget,
    async end(cookies) {
      const token = await readClaims(cookies);
      forget(cookies);
      if (token) await rows?.end(token);
      return token && { token };
    },
  };
}

function longestOf(claims: JWT): string {
  const lengths = Object.entries(claims).map(([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const);
  const [longest] = lengths.sort(([, one], [, other]) => other - one);
  return longest?.[0].slice(0, 64) ?? "";
}

// In whole seconds, and never before the address was verified by this sign-in.
function signInTime({ emailVerified }: Partial<AdapterUser>, now: number): number {
  const proven = emailVerified instanceof Date && emailVerified.getTime() <= now ? emailVerified.getTime() : 0;
  return Math.max(Math.floor(now / 1000), Math.ceil(proven / 1000));
}

// An empty object would be a session without a user, and `auth()` would let it pass.
function asClaims(opened: unknown): JWT | null {
  if (opened === null || opened === undefined) return null;
  if (typeof opened !== "object" || Array.isArray(opened)) {
    throw new TypeError("jwt.decode must return a token or null");
  }
  return Object.keys(opened).length === 0 ? null : opened as JWT;
}
