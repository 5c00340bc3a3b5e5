import { test } from "node:test";
import assert from "node:assert/strict";
import { FACTORS_EXAMPLES, URI } from "../../../scripts/factor_examples.ts";
import { renderPage } from "../../../src/pages/render.ts";
import type { FactorsPage } from "../../../src/request/factor_views.ts";
import { TEXTS } from "../../../src/texts/en.ts";
import { all, byClass, directive, forms, look, only } from "./_markup.ts";

type Name = keyof typeof FACTORS_EXAMPLES;

async function htmlOf(name: Name, over: Partial<FactorsPage> = {}): Promise<string> {
  return (await renderPage({ ...FACTORS_EXAMPLES[name], ...over }, look())).html;
}

/** What the forms of a page ask for: the act, and what belongs to it. */
async function actsOn(name: Name): Promise<readonly Readonly<Record<string, string>>[]> {
  return forms(await htmlOf(name)).map(({ inputs: { csrfToken, callbackUrl, ...inputs } }) => {
    assert.deepEqual([csrfToken, callbackUrl], ["token", "https://app.example"]);
    return inputs;
  });
}

const TITLES: readonly (readonly [Name, string])[] = [
  ["factors", "Two-step sign-in"],
  ["factors-name", "Error: Two-step sign-in"],
  ["factors-totp", "Add an authenticator app"],
  ["factors-totp-wrong", "Error: Add an authenticator app"],
  ["factors-codes", "Keep your recovery codes"],
  ["factors-remove", "Remove “Work phone”?"],
  ["factors-undo", "Undo what was added?"],
  ["factors-undone", "It was undone"],
];

for (const [name, title] of TITLES) {
  test(`${name} has the title "${title}", and a heading that says the same`, async () => {
    const html = await htmlOf(name);
    assert.equal(only(html, "title").text, title);
    assert.equal(only(html, "h1").text, title.replace("Error: ", ""));
  });
}

const ACTS: readonly (readonly [Name, readonly Readonly<Record<string, string>>[]])[] = [
  ["factors-off", [{ act: "totp" }]],
  ["factors-half", [{ act: "rename", id: "7f3a", name: "" }, { act: "recovery" }, { act: "totp" }]],
  ["factors-totp", [{ act: "confirm", id: "7f3a", code: "" }]],
  ["factors-totp-wrong", [{ act: "confirm", id: "7f3a", code: "", keepSessions: "1" }]],
  ["factors-codes", [{ act: "keep", code: "", keepSessions: "1" }]],
  ["factors-codes-again", [{ act: "keep", code: "", keepSessions: "1" }, { act: "recovery" }]],
  ["factors-remove", [{ act: "remove", id: "9c01" }]],
  ["factors-undo", [{ act: "undo", token: "0f" }]],
  ["factors-undo-sign-in", []],
  ["factors-undone", []],
];

for (const [name, acts] of ACTS) {
  test(`${name} asks for ${acts.map(({ act }) => act).join(", ") || "nothing"}`, async () => {
    assert.deepEqual(await actsOn(name), acts);
  });
}

test("a key stands in the page as a picture with a name, as text, and as a link for this device", async () => {
  const html = await htmlOf("factors-totp");
  const picture = only(html, "svg").attributes;
  assert.deepEqual([picture.get("role"), picture.get("aria-label")], [
    "img",
    "QR code with the key for your authenticator app",
  ]);
  const { step } = FACTORS_EXAMPLES["factors-totp"];
  assert.ok(step.kind === "totp");
  const { size } = step.setup.qr;
  // Four light modules on each side, without which cameras find nothing.
  assert.equal(picture.get("viewBox"), `-4 -4 ${size + 8} ${size + 8}`);
  assert.equal(only(html, "code").text, step.setup.secret);
  assert.ok(all(html, "a").some(({ attributes }) => attributes.get("href") === URI));
});

test("a picture of a key is black on white in every scheme", async () => {
  const css = all(await htmlOf("factors-totp"), "style").map(({ text }) => text).join("");
  const rules = [...css.matchAll(/\.qr\{([^}]*)\}/g)].map(([, rule = ""]) => rule);
  assert.deepEqual(rules.length, 1);
  assert.match(rules[0] ?? "", /background:#fff;.*fill:#000;.*forced-color-adjust:none/);
});

