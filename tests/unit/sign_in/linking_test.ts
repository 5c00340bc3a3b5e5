import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdapterUser, Authenticator, User } from "../../../src/kernel/model.ts";
import type { StoredPassword } from "../../../src/passwords/stored.ts";
import type { SignInAttempt, WebAuthnProof } from "../../../src/sign_in/attempt.ts";
import { decide, type Facts } from "../../../src/sign_in/linking.ts";
import { vouchingFor } from "../../../src/sign_in/vouching.ts";
import { witness } from "./_witness.ts";

const ada: AdapterUser = { id: "ada", email: "ada@example.com", emailVerified: new Date(0) };
const bob: AdapterUser = { id: "bob", email: "bob@example.com", emailVerified: new Date(0) };
const unverified: AdapterUser = { id: "unverified", email: "match@example.com", emailVerified: null };
const verified: AdapterUser = { ...unverified, id: "verified", emailVerified: new Date(0) };
const confirmed: AdapterUser = { ...unverified, id: "confirmed", vouchedEmail: unverified.email };

const SECRET: StoredPassword = { userId: "ada", hash: "", email: null, setAt: null, revision: "1", version: 1 };

/** Everything that a decision depends on. */
const DOMAIN = {
  method: ["oauth", "email", "credentials", "password", "authenticate", "register", "register, signed in"],
  current: ["-", "ada", "ada, stale"],
  byAccount: ["-", "ada", "bob"],
  byEmail: ["-", "verified", "confirmed", "unverified"],
  held: ["unverified", "otherwise"],
  unfinished: ["-", "unverified"],
  /** A passkey or a password. A password that has changed, or does not count, is none. */
  credential: ["unchanged", "changed", "one too many"],
  emailLinking: ["off", "on"],
  emailVerified: ["true", "false", "absent"],
  /** Letters of any script can be stored and written to, and look like others. */
  address: ["valid", "invalid", "of other letters"],
} as const;

type Name = keyof typeof DOMAIN;
type Case = { readonly [N in Name]: (typeof DOMAIN)[N][number] };
/** The values that a rule is about: one, several, or all if it does not name any. */
type Rule = { readonly [N in Name]?: Case[N] | readonly Case[N][] };

const SOMEBODY = ["verified", "confirmed", "unverified"] as const;
const valid = { address: "valid" } as const;
const oauth = { method: "oauth" } as const;
/** A sign-in with a provider whose account nobody has. */
const unknown = { ...oauth, current: "-", byAccount: "-", unfinished: "-" } as const;

