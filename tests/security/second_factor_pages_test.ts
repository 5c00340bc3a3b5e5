/** Somebody with a browser and no script: the pages of second factors, by their forms and links alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { createAuth } from "@x/auth";
import { secondFactor } from "../../src/second_factor.ts";
import { fromBase32, STEP, totpAt } from "../../src/second_factor/totp.ts";
import { readForms } from "../_support/forms.ts";
import { readSetCookie } from "../_support/cookie_jar.ts";
import { testConfig } from "../_support/service.ts";

const ORIGIN = "http://localhost:3000";

/** A browser that follows redirects and sends forms. */
class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #handler: (request: Request) => Promise<Response>;

  constructor(handler: (request: Request) => Promise<Response>) {
    this.#handler = handler;
  }

  async open(
    url: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; readonly html: string }> {
    const headers = new Headers({ accept: "text/html", "sec-fetch-site": "same-origin" });
    headers.set("cookie", [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    if (form) headers.set("origin", ORIGIN);
    const body = form && new URLSearchParams(form);
    const target = new URL(url, ORIGIN);
    const response = await this.#handler(
      new Request(target, { method: form ? "POST" : "GET", headers, ...(body && { body }) }),
    );
    for (const header of response.headers.getSetCookie()) {
      const { name, value, attributes } = readSetCookie(header);
      if (attributes.get("max-age") === "0" || value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location !== null && new URL(location, target).pathname.startsWith("/auth/")) return await this.open(location);
    if (location !== null) return { url: location, html: "" };
    return { url: target.href, html: await response.text() };
  }

  /** Sends the form whose field `act` has a value, with what somebody types. */
  async act(page: { readonly html: string }, act: string, typed: Readonly<Record<string, string>> = {}) {
    const form = readForms(page.html).find(({ fields }) => fields.act === act) ?? assert.fail(`no form for ${act}`);
    return await this.open(form.action, { ...form.fields, ...typed });
  }
}

test("without a script somebody is led to sign in, enrols, and is led back to where they were going", async () => {
  const links: string[] = [];
  const { handler } = createAuth(testConfig({
    adapter: memoryAdapter(),
    features: [secondFactor({ issuer: "Example" })],
    providers: [{
      id: "email",
      name: "Email",
      type: "email",
      sendVerificationRequest: ({ url }) => void links.push(url),
    }],
  }));
  const ada = new Browser(handler);
  const away = await ada.open("/auth/factors?callbackUrl=/admin");
  assert.match(away.url, /\/auth\/signin/);
  const email = readForms(away.html).find(({ action }) => action.endsWith("/signin/email")) ?? assert.fail("no form");
  await ada.open(email.action, { ...email.fields, email: "ada@example.com" });
  const list = await ada.open(links.at(-1) ?? assert.fail("no link"));
  assert.equal(list.url, `${ORIGIN}/auth/factors?callbackUrl=${encodeURIComponent(`${ORIGIN}/admin`)}`);

  const setup = await ada.act(list, "totp");
  assert.match(setup.html, /<svg class="qr"/);
  const [, key = ""] = /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(setup.html) ?? [];
  assert.match(setup.html, /otpauth:\/\/totp\/Example:ada%40example\.com\?secret=/);
  const wrong = await ada.act(setup, "confirm", { code: "12" });
  assert.ok(wrong.html.includes(key), "the same secret is shown again");
  const bytes = fromBase32(key) ?? assert.fail("no secret");
  const codes = await ada.act(wrong, "confirm", { code: await totpAt(bytes, Math.floor(Date.now() / 1000 / STEP)) });
  const shown = [...codes.html.matchAll(/<li><code>(\d+)-([A-Z2-7-]{14})<\/code><\/li>/g)];
  assert.equal(shown.length, 10, codes.html);
  const [, number = ""] = /code number <bdi>(\d+)<\/bdi>|code number (\d+)/.exec(codes.html)?.filter(Boolean) ?? [];
  const again = await ada.act(codes, "keep", { code: "no" });
  assert.doesNotMatch(again.html, /<li><code>/, "the codes are shown once");
  const end = shown.find(([, of]) => of === number)?.[2]?.slice(-4) ?? assert.fail(`no code ${number}`);
  const done = await ada.act(again, "keep", { code: end });
  assert.equal(done.url, `${ORIGIN}/admin`);
  const after = await ada.open("/auth/factors");
  assert.match(after.url, /\/auth\/factors$/);
  assert.equal(readForms(after.html).filter(({ fields }) => fields.act === "rename").length, 1);
});
