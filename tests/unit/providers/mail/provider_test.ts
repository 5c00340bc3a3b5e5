import assert from "node:assert/strict";
import { test } from "node:test";
import { customFetch, type VerificationRequest } from "../../../../src/contract/provider.ts";
import { type AuthError, EmailSignInError, InvalidConfig } from "../../../../src/kernel/errors.ts";
import { redact } from "../../../../src/kernel/redact.ts";
import type { MailFailure } from "../../../../src/providers/mail/failure.ts";
import {
  bearer,
  jsonRequest,
  type MailOptions,
  mailProvider,
  type MailServiceFacts,
} from "../../../../src/providers/mail/provider.ts";
import { testRuntime } from "../../../_support/runtime.ts";

const KEY = "re_A1b2C3d4+E5/f6G7";
const TOKEN = "0123456789abcdef".repeat(4);
const LINK =
  `https://app.test/auth/callback/post?callbackUrl=https%3A%2F%2Fapp.test%2F&token=${TOKEN}&email=ada%40b.test`;

const FACTS: MailServiceFacts = {
  id: "post",
  service: "Post Office",
  keys: "https://post.test/keys",
  senders: "https://post.test/senders",
  request: ({ from, to, subject, text }, { key }) =>
    jsonRequest("https://api.post.test/send", bearer(key), { from: from.text, to, subject, text }),
  error: { code: ["code"], words: ["message"] },
  refusals: { address: ["bad_address"], limit: [/slow down/] },
};

type Answer = (request: Request) => Response | Promise<Response>;

interface Bench {
  readonly answer?: Answer;
  readonly options?: Partial<MailOptions>;
  readonly request?: Partial<VerificationRequest>;
  readonly provider?: Partial<VerificationRequest["provider"]>;
  readonly facts?: Partial<MailServiceFacts>;
}

function bench(
  { answer = () => Response.json({}), options = {}, request = {}, provider = {}, facts = {} }: Bench = {},
) {
  const requests: Request[] = [];
  const runtime = testRuntime({
    fetch: (request) => {
      requests.push(request.clone());
      return answer(request);
    },
  });
  const made = mailProvider({ ...FACTS, ...facts }, { from: "Post <post@app.test>", ...options }, runtime);
  const send = async () => {
    await made.sendVerificationRequest?.({
      identifier: "ada@b.test",
      url: LINK,
      token: TOKEN,
      expires: new Date(runtime.now() + 600_000),
      theme: {},
      request: new Request("https://app.test/auth/signin/post"),
      ...request,
      provider: { ...made, apiKey: KEY, ...provider },
    });
  };
  return { runtime, requests, send };
}

/** Sends an email that is refused. */
async function refusal(given: Bench): Promise<{ error: AuthError; failure: MailFailure; timers: number }> {
  const { send, runtime } = bench(given);
  try {
    await send();
  } catch (error) {
    assert.ok(error instanceof EmailSignInError, String(error));
    return { error, failure: error.cause as unknown as MailFailure, timers: runtime.timers() };
  }
  assert.fail("it was accepted");
}

/** Everything that an error could show. */
function shown(error: Error): string {
  return JSON.stringify([error.message, error.stack, error.cause, redact(error)]);
}

const TELLTALES: readonly (readonly [what: string, words: string])[] = [
  ["the key", `The key ${KEY} is wrong`],
  ["the key in a URL", `See https://post.test/?key=${encodeURIComponent(KEY)}`],
  ["the header", `Bearer ${KEY}`],
  ["the link", `Your text ${LINK} is spam`],
  ["a part of the link", `callback/post?token=${TOKEN}`],
  ["the token", TOKEN],
  ["the recipient", "ada@b.test is on the list"],
  ["the recipient in another spelling", "Ada@B.test or ada%40b.test is on the list"],
  ["the key at the end of what is shown", `${"x".repeat(236)}${KEY}`],
];

for (const [what, words] of TELLTALES) {
  test(`an error never holds ${what}, even if the service repeats it`, async () => {
    for (const code of ["no", words]) {
      const { error } = await refusal({ answer: () => Response.json({ message: words, code }, { status: 400 }) });
      for (const secret of [KEY, encodeURIComponent(KEY), KEY.slice(0, 8), TOKEN, "ada@", "ada%40", "Ada@"]) {
        assert.ok(!shown(error).includes(secret), error.message);
      }
    }
    const { error } = await refusal({ answer: () => new Response(words, { status: 400 }) });
    assert.ok(!shown(error).includes(KEY.slice(0, 8)) && !shown(error).includes(TOKEN), error.message);
  });
}

