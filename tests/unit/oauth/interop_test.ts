/** What real authorization servers do differently: each test has a provider that does the same. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { AccessDenied, type AuthError, BadRequest, OAuthProviderError } from "../../../src/kernel/errors.ts";
import { redact } from "../../../src/kernel/redact.ts";
import type { OidcProvider } from "../../../src/contract/provider.ts";
import { CLIENT, createIssuer, type Issuer, json } from "../../_support/issuer.ts";
import { NOW, Visit, visit } from "./_flow.ts";

/** The `aud` of the assertion that the client was authenticated with. */
async function audienceOf(overrides: Partial<OidcProvider>, issuer: Issuer = createIssuer()): Promise<unknown> {
  await visit(issuer, issuer.provider(overrides)).signIn(issuer);
  const assertion = issuer.requests.find(({ endpoint }) => endpoint === "token")?.form.get("client_assertion") ?? "";
  return JSON.parse(atob(assertion.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "")).aud;
}

const KEYS = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);

for (
  const [method, key] of [["private_key_jwt", { clientPrivateKey: KEYS.privateKey }], [
    "client_secret_jwt",
    {},
  ]] as const
) {
  const client = { token_endpoint_auth_method: method };

  test(`the audience of an assertion (${method}) is the issuer, as one text`, async () => {
    assert.equal(await audienceOf({ client, token: { ...key } }), "https://idp.test");
  });

  test(`the audience of an assertion (${method}) can be chosen`, async () => {
    const choose = (clientAssertionAudience: string) =>
      audienceOf({ client, token: { ...key, clientAssertionAudience } });
    assert.equal(await choose("issuer"), "https://idp.test");
    assert.equal(await choose("token_endpoint"), "https://idp.test/token");
    assert.equal(await choose("https://other.test/realm"), "https://other.test/realm");
  });
}

const ODD: readonly unknown[] = [null, "", " ", "no url", "http://idp.test/x", 1, true, {}, [], "ftp://idp.test/x"];

test("an endpoint of the metadata that is not used does not matter", async () => {
  const unused = ["end_session_endpoint", "introspection_endpoint", "registration_endpoint", "check_session_iframe"];
  for (const value of ODD) {
    const metadata = Object.fromEntries([...unused, "userinfo_endpoint"].map((name) => [name, value]));
    const issuer = createIssuer({ metadata });
    await visit(issuer).signIn(issuer);
  }
});

for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"]) {
  test(`${name} of the metadata must be an https URL where it is used`, async () => {
    for (const value of ODD) {
      const issuer = createIssuer({ metadata: { [name]: value } });
      const browser = visit(issuer, issuer.provider(name === "userinfo_endpoint" ? { idToken: false } : {}));
      await assert.rejects(() => browser.signIn(issuer), (error: Error) => {
        assert.ok(error instanceof OAuthProviderError);
        assert.ok(error.message.includes(name), error.message);
        return true;
      });
    }
  });
}

test("an endpoint that is configured replaces one of the metadata that is not usable", async () => {
  const issuer = createIssuer({ metadata: { token_endpoint: null, userinfo_endpoint: "" } });
  await visit(issuer, issuer.provider({ token: `${issuer.url}/token` })).signIn(issuer);
});

test("null in the metadata is the same as nothing", async () => {
  const metadata = {
    code_challenge_methods_supported: null,
    id_token_signing_alg_values_supported: null,
    token_endpoint_auth_methods_supported: null,
    authorization_response_iss_parameter_supported: null,
  };
  const issuer = createIssuer({ metadata });
  await visit(issuer).signIn(issuer);
});

/** How the client was authenticated. */
function methodOf(issuer: Issuer): string {
  const { headers, form } = issuer.requests.find(({ endpoint }) => endpoint === "token") ?? { headers: new Headers() };
  if (headers.get("authorization")?.startsWith("Basic ")) return "client_secret_basic";
  if (form?.has("client_secret")) return "client_secret_post";
  if (form?.has("client_assertion")) {
    const [header = ""] = (form.get("client_assertion") ?? "").split(".");
    return JSON.parse(atob(header)).alg === "HS256" ? "client_secret_jwt" : "private_key_jwt";
  }
  return "none";
}

