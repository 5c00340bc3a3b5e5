/** Every mail service: whole sign-ins against a double of its API, and what becomes of a refusal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth, customFetch, type MailFailure, type MailProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { EmailSignInError } from "@x/auth/errors";
import { Browser } from "../_support/browser.ts";
import {
  linkOf,
  MAIL_SERVICES,
  type MailFacts,
  readSent,
  responseOf,
  type SentMail,
} from "../_support/mail_services.ts";
import { recordLog, testConfig } from "../_support/service.ts";

type Answer = (request: Request) => Response | Promise<Response>;

async function providerOf({ id, key, options }: MailFacts, answer: Answer, more: object = {}): Promise<MailProvider> {
  const module: Record<string, unknown> = await import(`@x/auth/providers/${id}`);
  const name = id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const make = module[name] as (options: object) => MailProvider;
  const fetch = async (input: string | URL | Request, init?: RequestInit) => await answer(new Request(input, init));
  return make({ ...options, apiKey: key, [customFetch]: fetch, ...more });
}

async function open(facts: MailFacts, answer: Answer, more: object = {}, config: AuthConfig = {}) {
  const { logger, errors, warnings } = recordLog();
  const providers = [await providerOf(facts, answer, more)];
  const { handler } = createAuth(testConfig({ providers, adapter: memoryAdapter(), logger, ...config }));
  return { browser: new Browser(handler), errors, warnings };
}

/** The error that a sign-in ended with, and what of it a program may tell apart. */
function failureIn(errors: readonly Error[]): { error: EmailSignInError; failure: MailFailure } {
  const [error, ...more] = errors;
  assert.ok(error instanceof EmailSignInError && more.length === 0, String(error));
  return { error, failure: error.cause as unknown as MailFailure };
}

for (const facts of MAIL_SERVICES) {
  const { id, failures } = facts;

  test(`${id}: a visitor asks for a link, and the link in the email signs in`, async () => {
    const sent: SentMail[] = [];
    const { browser, errors } = await open(facts, async (request) => {
      sent.push(await readSent(facts, request));
      return responseOf(facts.success);
    });
    await browser.signIn(id, { email: "Ada@Example.com" }, { callbackUrl: "/cart" });
    assert.deepEqual(errors, []);
    assert.equal(browser.url.pathname, "/auth/verify-request");
    const [mail, ...more] = sent;
    assert.ok(mail && more.length === 0, "one request is sent");
    assert.equal(mail.to, "ada@example.com");
    if (!mail.url) {
      assert.equal(mail.subject, "Sign in to localhost:3000");
      assert.match(mail.html ?? "", /^<!DOCTYPE html>/);
    }
    const link = linkOf(mail);
    if (mail.text) assert.ok(mail.text.includes(`\n${link}\n`), "both bodies have the same link");
    await browser.open(link);
    assert.equal(browser.url.href, "http://localhost:3000/cart");
    assert.equal((await browser.session())?.user?.email, "ada@example.com");
  });

  for (const [number, recorded] of failures.entries()) {
    const { reason, status, code, what } = recorded;
    test(`${id}: refusal ${number}, ${status} ${code ?? ""} is told as "${reason}" of ${what ?? "the service"}`, async () => {
      const { browser, errors } = await open(facts, () => responseOf(recorded));
      await browser.signIn(id, { email: "ada@example.com" });
      assert.equal(browser.url.href, "http://localhost:3000/auth/signin?error=EmailSignin");
      const { error, failure } = failureIn(errors);
      assert.deepEqual(
        { reason: failure.reason, status: failure.status, code: failure.errorCode },
        { reason, status, code },
        error.message,
      );
      const after = recorded.headers?.["retry-after"];
      assert.equal(failure.retryAfter, after === undefined ? undefined : Number(after));
      if (after) assert.ok(error.message.includes(`Try again in ${after} s`), error.message);
      assert.ok(error.message.startsWith(`Cannot send email: ${failure.service} `), error.message);
      assert.ok(error.message.includes(String(status)));
      const variable = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_KEY`;
      assert.equal(error.message.includes(variable), reason === "key", error.message);
      assert.doesNotMatch(error.message, /ada@|token=|[\r\n]|undefined|\(\)/);
    });
  }

  test(`${id}: a service that does not answer is told as "timeout", and the request is ended`, async () => {
    const made: Request[] = [];
    const { browser, errors } = await open(facts, (request) => {
      // On Node the signal of a request that nobody holds any more is never aborted.
      made.push(request);
      return new Promise<Response>((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
      });
    }, { timeout: 0.2 });
    await browser.signIn(id, { email: "ada@example.com" });
    assert.equal(browser.url.href, "http://localhost:3000/auth/signin?error=EmailSignin");
    const { failure } = failureIn(errors);
    assert.deepEqual([failure.reason, failure.status], ["timeout", undefined]);
    // On a slow machine the time may be over before a request is made: then there is none to end.
    const ended = () => made.every(({ signal }) => signal.aborted);
    for (let turns = 0; !ended() && turns < 100; turns++) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(ended());
  });

  test(`${id}: a service that is not there is told as "unavailable"`, async () => {
    const { browser, errors } = await open(facts, () => {
      throw Object.assign(new TypeError(`fetch failed for ${facts.key}`), { cause: { code: "ECONNREFUSED" } });
    });
    await browser.signIn(id, { email: "ada@example.com" });
    const { error, failure } = failureIn(errors);
    assert.deepEqual([failure.reason, failure.errorCode], ["unavailable", "ECONNREFUSED"]);
    assert.ok(!JSON.stringify([error.message, error.cause]).includes(facts.key));
  });

  test(`${id}: without its key the provider is left out, with a warning that names the variable`, async () => {
    const { browser, warnings, errors } = await open(facts, () => assert.fail("nothing is sent"), {
      apiKey: undefined,
    });
    await browser.get("/auth/session");
    assert.deepEqual(Object.keys(await browser.providers()), []);
    assert.ok(warnings.includes("provider-left-out"));
    const variable = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_KEY`;
    await browser.post(`/auth/signin/${id}`, { csrfToken: await browser.csrf(), email: "ada@example.com" });
    assert.ok(errors.some(({ message }) => message.includes(variable)), String(errors));
  });
}
