/** What the providers of mail services do with options of their own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { customFetch, type EmailProvider } from "../../../../src/contract/provider.ts";
import { InvalidConfig } from "../../../../src/kernel/errors.ts";
import { amazonSes, type AwsCredentials } from "../../../../src/providers/amazon_ses.ts";
import { azureCommunicationServices } from "../../../../src/providers/azure_communication_services.ts";
import { loops } from "../../../../src/providers/loops.ts";
import { mailgun } from "../../../../src/providers/mailgun.ts";
import { mailjet } from "../../../../src/providers/mailjet.ts";
import { plunk } from "../../../../src/providers/plunk.ts";
import { postmark } from "../../../../src/providers/postmark.ts";
import { resend } from "../../../../src/providers/resend.ts";
import { sendgrid } from "../../../../src/providers/sendgrid.ts";
import { sparkpost } from "../../../../src/providers/sparkpost.ts";

const FROM = "Post <post@app.test>";

/** An answer that all of them accept. */
const ACCEPTED = {
  success: true,
  ErrorCode: 0,
  Messages: [{ Status: "success" }],
  results: { total_accepted_recipients: 1 },
};

/** Sends an email with the provider that is made, and returns the request. */
async function sentBy(
  make: (added: { [customFetch]: typeof fetch }) => EmailProvider,
  apiKey = "a-key",
): Promise<Request> {
  const requests: Request[] = [];
  const provider = make({
    [customFetch]: (input, init) => {
      requests.push(new Request(input, init));
      return Promise.resolve(Response.json(ACCEPTED));
    },
  });
  await provider.sendVerificationRequest?.({
    identifier: "ada@b.test",
    url: "https://app.test/auth/callback/post?token=t",
    token: "t",
    expires: new Date(0),
    theme: {},
    request: new Request("https://app.test/"),
    provider: { ...provider, apiKey },
  });
  const [request] = requests;
  assert.ok(request && requests.length === 1);
  return request;
}

test("a region chooses the host", async () => {
  const rows: [make: Parameters<typeof sentBy>[0], url: string][] = [
    [(added) => sendgrid({ from: FROM, region: "EU", ...added }), "https://api.eu.sendgrid.com/v3/mail/send"],
    [(added) => mailgun({ from: FROM, region: "EU", ...added }), "https://api.eu.mailgun.net/v3/app.test/messages"],
    [
      (added) => mailgun({ from: FROM, domain: "mail.app.test", ...added }),
      "https://api.mailgun.net/v3/mail.app.test/messages",
    ],
    [
      (added) => mailgun({ from: FROM, domain: "../x?y", ...added }),
      "https://api.mailgun.net/v3/..%2Fx%3Fy/messages",
    ],
    [(added) => sparkpost({ from: FROM, region: "EU", ...added }), "https://api.eu.sparkpost.com/api/v1/transmissions"],
    [
      (added) => plunk({ from: FROM, baseUrl: "https://api.useplunk.com/", ...added }),
      "https://api.useplunk.com/v1/send",
    ],
  ];
  for (const [make, url] of rows) assert.equal((await sentBy(make)).url, url);
});

test("plunk() sends to https only", () => {
  for (
    const baseUrl of [
      "http://plunk.test",
      "plunk.test",
      "ftp://plunk.test",
      "https://plunk.test/?a",
      "https://plunk.test/#a",
      "",
    ]
  ) {
    assert.throws(() => plunk({ from: FROM, baseUrl }), InvalidConfig, baseUrl);
  }
});

test("postmark() sends in the message stream that is configured", async () => {
  const request = await sentBy((added) => postmark({ from: FROM, messageStream: "links", ...added }));
  assert.equal((await request.json()).MessageStream, "links");
});

test("loops() needs the id of a template, and no sender", () => {
  assert.throws(() => loops({ transactionalId: "" }), /`transactionalId`/);
  assert.equal(loops({ transactionalId: "t" }).options?.from, undefined);
});

test("mailjet() needs a key of two parts, and does not show it", async () => {
  for (const key of ["only-one-part", ":secret"]) {
    await assert.rejects(sentBy((added) => mailjet({ from: FROM, ...added }), key), (error) => {
      return error instanceof InvalidConfig && !error.message.includes(key);
    });
  }
  const request = await sentBy((added) => mailjet({ from: FROM, ...added }), "public:private:more");
  assert.equal(request.headers.get("authorization"), `Basic ${btoa("public:private:more")}`);
});

test("azureCommunicationServices() needs a connection string to an https endpoint, and does not show it", async () => {
  const bad = [
    "a-key",
    "endpoint=https://a.test/",
    "accesskey=c2VjcmV0LWtleQ==",
    "endpoint=http://a.test/;accesskey=c2VjcmV0LWtleQ==",
    "endpoint=https://a.test/path;accesskey=c2VjcmV0LWtleQ==",
    "endpoint=https://a.test/;accesskey=no*base64",
    "endpoint=https://a.test/;accesskey=abc",
  ];
  for (const key of bad) {
    await assert.rejects(sentBy((added) => azureCommunicationServices({ from: FROM, ...added }), key), (error) => {
      return error instanceof InvalidConfig && !error.message.includes(key) && !error.message.includes("c2Vj");
    });
  }
  const key = "accesskey=c2VjcmV0LWtleQ==;endpoint=https://a.test";
  const request = await sentBy((added) => azureCommunicationServices({ from: FROM, ...added }), key);
  assert.equal(request.url, "https://a.test/emails:send?api-version=2023-03-31");
});

