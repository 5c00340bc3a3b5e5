import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth, type ProviderInput } from "@x/auth";
import { github } from "@x/auth/providers/github";
import { Browser, type Site } from "../_support/browser.ts";
import { password, testConfig } from "../_support/service.ts";

const ISSUER = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "c" } as const;

const WRONG = { username: "ada", password: "guess" };

/** The service, and an application that shows which of its pages was asked for. */
function open(config: AuthConfig = {}): Browser {
  const { handler } = createAuth(testConfig(config));
  const site: Site = (request) => {
    const { pathname } = new URL(request.url);
    return pathname.startsWith("/auth/") ? handler(request) : Promise.resolve(new Response("page of the application"));
  };
  return new Browser(site, { application: true });
}

test("a custom sign-in page gets the same parameters as the built-in one, and keeps its own", async () => {
  const browser = open({ pages: { signIn: "/login?theme=dark" } });
  await browser.open("/auth/signin?callbackUrl=/cart&error=OAuthCallbackError");
  assert.equal(browser.url.pathname, "/login");
  assert.deepEqual(Object.fromEntries(browser.url.searchParams), {
    theme: "dark",
    callbackUrl: "http://localhost:3000/cart",
    error: "OAuthCallbackError",
  });
});

/** Providers, and where the forms of the sign-in page may lead besides the site itself. */
const FORMS: Readonly<Record<string, readonly [providers: readonly ProviderInput[], formAction: readonly string[]]>> = {
  "without providers of OAuth": [[], []],
  "with GitHub": [[github({ clientId: "c", clientSecret: "s" })], ["https:"]],
  "with an issuer on this machine": [[{ ...ISSUER, issuer: "http://localhost:9000" }], [
    "https:",
    "http://localhost:9000",
  ]],
  "with an endpoint on this machine": [[{ ...ISSUER, authorization: "http://127.0.0.1:9000/authorize?a=1" }], [
    "https:",
    "http://127.0.0.1:9000",
  ]],
  "with an endpoint on this machine as an object": [
    [{ ...ISSUER, authorization: { url: "http://127.0.0.1:9000/authorize", params: { scope: "openid" } } }],
    ["https:", "http://127.0.0.1:9000"],
  ],
  "with metadata on this machine": [
    [{ ...ISSUER, issuer: undefined, wellKnown: "http://localhost:9000/.well-known/openid-configuration" }],
    ["https:", "http://localhost:9000"],
  ],
  "with two": [
    [{ ...ISSUER, issuer: "http://localhost:9000" }, { ...ISSUER, id: "two", issuer: "http://localhost:9001" }],
    ["https:", "http://localhost:9000", "http://localhost:9001"],
  ],
};

for (const [which, [providers, formAction]] of Object.entries(FORMS)) {
  test(`forms of the sign-in page may lead where its providers are: ${which}`, async () => {
    const { handler } = createAuth(testConfig({ providers: [password(), ...providers] }));
    for (const _ of ["first", "again"]) {
      const { headers } = await handler(new Request("https://app.test/auth/signin"));
      const policy = headers.get("content-security-policy")?.split("; ") ?? [];
      const [directive] = policy.filter((part) => part.startsWith("form-action"));
      assert.equal(directive, ["form-action", "'self'", ...formAction].join(" "));
    }
  });
}

test("a wrong password leads to a custom sign-in page", async () => {
  const browser = open({ pages: { signIn: "/login?theme=dark" } });
  const fields = { ...WRONG, csrfToken: await browser.csrf() };
  await browser.follow(await browser.post("/auth/callback/credentials", fields));
  assert.equal(browser.url.pathname, "/login");
  assert.deepEqual(Object.fromEntries(browser.url.searchParams), {
    theme: "dark",
    error: "CredentialsSignin",
    code: "credentials",
  });
});

test("custom pages replace sign-out and verify-request", async () => {
  const browser = open({ pages: { signOut: "/bye", verifyRequest: "/mail" } });
  assert.equal((await browser.open("/auth/signout")).url.pathname, "/bye");
  await browser.open("/auth/verify-request?provider=mail&type=email");
  assert.equal(browser.url.href, "http://localhost:3000/mail?provider=mail&type=email");
});
