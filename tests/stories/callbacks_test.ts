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

for (const provider of ["credentials", "mock"]) {
  test(`callbacks.signIn lets somebody in with true, by ${provider}`, async () => {
    const browser = await signIn(open({ signIn: () => true }), provider);
    assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  });

  test(`callbacks.signIn keeps somebody out with false, by ${provider}`, async () => {
    const browser = await signIn(open({ signIn: () => false }), provider);
    assert.equal(browser.url.href, "http://localhost:3000/auth/error?error=AccessDenied");
    assert.equal(browser.status, 403);
    assert.equal(await browser.session(), null);
  });

  test(`callbacks.signIn sends somebody elsewhere with a URL, by ${provider}`, async () => {
    const browser = await signIn(open({ signIn: () => "/welcome?step=1" }), provider);
    assert.equal(browser.url.href, "http://localhost:3000/welcome?step=1");
    assert.equal(await browser.session(), null);
  });

  test(`callbacks.signIn keeps somebody out by throwing, by ${provider}`, async () => {
    const { logger, errors } = recordLog();
    const callbacks: Callbacks = {
      signIn() {
        throw new Error("blocked by policy 7");
      },
    };
    const browser = await signIn(open(callbacks, { logger }), provider);
    assert.equal(browser.url.href, "http://localhost:3000/auth/error?error=AccessDenied");
    assert.doesNotMatch(browser.html, /policy 7/);
    assert.match(JSON.stringify(errors[0]?.cause), /policy 7/);
  });
}

for (const answer of [undefined, null, 0, 1, "", {}]) {
  test(`callbacks.signIn that answers ${JSON.stringify(answer)} keeps somebody out`, async () => {
    const browser = await signIn(open({ signIn: () => answer as unknown as boolean }), "credentials");
    assert.equal(await browser.session(), null);
  });
}

test("callbacks.signIn may throw an error of the service, which is then shown as such", async () => {
  const callbacks: Callbacks = {
    signIn() {
      throw new CredentialsSignin("Cannot sign in: use the other door");
    },
  };
  const browser = await signIn(open(callbacks), "credentials");
  assert.equal(browser.url.pathname, "/auth/signin");
  assert.equal(browser.url.searchParams.get("error"), "CredentialsSignin");
});

test("callbacks.signIn is told who, with what, and what was typed or told", async () => {
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

test("callbacks.jwt is told of the sign-in, and afterwards only of the token", async () => {
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

test("callbacks.jwt that answers null at sign-in makes no session", async () => {
  const browser = await signIn(open({ jwt: () => null }), "credentials");
  assert.equal(browser.url.pathname, "/");
  assert.deepEqual(browser.cookies.names("session-token"), []);
});

test("callbacks.jwt that answers null later ends the session", async () => {
  const browser = await signIn(open({ jwt: ({ token, trigger }) => trigger ? token : null }), "credentials");
  assert.deepEqual(browser.cookies.names("session-token"), ["authjs.session-token"]);
  assert.equal(await browser.session(), null);
  assert.deepEqual(browser.cookies.names("session-token"), []);
});

test("callbacks.jwt that fails loses nobody's session", async () => {
  let fails = false;
  const browser = open({
    jwt({ token }) {
      if (fails) throw new Error("database is away");
      return token;
    },
  });
  await signIn(browser, "credentials");
  fails = true;
  assert.equal(await browser.session(), null);
  fails = false;
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("callbacks.session decides what the browser is told", async () => {
  const browser = open({
    jwt: ({ token, user }) => user ? { ...token, role: "admin", secretNote: "not for browsers" } : token,
    session: ({ session, token }) => ({ ...session, user: { id: token?.sub, name: token?.name }, role: token?.role }),
  });
  await signIn(browser, "credentials");
  const { expires: _, ...session } = await browser.session() ?? { expires: "" };
  assert.deepEqual(session, { user: { id: "1", name: "Ada Lovelace" }, role: "admin" });
});

test("callbacks.redirect may lead to other sites that it knows", async () => {
  const browser = open({
    redirect: ({ url, baseUrl }) => url.startsWith("https://shop.test/") ? url : baseUrl,
  });
  browser.allow("https://shop.test", () => Promise.resolve(new Response("shop")));
  await browser.signIn("credentials", ADA, { callbackUrl: "https://shop.test/cart" });
  assert.equal(browser.url.href, "https://shop.test/cart");
  await browser.signIn("credentials", ADA, { callbackUrl: "https://evil.test/" });
  assert.equal(browser.url.href, "http://localhost:3000/");
});

test("callbacks.redirect that fails or answers nonsense leads to the front page", async () => {
  const answers = [() => "javascript:alert(1)", () => undefined as unknown as string, () => {
    throw new Error("no idea");
  }];
  for (const redirect of answers) {
    const browser = await open({ redirect }).signIn("credentials", ADA, { callbackUrl: "/cart" });
    assert.equal(browser.url.href, "http://localhost:3000/");
  }
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
