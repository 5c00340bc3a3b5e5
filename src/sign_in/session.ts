/**
 * The session that a sign-in with storage opens.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import type { RequestContext } from "../request/context.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { signedInAtOf } from "../stores/session_store.ts";
import { accountFor, type SignInAttempt } from "./attempt.ts";
import { openSession } from "./current.ts";
import type { PlannedSignIn } from "./plan.ts";

/** A session that is not written yet. */
export interface SessionChange {
  /** The rows to write; empty without stored sessions. */
  readonly rows: Pick<Plan, "createSession" | "deleteSession">;
  /** Sets the cookie, unless the browser was already answered: then it is not signed in, but the rows stay. */
  readonly send: () => void;
}

const KEPT: SessionChange = { rows: {}, send: () => {} };

/**
 * Prepares the session of a sign-in. A stored session is kept if only an account is added to its user. A sealed one is
 * always made again, because it holds claims of the sign-in.
 */
export async function prepareSession(
  ctx: RequestContext,
  attempt: SignInAttempt,
  { keepsSession, isNewUser }: Pick<PlannedSignIn, "keepsSession" | "isNewUser">,
  user: AdapterUser,
): Promise<SessionChange> {
  const { config, sessions, cookies } = ctx;
  if (keepsSession && config.session.strategy === "database") return KEPT;
  const profile = attempt.method === "oauth" ? attempt.profile : undefined;
  const account = accountFor(attempt, user);
  // Adding an account is not a new sign-in.
  const before = keepsSession ? await openSession(ctx) : null;
  const signedInAt = before ? signedInAtOf(before) : undefined;
  const providerSession = {
    provider: account.provider,
    ...(attempt.method === "oauth" && attempt.providerSession),
  };
  const owner = { user, account, profile, isNewUser, signedInAt, providerSession };
  const prepared = await sessions.prepare(owner, cookies);
  const replaced = prepared?.row && sessions.previousToken(cookies);
  return {
    rows: { ...(prepared?.row && { createSession: prepared.row }), ...(replaced && { deleteSession: replaced }) },
    send: () => {
      if (!cookies.closed) sessions.write(cookies, prepared);
    },
  };
}
