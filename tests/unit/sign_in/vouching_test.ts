import assert from "node:assert/strict";
import { test } from "node:test";
import { type Claims, type Vouching, vouchingFor, type Witness } from "../../../src/sign_in/vouching.ts";
import { witness } from "./_witness.ts";

const ADDRESS = "ada@example.com";

/** Everything that the decision depends on. */
const DOMAIN = {
  vouches: ["yes", "no", "own domain"],
  /** What `ownDomains` says of the domain of the address. */
  domain: ["by name", "by claim", "another"],
  tenancy: ["-", "one", "many"],
  email_verified: ["true", "false", "absent"],
  xms_edov: ["true", "false", "absent"],
  /** The claim `email`, compared with the address that `profile` returned. */
  claim: ["same", "another", "absent"],
  option: ["on", "off"],
} as const;

type Name = keyof typeof DOMAIN;
type Case = { readonly [N in Name]: (typeof DOMAIN)[N][number] };
type Rule = { readonly [N in Name]?: Case[N] | readonly Case[N][] };

/** What the rules come to: the first that fits decides. */
const RULES: readonly (readonly [rule: Rule, word: "proven" | "silent" | "refused"])[] = [
  // Whoever says no means it.
  [{ xms_edov: "false" }, "refused"],
  // Anybody runs one of many tenants, and only the word of Microsoft counts.
  [{ tenancy: "many", xms_edov: "absent" }, "refused"],
  [{ vouches: "own domain", domain: "another" }, "refused"],
  // Microsoft's word is about the address, whatever else is said.
  [{ tenancy: ["one", "many"], xms_edov: "true", claim: "another" }, "refused"],
  [{ tenancy: ["one", "many"], xms_edov: "true", claim: "absent" }, "silent"],
  [{ tenancy: ["one", "many"], xms_edov: "true", vouches: "no" }, "silent"],
  [{ tenancy: ["one", "many"], xms_edov: "true" }, "proven"],
  [{ email_verified: "false" }, "refused"],
  [{ email_verified: "absent" }, "silent"],
  [{ claim: "another" }, "refused"],
  [{ claim: "absent" }, "silent"],
  [{ vouches: "no" }, "silent"],
  [{}, "proven"],
];

function everyCase(): Case[] {
  return (Object.keys(DOMAIN) as Name[]).reduce<Record<string, string>[]>(
    (cases, name) => cases.flatMap((some) => DOMAIN[name].map((value) => ({ ...some, [name]: value }))),
    [{}],
  ) as unknown as Case[];
}

function fits(rule: Rule, found: Case): boolean {
  return (Object.keys(rule) as Name[]).every((name) => ([rule[name]].flat() as string[]).includes(found[name]));
}

function providerOf({ vouches, domain, tenancy, option }: Case): Witness {
  return witness({
    vouches,
    ownDomains: { names: domain === "by name" ? ["other.example", "example.com"] : ["other.example"], claim: "hd" },
    tenancy: tenancy === "-" ? null : tenancy,
    allowDangerousEmailAccountLinking: option === "on",
  });
}

function claimsOf({ domain, email_verified, xms_edov, claim }: Case): Claims {
  return {
    ...(domain === "by claim" && { hd: "example.com" }),
    ...(email_verified !== "absent" && { email_verified: email_verified === "true" }),
    ...(xms_edov !== "absent" && { xms_edov: xms_edov === "true" }),
    ...(claim !== "absent" && { email: claim === "same" ? ADDRESS : "mallory@example.com" }),
  };
}

test("vouchingFor() comes to what its rules say, for every combination", () => {
  const cases = everyCase();
  assert.equal(cases.length, 3 * 3 * 3 * 3 * 3 * 3 * 2);
  for (const found of cases) {
    const word = RULES.find(([rule]) => fits(rule, found))?.[1];
    const { vouches, mayLink } = vouchingFor(providerOf(found), claimsOf(found), ADDRESS);
    const expected = { vouches: word === "proven", mayLink: found.option === "on" && word !== "refused" };
    assert.deepEqual({ vouches, mayLink }, expected, JSON.stringify(found));
  }
});

test("vouchingFor() needs every rule", () => {
  const firsts = new Set(everyCase().map((found) => RULES.findIndex(([rule]) => fits(rule, found))));
  assert.deepEqual(firsts.size, RULES.length);
});

test("nothing else can say that somebody has an address", () => {
  // @ts-expect-error: only `vouchingFor` makes one
  const forged: Vouching = { vouches: true, mayLink: true };
  assert.ok(forged);
});

