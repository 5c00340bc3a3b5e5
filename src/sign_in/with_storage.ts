/**
 * A sign-in with storage: look up, ask permission, decide, write, report.
 *
 * @module
 */
import { passwordProviderOf } from "../config/password_provider.ts";
import type { RequestContext } from "../request/context.ts";
import { randomUuid } from "../crypto/random.ts";
import {
  AdapterError,
  type AuthError,
  CredentialsSignin,
  OAuthAccountNotLinked,
  WebAuthnVerificationError,
} from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { tell } from "../request/events.ts";
import { actionUrl } from "../request/links.ts";
import type { Account, AdapterSession, AdapterUser, TokenSet, User } from "../kernel/model.ts";
import type { Authentication } from "../session_stores/session_store.ts";
import type { Storage } from "../storage/guard.ts";
import { checkProof, signInProof } from "./address_proof.ts";
import { accountFor, type SignInAttempt } from "./attempt.ts";
import type { Resumed } from "./held.ts";
import { deriveUserId, gatherFacts, knownUser } from "./facts.ts";
import type { Permission } from "./permission.ts";
import { type PlannedSignIn, planSignIn } from "./plan.ts";
import { KEPT, newAuthentication, planSession } from "./session.ts";
import { handedOver, isVerifiedElsewhere } from "./verification.ts";
import { signInAgain } from "./dangerous.ts";
import type { Added } from "./notice.ts";
import { decide, type Decision } from "./linking.ts";
import { committer, endSession, stepWriter } from "./writer.ts";

/** Who is signed in, or where the browser is sent instead. */
export type SignInResult =
  | Extract<Permission, { act: "redirect" }>
  | Entered;

/** Somebody who is signed in. */
interface Entered {
  readonly act: "enter";
  readonly user: User;
  readonly account: Account;
  readonly isNewUser: boolean | undefined;
  /** How they signed in. `null` if their session went on, because only an account was added. */
  readonly authentication: Authentication | null;
  /** The row of the session that came into being, if it has one. */
  readonly row?: AdapterSession | undefined;
}

/** What a sign-in is completed with. */
export interface SignInOptions {
  readonly ask: AskPermission;
  /** Where the browser goes in the end. */
  readonly redirectUrl: RedirectUrl;
  /** The second proof, if the sign-in waited for one. */
  readonly resumed?: Resumed | undefined;
  /** Told what was added to a user, once it is written. */
  readonly tell: (added: Added) => void;
}

/**
 * Asks the application whether a user may sign in. `verifiedElsewhere` says whether another person has verified the
 * address since these credentials were last used.
 */
export type AskPermission = (user: User, verifiedElsewhere: boolean) => Promise<Permission>;

const holding = once(() => import("./held.ts"));
const ending = once(() => import("./end_sessions.ts"));
const evicted = once(() => import("./evicted_password.ts"));
const passwords = once(() => import("./password_facts.ts"));
const replaced = once(() => import("./replaced_password.ts"));

/** Times that a sign-in is decided before it fails: each conflict means that another request was faster. */
const MAX_TRIES = 5;

