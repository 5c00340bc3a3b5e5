import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { CHALLENGE_EXAMPLES } from "../../scripts/factor_examples.ts";
import { renderPage } from "../../src/pages/render.ts";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { look, passkeyMethod, signInPage } from "../unit/pages/_markup.ts";
import { offerNothing, plugIn } from "./_passkeys.ts";
import { lookAround, openStage, pageResponse, SITE } from "./pages_stage.ts";
import type { ChallengePage } from "../../src/request/factor_views.ts";
import type { SignInMethod } from "../../src/request/outcome.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the script of the sign-in page");

/** What a browser can say of a ceremony, and what a person is told. */
const MESSAGES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["NotAllowedError", /cancelled, or this device has no passkey/],
  ["TimeoutError", /too long/],
  ["SecurityError", /do not work at this address/],
  ["InvalidStateError", /already has a passkey here/],
  ["NotSupportedError", /Try another way/],
  ["constructor", /Try another way/],
];

interface Options {
  /** What the site answers when it is asked how to begin. */
  readonly answer?: () => Response | Promise<Response>;
  readonly method?: SignInMethod;
  /** The page that asks for a second proof. */
  readonly proof?: ChallengePage;
  /** Runs before the page does. */
  readonly first?: string;
}

const OPTIONS = {
  challenge: "AAECAwQFBgcICQoLDA0ODw",
  timeout: 60_000,
  rpId: "app.test",
  rp: { id: "app.test", name: "app" },
  user: { id: "dXNlcg", name: "ada", displayName: "Ada" },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  userVerification: "preferred",
};

const PROOF: ChallengePage = {
  ...CHALLENGE_EXAMPLES["proof-passkey"],
  action: `${SITE}/auth/challenge`,
  passkeyOptions: { challenge: OPTIONS.challenge, timeout: 60_000, rpId: "app.test", userVerification: "required" },
};

const offer = (over: object = {}) => Response.json({ action: "authenticate", options: { ...OPTIONS, ...over } });

