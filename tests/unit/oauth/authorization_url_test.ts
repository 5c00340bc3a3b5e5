import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthorizationHandler } from "../../../src/contract/provider.ts";
import { InvalidCheck, InvalidConfig, OAuthProviderError } from "../../../src/kernel/errors.ts";
import { claimsOf, clientKey, createFrontIssuer, type FrontIssuer } from "../../_support/front_issuer.ts";
import { CLIENT } from "../../_support/issuer.ts";
import { locationOf, Visit, visit } from "./_flow.ts";

const key = await clientKey();

/** A handler as developers write them: all parameters, and one of its own. */
const handler: AuthorizationHandler = ({ params }) => {
  const url = new URL("https://idp.test/own/authorize?kept=1");
  for (const [name, value] of params) url.searchParams.append(name, value);
  return url;
};

const DEMANDED = { metadata: { require_pushed_authorization_requests: true } };

test("a handler beside a URL and parameters gets both, and the parameters of options are added to them", async () => {
  const issuer = createFrontIssuer();
  const request: AuthorizationHandler = ({ provider: { authorization, clientId }, params }) => {
    return `${authorization.url}&app=${clientId}&${params}#end`;
  };
  const browser = visit(issuer, {
    ...issuer.provider({
      authorization: { url: "https://idp.test/authorize", params: { scope: "openid a" }, request },
    }),
    options: { authorization: { params: { lang: "en" } } },
  });
  const { hash, searchParams } = new URL(await browser.start());
  assert.equal(hash, "#end");
  assert.equal(searchParams.get("app"), CLIENT.id);
  assert.equal(searchParams.get("scope"), "openid a");
  assert.equal(searchParams.get("lang"), "en");
  assert.ok(searchParams.get("state"));
});

test("what a handler builds is pushed, with what it adds, and its URL keeps no query", async () => {
  const issuer = createFrontIssuer(DEMANDED);
  const browser = visit(issuer, issuer.provider({ authorization: handler }));
  const location = await browser.start();
  assert.equal(
    location,
    `https://idp.test/own/authorize?client_id=${CLIENT.id}&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A1`,
  );
  assert.equal(issuer.pushed[0]?.form.get("kept"), "1");
  await browser.finish((await issuer.consent(location)).params);
  assert.equal(browser.signedIn.length, 1);
});

test("what a handler builds is signed, with what it adds", async () => {
  const issuer = createFrontIssuer();
  const provider = issuer.provider({
    authorization: handler,
    token: { clientPrivateKey: key.key },
    client: { request_object_signing_alg: "ES256", token_endpoint_auth_method: "client_secret_post" },
  });
  const location = new URL(await visit(issuer, provider).start());
  assert.deepEqual([...location.searchParams.keys()], ["client_id", "response_type", "scope", "request"]);
  assert.equal(claimsOf(location.searchParams.get("request") ?? "").kept, "1");
});

test("a handler that pushes the request by itself is left alone", async () => {
  const issuer = createFrontIssuer(DEMANDED);
  const own = `https://idp.test/authorize?client_id=${CLIENT.id}&request_uri=urn%3Aown`;
  const client = { require_signed_request_object: true, authorization_signed_response_alg: "RS256" };
  const browser = visit(issuer, issuer.provider({ authorization: () => own, client }));
  assert.equal(await browser.start(), own);
  assert.equal(issuer.pushed.length, 0);
});

test("a handler that signs the request by itself: it is not signed again, and pushed alone", async () => {
  const own = () => `https://idp.test/authorize?client_id=${CLIENT.id}&state=x&request=e30.e30.x`;
  const signing = createFrontIssuer({ metadata: { require_signed_request_object: true } });
  assert.equal(await visit(signing, signing.provider({ authorization: own })).start(), own());
  const pushing = createFrontIssuer(DEMANDED);
  const location = await visit(pushing, pushing.provider({ authorization: own })).start();
  assert.deepEqual([...new URL(location).searchParams.keys()], ["client_id", "request_uri"]);
  assert.equal(pushing.pushed[0]?.form.get("request"), "e30.e30.x");
  assert.equal(pushing.pushed[0]?.form.has("state"), false);
});

