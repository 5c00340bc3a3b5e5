/**
 * Raises the session of a browser after another proof of the same person.
 *
 * @module
 */
import { asRead, type Expectation, isAsRead, type Plan } from "../contract/adapter.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import type { AdapterError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import type { AdapterSession, AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import { tellEntered } from "../request/points.ts";
import { isAdopted } from "../session_stores/auth_session.ts";
import { authenticationOf, signInTime } from "../session_stores/authentication.ts";
import { isLiveRow } from "../session_stores/ended.ts";
import { noteEnds, removeRow } from "../session_stores/rows.ts";
import { sessionIdOf } from "../session_stores/session_id.ts";
import { type ActiveSession, ownerOf, type Successor } from "../session_stores/session_store.ts";
import type { Storage } from "../storage/guard.ts";
import { recordsIn } from "../storage/stored_records.ts";
import { findSessionUser, openSession } from "./current.ts";
import { withMethods } from "./methods.ts";
import { mayAddAccount } from "./verification.ts";
import { endSession } from "./writer.ts";

const apart = once(() => import("./records_apart.ts"));

/** A session, and what its user has proven now. */
export interface StepUp {
  /** The session, as it was found in storage and not in a cache. */
  readonly active: ActiveSession;
  /** Its user, as read from storage when the proof was judged. */
  readonly user: AdapterUser;
  /** What was proven, as RFC 8176 names it, with `mfa` if there are two factors now. */
  readonly methods: readonly string[];
  /** Records that change with it, such as a code that is used up. It is not raised if they are not as expected. */
  readonly plan?: StepUpPlan | undefined;
}

/** What else is written. */
export interface StepUpPlan {
  readonly records?: Plan["records"];
  readonly expect?: Pick<Expectation, "records">;
}

/**
 * Finds the session of a browser and its user, so that they can prove more: also a session that features do not let go on,
 * with which nothing else may be done.
 *
 * @returns `null` if nobody is signed in, or storage does not have the user.
 */
export async function findRaisable(ctx: RequestContext): Promise<Pick<StepUp, "active" | "user"> | null> {
  const { config } = ctx;
  const active = config.storage && await openSession(ctx, { unjudged: true });
  const user = active && await findSessionUser(config, config.storage, active);
  return user && { active, user };
}

/**
 * Gives the browser a new session in place of the one that it has: its token changes, and the methods are added. Its sign-in
 * counts as of now if the session had one factor, or the proof is by a passkey, which is two. All else that the session holds
 * is kept.
 *
 * `callbacks.jwt` is not called: a callback for Auth.js takes `trigger: "update"` for data of the client. It sees the
 * new claims at the next reading.
 *
 * Where storage has `commit`, everything is written at once. Elsewhere the new session is stored first, and nobody has its
 * token until the old one has ended: what breaks off leaves the browser with less, never with more. A sealed session
 * without a row cannot be ended, so its old cookie stays what it was.
 *
 * @returns Whether it was raised. `false` if the session or its user has changed meanwhile, or was ended.
 * @throws {AdapterError} if storage fails.
 */
export async function raiseSession(
  ctx: RequestContext,
  { active, user, methods, plan = {} }: StepUp,
): Promise<boolean> {
  const { config, cookies, sessions } = ctx;
  const { storage, runtime, secrets } = config;
  // What is older than the proof of the address may be another person's.
  if (!storage || ownerOf(active) !== user.id || !mayAddAccount(active, user)) return false;
  const now = runtime.now();
  const before = authenticationOf(active);
  const { methods: all, provider } = withMethods(before, methods);
  // One factor alone is no sign-in with two: it would make what was proven long ago look recent, such as a passkey.
  const isWhole = before.level < 2 || methods.includes("user");
  const time = isWhole ? signInTime(user.emailVerified, now) : before.time;
  const authentication = { time, methods: all, provider };
  const successor = await sessions.succeed(cookies, active, { authentication, time: now });
  // The browser was told that the request failed: what is written now would contradict that.
  if (!successor || cookies.closed) return false;
  const { rows, prepared } = successor;
  if (!await writeOnce(ctx, storage, { rows, user, plan, now })) return false;
  if (!cookies.closed) {
    sessions.write(cookies, prepared);
    if (config.actsAt.has("entered")) {
      const session = rows && { key: rows.created.sessionToken, expires: rows.created.expires, replaces: rows.ended };
      await tellEntered(ctx, { user, provider: provider ?? "", methods, ...(session && { session }) });
    }
  }
  await tell(config, {
    type: "sessionRaised",
    event: async () => ({
      userId: user.id,
      methods: all,
      ...(rows && { sessionId: await sessionIdOf(secrets[0], rows.created) }),
    }),
    message: null,
  }, ctx);
  return true;
}

