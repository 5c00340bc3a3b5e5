/**
 * Another address that waits, because its owner has lost the former mailbox.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { StoredRecord } from "../contract/adapter.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { WaitingEmail } from "../request/account_views.ts";
import { recordsIn } from "../storage/stored_records.ts";
import { stateOf } from "./email_links.ts";

/** The kind of the records. A user has one at most, under their id. */
const WAITING = "email-change";

const DAY = 24 * 60 * 60 * 1000;

/** Days in which the former mailbox can stop it. */
export const WAIT_DAYS = 7;

/** The same in milliseconds. */
export const WAIT = WAIT_DAYS * DAY;

/** Milliseconds in which the new address can be taken over then. */
const OPEN_FOR = 7 * DAY;

/** Seconds that the link works which stops it. */
export const STOPPABLE = (WAIT + OPEN_FOR) / 1000;

/** Another address that waits, as it is stored. */
export interface StoredWait extends WaitingEmail {
  readonly record: StoredRecord;
}

type Configured = Pick<ResolvedConfig, "providers" | "storage" | "runtime">;

/** Gives the key of the record of a user. */
export function waitingKey(userId: string): Pick<StoredRecord, "kind" | "id"> {
  return { kind: WAITING, id: userId };
}

/** Finds what waits for a user; `null` if nothing does, or their address or password has changed since. */
export async function findWait(config: Configured, user: AdapterUser): Promise<StoredWait | null> {
  const found = await waitOf(config, user.id);
  return found && found.record.data.state === await stateOf(config, user) ? found : null;
}

async function waitOf({ storage, runtime }: Configured, userId: string): Promise<StoredWait | null> {
  const record = storage && await recordsIn(storage)?.getRecord(waitingKey(userId));
  // Storage may be another machine, with another clock.
  if (!record?.expires || record.expires.getTime() <= runtime.now()) return null;
  const { to } = record.data;
  const at = new Date(record.expires.getTime() - OPEN_FOR);
  return typeof to === "string" ? { to, at, isDue: at.getTime() <= runtime.now(), record } : null;
}

/** The address that waits until it may be taken over without the former mailbox; `null` if there is none. */
export async function waitingEmailOf(config: Configured, user: AdapterUser): Promise<WaitingEmail | null> {
  const found = await findWait(config, user);
  return found && { to: found.to, at: found.at, isDue: found.isDue };
}

/** Makes the record of an address that begins to wait. It takes the place of another one. */
export async function newWait(
  config: Configured,
  user: AdapterUser,
  to: string,
): Promise<StoredWait> {
  const at = new Date(config.runtime.now() + WAIT);
  const former = config.storage && await recordsIn(config.storage)?.getRecord(waitingKey(user.id));
  const record: StoredRecord = {
    ...waitingKey(user.id),
    userId: user.id,
    version: former?.version ?? 0,
    expires: new Date(at.getTime() + OPEN_FOR),
    data: { to, state: await stateOf(config, user) },
  };
  return { to, at, isDue: false, record };
}

/** Removes what waits for a user. @returns Whether something did. */
export async function removeWait({ storage }: Configured, userId: string): Promise<boolean> {
  return storage && await recordsIn(storage)?.removeRecord(waitingKey(userId)) || false;
}
