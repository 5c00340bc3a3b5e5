import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOCK_TOLERANCE } from "../../../src/crypto/seal.ts";
import { InvalidCheck, InvalidConfig } from "../../../src/kernel/errors.ts";
import { mayForward } from "../../../src/oauth/proxy.ts";
import { createIssuer } from "../../_support/issuer.ts";
import { locationOf, Visit } from "./_flow.ts";

const MATCHES: readonly (readonly [pattern: string, origin: string, fits: boolean])[] = [
  ["https://a.test", "https://a.test", true],
  ["https://A.test", "https://a.test", true],
  ["https://a.test:443", "https://a.test", true],
  ["https://a.test", "http://a.test", false],
  ["http://a.test", "https://a.test", false],
  ["https://a.test", "https://a.test:8443", false],
  ["https://a.test:8443", "https://a.test:8443", true],
  ["https://a.test:8443", "https://a.test", false],
  ["https://a.test", "https://b.a.test", false],
  ["https://a.test", "https://a.test.evil.test", false],
  ["https://a.test", "https://xa.test", false],
  ["https://*.a.test", "https://b.a.test", true],
  ["https://*.a.test", "https://pr-12.a.test", true],
  ["https://*.a.test", "https://a.test", false],
  ["https://*.a.test", "https://c.b.a.test", false],
  ["https://*.a.test", "https://.a.test", false],
  ["https://*.a.test", "https://evil.test", false],
  ["https://*.*.a.test", "https://c.b.a.test", true],
  ["https://*.a.test", "http://b.a.test", false],
  ["https://*.a.test:3000", "https://b.a.test:3000", true],
  ["https://*.a.test:3000", "https://b.a.test", false],
  ["https://pr-*.a.test", "https://pr-1.a.test", false],
  ["https://*", "https://a.test", false],
  ["http://localhost:3000", "http://localhost:3000", true],
  ["https://a.test/path", "https://a.test", false],
  ["a.test", "https://a.test", false],
  ["", "https://a.test", false],
  ["https://a.test", "null", false],
  ["https://a.test", "", false],
];

for (const [pattern, origin, fits] of MATCHES) {
  test(`mayForward() ${fits ? "lets" : "does not let"} "${pattern}" stand for "${origin}"`, () => {
    assert.equal(mayForward(origin, [pattern]), fits);
  });
}

test("mayForward() allows no origin with an empty list", () => {
  assert.equal(mayForward("https://a.test", []), false);
});

function services(redirectProxyOrigins?: readonly string[], previewOrigin = "https://pr-1.preview.test") {
  const issuer = createIssuer();
  const common = { fetch: issuer.fetch, redirectProxyUrl: "https://proxy.test/auth" };
  const preview = new Visit([issuer.provider()], { ...common, origin: previewOrigin });
  const proxy = new Visit([issuer.provider()], { ...common, origin: "https://proxy.test", redirectProxyOrigins });
  return { issuer, preview, proxy };
}

test("a preview signs in through the redirect proxy", async () => {
  const { issuer, preview, proxy } = services(["https://*.preview.test"]);
  const { redirectUri, params } = await issuer.consent(await preview.start());
  assert.equal(redirectUri, "https://proxy.test/auth/callback/idp");
  const forwarded = locationOf(await proxy.finish(params));
  assert.equal(forwarded, `https://pr-1.preview.test/auth/callback/idp?${params}`);
  await preview.finish(new URL(forwarded).searchParams);
  assert.equal(preview.signedIn.length, 1);
  assert.equal(proxy.signedIn.length, 0);
  const [request] = issuer.requests.filter(({ endpoint }) => endpoint === "token");
  assert.equal(request?.form.get("redirect_uri"), "https://proxy.test/auth/callback/idp");
});

test("the redirect proxy forwards errors too", async () => {
  const { preview, proxy } = services(["https://*.preview.test"]);
  const state = new URL(await preview.start()).searchParams.get("state") ?? "";
  const forwarded = new URL(locationOf(await proxy.finish({ error: "access_denied", state })));
  assert.equal(forwarded.origin, "https://pr-1.preview.test");
  assert.equal(forwarded.searchParams.get("error"), "access_denied");
});

