/**
 * What deserves a look where a service with second factors is checked.
 *
 * @module
 */
import type { Warning } from "../config/warning.ts";
import { mailerOf } from "../request/mailer.ts";
import type { PointCheck } from "../request/points.ts";
import { passkeyProviderOf } from "./passkey.ts";
import type { SecondFactorSettings } from "./settings.ts";

/** Says which ways nobody can use, and what is missing for them. */
export function findings({ config }: Pick<PointCheck, "config">, settings: SecondFactorSettings): readonly Warning[] {
  const { methods, recoverByEmail } = settings;
  const found: Warning[] = [];
  if (methods.includes("passkey") && !passkeyProviderOf(config)) {
    found.push([
      "second-factor-passkeys",
      "`methods` of `secondFactor` has `passkey`, and there is no passkey provider: add `passkey()` to `providers`, or leave " +
      "it out of `methods`. No other way is safe from phishing",
    ]);
  }
  if (mailerOf(config)) return found;
  const uses = methods.includes("email-code")
    ? "`methods` has `email-code`"
    : recoverByEmail === null
    ? "people are told what was added to their account, and can undo it"
    : "`recoverByEmail` is set";
  found.push(["second-factor-mail", `no mail can be sent for \`secondFactor\`, and ${uses}: set \`mail\``]);
  return found;
}
