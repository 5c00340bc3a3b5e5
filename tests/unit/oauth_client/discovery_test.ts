import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { authorizationServer, newerServer } from "../../../src/oauth_client/discovery.ts";
import type { OidcProvider } from "../../../src/contract/provider.ts";
import { inWorkers } from "../../_support/in_workers.ts";
import { createIssuer, type Issuer, json } from "../../_support/issuer.ts";
import { NOW, Visit, visit } from "../oauth/_flow.ts";

function ask(browser: Visit) {
  return authorizationServer(browser.config, browser.provider());
}

test("authorizationServer() sends one request for concurrent calls", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const servers = await Promise.all(Array.from({ length: 64 }, () => ask(browser)));
  assert.equal(issuer.count("discovery"), 1);
  assert.equal(new Set(servers).size, 1);
});

test("authorizationServer() caches for an hour, also with a new but equal configuration", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const first = await ask(browser);
  browser.runtime.advance(3599);
  assert.equal(await ask(browser), first);
  const again = visit(issuer);
  const { config } = browser;
  assert.equal(await authorizationServer(config, { ...again.provider() }), first);
  browser.runtime.advance(2);
  assert.notEqual(await ask(browser), first);
  assert.equal(issuer.count("discovery"), 2);
});

test("authorizationServer() caches by provider and by fetch", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const plain = await ask(browser);
  const other = await authorizationServer(browser.config, {
    ...browser.provider(),
    token: { url: "https://idp.test/token2", params: {}, handler: undefined },
  });
  assert.notEqual(other, plain);
  assert.equal(other.metadata.token_endpoint, "https://idp.test/token2");
  await ask(visit(issuer));
  assert.equal(issuer.count("discovery"), 3);
});

test("authorizationServer() drops its cache when the clock is set far back", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await ask(browser);
  browser.runtime.advance(-10 * 365 * 86400);
  await ask(browser);
  assert.equal(issuer.count("discovery"), 2);
});

test("authorizationServer() caches a failure for some seconds, and then tries again", async () => {
  const issuer = createIssuer();
  issuer.override("discovery", () => json({}, 404), 1);
  const browser = visit(issuer);
  await assert.rejects(() => ask(browser), OAuthProviderError);
  await assert.rejects(() => ask(browser), OAuthProviderError);
  browser.runtime.advance(4);
  await assert.rejects(() => ask(browser), OAuthProviderError);
  assert.equal(issuer.count("discovery"), 1);
  browser.runtime.advance(1);
  assert.ok(await ask(browser));
  assert.equal(issuer.count("discovery"), 2);
});

test("in Workers nobody waits for metadata that another request loads, and what one has loaded serves all", () => {
  return inWorkers(async () => {
    const issuer = createIssuer();
    const browser = visit(issuer);
    const never = () => new Promise<Response>(() => {});
    issuer.override("discovery", never, 1);
    void ask(browser).catch(() => {});
    const server = await ask(browser);
    assert.equal(await ask(browser), server);
    issuer.override("discovery", never, 1);
    void newerServer(browser.config, browser.provider(), server);
    const newer = await newerServer(browser.config, browser.provider(), server);
    assert.ok(newer && newer !== server);
    assert.equal(issuer.count("discovery"), 4);
  });
});

test("in Workers a failure to load metadata is cached, too", () => {
  return inWorkers(async () => {
    const issuer = createIssuer();
    issuer.override("discovery", () => json({}, 404));
    const browser = visit(issuer);
    for (let n = 0; n < 3; n++) await assert.rejects(() => ask(browser), OAuthProviderError);
    assert.equal(issuer.count("discovery"), 1);
  });
});

test("in Workers a failure that comes late does not take the place of what was loaded meanwhile", () => {
  return inWorkers(async () => {
    const issuer = createIssuer();
    const browser = visit(issuer);
    const late = Promise.withResolvers<Response>();
    issuer.override("discovery", () => late.promise, 1);
    const failed = assert.rejects(() => ask(browser), OAuthProviderError);
    const server = await ask(browser);
    late.resolve(json({}, 404));
    await failed;
    assert.equal(await ask(browser), server);
    assert.equal(issuer.count("discovery"), 2);
  });
});