const SUPPORTED:
  readonly (readonly [what: string, supported: unknown, provider: Partial<OidcProvider>, method: string])[] = [
    ["nothing", undefined, {}, "client_secret_basic"],
    ["both", ["client_secret_post", "client_secret_basic"], {}, "client_secret_basic"],
    ["post only", ["client_secret_post"], {}, "client_secret_post"],
    ["post and keys", ["private_key_jwt", "client_secret_post"], {}, "client_secret_post"],
    ["assertions by secret only", ["client_secret_jwt"], {}, "client_secret_jwt"],
    ["nothing that is known", ["tls_client_auth", 1, null], {}, "client_secret_basic"],
    ["an empty list", [], {}, "client_secret_basic"],
    ["text", "client_secret_post", {}, "client_secret_basic"],
    ["public clients too", ["none", "client_secret_post"], {}, "client_secret_post"],
    ["public clients", ["none"], { clientSecret: undefined }, "none"],
    [
      "keys",
      ["client_secret_basic", "private_key_jwt"],
      { token: { clientPrivateKey: KEYS.privateKey } },
      "private_key_jwt",
    ],
    ["no keys", ["client_secret_post"], { token: { clientPrivateKey: KEYS.privateKey } }, "client_secret_post"],
    [
      "post only, and basic is configured",
      ["client_secret_post"],
      { client: { token_endpoint_auth_method: "client_secret_basic" } },
      "client_secret_basic",
    ],
  ];

for (const [what, supported, overrides, method] of SUPPORTED) {
  test(`where the metadata offers ${what}, the client authenticates by ${method}`, async () => {
    const issuer = createIssuer({ metadata: { token_endpoint_auth_methods_supported: supported } });
    await visit(issuer, issuer.provider(overrides)).signIn(issuer);
    assert.equal(methodOf(issuer), method);
  });
}

test("EdDSA is accepted with an at_hash of SHA-512 and of SHA-256, and no other", async () => {
  for (const alg of ["EdDSA", "Ed25519"]) {
    for (const [hash, half, accepted] of [["sha512", 32, true], ["sha256", 16, true], ["sha384", 24, false]] as const) {
      const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: [alg] } });
      issuer.rotate(alg);
      issuer.grant({ access_token: "an access token" });
      const digest = createHash(hash).update("an access token").digest();
      issuer.claim({ at_hash: digest.subarray(0, half).toString("base64url") });
      const browser = visit(issuer);
      if (accepted) await browser.signIn(issuer);
      else await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
    }
  }
});

test("at_hash of other algorithms has the hash of the algorithm only", async () => {
  const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["RS512"] } });
  issuer.rotate("RS512");
  issuer.grant({ access_token: "an access token" });
  issuer.claim({
    at_hash: createHash("sha256").update("an access token").digest().subarray(0, 16).toString("base64url"),
  });
  await assert.rejects(() => visit(issuer).signIn(issuer), OAuthProviderError);
});

const WELL_KNOWN = "/.well-known/openid-configuration";

/** Redirects the discovery along a chain of locations; the last one answers. */
function redirecting(
  issuer: Issuer,
  locations: readonly string[],
  status = 302,
): (request: Request) => Promise<Response> {
  const asked: string[] = [];
  return async (request) => {
    const { pathname, href } = new URL(request.url);
    if (pathname !== WELL_KNOWN && !pathname.startsWith("/moved")) return await issuer.fetch(request);
    asked.push(href);
    const location = locations[asked.length - 1];
    if (location !== undefined) return new Response(null, { status, headers: location ? { location } : {} });
    return await issuer.fetch(new Request(`${issuer.url}${WELL_KNOWN}`));
  };
}

