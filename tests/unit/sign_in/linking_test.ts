import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdapterUser, Authenticator, User } from "../../../src/kernel/model.ts";
import type { SignInAttempt, WebAuthnProof } from "../../../src/sign_in/attempt.ts";
import { decide, type Facts } from "../../../src/sign_in/linking.ts";

const ada: AdapterUser = { id: "ada", email: "ada@example.com", emailVerified: new Date(0) };
const bob: AdapterUser = { id: "bob", email: "bob@example.com", emailVerified: new Date(0) };
const unproven: AdapterUser = { id: "unproven", email: "match@example.com", emailVerified: null };
const proven: AdapterUser = { ...unproven, id: "proven", emailVerified: new Date(0) };
const vouched: AdapterUser = { ...unproven, id: "vouched", vouchedEmail: unproven.email };

/** Everything a decision can depend on, by name. */
const DOMAIN = {
  method: ["oauth", "email", "credentials", "authenticate", "register", "register, signed in"],
  current: ["-", "ada"],
  byAccount: ["-", "ada", "bob"],
  byEmail: ["-", "proven", "vouched", "unproven"],
  held: ["unproven", "otherwise"],
  unfinished: ["-", "unproven"],
  outdated: ["no", "yes", "full"],
  option: ["off", "on"],
  told: ["true", "false", "nothing"],
  address: ["mailbox", "none"],
} as const;

type Name = keyof typeof DOMAIN;
type Case = { readonly [N in Name]: (typeof DOMAIN)[N][number] };
/** What a rule is about: one value, several, or all where it says nothing. */
type Rule = { readonly [N in Name]?: Case[N] | readonly Case[N][] };

const SOMEBODY = ["proven", "vouched", "unproven"] as const;
const mailbox = { address: "mailbox" } as const;
const oauth = { method: "oauth" } as const;
/** Somebody comes by way of a provider, and no account says who it is. */
const unknown = { ...oauth, current: "-", byAccount: "-", unfinished: "-" } as const;

