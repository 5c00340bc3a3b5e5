import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, skipCSRFCheck } from "../../../src/contract/config.ts";
import type { ProviderInput } from "../../../src/contract/provider.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { credentials } from "../../../src/providers/credentials.ts";
import { github } from "../../../src/providers/github.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import { webauthn } from "../../../src/providers/webauthn.ts";
import { respond } from "../../../src/service/respond.ts";
import { issueCsrfToken, listProviders } from "../../../src/views/data.ts";
import {
  builtInErrorPage,
  openErrorPage,
  openSignInPage,
  openSignOutPage,
  openVerifyRequestPage,
} from "../../../src/views/pages.ts";
import type { ResolvedProvider } from "../../../src/config/resolved_provider.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import type { RequestContext } from "../../../src/request/context.ts";
import type { ActiveSession } from "../../../src/session_stores/session_store.ts";
import { changed, testConfig, testContext } from "../_builders.ts";

const idp: ProviderInput = {
  id: "idp",
  name: "IdP",
  type: "oidc",
  issuer: "https://idp.test",
  clientId: "c",
  clientSecret: "canary",
};
const form = credentials({ credentials: { pin: { label: "PIN" } }, authorize: () => null });
const headless = credentials({ id: "headless", authorize: () => null });

const CSRF = "__Host-authjs.csrf-token";
const TARGET = "__Secure-authjs.callback-url";

function open(config: AuthConfig = {}, cookies: Readonly<Record<string, string>> = {}) {
  return testContext("https://app.test/auth/signin", {
    config: testConfig({ providers: [idp, form, headless], ...config }),
    cookies,
  });
}

const query = (text = "") => new URLSearchParams(text);

test("listProviders() lists every provider by id, with absolute URLs and no secrets", () => {
  const outcome = listProviders(open());
  assert.ok(outcome.kind === "json");
  const entry = (id: string, name: string, type: string) => ({
    id,
    name,
    type,
    signinUrl: `https://app.test/auth/signin/${id}`,
    callbackUrl: `https://app.test/auth/callback/${id}`,
  });
  assert.deepEqual(JSON.parse(JSON.stringify(outcome.body)), {
    idp: entry("idp", "IdP", "oidc"),
    credentials: entry("credentials", "Credentials", "credentials"),
    headless: entry("headless", "Credentials", "credentials"),
  });
});

test("listProviders() tells nothing of how buttons look", () => {
  const styled = { ...idp, style: { bg: "#123456", logo: "/canary.svg", mark: "M1 1h22v22H1z" } };
  const outcome = listProviders(open({ providers: [styled, github({ clientId: "id", clientSecret: "s" })] }));
  assert.ok(outcome.kind === "json");
  assert.doesNotMatch(JSON.stringify(outcome.body), /style|mark|canary|#123456|M1 1|M12/);
});

test("listProviders() answers without markup, whatever the names", async () => {
  const { config } = open({ providers: [credentials({ name: "</script>&\u2028\u2029", authorize: () => null })] });
  const outcome = listProviders(testContext("https://app.test/auth/providers", { config }));
  const response = await respond({ outcome, cookies: [], config, url: new URL("https://app.test") });
  const text = await response.text();
  assert.doesNotMatch(text, /[<>&\u2028\u2029]/);
  assert.equal(JSON.parse(text).credentials.name, "</script>&\u2028\u2029");
});

test("listProviders() gives each host its own URLs, and each service its own providers", () => {
  const first = testConfig({ providers: [idp] });
  const second = testConfig({ providers: [form] });
  const ask = (host: string, config: typeof first) => {
    const outcome = listProviders(testContext(`https://${host}/auth/providers`, { config }));
    return outcome.kind === "json" ? JSON.stringify(outcome.body) : "";
  };
  for (let round = 0; round < 2; round++) {
    for (const host of ["a.test", "b.test", "b.test"]) {
      assert.match(ask(host, first), new RegExp(`^{"idp":.*"https://${host}/auth/callback/idp"}}$`));
      assert.match(ask(host, second), new RegExp(`^{"credentials":.*"https://${host}/auth/callback/credentials"}}$`));
      assert.doesNotMatch(ask(host, second), /idp/);
    }
  }
});

test("whoever is given the list of providers cannot change the list of the next one", () => {
  const ctx = open();
  const list = () => {
    const outcome = listProviders(ctx);
    assert.ok(outcome.kind === "json");
    return outcome.body as Record<string, { callbackUrl: string }>;
  };
  const before = JSON.stringify(list());
  const given = list();
  Object.assign(given.idp ?? {}, { callbackUrl: "https://evil.test" });
  delete given.credentials;
  assert.equal(JSON.stringify(list()), before);
});

test("listProviders() sets no cookie", () => {
  const ctx = open();
  listProviders(ctx);
  assert.deepEqual(ctx.cookies.close(), []);
});

test("listProviders() lists a provider named like a member of every object", () => {
  const outcome = listProviders(open({ providers: [{ ...idp, id: "__proto__" }, { ...idp, id: "constructor" }] }));
  assert.ok(outcome.kind === "json");
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(outcome.body))), ["__proto__", "constructor"]);
});