const RULES: readonly (readonly [rule: Rule, decision: string])[] = [
  [{ method: "email", byEmail: "-" }, "create"],
  [{ method: "email", byEmail: "verified" }, "enter verified"],
  [{ method: "email", byEmail: "unverified" }, "verify unverified, revoke"],
  [{ method: "email", byEmail: "confirmed" }, "verify confirmed"],

  [{ method: "credentials", byAccount: "ada" }, "enter ada"],
  [{ method: "credentials", byAccount: "bob" }, "enter bob"],
  [{ method: "credentials", byAccount: "-", byEmail: "-" }, "create"],
  [{ method: "credentials", byAccount: "-", byEmail: SOMEBODY }, "refuse"],

  [{ method: "password", credential: "unchanged", byAccount: "ada" }, "enter ada"],
  [{ method: "password", credential: "unchanged", byAccount: "bob" }, "enter bob"],
  [{ method: "password", credential: "unchanged", byAccount: "-" }, "refuse"],
  [{ method: "password", credential: ["changed", "one too many"] }, "refuse"],

  [{ ...oauth, current: "ada", byAccount: "-" }, "linkToCurrent ada"],
  [{ ...oauth, current: "ada, stale", byAccount: "-" }, "refuse, sign in again"],
  [{ ...oauth, current: ["ada", "ada, stale"], byAccount: "ada" }, "enter ada"],
  [{ ...oauth, current: ["ada", "ada, stale"], byAccount: "bob" }, "refuse"],
  [{ ...oauth, current: "-", byAccount: "ada" }, "enter ada"],
  [{ ...oauth, current: "-", byAccount: "bob" }, "enter bob"],
  [{ ...oauth, current: "-", byAccount: "-", unfinished: "unverified" }, "resume unverified"],

  [{ ...unknown, byEmail: "-" }, "create"],
  [{ ...unknown, byEmail: SOMEBODY, emailVerified: "false" }, "refuse"],
  [
    { ...unknown, byEmail: SOMEBODY, emailVerified: ["true", "absent"], address: ["invalid", "of other letters"] },
    "refuse",
  ],
  [{ ...unknown, ...valid, byEmail: SOMEBODY, emailLinking: "off", emailVerified: "absent" }, "refuse"],
  [
    { ...unknown, ...valid, byEmail: SOMEBODY, emailLinking: "off", emailVerified: "true", held: "otherwise" },
    "refuse",
  ],
  [
    { ...unknown, ...valid, byEmail: "verified", emailLinking: "off", emailVerified: "true", held: "unverified" },
    "reassignEmail verified",
  ],
  [
    { ...unknown, ...valid, byEmail: "confirmed", emailLinking: "off", emailVerified: "true", held: "unverified" },
    "reassignEmail confirmed",
  ],
  [
    { ...unknown, ...valid, byEmail: "unverified", emailLinking: "off", emailVerified: "true", held: "unverified" },
    "reassignEmail unverified",
  ],
  [
    { ...unknown, byEmail: "verified", emailLinking: "on", emailVerified: ["true", "absent"], address: "valid" },
    "link verified",
  ],
  [
    { ...unknown, byEmail: "confirmed", emailLinking: "on", emailVerified: ["true", "absent"], address: "valid" },
    "link confirmed",
  ],
  [
    { ...unknown, byEmail: "unverified", emailLinking: "on", emailVerified: ["true", "absent"], address: "valid" },
    "link unverified, revoke",
  ],

  [{ method: "authenticate", credential: ["changed", "one too many"] }, "refuse"],
  [{ method: "authenticate", credential: "unchanged", byAccount: "-" }, "refuse"],
  [{ method: "authenticate", credential: "unchanged", byAccount: "ada" }, "enter ada"],
  [{ method: "authenticate", credential: "unchanged", byAccount: "bob" }, "enter bob"],

  [{ method: ["register", "register, signed in"], credential: ["changed", "one too many"] }, "refuse"],
  [{ method: ["register", "register, signed in"], credential: "unchanged", byAccount: ["ada", "bob"] }, "refuse"],
  [{ method: "register", credential: "unchanged", byAccount: "-", byEmail: SOMEBODY }, "refuse"],
  [{ method: "register", credential: "unchanged", byAccount: "-", byEmail: "-" }, "create"],
  [{ method: "register, signed in", credential: "unchanged", byAccount: "-", current: "-" }, "refuse"],
  [{ method: "register, signed in", credential: "unchanged", byAccount: "-", current: "ada" }, "linkToCurrent ada"],
  [
    { method: "register, signed in", credential: "unchanged", byAccount: "-", current: "ada, stale" },
    "refuse, sign in again",
  ],
];

function everyCase(): Case[] {
  const names = Object.keys(DOMAIN) as Name[];
  return names.reduce<Record<string, string>[]>(
    (cases, name) => cases.flatMap((some) => DOMAIN[name].map((value) => ({ ...some, [name]: value }))),
    [{}],
  ) as unknown as Case[];
}

function fits(rule: Rule, found: Case): boolean {
  return (Object.keys(rule) as Name[]).every((name) => ([rule[name]].flat() as string[]).includes(found[name]));
}

const PEOPLE: Readonly<Record<string, AdapterUser | null>> = { ada, bob, verified, confirmed, unverified, "-": null };

function someone(name: string): AdapterUser | null {
  return PEOPLE[name] ?? null;
}

