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

test("callbacks.signIn gets the user, the account, and the profile or the credentials", async () => {
  const seen: unknown[] = [];
  const browser = open({
    signIn({ user, account, profile, credentials }) {
      seen.push([user.email, account?.provider, profile?.sub, credentials?.username]);
      return true;
    },
  });
  await signIn(browser, "credentials");
  await signIn(browser, "mock");
  assert.deepEqual(seen, [
    ["ada@example.com", "credentials", undefined, "ada"],
    ["ada@example.com", "mock", "ada", undefined],
  ]);
});

test("callbacks.jwt gets the sign-in once, and afterwards only the token", async () => {
  const seen: unknown[] = [];
  const browser = open({
    jwt({ token, user, account, profile, trigger }) {
      seen.push([trigger, user?.name, account?.provider, profile?.sub]);
      return token;
    },
  });
  await signIn(browser, "mock");
  await browser.session();
  assert.deepEqual(seen, [
    ["signIn", "Ada Lovelace", "mock", "ada"],
    [undefined, undefined, undefined, undefined],
  ]);
});

test("callbacks.session decides what the browser sees", async () => {
  const browser = open({
    jwt: ({ token, user }) => user ? { ...token, role: "admin", secretNote: "not for browsers" } : token,
    session: ({ session, token }) => ({ ...session, user: { id: token?.sub, name: token?.name }, role: token?.role }),
  });
  await signIn(browser, "credentials");
  const { expires: _, ...session } = await browser.session() ?? { expires: "" };
  assert.deepEqual(session, { user: { id: "1", name: "Ada Lovelace" }, role: "admin" });
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