test("listProviders() makes the URLs for the origin of the request", () => {
  const config = testConfig({ providers: [idp] });
  const listAt = (url: string) => JSON.stringify(listProviders(testContext(url, { config })));
  assert.match(listAt("https://a.test/auth/providers"), /"https:\/\/a\.test\/auth\/signin\/idp"/);
  assert.match(listAt("https://b.test/auth/providers"), /"https:\/\/b\.test\/auth\/signin\/idp"/);
  assert.match(listAt("http://a.test/auth/providers"), /"http:\/\/a\.test\/auth\/signin\/idp"/);
  assert.doesNotMatch(JSON.stringify(listProviders(open({ providers: [form] }))), /idp/);
});

test("issueCsrfToken() gives the token of the cookie it sets", async () => {
  const ctx = open();
  const outcome = await issueCsrfToken(ctx);
  assert.ok(outcome.kind === "json");
  const { csrfToken } = outcome.body as { csrfToken: string };
  assert.equal(ctx.cookies.close()[0]?.value.split("|")[0], csrfToken);
});

test("issueCsrfToken() answers 404 and removes the cookie where CSRF tokens are switched off", async () => {
  const ctx = open({ skipCSRFCheck }, { [CSRF]: "x" });
  assert.deepEqual(await issueCsrfToken(ctx), { kind: "refused", status: 404, message: "Not found" });
  assert.deepEqual(changed(ctx.cookies), { set: [], removed: [CSRF] });
});

test("openSignInPage() takes four parameters of the query and nothing else", async () => {
  const ctx = open();
  const asked =
    "callbackUrl=/x&error=CredentialsSignin&email=a@b.c&code=c&providers=p&csrfToken=t&theme=h&methods=m&name=n";
  const outcome = await openSignInPage(ctx, query(asked));
  assert.ok(outcome.kind === "page" && outcome.page.name === "signin" && outcome.status === 200);
  const { csrfToken, methods, ...others } = outcome.page;
  assert.deepEqual(others, {
    name: "signin",
    callbackUrl: "https://app.test/x",
    challenge: null,
    error: "CredentialsSignin",
    email: "a@b.c",
    failure: null,
    lastUsed: null,
    siteUrl: "https://app.test/",
  });
  assert.match(csrfToken ?? "", /^[0-9a-f]{64}$/);
  assert.deepEqual(methods.map(({ id }) => id), ["idp", "credentials"], "credentials without fields have no form");
  assert.deepEqual(changed(ctx.cookies).set, [TARGET, CSRF]);
});

test("openSignInPage() gives each form its URL and fields", async () => {
  const outcome = await openSignInPage(open(), query());
  assert.ok(outcome.kind === "page" && outcome.page.name === "signin");
  assert.deepEqual(outcome.page.methods, [
    { type: "oidc", id: "idp", name: "IdP", style: {}, action: "https://app.test/auth/signin/idp" },
    {
      type: "credentials",
      id: "credentials",
      name: "Credentials",
      style: {},
      fields: { pin: { label: "PIN" } },
      action: "https://app.test/auth/callback/credentials",
    },
  ]);
  assert.equal(outcome.page.callbackUrl, "https://app.test/");
});

