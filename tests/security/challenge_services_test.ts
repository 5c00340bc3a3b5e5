/** Doubles of the services that judge challenges. They lie in every way: only what is right in all ways is solved. */
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { hcaptcha } from "@x/auth/challenges/hcaptcha";
import { recaptcha } from "@x/auth/challenges/recaptcha";
import { turnstile } from "@x/auth/challenges/turnstile";
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { actsOf } from "../../src/limits/challenge.ts";
import { testConfig, testContext, testLog, testRuntime } from "../unit/_builders.ts";

const SECRET_KEY = "0xTHE-SECRET-KEY";
const KEYS = { siteKey: "the-site-key", secretKey: SECRET_KEY };
const SUBJECT = "a keyed hash of ada";
const CDATA = createHash("sha256").update(SUBJECT).digest("base64url");
let made = 0;

/** A solution that no other test has used. */
function newSolution(): string {
  return `0.a-solution_of.this.visitor.${made++}`;
}

const SERVICES = [
  { make: turnstile, field: "cf-turnstile-response", url: "https://challenges.cloudflare.com/turnstile/v0/siteverify" },
  { make: hcaptcha, field: "h-captcha-response", url: "https://api.hcaptcha.com/siteverify" },
  { make: recaptcha, field: "g-recaptcha-response", url: "https://www.google.com/recaptcha/api/siteverify" },
];

/** What a service says of a solution that is right. */
const RIGHT = { success: true, hostname: "app.test", action: "sign-in", cdata: CDATA, "error-codes": [] };

type Double = (request: Request) => Response | Promise<Response>;

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
}

async function setUp({ make, field }: (typeof SERVICES)[number], double: Double, over = {}) {
  const asked: Asked[] = [];
  const { logger, errors, warnings } = testLog();
  const runtime = testRuntime();
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const { url, method } = request;
    asked.push({ url, method, fields: Object.fromEntries(new URLSearchParams(await request.clone().text())) });
    return await double(request);
  };
  const config = testConfig({ logger }, { ...runtime, fetch });
  const ctx = Object.assign(testContext("https://app.test/auth/signin", { config }), {
    warn: ([code]: readonly [string, string]) => void warnings.push(code),
  });
  const { show, verify } = await actsOf(make({ ...KEYS, ...over }));
  return {
    ...{ asked, errors, warnings, runtime },
    show: () => show(ctx, { subject: SUBJECT, debt: 1, network: null }),
    answer: (solution: unknown = newSolution(), subject = SUBJECT) =>
      verify(ctx, { subject, network: null, fields: { [field]: solution } }),
  };
}

const says = (answer: unknown, init: ResponseInit = {}): Double => () => Response.json(answer, init);

/** What a service may answer, or not answer, that solves nothing. `logs` what has to be in the log. */
const LIES: readonly { readonly name: string; readonly double: Double; readonly logs?: RegExp }[] = [
  { name: "it says no", double: says({ ...RIGHT, success: false, "error-codes": ["invalid-input-response"] }) },
  { name: "it was used before", double: says({ success: false, "error-codes": ["timeout-or-duplicate"] }) },
  { name: "success is text", double: says({ ...RIGHT, success: "true" }) },
  { name: "success is a number", double: says({ ...RIGHT, success: 1 }) },
  { name: "success is inherited", double: () => new Response(`{"__proto__":{"success":true},"hostname":"app.test"}`) },
  { name: "another host", double: says({ ...RIGHT, hostname: "evil.test" }) },
  { name: "a host that ends like ours", double: says({ ...RIGHT, hostname: "evil-app.test" }) },
  { name: "a host below ours", double: says({ ...RIGHT, hostname: "evil.app.test" }) },
  { name: "no host", double: says({ ...RIGHT, hostname: undefined }) },
  { name: "a list of hosts", double: says({ ...RIGHT, hostname: ["app.test"] }) },
  { name: "an empty object", double: says({}) },
  { name: "a list", double: says([RIGHT]), logs: /is not one of this service/ },
  { name: "null", double: says(null), logs: /is not one of this service/ },
  { name: "true", double: says(true), logs: /is not one of this service/ },
  { name: "HTML", double: () => new Response("<!DOCTYPE html><p>success"), logs: /is not one of this service/ },
  { name: "nothing", double: () => new Response(""), logs: /is not one of this service/ },
  { name: "broken JSON", double: () => new Response(`{"success":true,`), logs: /is not one of this service/ },
  {
    name: "a name twice",
    double: () => new Response(JSON.stringify(RIGHT).replace("{", `{"success":false,`)),
    logs: /is not/,
  },
  { name: "500 with success", double: says(RIGHT, { status: 500 }), logs: /is not one of this service/ },
  { name: "503", double: () => new Response("busy", { status: 503 }), logs: /is not one of this service/ },
  { name: "2 MB", double: () => new Response(JSON.stringify({ ...RIGHT, pad: "x".repeat(2e6) })), logs: /larger than/ },
  {
    name: "a redirect",
    double: () => new Response(null, { status: 302, headers: { location: "https://app.test/" } }),
    logs: /redirects/,
  },
  { name: "the network fails", double: () => Promise.reject(new TypeError("down")), logs: /cannot be reached/ },
  {
    name: "a wrong secret key",
    double: says({ success: false, "error-codes": ["invalid-input-secret"] }),
    logs: /refused the keys/,
  },
];

