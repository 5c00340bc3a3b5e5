/**
 * Tests of an application that uses this package: visitors, providers, emails and the time are in the hands of the test.
 * Nothing leaves it, and nothing in it runs outside of tests.
 *
 * @example Usage
 * ```ts
 * import assert from "node:assert/strict";
 * import { createAuth } from "@x/auth";
 * import { google } from "@x/auth/providers/google";
 * import { testAuth } from "@x/auth/testing";
 *
 * const world = testAuth((test) => {
 *   const { auth } = createAuth({ providers: [google()], ...test });
 *   return auth((_request, session) => new Response(`Hello ${session?.user?.name ?? "stranger"}`));
 * }, { allow: true });
 *
 * const ada = await world.visitor().signInAs({ name: "Ada" });
 * assert.equal(await (await ada.get("/")).text(), "Hello Ada");
 * ```
 *
 * @module
 */
import { createAuth } from "../src/auth.ts";
import type { AuthConfig } from "../src/contract/config.ts";
import type { AppSource } from "./kit/app.ts";
import { createWorld, type TestOptions, type World } from "./kit/world.ts";

export type { App, AppHandler, AppSource, TestConfig } from "./kit/app.ts";
export { Authenticator as VirtualAuthenticator } from "./kit/authenticator.ts";
export type {
  Algorithm,
  AuthenticatorOptions,
  Bytes,
  Cbor,
  CeremonyOptions,
  Forgery,
  Passkey,
  Sign,
} from "./kit/authenticator.ts";
export { Browser } from "./kit/browser.ts";
export type { AccountAct } from "../src/request/account_views.ts";
export type { AccountAnswer } from "./kit/account.ts";
export type { BrowserOptions, Fields, RequestOptions, Site } from "./kit/browser.ts";
export type { Span, TestClock } from "./kit/clock.ts";
export { CookieJar } from "./kit/cookie_jar.ts";
export type { Cookie, Trip } from "./kit/cookie_jar.ts";
export type { CypressCookie, PlaywrightCookie, StorageState } from "./kit/cookies_for.ts";
export { withFakeProviders } from "./kit/fake_providers.ts";
export type { FakeProvidersOptions } from "./kit/fake_providers.ts";
export type { Mail, Mailbox } from "./kit/mailbox.ts";
export type { NewMember, NewPassword } from "./kit/password.ts";
export type { Claims, Endpoint, FakeProvider, Override, RecordedRequest } from "./kit/provider.ts";
export type { Enrolled, EnrolOptions, VisitorProof } from "./kit/second_factor.ts";
export type { TestUser } from "./kit/sign_in_as.ts";
export { addVirtualAuthenticator } from "./kit/virtual_authenticator.ts";
export type {
  DevTools,
  PageAuthenticator,
  PageAuthenticatorOptions,
  PlaywrightPage,
} from "./kit/virtual_authenticator.ts";
export type { SignInAsOptions, VisitOptions, Visitor } from "./kit/visitor.ts";
export type { TestOptions, World } from "./kit/world.ts";

/**
 * Makes an application for a test. Its service keeps its callbacks, events and pages; providers, emails, storage, secrets,
 * the clock and the environment are those of the test. Its cookies are worth nothing elsewhere.
 *
 * @param app The configuration of a service, or a function that makes the application: it gets what to spread into its
 * configuration.
 * @throws {Error} if nothing says that this is a test: `NODE_ENV`, the runner, or the name of the file.
 */
export function testAuth(app: AuthConfig | AppSource, options: TestOptions = {}): World {
  if (typeof app === "function") return createWorld(app, options);
  const { basePath = "/auth" } = app;
  return createWorld((test) => {
    const { handler } = createAuth({ ...app, ...test });
    return (request) => {
      return isBelow(basePath, request) ? handler(request) : new Response(null, { status: 404 });
    };
  }, { ...options, basePath });
}

function isBelow(basePath: string, { url }: Request): boolean {
  return new URL(url).pathname.startsWith(`${basePath.replace(/\/$/, "")}/`);
}
