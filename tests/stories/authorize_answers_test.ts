import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { type AuthError, CredentialsSignin } from "@x/auth/errors";
import { Browser } from "../_support/browser.ts";
import { ADA, password, testConfig } from "../_support/service.ts";

interface Line {
  readonly level: "error" | "warn";
  readonly code: string;
  readonly message: string;
}

function open(answer: () => unknown, config: AuthConfig = {}) {
  const lines: Line[] = [];
  const signedIn: unknown[] = [];
  const service = createAuth(testConfig({
    providers: [password({ authorize: answer as never })],
    events: { signIn: ({ user }) => void signedIn.push(user.id) },
    logger: {
      error: (error, details) => {
        lines.push({ level: "error", code: details?.code ?? "", message: (error as AuthError).message });
      },
      // The page that a sign-in leads to is none of the service.
      warn: (code, message = "") => void (code !== "path-elsewhere" && lines.push({ level: "warn", code, message })),
    },
    ...config,
  }));
  const come = async () => await new Browser(service.handler, { mayFail: true }).signIn("credentials", ADA);
  return { come, lines, signedIn };
}

class Row {
  id = "1";
  name = "Ada";
}

const failed = Object.assign(new Error("secret-in-error"), { id: "1", name: "Ada" });

/** What is no user, and what the log calls it. */
const NO_USERS: readonly (readonly [what: string, answer: () => unknown, named: RegExp])[] = [
  ["true", () => true, /returned `true`/],
  ["a number", () => 1, /returned a number/],
  ["a text", () => "secret-text", /returned text/],
  ["a symbol", () => Symbol("secret"), /returned a symbol/],
  ["a function", () => () => ({ id: "1" }), /returned a function/],
  ["an empty list", () => [], /returned a list/],
  ["a list of users", () => [{ id: "1", name: "Ada" }], /returned a list/],
  ["an empty object", () => ({}), /returned an empty object/],
  ["an object of nothing", () => Object.create(null), /returned an empty object/],
  ["an error in words", () => ({ error: "secret-word" }), /returned an object with `error`/],
  ["an error with a name", () => ({ error: "secret-word", name: "Ada" }), /returned an object with `error`, `name`/],
  ["an error beside an address", () => ({ error: null, email: "ada@example.com" }), /an object with `error`, `email`/],
  ["a result without data", () => ({ data: null, error: { status: 400 } }), /an object with `data`, `error`/],
  ["a user one level down", () => ({ ok: false, user: { id: "1" } }), /an object with `ok`, `user`/],
  ["members that are null", () => ({ id: null, name: null, email: null }), /an object with `id`, `name`, `email`/],
  ["members that are empty", () => ({ id: "", name: " ", email: "" }), /an object with `id`, `name`, `email`/],
  ["an id that is no text", () => ({ id: {} }), /an object with `id`/],
  ["many members", () => ({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, secret: 1 }), /`e`, `f` and more,/],
  ["a Response", () => new Response("secret-body", { status: 401 }), /an instance of `\w*Response`/],
  ["a Request", () => new Request("https://secret.test"), /an instance of `Request`/],
  ["an Error", () => new TypeError("secret-error"), /an instance of `TypeError`/],
  ["an Error with the members of a user", () => failed, /an instance of `Error`/],
  ["a refusal that is returned", () => new CredentialsSignin("secret-refusal"), /an instance of `\w+`/],
  ["a Map", () => new Map([["id", "1"]]), /an instance of `Map`/],
  ["a date", () => new Date(0), /an instance of `Date`/],
  ["an instance of a class", () => new Row(), /an instance of `Row`/],
];

const CONFIGS: readonly (readonly [name: string, config: () => AuthConfig])[] = [
  ["without an adapter", () => ({})],
  ["with an adapter and sealed sessions", () => ({ adapter: memoryAdapter(), session: { strategy: "jwt" } })],
  ["with stored sessions", () => ({ adapter: memoryAdapter(), session: { strategy: "database" } })],
];

for (const [where, config] of CONFIGS) {
  for (const [what, answer, named] of NO_USERS) {
    test(`authorize that returns ${what} signs nobody in, and the log names it (${where})`, async () => {
      const { come, lines, signedIn } = open(answer, config());
      const browser = await come();
      assert.equal(await browser.session(), null);
      assert.equal(browser.url.searchParams.get("error"), "CredentialsSignin");
      assert.deepEqual(signedIn, []);
      assert.deepEqual(lines.map(({ level, code }) => [level, code]), [["error", "callback-result"]]);
      assert.match(lines[0]?.message ?? "", named);
      assert.match(lines[0]?.message ?? "", /Return a plain object with `id`/);
      assert.doesNotMatch(lines[0]?.message ?? "", /secret-/);
    });
  }

  for (const answer of [null, undefined, false]) {
    test(`authorize that returns ${answer} refuses, which is no fault (${where})`, async () => {
      const { come, lines } = open(() => answer, config());
      const browser = await come();
      assert.equal(await browser.session(), null);
      assert.deepEqual(lines.map(({ level, code }) => [level, code]), [["warn", "credentials-signin"]]);
    });
  }

  test(`a user whose row has a member \`error\` signs in by their id (${where})`, async () => {
    const { come, lines } = open(() => ({ id: "1", name: "Ada", error: "none" }), config());
    assert.equal((await (await come()).session())?.user?.name, "Ada");
    assert.deepEqual(lines, []);
  });

  test(`a row without a prototype is a user (${where})`, async () => {
    const { come } = open(() => Object.assign(Object.create(null), { id: "1", name: "Ada" }), config());
    assert.equal((await (await come()).session())?.user?.name, "Ada");
  });
}

for (const user of [{ name: "Ada", email: "ada@example.com" }, { name: "Ada" }, { email: "ada@example.com" }]) {
  test(`without an adapter, ${Object.keys(user).join(" and ")} sign in without an id, with one warning`, async () => {
    const { come, lines, signedIn } = open(() => user);
    for (const _ of ["once", "again"]) assert.equal((await (await come()).session())?.user?.name, user.name);
    assert.deepEqual(lines.map(({ level, code }) => [level, code]), [["warn", "user-without-id"]]);
    assert.equal(new Set(signedIn).size, 2);
  });
}

test("with an adapter, a user without an id is refused with the reason", async () => {
  for (const [, config] of CONFIGS.slice(1)) {
    const { come, lines, signedIn } = open(() => ({ name: "Ada", email: "ada@example.com" }), config());
    assert.equal(await (await come()).session(), null);
    assert.deepEqual(lines.map(({ code }) => code), ["callback-route-error"]);
    assert.deepEqual(signedIn, []);
  }
});
