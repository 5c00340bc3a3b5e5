/** What somebody finds on the account page, and what its forms and links ask for. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { ACCOUNT_EXAMPLES, ACCOUNT_VIEW, OWN_SECTION } from "../../../scripts/account_examples.ts";
import { html as made } from "../../../src/account/section.ts";
import { renderPage } from "../../../src/pages/render.ts";
import type { AccountPage, AccountProblem } from "../../../src/request/account_views.ts";
import { TEXTS } from "../../../src/texts/en.ts";
import { all, byClass, directive, type Element, forms, look, only, readMarkup, signInPage } from "./_markup.ts";

type Name = keyof typeof ACCOUNT_EXAMPLES;

const NAMES = Object.keys(ACCOUNT_EXAMPLES) as Name[];

const BACK = encodeURIComponent("https://app.example/auth/account");

async function htmlOf(name: Name, over: Partial<AccountPage> = {}): Promise<string> {
  return (await renderPage({ ...ACCOUNT_EXAMPLES[name], ...over }, look())).html;
}

/** What the forms of a page ask for. */
async function actsOn(name: Name, over: Partial<AccountPage> = {}): Promise<readonly Record<string, string>[]> {
  return forms(await htmlOf(name, over)).map(({ inputs: { csrfToken, callbackUrl, ...inputs } }) => {
    assert.deepEqual([csrfToken, callbackUrl], ["token", "https://app.example/auth/account"]);
    return inputs;
  });
}

const TITLES: readonly (readonly [Name, string])[] = [
  ["account", "Your account"],
  ["account-no-ways", "Error: Your account"],
  ["account-rename", "Change your name"],
  ["account-email", "Change your email address"],
  ["account-email-wrong", "Error: Change your email address"],
  ["account-sent", "Check your email"],
  ["account-take", "Is this your new address?"],
  ["account-allow", "Allow another address?"],
  ["account-unlink", "Remove “GitHub”?"],
  ["account-rename-passkey", "Rename your passkey"],
  ["account-remove-passkey", "Remove “Passkey”?"],
  ["account-delete", "Delete your account?"],
  ["account-undo", "Bring back what was removed?"],
  ["account-undone", "It was undone"],
];

for (const [name, title] of TITLES) {
  test(`${name} has the title "${title}", and a heading that says the same`, async () => {
    const html = await htmlOf(name);
    assert.equal(only(html, "title").text, title);
    assert.equal(only(html, "h1").text, title.replace("Error: ", ""));
  });
}

const SECTIONS: readonly (readonly [Name, readonly string[]])[] = [
  ["account", [
    ...["Profile", "Email", "Ways to sign in", "Passkeys", "Password", "Two-step sign-in", "Devices", "Your data"],
    "Delete account",
  ]],
  ["account-little", ["Profile", "Devices"]],
  ["account-own", [
    ...["Profile", "Email", "Ways to sign in", "Passkeys", "Password", "Two-step sign-in", "Devices", "Your data"],
    ...["Newsletter", "Plan", "Delete account"],
  ]],
];

for (const [name, sections] of SECTIONS) {
  test(`${name} has the sections ${sections.join(", ")}, each called by its heading`, async () => {
    const elements = readMarkup(await htmlOf(name));
    const headings = elements.filter(({ tag }) => tag === "h2");
    assert.deepEqual(headings.map(({ text }) => text), sections);
    const named = elements.filter(({ tag }) => tag === "section").map(({ attributes }) => {
      return attributes.get("aria-labelledby");
    });
    assert.deepEqual(named, headings.map(({ attributes }) => attributes.get("id")));
  });
}