test("openSignInPage() gives the script of a passkey form its URL, and shows no passkey form without fields", async () => {
  const providers = [idp, passkey(), webauthn({ formFields: {}, enableConditionalUI: false })];
  const outcome = await openSignInPage(open({ providers, adapter: memoryAdapter() }), query());
  assert.ok(outcome.kind === "page" && outcome.page.name === "signin");
  const [, shown, ...others] = outcome.page.methods;
  assert.deepEqual(others, []);
  assert.ok(shown?.type === "webauthn");
  assert.deepEqual([shown.id, shown.name, shown.autofill, Object.keys(shown.fields)], [
    ...["passkey", "Passkey", true],
    ["email"],
  ]);
  assert.equal(shown.action, "https://app.test/auth/callback/passkey");
  assert.equal(shown.optionsUrl, "https://app.test/auth/webauthn-options/passkey");
});

test("openSignInPage() shows a form without a token where tokens are switched off", async () => {
  const ctx = open({ skipCSRFCheck });
  const outcome = await openSignInPage(ctx, query());
  assert.ok(outcome.kind === "page" && outcome.page.name === "signin" && outcome.page.csrfToken === null);
  assert.deepEqual(ctx.cookies.close(), []);
});

const CUSTOM: readonly (readonly [signIn: string, asked: string, to: string])[] = [
  ["/in", "", "https://app.test/in?callbackUrl=https%3A%2F%2Fapp.test%2F"],
  ["/in?a=b", "callbackUrl=/x", "https://app.test/in?a=b&callbackUrl=https%3A%2F%2Fapp.test%2Fx"],
  [
    "/in",
    "error=CredentialsSignin&code=c",
    "https://app.test/in?callbackUrl=https%3A%2F%2Fapp.test%2F&error=CredentialsSignin&code=c",
  ],
  ["/in", "code=c", "https://app.test/in?callbackUrl=https%3A%2F%2Fapp.test%2F"],
  [
    "https://login.test/in",
    "callbackUrl=https://evil.test",
    "https://login.test/in?callbackUrl=https%3A%2F%2Fapp.test%2F",
  ],
];

for (const [signIn, asked, to] of CUSTOM) {
  test(`openSignInPage() redirects to ${to}`, async () => {
    const ctx = open({ pages: { signIn } });
    assert.deepEqual(await openSignInPage(ctx, query(asked)), { kind: "redirect", to, status: 302 });
    assert.ok(changed(ctx.cookies).set.includes(CSRF));
  });
}

/** A session that is found, or cannot be looked for. */
function withSession(ctx: RequestContext, find: RequestContext["sessions"]["find"]): RequestContext {
  return { ...ctx, request: ctx.request, sessions: { ...ctx.sessions, find } };
}

const FOUND = () => Promise.resolve({ strategy: "jwt", claims: {} } as unknown as ActiveSession);
const FAILING = () => Promise.reject(new AdapterError("away"));

test("openSignOutPage() says so to somebody who is not signed in", async () => {
  const ctx = open({}, { "__Secure-authjs.session-token": "x" });
  assert.deepEqual(await openSignOutPage(ctx, query()), {
    kind: "page",
    page: { name: "signed-out", signInUrl: "https://app.test/auth/signin", siteUrl: "https://app.test/" },
    status: 200,
  });
});

test("openSignOutPage() asks where nobody can tell whether somebody is signed in", async () => {
  const outcome = await openSignOutPage(withSession(open(), FAILING), query());
  assert.ok(outcome.kind === "page" && outcome.page.name === "signout");
});

test("openSignInPage() confirms or adds a passkey only for somebody who is signed in", async () => {
  const provider = passkeyProvider();
  const rows = [
    [FOUND, "SessionRequired", null, "confirm"],
    [FOUND, null, provider, "add-passkey"],
    [FOUND, "CredentialsSignin", provider, undefined],
    [FOUND, null, null, undefined],
    [FAILING, "SessionRequired", null, undefined],
    [FAILING, null, provider, undefined],
    [() => Promise.resolve(null), "SessionRequired", null, undefined],
    [() => Promise.resolve(null), null, provider, undefined],
  ] as const;
  for (const [find, error, at, purpose] of rows) {
    const asked = error ? `error=${error}` : "";
    const outcome = await openSignInPage(withSession(open(), find), query(asked), at);
    assert.ok(outcome.kind === "page" && outcome.page.name === "signin");
    assert.equal(outcome.page.purpose, purpose);
  }
});