test("the redirect proxy forwards nothing to an origin that is not listed", async () => {
  const { issuer, preview, proxy } = services(["https://*.other.test"]);
  const { params } = await issuer.consent(await preview.start());
  await assert.rejects(() => proxy.finish(params), (error: Error) => {
    return error instanceof InvalidCheck && !error.message.includes(params.get("code") ?? "");
  });
  assert.equal(issuer.count("token"), 0);
});

test("the redirect proxy forwards nothing without redirectProxyOrigins, and its error names the option", async () => {
  for (const origin of ["https://pr-1.preview.test", "http://pr-1.preview.test", "http://localhost:3000"]) {
    const { issuer, preview, proxy } = services(undefined, origin);
    const { params } = await issuer.consent(await preview.start());
    for (const answer of [params, { error: "access_denied", state: params.get("state") ?? "" }]) {
      await assert.rejects(() => proxy.finish(answer), (error: Error) => {
        assert.ok(error instanceof InvalidConfig, error.name);
        assert.match(error.message, /set `redirectProxyOrigins`/);
        return !error.message.includes(params.get("code") ?? "");
      });
    }
    assert.equal(issuer.count("token"), 0);
  }
});

test("a service that redirectProxyOrigins does not list starts no sign-in", async () => {
  const issuer = createIssuer();
  const preview = new Visit([issuer.provider()], {
    fetch: issuer.fetch,
    origin: "https://evil.test",
    redirectProxyUrl: "https://proxy.test/auth",
    redirectProxyOrigins: ["https://*.preview.test"],
  });
  await assert.rejects(() => preview.start(), InvalidConfig);
  assert.equal(preview.cookies.size, 0);
});

test("the redirect proxy signs in its own visitors", async () => {
  const { issuer, proxy } = services([]);
  assert.ok(await proxy.signIn(issuer));
});

test("the redirect proxy does not forward to itself", async () => {
  const { proxy } = services(["https://proxy.test"]);
  const claims = { origin: "https://proxy.test/auth/callback/idp" };
  const state = await proxy.config.sealer.seal(claims, { salt: "encodedState", maxAge: 900 });
  await assert.rejects(() => proxy.finish({ code: "c", state }), InvalidCheck);
});

test("a state sealed for another purpose or with another secret is not forwarded", async () => {
  const { proxy, preview } = services(["https://*.preview.test"]);
  const claims = { origin: "https://pr-1.preview.test/auth/callback/idp" };
  const stranger = new Visit([], {
    fetch: () => new Response(),
    secret: "another secret, also longer than thirty-two",
  });
  const states = [
    await preview.config.sealer.seal(claims, { salt: "authjs.state", maxAge: 900 }),
    await stranger.config.sealer.seal(claims, { salt: "encodedState", maxAge: 900 }),
    await preview.config.sealer.seal(claims, { salt: "encodedState", maxAge: -60 }),
    await preview.config.sealer.seal({ origin: 1 }, { salt: "encodedState", maxAge: 900 }),
    await preview.config.sealer.seal({}, { salt: "encodedState", maxAge: 900 }),
  ];
  for (const state of states) await assert.rejects(() => proxy.finish({ code: "c", state }), InvalidCheck);
});

test("a proxied state is forwarded for fifteen minutes, and for as long as clocks may differ", async () => {
  const { issuer, preview, proxy } = services(["https://*.preview.test"]);
  const { params } = await issuer.consent(await preview.start());
  proxy.runtime.advance(15 * 60 + CLOCK_TOLERANCE - 1);
  assert.ok(locationOf(await proxy.finish(params)).startsWith("https://pr-1.preview.test/"));
  proxy.runtime.advance(2);
  await assert.rejects(() => proxy.finish(params), InvalidCheck);
});

test("a proxied state opens in Auth.js: salt encodedState, the callback URL in origin", async () => {
  const { preview } = services(undefined);
  const state = new URL(await preview.start()).searchParams.get("state") ?? "";
  const claims = await preview.config.sealer.open(state, "encodedState");
  assert.equal(claims?.origin, "https://pr-1.preview.test/auth/callback/idp");
  assert.equal(typeof claims?.random, "string");
});
