/**
 * The password that a link replaces.
 *
 * @module
 */
import { Verification } from "../kernel/errors.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import type { PasswordStore } from "../passwords/settings.ts";
import type { PasswordToSet } from "./attempt.ts";
import type { Facts } from "./linking.ts";
import { callStore, findPassword, revisionFor } from "./stored_password.ts";

/**
 * Makes sure that a link still replaces the password that its user has.
 *
 * @throws {Verification} if they have got another one since it was sent, or were removed.
 */
export function assertCurrent(
  { replaces, creates }: PasswordToSet,
  { byEmail, password }: Pick<Facts, "byEmail" | "password">,
): void {
  const isCurrent = byEmail ? revisionFor(password, byEmail) === replaces : creates;
  if (!isCurrent) throw new Verification("Cannot use link: the password was changed after it was sent");
}

/** Whether a user has the password that a link replaces, now. */
export async function stillReplaces(
  config: ResolvedConfig,
  { replaces }: PasswordToSet,
  user: AdapterUser,
): Promise<boolean> {
  return revisionFor(await findPassword(config, user.id), user) === replaces;
}

/** Stores the hash of somebody who has proven their address, where the application keeps hashes. */
export async function keepHash(store: PasswordStore, userId: string, hash: string): Promise<void> {
  await callStore("set", () => store.set(userId, hash));
}

/** Tells features that somebody has set a password with the link of an email. */
export async function tellSet(ctx: RequestContext, userId: string): Promise<void> {
  const event = () => ({ userId, by: "link" as const });
  await tell(ctx.config, { type: "passwordSet", event, message: null }, ctx);
}
