import { test } from "node:test";
import assert from "node:assert/strict";
import { CHALLENGE_EXAMPLES } from "../../../scripts/factor_examples.ts";
import { PASSKEY_SCRIPT } from "../../../src/pages/passkey_script.ts";
import { renderPage } from "../../../src/pages/render.ts";
import type { ChallengePage } from "../../../src/request/factor_views.ts";
import { all, byClass, directive, forms, look, only } from "./_markup.ts";

type Name = keyof typeof CHALLENGE_EXAMPLES;

async function htmlOf(name: Name, over: Partial<ChallengePage> = {}): Promise<string> {
  return (await renderPage({ ...CHALLENGE_EXAMPLES[name], ...over }, look())).html;
}

const NAMES = Object.keys(CHALLENGE_EXAMPLES) as Name[];

/** The input for a code. */
async function codeOn(name: Name): Promise<ReadonlyMap<string, string>> {
  const found = all(await htmlOf(name), "input").filter(({ attributes }) => attributes.get("name") === "code");
  assert.equal(found.length, 1, name);
  return found[0]?.attributes ?? assert.fail();
}

for (const name of ["proof-totp", "proof-email-sent"] as const) {
  test(`${name}: a password manager fills in the code, and a phone shows its digits`, async () => {
    const code = await codeOn(name);
    assert.deepEqual([code.get("autocomplete"), code.get("inputmode")], ["one-time-code", "numeric"]);
    const pattern = new RegExp(`^(?:${code.get("pattern")})$`, "v");
    for (const typed of ["123456", "123 456", " 123456 ", "١٢٣٤٥٦"]) {
      assert.match(typed, pattern);
      assert.ok(typed.length <= Number(code.get("maxlength")));
    }
    for (const typed of ["12345", "1234567", "12345a", ""]) assert.doesNotMatch(typed, pattern);
  });
}

test("a recovery code is kept by no browser", async () => {
  const code = await codeOn("proof-recovery");
  assert.deepEqual([code.get("autocomplete"), code.get("pattern")], ["off", undefined]);
});

test("one way at a time: its form says which, and links lead to the others", async () => {
  for (const name of NAMES) {
    const { method, others, action } = CHALLENGE_EXAMPLES[name];
    const html = await htmlOf(name);
    const sent = forms(html).filter(({ inputs }) => inputs.method !== "lost");
    assert.ok(sent.length > 0 && sent.every((form) => form.action === action && form.inputs.method === method), name);
    assert.ok(sent.every(({ inputs }) => inputs.csrfToken === "token"));
    const links = all(html, "li").flatMap((item) =>
      all(html, "a").filter(({ path }) => path.some((parent) => parent.tag === "li" && parent.text === item.text))
    );
    assert.deepEqual(links.map(({ attributes }) => attributes.get("href")), others.map(({ url }) => url), name);
  }
});

test("a code is asked for only once there is one: before, a button sends it", async () => {
  const html = await htmlOf("proof-email");
  assert.ok(!html.includes('name="code"'));
  assert.equal(only(html, "button").text, "Get a code by email");
  const sent = await htmlOf("proof-email-sent");
  assert.deepEqual(all(sent, "button").map(({ text }) => text), ["Continue", "Send another code"]);
  assert.match(only(sent, "main").text, /Sent to: a…@example\.com/);
});

test("what went wrong is said at once, is in the title, and is told of the field that takes the focus", async () => {
  const html = await htmlOf("proof-wrong");
  const [alert] = all(html, "div").filter(({ attributes }) => attributes.get("role") === "alert");
  assert.match(alert?.text ?? "", /^This code is wrong/);
  assert.equal(only(html, "title").text, "Error: Confirm it’s you");
  const code = await codeOn("proof-wrong");
  assert.deepEqual([code.get("aria-invalid"), code.has("autofocus")], ["true", true]);
  assert.equal(code.get("aria-describedby"), alert?.attributes.get("id"));
  assert.ok(!(await codeOn("proof-totp")).has("autofocus"));
});

test("too many attempts: the page says how long to wait, rounded up", async () => {
  assert.match(only(await htmlOf("proof-too-many"), "main").text, /too many attempts.*Try again in 9 minutes\./);
});

test("a browser is trusted only where that is offered, and never with a recovery code", async () => {
  for (const name of NAMES) {
    const { trustDays, method, sentTo } = CHALLENGE_EXAMPLES[name];
    const isOffered = trustDays !== null && method !== "recovery-code" &&
      (method !== "email-code" || sentTo !== undefined);
    const html = await htmlOf(name);
    assert.equal(all(html, "input").some(({ attributes }) => attributes.get("name") === "trust"), isOffered, name);
  }
  const html = await htmlOf("proof-recovery", { trustDays: 30 });
  assert.ok(!html.includes('name="trust"'));
  assert.match(only(await htmlOf("proof-totp"), "main").text, /Do not ask again on this device for 30 days/);
});

test("a passkey: its options stand in the page, and its script is the one that the policy allows", async () => {
  const page = CHALLENGE_EXAMPLES["proof-passkey"];
  const { html, csp } = await renderPage(page, look());
  const group = only(html, "fieldset");
  assert.deepEqual(JSON.parse(group.attributes.get("data-given") ?? ""), page.passkeyOptions);
  assert.ok(group.attributes.has("hidden") && group.attributes.has("disabled"));
  assert.equal(only(html, "script").text, PASSKEY_SCRIPT);
  assert.equal(directive({ csp }, "script-src")?.length, 1);
  assert.match(only(html, "main").text, /Passkeys need JavaScript/);
});

test("no other way needs a script", async () => {
  for (const name of NAMES.filter((name) => CHALLENGE_EXAMPLES[name].method !== "passkey")) {
    const { html, csp } = await renderPage(CHALLENGE_EXAMPLES[name], look());
    assert.deepEqual(all(html, "script"), [], name);
    assert.equal(directive({ csp }, "script-src"), undefined);
  }
});

test("who has lost everything asks for it once, and reads how long it takes", async () => {
  const offered = await htmlOf("proof-recovery");
  assert.ok(forms(offered).some(({ inputs }) => inputs.method === "lost"));
  assert.match(only(offered, "main").text, /Lost all of these\? .* 24 hours\./);
  const asked = await htmlOf("proof-lost");
  assert.ok(!forms(asked).some(({ inputs }) => inputs.method === "lost"));
  assert.match(only(asked, "main").text, /We have sent you an email\. .* 24 hours\./);
});

test("the page shares no class with the challenges of the sign-in page", async () => {
  assert.deepEqual(byClass(await htmlOf("proof-totp"), "challenge"), []);
});