test("a link for this device leads nowhere but to an application for keys", async () => {
  const { step } = FACTORS_EXAMPLES["factors-totp"];
  assert.ok(step.kind === "totp");
  for (const uri of ["javascript:alert(1)", "https://evil.test", " otpauth://totp/a", "otpauth:x"]) {
    const html = await htmlOf("factors-totp", { step: { ...step, setup: { ...step.setup, uri } } });
    assert.ok(all(html, "a").every(({ attributes }) => attributes.get("href") !== uri), uri);
  }
});

test("recovery codes are a list, and a file that needs no script", async () => {
  const html = await htmlOf("factors-codes");
  const { step } = FACTORS_EXAMPLES["factors-codes"];
  assert.ok(step.kind === "recovery-codes");
  assert.deepEqual(all(html, "code").map(({ text }) => text), step.codes);
  const file = all(html, "a").find(({ attributes }) => attributes.has("download"))?.attributes;
  assert.equal(file?.get("download"), "recovery-codes.txt");
  const [, content = ""] = /^data:text\/plain;charset=utf-8,(.*)$/.exec(file?.get("href") ?? "") ?? [];
  assert.equal(decodeURIComponent(content), step.codes.map((code) => `${code}\r\n`).join(""));
  assert.match(only(html, "main").text, /Last 4 characters of code number 4/);
});

test("recovery codes are not shown again", async () => {
  assert.deepEqual(all(await htmlOf("factors-codes-again"), "code"), []);
});

test("each factor can be removed, on a page that asks first", async () => {
  const html = await htmlOf("factors");
  const links = all(html, "a").filter(({ text }) => text === "Remove").map(({ attributes }) => attributes.get("href"));
  assert.deepEqual(
    links,
    ["7f3a", "k3y1"].map((id) =>
      `https://app.example/auth/factors?act=remove&id=${id}&callbackUrl=${encodeURIComponent("https://app.example")}`
    ),
  );
});

test("a factor has the name that its owner chose, and the days that count", async () => {
  const [, named] = byClass(await htmlOf("factors-saved"), "factors").flatMap((list) =>
    list.text.split("Authenticator app").slice(-1).concat(list.text)
  );
  assert.match(named ?? "", /Work phone/);
  assert.match(named ?? "", /Added: Mar 4, 2026.*Last used: Nov 5, 2026/);
  assert.match(named ?? "", /Codes left: 9/);
});

test("what was changed just now is said to screen readers", async () => {
  const status = all(await htmlOf("factors-saved"), "p").filter(({ attributes }) =>
    attributes.get("role") === "status"
  );
  assert.deepEqual(status.map(({ text }) => text), ["Your change was saved."]);
});

test("who needs a factor goes on once there is one, and not before", async () => {
  const next = (html: string) => all(html, "a").some(({ text }) => text === "Continue");
  assert.deepEqual(
    [await htmlOf("factors-required"), await htmlOf("factors-half"), await htmlOf("factors-done")].map(next),
    [false, false, true],
  );
});

test("the page needs no script, and no address of another site", async () => {
  for (const name of Object.keys(FACTORS_EXAMPLES) as Name[]) {
    const { html, csp } = await renderPage(FACTORS_EXAMPLES[name], look());
    assert.deepEqual(all(html, "script"), []);
    assert.equal(directive({ csp }, "script-src"), undefined);
    assert.deepEqual(directive({ csp }, "img-src"), ["'self'", "data:"]);
  }
});

const ENDINGS: readonly (readonly [Name, string])[] = [
  ["factors-undo", TEXTS.endsAll],
  ["factors-undone", TEXTS.endedAll],
  ["factors-codes", "keepSessions"],
  ["factors-totp-wrong", "keepSessions"],
];

for (const [name, text] of ENDINGS) {
  test(`${name} says which sessions end, or asks for it, unless storage cannot end them`, async () => {
    assert.ok((await htmlOf(name)).includes(text));
    assert.ok(!(await htmlOf(name, { sessionsStay: true })).includes(text));
  });
}
