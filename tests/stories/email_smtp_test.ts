/** The whole way of a link: through a real mail server, read as an email client reads it. */
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { domainToASCII } from "node:url";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodemailer } from "@x/auth/providers/nodemailer";
import { Browser } from "../_support/browser.ts";
import { recordLog, testConfig } from "../_support/service.ts";

interface Delivery {
  readonly from: string;
  readonly to: readonly string[];
  readonly mail: Email;
}

const deliveries: Delivery[] = [];
let refuses = false;

const server = new SMTPServer({
  authOptional: true,
  logger: false, // or it would warn of its certificate, which is for tests
  onAuth: ({ username, password }, _, done) => {
    const known = username === "postman" && password === "secret";
    return known ? done(null, { user: username }) : done(new Error("Unknown"));
  },
  onRcptTo: (_address, _session, done) => done(refuses ? new Error("No such mailbox") : null),
  onData(stream, { envelope }, done) {
    const chunks: Uint8Array[] = [];
    stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    stream.on("end", async () => {
      const { mailFrom, rcptTo } = envelope;
      const from = mailFrom ? mailFrom.address : "";
      const mail = await PostalMime.parse(new Blob(chunks as Uint8Array<ArrayBuffer>[]));
      deliveries.push({ from, to: rcptTo.map(({ address }) => address), mail });
      done();
    });
  },
});

before(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
after(() => new Promise<void>((resolve) => server.close(() => resolve())));

function port(): number {
  return (server.server.address() as AddressInfo).port;
}

function open(options: Partial<Parameters<typeof nodemailer>[0]> = {}, config: AuthConfig = {}) {
  deliveries.length = 0;
  const { logger, errors } = recordLog();
  const provider = nodemailer({
    server: { host: "127.0.0.1", port: port(), tls: { rejectUnauthorized: false } },
    from: "Example <no-reply@example.com>",
    ...options,
  });
  const { handler } = createAuth(testConfig({ providers: [provider], adapter: memoryAdapter(), logger, ...config }));
  return { handler, browser: new Browser(handler), stranger: () => new Browser(handler), errors };
}

/** The link of an email, as somebody clicks it. */
function linkIn({ html = "" }: Email): string {
  const [, link = ""] = /href="([^"]+)"/.exec(html) ?? [];
  return link.replaceAll("&amp;", "&");
}

test("a visitor asks for a link, opens it in the email and is signed in", async () => {
  const { browser, stranger } = open({}, { theme: { brandColor: "#0f766e" } });
  await browser.signIn("nodemailer", { email: "Ada+News@Example.com" }, { callbackUrl: "/cart" });
  assert.equal(browser.url.pathname, "/auth/verify-request");
  const [delivery, ...more] = deliveries;
  assert.ok(delivery && more.length === 0);
  const { from, to, mail } = delivery;
  assert.deepEqual({ from, to }, { from: "no-reply@example.com", to: ["ada+news@example.com"] });
  assert.equal(mail.subject, "Sign in to localhost:3000");
  assert.deepEqual(mail.from, { name: "Example", address: "no-reply@example.com" });
  assert.deepEqual(mail.to?.map(({ address }) => address), ["ada+news@example.com"]);
  assert.deepEqual([mail.cc, mail.bcc, mail.replyTo], [undefined, undefined, undefined]);
  assert.deepEqual(mail.attachments, []);
  assert.match(mail.html ?? "", /#0f766e/);
  const link = linkIn(mail);
  assert.ok(mail.text?.includes(`\n${link}\n`), "the plain text has the same link");
  const other = await stranger().open(link);
  await other.submit();
  assert.equal(other.url.href, "http://localhost:3000/cart");
  assert.equal((await other.session())?.user?.email, "ada+news@example.com");
});

test("the email is in the language of whoever asked for it, and names the site", async () => {
  const { handler, stranger } = open({}, { theme: { name: "Acme" } });
  const browser = new Browser((request) => {
    const asked = new Request(request);
    asked.headers.set("accept-language", "de-AT,en;q=0.5");
    return handler(asked);
  });
  await browser.signIn("nodemailer", { email: "ada@example.com" });
  const mail = deliveries[0]?.mail;
  assert.equal(mail?.subject, "Bei Acme anmelden");
  assert.match(mail?.text ?? "", /Der Link funktioniert einmal/);
  assert.match(mail?.html ?? "", /<html lang="de" dir="ltr">/);
  const other = stranger();
  await other.open("/auth/signin?lang=ar");
  await other.signIn("nodemailer", { email: "bo@example.com" });
  assert.match(deliveries[1]?.mail.html ?? "", /<html lang="ar" dir="rtl">/);
  assert.match(deliveries[1]?.mail.subject ?? "", /Acme/);
});

test("an address of another script goes to its mailbox in ASCII", async () => {
  const { browser } = open();
  await browser.signIn("nodemailer", { email: "ada@b\u00fccher.example" });
  const [{ to: [to = ""], mail } = assert.fail()] = deliveries;
  const [local, domain = ""] = to.split("@");
  // This server shows domains as people read them, whatever they came as.
  assert.deepEqual([local, domainToASCII(domain)], ["ada", "xn--bcher-kva.example"]);
  await browser.open(linkIn(mail));
  assert.equal((await browser.session())?.user?.email, "ada@xn--bcher-kva.example");
});

test("a mail server that wants a name and a password gets them", async () => {
  const wants = (password: string) => ({
    server: `smtp://postman:${password}@127.0.0.1:${port()}/?tls.rejectUnauthorized=false`,
  });
  const right = open(wants("secret"));
  await right.browser.signIn("nodemailer", { email: "ada@example.com" });
  assert.equal(deliveries.length, 1);
  const wrong = open(wants("guess"));
  await wrong.browser.signIn("nodemailer", { email: "ada@example.com" });
  assert.equal(wrong.browser.url.href, "http://localhost:3000/auth/signin?error=EmailSignin");
  assert.equal(deliveries.length, 0);
});

test("a mail server that takes no email for an address leads back to the sign-in page", async () => {
  refuses = true;
  try {
    const { browser, errors } = open();
    await browser.signIn("nodemailer", { email: "nobody@example.com" });
    assert.equal(browser.url.href, "http://localhost:3000/auth/signin?error=EmailSignin");
    assert.deepEqual(errors.map(({ name }) => name), ["EmailSignInError"]);
  } finally {
    refuses = false;
  }
});

test("a mail server that is not there leads back to the sign-in page", async () => {
  const { browser } = open({ server: "smtp://127.0.0.1:1" });
  await browser.signIn("nodemailer", { email: "ada@example.com" });
  assert.equal(browser.url.href, "http://localhost:3000/auth/signin?error=EmailSignin");
});

test("ten visitors at once get one email each, with a link of their own", async () => {
  const { stranger } = open();
  const addresses = Array.from({ length: 10 }, (_, number) => `ada${number}@example.com`);
  await Promise.all(addresses.map((email) => stranger().signIn("nodemailer", { email })));
  assert.deepEqual(deliveries.flatMap(({ to }) => to).toSorted(), addresses);
  assert.equal(new Set(deliveries.map(({ mail }) => linkIn(mail))).size, 10);
});
