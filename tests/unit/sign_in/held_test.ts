import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan } from "../../../src/contract/adapter.ts";
import type { AdapterUser } from "../../../src/kernel/model.ts";
import { firstProof, goingOn } from "../../../src/sign_in/held.ts";
import type { AcceptedDecision, PlannedSignIn } from "../../../src/sign_in/plan.ts";

const ada: AdapterUser = { id: "ada", email: "ada@example.com", emailVerified: null };

/** What no sign-in writes, or what is added to it later. */
type NotPlanned = "consume" | "createSession" | "deleteSession" | "records" | "unlinkAccount" | "deleteAuthenticator";

/** A plan with everything that a sign-in can write. */
const WHOLE: Required<Omit<Plan, NotPlanned>> = {
  expect: { user: { id: "ada" } },
  createUser: ada,
  updateUser: { id: "ada", emailVerified: new Date(0) },
  evict: { userId: "ada", email: "ada@example.com" },
  linkAccount: { userId: "ada", provider: "github", providerAccountId: "1", type: "oauth" },
  updateAccount: { provider: "github", providerAccountId: "1" },
  createAuthenticator: {
    userId: "ada",
    credentialID: "1",
    providerAccountId: "1",
    credentialPublicKey: "key",
    counter: 0,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: false,
  },
  updateCounter: { credentialID: "1", counter: 1 },
} as Required<Omit<Plan, NotPlanned>>;

type Act = AcceptedDecision["act"];
type Written = readonly (keyof typeof WHOLE)[];

const REST: Written = [
  "createAuthenticator",
  "createUser",
  "expect",
  "linkAccount",
  "updateAccount",
  "updateCounter",
  "updateUser",
];

const EVERYTHING: readonly [evicts: Written, otherwise: Written] = [[...REST, "evict"].toSorted() as Written, REST];

/** What is written before the second proof, for each decision, with and without a first proof of the address. */
const WRITTEN: { readonly [A in Act]: readonly [evicts: Written, otherwise: Written] } = {
  create: EVERYTHING,
  resume: EVERYTHING,
  verify: [["evict", "expect", "updateUser"], ["expect"]],
  link: [["evict", "expect", "updateUser"], ["expect"]],
  enter: [["expect", "updateCounter"], ["expect", "updateCounter"]],
  linkToCurrent: [["expect", "updateCounter"], ["expect", "updateCounter"]],
  reassignEmail: [["expect", "updateCounter"], ["expect", "updateCounter"]],
};

function planned(plan: Plan): PlannedSignIn {
  return { plan, user: ada, updated: ada, isNewUser: false, keepsSession: false, provenEmail: null };
}

for (const [act, written] of Object.entries(WRITTEN)) {
  for (const [at, names] of written.entries()) {
    const { evict, ...rest } = WHOLE;
    const plan = at === 0 ? { ...rest, evict } : rest;
    test(`firstProof() writes ${names.join(", ")} where the decision is ${act}${at === 0 ? " and evicts" : ""}`, () => {
      const first = firstProof({ act, user: ada } as unknown as AcceptedDecision, planned(plan));
      assert.deepEqual(Object.keys(first.plan).toSorted(), names);
      assert.equal(first.updated, act === "verify" ? ada : null);
    });
  }
}

test("goingOn() expects the version that was found, and removes it, beside all else", () => {
  const key = { kind: "pending", id: "1", version: 7 };
  const { plan } = goingOn(planned(WHOLE), { key });
  assert.deepEqual(plan, { ...WHOLE, expect: { ...WHOLE.expect, records: [key] }, records: { remove: [key] } });
});
