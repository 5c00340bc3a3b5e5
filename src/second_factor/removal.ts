/**
 * What goes when a factor is removed: without the last one, nothing is asked for any more.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Plan } from "../contract/adapter.ts";
import { BadRequest } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { EventSubject } from "../request/events.ts";
import type { FactorType } from "../request/happened.ts";
import { requireStorage } from "../request/require_storage.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import { findWays } from "../sign_in/ways.ts";
import { takePasskey, tellPasskeyRemoved } from "../webauthn/removal.ts";
import { type Factor, factorsOf } from "./factors.ts";
import { planOf, untilWritten } from "./write.ts";

/** What is removed. */
export interface ToRemove {
  /** Ids of the records. */
  readonly ids: readonly string[];
  /** Passkeys that are second factors, and stay. */
  readonly passkeysLeft: number;
  /** Whether what does not count yet goes too. @default {false} */
  readonly withDrafts?: boolean;
}

/** What is written. */
export interface Removal {
  /** Written again as it is, so that whoever adds or removes another factor at the same time is noticed. */
  readonly put: readonly Factor[];
  readonly remove: readonly Factor[];
}

/**
 * Decides which records go. Recovery codes alone are no second factor, and neither is an application without them: what is
 * left of a set that is no longer one goes too.
 */
export function planRemoval(factors: readonly Factor[], { ids, passkeysLeft, withDrafts = false }: ToRemove): Removal {
  const left = factors.filter(({ id, isConfirmed }) => isConfirmed && !ids.includes(id));
  const codes = left.filter(({ type }) => type === "recovery");
  const apps = left.filter(({ type }) => type === "totp");
  const isOver = codes.length === 0 || apps.length + passkeysLeft === 0;
  const isCounted = factors.some(({ isConfirmed }) => isConfirmed);
  // The codes first: if it breaks off, nobody is asked for what is gone.
  if (isOver && isCounted) return { put: [], remove: factors.toSorted((one, other) => rank(one) - rank(other)) };
  const remove = factors.filter(({ id, isConfirmed }) => ids.includes(id) || (withDrafts && !isConfirmed));
  return { put: remove.some(({ isConfirmed }) => isConfirmed) ? codes : [], remove };
}

function rank({ type }: Factor): number {
  return type === "recovery" ? 0 : 1;
}

/** What of it counted. */
export function typesOf({ remove }: Pick<Removal, "remove">): readonly FactorType[] {
  return remove.filter(({ isConfirmed }) => isConfirmed).map(({ type }) => type);
}

/** Removes records of a user, whoever else changes them at the same time. @returns What of it counted. */
export async function removeRecords(
  config: Pick<ResolvedConfig, "storage" | "runtime">,
  { user, consume, ...what }: ToRemove & { readonly user: AdapterUser; readonly consume?: Plan["consume"] },
): Promise<readonly FactorType[]> {
  return await untilWritten(async () => {
    const removal = planRemoval(await factorsOf(config, user.id), what);
    if (removal.remove.length === 0 && !consume) return [];
    const result = await commitAbout(config, user, { ...planOf(removal), ...(consume && { consume }) });
    // Whoever was faster with the same link has removed the same.
    return result === "done" ? typesOf(removal) : result === "consumed" ? [] : null;
  });
}

/**
 * Removes a passkey for the application, whoever else changes what its user signs in with at the same time.
 *
 * @returns What of it was a second factor; empty if somebody else has removed it.
 * @throws {BadRequest} if the user would have no way of signing in.
 * @throws {AdapterError} if storage cannot.
 */
export async function removePasskey(
  config: ResolvedConfig,
  { user, id, subject }: {
    readonly user: AdapterUser;
    readonly id: string;
    readonly subject: EventSubject | undefined;
  },
): Promise<readonly FactorType[]> {
  const storage = requireStorage({ config });
  return await untilWritten(async () => {
    const passkey = await storage.getAuthenticator(id);
    if (passkey?.userId !== user.id) return [];
    const removal = await takePasskey(config, { user, passkey, ways: await findWays(config, user) });
    if (removal.kind === "last-way") throw lastWay();
    if (removal.kind === "again") return null;
    await tellPasskeyRemoved(config, { user, account: removal.account }, subject);
    return removal.factors;
  });
}

/** The error if nothing else would sign a user in. */
export function lastWay(): BadRequest {
  return new BadRequest("Cannot remove the passkey: its user has no other way of signing in");
}