const REDIRECTS: readonly (readonly [locations: readonly string[], followed: boolean])[] = [
  [["/moved"], true],
  [["https://idp.test/moved"], true],
  [["//idp.test/moved"], true],
  [["https://idp.test:443/moved"], true],
  [["/moved", "/moved2"], false],
  [["https://evil.test/moved"], false],
  [["//evil.test/moved"], false],
  [["http://idp.test/moved"], false],
  [["https://idp.test:8443/moved"], false],
  [["https://user@idp.test/moved"], false],
  [["https://idp.test.evil.test/moved"], false],
  [["https://["], false],
  [["javascript:alert(1)"], false],
  [[""], false],
];

for (const [locations, followed] of REDIRECTS) {
  test(`a discovery that redirects to ${locations.join(", then ")} is ${followed ? "followed" : "refused"}`, async () => {
    const issuer = createIssuer();
    const signIn = async (status: number) => {
      const fetch = redirecting(issuer, locations, status);
      return await new Visit([issuer.provider()], { fetch }).signIn(issuer);
    };
    for (const status of [301, 302, 303, 307, 308]) {
      if (followed) await signIn(status);
      else await assert.rejects(() => signIn(status), OAuthProviderError);
    }
    await assert.rejects(() => signIn(304), OAuthProviderError);
  });
}

test("no other request follows a redirect", async () => {
  for (const endpoint of ["jwks", "token", "userinfo"] as const) {
    const issuer = createIssuer();
    issuer.override(endpoint, () => new Response(null, { status: 307, headers: { location: `/${endpoint}` } }), 1);
    await assert.rejects(() => visit(issuer, issuer.provider({ idToken: false })).signIn(issuer), OAuthProviderError);
  }
});

test("parameters given as lists are repeated, and those that hold lists themselves are joined", async () => {
  const issuer = createIssuer();
  const params = {
    resource: ["https://one.test", "https://two.test"],
    scope: ["openid", "email"],
    acr_values: ["gold", "silver"],
    prompt: ["login", "consent"],
    ui_locales: ["de", "en"],
    claims: { id_token: { email: null } },
    audience: [],
  };
  issuer.claim({ acr: "gold" });
  const browser = visit(
    issuer,
    issuer.provider({
      authorization: { params },
      token: { params: { resource: ["https://one.test", "https://two.test"] } },
      userinfo: { params: { fields: ["a", "b"] } },
      idToken: false,
    }),
  );
  const sent = new URL(await browser.start()).searchParams;
  assert.deepEqual(sent.getAll("resource"), ["https://one.test", "https://two.test"]);
  assert.deepEqual(sent.getAll("scope"), ["openid email"]);
  assert.deepEqual(sent.getAll("acr_values"), ["gold silver"]);
  assert.deepEqual(sent.getAll("prompt"), ["login consent"]);
  assert.deepEqual(sent.getAll("ui_locales"), ["de en"]);
  assert.deepEqual(sent.getAll("claims"), ['{"id_token":{"email":null}}']);
  assert.equal(sent.has("audience"), false);
  await browser.signIn(issuer);
  const token = issuer.requests.find(({ url }) => url.includes("/token"));
  assert.deepEqual(new URL(token?.url ?? "").searchParams.getAll("resource"), params.resource);
  const userinfo = issuer.requests.find(({ url }) => url.includes("/userinfo"));
  assert.deepEqual(new URL(userinfo?.url ?? "").searchParams.getAll("fields"), ["a", "b"]);
});

test("an OpenID Provider is sent a nonce unless `checks` says otherwise, and must return it", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  assert.ok(new URL(await browser.start()).searchParams.get("nonce"));
  await browser.signIn(issuer);
  for (const nonce of [undefined, null, "", "another"]) {
    issuer.claim({ nonce });
    await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  }
  const without = visit(issuer, issuer.provider({ checks: ["pkce"] }));
  assert.equal(new URL(await without.start()).searchParams.has("nonce"), false);
  const plain = visit(issuer, issuer.oauthProvider());
  assert.equal(new URL(await plain.start()).searchParams.has("nonce"), false);
});

