import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { sha256Base64Url } from "../../../src/crypto/digest.ts";
import { BadRequest, InvalidConfig, OAuthProviderError } from "../../../src/kernel/errors.ts";
import { asRedirectUrl } from "../../../src/http/redirect_url.ts";
import { callerParams, startOAuth } from "../../../src/oauth/start.ts";
import type { Check, OAuthProvider } from "../../../src/contract/provider.ts";
import { paramCallsOf } from "../../_support/param_calls.ts";
import { CLIENT, createIssuer } from "../../_support/issuer.ts";
import { Visit, visit } from "./_flow.ts";

test("sha256Base64Url() makes the S256 challenge of RFC 7636, appendix B", async () => {
  const challenge = await sha256Base64Url("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
  assert.equal(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
});

const RESERVED = [
  "redirect_uri",
  "client_id",
  "client_secret",
  "client_assertion",
  "client_assertion_type",
  "response_type",
  "response_mode",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "request",
  "request_uri",
];

test("callerParams() refuses every parameter of the protocol, also in spellings that some servers accept", () => {
  for (const name of RESERVED) {
    const spellings = [
      name,
      name.toUpperCase(),
      `${name}[]`,
      `${name}[0]`,
      ` ${name}`,
      name.replaceAll("_", "."),
      `${name}.`,
    ];
    for (const spelling of spellings) {
      assert.throws(() => callerParams(new URLSearchParams([[spelling, "x"]])), BadRequest, spelling);
    }
  }
});

test("callerParams() names the parameter it refuses and not its value", () => {
  assert.throws(() => callerParams(new URLSearchParams("state=planted")), (error: Error) => {
    return error.message.includes("state") && !error.message.includes("planted");
  });
});

test("callerParams() passes other parameters, except those for this service", () => {
  const asked = new URLSearchParams(
    "scope=a&prompt=login&login_hint=ada&resource=r1&resource=r2&id_token_hint=x&requested=1&callbackUrl=%2F&csrfToken=t",
  );
  assert.equal(
    callerParams(asked).toString(),
    "scope=a&prompt=login&login_hint=ada&resource=r1&resource=r2&id_token_hint=x&requested=1",
  );
});

test("startOAuth() refuses a protocol parameter before any request", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await assert.rejects(() => browser.start({ redirect_uri: "https://evil.test" }), BadRequest);
  assert.equal(issuer.requests.length, 0);
  assert.equal(browser.cookies.size, 0);
});

test("startOAuth() writes the parameters in a fixed order", async () => {
  const issuer = createIssuer();
  const browser = visit(
    issuer,
    issuer.provider({
      checks: ["pkce", "state", "nonce"],
      authorization: { url: `${issuer.url}/authorize?tenant=t`, params: { audience: "api", scope: "openid" } },
    }),
  );
  const url = new URL(await browser.start({ prompt: "login" }));
  assert.deepEqual([...url.searchParams.keys()], [
    "tenant",
    "scope",
    "response_type",
    "client_id",
    "redirect_uri",
    "audience",
    "prompt",
    "state",
    "code_challenge",
    "code_challenge_method",
    "nonce",
  ]);
  assert.equal(url.origin + url.pathname, "https://idp.test/authorize");
  assert.equal(url.searchParams.get("response_type"), "code");
  assert.equal(url.searchParams.get("client_id"), CLIENT.id);
  assert.equal(url.searchParams.get("redirect_uri"), "https://app.test/auth/callback/idp");
  assert.equal(url.searchParams.get("code_challenge_method"), "S256");
});

test("startOAuth() adds a thousand parameters of the caller in one pass", async () => {
  const browser = visit(createIssuer());
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p${at}`, "1"]));
  let [few, all] = ["", ""];
  const usual = await paramCallsOf(async () => few = await browser.start());
  assert.equal(await paramCallsOf(async () => all = await browser.start(many)), usual);
  assert.equal(new URL(all).searchParams.size, new URL(few).searchParams.size + 1000);
});

test("callerParams() accepts a query of 8,192 characters and not one more", () => {
  assert.equal(callerParams(new URLSearchParams({ a: "x".repeat(8190) })).get("a")?.length, 8190);
  assert.throws(() => callerParams(new URLSearchParams({ a: "x".repeat(8191) })), BadRequest);
  assert.throws(() => callerParams(new URLSearchParams({ a: "|".repeat(2731) })), BadRequest);
  assert.equal(callerParams(new URLSearchParams({ callbackUrl: "x".repeat(9000) })).size, 0);
});

test("startOAuth() lets callers override the provider's own parameters, also with several values", async () => {
  const issuer = createIssuer();
  const browser = visit(
    issuer,
    issuer.provider({ authorization: { params: { scope: "openid", prompt: "none", resource: "x" } } }),
  );
  const asked = new URLSearchParams("scope=openid+email&prompt=login&resource=r1&resource=r2");
  const { searchParams } = new URL(await browser.start(asked));
  assert.equal(searchParams.get("scope"), "openid email");
  assert.equal(searchParams.get("prompt"), "login");
  assert.deepEqual(searchParams.getAll("resource"), ["r1", "r2"]);
});

test("startOAuth() keeps a scope that is in the URL of authorization, also an empty one", async () => {
  const table = [["?scope=read%20a:b,c", "read a:b,c"], ["?scope=", ""], ["?scope", ""], [
    "?a=scope",
    "openid profile email",
  ]];
  for (const [query, scope] of table) {
    const issuer = createIssuer();
    const url = `${issuer.url}/authorize${query}`;
    for (const authorization of [url, { url }, { url: new URL(url), params: { prompt: "login" } }]) {
      const { searchParams } = new URL(await visit(issuer, issuer.provider({ authorization })).start());
      assert.deepEqual(searchParams.getAll("scope"), [scope]);
    }
  }
});

test("startOAuth() leaves out an empty scope", async () => {
  const issuer = createIssuer();
  const own = visit(issuer, issuer.provider({ authorization: { params: { scope: "" } } }));
  assert.equal(new URL(await own.start()).searchParams.has("scope"), false);
  const callers = visit(issuer);
  assert.equal(new URL(await callers.start({ scope: "" })).searchParams.has("scope"), false);
});

test("startOAuth() does not let the provider's parameters override redirect_uri and the checks", async () => {
  const issuer = createIssuer();
  const params = {
    redirect_uri: "https://other.test",
    state: "s",
    nonce: "n",
    code_challenge: "c",
    code_challenge_method: "plain",
  };
  const browser = visit(issuer, issuer.provider({ checks: ["pkce", "nonce"], authorization: { params } }));
  const { searchParams } = new URL(await browser.start());
  assert.equal(searchParams.get("redirect_uri"), "https://app.test/auth/callback/idp");
  for (const name of ["state", "nonce", "code_challenge"]) assert.equal(searchParams.get(name)?.length, 43, name);
  assert.equal(searchParams.get("code_challenge_method"), "S256");
});

const CHECKS: readonly (readonly Check[])[] = [
  ["none"],
  ["pkce"],
  ["state"],
  ["nonce"],
  ["pkce", "state"],
  ["pkce", "nonce"],
  ["state", "nonce"],
  ["pkce", "state", "nonce"],
];

for (const checks of CHECKS) {
  test(`startOAuth() sends the parameters of checks [${checks}], and always state`, async () => {
    const issuer = createIssuer();
    const browser = visit(issuer, issuer.provider({ checks: [...checks] }));
    const { searchParams } = new URL(await browser.start());
    assert.equal(searchParams.has("state"), true);
    assert.equal(searchParams.has("code_challenge"), checks.includes("pkce"));
    assert.equal(searchParams.has("code_challenge_method"), checks.includes("pkce"));
    assert.equal(searchParams.has("nonce"), checks.includes("nonce"));
    assert.equal(browser.flows().length, 1);
  });
}

test("startOAuth() makes a new state, nonce and verifier for every flow", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer, issuer.provider({ checks: ["pkce", "nonce"] }));
  const [first, second] = [await browser.start(), await browser.start()].map((url) => new URL(url).searchParams);
  for (const name of ["state", "nonce", "code_challenge"]) assert.notEqual(first?.get(name), second?.get(name), name);
  assert.equal(browser.flows().length, 2);
});

test("startOAuth() refuses metadata with PKCE but without S256", async () => {
  for (const methods of [["plain"], [], "S256", {}]) {
    const issuer = createIssuer({ metadata: { code_challenge_methods_supported: methods } });
    const browser = visit(issuer);
    await assert.rejects(() => browser.start(), InvalidConfig, JSON.stringify(methods));
    assert.equal(browser.cookies.size, 0);
  }
});

test("startOAuth() accepts metadata without S256 if PKCE is off", async () => {
  const plain = createIssuer({ metadata: { code_challenge_methods_supported: ["plain"] } });
  assert.ok(await visit(plain, plain.provider({ checks: ["state", "nonce"] })).start());
  const both = createIssuer({ metadata: { code_challenge_methods_supported: ["plain", "S256"] } });
  assert.ok(await visit(both).start());
});

test("startOAuth() gives all parameters to an authorization handler and redirects to its URL", async () => {
  const issuer = createIssuer();
  let told: Record<string, unknown> = {};
  const authorization: OAuthProvider["authorization"] = ({ provider, params }) => {
    told = { provider, names: [...params.keys()] };
    return new URL(`https://elsewhere.test/go?x=1&${params}`);
  };
  const browser = visit(issuer, issuer.provider({ authorization }));
  const url = new URL(await browser.start());
  assert.deepEqual(told.names, [
    "scope",
    "response_type",
    "client_id",
    "redirect_uri",
    "state",
    "code_challenge",
    "code_challenge_method",
    "nonce",
  ]);
  assert.deepEqual(told.provider, {
    id: "idp",
    name: "IdP",
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    issuer: issuer.url,
    callbackUrl: "https://app.test/auth/callback/idp",
    authorization: { url: undefined },
    token: { url: undefined },
    userinfo: { url: undefined },
  });
  assert.equal(url.origin, "https://elsewhere.test");
});