for (const service of SERVICES) {
  describe(service.make.name, () => {
    test("what is right in all ways is solved, and the secret key goes to the service alone", async () => {
      const { answer, asked, show, errors } = await setUp(service, says(RIGHT));
      const solution = newSolution();
      assert.equal(await answer(solution), true);
      const [{ url = "", method = "", fields = {} } = {}, ...others] = asked;
      assert.deepEqual([url, method, others], [service.url, "POST", []]);
      const sent = service.make === hcaptcha ? { sitekey: KEYS.siteKey } : {};
      assert.deepEqual(fields, { secret: SECRET_KEY, response: solution, ...sent });
      assert.doesNotMatch(JSON.stringify(await show()), /SECRET/);
      assert.doesNotMatch(JSON.stringify(service.make(KEYS)), /SECRET/);
      assert.deepEqual(errors, []);
    });

    for (const { name, double, logs } of LIES) {
      test(`nothing is solved, and nothing fails: ${name}`, async () => {
        const { answer, errors } = await setUp(service, double);
        assert.equal(await answer(), false);
        const log = errors.map((error) => `${error.stack} ${JSON.stringify(error.cause)}`).join("\n");
        if (logs) assert.match(log, logs);
        else assert.equal(log, "");
        assert.doesNotMatch(log, /SECRET|a-solution/);
      });
    }

    test("a solution is good once, whatever the service says", async () => {
      const { answer } = await setUp(service, says(RIGHT));
      const solution = newSolution();
      const answers = await Promise.all(Array.from({ length: 16 }, () => answer(solution)));
      assert.equal(answers.filter(Boolean).length, 1);
    });

    test("a service that never answers is not waited for", async () => {
      const { answer, runtime, errors } = await setUp(service, () => new Promise(() => {}));
      const answered = answer();
      while (runtime.pending() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      runtime.advance(3600);
      assert.equal(await answered, false);
      assert.match(String(errors[0]), /takes too long/);
    });

    test("a body that never ends is not waited for", async () => {
      const endless = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
      const { answer, runtime } = await setUp(service, endless);
      const answered = answer();
      while (runtime.pending() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      runtime.advance(3600);
      assert.equal(await answered, false);
    });

    test("what cannot be a solution is never sent to the service", async () => {
      const { answer, asked } = await setUp(service, says(RIGHT));
      for (const sent of [null, "", " ", "a b", "ä", "a\n", 1, true, [newSolution()], "x".repeat(8193)]) {
        assert.equal(await answer(sent), false);
      }
      assert.deepEqual(asked, []);
    });

    test("`hostnames` replaces the host of the request, and another host is named in the log", async () => {
      const over = { hostnames: ["login.test", "www.login.test"] };
      const solved = async (hostname: string) => {
        const { answer, warnings } = await setUp(service, says({ ...RIGHT, hostname }), over);
        return [await answer(), warnings.length];
      };
      assert.deepEqual(await solved("login.test"), [true, 0]);
      assert.deepEqual(await solved("WWW.login.test"), [true, 0]);
      assert.deepEqual(await solved("app.test"), [false, 1]);
    });

    for (const option of ["siteKey", "secretKey"] as const) {
      test(`without \`${option}\` nothing is shown, and the error names it`, async () => {
        const { show } = await setUp(service, says(RIGHT), { [option]: undefined });
        await assert.rejects(
          async () => await show(),
          (error) => error instanceof InvalidConfig && error.message.includes(option),
        );
      });
    }

    test("it is loaded from its own hosts, over https", async () => {
      const { show } = await setUp(service, says(RIGHT));
      const { widget, origins = [], fields } = await show();
      assert.deepEqual(fields, {});
      assert.equal(widget?.data.sitekey, KEYS.siteKey);
      const isOwn = origins.some((origin) => {
        const [, host = "", path = ""] = /^https:\/\/(?:\*\.)?([^/]+)(.*)$/.exec(origin) ?? [];
        const { hostname, pathname, protocol } = new URL(widget?.script ?? "");
        return protocol === "https:" && hostname.endsWith(host) && pathname.startsWith(path);
      });
      assert.ok(isOwn);
    });
  });
}

test("turnstile() solves for one subject and one action only", async () => {
  const [service] = SERVICES;
  assert.ok(service);
  for (const over of [{ action: "comment" }, { action: undefined }, { cdata: "other" }, { cdata: undefined }]) {
    const { answer } = await setUp(service, says({ ...RIGHT, ...over }));
    assert.equal(await answer(), false);
  }
  const { answer } = await setUp(service, says(RIGHT));
  assert.equal(await answer(newSolution(), "a keyed hash of bob"), false);
});