/** Signs in with storage. User, account and session are written together where storage has `commit`. */
export async function signInWithStorage(
  ctx: RequestContext,
  storage: Storage,
  attempt: SignInAttempt,
  { ask, redirectUrl, resumed, tell }: SignInOptions,
): Promise<SignInResult> {
  const { runtime, actsAt, features } = ctx.config;
  const now = new Date(runtime.now());
  const [newId, newStamp] = [await chooseId(ctx, storage, attempt), randomUuid(runtime)];
  // The first proof has used up the token.
  const consume = attempt.method === "email" && !resumed
    ? await checkProof(storage, attempt.proof ?? signInProof(attempt.token), now)
    : null;
  const proven = newAuthentication(attempt, resumed?.methods);
  const { commit } = storage;
  const sets = attempt.method === "email" ? attempt.sets : undefined;
  const keepsHashes = passwordProviderOf(ctx.config)?.passwords.store;
  const usual = commit ? committer(ctx, commit, consume) : stepWriter(ctx, storage);
  const write = keepsHashes ? (await evicted()).evictingStored(ctx.config, usual) : usual;
  let asked: string | null = null;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (resumed && tries > 0) await (await holding()).assertWaiting(storage, resumed);
    const readAt = runtime.now();
    const facts = await gatherFacts(ctx, storage, attempt);
    if (sets) (await replaced()).assertCurrent(sets, facts);
    const known = knownUser(facts, attempt);
    const user = handedOver<User>(attempt, known ?? { ...attempt.user, id: newId }, known !== null);
    const verifiedElsewhere = facts.byAccount !== null &&
      isVerifiedElsewhere(facts.credentialsAccount, facts.byAccount);
    // A permission is for one user: if a retry finds another one, ask again.
    const question = JSON.stringify([user.id, verifiedElsewhere]);
    if (asked !== question) {
      const permission = await ask(user, verifiedElsewhere);
      if (permission.act === "redirect") return permission;
      asked = question;
    }
    const decision = decide(attempt, facts);
    if (decision.act === "refuse" && decision.isStale && facts.current?.isTooLow) {
      return { act: "redirect", to: actionUrl(ctx, "challenge", { callbackUrl: redirectUrl }) };
    }
    if (decision.act === "refuse") throw decision.isStale ? signInAgain() : refusalOf(attempt);
    const storesExtraFields = commit !== null;
    const id = facts.isIdTaken ? await deriveUserId(ctx, attempt.account) : newId;
    const planned = planSignIn({
      ...{ attempt, facts, decision, newId: id, newStamp, now, storesExtraFields, runtime },
      storesPasswords: !keepsHashes,
      labelsPasskeys: features.some(({ id }) => id === "account") && storage.lacks("records").length === 0,
    });
    // Where storage cannot check `expect`, the session counts as old as the facts, unless this sign-in is the proof.
    const decidedAt = commit || planned.plan.evict ? undefined : readAt;
    const isNewUser = planned.isNewUser || resumed?.isNewUser === true;
    const judged = actsAt.has("mint") && !planned.keepsSession
      ? await (await holding()).judgeSignIn(ctx, {
        attempt,
        decision,
        planned,
        authentication: proven,
        isNewUser,
        redirectUrl,
        resumed,
      })
      : null;
    const held = judged?.act === "hold" ? judged : null;
    const authentication = judged?.act === "enter" ? judged.authentication : proven;
    const written = held?.planned ?? (resumed ? (await holding()).goingOn(planned, resumed) : planned);
    const endsSessions = sets?.endsSessions === true && !held && known !== null;
    // First: if it breaks off between the two, the link still works, and whoever had the former password is out.
    if (endsSessions) {
      const { id: userId } = planned.user;
      const isCurrent = async () => (await replaced()).stillReplaces(ctx.config, sets, planned.user);
      const former = { userId, waiting: resumed?.key.id, isCurrent };
      if (!await (await ending()).endFormerSessions(ctx, storage, former)) continue;
    }
    let row: AdapterSession | undefined;
    const stored = await write(written, {
      planSession: async (user) => {
        if (held) return KEPT;
        const owner = handedOver(attempt, user, true);
        const session = await planSession(ctx, attempt, planned, { user: owner, decidedAt, authentication });
        row = session.rows.createSession;
        return session;
      },
      report: (user) => {
        const added = held ? null : additionOf(attempt, decision);
        if (added) tell(added);
        return report(ctx, attempt, { ...written, user: handedOver(attempt, user, true) });
      },
    });
    if (stored && held) return await held.open(stored);
    if (stored && sets && keepsHashes) await (await replaced()).keepHash(keepsHashes, stored.id, sets.hash);
    if (stored && sets) await (await replaced()).tellSet(ctx, stored.id);
    // Again those that began in between, with the former password.
    if (stored && endsSessions) {
      await (await ending()).endFormerSessions(ctx, storage, { userId: stored.id, but: row?.sessionToken });
    }
    // What is not one transaction may be overtaken by a new password, which ends the sessions that are there.
    const isApart = !commit || keepsHashes;
    if (
      stored && isApart && attempt.method === "password" && !await (await passwords()).stillStands(ctx.config, attempt)
    ) {
      if (row) await endSession(storage, row.sessionToken);
      ctx.cookies.clearChunked("sessionToken");
      throw refusalOf(attempt);
    }
    const how = { authentication: planned.keepsSession ? null : authentication, row };
    if (stored) return { ...entered(attempt, stored), isNewUser, ...how };
  }
  throw new AdapterError(`Cannot sign in: storage changed during each of ${MAX_TRIES} tries`);
}

