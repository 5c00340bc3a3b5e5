import assert from "node:assert/strict";
import { test } from "node:test";
import { BadRequest, InvalidCheck, type OAuthCallbackError, OAuthProviderError } from "../../../src/kernel/errors.ts";
import { createIssuer } from "../../_support/issuer.ts";
import { locationOf, visit } from "./_flow.ts";

test("finishOAuth() signs in and redirects to the URL of the flow", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const { params } = await issuer.consent(await browser.start());
  assert.equal(locationOf(await browser.finish(params)), "https://app.test/after");
  assert.equal(browser.signedIn[0]?.account.providerAccountId, "ada-1");
  assert.ok(browser.cookies.has("__Secure-authjs.session-token"));
  assert.deepEqual(browser.flows(), []);
  assert.equal(browser.runtime.timers(), 0);
});

test("finishOAuth() without state in the response takes that provider's newest flow", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer, issuer.provider({ checks: ["none"] }));
  await browser.start();
  const { params } = await issuer.consent(await browser.start());
  params.delete("state");
  await browser.finish(params);
  assert.equal(browser.signedIn.length, 1);
  assert.equal(browser.flows().length, 1);
});

test("finishOAuth() uses up a flow even if the token request fails", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const { params } = await issuer.consent(await browser.start());
  issuer.override("token", () => new Response("no", { status: 500 }), 1);
  await assert.rejects(() => browser.finish(params), OAuthProviderError);
  await assert.rejects(() => browser.finish(params), InvalidCheck);
  assert.equal(issuer.count("token"), 1);
});

test("finishOAuth() refuses a response after fifteen minutes", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const { params } = await issuer.consent(await browser.start());
  browser.runtime.advance(15 * 60 + 16);
  await assert.rejects(() => browser.finish(params), InvalidCheck);
});

test("finishOAuth() reports an error of the provider, and its description as evidence only", async () => {
  const issuer = createIssuer();
  for (const error of ["access_denied", "server_error", "<script>", "x".repeat(1000)]) {
    const browser = visit(issuer);
    const state = new URL(await browser.start()).searchParams.get("state") ?? "";
    await assert.rejects(
      () => browser.finish({ error, state, error_description: "<b>come here</b>" }),
      (thrown: OAuthCallbackError) => {
        assert.equal(thrown.type, "OAuthCallbackError");
        assert.equal(thrown.message.includes("come here"), false);
        assert.equal(thrown.message.includes(error), false);
        assert.deepEqual(thrown.cause, { error, error_description: "<b>come here</b>" });
        return true;
      },
    );
  }
  assert.equal(issuer.count("token"), 0);
});

test("finishOAuth() compares state before it reads an error", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer, issuer.provider({ checks: ["state"] }));
  await browser.start();
  await assert.rejects(() => browser.finish({ error: "access_denied" }), InvalidCheck);
  await assert.rejects(() => browser.finish({ error: "access_denied", state: "x" }), InvalidCheck);
});

test("finishOAuth() refuses responses of other grant types, and responses without a code", async () => {
  const planted = [{ id_token: "x" }, { token: "x" }, { response: "x.y.z" }, { code: "" }];
  for (const change of planted) {
    const issuer = createIssuer();
    const browser = visit(issuer);
    const { params } = await issuer.consent(await browser.start());
    for (const [name, value] of Object.entries(change)) params.set(name, value);
    await assert.rejects(() => browser.finish(params), OAuthProviderError, JSON.stringify(change));
    assert.equal(issuer.count("token"), 0);
  }
});

const ISS: readonly (readonly [iss: string | null, announced: boolean, accepted: boolean])[] = [
  ["https://idp.test", false, true],
  ["https://idp.test", true, true],
  [null, false, true],
  [null, true, false],
  ["", true, false],
  ["", false, false],
  ["https://idp.test/", false, false],
  ["https://IDP.test", false, false],
  ["https://evil.test", false, false],
  ["https://evil.test", true, false],
];

for (const [iss, announced, accepted] of ISS) {
  const when = announced ? "announced" : "not announced";
  test(`finishOAuth() ${accepted ? "accepts" : "refuses"} iss ${JSON.stringify(iss)} where it is ${when}`, async () => {
    const issuer = createIssuer({ metadata: { authorization_response_iss_parameter_supported: announced } });
    const browser = visit(issuer);
    const { params } = await issuer.consent(await browser.start());
    if (iss !== null) params.set("iss", iss);
    if (accepted) await browser.finish(params);
    else await assert.rejects(() => browser.finish(params), OAuthProviderError);
    assert.equal(issuer.count("token"), accepted ? 1 : 0);
  });
}

test("finishOAuth() compares iss of error responses, too", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const state = new URL(await browser.start()).searchParams.get("state") ?? "";
  await assert.rejects(
    () => browser.finish({ error: "access_denied", state, iss: "https://evil.test" }),
    OAuthProviderError,
  );
});

