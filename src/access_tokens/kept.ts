/**
 * Fresh tokens that storage did not take. The provider may not give them again, so they are kept in memory, sealed, and
 * written when storage answers.
 *
 * @module
 */
import { openAtRest, sealAtRest } from "../crypto/at_rest.ts";
import { pause } from "../kernel/deadline.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { AccountKey, AdapterAccount } from "../kernel/model.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { Storage } from "../storage/guard.ts";
import { ownerOf } from "../oauth_client/account_tokens.ts";
import type { StoredToken, TokenRequest } from "./stored_token.ts";
import { type Fresh, isAsRead, storedOf, writeFresh, type Writer } from "./write.ts";

interface Kept {
  readonly writer: Writer;
  readonly owner: string;
  /** The tokens, sealed: a dump of the memory holds no token for ten minutes. */
  readonly sealed: string;
  /** When they are forgotten, in milliseconds since 1970. */
  readonly until: number;
}

/** By storage, and by user and account. */
const kept = new WeakMap<Storage, Map<string, Kept>>();

/** Minutes for which tokens are kept. */
const MINUTES = 10;

/** How many accounts' tokens are kept. The oldest are forgotten. */
const MOST = 1000;

/** Keeps tokens until they are written, and logs that once. */
export async function keep(request: TokenRequest, fresh: Fresh, why: AdapterError): Promise<void> {
  const { config, storage, userId, provider } = request;
  const message = `Cannot store the new tokens of "${provider.id}". They are kept in memory for at most ${MINUTES} ` +
    "minutes, and written when storage answers";
  config.logger.error(new AdapterError(message, { cause: why, logCode: why.logCode }), request.subject);
  const owner = ownerOf(fresh.read);
  const sealed = await sealAtRest(config.sealer, { purpose: PURPOSE, owner }, JSON.stringify(fresh));
  const entry = { writer: { config, storage, userId }, owner, sealed, until: config.runtime.now() + MINUTES * 60_000 };
  const entries = kept.get(storage) ?? new Map<string, Kept>();
  entries.delete(keyOf(entry));
  for (const key of entries.keys()) if (entries.size >= MOST) entries.delete(key);
  entries.set(keyOf(entry), entry);
  if (kept.has(storage)) return;
  kept.set(storage, entries);
  void writeAll(storage, config.runtime);
}

/** What tokens are sealed for. */
const PURPOSE = "kept tokens";

function keyOf({ writer: { userId }, owner }: Pick<Kept, "writer" | "owner">): string {
  return JSON.stringify([userId, owner]);
}

/** Tokens that are still not written. */
export interface Unwritten {
  readonly fresh: Fresh;
  readonly error: AdapterError;
}

/** Writes the tokens that are kept of an account. `null` if nothing is left to write. */
export async function writeKept(writer: Writer, account: AccountKey): Promise<Unwritten | null> {
  const entries = kept.get(writer.storage);
  const entry = entries?.get(keyOf({ writer, owner: ownerOf(account) }));
  return entries && entry ? await writeOne(entries, entry) : null;
}

/** Returns tokens that are not written, if the account still has those that they replace. */
export function overlay(account: AdapterAccount, { fresh }: Unwritten): StoredToken | null {
  return isAsRead(account, fresh.read) ? storedOf(account, fresh) : null;
}

async function writeOne(entries: Map<string, Kept>, entry: Kept): Promise<Unwritten | null> {
  const { writer, owner, sealed, until } = entry;
  const { sealer, runtime } = writer.config;
  const text = until > runtime.now() ? await openAtRest(sealer, { purpose: PURPOSE, owner }, sealed) : null;
  const fresh = text === null ? null : JSON.parse(text) as Fresh;
  try {
    if (fresh) await writeFresh(writer, fresh);
  } catch (error) {
    if (fresh && error instanceof AdapterError) return { fresh, error };
    throw error;
  }
  if (entries.get(keyOf(entry)) === entry) entries.delete(keyOf(entry));
  return null;
}

/** Seconds between two tries. Another process that asks a second after storage has recovered finds what was kept. */
const PAUSE = 0.5;

async function writeAll(storage: Storage, runtime: Runtime): Promise<void> {
  const entries = kept.get(storage) ?? new Map<string, Kept>();
  while (entries.size > 0) {
    await pause(runtime, PAUSE);
    // One try at a time: storage that has just recovered is not asked by everybody at once.
    for (const [key, entry] of entries) {
      const unwritten = await writeOne(entries, entry).catch(() => null);
      const isCurrent = entries.get(key) === entry && entries.delete(key);
      if (!unwritten) continue;
      // At the end, so that a row that cannot be written holds up no other one.
      if (isCurrent) entries.set(key, entry);
      break;
    }
  }
  kept.delete(storage);
}