async function chooseId(
  ctx: RequestContext,
  storage: Storage,
  { method, user, account }: SignInAttempt,
): Promise<string> {
  if (method === "credentials" || method === "password") return account.providerAccountId;
  return storage.commit ? user.id ?? randomUuid(ctx.config.runtime) : await deriveUserId(ctx, account);
}

// One error for every refused passkey, so that it does not tell whether the passkey or the address is known.
function refusalOf({ method }: SignInAttempt): AuthError {
  if (method === "password") {
    return new CredentialsSignin("Cannot sign in: the password was changed or removed while it was compared");
  }
  return method === "webauthn"
    ? new WebAuthnVerificationError("Cannot sign in: the passkey is unknown, or may not be added to this user")
    : new OAuthAccountNotLinked("Cannot sign in: the account or its address belongs to another user");
}

/** What a sign-in has added to a user who was there before; `null` if it has added nothing. */
function additionOf(attempt: SignInAttempt, decision: Decision): Added | null {
  const { account: { provider } } = attempt;
  if (attempt.method === "email" && attempt.sets && (decision.act === "enter" || decision.act === "verify")) {
    const act = attempt.sets.replaces === "" ? "setPassword" : "changePassword";
    return { act, user: decision.user, provider };
  }
  if (decision.act !== "linkToCurrent" && decision.act !== "link") return null;
  const act = attempt.method === "webauthn" ? "addPasskey" : "addAccount";
  return { act, user: decision.user, provider };
}

async function report(
  ctx: RequestContext,
  attempt: SignInAttempt,
  { plan: { evict, linkAccount }, user, isNewUser, updated }: PlannedSignIn,
): Promise<void> {
  const { config } = ctx;
  const userId = user.id;
  if (evict) {
    const event = () => ({ userId: evict.userId, reason: "proof" as const });
    await tell(config, { type: "sessionEnded", event, message: null }, ctx);
  }
  if (updated) {
    const message = () => ({ user: updated.id === userId ? user : updated });
    await tell(config, { type: "userChanged", event: () => ({ userId: updated.id }), message }, ctx);
  }
  // Also for a user whom an interrupted sign-in created: no event was sent then.
  if (isNewUser) {
    await tell(config, { type: "userCreated", event: () => ({ userId }), message: () => ({ user }) }, ctx);
  }
  // Credentials are the application's own: there is nothing to report.
  if (linkAccount && attempt.method !== "credentials") {
    await tell(config, {
      type: attempt.method === "webauthn" ? "passkeyAdded" : "accountLinked",
      event: () => ({ userId, provider: linkAccount.provider }),
      message: () => {
        return { user, account: { ...linkAccount, ...readableTokens(attempt), userId }, profile: attempt.user };
      },
    }, ctx);
  }
}

// The row holds them encrypted. Events get the tokens as the provider sent them.
function readableTokens(attempt: SignInAttempt): TokenSet {
  if (attempt.method !== "oauth") return {};
  const { storedTokens, sealedTokens = {} } = attempt.linking;
  return Object.fromEntries(Object.keys(sealedTokens).map((name) => [name, storedTokens[name]]));
}

function entered(attempt: SignInAttempt, user: AdapterUser): Pick<Entered, "act" | "user" | "account"> {
  const account = accountFor(attempt, user);
  return { act: "enter", user: attempt.method === "credentials" ? attempt.user : user, account };
}
