/**
 * Holds a sign-in back until a second proof, and lets it go on.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { AccessDenied } from "../kernel/errors.ts";
import type { AdapterUser, User } from "../kernel/model.ts";
import { tell } from "../request/events.ts";
import { actionUrl } from "../request/links.ts";
import type { Mint } from "../request/points.ts";
import type { RequestContext } from "../request/context.ts";
import { withLevel } from "../session_stores/authentication.ts";
import type { Authentication } from "../session_stores/session_store.ts";
import type { Storage } from "../storage/guard.ts";
import { recordsIn } from "../storage/stored_records.ts";
import { assure } from "./assure.ts";
import type { SignInAttempt } from "./attempt.ts";
import type { AcceptedDecision, PlannedSignIn } from "./plan.ts";
import { withMethods } from "./methods.ts";
import { type FoundPending, hold } from "./pending.ts";
import type { Permission } from "./permission.ts";

/** A second proof of a sign-in that waited for it. */
export interface Resumed extends Pick<FoundPending, "key" | "isNewUser"> {
  /** What it was, as RFC 8176 names it. */
  readonly methods: readonly string[];
}

/** A sign-in that was decided, and is not written yet. */
export interface Decided {
  readonly attempt: SignInAttempt;
  readonly decision: AcceptedDecision;
  readonly planned: PlannedSignIn;
  readonly authentication: Authentication;
  readonly isNewUser: boolean;
  readonly redirectUrl: RedirectUrl;
  readonly resumed?: Resumed | undefined;
}

type Redirection = Extract<Permission, { act: "redirect" }>;

/** What the features say of a sign-in: it goes on, or is held back until another proof. */
export type Judged = GoesOn | HeldBack;

/** A sign-in that needs no other proof. */
interface GoesOn {
  readonly act: "enter";
  /** What its session says of it. */
  readonly authentication: Authentication;
}

/** A sign-in that is held back. */
interface HeldBack {
  readonly act: "hold";
  /** What is written of it at once, with the record of what waits. */
  readonly planned: PlannedSignIn;
  /** Gives the browser the key, once that is written, and tells of it. */
  readonly open: (stored: AdapterUser) => Promise<Redirection>;
}

/** Asks the features whether a sign-in needs another proof. @throws {AccessDenied} if one refuses. */
export async function judgeSignIn(
  ctx: RequestContext,
  { attempt, decision, planned, authentication, isNewUser, redirectUrl, resumed }: Decided,
): Promise<Judged> {
  const { user, plan } = planned;
  const answer = await assure(ctx, mintOf(attempt, user, { evicts: plan.evict !== undefined, authentication }));
  if (answer.act === "enter") return { act: "enter", authentication: withMethods(authentication, answer.methods) };
  const { key, methods = [] } = resumed ?? {};
  const first = firstProof(decision, planned);
  // A user whose address is displaced does not exist yet.
  const isStored = decision.act !== "reassignEmail";
  const { record, open } = await hold(
    ctx,
    { attempt, isNewUser, redirectUrl, missing: answer.missing, methods: [...methods, ...answer.methods] },
    isStored ? user.id : null,
  );
  const written = key ? goingOn(first, { key }) : first;
  return {
    act: "hold",
    planned: { ...written, plan: { ...written.plan, records: { ...written.plan.records, put: [record] } } },
    open: async (stored) => {
      open();
      return await challenged(ctx, isStored ? stored.id : null, authentication);
    },
  };
}

function mintOf(
  attempt: SignInAttempt,
  user: User,
  { evicts, authentication }: { readonly evicts: boolean; readonly authentication: Authentication },
): Mint {
  const upstream = attempt.method === "oauth" ? attempt.upstream : undefined;
  return { user, evicts, authentication: withLevel(authentication), ...(upstream && { upstream }) };
}

async function challenged(
  ctx: RequestContext,
  userId: string | null,
  { provider = "", methods }: Authentication,
): Promise<Redirection> {
  const event = () => ({ userId, provider, methods });
  await tell(ctx.config, { type: "signInChallenged", event, message: null }, ctx);
  return { act: "redirect", to: actionUrl(ctx, "challenge") };
}

/** A sign-in of a user who is not stored. */
export interface DecidedAlone extends Pick<Decided, "attempt" | "authentication" | "redirectUrl" | "resumed"> {
  readonly user: User;
}

/** Like {@linkcode judgeSignIn}, where nothing is written but a record: users of credentials that only a cookie knows. */
export async function judgeAlone(
  ctx: RequestContext,
  { attempt, user, authentication, redirectUrl, resumed }: DecidedAlone,
): Promise<Redirection | GoesOn> {
  const { storage } = ctx.config;
  const records = storage && recordsIn(storage);
  if (!records) throw new AccessDenied("Cannot sign in: `features` needs an `adapter` with records");
  const answer = await assure(ctx, mintOf(attempt, user, { evicts: false, authentication }));
  // What waited goes on once.
  if (resumed && !await records.removeRecord(resumed.key)) throw new AccessDenied(GONE);
  if (answer.act === "enter") return { act: "enter", authentication: withMethods(authentication, answer.methods) };
  const { missing } = answer;
  const methods = [...resumed?.methods ?? [], ...answer.methods];
  const { record, open } = await hold(ctx, { attempt, isNewUser: false, redirectUrl, missing, methods }, null);
  if (await records.putRecord(record) === null) throw new AccessDenied(GONE);
  open();
  return await challenged(ctx, user.id ?? null, authentication);
}

const GONE = "Cannot sign in: what waited for a second proof has ended, or has gone on";

/**
 * Makes sure that a sign-in still waits, after storage has changed.
 *
 * @throws {AccessDenied} if it has gone on meanwhile, or was ended.
 */
export async function assertWaiting(storage: Storage, { key }: Pick<Resumed, "key">): Promise<void> {
  const record = await recordsIn(storage)?.getRecord(key);
  if (record?.version !== key.version) throw new AccessDenied(GONE);
}

/** Adds to a plan that the sign-in has waited until now, and goes on once. */
export function goingOn(planned: PlannedSignIn, { key }: Pick<Resumed, "key">): PlannedSignIn {
  const { plan } = planned;
  const { put, remove = [] } = plan.records ?? {};
  const expect = { ...plan.expect, records: [...plan.expect?.records ?? [], key] };
  return { ...planned, plan: { ...plan, expect, records: { ...(put && { put }), remove: [...remove, key] } } };
}

/**
 * Gives what a first proof may write: what was spent, a user who did not exist, and a first proof of an address. A password
 * that comes with it is not written: it would let in whoever has only the mailbox.
 */
export function firstProof({ act }: AcceptedDecision, planned: PlannedSignIn): PlannedSignIn {
  return { ...planned, plan: planOf(act, planned.plan), updated: act === "verify" ? planned.updated : null };
}

function planOf(act: AcceptedDecision["act"], { expect, records: _, ...plan }: Plan): Plan {
  const { updateUser, evict, updateCounter } = plan;
  switch (act) {
    // A user without an account would be found by nobody again.
    case "create":
    case "resume":
      return { ...(expect && { expect }), ...plan };
    case "verify":
    case "link":
      return { ...(expect && { expect }), ...(updateUser && evict && { updateUser, evict }) };
    default:
      return { ...(expect && { expect }), ...(updateCounter && { updateCounter }) };
  }
}
