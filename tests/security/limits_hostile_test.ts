/** Limits, and what strangers send to get around them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { credentials } from "@x/auth/providers/credentials";
import { type LimitedService, openLimited, PASSWORD, tryPassword } from "../_support/limited.ts";

const ORIGIN = "http://localhost:3000";

/** Fields of JSON. */
type Json = Readonly<Record<string, unknown>>;

/** Posts JSON from a browser that nobody has used, or from one that has these cookies. */
async function postJson({ visitor, send }: LimitedService, fields: Json, cookies?: Map<string, string>) {
  const fresh = visitor();
  const { csrfToken } = await (await fresh.get("/auth/csrf")).json();
  const all = [...new Map([...fresh.cookies, ...cookies ?? []])].map(([name, value]) => `${name}=${value}`);
  const headers = {
    "cookie": all.join("; "),
    "origin": ORIGIN,
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
  };
  const body = JSON.stringify({ csrfToken, ...fields });
  const response = await send(new Request(`${ORIGIN}/auth/callback/password`, { method: "POST", headers, body }));
  return response.status;
}

/** Sends fields until it is limited, and tells how often that was not. */
async function countPassed(service: LimitedService, fieldsOf: (tries: number) => Json): Promise<number> {
  for (let tries = 0; tries < 40; tries++) {
    if (await postJson(service, { password: "wrong", ...fieldsOf(tries) }) === 429) return tries;
  }
  return Infinity;
}

/** A service whose form has these fields besides the password, or whose fields are not declared. */
function openWith(fields: readonly string[] | null) {
  const declared: Record<string, { type?: string }> = fields ? { password: { type: "password" } } : {};
  for (const name of fields ?? []) declared[name] = {};
  return openLimited({
    config: {
      providers: [credentials({
        id: "password",
        credentials: declared,
        authorize: ({ username, email, name, password }) => {
          return password === PASSWORD ? { id: String(username ?? email ?? name) } : null;
        },
      })],
    },
  });
}

test("a name in a list, or as a number, is the account that it is as text", async () => {
  const lists = [["ada"], "ada", [["ada"]], ["ada", "bob"], ["x", " ADA "]];
  assert.equal(await countPassed(await openLimited(), (tries) => ({ username: lists[tries % 5] })), 10);
  const numbers = [17, "17", [17]];
  assert.equal(await countPassed(await openLimited(), (tries) => ({ username: numbers[tries % 3] })), 10);
});

test("other fields hide no account", async () => {
  for (const declared of [null, ["email", "username"], ["username", "email"], ["e-mail", "userName", "username"]]) {
    const service = await openWith(declared);
    const fieldsOf = (tries: number) => ({ email: `user-${tries}@example.com`, username: "ada" });
    assert.equal(await countPassed(service, fieldsOf), 10, String(declared));
  }
});

test("an account is known by either of its names", async () => {
  const either = await openWith(["email", "username"]);
  assert.equal(await countPassed(either, () => ({ username: "ada" })), 10);
  assert.equal(await countPassed(await openWith(["email", "name"]), () => ({ name: "ada" })), 10);
});

test("more names than somebody can have are not compared", async () => {
  const service = await openLimited();
  const names = Array.from({ length: 9 }, (_, at) => `user-${at}`);
  await postJson(service, { username: names.slice(1), password: "wrong" });
  assert.equal(service.compared.size, 1);
  await postJson(service, { username: names, password: "wrong" });
  assert.equal(service.compared.size, 1);
});

test("who signs in with the name of somebody else beside their own makes no browser known for it", async () => {
  const service = await openWith(["username", "email"]);
  const mallory = service.visitor();
  await mallory.post("/auth/callback/password", { username: "mallory", email: "ada@example.com", password: PASSWORD });
  assert.notEqual(mallory.token, undefined);
  assert.equal(await countPassed(service, () => ({ email: "ada@example.com" })), 10);
  assert.equal(await postJson(service, { email: "ada@example.com", password: "wrong" }, mallory.cookies), 429);
});

test("a browser that is known for one name has no guesses at another beside it", async () => {
  const service = await openWith(["username", "email"]);
  const mallory = service.visitor();
  await mallory.post("/auth/callback/password", { username: "mallory", password: PASSWORD });
  assert.equal(await countPassed(service, () => ({ email: "ada@example.com" })), 10);
  const both = { username: "mallory", email: "ada@example.com", password: "wrong" };
  assert.equal(await postJson(service, both, mallory.cookies), 429);
});

test("spellings that databases take for the same are one account", async () => {
  // As the collations of MySQL compare: without accents, and without what is not seen.
  const spellings = ["ada", "ádà", "ada\u0301", "a\u200bda", "a\u00adda", "ada\u0000", "\ufeffada", "ADÄ"];
  assert.equal(await countPassed(await openLimited(), (tries) => ({ username: spellings[tries % 8] })), 10);
  const sharp = ["strasse", "straße", "STRAẞE"];
  assert.equal(await countPassed(await openLimited(), (tries) => ({ username: sharp[tries % 3] })), 10);
});

test("nothing is compared where the application cannot tell whose account it is, and the log says why", async () => {
  const { visitor, compared, log } = await openLimited({
    limits: { account: ({ company }) => (company as string).toLowerCase() },
  });
  await tryPassword(visitor(), "ada", PASSWORD);
  assert.equal(compared.size, 0);
  assert.deepEqual(log.errors.map(({ message }) => message), [
    "Cannot tell whose account it is: `account` of `limits()` failed",
  ]);
});

test("tokens that were given back are nothing more once the bucket is full again", async () => {
  const { visitor, runtime } = await openLimited();
  const atOnce = (password: string) =>
    Promise.all(Array.from({ length: 40 }, () => tryPassword(visitor(), "ada", password)));
  await atOnce(PASSWORD);
  runtime.advance(2 * 86_400);
  const answers = await atOnce("wrong");
  assert.equal(answers.filter((answer) => answer === "wrong").length, 10);
  // They go back with a later call, and then they are worth what they are.
  runtime.advance(299);
  assert.equal(await tryPassword(visitor(), "bob"), "wrong");
  assert.equal(await tryPassword(visitor(), "ada"), "limited");
});