test("64 concurrent sign-ins share one discovery and one request for keys", async () => {
  const issuer = createIssuer();
  const { runtime, config } = visit(issuer);
  const visits = Array.from({ length: 64 }, () => Object.assign(visit(issuer), { runtime, config }));
  const answers = await Promise.all(visits.map(async (browser) => await issuer.consent(await browser.start())));
  await Promise.all(visits.map((browser, at) => browser.finish(answers[at]?.params ?? {})));
  assert.equal(issuer.count("discovery"), 1);
  assert.equal(issuer.count("jwks"), 1);
  assert.equal(issuer.count("token"), 64);
});

const WELL_KNOWN = "https://idp.test/.well-known/openid-configuration";

const ISSUERS: readonly (readonly [configured: string, found: unknown, fits: boolean])[] = [
  ["https://idp.test", "https://idp.test", true],
  ["https://idp.test", "https://idp.test/", true],
  ["https://idp.test/", "https://idp.test", true],
  ["https://idp.test", "https://idp.test//", false],
  ["https://idp.test", "https://idp.test/?", false],
  ["https://idp.test", "https://evil.test", false],
  ["https://idp.test", "http://idp.test", false],
  ["https://idp.test", "https://idp.test/other", false],
  ["https://idp.test", "https://idp.test.evil.test", false],
  ["https://idp.test", "", false],
  ["https://idp.test", undefined, false],
  ["https://idp.test", 1, false],
  ["https://idp.test", ["https://idp.test"], false],
  ["https://idp.test", "https://idp.test/{tenantid}", false],
];

for (const [configured, found, fits] of ISSUERS) {
  test(`metadata of issuer ${JSON.stringify(found)} ${fits ? "fits" : "does not fit"} ${configured}`, async () => {
    const issuer = createIssuer({ metadata: { issuer: found } });
    const browser = visit(issuer, issuer.provider({ issuer: configured }));
    if (fits) assert.equal((await ask(browser)).metadata.issuer, found);
    else await assert.rejects(() => ask(browser), OAuthProviderError);
  });
}

test("iss of an id_token must be exactly the issuer of the metadata", async () => {
  const issuer = createIssuer({ metadata: { issuer: "https://idp.test/" } });
  const browser = visit(issuer, issuer.provider({ issuer: "https://idp.test" }));
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  issuer.claim({ iss: "https://idp.test/" });
  assert.ok(await browser.signIn(issuer));
});

test("metadata on a loopback address may use http", async () => {
  for (const url of ["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9000"]) {
    const issuer = createIssuer({ url });
    assert.ok(await visit(issuer).signIn(issuer), url);
  }
});

test("configured endpoints override discovered ones, and wellKnown the URL of the issuer", async () => {
  const issuer = createIssuer();
  const browser = visit(
    issuer,
    issuer.provider({ wellKnown: `${issuer.url}/.well-known/openid-configuration`, token: `${issuer.url}/token2` }),
  );
  assert.equal((await ask(browser)).metadata.token_endpoint, `${issuer.url}/token2`);
});

test("where there is nothing at wellKnown, the issuer is asked", async () => {
  const issuer = createIssuer();
  const server = await ask(visit(issuer, issuer.provider({ wellKnown: `${issuer.url}/elsewhere` })));
  assert.equal(server.metadata.token_endpoint, `${issuer.url}/token`);
  assert.deepEqual(issuer.requests.map(({ url }) => url), [`${issuer.url}/elsewhere`, WELL_KNOWN]);
  const without = visit(issuer, issuer.provider({ issuer: undefined, wellKnown: `${issuer.url}/elsewhere` }));
  await assert.rejects(() => ask(without), /there is no metadata at https:\/\/idp\.test\/elsewhere$/);
});

