/** The first program of docs/passwords.md, as it is printed there, in the hands of people. */
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { flagsOf, readBlocks, writeConfig } from "../../scripts/docs/run.ts";
import { Browser } from "../_support/browser.ts";
import { freePort } from "../_support/free_port.ts";

const PAGE = "docs/passwords.md";
const HOME = "npm/docs_passwords";

const ADA = "ada@example.com";
const [FIRST, SECOND, THIRD] = ["a pelican on a bicycle", "a bicycle on a pelican", "two bicycles, no pelican"];

/** Waits until something is so, for ten seconds at most. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isSo()) return;
    await delay(20);
  }
  assert.fail("it takes too long");
}

describe("the first program of docs/passwords.md", () => {
  let program: ChildProcess;
  let site = "";
  let printed = "";

  before(async () => {
    const [block] = readBlocks([PAGE]);
    const port = await freePort();
    site = `http://localhost:${port}`;
    rmSync(HOME, { recursive: true, force: true });
    writeConfig(HOME);
    mkdirSync(`${HOME}/run`);
    const code = block?.code.replace(".listen(3000)", `.listen(${port}, "localhost")`) ?? "";
    assert.ok(code.includes(String(port)));
    writeFileSync(`${HOME}/main.mjs`, code);
    const allowed = /Deno also needs `(--[a-z-]+)` and `(--[a-z-]+)`/.exec(readFileSync(PAGE, "utf8"))?.slice(1) ?? [];
    assert.equal(allowed.length, 2);
    const args = [
      "run",
      ...flagsOf(resolve(HOME)),
      "--no-check",
      "--no-prompt",
      "--allow-net",
      "--allow-env",
      ...allowed,
    ];
    const env = { ...Deno.env.toObject(), AUTH_SECRET: "q3vZ0mJk7yT1xW5cR8nB2dH6fL9sG4pA", NO_COLOR: "1" };
    program = spawn(Deno.execPath(), [...args, resolve(HOME, "main.mjs")], { cwd: `${HOME}/run`, env });
    for (const stream of [program.stdout, program.stderr]) stream?.on("data", (text) => printed += text);
    await until(async () => {
      assert.equal(program.exitCode, null, printed);
      return await fetch(site).then((answer) => answer.text(), () => "") === "Hello stranger";
    });
  });
  after(() => {
    program?.kill();
    rmSync(HOME, { recursive: true, force: true });
  });

  const visit = () =>
    new Browser((request) => fetch(request, { redirect: "manual" }), { application: true, origin: site });

  /** Reads the link of an email that is printed while somebody does something. */
  async function linkOf(subject: RegExp, act: () => Promise<unknown>): Promise<string> {
    const before = printed.length;
    await act();
    let link: string | undefined;
    await until(() => {
      const text = printed.slice(before);
      [link] = subject.test(text) && text.includes(`To ${ADA}`) && /http\S+token=\S+/.exec(text) || [];
      return link !== undefined;
    });
    return link ?? "";
  }

  async function who(browser: Browser): Promise<string> {
    return await (await browser.get("/")).text();
  }

  async function signIn(text: string): Promise<Browser> {
    return await visit().signIn("password", { email: ADA, password: text });
  }

  test("people register, open the link, sign in, choose another password by email, and change it", async () => {
    const browser = visit();
    const confirmation = await linkOf(/Confirm your email address/, async () => {
      await browser.open("/auth/signup");
      await browser.submit({ email: ADA, password: FIRST }, "/signup");
    });
    assert.equal(browser.url.pathname, "/auth/verify-request");
    assert.equal(await who(await signIn(FIRST)), "Hello stranger");
    await browser.open(confirmation);
    assert.equal(await who(browser), `Hello ${ADA}`);

    const second = await signIn(FIRST);
    assert.equal(await who(second), `Hello ${ADA}`);

    const owner = visit();
    const reset = await linkOf(/Choose a new password/, async () => {
      await owner.open("/auth/reset");
      await owner.submit({ email: ADA }, "/reset");
    });
    await owner.open(reset);
    await owner.submit({ password: SECOND }, "/reset");
    assert.equal(await who(owner), `Hello ${ADA}`);
    assert.equal(await who(second), "Hello stranger");
    assert.equal(await who(await signIn(FIRST)), "Hello stranger");

    const third = await signIn(SECOND);
    await third.open("/auth/password");
    await third.submit({ password: THIRD }, "/password");
    assert.equal(await who(third), `Hello ${ADA}`);
    assert.equal(await who(owner), "Hello stranger");
    assert.equal(await who(await signIn(SECOND)), "Hello stranger");
    assert.equal(await who(await signIn(THIRD)), `Hello ${ADA}`);
    await until(() => /The password of your account at localhost:\d+ was changed/.test(printed));
  });
});