test("finishOAuth() ignores iss where the provider has no issuer, and compares it where it has one without metadata", async () => {
  const issuer = createIssuer();
  const without = visit(issuer, issuer.oauthProvider());
  const first = await issuer.consent(await without.start());
  first.params.set("iss", "https://anything.test");
  await without.finish(first.params);
  assert.equal(without.signedIn.length, 1);

  const withIssuer = visit(issuer, issuer.oauthProvider({ issuer: issuer.url }));
  const second = await issuer.consent(await withIssuer.start());
  second.params.set("iss", "https://anything.test");
  await assert.rejects(() => withIssuer.finish(second.params), OAuthProviderError);
  assert.equal(issuer.count("discovery"), 0);
});

test("finishOAuth() refuses a response if the token endpoint has moved since the start", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const { params } = await issuer.consent(await browser.start());
  issuer.override("discovery", async (_request, honest) => {
    return Response.json({ ...await (await honest()).json(), token_endpoint: "https://evil.test/token" });
  });
  browser.runtime.advance(-3601); // metadata is forgotten, the flow is not
  await assert.rejects(() => browser.finish(params), InvalidCheck);
  assert.equal(issuer.count("token"), 0);
});

test("finishOAuth() refuses a flow that was started with fewer checks", async () => {
  const issuer = createIssuer();
  const before = visit(issuer, issuer.provider({ checks: ["state"] }));
  const { params } = await issuer.consent(await before.start());
  for (const checks of [["pkce"], ["state", "nonce"]] as const) {
    const after = visit(issuer, issuer.provider({ checks: [...checks] }));
    for (const [name, value] of before.cookies) after.cookies.set(name, value);
    await assert.rejects(() => after.finish(params), InvalidCheck);
  }
  assert.equal(issuer.count("token"), 0);
});

test("finishOAuth() sends the same redirect_uri in both requests", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const { redirectUri, params } = await issuer.consent(await browser.start());
  await browser.finish(params);
  assert.equal(issuer.requests.find(({ endpoint }) => endpoint === "token")?.form.get("redirect_uri"), redirectUri);
});

function posting() {
  const issuer = createIssuer();
  const provider = issuer.provider({
    checks: ["state", "nonce", "pkce"],
    authorization: { params: { response_mode: "form_post" } },
    profile: (profile) => ({ id: String(profile.sub), name: JSON.stringify(profile.user) }),
  });
  return { issuer, browser: visit(issuer, provider) };
}

test("relayFormPost() redirects a posted response to the same URL by GET", async () => {
  const { issuer, browser } = posting();
  const { params } = await issuer.consent(await browser.start());
  const outcome = browser.relay(Object.fromEntries(params));
  assert.equal(outcome.kind === "redirect" && outcome.status, 303);
  assert.equal(locationOf(outcome), `https://app.test/auth/callback/idp?${params}`);
  await browser.finish(new URL(locationOf(outcome)).searchParams);
  assert.equal(browser.signedIn.length, 1);
});

test("relayFormPost() relays only text", () => {
  const { browser } = posting();
  const location = locationOf(browser.relay({ code: "c", state: "s", n: 1, list: ["x"], none: null, object: {} }));
  assert.equal(new URL(location).search, "?code=c&state=s");
});

test("relayFormPost() refuses tokens and responses that are too long for a URL", () => {
  const { browser } = posting();
  for (const name of ["id_token", "access_token", "token"]) {
    assert.throws(() => browser.relay({ code: "c", state: "s", [name]: "x" }), BadRequest, name);
  }
  assert.throws(() => browser.relay({ code: "c".repeat(8192) }), BadRequest);
  assert.throws(() => browser.relay({ user: "é".repeat(1400) }), BadRequest);
  assert.ok(browser.relay({ code: "c".repeat(8000) }));
});

test("verified claims override the unsigned user field of a posted response", async () => {
  const table = [
    ['{"name":{"firstName":"Ada"}}', '{"name":{"firstName":"Ada"}}'],
    ['"text"', undefined],
    ["[1]", undefined],
    ["null", undefined],
    ["{", undefined],
    ["", undefined],
    [`{"name":"Ada","x":${"[".repeat(8)}${"]".repeat(8)}}`, undefined],
  ];
  for (const [brought = "", expected] of table) {
    const { issuer, browser } = posting();
    const { params } = await issuer.consent(await browser.start());
    params.set("user", brought);
    await browser.finish(params);
    assert.equal(browser.signedIn[0]?.user.name, expected, brought);
  }
  const { issuer, browser } = posting();
  issuer.claim({ user: "signed" });
  const { params } = await issuer.consent(await browser.start());
  params.set("user", '{"name":"planted"}');
  await browser.finish(params);
  assert.equal(browser.signedIn[0]?.user.name, '"signed"');
});

test("the user field is ignored where responses are not posted", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const { params } = await issuer.consent(await browser.start());
  params.set("user", '{"name":"planted"}');
  await browser.finish(params);
  assert.equal("user" in (browser.signedIn[0]?.profile ?? {}), false);
});