test("metadata that the issuer is asked for must name it, and only a 404 leads there", async () => {
  const wellKnown = "https://idp.test/elsewhere";
  const other = createIssuer({ metadata: { issuer: "https://evil.test" } });
  const message = /its `issuer` must be that of its metadata, "https:\/\/evil\.test"$/;
  await assert.rejects(() => ask(visit(other, other.provider({ wellKnown }))), message);
  for (const status of [200, 301, 400, 401, 403, 410, 500]) {
    const asked: string[] = [];
    const issuer = createIssuer();
    const runtime = async (request: Request) => {
      asked.push(request.url);
      return request.url === wellKnown ? json({}, status) : await issuer.fetch(request);
    };
    await assert.rejects(
      () => ask(new Visit([issuer.provider({ wellKnown })], { fetch: runtime })),
      OAuthProviderError,
    );
    assert.equal(asked.includes(WELL_KNOWN), false, String(status));
  }
  const nowhere = createIssuer();
  nowhere.override("discovery", () => json({}, 404));
  const both = /there is no metadata at https:\/\/idp\.test\/elsewhere or https:\/\/idp\.test\/\.well-known/;
  await assert.rejects(() => ask(visit(nowhere, nowhere.provider({ wellKnown }))), both);
});

test("a slash at the end of an issuer does not matter for its metadata, and its id_tokens must have the metadata's", async () => {
  for (const [configured, found] of [["/realm", "/realm/"], ["/realm/", "/realm"], ["/realm/", "/realm/"]] as const) {
    const issuer = createIssuer({ metadata: { issuer: `https://idp.test${found}` } });
    const fetch = async (request: Request) => {
      const { pathname } = new URL(request.url);
      if (pathname !== "/realm/.well-known/openid-configuration") return await issuer.fetch(request);
      return await issuer.fetch(new Request(WELL_KNOWN));
    };
    const browser = new Visit([issuer.provider({ issuer: `https://idp.test${configured}` })], { fetch });
    assert.equal((await ask(browser)).metadata.issuer, `https://idp.test${found}`);
    issuer.claim({ iss: `https://idp.test${found === "/realm" ? "/realm/" : "/realm"}` });
    await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
    issuer.claim({ iss: `https://idp.test${found}` });
    assert.ok(await browser.signIn(issuer));
  }
});

test("a provider without an issuer takes that of its metadata, and its id_tokens must match it", async () => {
  for (
    const issuerOfTokens of ["https://idp.test", "https://evil.test", "https://issuer.invalid", "https://idp.test/"]
  ) {
    const issuer = createIssuer();
    const browser = visit(issuer, issuer.provider({ issuer: undefined, wellKnown: WELL_KNOWN }));
    const { metadata, hasIssuer } = await ask(browser);
    assert.deepEqual([metadata.issuer, hasIssuer], ["https://idp.test", true]);
    issuer.claim({ iss: issuerOfTokens });
    if (issuerOfTokens === metadata.issuer) assert.ok(await browser.signIn(issuer));
    else await assert.rejects(() => browser.signIn(issuer), OAuthProviderError, issuerOfTokens);
  }
});

test("iss of a response must match the issuer of the metadata where the provider has none", async () => {
  for (const [iss, accepted] of [["https://idp.test", true], ["https://evil.test", false], ["", false]] as const) {
    const issuer = createIssuer();
    const browser = visit(issuer, issuer.provider({ issuer: undefined, wellKnown: WELL_KNOWN }));
    const { params } = await issuer.consent(await browser.start());
    params.set("iss", iss);
    if (accepted) await browser.finish(params);
    else await assert.rejects(() => browser.finish(params), OAuthProviderError, iss);
  }
});

test("metadata without an https issuer is refused where the provider has none", async () => {
  for (
    const found of ["http://idp.test", "idp.test", "ftp://idp.test", "https://u:p@idp.test", "", undefined, 1, null]
  ) {
    const issuer = createIssuer({ metadata: { issuer: found } });
    const browser = visit(issuer, issuer.provider({ issuer: undefined, wellKnown: WELL_KNOWN }));
    await assert.rejects(() => ask(browser), OAuthProviderError, String(found));
  }
});

test("a provider with all its endpoints needs no discovery, and gets a placeholder for its issuer", async () => {
  const issuer = createIssuer();
  const server = await ask(visit(issuer, issuer.oauthProvider()));
  assert.equal(server.metadata.issuer, "https://issuer.invalid");
  assert.equal(server.hasIssuer, false);
  assert.equal(server.keys, null);
  assert.equal(issuer.requests.length, 0);
});