describe("the script of the sign-in page in Chromium", { skip }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(() => chromium?.close());

  /** Shows a sign-in page; gives what the site was asked, apart from the page. */
  async function visit(
    { answer = () => offer(), method = passkeyMethod(), proof = PROOF, first = "" }: Options,
    act: (page: Page, asked: readonly URL[]) => Promise<void>,
  ): Promise<void> {
    const asked: URL[] = [];
    const stage = await openStage(chromium, async ({ url, headers }) => {
      const { pathname } = new URL(url);
      if (headers.has("x-auth-return-redirect")) return Response.json({ url });
      if (pathname === "/") return pageResponse(await renderPage(signInPage({ methods: [method] }), look()));
      if (pathname === "/proof") return pageResponse(await renderPage(proof, look()));
      asked.push(new URL(url));
      if (pathname.startsWith("/auth/webauthn-options/")) return await answer();
      return new Response("<p>Arrived", { headers: { "content-type": "text/html" } });
    });
    try {
      await stage.context.addInitScript({ content: first });
      const page = await stage.context.newPage();
      await act(page, asked);
      const violations = (await lookAround(page)).filter((what) => what.includes("-src") || what.includes("types"));
      assert.deepEqual([...violations, ...stage.faults.filter((fault) => /Policy|asks/.test(fault))], []);
    } finally {
      await stage.close();
    }
  }

  const note = (page: Page) => page.getByRole("status");

  for (const [name, pattern] of MESSAGES) {
    test(`somebody reads what became of it: ${name}`, () => {
      const fail = `CredentialsContainer.prototype.get = async () => { throw new DOMException("x", "${name}"); };`;
      return visit({ first: fail }, async (page) => {
        await offerNothing(page);
        await page.goto(SITE);
        await page.getByRole("button", { name: "Sign in with" }).click();
        await note(page).filter({ hasText: pattern }).waitFor();
      });
    });
  }

  for (
    const [what, pattern, answer] of [
      ["cannot be reached", /cannot be reached/, () => Promise.reject(new Error())],
      ["refuses", /Try another way/, () => Response.json({ error: "Invalid request" }, { status: 400 })],
      [
        "answers with a page",
        /Try another way/,
        () => new Response("<p>", { headers: { "content-type": "text/html" } }),
      ],
    ] as const
  ) {
    test(`somebody reads what became of it: the site ${what}`, () =>
      visit({ answer: () => answer() }, async (page) => {
        await offerNothing(page);
        if (what === "cannot be reached") await page.route("**/webauthn-options/**", (route) => route.abort());
        await page.goto(SITE);
        await page.getByRole("button", { name: "Sign in with" }).click();
        await note(page).filter({ hasText: pattern }).waitFor();
      }));
  }

  test("who has been signed in for long is sent to sign in again", () => {
    const answer = () => Response.json({ error: "SessionRequired", url: `${SITE}/again` }, { status: 403 });
    return visit({ answer }, async (page) => {
      await offerNothing(page);
      await page.goto(SITE);
      await page.getByLabel("Email").fill("ada@example.com");
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await page.waitForURL(`${SITE}/again`);
    });
  });

  test("an address is asked for, and sent, only to create a passkey", () =>
    visit({ method: passkeyMethod({ email: { required: true }, name: {} }) }, async (page, asked) => {
      await offerNothing(page);
      await plugIn(page);
      await page.goto(SITE);
      await page.getByRole("button", { name: "Create a passkey" }).click();
      assert.deepEqual(asked, []);
      await page.getByLabel("email").fill("ada@example.com");
      await page.getByLabel("name").fill("Ada & co");
      await page.getByRole("button", { name: "Sign in with" }).click();
      await note(page).filter({ hasText: "cancelled" }).waitFor();
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await page.waitForURL(`${SITE}/auth/callback/passkey`);
      const [signIn, create] = asked.map(({ searchParams }) => Object.fromEntries(searchParams));
      assert.deepEqual(signIn, { action: "authenticate" });
      assert.deepEqual(create, { action: "register", email: "ada@example.com", name: "Ada & co" });
    }));

  test("fields with the names of a form's own members are harmless", () => {
    const names = [
      "submit",
      "elements",
      "dataset",
      "addEventListener",
      "querySelectorAll",
      "reportValidity",
      "id",
      "form",
    ];
    const method = passkeyMethod(Object.fromEntries(names.map((name) => [name, { value: "x" }])));
    return visit({ method }, async (page, asked) => {
      await offerNothing(page);
      await plugIn(page);
      await page.goto(SITE);
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await page.waitForURL(`${SITE}/auth/callback/passkey`);
      const { action: _, ...sent } = Object.fromEntries(asked[0]?.searchParams ?? []);
      assert.deepEqual(sent, Object.fromEntries(names.map((name) => [name, "x"])));
    });
  });

  test("what is sent is what an authenticator said, as base64url", () =>
    visit({}, async (page) => {
      await offerNothing(page);
      await plugIn(page);
      await page.goto(SITE);
      await page.getByLabel("Email").fill("ada@example.com");
      const sent = page.waitForRequest((request) => request.method() === "POST");
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await page.waitForURL(`${SITE}/auth/callback/passkey`);
      const fields = new URLSearchParams((await sent).postData() ?? "");
      assert.deepEqual([...fields.keys()], ["csrfToken", "callbackUrl", "action", "data", "email"]);
      assert.deepEqual([fields.get("action"), fields.get("csrfToken")], ["register", "token"]);
      const { id, rawId, type, response } = JSON.parse(fields.get("data") ?? "");
      assert.deepEqual([rawId, type], [id, "public-key"]);
      const said = JSON.parse(atob(response.clientDataJSON.replaceAll("-", "+").replaceAll("_", "/")));
      assert.deepEqual([said.type, said.challenge, said.origin], ["webauthn.create", OPTIONS.challenge, SITE]);
      assert.match(response.attestationObject, /^[\w-]+$/);
      assert.deepEqual(response.transports, ["internal"]);
    }));

  test("an offer of the browser ends with its time, and is made again with a new challenge", () =>
    visit({ answer: () => offer({ timeout: 200 }) }, async (page, asked) => {
      await plugIn(page, { isSomebodyThere: false });
      await page.goto(SITE);
      await page.waitForResponse((response) => response.url().includes("webauthn-options"));
      await page.waitForResponse((response) => response.url().includes("webauthn-options"));
      assert.ok(asked.length >= 2);
      assert.equal(await note(page).innerText(), "");
    }));

  test("an offer of the browser is made again when its tab is shown, because another may have begun since", () =>
    visit({}, async (page, asked) => {
      await plugIn(page, { isSomebodyThere: false });
      const isAsked = (response: { url(): string }) => response.url().includes("webauthn-options");
      await Promise.all([page.waitForResponse(isAsked), page.goto(SITE)]);
      await Promise.all([
        page.waitForResponse(isAsked),
        page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))"),
      ]);
      assert.equal(asked.length, 2);
    }));

  test("a button that is pressed before the browser can offer anything is not interrupted", () => {
    const first = "PublicKeyCredential.isConditionalMediationAvailable = () => new Promise((go) => { self.go = go; });";
    return visit({ first }, async (page, asked) => {
      await plugIn(page, { isSomebodyThere: false });
      await page.goto(SITE);
      await page.getByRole("button", { name: "Sign in with" }).click();
      await note(page).filter({ hasText: "Follow the steps" }).waitFor();
      await page.evaluate("void go(true)");
      await page.waitForTimeout(300);
      assert.equal(asked.length, 1);
    });
  });

  test("a time that is up is told as such, and not as a no", () =>
    visit({ answer: () => offer({ timeout: 200 }) }, async (page) => {
      await offerNothing(page);
      await plugIn(page, { isSomebodyThere: false });
      await page.goto(SITE);
      await page.getByRole("button", { name: "Sign in with" }).click();
      await note(page).filter({ hasText: "too long" }).waitFor();
    }));

  test("a button takes the place of an offer that is under way", () =>
    visit({}, async (page, asked) => {
      await plugIn(page, { isSomebodyThere: false });
      await page.goto(SITE);
      await page.waitForFunction("performance.getEntriesByType('resource').length > 0");
      await page.getByRole("button", { name: "Sign in with" }).click();
      await note(page).filter({ hasText: "Follow the steps" }).waitFor();
      await page.waitForTimeout(300);
      assert.match(await note(page).innerText(), /Follow the steps/);
      assert.equal(asked.length, 2);
    }));

  test("a browser without passkeys shows a sentence instead", () =>
    visit({ first: "delete self.PublicKeyCredential;" }, async (page, asked) => {
      await page.goto(SITE);
      assert.match(await note(page).innerText(), /need JavaScript and a browser that supports them/);
      assert.equal(await page.getByRole("button").count(), 0);
      assert.deepEqual(asked, []);
    }));

  test("a page that was loaded over http says that passkeys need a secure connection", () => {
    const first = "delete self.PublicKeyCredential; Object.defineProperty(self, 'isSecureContext', { value: false });";
    return visit({ first }, async (page, asked) => {
      await page.goto(SITE);
      assert.equal(await note(page).innerText(), "Passkeys need a secure connection.");
      assert.equal(await page.getByRole("button").count(), 0);
      assert.deepEqual(asked, []);
    });
  });

  test("a second proof: the page has all that the script needs, and the form is sent with what the key said", () =>
    visit({ answer: () => offer({ authenticatorSelection: { residentKey: "required" } }) }, async (page, asked) => {
      await offerNothing(page);
      await plugIn(page, { isUserVerified: true });
      await page.goto(SITE);
      await page.getByLabel("Email").fill("ada@example.com");
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await page.waitForURL(`${SITE}/auth/callback/passkey`);
      const before = asked.length;
      await page.goto(`${SITE}/proof`);
      await page.getByRole("checkbox", { name: "Do not ask again" }).check();
      const sent = page.waitForRequest((request) => request.method() === "POST");
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.waitForURL(`${SITE}/auth/challenge`);
      // Only the form itself: no options were asked for.
      assert.deepEqual(asked.slice(before).map(({ pathname }) => pathname), ["/auth/challenge"]);
      const { data = "", ...fields } = Object.fromEntries(new URLSearchParams((await sent).postData() ?? ""));
      assert.deepEqual(fields, { csrfToken: "token", callbackUrl: PROOF.callbackUrl, method: "passkey", trust: "1" });
      const { response } = JSON.parse(data);
      const said = JSON.parse(atob(response.clientDataJSON.replaceAll("-", "+").replaceAll("_", "/")));
      assert.deepEqual([said.type, said.challenge], ["webauthn.get", OPTIONS.challenge]);
    }));

  test("a second proof: who cancels reads so, and can try again or choose another way", () => {
    const fail =
      'CredentialsContainer.prototype.get = async () => { throw new DOMException("x", "NotAllowedError"); };';
    return visit({ first: fail }, async (page, asked) => {
      await page.goto(`${SITE}/proof`);
      for (let tries = 0; tries < 2; tries++) {
        await page.getByRole("button", { name: "Use a passkey" }).click();
        await note(page).filter({ hasText: "cancelled" }).waitFor();
      }
      assert.deepEqual(asked, []);
      assert.ok(await page.getByRole("link", { name: "Use an authenticator app" }).isVisible());
    });
  });

  test("a second proof: options without a time wait for the key", () => {
    const { timeout: _, ...passkeyOptions } = PROOF.passkeyOptions as typeof OPTIONS;
    return visit({ proof: { ...PROOF, passkeyOptions } }, async (page) => {
      await plugIn(page, { isSomebodyThere: false });
      await page.goto(`${SITE}/proof`);
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await note(page).filter({ hasText: "Follow the steps" }).waitFor();
      await page.waitForTimeout(300);
      assert.match(await note(page).innerText(), /Follow the steps/);
    });
  });
});
