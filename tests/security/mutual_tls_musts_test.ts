/** What RFC 8705 demands of a client. Each row is metadata or a configuration that leads elsewhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidConfig, OAuthProviderError } from "../../src/kernel/errors.ts";
import type { ClientMetadata } from "../../src/contract/client_metadata.ts";
import { customFetch, type FetchLike, type OidcProvider } from "../../src/contract/provider.ts";
import { createIssuer, type Issuer, json } from "../_support/issuer.ts";
import { type Visit, visit } from "../unit/oauth/_flow.ts";

const BASE = "https://mtls.idp.test";

const ALIASES = { token_endpoint: `${BASE}/token`, userinfo_endpoint: `${BASE}/userinfo` };

const METHODS = ["tls_client_auth", "self_signed_tls_client_auth"] as const;

interface World {
  readonly issuer: Issuer;
  readonly browser: Visit;
  /** The origins that endpoints were asked at. */
  readonly asked: string[];
}

/** A provider with endpoints for clients that have a certificate. The double does not care at which origin it is asked. */
function serve(client: ClientMetadata, aliases: unknown = ALIASES, provider: Partial<OidcProvider> = {}): World {
  const issuer = createIssuer({ metadata: { ...(aliases !== undefined && { mtls_endpoint_aliases: aliases }) } });
  const asked: string[] = [];
  const fetch: FetchLike = async (input, init) => {
    const url = new URL(String(input));
    asked.push(`${url.hostname} ${url.pathname}`);
    return await issuer.fetch(new Request(`${issuer.url}${url.pathname}${url.search}`, init));
  };
  const options = { client, idToken: false, [customFetch]: fetch, ...provider };
  return { issuer, asked, browser: visit(issuer, issuer.provider(options)) };
}

const endpointsOf = ({ asked }: World): string[] => asked.filter((each) => /\/(?:token|userinfo)$/.test(each));

for (const method of METHODS) {
  test(`2: with ${method}, the request has the client_id, and neither a secret nor an assertion`, async () => {
    const world = serve({ token_endpoint_auth_method: method });
    await world.browser.signIn(world.issuer);
    const sent = world.issuer.requests.find(({ endpoint }) => endpoint === "token");
    assert.equal(sent?.form.get("client_id"), "client-1");
    assert.deepEqual([sent?.form.get("client_secret"), sent?.form.get("client_assertion")], [null, null]);
    assert.equal(sent?.headers.get("authorization"), null);
  });

  test(`2: ${method} is not chosen because the metadata offers it`, async () => {
    const issuer = createIssuer({ metadata: { token_endpoint_auth_methods_supported: [method] } });
    await visit(issuer).signIn(issuer);
    assert.match(
      issuer.requests.find(({ endpoint }) => endpoint === "token")?.headers.get("authorization") ?? "",
      /^Basic /,
    );
  });
}

const DEMANDS: readonly ClientMetadata[] = [
  ...METHODS.map((token_endpoint_auth_method) => ({ token_endpoint_auth_method })),
  { tls_client_certificate_bound_access_tokens: true },
  { use_mtls_endpoint_aliases: true },
];

for (const client of DEMANDS) {
  const what = JSON.stringify(client);
  test(`5: with ${what}, requests go to the aliases`, async () => {
    const world = serve(client);
    await world.browser.signIn(world.issuer);
    assert.deepEqual(endpointsOf(world), ["mtls.idp.test /token", "mtls.idp.test /userinfo"]);
  });

  test(`5: with ${what} and no alias, requests go to the usual endpoints`, async () => {
    for (
      const aliases of [false, null, {}, [], "x", { token_endpoint: null }, { other_endpoint: `${BASE}/token` }]
    ) {
      const world = serve(client, aliases);
      await world.browser.signIn(world.issuer);
      assert.deepEqual(endpointsOf(world), ["idp.test /token", "idp.test /userinfo"], JSON.stringify(aliases));
    }
  });

  test(`5: with ${what}, an alias that is no https URL is not replaced by the usual endpoint`, async () => {
    for (const url of ["http://mtls.idp.test/token", "", 1, "token", ["https://mtls.idp.test/token"]]) {
      const world = serve(client, { token_endpoint: url });
      await assert.rejects(() => world.browser.start(), (error: Error) => {
        return error instanceof OAuthProviderError && error.message.includes("`token_endpoint` in its metadata is not");
      });
      assert.deepEqual(endpointsOf(world), []);
    }
  });

  test(`2, 3: ${what} without a way to present a certificate is an error before anybody leaves`, async () => {
    const issuer = createIssuer();
    await assert.rejects(() => visit(issuer, issuer.provider({ client })).start(), (error: Error) => {
      return error instanceof InvalidConfig && error.message.includes("`customFetch`");
    });
  });
}

