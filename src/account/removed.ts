/**
 * What was removed, kept for a day: the link of an email brings it back.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { JsonObject, RecordKey, StoredRecord } from "../contract/adapter.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { textFromBase64Url, toBase64Url, utf8 } from "../crypto/encoding.ts";
import { randomText } from "../crypto/random.ts";
import type { AdapterAccount, AdapterAuthenticator } from "../kernel/model.ts";
import type { UndoLink } from "../mail/notice.ts";
import type { RequestContext } from "../request/context.ts";
import type { KeptRemoval, RemovedWay } from "../request/account_administration.ts";
import { requireStorage } from "../request/require_storage.ts";
import { NEW_FOR } from "../sign_in/added_account.ts";
import { type AddressProof, hashToken, issueProof } from "../sign_in/address_proof.ts";
import { PASSKEY_INFO, readPasskeyNote } from "../sign_in/passkey_info.ts";
import { recordsIn } from "../storage/stored_records.ts";
import { accountUrl } from "./urls.ts";

/** The kind of the records. */
const REMOVED = "removed";

/** Seconds in which what was removed can come back. */
const LIFETIME = 24 * 60 * 60;

/**
 * Makes the record of what is removed, and the link to it. Tokens of the account are not in it.
 *
 * @returns `null` where storage has no records, and for a passkey that was made in these 24 hours: a thief may have added it,
 * and the email must not invite its owner to bring it back.
 */
export function keepRemoved(ctx: RequestContext, userId: string, removed: RemovedWay): KeptRemoval | null {
  const { storage, runtime } = ctx.config;
  if (!storage || !recordsIn(storage)) return null;
  const { account, passkey, info } = removed;
  if (info && isNew(info, runtime.now())) return null;
  const data = {
    ...(account && { account: withoutTokens(account) }),
    ...(passkey && { passkey: { ...passkey } }),
    ...(info && { info: { id: info.id, data: info.data } }),
  };
  const record: StoredRecord = {
    ...keyOf(randomText(runtime)),
    userId,
    version: 0,
    expires: new Date(runtime.now() + LIFETIME * 1000),
    data: JSON.parse(JSON.stringify(data)) as JsonObject,
  };
  return { record, makeUndo: () => makeLink(ctx, userId, record.id) };
}

function isNew(info: StoredRecord, now: number): boolean {
  const { createdAt } = readPasskeyNote(info);
  return createdAt !== null && now < createdAt * 1000 + NEW_FOR;
}

function withoutTokens(account: AdapterAccount): Partial<AdapterAccount> {
  const { userId, type, provider, providerAccountId, email, email_verified } = account;
  return { userId, type, provider, providerAccountId, email, email_verified };
}

/** Gives the key of a record. */
export function keyOf(id: string): RecordKey {
  return { kind: REMOVED, id };
}

/** Reads a record. */
export function readRemoved({ userId, data }: StoredRecord): RemovedWay {
  const { account, passkey, info } = data as {
    account?: AdapterAccount;
    passkey?: AdapterAuthenticator;
    info?: Pick<StoredRecord, "id" | "data">;
  };
  const owner = { userId: userId ?? "" };
  return {
    ...(account && { account: { ...account, ...owner } }),
    ...(passkey && { passkey: { ...passkey, ...owner } }),
    ...(info && { info: { ...info, ...owner, kind: PASSKEY_INFO, version: 0, expires: null } }),
  };
}

async function makeLink(ctx: RequestContext, userId: string, id: string): Promise<UndoLink> {
  const { config } = ctx;
  const expires = new Date(config.runtime.now() + LIFETIME * 1000);
  const subject = await subjectOf(userId, id);
  const { token } = await issueProof(config, requireStorage(ctx), { purpose: "account-undo", subject, expires });
  const sent = [toBase64Url(utf8(userId)), id, token].join(".");
  return { url: accountUrl(ctx, { act: "undo", token: sent }), lasting: LIFETIME };
}

// Databases limit how long the identifier of a token is.
async function subjectOf(userId: string, id: string): Promise<string> {
  return await sha256Base64Url(JSON.stringify([userId, id]));
}

const TOKEN = /^([\w-]{1,2800})\.([\w-]{1,100})\.([0-9a-f]{64})$/;

/** The link of an email. */
export interface UndoToken {
  readonly userId: string;
  /** Id of the record. */
  readonly id: string;
  readonly proof: AddressProof;
}

/** Reads the token of a link; `null` if it cannot be one. Nothing says yet that it was ever sent. */
export async function readUndo(
  { secrets }: Pick<ResolvedConfig, "secrets">,
  token: unknown,
): Promise<UndoToken | null> {
  const [, user = "", id = "", secret = ""] = (typeof token === "string" && TOKEN.exec(token)) || [];
  const userId = user && textFromBase64Url(user);
  if (!userId) return null;
  const subject = await subjectOf(userId, id);
  return { userId, id, proof: { purpose: "account-undo", subject, hashes: await hashToken(secrets, secret) } };
}