test("startOAuth() refuses a handler's URL that is not https", async () => {
  const issuer = createIssuer();
  for (
    const url of [
      "http://idp.test/",
      "javascript:alert(1)",
      "/relative",
      "",
      "https://u:p@idp.test/",
      "data:text/html,x",
    ]
  ) {
    const browser = visit(issuer, issuer.provider({ authorization: () => url }));
    await assert.rejects(() => browser.start(), OAuthProviderError, url);
    assert.equal(browser.cookies.size, 0);
  }
});

test("startOAuth() wraps errors of an authorization handler and limits its time", async () => {
  const issuer = createIssuer();
  const broken = visit(issuer, issuer.provider({ authorization: () => Promise.reject(new Error("mine")) }));
  await assert.rejects(() => broken.start(), (error: OAuthProviderError) => {
    return error.type === "OAuthProviderError" && (error.cause?.err as Error).message === "mine";
  });
  const slow = visit(issuer, issuer.provider({ authorization: () => new Promise<string>(() => {}) }), {
    timeouts: { request: 0.05 },
  });
  await assert.rejects(() => slow.start(), { type: "Timeout" });
  assert.equal(slow.runtime.timers(), 0);
});

test("startOAuth() makes the flow cookie SameSite=None only for responses that are posted over https", async () => {
  const issuer = createIssuer();
  const posting = issuer.provider({ authorization: { params: { response_mode: "form_post" } } });
  const table = [
    { provider: posting, origin: "https://app.test", sameSite: "none" },
    { provider: posting, origin: "http://app.test", sameSite: "lax" },
    { provider: issuer.provider(), origin: "https://app.test", sameSite: "lax" },
  ];
  for (const { provider, origin, sameSite } of table) {
    const browser = new Visit([provider], { fetch: issuer.fetch, origin });
    const location = await browser.start();
    assert.equal(new URL(location).searchParams.get("response_mode"), provider === posting ? "form_post" : null);
    const ctx = browser.open("/auth/signin/idp");
    const target = asRedirectUrl("/", origin);
    assert.ok(target);
    await startOAuth(ctx, { provider: browser.provider(), redirectUrl: target, params: new URLSearchParams() });
    assert.equal(ctx.cookies.close()[0]?.options.sameSite, sameSite, origin);
  }
});

test("startOAuth() keeps the PKCE verifier in the sealed cookie only", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const location = await browser.start();
  const { params } = await issuer.consent(location);
  await browser.finish(params);
  const verifier = issuer.requests.find(({ endpoint }) => endpoint === "token")?.form.get("code_verifier") ?? "";
  assert.equal(verifier.length, 43);
  assert.equal(location.includes(verifier), false);
  assert.equal(
    createHash("sha256").update(verifier).digest("base64url"),
    new URL(location).searchParams.get("code_challenge"),
  );
});