const TENANT = "https://idp.test/{tenantid}/v2.0";

function tenants(metadataIssuer = TENANT): { issuer: Issuer; provider: OidcProvider } {
  const issuer = createIssuer({ metadata: { issuer: metadataIssuer } });
  const expectedIssuer = ({ tid }: Readonly<Record<string, unknown>>) => {
    return typeof tid === "string" && /^t\d$/.test(tid) ? `https://idp.test/${tid}/v2.0` : undefined;
  };
  return { issuer, provider: issuer.provider({ expectedIssuer }) };
}

test("where metadata is for many tenants, each id_token must have the issuer that expectedIssuer returns", async () => {
  const table = [
    [{ tid: "t1", iss: "https://idp.test/t1/v2.0" }, true],
    [{ tid: "t2", iss: "https://idp.test/t1/v2.0" }, false],
    [{ tid: "../evil", iss: "https://idp.test/../evil/v2.0" }, false],
    [{ tid: "common", iss: "https://idp.test/common/v2.0" }, false],
    [{ tid: undefined, iss: TENANT }, false],
    [{ tid: ["t1"], iss: "https://idp.test/t1/v2.0" }, false],
    [{ iss: "https://idp.test" }, false],
  ] as const;
  for (const [claims, accepted] of table) {
    const { issuer, provider } = tenants();
    issuer.claim(claims);
    const browser = visit(issuer, provider);
    if (accepted) assert.ok(await browser.signIn(issuer));
    else await assert.rejects(() => browser.signIn(issuer), OAuthProviderError, JSON.stringify(claims));
  }
});

test("an issuer that equals that of its metadata is compared exactly, whatever expectedIssuer returns", async () => {
  const { issuer, provider } = tenants("https://idp.test");
  issuer.claim({ tid: "t1", iss: "https://idp.test/t1/v2.0" });
  await assert.rejects(() => visit(issuer, provider).signIn(issuer), OAuthProviderError);
  issuer.claim({ tid: "t1", iss: "https://idp.test" });
  assert.ok(await visit(issuer, provider).signIn(issuer));
});

test("a template for issuers is refused if its origin is another one, or without expectedIssuer", async () => {
  const { issuer, provider } = tenants("https://evil.test/{tenantid}/v2.0");
  await assert.rejects(() => ask(visit(issuer, provider)), OAuthProviderError);
  const plain = createIssuer({ metadata: { issuer: TENANT } });
  await assert.rejects(() => ask(visit(plain)), OAuthProviderError);
});

test("iss of a tenant's response must be that of its id_token", async () => {
  for (
    const [iss, accepted] of [["https://idp.test/t1/v2.0", true], ["https://idp.test/t2/v2.0", false], [
      "https://evil.test",
      false,
    ]] as const
  ) {
    const { issuer, provider } = tenants();
    issuer.claim({ tid: "t1", iss: "https://idp.test/t1/v2.0", iat: NOW });
    const browser = visit(issuer, provider);
    const { params } = await issuer.consent(await browser.start());
    params.set("iss", iss);
    if (accepted) await browser.finish(params);
    else await assert.rejects(() => browser.finish(params), OAuthProviderError, iss);
  }
});

test("authorizationServer() gives frozen metadata, and each caller its own error", async () => {
  const { metadata } = await ask(visit(createIssuer()));
  assert.throws(() => Object.assign(metadata, { token_endpoint: "https://evil.test/" }), TypeError);
  const issuer = createIssuer();
  issuer.override("discovery", () => json({}, 404), 9);
  const browser = visit(issuer);
  const [first, second] = await Promise.allSettled([ask(browser), ask(browser)]);
  assert.ok(first.status === "rejected" && second.status === "rejected");
  assert.ok(first.reason instanceof OAuthProviderError && second.reason instanceof OAuthProviderError);
  assert.notEqual(first.reason, second.reason);
  assert.notEqual(first.reason.cause, second.reason.cause);
  assert.deepEqual(first.reason, second.reason);
});