test("an error never holds a part of a key of several parts", async () => {
  const key = "AKIDEXAMPLE01:wJalrXUtnFEMI:a-session-token";
  for (const part of key.split(":")) {
    const answer = () => Response.json({ message: `no ${part}!` }, { status: 400 });
    const { error } = await refusal({ answer, provider: { apiKey: key } });
    assert.ok(!shown(error).includes(part), error.message);
  }
});

test("an error of the network shows its code only, because its words may quote what was sent", async () => {
  const failed = Object.assign(new TypeError(`cannot send ${KEY} to ada@b.test`), { cause: { code: "ENOTFOUND" } });
  const { error, failure } = await refusal({ answer: () => Promise.reject(failed) });
  assert.equal(error.message, "Cannot send email: Post Office is not available (ENOTFOUND). Try again later");
  assert.deepEqual(failure, { service: "Post Office", reason: "unavailable", errorCode: "ENOTFOUND" });
  assert.ok(!shown(error).includes(KEY));
});

test("the words of a service become one line of a limited length", async () => {
  const rows: [words: string, expected: RegExp][] = [
    ["no\r\n[auth][error] forged", /\(400: no \[auth\]\[error\] forged\)$/],
    ["\u001b[2Jcleared", /\(400: \\u001b\[2Jcleared\)$/],
    ["\u202egnp.exe", /\(400: \\u202egnp\.exe\)$/],
    ["a\u0000b", /\(400: a\\u0000b\)$/],
    ["word ".repeat(10_000), /\(400: (?:word ){48}…\)$/],
    ["$& $1 $'", /\(400: \$& \$1 \$'\)$/],
    ["\ud83d", /\(400: \ufffd\)$/],
  ];
  for (const [message, expected] of rows) {
    const { error } = await refusal({ answer: () => Response.json({ message }, { status: 400 }) });
    assert.match(error.message, expected);
    assert.doesNotMatch(error.message, /\p{Cc}|\u202e/u);
  }
});

test("a page in HTML is not quoted, and neither is JSON without the members that are known", async () => {
  for (
    const body of ["<html>Bad gateway</html>", " <!doctype html>", '{"other":"x"}', "[]", "null", "[".repeat(60_000)]
  ) {
    const { error, failure } = await refusal({ answer: () => new Response(body, { status: 502 }) });
    assert.equal(failure.reason, "unavailable");
    assert.ok(error.message.length < 400);
    if (!body.startsWith("[[")) {
      assert.equal(error.message, "Cannot send email: Post Office is not available (502). Try again later");
    }
  }
});

test("a redirect is not followed, and is an error", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = () => new Response("moved", { status, headers: { location: "https://evil.test/" } });
    const { failure } = await refusal({ answer });
    assert.deepEqual(failure, { service: "Post Office", reason: "unavailable", status });
  }
  const { requests, send } = bench();
  await send();
  assert.deepEqual(requests.map(({ redirect, method }) => [redirect, method]), [["manual", "POST"]]);
  const followed = Object.defineProperty(Response.json({}), "redirected", { value: true });
  const { failure } = await refusal({ answer: () => followed });
  assert.equal(failure.reason, "unavailable");
});

const SEVERAL = [
  "ada@b.test, eve@evil.test",
  "ada@b.test,eve@evil.test",
  "ada@b.test;eve@evil.test",
  "ada@b.test eve@evil.test",
  "ada@b.test\r\nBcc: eve@evil.test",
  "Ada <ada@b.test>",
  "ada@b.test@evil.test",
  '"ada eve"@b.test',
  "ada@b.test\u0000",
  "ada\u200b@b.test",
  "ada(eve@evil.test)@b.test",
  "@b.test",
  "ada@",
  "ada",
  "",
];

for (const identifier of SEVERAL) {
  test(`nothing is sent to ${JSON.stringify(identifier)}, which is not exactly one mailbox`, async () => {
    const { requests, send } = bench({ request: { identifier } });
    await assert.rejects(send(), (error) => error instanceof EmailSignInError && /one mailbox/.test(error.message));
    assert.deepEqual(requests, []);
  });
}

test("a mailbox with characters of any script is one recipient", async () => {
  for (const identifier of ["ada+news@b.test", "\u00e4da@b\u00fccher.test", "o'hara@b.test", "a/b=c!d@b.test"]) {
    const { requests, send } = bench({ request: { identifier } });
    await send();
    assert.equal((await requests[0]?.json()).to, identifier);
  }
});

test("the sender is one address, with or without a name, in one line", () => {
  const make = (from: unknown) => () => mailProvider(FACTS, { from: from as string });
  for (const from of ["post@app.test", " post@app.test ", "Post <post@app.test>", '"Post, Inc." <post@app.test>']) {
    assert.doesNotThrow(make(from), from);
  }
  const bad = [
    undefined,
    null,
    "",
    7,
    {},
    "post",
    "Post",
    "Post <post>",
    "a@b.test, c@d.test",
    "A <a@b.test>, C <c@d.test>",
    "A <a@b.test> x",
    "a@b.test, C <c@d.test>",
    "a@b.test <c@d.test>",
    "a@b.test\r\nBcc: x@evil.test",
    "A\nB <a@b.test>",
    "a@b.test\n",
  ];
  for (const from of bad) {
    assert.throws(make(from), (error) => error instanceof InvalidConfig && /`from`/.test(error.message), String(from));
  }
});

test("the subject is one line, whoever writes it", async () => {
  assert.throws(() => bench({ options: { subject: "Hello\r\nBcc: x@evil.test" } }), InvalidConfig);
  const { send, requests } = bench({ options: { message: () => ({ subject: "Hello\nthere" }) } });
  await assert.rejects(send(), InvalidConfig);
  assert.deepEqual(requests, []);
});

test("`subject` and `message` replace what they name", async () => {
  const rows: [options: Partial<MailOptions>, subject: string, text: RegExp][] = [
    [{}, "Sign in to app.test", /^Sign in to app\.test\n\nhttps/],
    [{ subject: "Welcome" }, "Welcome", /^Sign in to app\.test/],
    [{ subject: "Welcome", message: () => ({ text: "Hi" }) }, "Welcome", /^Hi$/],
    [{ subject: "Welcome", message: async ({ identifier }) => ({ subject: await identifier }) }, "ada@b.test", /^Sign/],
  ];
  for (const [options, subject, text] of rows) {
    const { send, requests } = bench({ options });
    await send();
    const body = await requests[0]?.json();
    assert.equal(body.subject, subject);
    assert.match(body.text, text);
  }
  const wrong = bench({ options: { message: () => ({ html: 7 as unknown as string }) } });
  await assert.rejects(wrong.send(), /returned no text as `html`/);
});

test("a service that does not answer within nine tenths of the time is a timeout", async () => {
  for (const answer of [() => new Promise<Response>(() => {}), () => new Response(new ReadableStream())]) {
    const started = performance.now();
    const { failure, timers, error } = await refusal({ answer, provider: { timeout: 0.1 } });
    assert.deepEqual(failure, { service: "Post Office", reason: "timeout" });
    assert.match(error.message, /did not answer in time\. Raise `timeout`/);
    const took = performance.now() - started;
    assert.ok(took >= 85 && took < 2000, `${took}`);
    assert.equal(timers, 0);
  }
});

test("an answer that comes too late is not read, and nothing fails because of it", async () => {
  let cancelled = false;
  let answer = (_: Response): void => {};
  const { failure } = await refusal({
    answer: () => new Promise<Response>((resolve) => answer = resolve),
    provider: { timeout: 0.05 },
  });
  assert.equal(failure.reason, "timeout");
  answer(new Response(new ReadableStream({ cancel: () => void (cancelled = true) })));
  for (let turn = 0; turn < 20 && !cancelled; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(cancelled);
});

test("an answer is read up to 64 KiB", async () => {
  const { send } = bench({ answer: () => new Response("x".repeat(64 * 1024)) });
  await send();
  const { failure } = await refusal({ answer: () => new Response("x".repeat(64 * 1024 + 1)) });
  assert.deepEqual(failure, { service: "Post Office", reason: "unavailable", status: 200 });
});

test("Retry-After is read as seconds and as a date", async () => {
  const rows: [header: string, seconds: number | undefined][] = [
    ["7", 7],
    ["0", 0],
    ["Tue, 06 May 2031 12:01:30 GMT", 90],
    ["Tue, 06 May 2031 11:59:00 GMT", undefined],
    ["Tue, 06 May 2036 12:00:00 GMT", undefined],
    ["-5", undefined],
    ["1e9", undefined],
    ["999999999", undefined],
    ["soon", undefined],
  ];
  for (const [header, seconds] of rows) {
    const answer = () => new Response("", { status: 429, headers: { "retry-after": header } });
    const { failure, error } = await refusal({ answer });
    assert.deepEqual([failure.reason, failure.retryAfter], ["limit", seconds], header);
    assert.ok(error.message.endsWith(
      `${seconds === undefined ? "Wait" : `Try again in ${seconds} s`}, or raise the limit of your account`,
    ));
  }
});

test("the code of a service counts more than its words, and those more than the status", async () => {
  const rows: [status: number, body: object, reason: string][] = [
    [401, {}, "key"],
    [403, {}, "key"],
    [401, { code: "bad_address" }, "address"],
    [401, { message: "please slow down" }, "limit"],
    [429, { code: "bad_address", message: "slow down" }, "address"],
    [429, {}, "limit"],
    [503, { message: "slow down" }, "unavailable"],
    [503, { code: "bad_address" }, "address"],
    [408, {}, "unavailable"],
    [400, {}, "refused"],
    [404, { code: "constructor", message: "__proto__" }, "refused"],
  ];
  for (const [status, body, reason] of rows) {
    const { failure } = await refusal({ answer: () => Response.json(body, { status }) });
    assert.equal(failure.reason, reason, `${status} ${JSON.stringify(body)}`);
  }
});

test("an answer with a status of success that does not say so is an error", async () => {
  const facts = { accepted: (json: unknown) => (json as { ok?: boolean } | undefined)?.ok === true };
  for (const body of ["", "null", "[]", "{", '{"ok":false}', '{"ok":"true"}']) {
    const { failure } = await refusal({ facts, answer: () => new Response(body, { status: 200 }) });
    assert.deepEqual([failure.reason, failure.status], ["refused", 200], body);
  }
  await bench({ facts, answer: () => Response.json({ ok: true }) }).send();
});

test("a key that cannot be a header is an error of the configuration, which does not show it", async () => {
  for (const apiKey of ["", " ", "sk live", "sk\nlive", "sk\u00e9", 7 as unknown as string, undefined]) {
    const { send, requests } = bench({ provider: { apiKey, id: "post-2" } });
    await assert.rejects(send(), (error) => {
      return error instanceof InvalidConfig && /`apiKey`.*AUTH_POST_2_KEY/.test(error.message) &&
        !/sk|live/.test(error.message);
    });
    assert.deepEqual(requests, []);
  }
  const { send, requests } = bench({ provider: { apiKey: ` ${KEY}\n` } });
  await send();
  assert.equal(requests[0]?.headers.get("authorization"), `Bearer ${KEY}`);
});

test("the error of a wrong key says where to make one, and names the variable of the provider's own id", async () => {
  const answer = () => Response.json({ code: "nope", message: "Unknown key" }, { status: 401 });
  const { error } = await refusal({ answer, provider: { id: "second-post" } });
  assert.equal(
    error.message,
    "Cannot send email: Post Office refused the API key (401 nope: Unknown key). Make one that may send email at " +
      "https://post.test/keys, and set `apiKey` or the environment variable AUTH_SECOND_POST_KEY",
  );
});

test("the address of the sender may be shown: it is in the configuration", async () => {
  const answer = () =>
    Response.json({ code: "bad_address", message: "post@app.test is not verified" }, { status: 400 });
  const { error } = await refusal({ answer });
  assert.match(error.message, /\(400 bad_address: post@app\.test is not verified\)\. Verify the sender at https:/);
});

test("`customFetch` replaces the network", async () => {
  const calls: [url: string, init: RequestInit][] = [];
  const fetch = (url: string | URL | Request, init: RequestInit = {}) => {
    calls.push([String(url), init]);
    return Promise.resolve(Response.json({}));
  };
  const { send, requests } = bench({ options: { [customFetch]: fetch } });
  await send();
  assert.deepEqual([requests.length, calls.length], [0, 1]);
  const [[url, init] = assert.fail()] = calls;
  assert.deepEqual([url, init.method, init.redirect], ["https://api.post.test/send", "POST", "manual"]);
});

test("emails that are sent at once do not know of each other", async () => {
  const { send, requests, runtime } = bench({
    answer: async (request) => {
      const { to } = await request.json();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return Response.json({ message: to }, { status: 200 });
    },
  });
  await Promise.all(Array.from({ length: 10 }, () => send()));
  assert.deepEqual([requests.length, runtime.timers()], [10, 0]);
});
