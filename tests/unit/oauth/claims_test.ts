import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import type { OidcProvider } from "../../../src/contract/provider.ts";
import { createIssuer, type Issuer, json } from "../../_support/issuer.ts";
import { type SignedIn, type Visit, visit } from "./_flow.ts";

/** A provider that gives the claims of `profile` and `email` at userinfo only (OpenID Connect Core, section 5.4). */
function strictIssuer(claims: object = { name: undefined, email: undefined }): Issuer {
  const issuer = createIssuer();
  issuer.claim({ ...claims });
  issuer.person({ name: "Ada", email: "ada@example.com", email_verified: true });
  return issuer;
}

async function signIn(issuer: Issuer, provider: Partial<OidcProvider> = {}): Promise<SignedIn> {
  return await visit(issuer, issuer.provider(provider)).signIn(issuer);
}

test("a person whose name and address are only at userinfo has them", async () => {
  const issuer = strictIssuer();
  const { user, profile } = await signIn(issuer);
  assert.deepEqual([user.name, user.email], ["Ada", "ada@example.com"]);
  assert.deepEqual([profile?.sub, profile?.email_verified, profile?.iss], ["ada-1", true, issuer.url]);
  assert.equal(issuer.count("userinfo"), 1);
});

test("an id_token that has what was requested is enough", async () => {
  const issuer = createIssuer();
  await signIn(issuer);
  assert.equal(issuer.count("userinfo"), 0);
});

const REQUESTED: readonly (readonly [scope: string, claims: object, asked: boolean])[] = [
  ["openid", {}, false],
  ["openid offline_access", {}, false],
  ["openid profile", { name: "Ada" }, false],
  ["openid profile", { email: "ada@example.com" }, true],
  ["openid email", { email: "ada@example.com" }, false],
  ["openid email", { name: "Ada" }, true],
  ["openid profile email", { name: "Ada" }, true],
  ["openid profile email", { name: null, email: "ada@example.com" }, true],
  ["openid profile email", { name: "", email: "ada@example.com" }, true],
  ["openid phone", {}, true],
  ["openid phone", { phone_number: "+1" }, false],
  ["openid address", {}, true],
  ["openid constructor toString", {}, false],
];

for (const [scope, claims, asked] of REQUESTED) {
  test(`for the scope ${scope} an id_token with ${JSON.stringify(claims)} is ${asked ? "not " : ""}enough`, async () => {
    const given = [
      [{ authorization: { params: { scope } } }, {}],
      [{ authorization: `https://idp.test/authorize?scope=${encodeURIComponent(scope)}` }, {}],
      [{}, { scope }],
    ] as const;
    for (const [provider, params] of given) {
      const issuer = strictIssuer({ name: undefined, email: undefined, ...claims });
      const browser: Visit = visit(issuer, issuer.provider(provider));
      await browser.finish((await issuer.consent(await browser.start(params))).params);
      assert.equal(issuer.count("userinfo"), asked ? 1 : 0, JSON.stringify([provider, params]));
    }
  });
}

test("`idToken` decides where the profile is read", async () => {
  const only = strictIssuer();
  assert.equal((await signIn(only, { idToken: true })).user.name, undefined);
  assert.equal(only.count("userinfo"), 0);
  const other = strictIssuer({ name: "Signed" });
  assert.equal((await signIn(other, { idToken: false })).user.name, "Ada");
});

test("userinfo about somebody else, or about nobody, is refused", async () => {
  for (const sub of ["ada-2", "", undefined, null, 1, ["ada-1"]]) {
    const issuer = strictIssuer();
    issuer.person({ sub });
    await assert.rejects(() => signIn(issuer), OAuthProviderError);
  }
});

