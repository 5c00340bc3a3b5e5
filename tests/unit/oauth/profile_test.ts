import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProfileParseError, OAuthProviderError } from "../../../src/kernel/errors.ts";
import { usableId } from "../../../src/oauth/profile.ts";
import type { OAuthProvider, UserinfoHandler } from "../../../src/contract/provider.ts";
import { CLIENT, createIssuer } from "../../_support/issuer.ts";
import { NOW, visit } from "./_flow.ts";

const IDS: readonly (readonly [id: unknown, usable: string | null])[] = [
  ["ada", "ada"],
  [" ada ", " ada "],
  ["0", "0"],
  [0, "0"],
  [42, "42"],
  [-1, "-1"],
  [9007199254740991, "9007199254740991"],
  [9007199254740992, null],
  [-9007199254740992, null],
  [1e300, null],
  ["false", "false"],
  ["__proto__", "__proto__"],
  ["", null],
  ["   ", null],
  ["\t\n", null],
  ["undefined", null],
  ["null", null],
  ["NaN", null],
  ["[object Object]", null],
  [" undefined ", null],
  [undefined, null],
  [null, null],
  [NaN, null],
  [Infinity, null],
  [true, null],
  [false, null],
  [{}, null],
  [[], null],
  [[1], null],
  [1n, null],
  [Symbol("x"), null],
  [() => "x", null],
  ["\ud800", null],
  ["a\udc00b", null],
  ["\ud83d\ude00", "\ud83d\ude00"],
];

for (const [id, usable] of IDS) {
  test(`usableId() makes ${JSON.stringify(usable)} of ${typeof id} ${String(typeof id === "object" ? JSON.stringify(id) : String(id)).trim()}`, () => {
    assert.equal(usableId(id), usable);
  });
}

test("profiles without a usable id are refused instead of sharing an account", async () => {
  for (const id of ["", null, "undefined", {}, [1], undefined, "null"]) {
    const issuer = createIssuer();
    issuer.override("userinfo", () => Response.json({ id, name: "Nobody" }));
    const browser = visit(issuer, issuer.oauthProvider({ profile: (profile) => ({ id: profile.id as string }) }));
    await assert.rejects(() => browser.signIn(issuer), OAuthProfileParseError, String(id));
    assert.equal(browser.signedIn.length, 0);
  }
});

test("the account id 0 becomes the text 0", async () => {
  const issuer = createIssuer();
  issuer.override("userinfo", () => Response.json({ id: 0 }));
  const { account } = await visit(issuer, issuer.oauthProvider()).signIn(issuer);
  assert.equal(account.providerAccountId, "0");
});

test("an empty userinfo response makes no user", async () => {
  const issuer = createIssuer();
  issuer.override("userinfo", () => Response.json({}));
  await assert.rejects(() => visit(issuer, issuer.oauthProvider()).signIn(issuer), OAuthProfileParseError);
});

test("userinfo does not replace a missing id_token of OpenID Connect", async () => {
  const issuer = createIssuer();
  issuer.grant({ id_token: undefined });
  await assert.rejects(() => visit(issuer, issuer.provider({ idToken: false })).signIn(issuer), OAuthProviderError);
});

test("the userinfo request has the access token in its header, and the endpoint's parameters", async () => {
  const issuer = createIssuer();
  const userinfo = { url: `${issuer.url}/userinfo?v=2`, params: { fields: "id,name" } };
  await visit(issuer, issuer.oauthProvider({ userinfo })).signIn(issuer);
  const [request] = issuer.requests.filter(({ endpoint }) => endpoint === "userinfo");
  assert.equal(request?.method, "GET");
  assert.match(request?.headers.get("authorization") ?? "", /^Bearer access-\d+$/);
  assert.equal(request?.headers.get("accept"), "application/json");
  assert.equal(new URL(request?.url ?? "").search, "?v=2&fields=id%2Cname");
});

test("OpenID Connect reads the profile from the id_token and does not request userinfo", async () => {
  const issuer = createIssuer();
  const { user, profile } = await visit(issuer).signIn(issuer);
  assert.equal(issuer.count("userinfo"), 0);
  assert.equal(profile?.email, "Ada@Example.com");
  assert.equal(user.email, "ada@example.com");
});

test("the user gets a random id, the account has the provider's", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const [first, second] = [await browser.signIn(issuer), await browser.signIn(issuer)];
  assert.match(first.user.id ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  assert.notEqual(first.user.id, second.user.id);
  assert.equal(first.account.providerAccountId, second.account.providerAccountId);
});

