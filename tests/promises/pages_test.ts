/** What holds for every built-in page, also for one that is added: a page that is missing here does not compile. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ACCOUNT_EXAMPLES } from "../../scripts/account_examples.ts";
import { CHALLENGE_EXAMPLES, FACTORS_EXAMPLES } from "../../scripts/factor_examples.ts";
import { PASSWORD_EXAMPLES } from "../../scripts/password_examples.ts";
import { sourcesBelow } from "../../scripts/source_files.ts";
import { renderPage } from "../../src/pages/render.ts";
import type { ErrorPageKind, Page } from "../../src/request/outcome.ts";
import { TEXTS } from "../../src/texts/en.ts";
import { splitText } from "../../src/texts/texts.ts";
import {
  credentialsMethod,
  type Element,
  emailMethod,
  look,
  oauthMethod,
  passkeyMethod,
  readMarkup,
  signInPage,
} from "../unit/pages/_markup.ts";

type Named<Name extends Page["name"]> = readonly Extract<Page, { name: Name }>[];

const LINKS = { signInUrl: "https://app.test/auth/signin", siteUrl: "https://app.test/" };
const STATE = { csrfToken: "1", callbackUrl: "https://app.test/next" };
const ERRORS: Readonly<Record<ErrorPageKind, true>> = {
  Configuration: true,
  AccessDenied: true,
  Verification: true,
  WebAuthnVerificationError: true,
  NotFound: true,
  Default: true,
};
const METHODS = [
  oauthMethod("github", {}, "GitHub"),
  emailMethod(),
  credentialsMethod({ username: {}, password: { type: "password" } }),
  passkeyMethod(),
];

const WORK = { id: "proof-of-work", fields: { proofOfWork: "1.2.3.4" }, waits: 30 };
const SERVICE = {
  id: "turnstile",
  fields: {},
  widget: { className: "cf-turnstile", data: { sitekey: "1" }, script: "https://challenges.test/api.js" },
  origins: ["https://challenges.test"],
};

const signIn = (over: Parameters<typeof signInPage>[0] = {}) => {
  return signInPage({ methods: METHODS, siteUrl: LINKS.siteUrl, ...over }) as Extract<Page, { name: "signin" }>;
};

function passwordPages<Name extends "signup" | "reset" | "new-password">(name: Name): Named<Name> {
  return Object.values(PASSWORD_EXAMPLES).filter((page): page is Named<Name>[number] => page.name === name);
}

const PAGES: { readonly [Name in Page["name"]]: Named<Name> } = {
  signin: [
    signIn(),
    signIn({ methods: [] }),
    signIn({ lastUsed: "github", error: "OAuthAccountNotLinked" }),
    signIn({ purpose: "confirm", error: "SessionRequired" }),
    signIn({ purpose: "add-passkey" }),
    ...["EmailSignin", "CredentialsSignin", "OAuthCallbackError", "anything"].map((error) => signIn({ error })),
    signIn({ methods: METHODS.map((method) => method.type === "webauthn" ? { ...method, confirmUrl: "/c" } : method) }),
    ...["email", "credentials"].flatMap((provider) => {
      return [WORK, SERVICE].map((view) => signIn({ error: "anything", challenge: { provider, view } }));
    }),
  ],
  signout: [{ name: "signout", ...STATE, action: "https://app.test/auth/signout" }],
  "signed-out": [{ name: "signed-out", ...LINKS }],
  error: Object.keys(ERRORS).map((error) => ({ name: "error", error: error as ErrorPageKind, ...LINKS })),
  "verify-request": [
    { name: "verify-request", ...LINKS },
    { name: "verify-request", ...LINKS, sent: { to: "7@7.7", seconds: 600 } },
  ],
  challenge: Object.values(CHALLENGE_EXAMPLES),
  factors: Object.values(FACTORS_EXAMPLES),
  account: Object.values(ACCOUNT_EXAMPLES),
  signup: passwordPages("signup"),
  reset: passwordPages("reset"),
  "new-password": passwordPages("new-password"),
  "confirm-email": [{ name: "confirm-email", ...STATE, action: "https://app.test/a", email: "7@7.7", ...LINKS }],
};

const ALL: readonly Page[] = Object.values(PAGES).flat();

/** The texts of a language in which every text is dots around its values. */
const DOTS = Object.fromEntries(
  Object.entries(TEXTS).map(([key, text]) => {
    return [key, splitText(text).map((part) => part.startsWith("{") ? part : "·").join("")];
  }),
);