const RULES: readonly (readonly [rule: Rule, decision: string])[] = [
  [{ method: "email", byEmail: "-" }, "create"],
  [{ method: "email", byEmail: "proven" }, "enter proven"],
  [{ method: "email", byEmail: "unproven" }, "verify unproven, revoke"],
  [{ method: "email", byEmail: "vouched" }, "verify vouched"],

  [{ method: "credentials", byAccount: "ada" }, "enter ada"],
  [{ method: "credentials", byAccount: "bob" }, "enter bob"],
  [{ method: "credentials", byAccount: "-", byEmail: "-" }, "create"],
  [{ method: "credentials", byAccount: "-", byEmail: SOMEBODY }, "refuse"],

  [{ ...oauth, current: "ada", byAccount: "-" }, "add ada"],
  [{ ...oauth, current: "ada", byAccount: "ada" }, "enter ada"],
  [{ ...oauth, current: "ada", byAccount: "bob" }, "refuse"],
  [{ ...oauth, current: "-", byAccount: "ada" }, "enter ada"],
  [{ ...oauth, current: "-", byAccount: "bob" }, "enter bob"],
  [{ ...oauth, current: "-", byAccount: "-", unfinished: "unproven" }, "resume unproven"],

  [{ ...unknown, byEmail: "-" }, "create"],
  [{ ...unknown, byEmail: SOMEBODY, told: "false" }, "refuse"],
  [{ ...unknown, byEmail: SOMEBODY, told: ["true", "nothing"], address: "none" }, "refuse"],
  [{ ...unknown, ...mailbox, byEmail: SOMEBODY, option: "off", told: "nothing" }, "refuse"],
  [{ ...unknown, ...mailbox, byEmail: SOMEBODY, option: "off", told: "true", held: "otherwise" }, "refuse"],
  [{ ...unknown, ...mailbox, byEmail: "proven", option: "off", told: "true", held: "unproven" }, "displace proven"],
  [{ ...unknown, ...mailbox, byEmail: "vouched", option: "off", told: "true", held: "unproven" }, "displace vouched"],
  [{ ...unknown, ...mailbox, byEmail: "unproven", option: "off", told: "true", held: "unproven" }, "displace unproven"],
  [{ ...unknown, byEmail: "proven", option: "on", told: ["true", "nothing"], address: "mailbox" }, "link proven"],
  [{ ...unknown, byEmail: "vouched", option: "on", told: ["true", "nothing"], address: "mailbox" }, "link vouched"],
  [
    { ...unknown, byEmail: "unproven", option: "on", told: ["true", "nothing"], address: "mailbox" },
    "link unproven, revoke",
  ],

  [{ method: "authenticate", outdated: ["yes", "full"] }, "refuse"],
  [{ method: "authenticate", outdated: "no", byAccount: "-" }, "refuse"],
  [{ method: "authenticate", outdated: "no", byAccount: "ada" }, "enter ada"],
  [{ method: "authenticate", outdated: "no", byAccount: "bob" }, "enter bob"],

  [{ method: ["register", "register, signed in"], outdated: ["yes", "full"] }, "refuse"],
  [{ method: ["register", "register, signed in"], outdated: "no", byAccount: ["ada", "bob"] }, "refuse"],
  [{ method: "register", outdated: "no", byAccount: "-", byEmail: SOMEBODY }, "refuse"],
  [{ method: "register", outdated: "no", byAccount: "-", byEmail: "-" }, "create"],
  [{ method: "register, signed in", outdated: "no", byAccount: "-", current: "-" }, "refuse"],
  [{ method: "register, signed in", outdated: "no", byAccount: "-", current: "ada" }, "add ada"],
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

const PEOPLE: Readonly<Record<string, AdapterUser | null>> = { ada, bob, proven, vouched, unproven, "-": null };

function someone(name: string): AdapterUser | null {
  return PEOPLE[name] ?? null;
}

function factsOf({ current, byAccount, byEmail, held, unfinished, outdated }: Case): Facts {
  return {
    sessionToken: null,
    credentialsAccount: null,
    isHeldUnverified: held === "unproven",
    hasMaxCredentials: outdated === "full",
    current: someone(current),
    byAccount: someone(byAccount),
    byEmail: someone(byEmail),
    unfinished: someone(unfinished),
    credentialChanged: outdated === "yes",
  };
}

function attemptOf({ method, option, told, address }: Case): SignInAttempt {
  const user = { id: "new", email: address === "mailbox" ? "match@example.com" : "match@example.com,x@example.com" };
  const account = { provider: "idp", providerAccountId: "1" };
  switch (method) {
    case "oauth": {
      const emailVerified = told === "nothing" ? null : told === "true";
      const linking = { addToUserId: null, allowEmailLinking: option === "on", emailVerified, storedTokens: {} };
      return { method, user, account: { ...account, type: "oidc" }, profile: {}, linking };
    }
    case "email":
      return { method, user, account: { ...account, type: "email" }, token: { identifier: user.email, hashes: [] } };
    case "credentials":
      return { method, user, account: { ...account, type: "credentials" }, credentials: {} };
    case "authenticate":
      return passkey(user, { act: "authenticate", credentialID: "1", storedCounter: 1, newCounter: 2 });
    case "register":
      return passkey(user, { act: "register", authenticator, addToUserId: null, maxCredentials: 100 });
    case "register, signed in":
      return passkey(user, { act: "register", authenticator, addToUserId: "ada", maxCredentials: 100 });
  }
}

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
    user,
    account: { provider: "passkey", providerAccountId: "1", type: "webauthn" },
    proof,
  };
}

function wordsOf(decision: ReturnType<typeof decide>): string {
  const { act } = decision;
  if (act === "displace") return `displace ${decision.from.id}`;
  const revoke = (act === "link" || act === "verify") && decision.revoke ? ", revoke" : "";
  return act === "create" || act === "refuse" ? act : `${act} ${decision.user.id}${revoke}`;
}

test("decide() does what the one rule says that fits, whatever the facts", () => {
  const cases = everyCase();
  assert.equal(cases.length, 6 * 2 * 3 * 4 * 2 * 2 * 3 * 2 * 3 * 2);
  for (const found of cases) {
    const rules = RULES.filter(([rule]) => fits(rule, found));
    assert.equal(rules.length, 1, `one rule and no other is about ${JSON.stringify(found)}`);
    assert.equal(wordsOf(decide(attemptOf(found), factsOf(found))), rules[0]?.[1], JSON.stringify(found));
  }
});

test("decide() has a use for every rule", () => {
  const cases = everyCase();
  assert.deepEqual(RULES.filter(([rule]) => !cases.some((found) => fits(rule, found))), []);
});
