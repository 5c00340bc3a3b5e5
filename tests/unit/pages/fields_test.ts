import { test } from "node:test";
import assert from "node:assert/strict";
import { inputAttributes } from "../../../src/pages/fields.tsx";
import { renderPage } from "../../../src/pages/render.ts";
import { all, credentialsMethod, look, passkeyMethod, readMarkup, signInPage } from "./_markup.ts";
import type { SignInMethod } from "../../../src/request/outcome.ts";
import type { CredentialField } from "../../../src/contract/provider.ts";

async function htmlOf(methods: readonly SignInMethod[], email: string | null = null): Promise<string> {
  return (await renderPage(signInPage({ methods, email }), look())).html;
}

async function inputs(fields: Readonly<Record<string, CredentialField>>, email: string | null = null) {
  const html = await htmlOf([credentialsMethod(fields)], email);
  return all(html, "input").map(({ attributes }) => Object.fromEntries(attributes)).filter(({ type }) =>
    type !== "hidden"
  );
}

test("renderPage() shows a labelled input for each field of a credentials form", async () => {
  const html = await htmlOf([credentialsMethod({ username: { label: "Your name" }, pin: { type: "password" } })]);
  assert.deepEqual(all(html, "label").map(({ text, attributes }) => [text, attributes.get("for")]), [
    ["Your name", "input-username-for-credentials-provider"],
    ["pin", "input-pin-for-credentials-provider"],
  ]);
  const shown = all(html, "input").filter(({ attributes }) => attributes.has("id"));
  assert.deepEqual(
    shown.map(({ attributes }) => [attributes.get("name"), attributes.get("type"), attributes.get("id")]),
    [
      ["username", "text", "input-username-for-credentials-provider"],
      ["pin", "password", "input-pin-for-credentials-provider"],
    ],
  );
});

test("renderPage() passes plain attributes of a field on", async () => {
  assert.deepEqual(
    await inputs({
      code: { placeholder: "123", required: true, maxLength: 6, "aria-describedby": "x", disabled: false },
    }),
    [{
      type: "text",
      placeholder: "123",
      required: "",
      maxlength: "6",
      "aria-describedby": "x",
      id: "input-code-for-credentials-provider",
      name: "code",
    }],
  );
});

test("renderPage() tells the browser what to fill in, unless the configuration does", async () => {
  const filled = await inputs({
    username: {},
    email: {},
    mail: { type: "email" },
    password: { type: "password" },
    other: {},
    renewed: { type: "password", autoComplete: "new-password" },
  });
  assert.deepEqual(
    filled.map(({ name, autocomplete }) => [name, autocomplete]),
    [
      ["username", "username"],
      ["email", "email"],
      ["mail", "email"],
      ["password", "current-password"],
      ["other", undefined],
      ["renewed", "new-password"],
    ],
  );
});

test("renderPage() fills a given address into the email field alone", async () => {
  const filled = await inputs({ email: { type: "email" }, username: {}, password: { type: "password" } }, "a@b.test");
  assert.deepEqual(filled.map(({ value }) => value), ["a@b.test", undefined, undefined]);
});

test("renderPage() shows no label for a hidden field, and leaves fields out that the form has already", async () => {
  const html = await htmlOf([
    credentialsMethod({ tenant: { type: "hidden", value: "7" }, csrfToken: {}, callbackUrl: {} }),
  ]);
  assert.equal(all(html, "label").length, 0);
  assert.deepEqual(all(html, "input").map(({ attributes }) => attributes.get("name")), [
    "csrfToken",
    "callbackUrl",
    "tenant",
  ]);
});

for (
  const name of [
    ...["onclick", "onFocus", "ONBLUR", "style", "Style", "src", "srcdoc", "form", "formaction", "formAction"],
    ...[
      "dangerouslySetInnerHTML",
      "children",
      "key",
      "ref",
      "is",
      "id",
      "name",
      "label",
      "x y",
      "x=",
      "x\u2028",
      "",
      ">",
    ],
    ...["__proto__", "x:y", "xlink:href", "a1"],
  ]
) {
  test(`inputAttributes() refuses the attribute ${JSON.stringify(name)}`, () => {
    const field = Object.fromEntries([[name, "alert(1)"]]);
    assert.deepEqual(inputAttributes("code", field, null), { type: "text" });
  });
}

test("inputAttributes() refuses values that are no plain values", () => {
  for (const value of [{ __html: "<script>" }, ["x"], null, undefined, () => "x"]) {
    assert.deepEqual(inputAttributes("code", { placeholder: value } as unknown as CredentialField, null), {
      type: "text",
    });
  }
});

test("renderPage() never gives two elements one id", async () => {
  const fields = { a: {}, "a-for-b": {}, "": {}, "a-for-c-provider-2": {} };
  const rows: SignInMethod[][] = [
    [credentialsMethod({ "a-for-b": {} }, "c"), credentialsMethod({ a: {} }, "b-for-c")],
    [credentialsMethod(fields, "c"), credentialsMethod(fields, "c"), credentialsMethod(fields, "b-for-c")],
    [passkeyMethod(fields, "c"), credentialsMethod(fields, "c"), passkeyMethod(fields, "c")],
  ];
  for (const methods of rows) {
    const elements = readMarkup(await htmlOf(methods));
    const ids = elements.flatMap(({ tag, attributes }) => tag === "input" ? attributes.get("id") ?? [] : []);
    const all = elements.flatMap(({ attributes }) => attributes.get("id") ?? []);
    assert.equal(new Set(all).size, all.length);
    const labels = elements.filter(({ tag }) => tag === "label").map(({ attributes }) => attributes.get("for"));
    assert.deepEqual(labels, ids);
  }
});
