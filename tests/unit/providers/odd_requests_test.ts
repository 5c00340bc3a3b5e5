/** Vendors whose authorization or token requests are not those of RFC 6749. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  AuthorizationEndpoint,
  CallbackParams,
  OAuthProvider,
  ProviderFacts,
  TokenEndpoint,
} from "../../../src/contract/provider.ts";
import { InvalidConfig } from "../../../src/kernel/errors.ts";
import type { TokenSet } from "../../../src/kernel/model.ts";
import { startGg } from "../../../src/providers/start_gg.ts";
import { tiktok } from "../../../src/providers/tiktok.ts";
import { vk } from "../../../src/providers/vk.ts";
import { wechat } from "../../../src/providers/wechat.ts";
import { workos } from "../../../src/providers/workos.ts";
import { zoho } from "../../../src/providers/zoho.ts";
import { readProfile, userOf } from "../../_support/one_provider.ts";

function factsOf({ id, name, authorization, token }: OAuthProvider): ProviderFacts {
  const urlOf = (endpoint: unknown) => {
    return new URL(String(typeof endpoint === "string" ? endpoint : (endpoint as { url?: unknown }).url));
  };
  return {
    id,
    name,
    clientId: "a-client",
    clientSecret: "a-secret",
    issuer: undefined,
    callbackUrl: `https://example.com/auth/callback/${id}`,
    authorization: { url: urlOf(authorization) },
    token: { url: urlOf(token) },
    userinfo: { url: undefined },
  };
}

async function authorizationUrl(provider: OAuthProvider, given: Readonly<Record<string, string>>): Promise<URL> {
  const { request } = provider.authorization as AuthorizationEndpoint;
  assert.ok(request);
  const usual = { scope: "a", response_type: "code", client_id: "a-client", redirect_uri: "https://example.com/x" };
  const params = new URLSearchParams({ ...usual, ...given, state: "a-state" });
  return new URL(String(await request({ provider: factsOf(provider), params })));
}

async function exchange(
  provider: OAuthProvider,
  callback: Readonly<Record<string, string>>,
  answer: Response,
): Promise<{ readonly tokens: TokenSet; readonly request: Request | undefined }> {
  const { request } = provider.token as TokenEndpoint;
  assert.ok(request);
  let sent: Request | undefined;
  const tokens = await request({
    provider: factsOf(provider),
    params: new URLSearchParams({ code: "a-code", state: "a-state", ...callback }) as CallbackParams,
    checks: { state: "a-state" },
    fetch: (input, init) => {
      sent = new Request(input, init);
      return Promise.resolve(answer);
    },
  });
  return { tokens, request: sent };
}

test("zoho() exchanges the code and reads the profile where the person is, at servers of Zoho only", async () => {
  const rows: [callback: Record<string, string>, server: string][] = [
    [{ location: "us" }, "https://accounts.zoho.com"],
    [{ location: "in" }, "https://accounts.zoho.in"],
    [{ location: "ca", "accounts-server": "https://accounts.zohocloud.ca" }, "https://accounts.zohocloud.ca"],
    [{}, "https://accounts.zoho.eu"],
    [{ location: "" }, "https://accounts.zoho.eu"],
    [{ location: "xx", "accounts-server": "https://evil.test" }, "https://accounts.zoho.eu"],
    [{ location: "evil.test", "accounts-server": "https://accounts.zoho.com" }, "https://accounts.zoho.eu"],
    [{ location: "constructor" }, "https://accounts.zoho.eu"],
  ];
  for (const [callback, server] of rows) {
    const provider = zoho({ dataCenter: "eu" });
    const body = { access_token: "a", location: "from the answer", api_domain: "https://evil.test" };
    const { tokens, request } = await exchange(provider, callback, Response.json(body));
    assert.equal(request?.url, `${server}/oauth/v2/token`, JSON.stringify(callback));
    assert.equal(request.method, "POST");
    assert.deepEqual(Object.fromEntries(new URLSearchParams(await request.text())), {
      grant_type: "authorization_code",
      code: "a-code",
      redirect_uri: "https://example.com/auth/callback/zoho",
      client_id: "a-client",
      client_secret: "a-secret",
    });
    const { requests: [asked] } = await readProfile(provider, [Response.json({ ZUID: 1 })], tokens);
    assert.equal(asked?.url, `${server}/oauth/user/info`);
  }
});

test("a token endpoint that answers with no JSON gives no tokens", async () => {
  for (const provider of [zoho(), wechat()]) {
    const { tokens } = await exchange(provider, {}, new Response("<html>"));
    assert.equal(tokens.access_token, undefined);
  }
});

test("wechat() sends the parameters of the authorization request in the order that WeChat expects", async () => {
  const url = await authorizationUrl(wechat(), { lang: "en" });
  assert.equal(url.hash, "#wechat_redirect");
  assert.equal(url.origin + url.pathname, "https://open.weixin.qq.com/connect/qrconnect");
  const names = [...url.searchParams.keys()];
  assert.deepEqual(names.slice(0, 5), ["appid", "redirect_uri", "response_type", "scope", "state"]);
  assert.equal(url.searchParams.get("appid"), "a-client");
  assert.equal(url.searchParams.get("lang"), "en");
  const { authorization } = wechat({ platformType: "OfficialAccount" });
  const { url: official, params } = authorization as AuthorizationEndpoint;
  assert.equal(official, "https://open.weixin.qq.com/connect/oauth2/authorize");
  assert.deepEqual(params, { scope: "snsapi_userinfo" });
});

test("wechat() exchanges the code with a GET request, and tells a code that is spent from other errors", async () => {
  const granted = { access_token: "a", openid: "o", scope: "snsapi_login,snsapi_base" };
  const { tokens, request } = await exchange(wechat(), {}, Response.json(granted));
  assert.deepEqual(tokens, { ...granted, scope: "snsapi_login snsapi_base" });
  assert.equal(
    request?.url,
    "https://api.weixin.qq.com/sns/oauth2/access_token?appid=a-client&secret=a-secret&code=a-code&grant_type=authorization_code",
  );
  const rows: [errcode: number, error: string][] = [
    [40029, "invalid_grant"],
    [40163, "invalid_grant"],
    [42003, "invalid_grant"],
    [40125, "invalid_request"],
    [-1, "invalid_request"],
  ];
  for (const [errcode, error] of rows) {
    const refused = await exchange(wechat(), {}, Response.json({ errcode, errmsg: "why", access_token: "a" }));
    assert.deepEqual(refused.tokens, { error, error_description: "why" });
  }
  const ok = await exchange(wechat(), {}, Response.json({ errcode: 0, errmsg: "ok", ...granted }));
  assert.equal(ok.tokens.access_token, "a");
});

test("wechat() takes the unionid, or else the openid, and no error for a profile", async () => {
  assert.equal((await userOf(wechat(), { unionid: "u", openid: "o" })).id, "u");
  for (const unionid of [undefined, null, ""]) {
    assert.equal((await userOf(wechat(), { unionid, openid: "o" })).id, "o");
  }
  const { requests: [asked] } = await readProfile(wechat({ lang: "en" }), [Response.json({})], { openid: "o&x" });
  assert.equal(asked?.url, "https://api.weixin.qq.com/sns/userinfo?access_token=a-token&openid=o%26x&lang=en");
  assert.equal(asked.headers.get("authorization"), null);
  const error = Response.json({ errcode: 40003, errmsg: "invalid openid" });
  await assert.rejects(readProfile(wechat(), [error], { openid: "o" }), /WeChat answered with the error 40003/);
});

test("refresh tokens that cannot be used are not stored", async () => {
  for (const provider of [wechat(), vk()]) {
    const stored = await provider.account?.({ access_token: "a", refresh_token: "r", scope: "s", expires_at: 1 });
    assert.deepEqual([stored?.access_token, stored?.refresh_token, stored?.scope], ["a", undefined, "s"]);
  }
});

test("vk() gives back device_id and state", () => {
  const { form } = vk().token as TokenEndpoint;
  assert.ok(typeof form === "function");
  const callback = new URLSearchParams({ code: "a-code", device_id: "d", state: "s", type: "code_v2" });
  const sent = form({ clientId: "a-client", grantType: "authorization_code", callback });
  assert.deepEqual(sent, { device_id: "d", state: "s" });
});

test("tiktok() sends the client id under its own name, too", async () => {
  const { searchParams } = await authorizationUrl(tiktok(), { client_key: "another" });
  assert.equal(searchParams.get("client_key"), "a-client");
  assert.equal(searchParams.get("state"), "a-state");
  const { form } = tiktok().token as TokenEndpoint;
  assert.ok(typeof form === "function");
  const callback = new URLSearchParams();
  assert.deepEqual(form({ clientId: "a-client", grantType: "refresh_token", callback }), { client_key: "a-client" });
});

test("workos() starts no sign-in before an identity provider is chosen", async () => {
  for (const choice of [{}, { connection: "" }, { domain_hint: "example.com" }]) {
    await assert.rejects(authorizationUrl(workos(), choice as Record<string, string>), (error) => {
      assert.ok(error instanceof InvalidConfig);
      assert.match(error.message, /`connection`, `organization` or `provider`/);
      return true;
    });
  }
  for (const name of ["connection", "organization", "provider"]) {
    const { searchParams } = await authorizationUrl(workos(), { [name]: "chosen" });
    assert.equal(searchParams.get(name), "chosen");
  }
  const { params, url } = workos({ organization: "org_1", domainHint: "d", issuer: "https://id.example.com/" })
    .authorization as AuthorizationEndpoint;
  assert.equal(url, "https://id.example.com/sso/authorize");
  assert.deepEqual(params, {
    scope: "",
    connection: undefined,
    organization: "org_1",
    provider: undefined,
    domain_hint: "d",
    login_hint: undefined,
  });
});

test("startGg() repeats the scopes where tokens are asked for", () => {
  const { authorization, token } = startGg();
  const { params } = authorization as AuthorizationEndpoint;
  assert.deepEqual((token as TokenEndpoint).form, params);
});