test("a handler that drops the response_mode of signed responses is found out at the start", async () => {
  const issuer = createFrontIssuer();
  const client = { authorization_signed_response_alg: "RS256" };
  const dropping: AuthorizationHandler = ({ params }) => {
    params.delete("response_mode");
    return `https://idp.test/authorize?${params}`;
  };
  await assert.rejects(
    () => visit(issuer, issuer.provider({ authorization: dropping, client })).start(),
    InvalidConfig,
  );
  const browser = visit(issuer, issuer.provider({ authorization: handler, client }));
  await browser.finish((await issuer.consentSigned(await browser.start())).params);
  assert.equal(browser.signedIn.length, 1);
});

test("two tabs push at the same time, and both sign in", async () => {
  const issuer = createFrontIssuer(DEMANDED);
  const browser = visit(issuer);
  const locations = await Promise.all([browser.start(), browser.start()]);
  for (const location of locations.toReversed()) await browser.finish((await issuer.consent(location)).params);
  assert.equal(browser.signedIn.length, 2);
});

test("a provider that never answers a pushed request is given up after the time of a request", async () => {
  const issuer = createFrontIssuer(DEMANDED);
  const browser = new Visit([issuer.provider()], {
    fetch: (request) => request.method === "POST" ? new Promise(() => {}) : issuer.fetch(request),
    timeouts: { request: 0.01 },
  });
  await assert.rejects(() => browser.start(), OAuthProviderError);
  assert.deepEqual([browser.flows(), browser.runtime.timers()], [[], 0]);
});

function services(issuer: FrontIssuer): { readonly preview: Visit; readonly proxy: Visit } {
  const provider = issuer.provider({
    authorization: { pushed: true },
    client: { authorization_signed_response_alg: "RS256" },
  });
  const common = {
    fetch: issuer.fetch,
    redirectProxyUrl: "https://proxy.test/auth",
    redirectProxyOrigins: ["https://*.preview.test"],
  };
  return {
    preview: new Visit([provider], { ...common, origin: "https://pr-1.preview.test" }),
    proxy: new Visit([provider], { ...common, origin: "https://proxy.test" }),
  };
}

test("a preview pushes its request and gets its signed response through the redirect proxy", async () => {
  const issuer = createFrontIssuer();
  const { preview, proxy } = services(issuer);
  const { redirectUri, params } = await issuer.consentSigned(await preview.start());
  assert.equal(redirectUri, "https://proxy.test/auth/callback/idp");
  const forwarded = locationOf(await proxy.finish(params));
  assert.equal(forwarded, `https://pr-1.preview.test/auth/callback/idp?${params}`);
  await preview.finish(new URL(forwarded).searchParams);
  assert.equal(preview.signedIn.length, 1);
});

test("the redirect proxy forwards a signed response by the seal of its state, and the preview verifies it", async () => {
  const issuer = createFrontIssuer();
  const { preview, proxy } = services(issuer);
  const honest = await issuer.consentSigned(await preview.start());
  const forged = new URLSearchParams({
    response: honest.params.get("response")?.replace(/[^.]{8}$/, "AAAAAAAA") ?? "",
  });
  const forwarded = new URL(locationOf(await proxy.finish(forged)));
  assert.equal(forwarded.origin, "https://pr-1.preview.test");
  await assert.rejects(() => preview.finish(forwarded.searchParams), OAuthProviderError);
  const state = "eyJhbGciOiJkaXIifQ..x.y.z";
  const unsealed = await issuer.consentSigned(await preview.start(), { claims: { state } });
  await assert.rejects(() => proxy.finish(unsealed.params), InvalidCheck);
  assert.equal(issuer.count("token"), 0);
});

test("the redirect proxy does not forward what is not signed where responses are, if its state is not sealed", async () => {
  const issuer = createFrontIssuer();
  const { proxy } = services(issuer);
  await assert.rejects(() => proxy.finish({ code: "c", state: "x" }), InvalidCheck);
});