async function signInWith(browser: Visit, issuer: Issuer, params: Record<string, string>, wait = 0): Promise<void> {
  const { params: response } = await issuer.consent(await browser.start(params));
  browser.runtime.advance(wait);
  await browser.finish(response);
}

/** Refused for good: the person authenticated too long ago, or in too weak a way. */
async function denied(run: Promise<unknown>, text: RegExp): Promise<void> {
  await assert.rejects(run, (error: AuthError) => {
    assert.ok(error instanceof AccessDenied, `${error.type}: ${error.message}`);
    assert.match(error.message, text);
    return true;
  });
}

test("acr_values of one request are demanded of its id_token", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await signInWith(browser, issuer, {});
  await denied(signInWith(browser, issuer, { acr_values: "gold silver" }), /no acr.*"gold", "silver"/);
  for (const acr of ["bronze", "gold silver", "", 1, null, ["gold"]]) {
    issuer.claim({ acr });
    await denied(signInWith(browser, issuer, { acr_values: "gold silver" }), /acr/);
  }
  issuer.claim({ acr: "silver" });
  await signInWith(browser, issuer, { acr_values: "gold silver" });
  await signInWith(browser, issuer, {});
});

test("acr_values and max_age in the URL of authorization are demanded, too", async () => {
  const issuer = createIssuer();
  const authorization = `${issuer.url}/authorize?scope=openid&acr_values=gold&max_age=100`;
  const browser = visit(issuer, issuer.provider({ authorization }));
  issuer.claim({ acr: "silver", auth_time: NOW });
  await denied(signInWith(browser, issuer, {}), /"silver".*"gold"/);
  issuer.claim({ acr: "gold", auth_time: NOW - 131 });
  await denied(signInWith(browser, issuer, {}), /131 seconds/);
  issuer.claim({ auth_time: NOW });
  await signInWith(browser, issuer, {});
});

test("acr_values of one request do not replace those of the configuration", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer, issuer.provider({ authorization: { params: { acr_values: "gold silver" } } }));
  issuer.claim({ acr: "bronze" });
  await denied(signInWith(browser, issuer, { acr_values: "bronze" }), /"bronze".*"gold", "silver"/);
  issuer.claim({ acr: "silver" });
  await denied(signInWith(browser, issuer, { acr_values: "gold" }), /"silver".*"gold"/);
  issuer.claim({ acr: "gold" });
  await signInWith(browser, issuer, { acr_values: "gold" });
});

test("max_age of one request is demanded of its id_token, as of the start", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  issuer.claim({ auth_time: NOW - 131 });
  await signInWith(browser, issuer, {});
  await denied(signInWith(browser, issuer, { max_age: "100" }), /131 seconds.*100 seconds/);
  issuer.claim({ auth_time: NOW - 130 });
  await signInWith(browser, issuer, { max_age: "100" });
  for (const auth_time of [undefined, null, String(NOW)]) {
    issuer.claim({ auth_time });
    await assert.rejects(() => signInWith(browser, issuer, { max_age: "100" }), (error: AuthError) => {
      return ["AccessDenied", "OAuthProviderError"].includes(error.type);
    });
  }
});

test("a person who has just authenticated may take their time to consent", async () => {
  const issuer = createIssuer();
  for (const max_age of ["0", "1"]) {
    const browser = visit(issuer);
    issuer.claim({ auth_time: NOW + 5 });
    await signInWith(browser, issuer, { max_age }, 300);
  }
});

test("the strictest of the two values of max_age counts", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer, issuer.provider({ authorization: { params: { max_age: 1000 } } }));
  issuer.claim({ auth_time: NOW - 500 });
  await signInWith(browser, issuer, {});
  await denied(signInWith(browser, issuer, { max_age: "100" }), /100 seconds/);
  issuer.claim({ auth_time: NOW - 2000 });
  await denied(signInWith(browser, issuer, { max_age: "9999999" }), /1000 seconds/);
});

