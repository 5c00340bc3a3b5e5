import { test } from "node:test";
import assert from "node:assert/strict";
import { renderPage } from "../../../src/pages/render.ts";
import {
  all,
  byClass,
  credentialsMethod,
  emailMethod,
  forms,
  look,
  oauthMethod,
  only,
  passkeyMethod,
  readMarkup,
  signInPage,
} from "./_markup.ts";
import type { ErrorPageKind, Page, SignInMethod } from "../../../src/request/outcome.ts";

const LINKS = { signInUrl: "https://app.test/auth/signin", siteUrl: "https://app.test" };

const CONFIRM = {
  name: "confirm-email",
  csrfToken: "t",
  action: "https://app.test/auth/callback/email?token=0f",
  callbackUrl: "https://app.test/next",
  email: "ada@example.com",
  siteUrl: "https://app.test",
} as const;

async function htmlOf(page: Page, theme = {}): Promise<string> {
  return (await renderPage(page, look({ theme }))).html;
}

async function alertFor(error: string | null): Promise<string | undefined> {
  const html = await htmlOf(signInPage({ error }));
  return readMarkup(html).find(({ attributes }) => attributes.get("role") === "alert")?.text;
}

const EVERY_PAGE: readonly (readonly [Page, string])[] = [
  [signInPage({ methods: [oauthMethod(), credentialsMethod({ username: {} })] }), "Sign in to app.test"],
  [
    { name: "signout", csrfToken: "t", action: "https://app.test/auth/signout", callbackUrl: "/" },
    "Sign out of app.test",
  ],
  [{ name: "signed-out", ...LINKS }, "You are signed out"],
  [signInPage({ purpose: "confirm", error: "SessionRequired" }), "Confirm it’s you"],
  [signInPage({ purpose: "add-passkey", methods: [oauthMethod()] }), "Add a passkey"],
  [{ name: "error", error: "Default", ...LINKS }, "Error: Something went wrong"],
  [{ name: "verify-request", ...LINKS }, "Check your email"],
  [CONFIRM, "Sign in to app.test?"],
];

for (const [page, title] of EVERY_PAGE) {
  test(`renderPage() gives the ${page.name} page "${title}" its title, a landmark and one heading`, async () => {
    const html = await htmlOf(page);
    assert.equal(only(html, "title").text, title);
    assert.equal(only(html, "html").attributes.get("lang"), "en");
    assert.equal(only(html, "h1").path.at(-1)?.tag, "main");
    assert.equal(only(html, "main").path.at(-1)?.attributes.get("class"), "page");
    assert.equal(only(html, "body").attributes.get("class"), "__next-auth-theme-auto");
    assert.equal(all(html, "meta")[0]?.attributes.get("charset"), "utf-8");
  });

  test(`renderPage() makes the ${page.name} page "${title}" without script, style attributes or a second source`, async () => {
    const elements = readMarkup(await htmlOf(page));
    assert.ok(!elements.some(({ tag }) => ["script", "link", "iframe", "base", "object"].includes(tag)));
    assert.ok(!elements.some(({ attributes }) => [...attributes.keys()].some((name) => /^on|^style$/.test(name))));
    assert.deepEqual(elements.filter(({ attributes }) => attributes.has("src")), []);
  });
}

for (const colorScheme of ["auto", "dark", "light"] as const) {
  test(`renderPage() sets the ${colorScheme} colour scheme`, async () => {
    const html = await htmlOf(signInPage(), { colorScheme });
    assert.equal(only(html, "body").attributes.get("class"), `__next-auth-theme-${colorScheme}`);
    const meta = all(html, "meta").find(({ attributes }) => attributes.get("name") === "color-scheme");
    assert.equal(meta?.attributes.get("content"), colorScheme === "auto" ? "light dark" : colorScheme);
  });
}

test("renderPage() asks robots to stay away", async () => {
  const metas = all(await htmlOf(signInPage()), "meta");
  assert.ok(
    metas.some(({ attributes }) => attributes.get("name") === "robots" && attributes.get("content") === "noindex"),
  );
});

test("renderPage() shows a button for each provider, whose form posts csrfToken and callbackUrl", async () => {
  const html = await htmlOf(signInPage({ methods: [oauthMethod(), oauthMethod("google", {}, "Google")] }));
  assert.deepEqual(all(html, "button").map(({ text }) => text), ["Sign in with GitHub", "Sign in with Google"]);
  assert.deepEqual(
    forms(html),
    ["github", "google"].map((id) => ({
      action: `https://app.test/auth/signin/${id}`,
      inputs: { csrfToken: "token", callbackUrl: "https://app.test/next" },
    })),
  );
  assert.deepEqual(all(html, "form").map(({ attributes }) => attributes.get("method")), ["post", "post"]);
});

