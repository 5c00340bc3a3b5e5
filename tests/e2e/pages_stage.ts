/** A stage for pages: a browser that reaches one site alone, and says whatever happens on it that should not. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { CHALLENGE_SCRIPT } from "../../src/pages/challenge_script.ts";
import { PASSKEY_SCRIPT } from "../../src/pages/passkey_script.ts";
import { PASSWORD_SCRIPT } from "../../src/pages/password_script.ts";
import { SIGNALS_SCRIPT } from "../../src/pages/signals_script.ts";
import { HASTE } from "../_support/chromium.ts";

export const SITE = "https://app.test";

/** Answers requests for the site. */
export type Answer = (request: Request) => Response | Promise<Response>;

export interface Stage {
  readonly context: BrowserContext;
  /** Requests that left the site, dialogs, complaints of the browser. */
  readonly faults: string[];
  close(): Promise<void>;
}

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

export async function openStage(chromium: Browser, answer: Answer, options: ContextOptions = {}): Promise<Stage> {
  const context = await chromium.newContext(options);
  const faults: string[] = [];
  await context.route("**/*", async (route) => {
    const url = route.request().url();
    if (new URL(url).origin !== SITE) {
      faults.push(`asks ${url}`);
      return await route.abort();
    }
    const asked = new Request(url, { headers: route.request().headers() });
    const { status, headers, body } = await sent(await answer(asked));
    await route.fulfill({ status, headers, body });
  });
  context.on("weberror", (error) => faults.push(String(error.error())));
  context.on("console", (message) => {
    // The error page for somebody without access has such a status.
    const text = message.text();
    if (!HASTE.test(text) && !text.includes("responded with a status of 4")) faults.push(text);
  });
  context.on("page", (page) => {
    page.on("dialog", async (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
  });
  await context.addInitScript({ content: WATCH });
  return { context, faults, close: () => context.close() };
}

async function sent(response: Response): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() };
}

/** Answers with a page as the service does, with nothing but its policy to protect it. */
export function pageResponse({ html, csp }: { readonly html: string; readonly csp: string }): Response {
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": csp },
  });
}

// The browser runs this before anything of the page, whatever the policy says.
const WATCH = `
globalThis.seen = [];
for (const name of ["alert", "confirm", "prompt", "print", "open"]) globalThis[name] = () => { seen.push(name + "()"); };
document.addEventListener("securitypolicyviolation", (event) => {
  seen.push(event.violatedDirective + " " + event.blockedURI);
});`;

const TAGS =
  "html head meta title style body div main img h1 p hr form fieldset input button picture source span label a " +
  "bdi svg path script noscript progress section header h2 ul li nav dl dt dd code details summary";

const SCRIPTS = [PASSKEY_SCRIPT, PASSWORD_SCRIPT, CHALLENGE_SCRIPT, SIGNALS_SCRIPT];

/** What is in a window that nobody of ours wrote, and what it did. */
const LOOK_INTO = `({ document, seen, location }) => {
  const scripts = ${JSON.stringify(SCRIPTS)};
  const known = new Set("${TAGS}".split(" "));
  const found = [...seen];
  for (const element of document.querySelectorAll("*")) {
    if (!known.has(element.localName)) found.push("<" + element.localName + ">");
    for (const { name } of element.attributes) {
      if (/^on|^style$|^srcdoc$|^http-equiv$|^formaction$/.test(name)) found.push(element.localName + " " + name);
    }
  }
  // A field at an error takes the focus, and nothing else does.
  for (const element of document.querySelectorAll("[autofocus]:not(input[aria-invalid])")) {
    found.push(element.localName + " autofocus");
  }
  for (const { href, download } of document.links) {
    const isFile = download === "recovery-codes.txt" && href.startsWith("data:text/plain;charset=utf-8,");
    if (!/^https?:|^otpauth:/.test(href) && !isFile) found.push("leads to " + href);
  }
  for (const form of document.forms) {
    // A field may be called "action", and hide the form's own.
    const { href } = new URL(form.getAttribute("action"), location);
    if (!/^https?:/.test(href)) found.push("posts to " + href);
  }
  for (const { text } of document.scripts) if (!scripts.includes(text)) found.push("<script>" + text);
  return found.map((what) => location.pathname + ": " + what);
}`;

/** Tells what should not be on a page. */
export async function lookAround(page: Page): Promise<readonly string[]> {
  return await page.evaluate(`new Promise((done) => setTimeout(done)).then(() => (${LOOK_INTO})(window))`) as string[];
}

/** Shows several addresses of the site at once, much faster than one after the other. */
export function showTogether(paths: readonly string[]): Response {
  const frames = paths.map((path) => `<iframe src="${path}"></iframe>`).join("");
  return new Response(`<!DOCTYPE html>${frames}`, { headers: { "content-type": "text/html" } });
}

/** Takes away from a response what keeps it out of frames, and nothing else. */
export async function frameable(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.delete("x-frame-options");
  const policy = headers.get("content-security-policy");
  if (policy) {
    headers.set("content-security-policy", policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  }
  return new Response(await response.text(), { status: response.status, headers });
}

/** Tells what should not be in the pages that are shown together, and how many there are. */
export async function lookAroundAll(
  page: Page,
): Promise<{ readonly found: readonly string[]; readonly shown: number }> {
  const found = `Array.from(window, (frame) => frame).flatMap(${LOOK_INTO})`;
  const shown = `Array.from(window, ({ document }) => document).filter(({ URL }) => URL.startsWith("${SITE}/")).length`;
  return await page.evaluate(
    `new Promise((done) => setTimeout(done)).then(() => ({ found: ${found}, shown: ${shown} }))`,
  );
}