/** What people read or hear: the text of elements, and these attributes. */
const READ = ["alt", "aria-label", "content", "data-text", "label", "placeholder", "title"];

/** What is not a text: names that somebody chose, addresses, codes, keys, days, and numbers with their unit. */
const VALUES =
  /GitHub|Google|Apple|Ada Lovelace|Berlin|Firefox|Linux|Safari|iOS|Newsletter|Plan|Once a month|Send it|Save it|Free of charge|Work(?: phone)?|app\.test|7@7\.7|a…@example\.com|(?:\d+-)?ABCD-EFGH-\d{4}|(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}|[A-Z][a-z]{2} \d, \d{4}|\d+ (?:days|hours|minutes|seconds)/g;

async function elementsOf(page: Page): Promise<readonly Element[]> {
  const { html } = await renderPage(page, look({ texts: { "*": DOTS } }));
  return readMarkup(html);
}

test("every text of a page is one of src/texts, and so in every language", async () => {
  for (const page of ALL) {
    for (const { tag, attributes, text, path } of await elementsOf(page)) {
      // Styles, for browsers that run no script.
      if (tag === "noscript" && path.some((parent) => parent.tag === "head")) continue;
      if (tag === "script" || tag === "style" || tag === "html" || tag === "head" || tag === "meta") continue;
      const read = READ.map((name) => attributes.get(name) ?? "");
      const words = tag === "body" ? read : [...read, text];
      const left = words.join(" ").replaceAll(VALUES, "").match(/\p{L}+/gu);
      assert.equal(left, null, `${page.name}: <${tag}> has ${left?.join(", ")}`);
    }
  }
});

/** Where the forms of passkeys lead. */
function passkeyActions(page: Page): readonly string[] {
  if (page.name === "challenge") return page.method === "passkey" ? [page.action] : [];
  if (page.name !== "signin") return [];
  return page.methods.filter(({ type }) => type === "webauthn").map(({ action }) => action);
}

function isWithin({ path }: Element, parent: Element): boolean {
  return path.some((element) => element === parent);
}

test("every form of a page works without script, but for that of passkeys", async () => {
  for (const page of ALL) {
    const elements = await elementsOf(page);
    const actions = passkeyActions(page);
    for (const form of elements.filter(({ tag }) => tag === "form")) {
      const action = form.attributes.get("action") ?? "";
      if (actions.includes(action)) continue;
      assert.equal(form.attributes.get("method"), "post", action);
      assert.match(action, /^https:/);
      const own = elements.filter((element) => isWithin(element, form));
      assert.ok(!own.some(({ attributes }) => attributes.has("hidden") || attributes.has("disabled")), action);
      const buttons = own.filter(({ tag }) => tag === "button");
      assert.deepEqual(buttons.map(({ attributes }) => attributes.get("type")), ["submit"], action);
    }
    for (const button of elements.filter(({ tag }) => tag === "button")) {
      assert.ok(button.path.some(({ tag }) => tag === "form"), `${page.name}: a button does nothing`);
    }
    const scripts = elements.filter(({ tag }) => tag === "script");
    const challenges = page.name === "signin" && page.challenge ? 1 : 0;
    const secrets = elements.some(({ attributes }) => attributes.get("type") === "password") ? 1 : 0;
    assert.equal(scripts.length, (actions.length > 0 ? 1 : 0) + secrets + challenges, page.name);
  }
});

test("pages are made in src/pages, and nowhere else", () => {
  const others = sourcesBelow("src").filter((path) => !path.startsWith("src/pages/"));
  assert.deepEqual(others.filter((path) => path.endsWith(".tsx")), []);
  // What an email looks like, and the Content-Security-Policy of a frame that has no content.
  const markup = others.filter((path) =>
    /<(?:![Dd][Oo][Cc][Tt][Yy][Pp][Ee]|html|body|form|button|main)\b/.test(withoutComments(path))
  );
  assert.deepEqual(markup, ["src/mail/document.ts"]);
});

function withoutComments(path: string): string {
  return readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}
