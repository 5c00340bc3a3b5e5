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

/** Says which ways nobody can add or use, and what is missing for them. */
export function findings({ config }: Pick<PointCheck, "config">, settings: SecondFactorSettings): readonly Warning[] {
  const { methods, recoverByEmail } = settings;
  const found: Warning[] = [];
  const problem = enrolmentProblem(settings);
  if (problem) found.push(["second-factor-enrolment", problem]);
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

// Who has a session can add a passkey, too. In the middle of a sign-in there is none yet.
function enrolmentProblem({ methods, require }: SecondFactorSettings): string | null {
  if (methods.includes("totp")) return null;
  if (require !== "enrolled") {
    return "`require` of `secondFactor` demands a second factor, and people can add only an application in the middle of a " +
      "sign-in: add `totp` to `methods`, or demand it only of people who have a passkey";
  }
  return methods.includes("passkey")
    ? null
    : "nobody can enrol in `secondFactor`, so nobody is asked: add `totp` or `passkey` to `methods`";
}