test("renderPage() leaves out the CSRF token where there is none", async () => {
  const signOut: Page = { name: "signout", csrfToken: null, action: "https://app.test/auth/signout", callbackUrl: "/" };
  const signIn = signInPage({ csrfToken: null, methods: [oauthMethod(), credentialsMethod({})] });
  for (const page of [signOut, signIn]) {
    for (const { inputs } of forms(await htmlOf(page))) assert.deepEqual(Object.keys(inputs), ["callbackUrl"]);
  }
});

test("renderPage() says so when there is no way to sign in", async () => {
  const html = await htmlOf(signInPage());
  assert.equal(byClass(html, "lead").length, 1);
  assert.equal(all(html, "form").length, 0);
});

test("renderPage() sets forms with fields apart from their neighbours", async () => {
  const form = credentialsMethod({ username: {} });
  const button = oauthMethod();
  const rows = [[[button, button], 0], [[form], 0], [[button, form], 1], [[button, form, button], 2], [
    [form, form],
    1,
  ]];
  for (const [methods, lines] of rows as [typeof form[], number][]) {
    assert.equal(all(await htmlOf(signInPage({ methods })), "hr").length, lines);
  }
});

test("renderPage() shows no error box when there is no error", async () => {
  assert.equal(await alertFor(null), undefined);
});

test("renderPage() has one text for each class of sign-in errors", async () => {
  const classes = [
    ["Signin", "OAuthSignin", "OAuthCallbackError", "OAuthCreateAccount", "EmailCreateAccount", "Callback"],
    ["OAuthAccountNotLinked", "AccountNotLinked"],
    ["EmailSignin"],
    ["CredentialsSignin"],
    ["SessionRequired"],
    ["MissingCSRF", "Nonsense", ""],
  ];
  const texts = await Promise.all(classes.map(async (errors) => {
    const [first, ...others] = await Promise.all(errors.map(alertFor));
    assert.ok(others.every((text) => text === first));
    return first;
  }));
  assert.ok(texts.every(Boolean));
  assert.equal(new Set(texts).size, classes.length);
});

for (const error of ["__proto__", "constructor", "toString", "hasOwnProperty", "size", "get"]) {
  test(`renderPage() answers the made-up error ${error} with the generic text`, async () => {
    assert.equal(await alertFor(error), await alertFor("Nonsense"));
    const page = { name: "error", error: error as ErrorPageKind, ...LINKS } as const;
    assert.equal(await htmlOf(page), await htmlOf({ ...page, error: "Default" }));
  });
}

test("renderPage() begins the title with the error", async () => {
  assert.equal(
    only(await htmlOf(signInPage({ error: "CredentialsSignin" })), "title").text,
    "Error: Sign in to app.test",
  );
});

test("renderPage() shows many ways of signing in as a compact list of names with initials", async () => {
  const few = Array.from({ length: 6 }, (_, index) => oauthMethod(`p${index}`, {}, `name ${index}`));
  for (const methods of [few, [emailMethod(), ...few, credentialsMethod({})]]) {
    assert.equal(byClass(await htmlOf(signInPage({ methods })), "many").length, 0);
  }
  const html = await htmlOf(
    signInPage({ methods: [...few, oauthMethod("l", { logo: "/l.svg" }), credentialsMethod({})] }),
  );
  assert.equal(byClass(html, "many").length, 1);
  const buttons = all(html, "button");
  assert.equal(buttons[0]?.text, "Sign in with name 0");
  assert.deepEqual(buttons.slice(5).map(({ attributes }) => attributes.get("data-initial")), [
    "N",
    undefined,
    undefined,
  ]);
});

for (
  const [name, initial] of [
    ["github", "G"],
    ["42 School", "4"],
    ["  .NET", "N"],
    ["«Élan»", "É"],
    ["e\u0301lan", "É"],
    ["ßtaat", "ß"],
    ["ŉ", "ŉ"],
    ["هيئة الحكومة", "ه"],
    ["\u202eמשרד", "מ"],
    ["日本", "日"],
    ["𝒜cme", "𝒜"],
    ["𐐨", "𐐀"],
    ["🪪 Pass", "P"],
    ["🪪", "•"],
    ["🇩🇪", "•"],
    ["---", "•"],
    ["\ud800", "•"],
    ["", "•"],
  ] as const
) {
  test(`renderPage() shows ${initial} as the initial of ${JSON.stringify(name)}`, async () => {
    const html = await htmlOf(signInPage({ methods: [oauthMethod("x", {}, name)] }));
    assert.equal(only(html, "button").attributes.get("data-initial"), initial);
    assert.equal(only(html, "button").text, `Sign in with ${name}`);
  });
}

