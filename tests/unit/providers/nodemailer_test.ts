import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { InvalidConfig } from "../../../src/kernel/errors.ts";
import { type MailMessage, nodemailer, type NodemailerOptions } from "../../../src/providers/nodemailer.ts";
import type { EmailProvider } from "../../../src/contract/provider.ts";

const FROM = "Example <no-reply@example.com>";

function send(provider: EmailProvider, identifier = "ada@example.com") {
  return provider.sendVerificationRequest?.({
    identifier,
    url: "https://app.test/auth/callback/nodemailer?token=0f",
    expires: new Date(Date.UTC(2031, 4, 6)),
    token: "0f",
    provider: {
      ...provider,
      signinUrl: "https://app.test/auth/signin/x",
      callbackUrl: "https://app.test/auth/callback/x",
    },
    theme: {},
    request: new Request("https://app.test/"),
  });
}

function postman(answer: unknown = {}) {
  const sent: MailMessage[] = [];
  return { sent, sendMail: (mail: MailMessage) => Promise.resolve(void sent.push(mail)).then(() => answer) };
}

test("nodemailer() sends one email to one address, which is not parsed", async () => {
  const server = postman();
  await send(nodemailer({ server, from: FROM }), '"e@evil.test"@victim.test');
  const [mail, ...more] = server.sent;
  assert.deepEqual(more, []);
  const { text, html, ...rest } = mail ?? {};
  assert.deepEqual(rest, {
    to: { name: "", address: '"e@evil.test"@victim.test' },
    from: FROM,
    subject: "Sign in to app.test",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  assert.match(text ?? "", /token=0f/);
  assert.match(html ?? "", /token=0f/);
});

test("nodemailer() sends what `message` writes, and the rest as usual", async () => {
  const server = postman();
  await send(nodemailer({ server, from: FROM, message: ({ url }) => ({ subject: "Hello", text: `Open ${url}` }) }));
  assert.equal(server.sent[0]?.subject, "Hello");
  assert.match(server.sent[0]?.text ?? "", /^Open https:/);
  assert.match(server.sent[0]?.html ?? "", /<html/);
  const odd = nodemailer({ server, from: FROM, message: () => ({ text: 5 as never }) });
  await assert.rejects(async () => await send(odd), {
    message: /`message` of the provider \S+ returned no text as `text`/,
  });
});

test("nodemailer() sends the configured subject", async () => {
  const server = postman();
  await send(nodemailer({ server, from: FROM, subject: "Willkommen" }));
  assert.equal(server.sent[0]?.subject, "Willkommen");
});

test("nodemailer() calls sendMail as a method of the given transport", async () => {
  class Transport {
    readonly sent: MailMessage[] = [];
    sendMail(mail: MailMessage): Promise<void> {
      return Promise.resolve(void this.sent.push(mail));
    }
  }
  const server = new Transport();
  const provider = nodemailer({ server, from: FROM });
  await send(provider);
  await send(provider);
  assert.equal(server.sent.length, 2);
});

for (const answer of [{ rejected: ["ada@example.com"] }, { pending: ["ada@example.com"] }]) {
  test(`nodemailer() fails if the server answers ${JSON.stringify(answer)}`, async () => {
    const provider = nodemailer({ server: postman(answer), from: FROM });
    await assert.rejects(async () => await send(provider), /did not accept the recipient/);
  });
}

const LINES: readonly Partial<NodemailerOptions>[] = [
  { from: "a@b.com\r\nBcc: x@evil.test" },
  { from: "a@b.com\nBcc: x@evil.test" },
  { from: "a@b.com\0" },
  { subject: "Hello\r\nBcc: x@evil.test" },
  { server: { host: "localhost", name: "me\r\nMAIL FROM:<x@evil.test>" } },
  { server: "smtp://localhost/?name=me%0d%0aMAIL%20FROM" },
];

for (const options of LINES) {
  test(`V87 (header injection): nodemailer() refuses a text of several lines: ${JSON.stringify(options)}`, () => {
    assert.throws(() => nodemailer({ server: postman(), from: FROM, ...options }), InvalidConfig);
  });
}

for (const missing of ["server", "from"]) {
  test(`nodemailer() asks for \`${missing}\` when it is made`, () => {
    const options = { server: postman(), from: FROM, [missing]: undefined } as unknown as NodemailerOptions;
    assert.throws(() => nodemailer(options), new RegExp(`set \`${missing}\``));
  });
}

test("nodemailer() passes on the developer's other options", () => {
  const { options } = nodemailer({ server: "smtp://localhost", from: FROM, maxAge: 60, name: "Mail" });
  assert.deepEqual(options, { server: "smtp://localhost", from: FROM, maxAge: 60, name: "Mail" });
});

// Only Deno can be told to look for packages nowhere.
test("nodemailer() names the package where it is not installed", { skip: !("Deno" in globalThis) }, async () => {
  const program = `import { nodemailer } from "./src/providers/nodemailer.ts";
    const provider = nodemailer({ server: "smtp://localhost:1", from: "a@b.com" });
    const request = { identifier: "a@b.com", url: "https://app.test/", expires: new Date(0), token: "", theme: {} };
    try { await provider.sendVerificationRequest(request); } catch (error) { console.log(error.type, error.message); }`;
  const output = await new Promise<string>((resolve) => {
    // Without the configuration of this project nothing says where the package is.
    const args = ["run", "--no-config", "--no-lock", "--no-check", "--no-npm", "--ext=ts", "-"];
    const child = execFile(process.execPath, args, (_, stdout, stderr) => resolve(stdout || stderr));
    child.stdin?.end(program);
  });
  assert.equal(output.trim(), "InvalidConfig Cannot send email: install the package `nodemailer`");
});
