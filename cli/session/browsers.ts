/**
 * A session cookie, as browsers under test take it.
 *
 * @module
 */
import type { TestSession } from "./test_session.ts";

/** Gives the value of a `Cookie` header. */
export function headerOf({ cookies }: TestSession): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Gives the option `storageState` of a context of Playwright. */
export function storageState(session: TestSession): object {
  const { domain, secure, expires } = attributesOf(session);
  const attributes = { domain, path: "/", expires, httpOnly: true, secure, sameSite: "Lax" };
  return { cookies: session.cookies.map(({ name, value }) => ({ name, value, ...attributes })), origins: [] };
}

/** Gives the arguments of `cy.setCookie()`. */
export function cypressCookies(session: TestSession): readonly object[] {
  const { domain, secure, expires } = attributesOf(session);
  const options = { domain, path: "/", expiry: expires, httpOnly: true, secure, sameSite: "lax" };
  return session.cookies.map(({ name, value }) => ({ name, value, options }));
}

function attributesOf({ url, expires }: TestSession) {
  const { hostname, protocol } = new URL(url);
  return { domain: hostname, secure: protocol === "https:", expires: Math.floor(Date.parse(expires) / 1000) };
}
