/**
 * Removing a passkey: what goes with it, who is told, and what brings it back. It is the same on every page.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Expectation, StoredRecord } from "../contract/adapter.ts";
import { once } from "../kernel/load.ts";
import type { AccountKey, AdapterAuthenticator, AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { type EventSubject, tell } from "../request/events.ts";
import type { FactorType } from "../request/happened.ts";
import { mailerOf } from "../request/mailer.ts";
import type { KeptRemoval, RemovedWay } from "../request/account_administration.ts";
import { type FactorsWithout, pointsOf } from "../request/points.ts";
import { requireStorage } from "../request/require_storage.ts";
import { endOthersOf } from "../session/end_of_user.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import type { Added } from "../sign_in/notice.ts";
import { passkeyInfoKey } from "../sign_in/passkey_info.ts";
import { canRemove, passkeyWay, type Way } from "../sign_in/ways.ts";
import { recordsIn } from "../storage/stored_records.ts";

const notices = once(() => import("../sign_in/notice.ts"));

/** A passkey to remove. */
export interface PasskeyToRemove {
  /** Its user, as they are. */
  readonly user: AdapterUser;
  readonly passkey: AdapterAuthenticator;
  /** The ways in of the user. */
  readonly ways: readonly Way[];
  /** What else has to be true still. @default nothing */
  readonly expect?: Pick<Expectation, "session" | "records">;
}

/** A passkey that was removed. */
export interface PasskeyRemoved {
  readonly kind: "done";
  /** The account that it signed in with. Of one without, nothing is known but the passkey. */
  readonly account: AccountKey;
  /** Second factors that went with it, and the passkey if it was one. */
  readonly factors: readonly FactorType[];
  readonly kept: KeptRemoval | null;
}

/** What has come of it. `again`: something has changed meanwhile. */
export type PasskeyRemoval = PasskeyRemoved | { readonly kind: "last-way" } | { readonly kind: "again" };

/** Keeps what is removed, so that it can come back. */
type Keep = (removed: RemovedWay) => Promise<KeptRemoval | null>;

/**
 * Removes a passkey with its account, what was known of it, and the second factors that do not count without it.
 *
 * @throws {AdapterError} if storage cannot.
 */
export async function takePasskey(
  config: ResolvedConfig,
  { user, passkey, ways, expect = {} }: PasskeyToRemove,
  keep: Keep = () => Promise.resolve(null),
): Promise<PasskeyRemoval> {
  const other = canRemove(ways, [passkeyWay(passkey)]);
  if (!other) return { kind: "last-way" };
  const { id: userId } = user;
  const { credentialID } = passkey;
  const infoKey = await passkeyInfoKey(credentialID);
  const records = recordsIn(requireStorage({ config }));
  const [account, factors, info] = await Promise.all([
    accountOf(config, passkey),
    factorsWithout(config, passkey),
    records?.getRecord(infoKey) ?? null,
  ]);
  const kept = await keep({ ...(account && { account: { ...account, type: "webauthn", userId } }), passkey, info });
  const put: readonly StoredRecord[] = [...factors?.records.put ?? [], ...kept ? [kept.record] : []];
  const gone = [...records ? [infoKey] : [], ...factors?.records.remove ?? []];
  const decidedOn = [...expect.records ?? [], ...other.expect.records ?? [], ...factors?.expect ?? []];
  const result = await commitAbout(config, user, {
    ...(account && { unlinkAccount: { ...account, userId } }),
    deleteAuthenticator: { credentialID, userId },
    ...(put.length + gone.length > 0 && { records: { put, remove: gone } }),
    // The other way too, so that of two that are removed at once one stays.
    expect: { ...expect, ...other.expect, ...(decidedOn.length > 0 && { records: decidedOn }) },
  });
  if (result !== "done") return { kind: "again" };
  const { providerAccountId } = passkey;
  return { kind: "done", account: account ?? { provider: "", providerAccountId }, factors: factors?.types ?? [], kept };
}

/** Tells that a passkey was removed. */
export async function tellPasskeyRemoved(
  config: ResolvedConfig,
  { user, account }: Pick<PasskeyToRemove, "user"> & Pick<PasskeyRemoved, "account">,
  subject: EventSubject | undefined,
): Promise<void> {
  const { provider } = account;
  await tell(config, {
    type: "passkeyRemoved",
    event: () => ({ userId: user.id, provider }),
    message: () => ({ user, account: { ...account, type: "webauthn" } }),
  }, subject);
}

/** Somebody who may remove their passkeys now. */
export interface PasskeyOwner extends PasskeyToRemove {
  /** Their session; `null` if their sign-in waits. */
  readonly active: ActiveSession | null;
  /** Id of the record of the sign-in that waits, and goes on. */
  readonly waiting?: string | undefined;
}

/** Removes a passkey for its owner: their other sessions end, and an email tells them, with a link that brings it back. */
export async function removeOwnPasskey(ctx: RequestContext, owner: PasskeyOwner): Promise<PasskeyRemoval> {
  const { config } = ctx;
  const { user, active, waiting } = owner;
  const removal = await takePasskey(config, owner, (removed) => keepFor(ctx, user.id, removed));
  if (removal.kind !== "done") return removal;
  try {
    // A session may have begun with the passkey, in the hands of whoever has it.
    await endOthersOf(ctx, { user, active, waiting });
  } finally {
    await tellRemoved(ctx, user, removal);
  }
  return removal;
}

async function tellRemoved(ctx: RequestContext, user: AdapterUser, removed: PasskeyRemoved): Promise<void> {
  const { config } = ctx;
  const { account, factors, kept } = removed;
  await tellPasskeyRemoved(config, { user, account }, ctx);
  for (const factor of factors) {
    const event = () => ({ userId: user.id, factor, by: "owner" as const });
    await tell(config, { type: "factorRemoved", event, message: null }, ctx);
  }
  // With what went along, no second proof is asked for any more, and the link of the other email does not change that.
  const isOff = factors.some((factor) => factor !== "passkey");
  const { provider } = account;
  await Promise.all([
    isOff && mail(ctx, { act: "removeFactor", user, provider: "" }),
    mail(ctx, { act: "removePasskey", user, provider, makeUndo: kept?.makeUndo }),
  ]);
}

async function mail(ctx: RequestContext, added: Added): Promise<void> {
  const mailer = mailerOf(ctx.config);
  if (mailer) await (await notices()).notify(ctx, mailer, added);
}

/** Finds the account with which a passkey signs in. `null` if there is none: it may have been removed. */
async function accountOf(
  config: ResolvedConfig,
  { providerAccountId, userId }: AdapterAuthenticator,
): Promise<AccountKey | null> {
  const storage = requireStorage({ config });
  for (const { id: provider, type } of config.providers.values()) {
    if (type !== "webauthn") continue;
    const key = { provider, providerAccountId };
    if ((await storage.getUserByAccount(key))?.id === userId) return key;
  }
  return null;
}

/** Asks the feature that knows of second factors what goes with a passkey. */
async function factorsWithout(
  config: ResolvedConfig,
  { userId, credentialID }: AdapterAuthenticator,
): Promise<FactorsWithout | null> {
  for (const { factors } of await pointsOf(config)) {
    if (factors) return await factors.withoutPasskey(config, userId, credentialID);
  }
  return null;
}

/** Asks the feature with the page that brings it back; `null` if there is none. */
async function keepFor(ctx: RequestContext, userId: string, removed: RemovedWay): Promise<KeptRemoval | null> {
  for (const { account } of await pointsOf(ctx.config)) if (account) return account.keepRemoved(ctx, userId, removed);
  return null;
}
