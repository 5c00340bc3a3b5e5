/** Crowds of strangers at a whole service with limits, and the people whom they must not keep out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { proofOfWork } from "@x/auth/limits";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { openLimited, PASSWORD, tryPassword } from "../_support/limited.ts";
import { mailbox } from "../_support/mailbox.ts";
import { PEOPLE, strangerAddress, stuffing } from "../_support/stuffing.ts";
import type { Visitor } from "../_support/visitors.ts";
import { solve } from "../unit/limits/_solve.ts";

const ADA = "ada@example.com";

test("of 20,000 guesses in a day at 100 people at most 100 each are compared, and none of them is refused", async () => {
  const { visitor, runtime, compared } = await openLimited();
  const browsers = new Map<string, Visitor>();
  const signIns = new Map<string, number>();
  const enter = async (owner: string, address: string) => {
    // Behind the address where the strangers are, too.
    const browser = visitor(address);
    for (const [name, value] of browsers.get(owner)?.cookies ?? []) browser.cookies.set(name, value);
    browser.token = undefined;
    assert.equal(await tryPassword(browser, owner, PASSWORD), "in", owner);
    browsers.set(owner, browser);
    signIns.set(owner, (signIns.get(owner) ?? 0) + 1);
  };
  for (let person = 0; person < PEOPLE; person++) await enter(`person-${person}`, "203.0.113.7");
  let clock = 0;
  let limited = 0;
  for (const { at, account, address, owner } of stuffing(20_000)) {
    runtime.advance((at - clock) / 1000);
    clock = at;
    if (await tryPassword(visitor(address), account) === "limited") limited++;
    if (owner !== null) await enter(owner, address);
  }
  assert.ok(limited > 10_000, String(limited));
  assert.equal(compared.size, PEOPLE);
  for (const [account, all] of compared) {
    const guesses = all - (signIns.get(account) ?? 0);
    assert.ok(guesses <= 100 && guesses >= 90, `${account}: ${guesses}`);
  }
});

/** A service with passwords, emails and passkeys, and somebody who has used each of them. */
async function openHome() {
  const box = mailbox();
  const service = await openLimited({
    limits: { challenge: proofOfWork({ hashes: 16 }) },
    config: {
      providers: [
        credentials({
          id: "password",
          credentials: { username: {}, password: { type: "password" } },
          authorize: ({ username, password }) => password === PASSWORD ? { id: "ada", name: String(username) } : null,
        }),
        box.provider,
        passkey(),
      ],
    },
  });
  const known = service.visitor("203.0.113.7");
  const holder = service.visitor("203.0.113.8");
  assert.equal(await tryPassword(known, ADA, PASSWORD), "in");
  await known.signOut();
  const key = await holder.register("ada+passkey@example.com");
  assert.ok(key && holder.token);
  /** Somebody with the passkey in a browser that nobody has used. */
  const withPasskey = () => {
    const fresh = service.visitor("203.0.113.9");
    Object.defineProperty(fresh, "device", { value: holder.device });
    return fresh;
  };
  return { ...service, box, known, key, withPasskey };
}

/** Asks for an email until the form has a challenge, solves that, and opens the link. */
async function enterByEmail(fresh: Visitor, link: () => URL): Promise<void> {
  await fresh.ask(ADA);
  const page = await (await fresh.get("/auth/signin")).text();
  const [, token = ""] = /name="proofOfWork" value="([^"]+)"/.exec(page) ?? [];
  await fresh.post("/auth/signin/email", { email: ADA, proofOfWork: solve(token) });
  await fresh.open(link());
}

test("10,000 requests in a minute keep nobody out who has a known browser, a passkey or a mailbox", async () => {
  const { visitor, runtime, box, known, key, withPasskey } = await openHome();
  for (let request = 0; request < 10_000; request++) {
    runtime.advance(0.006);
    const stranger = visitor(strangerAddress(request));
    if (request % 3 === 0) await stranger.ask(ADA);
    else if (request % 3 === 1) await tryPassword(stranger, ADA);
    else await stranger.get("/auth/webauthn-options/passkey?action=authenticate");
    if (request % 1000 > 0) continue;
    assert.equal(await tryPassword(known, ADA, PASSWORD), "in");
    await known.signOut();
    const holder = withPasskey();
    await holder.authenticate(key);
    assert.notEqual(holder.token, undefined);
  }
  assert.equal(await tryPassword(visitor("203.0.113.10"), ADA, PASSWORD), "limited");
  const before = box.mails.length;
  const fresh = visitor("203.0.113.10");
  await enterByEmail(fresh, () => box.link(ADA));
  assert.notEqual(fresh.token, undefined);
  assert.equal(box.mails.length, before + 1);
});

test("strangers who solve challenges, too, leave the links in the mailbox", async () => {
  const { visitor, box } = await openHome();
  for (let request = 0; request < 200; request++) await enterWithout(visitor(strangerAddress(request)));
  const before = box.mails.length;
  assert.equal(before, 6, "three, and three for solutions");
  const fresh = visitor("203.0.113.10");
  await fresh.open(box.link(ADA));
  assert.notEqual(fresh.token, undefined);
  assert.equal(box.mails.length, before);
});

/** Asks for an email and solves the challenge, but has no mailbox. */
async function enterWithout(stranger: Visitor): Promise<void> {
  await enterByEmail(stranger, () => new URL("http://localhost:3000/auth/signin"));
}
