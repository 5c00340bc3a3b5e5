import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdapterUser } from "../../../src/kernel/model.ts";
import type { ActiveSession } from "../../../src/session_stores/session_store.ts";
import { type ActFacts, ACTS, type DangerousAct, judgeAct } from "../../../src/sign_in/dangerous.ts";
import { START, testRuntime } from "../../_support/runtime.ts";

const NOW = START / 1000;

const user: AdapterUser = { id: "ada", email: "ada@example.com", emailVerified: null };

/** Seconds since the sign-in; "unknown" where the session does not say it. The token is always new. */
const AGES = [0, 599, 600, 601, 86_400, -60, -61, "unknown"] as const;

/** What a session says of its sign-in, by the strategy. */
function sessionOf(strategy: "jwt" | "database", age: (typeof AGES)[number], level: 1 | 2): ActiveSession {
  const members = {
    ...(age !== "unknown" && { auth_time: NOW - age }),
    ...(level === 2 && { auth_methods: "mfa pwd" }),
  };
  if (strategy === "jwt") return { strategy, claims: { sub: user.id, iat: NOW, ...members } };
  const session = { sessionToken: "1", userId: user.id, expires: new Date(START + 60_000), ...members };
  return { strategy, session, user, signedIn: null, isSinceProof: true };
}

/** The rule, in other words than the source has. */
function expected(
  freshSignIn: boolean,
  { act, moment, level: demanded }: Pick<ActFacts, "act" | "moment" | "level">,
  { strategy, age, level }: { readonly strategy: string; readonly age: (typeof AGES)[number]; readonly level: 1 | 2 },
): string {
  if (act === "seeAccount" || act === "renameAccount" || act === "keepAccount") return "allowed";
  if (!isRecentEnough()) return "stale";
  const isAnyLevel = act === "undoFactor" || act === "useRecoveryCode";
  return demanded === 2 && level === 1 && !isAnyLevel ? "too-low" : "allowed";

  function isRecentEnough(): boolean {
    const isRecent = typeof age === "number" && age >= -60 && age <= 600;
    const isOfFactors = act !== "addAccount" && act !== "addPasskey" && act !== "useRecoveryCode";
    if (freshSignIn || isOfFactors) return isRecent;
    if (act !== "addPasskey" || moment === "done") return true;
    return isRecent || (age === "unknown" && strategy === "jwt");
  }
}

test("judgeAct() follows the table for every act, moment, option, strategy, age, level and demanded level", () => {
  for (const act of Object.keys(ACTS) as DangerousAct[]) {
    for (const moment of ["begun", "done"] as const) {
      for (const freshSignIn of [true, false]) {
        for (const strategy of ["jwt", "database"] as const) {
          for (const age of AGES) {
            for (const [level, demanded] of [[1, 1], [1, 2], [2, 1], [2, 2]] as const) {
              const config = { freshSignIn, runtime: testRuntime() };
              const facts = { act, moment, user, active: sessionOf(strategy, age, level), level: demanded };
              const about = JSON.stringify({ act, moment, freshSignIn, strategy, age, level, demanded });
              assert.equal(judgeAct(config, facts), expected(freshSignIn, facts, { strategy, age, level }), about);
            }
          }
        }
      }
    }
  }
});

test("judgeAct() refuses a session that is older than the proof of the address, fresh or not", () => {
  for (const freshSignIn of [true, false]) {
    const active: ActiveSession = { ...sessionOf("database", 0, 1), isSinceProof: false } as ActiveSession;
    const config = { freshSignIn, runtime: testRuntime() };
    assert.equal(judgeAct(config, { act: "addPasskey", moment: "begun", user, active, level: 1 }), "not-theirs");
    const verified = { ...user, securityStamp: "other" };
    const sealed = sessionOf("jwt", 0, 1);
    assert.equal(
      judgeAct(config, { act: "addAccount", moment: "done", user: verified, active: sealed, level: 1 }),
      "not-theirs",
    );
  }
});
