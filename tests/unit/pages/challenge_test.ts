import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { CHALLENGE_SCRIPT } from "../../../src/pages/challenge_script.ts";
import { PASSKEY_SCRIPT } from "../../../src/pages/passkey_script.ts";
import { PASSWORD_SCRIPT } from "../../../src/pages/password_script.ts";
import { renderPage } from "../../../src/pages/render.ts";
import type { ChallengeView } from "../../../src/kernel/challenge_view.ts";
import {
  all,
  byClass,
  credentialsMethod,
  directive,
  emailMethod,
  forms,
  look,
  passkeyMethod,
  signInPage,
} from "./_markup.ts";

const METHODS = [emailMethod(), credentialsMethod({ username: {}, password: { type: "password" } })];

const WORK: ChallengeView = { id: "proof-of-work", fields: { proofOfWork: "1.2.3.4" }, waits: 30 };

const SERVICE: ChallengeView = {
  id: "turnstile",
  fields: {},
  widget: { className: "cf-turnstile", data: { sitekey: "key", size: "flexible" }, script: "https://one.test/api.js" },
  origins: ["https://one.test"],
};

const shown = (view: ChallengeView, over = {}) =>
  renderPage(signInPage({ methods: METHODS, challenge: { provider: "credentials", view }, ...over }), look());

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("the form that the challenge is for has its field, and no other form has", async () => {
  const { html } = await shown(WORK);
  const [email, password] = forms(html);
  assert.equal(email?.inputs.proofOfWork, undefined);
  assert.equal(password?.inputs.proofOfWork, "1.2.3.4");
});

test("a form keeps what was typed beside its challenge, except passwords", async () => {
  const failure = {
    provider: "credentials",
    error: "CredentialsSignin",
    cancelled: false,
    values: { username: "ada", password: "secret" },
  };
  const { html } = await shown(WORK, { failure, error: "CredentialsSignin" });
  const [, password] = forms(html);
  assert.equal(password?.inputs.username, "ada");
  assert.equal(password?.inputs.password, "");
});

test("who can solve a challenge is not told to wait", async () => {
  const failure = { provider: "credentials", error: "TooManyAttempts", cancelled: false, values: {} };
  const limited = { failure, error: "TooManyAttempts", retryAfter: 300 };
  const alertOf = async (over = {}) => byClass((await shown(WORK, { ...limited, ...over })).html, "alert")[0]?.text;
  assert.equal(await alertOf(), "There were too many attempts. You can go on after the check below.");
  assert.match(await alertOf({ challenge: null }) ?? "", /Wait a little.*Try again in 5 minutes/);
});

test("a page with a proof of work allows exactly its script, and loads nothing", async () => {
  const page = await shown(WORK);
  assert.deepEqual(all(page.html, "script").map(({ text }) => text), [PASSWORD_SCRIPT, CHALLENGE_SCRIPT]);
  assert.deepEqual(directive(page, "script-src"), [PASSWORD_SCRIPT, CHALLENGE_SCRIPT].map(hashOf));
  assert.deepEqual(directive(page, "connect-src"), ["'self'"]);
  assert.equal(directive(page, "frame-src"), undefined);
  assert.deepEqual(directive(page, "require-trusted-types-for"), ["'script'"]);
});

test("a page with passkeys and a proof of work allows both scripts", async () => {
  const page = await shown(WORK, { methods: [...METHODS, passkeyMethod()] });
  assert.deepEqual(directive(page, "script-src"), [PASSKEY_SCRIPT, PASSWORD_SCRIPT, CHALLENGE_SCRIPT].map(hashOf));
});

test("without script the button comes after the wait, by a style that the policy allows", async () => {
  const page = await shown({ ...WORK, waits: 12 });
  const styles = all(page.html, "style");
  assert.deepEqual(directive(page, "style-src"), styles.map(({ text }) => hashOf(text)));
  const unscripted = styles.filter(({ path }) => path.some(({ tag }) => tag === "noscript"));
  assert.equal(unscripted.length, 1);
  assert.match(unscripted[0]?.text ?? "", /visibility:hidden;animation:arrive 1ms 12s forwards/);
  const [note] = all(page.html, "noscript").filter(({ path }) => path.some(({ tag }) => tag === "form"));
  assert.match(note?.text ?? "", /12 seconds/);
});

test("a screen reader is told by a region that is there from the start", async () => {
  const { html } = await shown(WORK);
  const [part] = byClass(html, "challenge");
  const regions = all(html, "p").filter(({ attributes, path }) => {
    return attributes.get("role") === "status" && path.some((parent) => parent === part || parent.tag === "form");
  });
  assert.deepEqual(regions.map(({ text }) => text), [""]);
});

test("only a page with the challenge of a service allows its sources", async () => {
  const page = await shown(SERVICE);
  assert.deepEqual(directive(page, "script-src"), [hashOf(PASSWORD_SCRIPT), "https://one.test"]);
  assert.deepEqual(directive(page, "frame-src"), ["https://one.test"]);
  assert.deepEqual(directive(page, "connect-src"), ["'self'", "https://one.test"]);
  assert.equal(directive(page, "require-trusted-types-for"), undefined);
  const [, script] = all(page.html, "script");
  assert.equal(script?.attributes.get("src"), "https://one.test/api.js");
  const [widget] = byClass(page.html, "cf-turnstile");
  assert.equal(widget?.attributes.get("data-sitekey"), "key");
  assert.ok(widget?.path.some(({ tag }) => tag === "form"));
  const plain = await renderPage(signInPage({ methods: METHODS }), look());
  assert.doesNotMatch(plain.csp + plain.html, /one\.test/);
});

test("sources keep their paths and subdomains, and what would change the policy is left out", async () => {
  const good = ["https://*.hcaptcha.com", "https://www.google.com/recaptcha/"];
  const bad = [
    "https://a;b",
    "https://*",
    "*",
    "https:",
    "data:",
    "'unsafe-inline'",
    "http://one.test",
    "https://a.b c",
  ];
  const page = await shown({ ...SERVICE, origins: [...good, ...bad] });
  assert.deepEqual(directive(page, "script-src"), [hashOf(PASSWORD_SCRIPT), ...good]);
  const none = await shown({ ...SERVICE, origins: bad });
  assert.deepEqual(directive(none, "script-src"), [hashOf(PASSWORD_SCRIPT)]);
  assert.deepEqual(directive(none, "trusted-types"), ["'none'"]);
});

test("a proof of work never opens the policy, whatever comes with it", async () => {
  const page = await shown({ ...WORK, origins: ["https://one.test"] });
  assert.doesNotMatch(page.csp, /one\.test/);
});

test("a challenge for a form that is not there leaves the page as it is", async () => {
  const plain = await renderPage(signInPage({ methods: METHODS }), look());
  assert.deepEqual(await shown(WORK, { challenge: { provider: "other", view: WORK } }), plain);
  assert.deepEqual(await shown(WORK, { challenge: null }), plain);
});

test("a challenge cannot put markup or attributes into a page", async () => {
  const hostile = `"><script>alert(1)</script>`;
  const { html } = await shown({
    id: hostile,
    fields: { [hostile]: hostile, proofOfWork: hostile },
    widget: { className: hostile, data: { sitekey: hostile, "x onload": "1", [hostile]: "1" }, script: hostile },
    waits: NaN,
  });
  assert.equal(all(html, "script").length, 3);
  assert.doesNotMatch(html, /<script>alert/);
  for (const { attributes } of all(html, "div")) {
    assert.ok(![...attributes.keys()].some((name) => name.includes("onload")));
  }
});
