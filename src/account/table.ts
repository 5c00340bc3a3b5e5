/**
 * What can be done on the account page.
 *
 * @module
 */
import type { AccountActRow, AccountActRows } from "./acts.ts";
import { EMAIL_ACTS } from "./email_acts.ts";
import { LEAVING_ACTS } from "./leave.ts";
import { OWN_SECTION_ACTS } from "./own_sections.ts";
import { PASSKEY_ACTS } from "./passkeys.ts";
import { RENAMING_ACTS } from "./rename.ts";
import { SESSION_ACTS } from "./sessions.ts";
import { UNDO_ACTS } from "./undo.ts";
import { UNLINKING_ACTS } from "./unlink.ts";

/** The acts. */
export const ACCOUNT_ACTS: AccountActRows = {
  ...RENAMING_ACTS,
  ...EMAIL_ACTS,
  ...UNLINKING_ACTS,
  ...PASSKEY_ACTS,
  ...SESSION_ACTS,
  ...LEAVING_ACTS,
  ...UNDO_ACTS,
  ...OWN_SECTION_ACTS,
};

/** Finds an act by what a form or a link has sent. */
export function actNamed(name: unknown): AccountActRow | null {
  const isName = typeof name === "string" && Object.hasOwn(ACCOUNT_ACTS, name);
  return isName ? ACCOUNT_ACTS[name as keyof AccountActRows] ?? null : null;
}