test("renderPage() shows no initial at the buttons of forms, and the mark that a developer gives them", async () => {
  const style = { mark: "M1 1h9z" };
  for (const given of [{}, style]) {
    const methods = [emailMethod("e", given), credentialsMethod({}, "c", given), passkeyMethod({}, "p", given)];
    const html = await htmlOf(signInPage({ methods }));
    assert.ok(all(html, "button").every(({ attributes }) => !attributes.has("data-initial")));
    assert.equal(byClass(html, "mark").length, given === style ? 3 : 0);
  }
});

test("renderPage() isolates a name that is written from right to left", async () => {
  const html = await htmlOf(signInPage({ methods: [oauthMethod("x", {}, "هيئة")] }));
  assert.deepEqual(all(html, "bdi").map(({ text }) => text), ["app.test", "هيئة"]);
});

for (const [page, title] of EVERY_PAGE) {
  test(`renderPage() hides the icons of the ${page.name} page "${title}" from screen readers`, async () => {
    for (const icon of all(await htmlOf(page), "svg")) assert.equal(icon.attributes.get("aria-hidden"), "true");
  });
}

test("renderPage() never shows the value of an error", async () => {
  assert.ok(!(await htmlOf(signInPage({ error: "your-account-is-locked" }))).includes("locked"));
});

for (const error of ["AccessDenied", "Verification", "WebAuthnVerificationError"] as const) {
  test(`renderPage() offers another sign-in on the error page for ${error}`, async () => {
    const targets = all(await htmlOf({ name: "error", error, ...LINKS }), "a").map((a) => a.attributes.get("href"));
    assert.deepEqual(targets, [LINKS.signInUrl, LINKS.siteUrl]);
  });
}

for (const error of ["Configuration", "Default"] as const) {
  test(`renderPage() links back to the site on the error page for ${error}`, async () => {
    const link = only(await htmlOf({ name: "error", error, ...LINKS }), "a");
    assert.equal(link.attributes.get("href"), LINKS.siteUrl);
    assert.equal(link.text, "Back to app.test");
  });
}

test("renderPage() has a heading of its own for each kind of error", async () => {
  const kinds: ErrorPageKind[] = [
    ...["Configuration", "AccessDenied", "Verification", "WebAuthnVerificationError", "Default"] as const,
  ];
  const headings = await Promise.all(
    kinds.map(async (error) => only(await htmlOf({ name: "error", error, ...LINKS }), "h1").text),
  );
  assert.equal(new Set(headings).size, kinds.length);
});

test("renderPage() asks before it signs out", async () => {
  const html = await htmlOf({
    name: "signout",
    csrfToken: "t",
    action: "https://app.test/auth/signout",
    callbackUrl: "https://app.test/bye",
  });
  assert.deepEqual(forms(html), [{
    action: "https://app.test/auth/signout",
    inputs: { csrfToken: "t", callbackUrl: "https://app.test/bye" },
  }]);
  assert.equal(only(html, "button").attributes.get("id"), "submitButton");
});

test("renderPage() links to the site and to the sign-in page on the verify-request page", async () => {
  const targets = all(await htmlOf({ name: "verify-request", ...LINKS }), "a").map((a) => a.attributes.get("href"));
  assert.deepEqual(targets, [LINKS.signInUrl, LINKS.siteUrl]);
});

test("renderPage() shows the address before a link is used up, and posts to the link itself", async () => {
  const html = await htmlOf(CONFIRM);
  assert.deepEqual(all(html, "bdi").map(({ text }) => text), ["app.test", CONFIRM.email, "app.test"]);
  assert.deepEqual(forms(html), [{
    action: CONFIRM.action,
    inputs: { csrfToken: "t", callbackUrl: CONFIRM.callbackUrl },
  }]);
  assert.equal(only(html, "button").text, "Sign in");
  assert.deepEqual(all(html, "a").map(({ text }) => text), ["Back to app.test"]);
});

