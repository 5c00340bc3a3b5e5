import { test } from "node:test";
import assert from "node:assert/strict";
import { createAuth, type EmailOptions } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "../_support/browser.ts";
import { CORPUS } from "../_support/email_corpus.ts";
import { mailbox } from "../_support/mailbox.ts";
import { testConfig } from "../_support/service.ts";

const REFUSED = "http://localhost:3000/auth/signin?error=EmailSignin";
const SENT = "http://localhost:3000/auth/verify-request?provider=email&type=email";

function open(options: EmailOptions = {}) {
  const { provider, mails } = mailbox(options);
  const adapter = memoryAdapter();
  const browser = new Browser(createAuth(testConfig({ providers: [provider], adapter })).handler);
  return { browser, mails, adapter };
}

for (const kind of ["form", "json"] as const) {
  test(`whatever is sent as an address, one email goes to the mailbox it names, or none at all (${kind})`, async () => {
    const { browser, mails } = open();
    const csrfToken = await browser.csrf();
    for (const [email, wanted] of CORPUS) {
      mails.length = 0;
      const fields = { csrfToken, email };
      const sent = await (kind === "form"
        ? browser.post("/auth/signin/email", fields)
        : browser.postJson("/auth/signin/email", fields));
      assert.equal(sent.headers.get("location"), wanted === null ? REFUSED : SENT, JSON.stringify(email));
      assert.deepEqual(
        mails.map(({ identifier }) =>
          identifier
        ),
        wanted === null ? [] : [wanted],
      );
    }
  });
}

test("an address of ten million characters is refused for its length", async () => {
  const { browser, mails } = open();
  const csrfToken = await browser.csrf();
  const answer = await browser.post("/auth/signin/email", { csrfToken, email: `${"a".repeat(1e7)}@b.com` });
  assert.equal(answer.status, 413);
  assert.equal(mails.length, 0);
});

test("bytes that are no UTF-8, or that hide an @ from those who do not decode them, email nobody", async () => {
  const { browser, mails } = open();
  const csrfToken = await browser.csrf();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (
    const email of ["a+AEA-b.com", "a%C1%80b.com", "a%C0%80@b.com", "a%E0%81%80b.com", "a%00@b.com", "a%0D%0A@b.com"]
  ) {
    const answer = await browser.send("POST", "/auth/signin/email", `csrfToken=${csrfToken}&email=${email}`, {
      headers,
    });
    assert.equal(answer.headers.get("location"), REFUSED, email);
  }
  assert.equal(mails.length, 0);
});

const ASCII = "ada@xn--bcher-kva.example";
const UNICODE = "ada@bücher.example";

for (const typed of [" Ada@BÜCHER.example", "ada@xn--bcher-kva.example"]) {
  test(`whoever types ${typed} is the user whose address another service stored in Unicode`, async () => {
    const { browser, mails, adapter } = open();
    await adapter.createUser({ id: "u1", email: UNICODE, emailVerified: new Date(1e12), name: "Ada" });
    await browser.signIn("email", { email: typed });
    assert.equal(mails[0]?.identifier, ASCII);
    await browser.open(mails[0].url);
    assert.equal((await browser.session())?.user?.name, "Ada");
    assert.equal(await adapter.getUserByEmail(ASCII), null, "nobody else was made");
  });
}

test("of two users whose addresses are one in two spellings, the one that we would store is meant", async () => {
  const { browser, mails, adapter } = open();
  await adapter.createUser({ id: "u1", email: UNICODE, emailVerified: null, name: "in Unicode" });
  await adapter.createUser({ id: "u2", email: ASCII, emailVerified: null, name: "in ASCII" });
  await browser.signIn("email", { email: UNICODE });
  await browser.open(mails[0]?.url ?? "");
  assert.equal((await browser.session())?.user?.name, "in ASCII");
});

test("a provider of addresses in Unicode finds users whose addresses were stored in ASCII", async () => {
  const { browser, mails, adapter } = open({ normalizeIdentifier: (text) => text.trim().toLowerCase() });
  await adapter.createUser({ id: "u1", email: ASCII, emailVerified: null, name: "Ada" });
  await browser.signIn("email", { email: UNICODE });
  await browser.open(mails[0]?.url ?? "");
  assert.equal((await browser.session())?.user?.name, "Ada");
});