function factsOf({ current, byAccount, byEmail, held, unfinished, credential }: Case): Facts {
  return {
    credentialsAccount: null,
    isIdTaken: false,
    isHeldUnverified: held === "unverified",
    isMarkedByAccount: false,
    hasMaxCredentials: credential === "one too many",
    current: current === "-" ? null : { user: ada, sessionToken: null, isStale: current === "ada, stale" },
    byAccount: someone(byAccount),
    byEmail: someone(byEmail),
    unfinished: someone(unfinished),
    credentialChanged: credential === "changed",
    password: credential === "unchanged" ? SECRET : null,
  };
}

const ADDRESSES: Readonly<Record<Case["address"], string>> = {
  valid: "match@example.com",
  invalid: "match@example.com,x@example.com",
  "of other letters": "m\u00e4tch@example.com",
};

function attemptOf({ method, emailLinking, emailVerified: said, address }: Case): SignInAttempt {
  const user = { id: "new", email: ADDRESSES[address] };
  const account = { provider: "idp", providerAccountId: "1" };
  switch (method) {
    case "oauth": {
      const claims = { email: user.email, ...(said !== "absent" && { email_verified: said }) };
      const provider = witness({ allowDangerousEmailAccountLinking: emailLinking === "on" });
      const linking = { addToUserId: null, storedTokens: {}, ...vouchingFor(provider, claims, user.email) };
      return { method, user, account: { ...account, type: "oidc" }, profile: {}, linking };
    }
    case "email":
      return { method, user, account: { ...account, type: "email" }, token: { identifier: user.email, hashes: [] } };
    case "credentials":
      return { method, user, account: { ...account, type: "credentials" }, credentials: {}, hasPassword: true };
    case "password":
      return { method, user, account: { ...account, type: "credentials" }, revision: "1" };
    case "authenticate":
      return passkey(user, { act: "authenticate", credentialID: "1", storedCounter: 1, newCounter: 2 });
    case "register":
      return passkey(user, { act: "register", authenticator, label, addToUserId: null, maxCredentials: 100 });
    case "register, signed in":
      return passkey(user, { act: "register", authenticator, label, addToUserId: "ada", maxCredentials: 100 });
  }
}

const label = { id: "1", aaguid: "00000000-0000-0000-0000-000000000000" };
const authenticator: Authenticator = {
  credentialID: "1",
  credentialPublicKey: "",
  counter: 0,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false,
  providerAccountId: "1",
};

function passkey(user: User, proof: WebAuthnProof): SignInAttempt {
  return {
    method: "webauthn",
    userVerified: true,
    deviceType: "singleDevice",
    user,
    account: { provider: "passkey", providerAccountId: "1", type: "webauthn" },
    proof,
  };
}

function wordsOf(decision: ReturnType<typeof decide>): string {
  const { act } = decision;
  if (act === "reassignEmail") return `reassignEmail ${decision.from.id}`;
  if (act === "refuse") return decision.isStale ? "refuse, sign in again" : act;
  const revoke = (act === "link" || act === "verify") && decision.revoke ? ", revoke" : "";
  return act === "create" ? act : `${act} ${decision.user.id}${revoke}`;
}

test("decide() follows exactly one rule for every combination of facts", () => {
  const cases = everyCase();
  assert.equal(cases.length, 7 * 3 * 3 * 4 * 2 * 2 * 3 * 2 * 3 * 3);
  for (const found of cases) {
    const rules = RULES.filter(([rule]) => fits(rule, found));
    assert.equal(rules.length, 1, `exactly one rule for ${JSON.stringify(found)}`);
    assert.equal(wordsOf(decide(attemptOf(found), factsOf(found))), rules[0]?.[1], JSON.stringify(found));
  }
});

test("decide() needs every rule", () => {
  const cases = everyCase();
  assert.deepEqual(RULES.filter(([rule]) => !cases.some((found) => fits(rule, found))), []);
});