test("amazonSes() needs a region", () => {
  for (const region of ["", "eu", "eu-west-1.evil.test/", "eu-west-1\n", undefined as unknown as string]) {
    assert.throws(() => amazonSes({ from: FROM, region }), /`region`/, region);
  }
  for (const region of ["us-east-1", "ap-southeast-2", "us-gov-west-1"]) amazonSes({ from: FROM, region });
});

test("amazonSes() takes credentials from `apiKey`, from the option, or anew for each email", async () => {
  const region = "eu-west-1";
  const rows: [options: object, key: string, id: string, token: string | null][] = [
    [{}, "AKID1:secret", "AKID1", null],
    [{}, "ASIA2:secret:session", "ASIA2", "session"],
    [{ credentials: { accessKeyId: "AKID3", secretAccessKey: "secret" } }, "", "AKID3", null],
    [
      { credentials: () => Promise.resolve({ accessKeyId: "ASIA4", secretAccessKey: "s", sessionToken: "t" }) },
      "",
      "ASIA4",
      "t",
    ],
  ];
  for (const [options, key, id, token] of rows) {
    const { headers } = await sentBy((added) => amazonSes({ from: FROM, region, ...options, ...added }), key);
    assert.ok(headers.get("authorization")?.startsWith(`AWS4-HMAC-SHA256 Credential=${id}/`));
    assert.equal(headers.get("x-amz-security-token"), token);
    assert.match(headers.get("authorization") ?? "", token ? /;x-amz-security-token,/ : /;x-amz-date,/);
  }
  assert.equal(amazonSes({ from: FROM, region, credentials: () => assert.fail() }).needsApiKey, false);
  await assert.rejects(sentBy((added) => amazonSes({ from: FROM, region, ...added }), "AKID"), InvalidConfig);
});

test("amazonSes() writes the name of the sender in ASCII", async () => {
  const rows: [from: string, sent: RegExp][] = [
    ["Post <post@app.test>", /^Post <post@app\.test>$/],
    ["post@app.test", /^post@app\.test$/],
    ["Gr\u00fc\u00dfe <post@app.test>", /^=\?UTF-8\?B\?R3LDvMOfZQ==\?= <post@app\.test>$/],
    [`${"\u{1f4ee}".repeat(30)} <post@app.test>`, /^(?:=\?UTF-8\?B\?[\w+/=]{1,60}\?= ){3}<post@app\.test>$/],
  ];
  for (const [from, sent] of rows) {
    const request = await sentBy((added) => amazonSes({ from, region: "eu-west-1", ...added }), "AKID:secret");
    const { FromEmailAddress } = await request.json();
    assert.match(FromEmailAddress, sent);
    const words = [...FromEmailAddress.matchAll(/\?B\?([^?]*)\?=/g)].map(([, word]) => atob(word));
    const bytes = Uint8Array.from(words.join(""), (char) => char.charCodeAt(0));
    if (words.length) assert.ok(from.startsWith(`${new TextDecoder().decode(bytes)} <`));
    assert.ok(FromEmailAddress.split(" ").every((part: string) => part.length <= 75));
  }
});

test("credentials that come after the deadline are not used", async () => {
  let sent = 0;
  let give = (_: AwsCredentials): void => {};
  const credentials = () => new Promise<AwsCredentials>((resolve) => give = resolve);
  const provider = amazonSes({
    from: FROM,
    region: "eu-west-1",
    credentials,
    [customFetch]: () => {
      sent++;
      return Promise.resolve(Response.json(ACCEPTED));
    },
  });
  const sending = provider.sendVerificationRequest?.({
    identifier: "ada@b.test",
    url: "https://app.test/",
    token: "t",
    expires: new Date(0),
    theme: {},
    request: new Request("https://app.test/"),
    provider: { ...provider, timeout: 0.05 },
  });
  await assert.rejects(async () => await sending, /did not answer in time/);
  give({ accessKeyId: "AKID", secretAccessKey: "secret" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(sent, 0);
});

test("a name and an address go to separate members where the service wants them so", async () => {
  const rows: [from: string, expected: object][] = [
    ["post@app.test", { email: "post@app.test" }],
    ["Post <post@app.test>", { email: "post@app.test", name: "Post" }],
    ['"Post, \\"Inc\\"" <post@app.test>', { email: "post@app.test", name: 'Post, "Inc"' }],
  ];
  const unquoted = await (await sentBy((added) => resend({ from: "Post, Inc. (EU) <post@app.test>", ...added })))
    .json();
  assert.equal(unquoted.from, '"Post, Inc. (EU)" <post@app.test>');
  for (const [from, expected] of rows) {
    assert.deepEqual((await (await sentBy((added) => sendgrid({ from, ...added }))).json()).from, expected);
    assert.equal((await (await sentBy((added) => resend({ from, ...added }))).json()).from, from);
  }
});
