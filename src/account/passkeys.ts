/**
 * Passkeys on the account page: what is known of them, and the acts about them.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { AdapterAuthenticator } from "../kernel/model.ts";
import type { AccountActRows } from "./acts.ts";

/** What is known of a passkey besides the passkey itself. */
export interface PasskeyInfo {
  readonly name: string | null;
  readonly createdAt: Date | null;
  readonly usedAt: Date | null;
}

/** Finds what is known of the passkeys of a user, by the ids of the credentials as they are stored. */
export async function infoOf(
  _config: ResolvedConfig,
  _userId: string,
  _passkeys: readonly AdapterAuthenticator[],
): Promise<ReadonlyMap<string, PasskeyInfo>> {
  return await Promise.resolve(new Map());
}

/** The acts. */
export const PASSKEY_ACTS: AccountActRows = {};
