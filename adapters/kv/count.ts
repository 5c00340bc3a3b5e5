/**
 * How many credentials a user has. The number is exact even if several are added at once.
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
  const stored = await tx.get<Count>(countKey(id));
  if (stored?.life === epochs.life && stored.epoch >= epochs.credentials) return stored.count;
  // Former versions did not count. Listing is safe: who adds or removes a credential writes the count, which is checked.
  if (epochs.life === "" && epochs.credentials === 0) return (await tx.list(ownerKey(CREDENTIAL, id))).length;
  return 0;
}

/** Adds to the number of credentials of a user. */
export async function changeCount(tx: Transaction, owner: Owner, by: number): Promise<void> {
  const count = await countCredentials(tx, owner) + by;
  const { life, epoch } = owner.epochs;
  tx.set(countKey(owner.user.id), { life, epoch, count } satisfies Count);
}
