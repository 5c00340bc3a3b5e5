/** What password managers and screen readers find on the pages of passwords. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { PASSWORD_EXAMPLES } from "../../../scripts/password_examples.ts";
import { renderPage } from "../../../src/pages/render.ts";
import type { NewPasswordPage, PasswordPage, PasswordProblem } from "../../../src/request/password_views.ts";
import { TEXTS } from "../../../src/texts/en.ts";
import { all, credentialsMethod, type Element, look, readMarkup, signInPage } from "./_markup.ts";
import type { Page, SignInMethod } from "../../../src/request/outcome.ts";

const RESET = "https://app.test/auth/reset?callbackUrl=%2F";
const SIGN_UP = "https://app.test/auth/signup?callbackUrl=%2F";

const FIELDS = {
  email: { label: "Email", type: "email", required: true, autocomplete: "username" },
  password: { label: "Password", type: "password", required: true, autocomplete: "current-password" },
};

function signInWith(signUpUrl: string | null = SIGN_UP, over: Partial<Extract<Page, { name: "signin" }>> = {}): Page {
  const form = credentialsMethod(FIELDS, "password") as Extract<SignInMethod, { type: "credentials" }>;
  return signInPage({ methods: [{ ...form, passwords: { resetUrl: RESET, signUpUrl } }], ...over });
}

function example(name: string): PasswordPage {
  return PASSWORD_EXAMPLES[name] ?? assert.fail(name);
}

async function htmlOf(page: Page): Promise<string> {
  return (await renderPage(page, look())).html;
}

/** The inputs of the one form that has a field for a password, as managers see them. */
async function secretFormOf(page: Page): Promise<readonly ReadonlyMap<string, string>[]> {
  const elements = readMarkup(await htmlOf(page));
  const forms = elements.filter(({ tag }) => tag === "form").map((form) => {
    return elements.filter(({ tag, path }) => tag === "input" && path.includes(form)).map(({ attributes }) =>
      attributes
    );
  });
  const [form, ...others] = forms.filter((inputs) => inputs.some((input) => input.get("type") === "password"));
  assert.ok(form && others.length === 0, "one form");
  return form.filter((input) => input.get("type") !== "hidden");
}

/** The tokens that HTML has for this, see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill. */
const MANAGED: readonly (readonly [page: Page, fields: readonly string[]])[] = [
  [signInWith(), ["email username", "password current-password"]],
  [example("signup"), ["name name", "email username", "password new-password"]],
  ...["choose-reset", "choose-claim", "choose-set", "choose-change", "choose-short"].map((name) => {
    return [example(name), ["email username", "password new-password"]] as const;
  }),
];

for (const [page, fields] of MANAGED) {
  const what = "purpose" in page ? page.purpose : page.name;
  test(`password managers find the name of the account and one password, whose field says which: ${what}`, async () => {
    const form = await secretFormOf(page);
    assert.deepEqual(form.map((input) => `${input.get("name")} ${input.get("autocomplete")}`), fields);
    // Those that do not read autocomplete take the field before the password.
    assert.equal(form.at(-2)?.get("type"), "email");
    const [secret, ...more] = form.filter((input) => input.get("type") === "password");
    assert.ok(secret && more.length === 0, "no second field to confirm it");
    // What is too long is refused with a word, not cut off.
    assert.ok(!secret.has("maxlength"));
    assert.ok(form.every((input) => input.get("id")));
  });
}

/** Reads the rules of a password as Apple describes them: `property: value;` */
function readRules(text: string): Record<string, string> {
  const rule = /^(minlength|maxlength|max-consecutive|required|allowed): ?([a-z0-9, -]+)$/;
  return Object.fromEntries(
    text.split(";").map((part) => part.trim()).filter(Boolean).map((part) => {
      const [, name = "", value = ""] = rule.exec(part) ?? assert.fail(part);
      return [name, value];
    }),
  );
}

test("what makes a password for somebody knows how long it has to be, and may use every character", async () => {
  for (const name of ["signup", "choose-reset", "choose-change"]) {
    const secret = (await secretFormOf(example(name))).at(-1);
    assert.deepEqual(readRules(secret?.get("passwordrules") ?? ""), { minlength: "15", maxlength: "256" });
    assert.equal(secret?.get("minlength"), "15");
  }
  const secret = (await secretFormOf(signInWith())).at(-1);
  assert.ok(!secret?.has("passwordrules") && !secret?.has("minlength"), "whoever signs in has a password already");
});

