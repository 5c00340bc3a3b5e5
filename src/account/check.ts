/**
 * What deserves a look where a service with an account page is checked.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import { mailerOf } from "../request/mailer.ts";
import { knowsSessions } from "../session/user_sessions.ts";
import { recordsIn } from "../storage/stored_records.ts";
import { lackToDelete } from "./deletion.ts";
import type { AccountSettings } from "./settings.ts";

/** Says what the page cannot show or do, and why. */
export function findings(config: ResolvedConfig, settings: AccountSettings): readonly Warning[] {
  const { storage } = config;
  if (!storage) {
    return [["account-storage", "`accountPage` needs an `adapter`: without one there are no accounts to show"]];
  }
  const found: Warning[] = [];
  if (!config.freshSignIn) {
    found.push([
      "account-fresh",
      "`account.freshSignIn` is false, so whoever has an old session can add an account of their own, sign in with it, and do " +
      "whatever `accountPage` asks a fresh sign-in for: leave it out",
    ]);
  }
  if (!storage.listAccountsByUserId) {
    found.push(["account-storage", "`accountPage` cannot show accounts: the adapter has no `listAccountsByUserId`"]);
  }
  if (!knowsSessions(config)) {
    found.push([
      "account-storage",
      "`accountPage` shows no other sessions, and cannot end them: the adapter has no `listSessionsByUserId` and " +
      "`deleteSessionsByUserId`, or encrypted sessions have no rows (`session.revalidate`)",
    ]);
  }
  const graceDays = settings.delete?.graceDays ?? 0;
  const lack = settings.delete && lackToDelete(config);
  if (lack) found.push(["account-storage", `nobody can delete their account on \`accountPage\`: ${lack}`]);
  if (!recordsIn(storage)) {
    found.push([
      "account-records",
      "the adapter has no records, so `accountPage` cannot undo what was removed, and does not know the device of a " +
      `session${graceDays > 0 ? "; and \`delete.graceDays\` needs them" : ""}: see \`withRecords\``,
    ]);
  }
  if (!mailerOf(config)) {
    found.push([
      "account-mail",
      "no mail can be sent for `accountPage`, so people are not told what was removed, and cannot change their address: " +
      "set `mail`",
    ]);
  }
  return found;
}
