/**
 * Sessions that are encrypted in the cookie itself.
 *
 * @module
 */
import type { JWTCallbackCases, JWTCallbackParams } from "../contract/config.ts";
import { MAX_TOKEN_LENGTH } from "../crypto/seal.ts";
import { decode, encode } from "../crypto/session_token.ts";
import { callBack } from "../kernel/callback.ts";
import { CallbackRouteError, SignOutError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import { kindOf } from "../kernel/objects.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { AdapterUser, JWT } from "../kernel/model.ts";
import { shownPicture } from "../kernel/pictures.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { claimOf, withBeginning } from "./auth_session.ts";
import { authenticationOf, signInTime, toClaims, withOwnClaims } from "./authentication.ts";
import type { SealedRows } from "./sealed_rows.ts";
import type {
  ActiveSession,
  EndedSession,
  FindOptions,
  PreparedSession,
  RefreshedSession,
  RefreshOptions,
  SessionOwner,
  SessionStore,
  Step,
  Successor,
} from "./session_store.ts";

const json = once(() => import("./not_json.ts"));
const otherSecret = once(() => import("./other_secret.ts"));

/** In milliseconds. */
const HOUR = 60 * 60 * 1000;

type JwtConfig = Pick<ResolvedConfig, "callbacks" | "jwt" | "runtime" | "sealer" | "session" | "logger">;

/** Creates the store of the strategy `jwt`, with the rows of its sessions where they can be ended. */
export function createJwtStore(config: JwtConfig, rows: SealedRows | null = null): SessionStore {
  return new JwtStore(config, rows);
}

class JwtStore implements SessionStore {
  readonly #config: JwtConfig;
  readonly #rows: SealedRows | null;
  #toldLost = false;
  #quietUntil = 0;

  constructor(config: JwtConfig, rows: SealedRows | null) {
    this.#config = config;
    this.#rows = rows;
  }

  async find(cookies: CookieJar, options: FindOptions = {}): Promise<ActiveSession | null> {
    const claims = await this.#open(cookies);
    const admitted = claims && this.#rows ? await this.#rows.admit(claims, options) : claims;
    return admitted && { strategy: "jwt", claims: admitted };
  }

  async reserve(owner: SessionOwner) {
    return await this.#rows?.reserve(owner) ?? null;
  }

  async prepare(owner: SessionOwner, cookies: CookieJar): Promise<PreparedSession | null> {
    const begun = this.#rows ? await this.#rows.begin(owner, () => this.#openOrLog(cookies), cookies.subject) : {};
    if (!begun) return null;
    const { user, account, profile, isNewUser, authentication } = owner;
    const { emailVerified, securityStamp } = user as Partial<AdapterUser>;
    const now = owner.decidedAt ?? this.#config.runtime.now();
    const token = {
      name: user.name,
      email: user.email,
      picture: shownPicture(user.image),
      sub: user.id,
      ...toClaims({ ...authentication, time: authentication.time ?? signInTime(emailVerified, now) }),
      ...(securityStamp && { security_stamp: securityStamp }),
      ...begun,
      ...owner.claims,
    };
    const trigger = isNewUser ? "signUp" : "signIn";
    const isNew = isNewUser !== undefined && { isNewUser };
    const claims = await this.#callJwt({ token, user, account, profile, trigger, ...isNew });
    if (claims && this.#config.callbacks.jwt) await this.#warnOfLost(claims, cookies);
    return claims && await this.#seal(claims, cookies);
  }

  previousToken(): undefined {
    return undefined;
  }

  write(cookies: CookieJar, prepared: PreparedSession | null): void {
    if (prepared) cookies.writeChunked("sessionToken", prepared.token, { expires: prepared.expires });
    else this.forget(cookies);
  }

  async succeed(cookies: CookieJar, active: ActiveSession, step: Step): Promise<Successor | null> {
    if (active.strategy !== "jwt") return null;
    const { claims } = active;
    const rows = await this.#rows?.succeed(claims, step);
    if (rows === null) return null;
    const own = rows ? claimOf(rows.created) : withBeginning(claims);
    const prepared = await this.#seal({ ...claims, ...own, ...toClaims(step.authentication) }, cookies);
    return { rows: rows ?? null, prepared };
  }

  async refresh(
    cookies: CookieJar,
    active: ActiveSession,
    { renew, patch, due }: RefreshOptions,
  ): Promise<RefreshedSession | null> {
    if (active.strategy !== "jwt") return null;
    const { claims } = active;
    const rows = this.#rows;
    const before = this.#config.callbacks.jwt && JSON.stringify(claims);
    const after = await this.#callJwt({ token: claims, ...(patch && { trigger: "update", session: patch.data }) });
    if (after === null) {
      await rows?.end(claims);
      return null;
    }
    const changed = patch !== undefined || (before !== null && await jsonOf(after) !== before);
    const isRenewed = renew && (changed || due || this.#isDue(after) || rows?.isDue(after));
    const kept = isRenewed && rows ? await rows.keep(withBeginning(after, claims), changed, cookies.subject) : after;
    if (kept === null) return null;
    if (!isRenewed || !kept) return refreshedTo(after, this.#expiryOf(after));
    const renewed = await this.#seal(kept, cookies);
    this.write(cookies, renewed);
    return refreshedTo(kept, renewed.expires);
  }

  forget(cookies: CookieJar): void {
    cookies.clearChunked("sessionToken");
  }

  async end(cookies: CookieJar): Promise<EndedSession | null> {
    const token = await this.#openOrLog(cookies);
    this.forget(cookies);
    if (token) await this.#rows?.end(token);
    return token && { token };
  }

  async #open(cookies: CookieJar): Promise<JWT | null> {
    const { jwt, sealer } = this.#config;
    const token = cookies.readChunked("sessionToken");
    if (!token) return null;
    const salt = cookies.nameOf("sessionToken");
    // Never remembered: the developer's decoder may reject a token for reasons that change, such as a revocation.
    if (jwt.decode) return asClaims(await jwt.decode({ ...this.#coding(), token, salt }));
    return await sealer.open(token, salt, { remember: true }) ?? await this.#warnOfSecret(token, salt, cookies);
  }

  // Strangers can send such cookies, so it is told once in an hour.
  async #warnOfSecret(token: string, salt: string, { subject }: CookieJar): Promise<null> {
    const { jwt, logger, runtime } = this.#config;
    if (runtime.now() < this.#quietUntil) return null;
    const { hasOtherSecret, SECRET_REPLACED } = await otherSecret();
    if (!await hasOtherSecret(token, salt, jwt.secrets)) return null;
    this.#quietUntil = runtime.now() + HOUR;
    logger.warn("secret-replaced", SECRET_REPLACED, subject);
    return null;
  }

  // A session that cannot be read is ended too: its cookie is removed.
  async #openOrLog(cookies: CookieJar): Promise<JWT | null> {
    try {
      return await this.#open(cookies);
    } catch (cause) {
      this.#config.logger.error(new SignOutError("Cannot read the session that ends", { cause }), cookies.subject);
      return null;
    }
  }

  // A sign-in is rare, so there the token may be looked through.
  async #warnOfLost(claims: JWT, { subject }: CookieJar): Promise<void> {
    await jsonOf(claims);
    const lost = (await json()).lostMembers(claims);
    if (lost.length === 0 || this.#toldLost) return;
    this.#toldLost = true;
    const what = `a token cannot hold what \`callbacks.jwt\` put into it: ${lost.slice(0, 3).join(", ")}`;
    this.#config.logger.warn("callback-result", `${what}; put in texts, numbers, lists and plain objects`, subject);
  }

  async #seal(claims: JWT, cookies: CookieJar): Promise<PreparedSession> {
    const { jwt, runtime, sealer, session } = this.#config;
    const expires = new Date(runtime.now() + Math.min(session.maxAge, jwt.maxAge) * 1000);
    const salt = cookies.nameOf("sessionToken");
    const token: unknown = jwt.encode
      ? await jwt.encode({ ...this.#coding(), token: claims, salt })
      : await sealer.seal(claims, { salt, maxAge: jwt.maxAge });
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
  }

  /** The parameters of both of the developer's coders, each of which may call the other one. */
  #coding() {
    const { jwt } = this.#config;
    return { secret: jwt.secret, maxAge: jwt.maxAge, encode: jwt.encode ?? encode, decode: jwt.decode ?? decode };
  }

  // A callback that forgot to return the token must not overwrite a valid session.
  async #callJwt(params: JWTCallbackParams): Promise<JWT | null> {
    const { jwt } = this.#config.callbacks;
    if (!jwt) return params.token;
    const chosen: unknown = await callBack("jwt", () => jwt(params as JWTCallbackCases));
    if (typeof chosen !== "object" || Array.isArray(chosen)) {
      throw new CallbackRouteError(
        `\`callbacks.jwt\` returned ${
          kindOf(chosen)
        }: it must return the token (\`return token\`), or null to end the session`,
        { logCode: "callback-result" },
      );
    }
    return chosen && withOwnClaims(chosen as JWT, params.token);
  }

  #isDue({ iat }: JWT): boolean {
    const { runtime, session } = this.#config;
    return typeof iat !== "number" || iat + session.updateAge <= runtime.now() / 1000;
  }

  #expiryOf({ exp }: JWT): Date {
    const latest = this.#config.runtime.now() + this.#config.session.maxAge * 1000;
    return new Date(typeof exp === "number" ? Math.min(exp * 1000, latest) : latest);
  }
}

function refreshedTo(claims: JWT, expires: Date): RefreshedSession {
  const active = { strategy: "jwt" as const, claims };
  return { ...active, expires, auth: () => authenticationOf(active) };
}

async function jsonOf(claims: JWT): Promise<string> {
  try {
    return JSON.stringify(claims);
  } catch (cause) {
    throw (await json()).notJson("jwt", claims, cause);
  }
}

function longestOf(claims: JWT): string {
  const lengths = Object.entries(claims).map(([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const);
  const [longest] = lengths.sort(([, one], [, other]) => other - one);
  return longest?.[0].slice(0, 64) ?? "";
}

// An empty object would be a session without a user, and `auth()` would let it pass.
function asClaims(opened: unknown): JWT | null {
  if (opened === null || opened === undefined) return null;
  if (typeof opened !== "object" || Array.isArray(opened)) {
    throw new TypeError("jwt.decode must return a token or null");
  }
  return Object.keys(opened).length === 0 ? null : opened as JWT;
}
