/**
 * Writes another address of a user, once it is proven.
 *
 * @module
 */
import { passwordProviderOf } from "../config/password_provider.ts";
import { asRead, isAsRead, type Plan } from "../contract/adapter.ts";
import { randomUuid } from "../crypto/random.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { recordForEmail } from "../passwords/stored.ts";
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import { requireStorage } from "../request/require_storage.ts";
import { endOthersOf } from "../session/end_of_user.ts";
import { type ActiveSession, ownerOf } from "../session_stores/session_store.ts";
import { type AddressProof, checkProof, restoreProof } from "../sign_in/address_proof.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import { openSession } from "../sign_in/current.ts";
import type { Actor } from "../sign_in/actor.ts";
import { countsFor, findPassword } from "../sign_in/stored_password.ts";
import { withMark } from "../sign_in/verification.ts";
import { type Records, recordsIn } from "../storage/stored_records.ts";
import { usedLink } from "./email_links.ts";
import { type StoredWait, waitingKey } from "./email_waiting.ts";
import { mailTo } from "./mails.ts";

/** Another address of a user. */
export interface Change {
  /** As read. */
  readonly user: AdapterUser;
  readonly to: string;
  /** What it uses up; `null` if its owner has waited. */
  readonly proof: AddressProof | null;
  /** What has waited, if it has to be there still. */
  readonly wait: StoredWait | null;
  /** Who does it; `null` if the link of an email is the proof. */
  readonly actor: Actor | null;
}

/**
 * Gives a user another address, ends the other sessions, and tells both addresses.
 *
 * @returns `again` if something has changed meanwhile.
 * @throws {Verification} if the link was used, or the address belongs to another user.
 */
export async function changeAddress(ctx: RequestContext, change: Change): Promise<"done" | "again"> {
  const { user, to } = change;
  const storage = requireStorage(ctx);
  const active = await sessionOf(ctx, change);
  const now = new Date(ctx.config.runtime.now());
  const rebound = await passwordFor(ctx, change);
  const { commit } = storage;
  const written = commit
    ? await writeAtOnce(ctx, { ...change, now, rebound })
    : await writeInSteps(ctx, { ...change, now, rebound });
  if (!written) return "again";
  let updated: AdapterUser = { ...user, email: to, emailVerified: now };
  // The claims of a sealed session name the former address, which somebody else may get.
  const kept = active?.strategy === "database" ? active : null;
  try {
    if (!commit) await writeRest(ctx, { ...change, now, rebound });
    // As storage keeps it: not every database keeps milliseconds.
    updated = await storage.getUser(user.id) ?? updated;
    await endOthersOf(ctx, { user: updated, active: kept });
    if (active && !kept) ctx.sessions.forget(ctx.cookies);
  } finally {
    await tellChanged(ctx, user, updated);
  }
  return "done";
}

// Once the link is known to work: one that was never sent says nothing of who has an address, not even by how long it takes.
async function assertFree(ctx: RequestContext, { user, to }: Pick<Change, "user" | "to">): Promise<void> {
  const found = await requireStorage(ctx).getUserByEmail(to);
  if (found && found.id !== user.id) throw usedLink();
}

/** The session of this browser, if it is theirs. */
async function sessionOf(ctx: RequestContext, { user, actor }: Change): Promise<ActiveSession | null> {
  const active = actor?.active ?? await openSession(ctx);
  return active && ownerOf(active) === user.id ? active : null;
}

type Writing = Change & {
  readonly now: Date;
  /** The record of the password for the new address; `null` if there is nothing to write. */
  readonly rebound: ReturnType<typeof recordForEmail> | null;
};

// A password that does not count for the former address must not count for the new one. In a table of the application, it
// counts for each address.
async function passwordFor({ config }: RequestContext, { user, to }: Change): Promise<Writing["rebound"]> {
  if (!passwordProviderOf(config)) return null;
  const password = await findPassword(config, user.id);
  const known = config.storage && await withMark(config.storage, user);
  if (!password || password.version === null || !countsFor(password, known ?? user)) return null;
  return recordForEmail(password, to);
}

async function writeAtOnce(
  ctx: RequestContext,
  { user, to, proof, wait, actor, now, rebound }: Writing,
): Promise<boolean> {
  const { config } = ctx;
  const storage = requireStorage(ctx);
  const consume = proof && await checkProof(storage, proof, now);
  await assertFree(ctx, { user, to });
  const records = recordsOf(ctx) && {
    ...(rebound && { put: [rebound] }),
    remove: [waitingKey(user.id)],
  };
  const plan: Plan = {
    expect: {
      ...actor?.expect,
      ...(wait && { records: [{ ...waitingKey(user.id), version: wait.record.version }] }),
    },
    ...(consume && { consume }),
    // Whoever was in before, and whatever was proven before, says nothing about the new address.
    updateUser: {
      id: user.id,
      email: to,
      emailVerified: now,
      vouchedEmail: null,
      securityStamp: randomUuid(config.runtime),
    },
    ...(records && { records }),
  };
  const result = await orTaken(ctx, { user, to }, () => commitAbout(config, user, plan));
  if (result === "consumed") throw usedLink();
  if (result === "done") storage.revocations.invalidateBefore(user.id, now.getTime());
  return result === "done";
}

// The user first: where it breaks off before, the former address stays.
async function writeInSteps(
  ctx: RequestContext,
  { user, to, proof, wait, now }: Writing,
): Promise<boolean> {
  const storage = requireStorage(ctx);
  const records = recordsOf(ctx);
  if (!isAsRead(await storage.getUser(user.id), asRead(user))) return false;
  if (proof) await checkProof(storage, proof, now);
  await assertFree(ctx, { user, to });
  // Of two who take over what has waited, one goes on.
  if (wait && !await records?.removeRecord({ ...waitingKey(user.id), version: wait.record.version })) return false;
  try {
    await orTaken(ctx, { user, to }, () => storage.updateUser({ id: user.id, email: to, emailVerified: now }));
  } catch (error) {
    if (error instanceof AdapterError) await restore(ctx, { proof, wait });
    throw error;
  }
  return true;
}

// A password that is not written any more does not count, and its owner can choose another one.
async function writeRest(ctx: RequestContext, { user, wait, rebound }: Writing): Promise<void> {
  const records = recordsOf(ctx);
  if (rebound) await records?.putRecord(rebound);
  if (!wait) await records?.removeRecord(waitingKey(user.id));
}

// Not every database says of a conflict that it is one.
async function orTaken<T>(
  ctx: RequestContext,
  { user, to }: Pick<Change, "user" | "to">,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const other = error instanceof AdapterError ? await requireStorage(ctx).getUserByEmail(to).catch(() => null) : null;
    if (other && other.id !== user.id) throw usedLink();
    throw error;
  }
}

/** Gives back what was used up where nothing came of it, in storage without transactions. */
export async function restore(ctx: RequestContext, { proof, wait }: Pick<Change, "proof" | "wait">): Promise<void> {
  if (proof) await restoreProof(ctx, requireStorage(ctx), proof);
  if (wait) await recordsOf(ctx)?.putRecord({ ...wait.record, version: 0 });
}

function recordsOf(ctx: RequestContext): Records | null {
  return recordsIn(requireStorage(ctx));
}

async function tellChanged(ctx: RequestContext, former: AdapterUser, updated: AdapterUser): Promise<void> {
  await tell(ctx.config, {
    type: "userChanged",
    event: () => ({ userId: updated.id }),
    message: () => ({ user: updated }),
  }, ctx);
  await Promise.all([former, updated].map((user) => mailTo(ctx, { act: "changeEmail", user })));
}