/** Milliseconds that a session counts as being raised, for each second that an answer may take. */
const LEASE = 2000;

interface Writing {
  readonly rows: Successor["rows"];
  readonly user: AdapterUser;
  readonly plan: StepUpPlan;
  readonly now: number;
}

// Two requests at once would both find the session, and both end it. Sessions may be stored apart from everything else, so
// that no transaction is about both.
async function writeOnce(ctx: RequestContext, storage: Storage, writing: Writing): Promise<boolean> {
  const { config } = ctx;
  const { rows, user, now } = writing;
  const records = rows && recordsIn(storage);
  if (!records) return await write(storage, writing);
  const key = { kind: "raising", id: await sha256Base64Url(rows.ended) };
  const record = {
    ...key,
    userId: user.id,
    version: 0,
    expires: new Date(now + config.timeouts.total * LEASE),
    data: {},
  };
  const version = await records.putRecord(record);
  if (version === null) return false;
  try {
    return await write(storage, writing);
  } finally {
    // It expires soon.
    await records.removeRecord({ ...key, version }).catch((error: AdapterError) => config.logger.error(error, ctx));
  }
}

async function write(storage: Storage, writing: Writing): Promise<boolean> {
  const { rows, user, plan, now } = writing;
  const { commit } = storage;
  // The row of a former legacy session is kept when it ends, and no plan marks a row.
  const swaps = commit && !(rows && isAdopted(rows.ended));
  if (!swaps) return await writeInSteps(storage, writing);
  const changed = rows && { createSession: rows.created, deleteSession: rows.ended };
  if (await commit({ ...plan, expect: expectationOf(writing), ...changed }) !== "done") return false;
  if (rows) noteEnds(storage, [{ sessionToken: rows.ended, userId: user.id }], now);
  return true;
}

function expectationOf({ rows, user, plan }: Writing): Expectation {
  const { id: userId } = user;
  return { ...plan.expect, user: asRead(user), ...(rows && { session: { sessionToken: rows.ended, userId } }) };
}

async function writeInSteps(storage: Storage, writing: Writing): Promise<boolean> {
  const { rows, plan, user } = writing;
  const { commit } = storage;
  if (commit) {
    const created = rows && { createSession: rows.created };
    const result = await commit({ ...plan, expect: expectationOf(writing), ...created });
    return result === "done" && (rows === null || await replace(storage, rows, writing));
  }
  const apply = async (): Promise<typeof NOTHING | null> => {
    if (rows) await create(storage, rows.created);
    const isDone = rows
      ? await replace(storage, rows, writing)
      : isAsRead(await storage.getUser(user.id), asRead(user));
    return isDone ? NOTHING : null;
  };
  const hasRecords = plan.records !== undefined || plan.expect !== undefined;
  return await (hasRecords ? (await apart()).applyWithRecords(storage, plan, apply) : apply()) !== null;
}

const NOTHING = { created: null, verifiedAt: null };

// A table may have columns that no two rows share.
async function create(storage: Storage, row: AdapterSession): Promise<void> {
  const { sessionToken, userId, expires } = row;
  try {
    await storage.createSession(row);
  } catch (error) {
    if (Object.keys(row).length === 3) throw error;
    await storage.createSession({ sessionToken, userId, expires });
  }
}

// Who ends all sessions of a user from now on ends the new one too. Until now, it was the old one.
async function replace(
  storage: Storage,
  { created, ended }: NonNullable<Successor["rows"]>,
  { user, now }: Writing,
): Promise<boolean> {
  const found = await storage.getSessionAndUser(ended);
  if (!isLiveRow(found?.session, now) || !isAsRead(found?.user ?? null, asRead(user))) {
    await endSession(storage, created.sessionToken);
    return false;
  }
  const row = { sessionToken: ended, userId: user.id };
  if (isAdopted(ended)) await removeRow(storage, row, now);
  else await endSession(storage, ended);
  noteEnds(storage, [row], now);
  return true;
}
