import assert from "node:assert/strict";
import { test } from "node:test";
import { decideOptions, type OptionsFacts } from "../../../src/webauthn/decide.ts";

const ACTIONS = ["authenticate", "register", "upgrade", "list", null, "", "Register", "__proto__"];
const SESSIONS: readonly OptionsFacts["session"][] = ["none", "recent", "old"];

const FLAGS = [true, false];
const CHOICES = FLAGS.flatMap((one) =>
  FLAGS.flatMap((two) =>
    FLAGS.flatMap((three) => FLAGS.flatMap((four) => FLAGS.map((five) => [one, two, three, four, five] as const)))
  )
);

/** The table of the contract: what is answered, by action, session and the rest of the facts. */
function expected(facts: OptionsFacts): string {
  const { action, session, hasNewUser, registersStrangers, confirms, hasMaxCredentials, upgrades } = facts;
  if (action === "authenticate") return "authenticate";
  if (action === "register") {
    if (session === "old" || (session === "none" && !registersStrangers)) return "SessionRequired";
    if (session === "none" && confirms) return "EmailRequired";
    if (hasMaxCredentials) return "TooManyPasskeys";
    return session === "recent" || hasNewUser ? "register" : "Invalid request";
  }
  if (action === "upgrade" && upgrades) {
    if (session !== "recent") return "SessionRequired";
    return hasMaxCredentials ? "TooManyPasskeys" : "upgrade";
  }
  if (action === "list") return session === "none" ? "SessionRequired" : "list";
  if (action !== null) return "Invalid action";
  return session === "none" ? "authenticate" : "Invalid request";
}

for (const action of ACTIONS) {
  for (const session of SESSIONS) {
    for (const [hasNewUser, registersStrangers, confirms, hasMaxCredentials, upgrades] of CHOICES) {
      const facts = { action, session, hasNewUser, registersStrangers, confirms, hasMaxCredentials, upgrades };
      test(`decideOptions() answers ${expected(facts)} to ${JSON.stringify(facts)}`, () => {
        const decision = decideOptions(facts);
        assert.equal(decision.act === "refuse" ? decision.error : decision.act, expected(facts));
      });
    }
  }
}
