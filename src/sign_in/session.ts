/**
 * The session that a sign-in with storage opens.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import type { RequestContext } from "../request/context.ts";
import { SessionTokenError } from "../kernel/errors.ts";
import type { AdapterSession, AdapterUser, JWT } from "../kernel/model.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import { providerClaims } from "../session_stores/provider_session.ts";
import type { ActiveSession, Authentication, PreparedSession, SessionOwner } from "../session_stores/session_store.ts";
import { accountFor, type SignInAttempt } from "./attempt.ts";
import { openSession } from "./current.ts";
import { methodsOf, withMethods } from "./methods.ts";
import type { PlannedSignIn } from "./plan.ts";

/** A session that is not written yet. */
export interface SessionChange {
  /** The rows to write with the sign-in; empty if there are none. */
  readonly rows: Pick<Plan, "createSession" | "deleteSession">;
  /**
   * Creates the session, once its rows are written, and sets its cookie, unless the browser was already answered: then it
   * is not signed in, but the rows stay.
   */
  readonly open: () => Promise<void>;
}

/** No change: the session stays as it is, or there is none. */
export const KEPT: SessionChange = { rows: {}, open: () => Promise.resolve() };

/**
 * Plans the session of a sign-in. A stored session is kept if only an account is added to its user. A sealed one is always
 * made again, because it holds claims of the sign-in, but its row is kept.
 */
export async function planSession(
  ctx: RequestContext,
  attempt: SignInAttempt,
  { keepsSession, isNewUser, provenEmail }: Pick<PlannedSignIn, "keepsSession" | "isNewUser" | "provenEmail">,
  { user, decidedAt, authentication }: {
    readonly user: AdapterUser;
    readonly decidedAt?: number | undefined;
    readonly authentication: Authentication;
  },
): Promise<SessionChange> {
  const { config: { session: { strategy, revalidate } }, sessions, cookies } = ctx;
  if (keepsSession && strategy === "database") return KEPT;
  const account = accountFor(attempt, user);
  // Adding an account is not a new sign-in.
  const before = keepsSession ? await openSession(ctx) : null;
  if (keepsSession && !before) return KEPT;
  const owner: SessionOwner = {
    user,
    account,
    profile: attempt.method === "oauth" ? attempt.profile : undefined,
    isNewUser,
    authentication: before ? authenticationOf(before) : authentication,
    decidedAt,
    provenEmail,
    providerSession: attempt.method === "oauth" ? attempt.providerSession : undefined,
    claims: await providerClaimsFor(ctx, attempt, before),
    ...(keepsSession && revalidate && { continues: before?.strategy === "jwt" ? before.claims : null }),
  };
  const row = keepsSession ? null : await sessions.reserve(owner);
  const replaced = row && sessions.previousToken(cookies);
  return {
    rows: { ...(row && { createSession: row }), ...(replaced && { deleteSession: replaced }) },
    open: () => sendSession(ctx, { ...owner, ...(row && { row }) }),
  };
}

/** What a new session says of its sign-in. Its store adds the time. @param added The methods of the second proof. */
export function newAuthentication(attempt: SignInAttempt, added: readonly string[] = []): Authentication {
  return withMethods({ time: undefined, methods: methodsOf(attempt), provider: attempt.account.provider }, added);
}

/** Gives the claims that a sealed session without a row keeps of the session at the provider. */
export async function providerClaimsFor(
  { config: { sealer, session: { strategy, revalidate } } }: RequestContext,
  attempt: SignInAttempt,
  before: ActiveSession | null = null,
): Promise<JWT | undefined> {
  if (strategy !== "jwt" || revalidate) return undefined;
  if (before?.strategy === "jwt") {
    const { provider_session } = before.claims;
    return provider_session === undefined ? undefined : { provider_session };
  }
  const session = attempt.method === "oauth" ? attempt.providerSession : undefined;
  return session && await providerClaims(sealer, { provider: attempt.account.provider, ...session });
}

async function sendSession(ctx: RequestContext, owner: SessionOwner): Promise<void> {
  const { sessions, cookies } = ctx;
  let prepared: PreparedSession | null = null;
  try {
    prepared = await sessions.prepare(owner, cookies);
  } finally {
    // The browser never gets the session of this row.
    if (!prepared && owner.row) await removeQuietly(ctx, owner.row);
  }
  if (!cookies.closed) sessions.write(cookies, prepared);
}

async function removeQuietly(ctx: RequestContext, { sessionToken }: AdapterSession): Promise<void> {
  const { storage, logger } = ctx.config;
  try {
    await storage?.deleteSession(sessionToken);
  } catch (error) {
    logger.error(new SessionTokenError("Cannot remove the session of a sign-in that failed", { cause: error }), ctx);
  }
}