function passkeyProvider(): ResolvedProvider {
  const config = testConfig({ providers: [passkey()], adapter: memoryAdapter() });
  return config.providers.get("passkey") ?? assert.fail();
}

test("openSignOutPage() asks, and does not end the session", async () => {
  const ctx = withSession(open({}, { "__Secure-authjs.session-token": "x" }), FOUND);
  const outcome = await openSignOutPage(ctx, query("callbackUrl=/bye"));
  assert.ok(outcome.kind === "page" && outcome.page.name === "signout");
  const { csrfToken: _, ...others } = outcome.page;
  assert.deepEqual(others, {
    name: "signout",
    action: "https://app.test/auth/signout",
    callbackUrl: "https://app.test/bye",
  });
  assert.deepEqual(changed(ctx.cookies), { set: [CSRF], removed: [] });
});

test("openSignOutPage() redirects to a custom page", async () => {
  const outcome = await openSignOutPage(open({ pages: { signOut: "/out?a=b" } }), query());
  assert.deepEqual(outcome, { kind: "redirect", to: "https://app.test/out?a=b", status: 302 });
});

const ERRORS: readonly (readonly [error: string | null, kind: string, status: number])[] = [
  ["Configuration", "Configuration", 500],
  ["AccessDenied", "AccessDenied", 403],
  ["Verification", "Verification", 403],
  ["Default", "Default", 200],
  ["WebAuthnVerificationError", "WebAuthnVerificationError", 403],
  ["<script>", "Default", 200],
  ["", "Default", 200],
  ["__proto__", "Default", 200],
  ["constructor", "Default", 200],
  ["toString", "Default", 200],
  ["configuration", "Default", 200],
  [null, "Default", 200],
];

for (const [error, kind, status] of ERRORS) {
  test(`openErrorPage() shows ${kind} with ${status} for ${JSON.stringify(error)}`, () => {
    const page = {
      name: "error",
      error: kind,
      signInUrl: "https://app.test/auth/signin",
      siteUrl: "https://app.test/",
    };
    assert.deepEqual(openErrorPage(open(), query(error === null ? "" : new URLSearchParams({ error }).toString())), {
      kind: "page",
      page,
      status,
    });
  });
}

test("openErrorPage() redirects to a custom page with the error, if there is one", () => {
  const ctx = open({ pages: { error: "/oops?a=b" } });
  assert.deepEqual(openErrorPage(ctx, query("error=AccessDenied&x=y")), {
    kind: "redirect",
    to: "https://app.test/oops?a=b&error=AccessDenied",
    status: 302,
  });
  assert.deepEqual(openErrorPage(ctx, query()), { kind: "redirect", to: "https://app.test/oops?a=b", status: 302 });
});

test("the error page links to the developer's sign-in page", () => {
  const outcome = builtInErrorPage(open({ pages: { signIn: "/in" } }), "AccessDenied");
  assert.ok(outcome.kind === "page" && outcome.page.name === "error");
  assert.equal(outcome.page.signInUrl, "https://app.test/in");
});

test("openVerifyRequestPage() shows the notice, or leads to the developer's page with what it reads", async () => {
  assert.deepEqual(await openVerifyRequestPage(open(), query("provider=email")), {
    kind: "page",
    page: {
      name: "verify-request",
      signInUrl: "https://app.test/auth/signin",
      siteUrl: "https://app.test/",
      sent: null,
    },
    status: 200,
  });
  assert.deepEqual(
    await openVerifyRequestPage(open({ pages: { verifyRequest: "/mail" } }), query("a&provider=email&b=c&type=email")),
    {
      kind: "redirect",
      to: "https://app.test/mail?provider=email&type=email",
      status: 302,
    },
  );
});
