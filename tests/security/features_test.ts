/** The points at which features act: each is asked, at its time, and stops nothing by failing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { makeFeature } from "../../src/contract/feature.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import type { Guess, GuessAnswer, Points } from "../../src/request/points.ts";
import { pageUrl } from "../../src/request/links.ts";
import { openVisitedService, type VisitedService, type Visitor } from "../_support/visitors.ts";

const ADA = "ada@example.com";

function open(points: Points, config: Omit<AuthConfig, "adapter"> = {}): Promise<VisitedService> {
  return openVisitedService({
    adapter: memoryAdapter(),
    features: [makeFeature("watching", [], () => Promise.resolve(points))],
    ...config,
  });
}

/** Types a code. */
async function type(ada: Visitor, code: string): Promise<void> {
  await ada.get(`/auth/callback/email?${new URLSearchParams({ email: ADA, token: code })}`);
}

/** Asks for a code by email in the browser of `ada`. */
async function withCode(points: Points) {
  const service = await open(points, {
    providers: [{
      id: "email",
      name: "Email",
      type: "email",
      generateVerificationToken: () => "123456",
      sendVerificationRequest: () => {},
    }],
  });
  const ada = service.visitor();
  await ada.ask(ADA);
  return { service, ada };
}

test("a guess at a code is judged before it is compared, and its end is told", async () => {
  const told: (Guess | boolean)[] = [];
  const { ada, service } = await withCode({
    guess: (_, guess) => (told.push(guess), { act: "compare", done: (isRight) => void told.push(isRight) }),
  });
  const guess = (token: string) => {
    return { kind: "code", provider: "email", subject: ADA, fields: { email: ADA, token } } as const;
  };
  await type(ada, "000000");
  const read = () => {
    return told.splice(0).map((each) => {
      if (typeof each === "boolean") return each;
      const { target, ...rest } = each;
      assert.match(target ?? "", /^[0-9a-f]{64}$/);
      return rest;
    });
  };
  assert.deepEqual(read(), [guess("000000"), false]);
  await type(ada, "123456");
  assert.deepEqual(read(), [guess("123456"), true]);
  assert.notEqual(ada.token, undefined, service.errors.join());
});

test("a guess at a code that a feature refuses is not compared, and does not count", async () => {
  let refusing = true;
  const { ada } = await withCode({ guess: () => ({ act: refusing ? "refuse" : "compare" }) });
  for (let tries = 0; tries < 10; tries++) {
    await type(ada, "123456");
    assert.equal(ada.token, undefined);
  }
  refusing = false;
  await type(ada, "123456");
  assert.notEqual(ada.token, undefined);
});

test("credentials are judged before `authorize` is called, and the end is told", async () => {
  const told: (Guess | boolean)[] = [];
  const service = await open({
    guess: (_, guess) => (told.push(guess), { act: "compare", done: (isRight) => void told.push(isRight) }),
  });
  const ada = service.visitor();
  const type = async () => void await ada.post("/auth/callback/password", { name: "ada" });
  const read = () => told.splice(0).map((each) => typeof each === "boolean" ? each : [each.kind, each.fields?.name]);
  await type();
  assert.deepEqual(read(), [["credentials", "ada"], false]);
  service.passwords.set("ada", { id: "ada" });
  await type();
  assert.deepEqual(read(), [["credentials", "ada"], true]);
});

test("what one feature refuses to compare, no other allows", async () => {
  const refusing = makeFeature("refusing", [], () => Promise.resolve({ guess: () => ({ act: "refuse" }) }));
  const allowing = makeFeature("allowing", [], () => Promise.resolve({ guess: () => ({ act: "compare" }) }));
  for (const features of [[refusing, allowing], [allowing, refusing]]) {
    const service = await open({}, { features });
    service.passwords.set("ada", { id: "ada" });
    const ada = service.visitor();
    const response = await ada.post("/auth/callback/password", { name: "ada" });
    assert.match(response.headers.get("location") ?? "", /error=CredentialsSignin/);
    assert.equal(ada.token, undefined);
  }
});

test("credentials are not checked where a feature answers anything else", async () => {
  for (const answer of [undefined, {}, { act: "maybe" }]) {
    const service = await open({ guess: () => answer as GuessAnswer });
    service.passwords.set("ada", { id: "ada" });
    const ada = service.visitor();
    await ada.post("/auth/callback/password", { name: "ada" });
    assert.equal(ada.token, undefined);
  }
});

test("a feature adds a link to a page, in the language of the page", async () => {
  const service = await open({
    page: (ctx, { name }) => name === "signin" ? [{ text: "signOut", url: pageUrl(ctx, "signOut") }] : [],
  }, { theme: { language: "de" } });
  const ada = service.visitor();
  const html = await (await ada.get("/auth/signin")).text();
  assert.match(html, /<a class="site" href="http:\/\/localhost:3000\/auth\/signout">Abmelden<\/a>/);
  assert.doesNotMatch(await (await ada.get("/auth/signout")).text(), /auth\/signout">/);
});

test("a page is shown even if storage fails a feature", async () => {
  const service = await open({
    page: () => {
      throw new AdapterError("Cannot read records");
    },
  });
  const response = await service.visitor().get("/auth/signin");
  assert.equal(response.status, 200);
  assert.equal(service.errors.length, 1);
});

test("the code of a feature is loaded once it is needed, not to read a session", async () => {
  let loads = 0;
  const late = makeFeature("late", [], () => Promise.resolve((loads++, {})));
  const service = await open({}, { features: [late], session: { strategy: "jwt" } });
  const ada = service.visitor();
  assert.equal(await ada.session(), null);
  assert.equal(loads, 0);
  await ada.come("plain", { sub: "1" });
  assert.ok(loads > 0);
  const before = loads;
  assert.notEqual(await ada.session(), null);
  assert.equal(loads, before);
});