test("the account has every token field, the provider and expires_at", async () => {
  const issuer = createIssuer();
  issuer.grant({ refresh_token: "r", scope: "openid", session_state: "x", extra: { a: 1 } });
  const { account } = await visit(issuer, issuer.oauthProvider()).signIn(issuer);
  const { id_token, ...others } = account;
  assert.equal(typeof id_token, "string");
  assert.deepEqual(others, {
    access_token: "access-2",
    token_type: "bearer",
    expires_in: 3600,
    expires_at: NOW + 3600,
    refresh_token: "r",
    scope: "openid",
    session_state: "x",
    extra: { a: 1 },
    provider: "idp",
    type: "oauth",
    providerAccountId: "ada-1",
  });
});

test("a token endpoint cannot choose the user of the account", async () => {
  const issuer = createIssuer();
  issuer.grant({ userId: "admin", provider: "other", type: "credentials", providerAccountId: "eve" });
  const { account } = await visit(issuer, issuer.oauthProvider()).signIn(issuer);
  assert.equal("userId" in account, false);
  assert.deepEqual([account.provider, account.type, account.providerAccountId], ["idp", "oauth", "ada-1"]);
});

test("a profile callback gets the profile and the tokens", async () => {
  const issuer = createIssuer();
  let told: unknown[] = [];
  const profile: OAuthProvider["profile"] = (...given) => {
    told = given;
    return { id: "made", name: "Made", email: "X@Y.Test" };
  };
  const { user, account } = await visit(issuer, issuer.oauthProvider({ profile })).signIn(issuer);
  assert.deepEqual(told[0], { sub: "ada-1", name: "Ada", email: "Ada@Example.com" });
  assert.equal((told[1] as { expires_at: number }).expires_at, NOW + 3600);
  assert.equal(user.name, "Made");
  assert.equal(user.email, "x@y.test");
  assert.equal(account.providerAccountId, "made");
});

test("a profile callback that throws, hangs or returns no user causes an OAuthProfileParseError", async () => {
  const callbacks: readonly (() => unknown)[] = [
    () => {
      throw new Error("mine");
    },
    () => Promise.reject("text"),
    () => new Promise(() => {}),
    () => undefined,
    () => null,
    () => "ada",
    () => [],
    () => ({ name: "no id" }),
  ];
  for (const profile of callbacks) {
    const issuer = createIssuer();
    const provider = issuer.oauthProvider({ profile: profile as NonNullable<OAuthProvider["profile"]> });
    const browser = visit(issuer, provider, { timeouts: { request: 0.2 } });
    await assert.rejects(() => browser.signIn(issuer), OAuthProfileParseError, String(profile));
    assert.equal(browser.runtime.timers(), 0);
  }
});

test("a userinfo handler gets provider, tokens and the limited fetch", async () => {
  const issuer = createIssuer();
  const userinfo: OAuthProvider["userinfo"] = async ({ provider, tokens, fetch }) => {
    assert.equal(provider.clientId, CLIENT.id);
    assert.match(tokens.access_token ?? "", /^access-/);
    await assert.rejects(() => fetch("http://idp.test/userinfo"), OAuthProviderError);
    return await (await fetch(new URL(`${issuer.url}/userinfo`))).json();
  };
  const { account } = await visit(issuer, issuer.oauthProvider({ userinfo })).signIn(issuer);
  assert.equal(account.providerAccountId, "ada-1");
});

test("userinfo.request gets the url beside it, as in provider objects of other libraries", async () => {
  const issuer = createIssuer();
  const url = `${issuer.url}/userinfo`;
  const request: UserinfoHandler = async ({ provider, tokens, fetch }) => {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    return await (await fetch(String(provider.userinfo.url), { headers })).json();
  };
  await visit(issuer, issuer.oauthProvider({ userinfo: { url, request } })).signIn(issuer);
  assert.equal(issuer.count("userinfo"), 1);
});

test("a userinfo handler that throws, hangs or returns no object fails the sign-in", async () => {
  const handlers: readonly (() => unknown)[] = [
    () => Promise.reject(new Error("mine")),
    () => new Promise(() => {}),
    () => null,
    () => [],
    () => "ada",
    () => undefined,
  ];
  for (const userinfo of handlers) {
    const issuer = createIssuer();
    const provider = issuer.oauthProvider({ userinfo: userinfo as never });
    const browser = visit(issuer, provider, { timeouts: { request: 0.2 } });
    await assert.rejects(() => browser.signIn(issuer), OAuthProviderError, String(userinfo));
    assert.equal(browser.runtime.timers(), 0);
  }
});

test("a userinfo handler of OpenID Connect cannot return somebody else's profile", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer, issuer.provider({ idToken: false, userinfo: () => ({ sub: "eve" }) }));
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
});