test("claims of the id_token win over those of userinfo", async () => {
  const issuer = strictIssuer({ name: "Signed", email: undefined, groups: ["a"] });
  issuer.person({ name: "Unsigned", groups: ["admin"], iss: "https://evil.test", aud: "x", hd: "example.com" });
  const { user, profile } = await signIn(issuer);
  assert.deepEqual([user.name, user.email], ["Signed", "ada@example.com"]);
  assert.deepEqual([profile?.groups, profile?.iss, profile?.hd], [["a"], issuer.url, "example.com"]);
});

const VERIFIED:
  readonly (readonly [what: string, claims: object, person: object, email: unknown, verified: unknown])[] = [
    ["userinfo, which verifies it", {}, { email: "a@x.test", email_verified: true }, "a@x.test", true],
    [
      "userinfo, and the id_token verifies none",
      { email_verified: true },
      { email: "a@x.test" },
      "a@x.test",
      undefined,
    ],
    [
      "userinfo, and the id_token verifies some",
      { email_verified: true },
      { email: "a@x.test", email_verified: false },
      "a@x.test",
      false,
    ],
    ["the id_token alone", { email: "b@x.test" }, { email: "a@x.test", email_verified: true }, "b@x.test", undefined],
    ["neither", {}, { email: undefined, email_verified: true }, undefined, true],
  ];

for (const [what, claims, person, email, verified] of VERIFIED) {
  test(`an address of ${what} is as verified as its source says`, async () => {
    const issuer = strictIssuer({ name: undefined, email: undefined, ...claims });
    issuer.person({ email_verified: undefined, ...person });
    const { profile } = await signIn(issuer);
    assert.deepEqual([profile?.email, profile?.email_verified], [email, verified]);
  });
}

test("a userinfo endpoint that refuses the access token for good does not end the sign-in", async () => {
  for (const status of [400, 401, 403, 404, 405]) {
    const issuer = strictIssuer();
    const warnings: string[] = [];
    const logger = {
      error: () => {},
      warn: (code: string, text = "") => void warnings.push(code, text),
      debug: () => {},
    };
    issuer.override("userinfo", () => json({ error: "invalid_token" }, status));
    const browser = visit(issuer, issuer.provider(), { logger });
    assert.equal((await browser.signIn(issuer)).account.providerAccountId, "ada-1");
    assert.equal(warnings[0], "userinfo-refused");
    assert.ok(warnings[1]?.includes(String(status)) && warnings[1].includes("`idToken`"));
  }
});

test("a userinfo endpoint that fails, or answers with something else, ends the sign-in: nobody is stored in halves", async () => {
  const answers: readonly (() => Response)[] = [
    () => json({}, 500),
    () => json({}, 429),
    () => json([]),
    () => new Response("<html>"),
    () => new Response(null, { status: 302, headers: { location: "/x" } }),
    () => {
      throw new TypeError("no network");
    },
  ];
  for (const answer of answers) {
    const issuer = strictIssuer();
    issuer.override("userinfo", answer);
    const browser = visit(issuer);
    await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
    assert.equal(browser.signedIn.length, 0);
  }
});

test("a provider without a userinfo endpoint, or with one that cannot be used, is not asked", async () => {
  for (const userinfo_endpoint of [undefined, null, "", "http://idp.test/userinfo"]) {
    const issuer = createIssuer({ metadata: { userinfo_endpoint } });
    issuer.claim({ name: undefined, email: undefined });
    await signIn(issuer);
    assert.equal(issuer.count("userinfo"), 0);
  }
});

test("a userinfo handler is asked for what is absent", async () => {
  const issuer = strictIssuer();
  let asked = 0;
  const userinfo = () => (asked++, { sub: "ada-1", name: "Handled" });
  assert.equal((await signIn(issuer, { userinfo })).user.name, "Handled");
  assert.deepEqual([asked, issuer.count("userinfo")], [1, 0]);
});

test("an access token that cannot stand in a header is not sent", async () => {
  const issuer = strictIssuer();
  issuer.grant({ access_token: "a\r\nb" });
  await signIn(issuer);
  assert.equal(issuer.count("userinfo"), 0);
});
