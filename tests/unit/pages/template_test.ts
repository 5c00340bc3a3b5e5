import { test } from "node:test";
import assert from "node:assert/strict";
import { renderDocument } from "../../../src/pages/document.tsx";
import { kindOf } from "../../../src/pages/kind.ts";
import { type RenderedPage, renderPage } from "../../../src/pages/render.tsx";
import { cut, escapeMarkup, fill } from "../../../src/pages/template.ts";
import { HOSTILE } from "./_hostile.ts";
import {
  confirmPage,
  credentialsMethod,
  emailMethod,
  look,
  oauthMethod,
  passkeyMethod,
  signInPage,
} from "./_markup.ts";
import type { Look } from "../../../src/pages/document.tsx";
import type { Theme } from "../../../src/kernel/model.ts";
import type { ErrorPageKind, Page, SignInMethod } from "../../../src/request/outcome.ts";
import type { CredentialField, ProviderStyle } from "../../../src/contract/provider.ts";

/** Choices that look random and are the same in every run. */
class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }

  below(bound: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return (this.#state >>> 9) % bound;
  }

  of<T>(...choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  list<T>(most: number, make: (index: number) => T): readonly T[] {
    return Array.from({ length: this.below(most + 1) }, (_, index) => make(index));
  }

  text(): string {
    const noise = () => String.fromCharCode(...this.list(20, () => this.of(this.below(128), this.below(0x10000))));
    return this.of(() => this.of(...HOSTILE), noise, () => this.of("", "ada@example.com", "GitHub", "/next?a=1&b=2"))();
  }

  url(): string {
    return this.of(
      () => this.text(),
      () => `https://app.test/${this.text()}`,
      () => `http://${this.of("localhost:3000", "a&b.test", "xn--e1afmkfd.test", "[::1]", "0", this.text())}/a"b<c>`,
      () => "https://app.test",
    )();
  }
}

function styleOf(dice: Dice): ProviderStyle {
  const color = () => dice.of("#24292f", "#fff", "teal", undefined, dice.text());
  const logo = () =>
    dice.of(undefined, "/logo.svg?a=1&b=2", "https://cdn.test/l.svg", "data:image/png;base64,AA", dice.text());
  return { bg: color(), bgDark: color(), text: color(), textDark: color(), logo: logo(), logoDark: logo() };
}

function methodOf(dice: Dice): SignInMethod {
  const style = styleOf(dice);
  const make = dice.of(oauthMethod, emailMethod, null);
  if (make) return { ...make(dice.text(), style, dice.text()), action: dice.url() };
  const value = () => dice.of<string | number | boolean>(dice.text(), dice.below(9), NaN, 0.1, true, false);
  const field = () =>
    Object.fromEntries([
      ...dice.list(
        3,
        () => [dice.of("placeholder", "maxlength", "min", "required", "aria-label", dice.text()), value()],
      ),
      ...dice.list(1, () => ["label", dice.text()]),
      ...dice.list(1, () => ["type", dice.of("email", "password", "checkbox", "hidden", dice.text())]),
    ]) as CredentialField;
  const fields = Object.fromEntries(
    dice.list(3, () => [dice.of("email", "username", "csrfToken", dice.text()), field()]),
  );
  const method = dice.of(credentialsMethod, passkeyMethod)(fields, dice.text(), style);
  if (method.type !== "webauthn") return { ...method, action: dice.url() };
  return { ...method, name: dice.text(), action: dice.url(), optionsUrl: dice.url(), autofill: dice.of(true, false) };
}

function pageOf(dice: Dice): Page {
  const state = { csrfToken: dice.of(null, "0f".repeat(32), dice.text()), callbackUrl: dice.url() };
  const site = dice.url();
  return dice.of<() => Page>(
    () => ({
      ...{ name: "signin", ...state },
      ...{ error: dice.of(null, "CredentialsSignin", dice.text()), email: dice.of(null, dice.text()) },
      methods: frozenOrNot(dice, dice.list(4, () => methodOf(dice))),
    }),
    () => ({ name: "signout", ...state, action: dice.url() }),
    () => ({
      name: "error",
      error: dice.of("Configuration", "AccessDenied", "Verification", "Default", dice.text()) as ErrorPageKind,
      signInUrl: dice.url(),
      siteUrl: site,
    }),
    () => ({ name: "verify-request", signInUrl: dice.url(), siteUrl: site }),
    () => ({ name: "confirm-email", ...state, action: dice.url(), email: dice.text(), siteUrl: site }),
  )();
}

function lookOf(dice: Dice): Look {
  const color = () => dice.of(undefined, "#be185d", "teal", dice.text());
  const colorScheme = dice.of<Theme["colorScheme"]>("auto", "dark", "light", undefined);
  const theme = {
    brandColor: color(),
    buttonText: color(),
    colorScheme,
    logo: dice.of(undefined, "/l.svg", dice.text()),
  };
  const formAction = dice.list(2, () => dice.of("https:", "http://localhost:1", dice.text()));
  return { theme: frozenOrNot(dice, theme), formAction, https: dice.of(true, false) };
}

function frozenOrNot<T extends object>(dice: Dice, thing: T): T {
  return dice.of(true, false) ? Object.freeze(thing) : thing;
}

/** Another visitor's page of the same kind. */
function another(dice: Dice, page: Page): Page {
  switch (page.name) {
    case "signin": {
      const email = page.email === null ? null : dice.text();
      const methods = page.methods.map((method): SignInMethod => {
        if (method.type !== "webauthn") return { ...method, action: dice.url() };
        return { ...method, action: dice.url(), optionsUrl: dice.url() };
      });
      return {
        ...page,
        csrfToken: page.csrfToken === null ? null : dice.text(),
        callbackUrl: dice.url(),
        email,
        methods,
      };
    }
    case "signout":
      return { ...page, csrfToken: page.csrfToken === null ? null : dice.text(), callbackUrl: dice.url() };
    case "error":
      return { ...page, signInUrl: dice.url(), siteUrl: dice.url() };
    case "verify-request":
      return { ...page, signInUrl: dice.url(), siteUrl: dice.url() };
    case "confirm-email": {
      const csrfToken = page.csrfToken === null ? null : dice.text();
      return {
        ...page,
        csrfToken,
        callbackUrl: dice.url(),
        action: dice.url(),
        email: dice.text(),
        siteUrl: dice.url(),
      };
    }
  }
}

/** Shows where two pages differ, instead of both. */
function assertSame(one: RenderedPage, other: RenderedPage): void {
  if (one.html === other.html && one.csp === other.csp) return;
  let at = 0;
  while (one.html[at] === other.html[at] && at < one.html.length) at += 1;
  assert.equal(one.csp, other.csp);
  assert.fail(`${one.html.slice(at - 60, at + 60)} is not ${other.html.slice(at - 60, at + 60)}`);
}

test("renderPage() assembles, byte for byte, what renderDocument() renders", async () => {
  const dice = new Dice(1);
  for (let round = 0; round < 600; round++) {
    const [page, look] = [pageOf(dice), lookOf(dice)];
    const next = another(dice, page);
    assert.equal(kindOf(next, look), kindOf(page, look));
    for (const shown of [page, page, next]) {
      assertSame(await renderPage(shown, look), await renderDocument(shown, look));
    }
  }
});

test("renderPage() assembles every hostile text at every entry as renderDocument() renders it", async () => {
  const password = credentialsMethod({ email: {}, password: { type: "password" } });
  const methods = [oauthMethod(), emailMethod(), password, passkeyMethod()];
  for (const text of HOSTILE) {
    const pages: readonly Page[] = [
      signInPage({ csrfToken: text, callbackUrl: text, email: text, error: text, methods }),
      signInPage({ methods: methods.map((method) => ({ ...method, action: text, optionsUrl: text })) }),
      { name: "signout", csrfToken: text, callbackUrl: text, action: text },
      { name: "error", error: text as ErrorPageKind, signInUrl: text, siteUrl: text },
      { name: "verify-request", signInUrl: text, siteUrl: `https://${text}` },
      confirmPage(text),
    ];
    for (const page of pages) assertSame(await renderPage(page, look()), await renderDocument(page, look()));
  }
});

test("renderPage() answers without waiting once it knows the kind", async () => {
  const theme = { brandColor: "#0a0b0c" };
  const first = renderPage(signInPage({ callbackUrl: "/one", methods: [oauthMethod()] }), look({ theme }));
  assert.ok(first instanceof Promise);
  await first;
  const second = renderPage(
    signInPage({ callbackUrl: "/two", csrfToken: "other", methods: [oauthMethod()] }),
    look({ theme: { ...theme } }),
  );
  assert.ok(!(second instanceof Promise));
  assert.ok(second.html.includes('value="/two"'));
});

test("renderPage() never shows one visitor's entries to another", async () => {
  const methods = Object.freeze([oauthMethod(), credentialsMethod({ email: {} })]);
  const pageFor = (name: string): RenderedPage | Promise<RenderedPage> =>
    renderPage(
      signInPage({ csrfToken: `token-${name}`, callbackUrl: `/${name}`, email: `${name}@a.test`, methods }),
      look(),
    );
  const together = await Promise.all(["ada", "grace", "edith"].map(pageFor));
  for (const [index, name] of ["ada", "grace", "edith"].entries()) {
    const others = ["ada", "grace", "edith"].filter((other) => other !== name);
    for (const { html } of [together[index] ?? assert.fail(), await pageFor(name)]) {
      assert.ok(html.includes(`token-${name}`) && html.includes(`${name}@a.test`));
      assert.ok(!others.some((other) => html.includes(other)));
    }
  }
});

test("renderPage() sees a change in what is not frozen", async () => {
  const methods = [oauthMethod("a", {}, "Before")];
  await renderPage(signInPage({ methods }), look());
  methods[0] = oauthMethod("a", {}, "After");
  assert.match((await renderPage(signInPage({ methods }), look())).html, /After/);
});

test("kindOf() is not one of a visitor's inventions", () => {
  const methods = [oauthMethod(), credentialsMethod({ email: {} }), passkeyMethod()];
  const kinds = new Set(HOSTILE.flatMap((text) => {
    const elsewhere = methods.map((method) => ({ ...method, action: text, optionsUrl: text }));
    const pages: readonly Page[] = [
      signInPage({ csrfToken: text, callbackUrl: text, email: text, error: text, methods: elsewhere }),
      { name: "signout", csrfToken: text, callbackUrl: text, action: text },
      { name: "error", error: text as ErrorPageKind, signInUrl: text, siteUrl: text },
      { name: "verify-request", signInUrl: text, siteUrl: text },
      confirmPage(text),
    ];
    return pages.map((page) => kindOf(page, look()));
  }));
  assert.equal(kinds.size, 5);
});

test("kindOf() tells apart whatever changes the page or its policy", () => {
  const signIn = (methods: readonly SignInMethod[], over = {}) => kindOf(signInPage({ methods, ...over }), look());
  const field = (attributes: CredentialField) => signIn([credentialsMethod({ code: attributes })]);
  const kinds = [
    ...[signIn([]), signIn([], { csrfToken: null }), signIn([], { email: "" }), signIn([], { error: "" })],
    ...[signIn([], { error: "SessionRequired" }), signIn([oauthMethod()]), signIn([oauthMethod(), oauthMethod()])],
    ...[signIn([emailMethod()]), signIn([emailMethod("github", {}, "GitHub")])],
    ...[signIn([passkeyMethod()]), signIn([{ ...passkeyMethod(), autofill: false } as SignInMethod])],
    ...[signIn([passkeyMethod({ email: {} })]), signIn([passkeyMethod({ login: {} })])],
    ...["bg", "bgDark", "text", "textDark", "logo", "logoDark"].map((key) =>
      signIn([oauthMethod("x", { [key]: "a" })])
    ),
    ...[signIn([oauthMethod("x", {}, "a")]), signIn([credentialsMethod({})]), signIn([credentialsMethod({}, "other")])],
    ...[field({}), field({ min: 1 }), field({ min: "NaN" }), field({ min: true }), field({ label: "x" })],
    ...["brandColor", "buttonText", "logo"].map((key) => kindOf(signInPage(), look({ theme: { [key]: "a" } }))),
    ...(["dark", "light"] as const).map((colorScheme) => kindOf(signInPage(), look({ theme: { colorScheme } }))),
    ...[look({ https: false }), look({ formAction: ["https:"] })].map((other) => kindOf(signInPage(), other)),
  ];
  assert.equal(new Set(kinds).size, kinds.length);
});

test("cut() and fill() put every entry back where it was", () => {
  const entries = ["one", null, "https://two", "two"];
  const template = cut("<a href='https://two' one>two</a><p>one", entries);
  assert.equal(template.blanks.length, 4);
  assert.equal(fill(template, entries), "<a href='https://two' one>two</a><p>one");
  assert.equal(fill(template, ["1", null, "<", "&"]), "<a href='&lt;' 1>&amp;</a><p>1");
  assert.deepEqual(cut("nothing to fill", [null]), { start: "nothing to fill", blanks: [] });
});

test("fill() writes a whole value with its quotes, and an empty one without", () => {
  const template = cut('<input value="one"/><p title="one two">one', ["one", "two"]);
  assert.equal(fill(template, ['"', "2"]), '<input value="&quot;"/><p title="&quot; 2">&quot;');
  assert.equal(fill(template, ["", ""]), '<input value/><p title=" ">');
});

test("fill() reads nothing into an entry", () => {
  const template = cut("[one|two]", ["one", "two"]);
  for (const text of ["$&", "$1", "two", "one", "\\1", "%s"]) {
    assert.equal(fill(template, [text, "2"]), `[${escapeMarkup(text)}|2]`);
  }
});

test("escapeMarkup() escapes what ends a text or an attribute in double quotes", () => {
  assert.equal(escapeMarkup(`<a b="c" d='e'>&amp;`), "&lt;a b=&quot;c&quot; d='e'>&amp;amp;");
  assert.equal(escapeMarkup("plain"), "plain");
  for (const text of HOSTILE) assert.doesNotMatch(escapeMarkup(text), /["<]|&(?!amp;|lt;|quot;)/);
});