const ACTS: readonly (readonly [Name, readonly Readonly<Record<string, string>>[]])[] = [
  ["account", [
    ...[{}, {}, {}],
    ...[{ act: "endSession", id: "session2" }, { act: "endSession", id: "session3" }, { act: "endOthers" }],
    { act: "export" },
  ]],
  ["account-new", [{}, {}, {}, { act: "export" }]],
  ["account-leaving", [
    ...[{ act: "keep" }, { act: "cancelEmail" }, {}, {}, {}],
    ...[{ act: "endSession", id: "session2" }, { act: "endSession", id: "session3" }, { act: "endOthers" }],
    { act: "export" },
  ]],
  ["account-rename", [{ act: "rename", name: "Ada Lovelace" }]],
  ["account-email", [{ act: "changeEmail", to: "", lost: "1" }]],
  ["account-email-same", [{ act: "changeEmail", to: "a…@example.com" }]],
  ["account-sent", []],
  ["account-take", [{ act: "takeEmail", token: "0f" }]],
  ["account-allow", [{ act: "allowEmail", token: "0f" }, { act: "cancelEmail", token: "0f" }]],
  ["account-unlink", [{ act: "unlink", id: "way1" }]],
  ["account-rename-passkey", [{ act: "renamePasskey", id: "key1", name: "Work phone" }]],
  ["account-remove-passkey", [{ act: "removePasskey", id: "key2" }]],
  ["account-delete", [{ act: "delete", typed: "" }]],
  ["account-undo", [{ act: "undo", token: "0f" }]],
  ["account-undo-sign-in", []],
  ["account-undone", []],
];

for (const [name, acts] of ACTS) {
  test(`${name} asks for ${acts.map(({ act = "another account" }) => act).join(", ") || "nothing"}`, async () => {
    assert.deepEqual(await actsOn(name), acts);
  });
}

test("an address that waits can be taken over once its time has come, and cancelled before", async () => {
  const emailActs = async (name: Name) => {
    return (await actsOn(name)).flatMap(({ act }) => act?.endsWith("Email") ? [act] : []);
  };
  assert.deepEqual(await emailActs("account-waiting"), ["cancelEmail"]);
  assert.deepEqual(await emailActs("account-due"), ["takeEmail", "cancelEmail"]);
  assert.match(only(await htmlOf("account-waiting"), "main").text, /on Dec 5, 2026 or later/);
});

/** The links and buttons with a text: where they lead, and what describes them. */
async function controlsOf(name: Name, wanted: string): Promise<readonly (readonly [string | undefined, string])[]> {
  const elements = readMarkup(await htmlOf(name));
  const byId = new Map(elements.map((element) => [element.attributes.get("id"), element]));
  return elements.filter(({ tag, text }) => (tag === "a" || tag === "button") && text === wanted).map((control) => {
    const described = control.attributes.get("aria-describedby")?.split(" ") ?? [];
    return [control.attributes.get("href"), described.map((id) => byId.get(id)?.text).join(" ")] as const;
  });
}

test("what is removed or renamed is asked on a page of its own, and each link says what it is about", async () => {
  const at = (query: string) => `https://app.example/auth/account?${query}&callbackUrl=${BACK}`;
  assert.deepEqual(await controlsOf("account", "Remove"), [
    [at("act=unlink&id=way1"), "GitHub"],
    [at("act=removePasskey&id=key1"), "Work phone"],
    [at("act=removePasskey&id=key2"), "Passkey"],
  ]);
  assert.deepEqual(await controlsOf("account", "Rename"), [
    [at("act=renamePasskey&id=key1"), "Work phone"],
    [at("act=renamePasskey&id=key2"), "Passkey"],
  ]);
  assert.deepEqual(await controlsOf("account", "Change"), [
    [at("act=rename"), "Name"],
    [at("act=changeEmail"), "Email"],
    ["https://app.example/auth/password", "Password"],
  ]);
});

test("each device is signed out by a button that says which it is", async () => {
  assert.deepEqual((await controlsOf("account", "Sign out")).map(([, about]) => about), [
    ...["Firefox on Linux", "Safari on iOS", "Unknown device"],
    "",
  ]);
});

test("the only way in has no button that removes it, but says why", async () => {
  const html = await htmlOf("account-new");
  assert.deepEqual(await controlsOf("account-new", "Remove"), []);
  assert.deepEqual(byClass(html, "badge").map(({ text }) => text).includes(TEXTS.accountLast), true);
  assert.match(only(html, "main").text, new RegExp(TEXTS.accountLastHint));
});

