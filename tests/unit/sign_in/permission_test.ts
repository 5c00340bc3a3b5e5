import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig, SignInCallbackParams } from "../../../src/contract/config.ts";
import { AccessDenied, CredentialsSignin } from "../../../src/kernel/errors.ts";
import type { SignInAttempt } from "../../../src/sign_in/attempt.ts";
import { completeSignIn } from "../../../src/sign_in/complete.ts";
import { askPermission } from "../../../src/sign_in/permission.ts";
import { vouchingFor } from "../../../src/sign_in/vouching.ts";
import { asRedirectUrl } from "../../../src/http/redirect_url.ts";
import { changed, testConfig, testContext } from "../_builders.ts";
import { witness } from "./_witness.ts";

type SignIn = NonNullable<NonNullable<AuthConfig["callbacks"]>["signIn"]>;

const user = { id: "1", name: "Ada" };
const credentials: SignInAttempt = {
  method: "credentials",
  user,
  account: { provider: "credentials", providerAccountId: "1", type: "credentials" },
  credentials: { pin: "1234" },
  hasPassword: true,
};
const params: SignInCallbackParams = { user, account: credentials.account };
const oauth: SignInAttempt = {
  method: "oauth",
  user,
  account: { provider: "idp", providerAccountId: "1", type: "oidc" },
  profile: { sub: "1" },
  linking: { addToUserId: null, storedTokens: {}, ...vouchingFor(witness(), {}, null) },
};

function contextWith(signIn?: unknown, others: AuthConfig = {}) {
  const callbacks = { ...others.callbacks, ...(signIn ? { signIn: signIn as SignIn } : {}) };
  return testContext("https://app.test/auth/callback/idp", {
    config: testConfig({ ...others, callbacks }),
    cookies: { "__Secure-authjs.callback-url": "https://app.test/x" },
  });
}

const home = asRedirectUrl("https://app.test/home", "https://app.test");
assert.ok(home);
const redirectUrl = home;

/** What the callback returns, and the result: signed in, denied or redirected. */
const ANSWERS: readonly (readonly [name: string, signIn: () => unknown, outcome: "enter" | "denied" | string])[] = [
  ["true", () => true, "enter"],
  ["a promise of true", () => Promise.resolve(true), "enter"],
  ["false", () => false, "denied"],
  ["a promise of false", () => Promise.resolve(false), "denied"],
  ["an empty text", () => "", "denied"],
  ["undefined", () => undefined, "denied"],
  ["null", () => null, "denied"],
  ["0", () => 0, "denied"],
  ["1", () => 1, "denied"],
  ["an object", () => ({}), "denied"],
  ["a list", () => ["/x"], "denied"],
  ["a Response", () => new Response(), "denied"],
  ["a path", () => "/denied", "https://app.test/denied"],
  ["a promise of a path", () => Promise.resolve("/denied?a=1"), "https://app.test/denied?a=1"],
  ["a URL of this site", () => "https://app.test/denied", "https://app.test/denied"],
  ["a URL of another site", () => "https://evil.test/x", "https://app.test/"],
  ["a script", () => "javascript:alert(1)", "https://app.test/"],
  ["the text true", () => "true", "https://app.test/true"],
  ["an error", () => {
    throw new Error("x");
  }, "denied"],
  ["something that is not an error", () => {
    throw "x";
  }, "denied"],
  ["a rejection", () => Promise.reject(new Error("x")), "denied"],
  ["a rejection of nothing", () => Promise.reject(), "denied"],
];

for (const attempt of [credentials, oauth]) {
  for (const [name, signIn, outcome] of ANSWERS) {
    const becomes = outcome === "enter"
      ? "is signed in"
      : outcome === "denied"
      ? "is refused"
      : `is sent to ${outcome}`;
    test(`somebody with ${attempt.method} ${becomes} when callbacks.signIn gives ${name}`, async () => {
      const ctx = contextWith(signIn);
      if (outcome === "denied") await assert.rejects(completeSignIn(ctx, attempt, redirectUrl), AccessDenied);
      else {
        const to = outcome === "enter" ? redirectUrl : outcome;
        assert.deepEqual(await completeSignIn(ctx, attempt, redirectUrl), { kind: "redirect", to, status: 302 });
      }
      const session = changed(ctx.cookies).set.includes("__Secure-authjs.session-token");
      assert.equal(session, outcome === "enter", "a session only for who is signed in");
    });
  }
}

test("askPermission() grants permission without a callback", async () => {
  assert.deepEqual(await askPermission(contextWith(), params), { act: "enter" });
});

test("callbacks.signIn gets what each method knows", async () => {
  const seen: SignInCallbackParams[] = [];
  const ctx = contextWith((params: SignInCallbackParams) => {
    seen.push(params);
    return true;
  });
  await completeSignIn(ctx, credentials, redirectUrl);
  await completeSignIn(ctx, oauth, redirectUrl);
  assert.deepEqual(seen, [
    { user, account: credentials.account, credentials: { pin: "1234" } },
    { user, account: oauth.account, profile: { sub: "1" } },
  ]);
});

test("askPermission() rethrows an AuthError and wraps any other error", async () => {
  const refusal = new CredentialsSignin("x");
  await assert.rejects(askPermission(contextWith(() => Promise.reject(refusal)), params), refusal);
  const fault = new TypeError("x");
  await assert.rejects(askPermission(contextWith(() => Promise.reject(fault)), params), (error) => {
    assert.ok(error instanceof AccessDenied);
    assert.equal(error.cause?.err, fault);
    return true;
  });
});

test("askPermission() passes a URL to callbacks.redirect", async () => {
  const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) =>
    `${baseUrl}/via?to=${encodeURIComponent(url)}`;
  const permission = await askPermission(contextWith(() => "/x", { callbacks: { redirect } }), params);
  assert.deepEqual(permission, { act: "redirect", to: "https://app.test/via?to=%2Fx" });
});

test("completeSignIn() sends one signIn event after the session is written, and clears the callback URL", async () => {
  const sent: unknown[] = [];
  const ctx: ReturnType<typeof contextWith> = contextWith(undefined, {
    events: {
      signIn(message) {
        sent.push([message, changed(ctx.cookies)]);
      },
    },
  });
  await completeSignIn(ctx, oauth, redirectUrl);
  assert.deepEqual(sent, [[
    { user, account: oauth.account, profile: { sub: "1" } },
    { set: ["__Secure-authjs.session-token"], removed: ["__Secure-authjs.callback-url"] },
  ]]);
});

test("completeSignIn() sends no event if nobody is signed in", async () => {
  for (const signIn of [() => false, () => "/x", () => Promise.reject(new Error("x"))]) {
    const sent: unknown[] = [];
    const ctx = contextWith(signIn, { events: { signIn: (message) => void sent.push(message) } });
    await completeSignIn(ctx, credentials, redirectUrl).catch(() => {});
    assert.deepEqual(sent, []);
  }
});

test("completeSignIn() sets no session cookie if the session cannot be made", async () => {
  const ctx = contextWith(undefined, { callbacks: { jwt: () => Promise.reject(new Error("x")) } });
  await assert.rejects(completeSignIn(ctx, credentials, redirectUrl));
  assert.deepEqual(changed(ctx.cookies).set, []);
});
