/**
 * What a plan has to say of passwords.
 *
 * @module
 */
import type { Expectation, Plan } from "../contract/adapter.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { passwordKey, recordOf } from "../passwords/stored.ts";
import type { PasswordToSet } from "./attempt.ts";
import type { Facts } from "./linking.ts";

/** Expects that the password with which somebody signs in is the one that was compared. */
export function expectedPassword({ password }: Pick<Facts, "password">, userId: string): Pick<Expectation, "records"> {
  const { version = null } = password ?? {};
  return version === null ? {} : { records: [{ ...passwordKey(userId), version }] };
}

/** What a new password depends on besides. */
export interface NewPassword {
  readonly facts: Pick<Facts, "password">;
  /** Whether the address is proven for the first time: that removes the password that may have been there. */
  readonly evicts: boolean;
  readonly runtime: Pick<Runtime, "now" | "random">;
}

/**
 * Stores a password together with the proof of the address, so that nobody has a password for an address that they have not
 * proven.
 */
export function newPassword(
  { hash }: PasswordToSet,
  { id: userId, email }: AdapterUser,
  { facts: { password }, evicts, runtime }: NewPassword,
): NonNullable<Plan["records"]> {
  const version = evicts ? 0 : password?.version ?? 0;
  return { put: [recordOf({ userId, email, hash, version }, runtime)] };
}