test("what the application keeps has no button that removes it, and no reason", async () => {
  const { text } = only(await htmlOf("account-kept"), "main");
  assert.deepEqual(await controlsOf("account-kept", "Remove"), []);
  assert.ok(!text.includes(TEXTS.accountLastHint));
});

test("only the device that the page is shown on is marked as this one", async () => {
  const marked = byClass(await htmlOf("account"), "title").filter(({ text }) => text.includes(TEXTS.accountThisDevice));
  assert.deepEqual(marked.map(({ text }) => text), [`Firefox on Linux ${TEXTS.accountThisDevice}`]);
});

test("what was done just now is said to screen readers", async () => {
  const DONE = [
    ["account-picture", "accountDoneRemoved"],
    ["account-own", "saved"],
    ["account-away", "accountDoneCancelEmail"],
  ] as const;
  for (const [name, said] of DONE) {
    const statuses = readMarkup(await htmlOf(name)).filter(({ attributes }) => attributes.get("role") === "status");
    assert.deepEqual(statuses.map(({ text }) => text), [TEXTS[said]]);
  }
});

const WRONG: readonly (readonly [Name, AccountProblem, string | null])[] = [
  ["account-rename", "name", "name"],
  ["account-rename-passkey", "name", "name"],
  ["account-email", "email", "to"],
  ["account-email", "same-email", "to"],
  ["account-email", "not-sent", null],
  ["account-email", "too-many", null],
  ["account-delete", "typed", "typed"],
  ["account", "last-way", null],
  ["account", "not-found", null],
  ["account-allow", "expired", null],
];

for (const [name, problem, field] of WRONG) {
  test(`what is wrong is said at its field, which has the focus: ${problem} at ${name}`, async () => {
    const html = await htmlOf(name, { problem });
    const alerts = readMarkup(html).filter(({ attributes }) => attributes.get("role") === "alert");
    assert.deepEqual(alerts.map(({ attributes }) => attributes.get("id")), ["error"]);
    const wrong = all(html, "input").filter(({ attributes }) => attributes.has("autofocus"));
    assert.deepEqual(wrong.map(({ attributes }) => attributes.get("name")), field === null ? [] : [field]);
    for (const { attributes } of wrong) {
      assert.equal(attributes.get("aria-invalid"), "true");
      assert.equal(attributes.get("aria-describedby"), "error");
    }
  });
}

test("somebody who is not signed in sees nothing of the account", async () => {
  for (const name of ["account-away", "account-allow", "account-undo", "account-undone"] as const) {
    const { text } = only(await htmlOf(name), "main");
    assert.doesNotMatch(text, /Ada|GitHub|Work phone|Linux/);
  }
});

test("a section of the application stands in a form that sends what every form has to send", async () => {
  const [own] = forms(await htmlOf("account-own")).filter(({ inputs }) => inputs.act === "section");
  assert.deepEqual(own, {
    action: "https://app.example/auth/account",
    inputs: {
      csrfToken: "token",
      callbackUrl: "https://app.example/auth/account",
      ...{ act: "section", section: "letters", news: "1" },
    },
  });
  const plan = readMarkup(await htmlOf("account-own")).find(({ text, tag }) =>
    tag === "p" && text === "Free of charge."
  );
  assert.ok(plan && !plan.path.some(({ tag }) => tag === "form"), "a section that takes nothing has no form");
});

test("what a section finds wrong stands in it, as text", async () => {
  const sections = [{ ...OWN_SECTION, problem: "<b>No</b>", html: made`<p>${"<i>"}</p>`.text }];
  const elements = readMarkup(await htmlOf("account-own-wrong", { sections }));
  const isIn = ({ path }: Element) =>
    path.some(({ attributes }) => attributes.get("aria-labelledby") === "own-letters");
  const alerts = elements.filter(({ attributes }) => attributes.get("role") === "alert");
  assert.deepEqual(alerts.map(({ text }) => text), ["<b>No</b>"]);
  assert.ok(alerts.every(isIn));
});