test("5: only clients with a certificate use the aliases", async () => {
  for (const client of [{}, { use_mtls_endpoint_aliases: false, token_endpoint_auth_method: "client_secret_post" }]) {
    const world = serve(client);
    await world.browser.signIn(world.issuer);
    assert.deepEqual(endpointsOf(world), ["idp.test /token", "idp.test /userinfo"]);
  }
});

test("5: aliases are only for what the client calls itself", async () => {
  const aliases = {
    ...ALIASES,
    authorization_endpoint: `${BASE}/authorize`,
    jwks_uri: `${BASE}/jwks`,
    issuer: BASE,
    end_session_endpoint: `${BASE}/end`,
  };
  const world = serve({ token_endpoint_auth_method: "tls_client_auth" }, aliases);
  assert.equal(new URL(await world.browser.start()).origin, world.issuer.url);
  await world.browser.signIn(world.issuer);
  assert.ok(world.asked.includes("idp.test /jwks"));
});

test("an endpoint that is configured is not replaced by an alias, and keeps its parameters", async () => {
  const token = { url: "https://idp.test/token", params: { tenant: "a" } };
  const world = serve({ token_endpoint_auth_method: "tls_client_auth" }, ALIASES, { token });
  await world.browser.signIn(world.issuer);
  assert.deepEqual(endpointsOf(world), ["idp.test /token", "mtls.idp.test /userinfo"]);
  const discovered = serve({ token_endpoint_auth_method: "tls_client_auth" }, ALIASES, {
    token: { params: { tenant: "a" } },
  });
  await discovered.browser.signIn(discovered.issuer);
  assert.ok(discovered.issuer.requests.some(({ url }) => url.endsWith("/token?tenant=a")));
  assert.deepEqual(endpointsOf(discovered), ["mtls.idp.test /token", "mtls.idp.test /userinfo"]);
});

test("two providers of one issuer, one of them with a certificate, do not share their endpoints", async () => {
  const issuer = createIssuer({ metadata: { mtls_endpoint_aliases: ALIASES } });
  const asked: string[] = [];
  const fetch: FetchLike = async (input, init) => {
    const url = new URL(String(input));
    if (url.pathname === "/token") asked.push(url.hostname);
    return await issuer.fetch(new Request(`${issuer.url}${url.pathname}`, init));
  };
  for (const client of [{}, { token_endpoint_auth_method: "tls_client_auth" }, {}]) {
    await visit(issuer, issuer.provider({ client, [customFetch]: fetch })).signIn(issuer);
  }
  assert.deepEqual(asked, ["idp.test", "mtls.idp.test", "idp.test"]);
});

test("the code is not sent to an alias that appeared, or changed, while the person was away", async () => {
  const client = { token_endpoint_auth_method: "tls_client_auth" };
  const before = serve(client, {});
  const { params } = await before.issuer.consent(await before.browser.start());
  const after = serve(client);
  for (const [name, value] of before.browser.cookies) after.browser.cookies.set(name, value);
  await assert.rejects(() => after.browser.finish(params), { message: /token endpoint has changed/ });
  assert.deepEqual(endpointsOf(after), []);
});

test("the log hints at the certificate where the provider refuses the client", async () => {
  const world = serve({ token_endpoint_auth_method: "tls_client_auth" });
  world.issuer.override("token", () => json({ error: "invalid_client" }, 401));
  await assert.rejects(() => world.browser.signIn(world.issuer), { message: /`customFetch` presents the certificate/ });
});