test("max_age of one request must be a number of seconds, and given once", async () => {
  const browser = visit(createIssuer());
  for (const max_age of ["", "-1", "1.5", "abc", " 1", "1e3", "99999999999"]) {
    await assert.rejects(() => browser.start({ max_age }), BadRequest, max_age);
  }
  await assert.rejects(() => browser.start(new URLSearchParams("max_age=1&max_age=2")), BadRequest);
  await assert.rejects(() => browser.start(new URLSearchParams("acr_values=a&acr_values=b")), BadRequest);
});

test("a provider that cannot meet acr_values refuses, and so is the person", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const state = new URL(await browser.start({ acr_values: "gold" })).searchParams.get("state") ?? "";
  await denied(browser.finish({ error: "unmet_authentication_requirements", state }), /authenticat/);
});

test("the tolerance for clocks is 30 seconds, or what is configured", async () => {
  for (const [clockTolerance, off] of [[undefined, 30], [0, 0], [120, 120]] as const) {
    const provider = clockTolerance === undefined ? {} : { clockTolerance };
    for (const change of [(by: number) => ({ nbf: NOW + by }), (by: number) => ({ iat: NOW + by, exp: NOW + 999 })]) {
      const issuer = createIssuer();
      const browser = visit(issuer, issuer.provider(provider));
      issuer.claim(change(off));
      await browser.signIn(issuer);
      issuer.claim(change(off + 1));
      await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
    }
  }
});

/** The error of a sign-in, as the log shows it. */
async function logged(browser: Visit, issuer: Issuer): Promise<string> {
  try {
    await browser.signIn(issuer);
  } catch (error) {
    const { message, cause } = error as AuthError;
    return `${redact(message)} ${JSON.stringify(redact({ cause }))}`;
  }
  throw new Error("the sign-in succeeded");
}

const AADSTS = "AADSTS50011: The redirect URI 'https://app.test/auth/callback/microsoft-entra-id' specified in the " +
  "request does not match the redirect URIs configured for the application '3b1a7c0e-59b4-4c5e-9f6c-0d7a1f2b3c4d'. " +
  `${
    "Make sure that it is registered. ".repeat(20)
  }Trace ID: 7e1c8a30-2f0e-4d0e-8a53-5a2d4a1f0b00 Timestamp: 2026-11-22 10:00:00Z`;

test("error and error_description of a token endpoint are logged whole", async () => {
  const issuer = createIssuer();
  issuer.override("token", () => json({ error: "invalid_request", error_description: AADSTS }, 400));
  const log = await logged(visit(issuer), issuer);
  assert.ok(log.includes(AADSTS), log);
  assert.ok(log.includes("invalid_request"));
});

test("error and error_description of an authorization response are logged whole, control characters escaped", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  const state = new URL(await browser.start()).searchParams.get("state") ?? "";
  const response = { error: "server error", error_description: `${AADSTS}\r\nforged: line\u001b[31m`, state };
  await assert.rejects(() => browser.finish(response), (error: AuthError) => {
    const { error: code, error_description: text } = redact(error.cause) as Record<string, string>;
    assert.equal(code, "server error");
    assert.equal(text, `${AADSTS}\\r\\nforged: line\\u001b[31m`);
    assert.equal(error.message.includes("AADSTS"), false);
    return true;
  });
});

test("a description that repeats what was sent shows no secret", async () => {
  const issuer = createIssuer();
  const sent: string[] = [];
  issuer.override("token", (request) => {
    return request.clone().text().then((body) => {
      const form = new URLSearchParams(body);
      sent.push(form.get("code") ?? "", form.get("code_verifier") ?? "", CLIENT.secret);
      return json({ error: "invalid_grant", error_description: `no: ${sent.join(" ")}` }, 400);
    });
  });
  const log = await logged(visit(issuer), issuer);
  assert.equal(sent.length, 3);
  for (const secret of sent) assert.equal(log.includes(secret), false, secret);
});

