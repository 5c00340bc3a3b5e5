/**
 * Browsers that are not asked for a second proof again for some days, because somebody said so after giving one.
 *
 * The cookie holds a key that works once: each sign-in replaces it. A copy that is used later is found out, and ends the
 * trust. So does whatever changes how its user gets in: another factor, an end of all sessions, a first proof of the
 * address.
 *
 * @module
 */
import type { StoredRecord } from "../contract/adapter.ts";
import { lastEndOf } from "../contract/ended.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { sameText, sha256Base64Url } from "../crypto/digest.ts";
import { randomText } from "../crypto/random.ts";
import type { RequestContext } from "../request/context.ts";
import type { Entered, PointContext } from "../request/points.ts";
import { factorRecords, factorsOf } from "./factors.ts";
import type { SecondFactorSettings } from "./settings.ts";

/** The kind of the records. Who proves an address for the first time removes them. */
const DEVICE = "device";

/** Milliseconds of a day. */
const DAY = 24 * 60 * 60 * 1000;

/** Whether a browser is trusted for a user. It enters at level 1: nothing was proven but the first factor. */
export async function trusts(ctx: PointContext, userId: string): Promise<boolean> {
  return await findTrust(ctx, userId) !== null;
}

/** Requests in which somebody said that their browser is to be trusted. */
const wishes = new WeakSet<object>();

/** Notes that somebody wants their browser to be trusted, once they are in. */
export function wishTrust(ctx: RequestContext): void {
  wishes.add(ctx);
}

/** Trusts the browser of somebody who has entered and wished it; one that is trusted gets its next key. */
export async function keepTrust(
  ctx: RequestContext,
  { user }: Pick<Entered, "user">,
  { trustDays }: Pick<SecondFactorSettings, "trustDays">,
): Promise<void> {
  const { id: userId } = user;
  if (trustDays === null || typeof userId !== "string") return;
  if (wishes.has(ctx)) return await trustBrowser(ctx, userId, trustDays);
  const record = await findTrust(ctx, userId);
  if (record) await replaceKey(ctx, record);
}

/** Trusts this browser for some days. */
export async function trustBrowser(ctx: RequestContext, userId: string, days: number): Promise<void> {
  const { runtime } = ctx.config;
  const expires = new Date(runtime.now() + days * DAY);
  await putKey(ctx, { kind: DEVICE, id: randomText(runtime), userId, version: 0, expires, data: {} });
}

async function replaceKey(ctx: RequestContext, record: StoredRecord): Promise<void> {
  if (await putKey(ctx, record)) return;
  // Two have used the same key at once. One of them may have copied it.
  await factorRecords(ctx.config).removeRecord({ kind: DEVICE, id: record.id });
  if (!ctx.cookies.closed) ctx.cookies.clear("trustedDevice");
}

async function putKey(ctx: RequestContext, record: StoredRecord): Promise<boolean> {
  const { config, cookies } = ctx;
  const { id, userId, expires } = record;
  const key = randomText(config.runtime);
  const data = { key: await sha256Base64Url(key), stamp: await stampOf(config, String(userId)) };
  if (await factorRecords(config).putRecord({ ...record, data }) === null) return false;
  const left = Math.floor(((expires?.getTime() ?? 0) - config.runtime.now()) / 1000);
  const sealed = await config.sealer.seal({ id, key }, { salt: cookies.nameOf("trustedDevice"), maxAge: left });
  if (!cookies.closed) cookies.write("trustedDevice", sealed, { maxAge: left });
  return true;
}

async function findTrust({ config, cookies }: PointContext, userId: string): Promise<StoredRecord | null> {
  const sealed = cookies.read("trustedDevice");
  const claims = sealed ? await config.sealer.open(sealed, cookies.nameOf("trustedDevice")) : null;
  if (typeof claims?.id !== "string" || typeof claims.key !== "string") return null;
  const records = factorRecords(config);
  const record = await records.getRecord({ kind: DEVICE, id: claims.id });
  // Storage may be another machine, with another clock.
  if (!record?.expires || record.expires.getTime() <= config.runtime.now() || record.userId !== userId) return null;
  const { key, stamp } = record.data;
  const isNewest = sameText(String(key), await sha256Base64Url(claims.key));
  if (isNewest && stamp === await stampOf(config, userId)) return record;
  await records.removeRecord({ kind: DEVICE, id: record.id });
  return null;
}

// What changes when the ways of a user to get in change, but not when one of them is used.
async function stampOf(config: Pick<ResolvedConfig, "storage">, userId: string): Promise<string> {
  const { storage } = config;
  const [factors, user] = await Promise.all([factorsOf(config, userId), storage?.findUser(userId)]);
  const passkeys = user && storage?.has("listAuthenticatorsByUserId")
    ? await storage.listAuthenticatorsByUserId(userId)
    : [];
  const endedAt = storage ? await lastEndOf(storage, userId, user) : null;
  const ways = [
    // Recovery codes have the same id as those that they replace.
    ...factors.filter(({ isConfirmed }) => isConfirmed).map(({ id, createdAt }) => `${id} ${createdAt}`),
    ...passkeys.map(({ credentialID }) => credentialID),
  ];
  return await sha256Base64Url(JSON.stringify([user?.securityStamp ?? null, endedAt, ways.toSorted()]));
}