test("whose password it is cannot be changed on the page where it is chosen", async () => {
  for (const [name, isFixed] of [["signup", false], ["choose-reset", true], ["choose-change", true]] as const) {
    const email = (await secretFormOf(example(name))).find((input) => input.get("name") === "email");
    assert.equal(email?.has("readonly"), isFixed, name);
  }
});

const WRONG: Readonly<Record<PasswordProblem, string | null>> = {
  "email": "email",
  "short": "password",
  "long": "password",
  "common": "password",
  "breached": "password",
  "reused": "password",
  "expired": null,
  "too-many": null,
  "busy": null,
};

for (const [problem, field] of Object.entries(WRONG) as [PasswordProblem, string | null][]) {
  test(`what is wrong is said at its field, which has the focus: ${problem}`, async () => {
    const inputs = all(await htmlOf({ ...example("signup"), problem }), "input").map(({ attributes }) => attributes);
    const [invalid, ...others] = inputs.filter((input) => input.has("aria-invalid") || input.has("autofocus"));
    assert.equal(invalid?.get("name") ?? null, field);
    assert.equal(others.length, 0);
    if (invalid) {
      assert.match(invalid.get("aria-describedby") ?? "", /^error( password-hint)?$/);
      assert.ok(invalid.has("autofocus") && invalid.get("aria-invalid") === "true");
    }
  });
}

test("each purpose has a heading and a button that say what happens", async () => {
  const said = async (name: string) => {
    const elements = readMarkup(await htmlOf(example(name)));
    const textOf = (match: (element: Element) => boolean) => elements.find(match)?.text;
    return [textOf(({ tag }) => tag === "h1"), textOf(({ attributes }) => attributes.get("id") === "submitButton")];
  };
  assert.deepEqual(await said("signup"), ["Create an account at app.test", TEXTS.signUpButton]);
  assert.deepEqual(await said("choose-claim"), ["Create an account at app.test", TEXTS.signUpButton]);
  assert.deepEqual(await said("choose-reset"), [TEXTS.resetTitle, TEXTS.savePassword]);
  assert.deepEqual(await said("choose-set"), [TEXTS.setPasswordTitle, TEXTS.savePassword]);
  assert.deepEqual(await said("choose-change"), [TEXTS.changePasswordTitle, TEXTS.savePassword]);
});

async function linksOf(page: Page): Promise<Record<string, string | undefined>> {
  return Object.fromEntries(all(await htmlOf(page), "a").map(({ text, attributes }) => [text, attributes.get("href")]));
}

test("the sign-in page leads to the pages of passwords that there are", async () => {
  assert.deepEqual(await linksOf(signInWith()), { [TEXTS.forgotPassword]: RESET, [TEXTS.signUpButton]: SIGN_UP });
  assert.deepEqual(await linksOf(signInWith(null)), { [TEXTS.forgotPassword]: RESET });
  const confirm = { purpose: "confirm", error: "SessionRequired" } as const;
  assert.deepEqual(await linksOf(signInWith(SIGN_UP, confirm)), { [TEXTS.forgotPassword]: RESET });
});

test("a form whose passwords the application checks leads to none of them", async () => {
  assert.deepEqual(await linksOf(signInPage({ methods: [credentialsMethod(FIELDS)] })), {});
});

test("a page of its own to register takes the place of ours", async () => {
  const { html } = await renderPage(signInWith(), look({ theme: { links: { signUp: "/join" } } }));
  assert.deepEqual(all(html, "a").map(({ text }) => text), [TEXTS.forgotPassword, TEXTS.signUp]);
});

test("somebody who is signed in is not asked to sign in, and removes a password apart from the form", async () => {
  assert.ok(TEXTS.signIn in await linksOf(example("choose-reset")));
  const change = await htmlOf(example("choose-change"));
  assert.ok(!all(change, "a").some(({ text }) => text === TEXTS.signIn));
  const removal = readMarkup(change).find(({ attributes }) => attributes.get("value") === "remove");
  assert.ok(removal?.path.some(({ tag }) => tag === "details"));
  assert.equal(all(await htmlOf(example("choose-set")), "details").length, 0);
});

test("who removes their password reads that all others are signed out, unless storage cannot end their sessions", async () => {
  const hintOf = async (page: Page) =>
    all(await htmlOf(page), "p").find(({ attributes }) => attributes.get("id") === "removal");
  const page = { ...example("choose-change") } as NewPasswordPage;
  assert.equal((await hintOf(page))?.text, `${TEXTS.removePasswordLead} ${TEXTS.endsOthers}`);
  assert.equal((await hintOf({ ...page, sessionsStay: true }))?.text, TEXTS.removePasswordLead);
});