test("a picture is loaded from its own site alone, which is not told where it is shown", async () => {
  const { account } = ACCOUNT_EXAMPLES;
  const withPicture = async (image: string) => {
    const user = { ...ACCOUNT_VIEW.user, image };
    return await renderPage({ ...account, view: { ...ACCOUNT_VIEW, user } }, look());
  };
  const shown = await withPicture("https://pictures.test/ada.png");
  assert.deepEqual(directive(shown, "img-src"), ["'self'", "data:", "https://pictures.test"]);
  const isPortrait = ({ path }: Element) => path.some(({ attributes }) => attributes.get("class") === "portrait");
  const { attributes } = all(shown.html, "img").find(isPortrait) ?? assert.fail();
  assert.deepEqual([attributes.get("referrerpolicy"), attributes.get("alt")], ["no-referrer", ""]);
  for (const image of ["http://pictures.test/a.png", "javascript:alert(1)", "https://user@pictures.test/"]) {
    const { html, csp } = await withPicture(image);
    assert.ok(!all(html, "img").some(({ attributes }) => attributes.has("referrerpolicy")));
    assert.deepEqual(directive({ csp }, "img-src"), ["'self'", "data:"]);
  }
});

test("providers have the mark that they are known by, also on the buttons that add them, or their initial", async () => {
  const known = async (styles: AccountPage["styles"]) => {
    const html = await htmlOf("account", { styles: styles ?? {} });
    const ways = readMarkup(html).filter(({ path }) => {
      return path.some(({ attributes }) => attributes.get("aria-labelledby") === "ways");
    });
    const initials = ways.flatMap(({ attributes }) => attributes.get("data-initial") ?? []);
    return [initials.join(""), ways.filter(({ tag }) => tag === "svg" || tag === "picture").length];
  };
  const mark = "M4 4h16v16H4z";
  assert.deepEqual(await known({}), ["GGAW", 0]);
  assert.deepEqual(await known({ github: { mark } }), ["GAW", 1]);
  assert.deepEqual(await known({ github: { mark }, google: { logo: "https://pictures.test/g.svg" } }), ["AW", 2]);
  assert.deepEqual(await known({ github: { mark: "javascript:alert(1)" } }), ["GGAW", 0]);
});

test("no two elements of the page have the same id, and what describes another is there", async () => {
  for (const name of NAMES) {
    const elements = readMarkup(await htmlOf(name));
    const ids = elements.flatMap(({ attributes }) => attributes.get("id") ?? []);
    assert.deepEqual(ids.filter((id, index) => ids.indexOf(id) !== index), [], name);
    for (const attribute of ["aria-describedby", "aria-labelledby", "for"]) {
      const named = elements.flatMap(({ attributes }) => attributes.get(attribute)?.split(" ") ?? []);
      assert.deepEqual(named.filter((id) => !ids.includes(id)), [], `${name}: ${attribute}`);
    }
  }
});

test("the page needs no script, and only it carries its style sheet", async () => {
  for (const name of NAMES) {
    const { html, csp } = await renderPage({ ...ACCOUNT_EXAMPLES[name], styles: {} }, look());
    assert.deepEqual(all(html, "script"), []);
    assert.equal(directive({ csp }, "script-src"), undefined);
    assert.equal(directive({ csp }, "style-src")?.length, 2);
  }
  const other = await renderPage(signInPage(), look());
  assert.equal(all(other.html, "style").length, 1);
});

const ENDINGS: readonly (readonly [Name, string])[] = [
  ["account-unlink", TEXTS.endsOthers],
  ["account-remove-passkey", TEXTS.endsOthers],
  ["account-delete-later", TEXTS.endsAll],
  ["account-undo", TEXTS.endsAll],
  ["account-undone", TEXTS.endedAll],
  ["account-allow", TEXTS.endsAll],
];

for (const [name, text] of ENDINGS) {
  test(`${name} says which sessions end, unless storage cannot end them`, async () => {
    assert.ok((await htmlOf(name)).includes(` ${text}<`));
    assert.doesNotMatch(await htmlOf(name, { sessionsStay: true }), /signed out on/);
  });
}
