/**
 * Passkeys on the account page: what is known of them, and the acts about them.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { once } from "../kernel/load.ts";
import type { AdapterAuthenticator, AdapterUser } from "../kernel/model.ts";
import type { AccountPasskey, AccountStep } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import type { Actor } from "../sign_in/actor.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import { PASSKEY_INFO, passkeyInfoId, readPasskeyNote, UNKNOWN_PASSKEY } from "../sign_in/passkey_info.ts";
import { changePasskeyInfo, findPasskeyInfo } from "../sign_in/passkey_use.ts";
import { canRemove, findOwned, type Owned, passkeyWay, type Way, waysOf } from "../sign_in/ways.ts";
import { type Records, recordsIn } from "../storage/stored_records.ts";
import { toDescriptor } from "../webauthn/entities.ts";
import { removeOwnPasskey } from "../webauthn/removal.ts";
import type { AccountActRows, ActInput, ActResult } from "./acts.ts";
import { findNamed, formIdOf } from "./ids.ts";
import { readName } from "./rename.ts";

const names = once(() => import("./aaguids.ts"));

/** What is known of a passkey besides the passkey itself. */
export interface PasskeyInfo {
  readonly name: string | null;
  readonly createdAt: Date | null;
  readonly usedAt: Date | null;
}

function recordsOf({ storage }: Pick<ResolvedConfig, "storage">): Records | null {
  return storage && recordsIn(storage);
}

/** Finds what is known of the passkeys of a user, by the ids of the credentials as they are stored. */
export async function infoOf(
  config: ResolvedConfig,
  userId: string,
  passkeys: readonly AdapterAuthenticator[],
): Promise<ReadonlyMap<string, PasskeyInfo>> {
  const records = passkeys.length === 0 ? null : recordsOf(config);
  const found = await records?.listRecords({ kind: PASSKEY_INFO, userId }) ?? [];
  if (found.length === 0) return new Map();
  const notes = new Map(found.map((record) => [record.id, readPasskeyNote(record)]));
  const { authenticatorNamed } = await names();
  const known = await Promise.all(passkeys.map(async ({ credentialID }) => {
    const { name, aaguid, createdAt, usedAt } = notes.get(await passkeyInfoId(credentialID)) ?? UNKNOWN_PASSKEY;
    const shown = name ?? (aaguid === null ? null : authenticatorNamed(aaguid));
    return [credentialID, { name: shown, createdAt: dateOf(createdAt), usedAt: dateOf(usedAt) }] as const;
  }));
  return new Map(known);
}

function dateOf(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1000);
}

/** Gives a passkey as its owner sees it. */
export async function passkeyShown(
  config: ResolvedConfig,
  passkey: AdapterAuthenticator,
  { ways, info }: { readonly ways: readonly Way[]; readonly info: PasskeyInfo | undefined },
): Promise<AccountPasskey> {
  const { name = null, createdAt = null, usedAt = null } = info ?? {};
  const isLast = canRemove(ways, [passkeyWay(passkey)]) === null;
  return {
    id: await formIdOf(config, passkey),
    credentialId: toDescriptor(passkey).id,
    name,
    createdAt,
    usedAt,
    isSynced: Boolean(passkey.credentialBackedUp),
    removal: !config.storage?.deleteAuthenticator ? "kept" : isLast ? "last" : "allowed",
  };
}

/** The acts. */
export const PASSKEY_ACTS = {
  renamePasskey: { judged: "renameAccount", open: openRename, run: rename },
  removePasskey: { judged: "removePasskey", open: openRemoval, run: remove },
} as const satisfies AccountActRows;

interface Found {
  readonly passkey: AdapterAuthenticator;
  readonly owned: Owned;
  readonly ways: readonly Way[];
}

async function find(config: ResolvedConfig, user: AdapterUser, id: unknown): Promise<Found | null> {
  const owned = await findOwned(config, user);
  const passkey = await findNamed(config, owned.passkeys, id);
  return passkey && { passkey, owned, ways: waysOf(config, owned) };
}

async function shown(config: ResolvedConfig, { passkey, ways }: Found): Promise<AccountPasskey> {
  const infos = await infoOf(config, passkey.userId, [passkey]);
  return await passkeyShown(config, passkey, { ways, info: infos.get(passkey.credentialID) });
}

async function openRename(
  { config }: RequestContext,
  { user }: Actor,
  { fields }: ActInput,
): Promise<AccountStep | null> {
  const found = recordsOf(config) && await find(config, user, fields.id);
  return found && { kind: "rename-passkey", passkey: await shown(config, found) };
}

/** The longest name of a passkey, in characters. */
const LONGEST_NAME = 64;

async function rename(ctx: RequestContext, { user, expect }: Actor, { fields }: ActInput): Promise<ActResult> {
  const { config } = ctx;
  const records = recordsOf(config);
  const found = records && await find(config, user, fields.id);
  if (!found) return { kind: "problem", problem: "not-found" };
  const name = readName(fields.name);
  if (name === null || name.length > LONGEST_NAME) {
    return { kind: "problem", problem: "name", step: { kind: "rename-passkey", passkey: await shown(config, found) } };
  }
  const { credentialID, counter } = found.passkey;
  const record = await findPasskeyInfo(records, { userId: user.id, credentialID });
  const result = await commitAbout(config, user, {
    records: { put: [changePasskeyInfo(record, { name })] },
    expect: { ...expect, authenticator: { credentialID, counter, userId: user.id } },
  });
  return result === "done" ? { kind: "done" } : { kind: "again" };
}

async function openRemoval(
  { config }: RequestContext,
  { user }: Actor,
  { fields }: ActInput,
): Promise<AccountStep | null> {
  const found = await find(config, user, fields.id);
  const passkey = found && await shown(config, found);
  return passkey?.removal === "allowed" ? { kind: "remove-passkey", passkey } : null;
}

async function remove(ctx: RequestContext, { user, active, expect }: Actor, { fields }: ActInput): Promise<ActResult> {
  const { config } = ctx;
  const found = await find(config, user, fields.id);
  if (!found || !config.storage?.deleteAuthenticator) return { kind: "problem", problem: "not-found" };
  const { passkey, ways } = found;
  const { kind } = await removeOwnPasskey(ctx, { user, active, expect, passkey, ways });
  return kind === "last-way" ? { kind: "problem", problem: "last-way" } : { kind };
}
