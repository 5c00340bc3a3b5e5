/** What the stories say often. */
import assert from "node:assert/strict";
import type { Browser } from "../_support/browser.ts";
import type { Site } from "./_site.ts";

export type { Site };

/** A name that is a sentence, and what happens. */
export type Story = readonly [name: string, tell: (site: Site) => Promise<void>];

export const ADA = { username: "ada", password: "lovelace" };

/** Signs somebody in, and leads to the page of the application. */
export async function signedIn(site: Site, mayFail = false): Promise<Browser> {
  const browser = site.browser(mayFail);
  await browser.signIn("credentials", ADA, { callbackUrl: `${site.home}/` });
  assert.match(browser.html, /Hello /);
  assert.doesNotMatch(browser.html, /Hello stranger/);
  return browser;
}

/** Asserts who the page and the API of the application see. */
export async function assertSeen(site: Site, browser: Browser, name: string | null): Promise<void> {
  await browser.open(`${site.home}/`);
  assert.equal(browser.status, 200);
  assert.match(browser.html, new RegExp(`Hello ${name ?? "stranger"}<`));
  const user = await (await browser.get(`${site.home}/api/me`)).json();
  assert.equal(user?.name ?? null, name);
}

/** The lines that set or remove the cookie of the session. */
export function sessionCookies({ headers }: Response): string[] {
  return headers.getSetCookie().filter((line) => /^(?:__Secure-|__Host-)?authjs\.session-token/.test(line));
}

/** Reads a body to its end, so that its connection is free. */
export async function drain(response: Response): Promise<Response> {
  await response.arrayBuffer();
  return response;
}