const LINKING = witness({ allowDangerousEmailAccountLinking: true });

test("a claim that is anything but a clear yes is a no, and only what is absent says nothing", () => {
  for (const told of [false, "false", 0, 1, "1", "TRUE", "yes", "", {}, [], [true]]) {
    const { vouches, mayLink } = vouchingFor(LINKING, { email: ADDRESS, email_verified: told }, ADDRESS);
    assert.deepEqual([vouches, mayLink], [false, false], JSON.stringify(told));
  }
  for (const told of [undefined, null]) {
    const { vouches, mayLink } = vouchingFor(LINKING, { email: ADDRESS, email_verified: told }, ADDRESS);
    assert.deepEqual([vouches, mayLink], [false, true]);
  }
  assert.equal(vouchingFor(LINKING, { email: ADDRESS, email_verified: "true" }, ADDRESS).vouches, true);
});

test("xms_edov is a boolean, a number or text, and counts at Microsoft only", () => {
  const one: Witness = { ...LINKING, tenancy: "one" };
  for (const told of [true, "true", 1, "1"]) {
    assert.equal(vouchingFor(one, { email: ADDRESS, xms_edov: told }, ADDRESS).vouches, true, String(told));
    assert.equal(vouchingFor(LINKING, { email: ADDRESS, xms_edov: told }, ADDRESS).vouches, false);
  }
  for (const told of [false, "false", 0, "0", "", 2, [], {}]) {
    for (const provider of [one, LINKING]) {
      const claims = { email: ADDRESS, email_verified: true, xms_edov: told };
      const { vouches, mayLink } = vouchingFor(provider, claims, ADDRESS);
      assert.deepEqual([vouches, mayLink], [false, false], JSON.stringify(told));
    }
  }
});

test("addresses are compared in the spelling in which they are stored", () => {
  const same = [["Ada@Example.COM", ADDRESS], ["ada@xn--bcher-kva.example", "ada@bücher.example"]];
  for (const [claim, email] of same) {
    assert.equal(vouchingFor(LINKING, { email: claim, email_verified: true }, email).vouches, true, claim);
  }
  // A Kelvin sign, a full-width letter, another mailbox, and what is no address or more than one.
  const others = [
    "Ada@example.com\u0000",
    "\uFF21da@example.com",
    "ada@example.com.evil.test",
    "ada+x@example.com",
    "ada@example.com,mallory@evil.test",
    "",
    7,
    {},
    [ADDRESS],
  ];
  for (const email of others) {
    const { vouches, mayLink } = vouchingFor(LINKING, { email, email_verified: true }, ADDRESS);
    assert.deepEqual([vouches, mayLink], [false, false], JSON.stringify(email));
  }
});

test("without an address there is nothing to vouch for", () => {
  for (const email of [null, undefined, "", "nobody", "ada@example.com,mallory@evil.test", 7]) {
    const { vouches, mayLink } = vouchingFor(LINKING, { email, email_verified: true }, email);
    assert.deepEqual([vouches, mayLink], [false, false]);
  }
});

test("an address that a mail program could take for another is proven, and links to nobody", () => {
  const email = "jörg@example.com";
  const { vouches, mayLink } = vouchingFor(LINKING, { email, email_verified: true }, email);
  assert.deepEqual([vouches, mayLink], [true, false]);
});

test("a domain is one's own if it is the whole of it, in any spelling", () => {
  const google = witness({ vouches: "own domain", ownDomains: { names: ["gmail.com"], claim: "hd" } });
  const vouchesFor = (email: string, hd?: unknown) => {
    return vouchingFor(google, { email, email_verified: true, hd }, email).vouches;
  };
  for (const email of ["ada@gmail.com", "Ada@GMail.com"]) assert.equal(vouchesFor(email), true, email);
  for (const email of ["ada@gmail.com.evil.test", "ada@evilgmail.com", "ada@x.gmail.com", "gmail.com@evil.test"]) {
    assert.equal(vouchesFor(email), false, email);
    assert.equal(vouchesFor(email, "gmail.com"), false, email);
  }
  for (const hd of ["example.com", "Example.COM"]) assert.equal(vouchesFor("ada@example.com", hd), true, hd);
  assert.equal(vouchesFor("ada@bücher.example", "xn--bcher-kva.example"), true);
  for (
    const hd of ["", "com", "ample.com", "other.example", "@example.com", "a@example.com", ["example.com"], true, {}]
  ) {
    assert.equal(vouchesFor("ada@example.com", hd), false, JSON.stringify(hd));
  }
});