test("the log has the issuer that was found beside the one that was wanted", async () => {
  const issuer = createIssuer();
  issuer.claim({ iss: "https://idp.test/realms/other" });
  const log = await logged(visit(issuer), issuer);
  assert.ok(log.includes('"https://idp.test/realms/other"') && log.includes('"https://idp.test"'), log);
  const browser = visit(issuer);
  const { params } = await issuer.consent(await browser.start());
  params.set("iss", "https://idp.test/realms/third");
  await assert.rejects(() => browser.finish(params), (error: AuthError) => {
    return error.message.includes('"https://idp.test/realms/third"') && error.message.includes('"https://idp.test"');
  });
  const other = createIssuer({ metadata: { issuer: "https://idp.test/realms/x" } });
  assert.match(await logged(visit(other), other), /"https:\/\/idp\.test\/realms\/x".*"https:\/\/idp\.test"/);
});

test("the log says by how many seconds a clock is off", async () => {
  for (
    const [change, text] of [
      [{ nbf: NOW + 95 }, /`idp` is valid only in 95 s by this machine's clock \(.+Z against .+Z\): check the clock/],
      [{ exp: NOW - 3600 }, /expired 3600 s ago by this machine's clock/],
      [{ iat: NOW + 7200, exp: NOW + 9000 }, /was issued 7200 s in the future by this machine's clock/],
      [{ iat: NOW - 7200 }, /was issued 7200 s ago by this machine's clock/],
    ] as const
  ) {
    const issuer = createIssuer();
    issuer.claim(change);
    assert.match(await logged(visit(issuer), issuer), text);
  }
});

test("the log names an id_token that is encrypted", async () => {
  const issuer = createIssuer();
  issuer.rewrite(() => "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.AAAA.AAAA.AAAA.AAAA");
  assert.match(await logged(visit(issuer), issuer), /encrypted.*id_token_encrypted_response_alg/);
});

test("the log hints at client_secret_post where a provider refuses the client", async () => {
  const refuse = (issuer: Issuer) => issuer.override("token", () => json({ error: "invalid_client" }, 401));
  const issuer = createIssuer();
  refuse(issuer);
  assert.match(await logged(visit(issuer), issuer), /"client_secret_post"/);
  const silent = createIssuer();
  silent.override("token", () => new Response("Unauthorized", { status: 401 }));
  assert.match(await logged(visit(silent), silent), /"client_secret_post"/);
  // As Glewlwyd does, and others.
  for (
    const answer of [
      () => json({ error: "unauthorized_client" }, 400),
      () => json({ error: "unauthorized_client" }, 403),
      () => json({ error: "unauthorized_client" }),
      () => new Response(null, { status: 403 }),
      () => new Response("<h1>Bad request</h1>", { status: 400 }),
      () => json({}, 400),
    ]
  ) {
    const other = createIssuer();
    other.override("token", answer);
    assert.match(await logged(visit(other), other), /"client_secret_post"/);
  }
  const encoded = visit(issuer, issuer.provider({ clientSecret: "a+b/c:d" }));
  assert.match(await logged(encoded, issuer), /"client_secret_post": its `clientId` or `clientSecret` has characters/);
  const posting = visit(issuer, issuer.provider({ client: { token_endpoint_auth_method: "client_secret_post" } }));
  assert.equal((await logged(posting, issuer)).includes('"client_secret_post"'), false);
  const key = {
    client: { token_endpoint_auth_method: "private_key_jwt" },
    token: { clientPrivateKey: KEYS.privateKey },
  } as const;
  assert.match(await logged(visit(issuer, issuer.provider(key)), issuer), /clientAssertionAudience/);
});

test("the log hints at no other authentication where a provider refuses something else, or does not exist", async () => {
  for (
    const answer of [
      () => json({ error: "invalid_scope" }, 400),
      () => json({ error: "invalid_request" }, 403),
      () => new Response("Not found", { status: 404 }),
      () => new Response("Moved", { status: 410 }),
    ]
  ) {
    const issuer = createIssuer();
    issuer.override("token", answer);
    assert.equal((await logged(visit(issuer), issuer)).includes("client_secret_post"), false);
  }
});