test("renderPage() leaves out the CSRF token on the confirmation page where there is none", async () => {
  assert.deepEqual(forms(await htmlOf({ ...CONFIRM, csrfToken: null })).map(({ inputs }) => Object.keys(inputs)), [
    ["callbackUrl"],
  ]);
});

for (const email of [null, "ada@example.com"]) {
  test(`renderPage() asks for the address that a link is sent to, prefilled with ${email}`, async () => {
    const html = await htmlOf(signInPage({ methods: [oauthMethod(), emailMethod()], email }));
    const input = all(html, "input").find(({ attributes }) => attributes.get("name") === "email");
    assert.deepEqual(Object.fromEntries(input?.attributes ?? []), {
      id: "input-email-for-email-provider",
      name: "email",
      type: "email",
      "aria-describedby": "hint-for-input-email-for-email-provider",
      autocomplete: "email",
      placeholder: "you@example.com",
      required: "",
      ...(email && { value: email }),
    });
    const label = only(html, "label");
    assert.deepEqual([label.text, label.attributes.get("for")], ["Email", "input-email-for-email-provider"]);
    assert.equal(all(html, "button").at(-1)?.text, "Continue");
    assert.equal(all(html, "hr").length, 1, "it stands apart");
    assert.deepEqual(forms(html).at(-1)?.action, "https://app.test/auth/signin/email");
  });
}

/** What somebody sees and can use of a form before a script has run. */
function usable(html: string): readonly string[] {
  return readMarkup(html).filter(({ tag, attributes, path }) => {
    const isControl = tag === "button" || (tag === "input" && attributes.get("type") !== "hidden");
    return isControl && !path.some((parent) => parent.attributes.has("hidden") && parent.attributes.has("disabled"));
  }).map(({ text }) => text);
}

test("renderPage() shows a sentence instead of a passkey form until the script runs", async () => {
  const html = await htmlOf(signInPage({ methods: [passkeyMethod(), oauthMethod()] }));
  assert.deepEqual(usable(html), ["Sign in with GitHub"]);
  const note = readMarkup(html).find(({ attributes }) => attributes.get("role") === "status");
  assert.match(note?.text ?? "", /JavaScript/);
});

test("renderPage() has all that the script of a passkey form needs", async () => {
  const html = await htmlOf(signInPage({ methods: [passkeyMethod()], email: "ada@example.com" }));
  const form = only(html, "form");
  assert.deepEqual([form.attributes.get("id"), form.attributes.has("novalidate")], ["passkey-form", true]);
  assert.deepEqual(forms(html), [{
    action: "https://app.test/auth/callback/passkey",
    inputs: {
      csrfToken: "token",
      callbackUrl: "https://app.test/next",
      action: "",
      data: "",
      email: "ada@example.com",
    },
  }]);
  const { attributes } = only(html, "fieldset");
  assert.equal(attributes.get("data-options"), "https://app.test/auth/webauthn-options/passkey");
  assert.ok(attributes.has("data-autofill"));
  assert.deepEqual(all(html, "button").map(({ attributes, text }) => [attributes.get("type"), text]), [
    ["submit", "Sign in with a passkey"],
    ["button", "Create a passkey"],
  ]);
});

test("renderPage() marks the fields of a passkey form, and leaves out those it fills in itself", async () => {
  const fields = { action: {}, data: {}, csrfToken: {}, callbackUrl: {}, email: {}, name: {} };
  const html = await htmlOf(signInPage({ methods: [passkeyMethod(fields), credentialsMethod({ action: {} })] }));
  const marked = all(html, "input").filter(({ attributes }) => attributes.has("data-form-field"));
  assert.deepEqual(marked.map(({ attributes }) => attributes.get("name")), ["email", "name"]);
  assert.equal(all(html, "input").filter(({ attributes }) => attributes.get("name") === "action").length, 2);
});

test("renderPage() says for which actions of a passkey form its fields are sent", async () => {
  for (const listsByEmail of [true, false]) {
    const method = { ...passkeyMethod({ email: {} }), listsByEmail } as SignInMethod;
    const [input] = all(await htmlOf(signInPage({ methods: [method] })), "input")
      .filter(({ attributes }) => attributes.has("data-form-field"));
    assert.equal(input?.attributes.get("data-form-field"), listsByEmail ? "register authenticate" : "register");
  }
});

test("renderPage() lets the browser offer passkeys only where the provider says so", async () => {
  const quiet = { ...passkeyMethod(), autofill: false } as SignInMethod;
  assert.ok(!only(await htmlOf(signInPage({ methods: [quiet] })), "fieldset").attributes.has("data-autofill"));
});
