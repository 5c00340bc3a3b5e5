import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, type Callbacks, createAuth } from "@x/auth";
import { AuthError, CredentialsSignin } from "@x/auth/errors";
import { Browser } from "../_support/browser.ts";
import { type IdentityProvider, logIn, startIdentityProvider } from "../_support/identity_provider.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";

let idp: IdentityProvider;
before(async () => {
  idp = await startIdentityProvider();
});
after(() => idp.close());

function open(callbacks: Callbacks, config: AuthConfig = {}): Browser {
  const providers = [password(), idp.provider()];
  return new Browser(createAuth(testConfig({ providers, callbacks, ...config })).handler).allow(idp.issuer);
}

/** Signs in each way there is. */
async function signIn(browser: Browser, provider: string): Promise<Browser> {
  await browser.signIn(provider, provider === "credentials" ? ADA : {});
  return await logIn(browser);
}

test("callbacks.signIn may throw an error of the service, which is then shown as such", async () => {
  const callbacks: Callbacks = {
    signIn() {
      throw new CredentialsSignin("Cannot sign in: use another password");
    },
  };
  const browser = await signIn(open(callbacks), "credentials");
  assert.equal(browser.url.pathname, "/auth/signin");
  assert.equal(browser.url.searchParams.get("error"), "CredentialsSignin");
});

test("an error of the application's own type shows the page for what nobody foresaw, and is logged", async () => {
  class Frozen extends AuthError {
    override readonly type = "Frozen" as never;
  }
  const { logger, errors } = recordLog();
  const callbacks: Callbacks = {
    signIn() {
      throw new Frozen("Cannot sign in: the account is frozen");
    },
  };
  const { handler } = createAuth(testConfig({ providers: [password()], callbacks, logger }));
  const browser = new Browser(handler, { mayFail: true });
  await browser.signIn("credentials", ADA);
  assert.equal(browser.url.href, "http://localhost:3000/auth/error?error=Configuration");
  assert.equal(errors[0]?.message, "Cannot sign in: the account is frozen");
});
