/** `token.form` and `token.refreshUrl`: what vendors demand of token requests beyond RFC 6749. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OAuthProvider, TokenEndpoint, TokenRequestFacts } from "../../../src/contract/provider.ts";
import type { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { CLIENT, createIssuer, type RecordedRequest } from "../../_support/issuer.ts";
import { openWorld, type WorldOptions } from "../../_support/refreshes.ts";
import { allOf, visit } from "../oauth/_flow.ts";

type Form = NonNullable<TokenEndpoint["form"]>;

/** Signs in, and gives the token request. */
async function exchange(form: Form, provider: Partial<OAuthProvider> = {}): Promise<RecordedRequest> {
  const issuer = createIssuer();
  const token = { url: `${issuer.url}/token`, form };
  await visit(issuer, issuer.oauthProvider({ token, ...provider })).signIn(issuer);
  const request = issuer.requests.find(({ endpoint }) => endpoint === "token");
  assert.ok(request);
  return request;
}

/** Refreshes, and gives the token request. */
async function refresh(form: Form, options: Partial<WorldOptions> = {}): Promise<RecordedRequest> {
  const world = await openWorld({ ...options, provider: { token: { form }, ...options.provider } });
  await world.ask();
  const request = world.issuer.requests.find(({ endpoint }) => endpoint === "token");
  assert.ok(request);
  return request;
}

const POST = { client: { token_endpoint_auth_method: "client_secret_post" } } as const;

test("what token.form gives is added to the token request and to each refresh", async () => {
  for (const form of [{ action: "request", user: "a&b=c" }, () => ({ action: "request", user: "a&b=c" })]) {
    for (const { form: sent, headers } of [await exchange(form), await refresh(form)]) {
      assert.equal(sent.get("action"), "request");
      assert.equal(sent.get("user"), "a&b=c");
      assert.equal(headers.get("content-type"), "application/x-www-form-urlencoded");
    }
  }
});

test("token.form replaces no parameter of the protocol, and no part of the client's authentication", async () => {
  const lies = {
    grant_type: "client_credentials",
    code: "another",
    redirect_uri: "https://evil.test/",
    code_verifier: "another",
    refresh_token: "another",
    client_id: "another",
    client_secret: "another",
  };
  const plain = [await exchange({}, POST), await refresh({}, { provider: POST })];
  for (const form of [lies, () => lies]) {
    const [exchanged, refreshed] = [await exchange(form, POST), await refresh(form, { provider: POST })];
    for (const [at, { form: sent }] of [exchanged, refreshed].entries()) {
      const names = [...plain[at]?.form.keys() ?? []];
      assert.ok(names.length >= 4, names.join());
      for (const name of names) assert.deepEqual(sent.getAll(name).map(String).length, 1, name);
      for (const name of names) assert.notEqual(sent.get(name), lies[name as keyof typeof lies], name);
    }
    assert.equal(exchanged.form.get("client_secret"), CLIENT.secret);
    assert.equal(exchanged.form.get("grant_type"), "authorization_code");
    assert.equal(refreshed.form.get("grant_type"), "refresh_token");
  }
});

test("a token.form that is told what it changes changes nothing by writing on it", async () => {
  const { form } = await exchange((request) => {
    request.callback.set("code", "another");
    Object.assign(request, { clientId: "another" });
    return {};
  });
  assert.notEqual(form.get("code"), "another");
});

test("token.form is told the grant, the client and the authorization response", async () => {
  const told: (Omit<TokenRequestFacts, "callback"> & { readonly callback: object })[] = [];
  const form: Form = ({ callback, ...rest }) => {
    told.push({ ...rest, callback: Object.fromEntries(callback) });
    return {};
  };
  const { form: sent } = await exchange(form);
  await refresh(form);
  const [exchanged, refreshed] = told;
  assert.deepEqual({ ...exchanged, callback: 0 }, {
    clientId: CLIENT.id,
    grantType: "authorization_code",
    callback: 0,
  });
  assert.equal((exchanged?.callback as { code?: string }).code, sent.get("code"));
  assert.deepEqual(refreshed, { clientId: CLIENT.id, grantType: "refresh_token", callback: {} });
});

test("members of token.form that are absent are not sent, and numbers are sent as text", async () => {
  const odd = { a: undefined, b: null, c: 1, d: "" } as unknown as Readonly<Record<string, string>>;
  for (const form of [odd, () => odd]) {
    const { form: sent } = await exchange(form);
    assert.deepEqual(["a", "b", "c", "d"].map((name) => sent.get(name)), [null, null, "1", ""]);
  }
  for (const nothing of [undefined, null, "text", 7]) await exchange((() => nothing) as unknown as Form);
});

test("a token.form that throws ends in an error that names it, and sends nothing", async () => {
  const form = () => {
    throw new TypeError("canary");
  };
  const issuer = createIssuer();
  const browser = visit(issuer, issuer.oauthProvider({ token: { url: `${issuer.url}/token`, form } }));
  await assert.rejects(browser.signIn(issuer), (error: OAuthProviderError) => {
    assert.equal(error.type, "OAuthProviderError");
    assert.equal(error.message, 'Cannot request tokens: `token.form` of provider "idp" failed');
    assert.match(allOf(error), /canary/);
    assert.ok(!allOf(error).includes(CLIENT.secret));
    return true;
  });
  assert.equal(issuer.count("token"), 0);
  const world = await openWorld({ provider: { token: { form } } });
  await assert.rejects(world.ask(), { type: "OAuthProviderError" });
  assert.equal(world.issuer.count("token"), 0);
  assert.equal(world.family.given, 0, "the refresh token was not used");
});
