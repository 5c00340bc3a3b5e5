/**
 * How many credentials a user has: exact, however many are added at once.
 *
 * @module
 */
import type { Stamp } from "./epoch.ts";
import type { Owner } from "./find.ts";
import { countKey, CREDENTIAL, ownerKey } from "./layout.ts";
import type { Transaction } from "./transaction.ts";

interface Count extends Stamp {
  readonly count: number;
}

/** Counts the credentials of a user. */
export async function countCredentials(tx: Transaction, { user: { id }, epochs }: Owner): Promise<number> {
  const kept = await tx.get<Count>(countKey(id));
  if (kept?.life === epochs.life && kept.epoch >= epochs.credentials) return kept.count;
  // Former versions did not count. Nobody adds or removes one without writing the count, which was read first.
  if (epochs.life === "" && epochs.credentials === 0) return (await tx.list(ownerKey(CREDENTIAL, id))).length;
  return 0;
}

/** Keeps that a user has some credentials more, or less. */
export async function changeCount(tx: Transaction, owner: Owner, by: number): Promise<void> {
  const count = await countCredentials(tx, owner) + by;
  const { life, epoch } = owner.epochs;
  tx.set(countKey(owner.user.id), { life, epoch, count } satisfies Count);
}
