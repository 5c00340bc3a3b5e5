/** Visitors reach the service at another origin than the one that it takes for its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { ERROR_PAGE, type Mistake, SERVED, tellMistakes } from "./_table.ts";

function handlerOf(config: Partial<AuthConfig> = {}) {
  const providers = [
    github({ clientId: "app", clientSecret: "s" }),
    credentials({ credentials: { name: {} }, authorize: () => ({ id: "1" }) }),
  ];
  return createAuth({ providers, ...config }).handler;
}

const BACK = { status: 302 } as const;

/** A form that a browser posts. */
function form(url: string, headers: Record<string, string>): () => Request {
  return () => {
    const body = new URLSearchParams({ csrfToken: "x", name: "ada" });
    return new Request(url, { method: "POST", body, headers });
  };
}

const refusedForm: Pick<Mistake, "see" | "code" | "level" | "log"> = {
  see: BACK,
  code: "origin-differs",
  level: "warn",
  log: /Cannot accept form: a page of/,
};

tellMistakes([
  {
    name: "AUTH_URL says http, and a proxy in front has https: a form",
    env: { AUTH_URL: "http://shop.example" },
    make: () => handlerOf(),
    ask: form("http://10.0.0.7:3000/auth/signin/github", {
      origin: "https://shop.example",
      "sec-fetch-site": "same-origin",
      "x-forwarded-proto": "https",
    }),
    ...refusedForm,
    says: ["https://shop.example", "http://shop.example (from AUTH_URL)", "Set AUTH_URL=https://shop.example"],
  },
  {
    name: "AUTH_URL says http, and a proxy in front has https: the sign-in page",
    env: { AUTH_URL: "http://shop.example" },
    make: () => handlerOf(),
    ask: () => new Request("http://10.0.0.7:3000/auth/signin", { headers: { "x-forwarded-proto": "https" } }),
    see: SERVED,
    code: "origin-differs",
    level: "warn",
    log: /visitors reach this service at https:\/\/shop\.example, and it takes itself for http:\/\/shop\.example/,
    says: ["(from AUTH_URL)", "Set AUTH_URL=https://shop.example"],
  },
  {
    name: "AUTH_URL has a path, which the remedy keeps",
    env: { AUTH_URL: "http://shop.example/api/auth" },
    make: () => handlerOf(),
    ask: () => new Request("http://10.0.0.7:3000/api/auth/signin", { headers: { "x-forwarded-proto": "https" } }),
    see: SERVED,
    code: "origin-differs",
    level: "warn",
    log: /visitors reach this service at/,
    says: ["Set AUTH_URL=https://shop.example/api/auth"],
  },
  {
    name: "AUTH_URL is another host than the one that visitors open",
    env: { AUTH_URL: "https://www.shop.example" },
    make: () => handlerOf(),
    ask: form("http://10.0.0.7:3000/auth/signin/github", { origin: "https://shop.example" }),
    ...refusedForm,
    says: [
      "https://shop.example sent it",
      "https://www.shop.example (from AUTH_URL)",
      "If https://shop.example is an address of this site: set AUTH_URL=https://shop.example",
      "redirect its visitors to https://www.shop.example",
    ],
  },
  {
    name: "the site is opened at 127.0.0.1, and AUTH_URL says localhost: a form",
    env: { AUTH_URL: "http://localhost:3000" },
    make: () => handlerOf(),
    ask: form("http://localhost:3000/auth/signin/github", {
      origin: "http://127.0.0.1:3000",
      "sec-fetch-site": "cross-site",
    }),
    ...refusedForm,
    says: [
      "http://127.0.0.1:3000 sent it",
      "http://localhost:3000 (from AUTH_URL)",
      "open the site at http://localhost:3000, or set AUTH_URL=http://127.0.0.1:3000",
    ],
  },
  {
    name: "the site is opened at 127.0.0.1, and AUTH_URL says localhost: the sign-in page",
    env: { AUTH_URL: "http://localhost:3000" },
    make: () => handlerOf(),
    ask: "http://127.0.0.1:3000/auth/signin",
    see: SERVED,
    code: "origin-differs",
    level: "warn",
    log: /the site was opened at http:\/\/127\.0\.0\.1:3000, and this service is at http:\/\/localhost:3000/,
    says: ["(from AUTH_URL)", "open the site at http://localhost:3000, or set AUTH_URL=http://127.0.0.1:3000"],
  },
  {
    name: "a form of 127.0.0.1 is posted to localhost without AUTH_URL",
    make: () => handlerOf(),
    ask: form("http://localhost:3000/auth/signin/github", { origin: "http://127.0.0.1:3000" }),
    ...refusedForm,
    says: ["http://localhost:3000 (from the Host header of the request)", "open the site at http://localhost:3000"],
  },
  {
    name: "the proxy sends no X-Forwarded-Proto behind https: a form",
    env: { AUTH_TRUST_HOST: "true" },
    make: () => handlerOf(),
    ask: form("http://shop.example/auth/signin/github", {
      origin: "https://shop.example",
      "sec-fetch-site": "same-origin",
    }),
    ...refusedForm,
    says: [
      "https://shop.example sent it",
      "http://shop.example (from the Host header of the request)",
      "`X-Forwarded-Proto: https`",
      "set AUTH_URL=https://shop.example",
    ],
  },
  {
    name: "the proxy sends no X-Forwarded-Proto behind https: the sign-in page",
    env: { AUTH_TRUST_HOST: "true" },
    make: () => handlerOf(),
    ask: () => new Request("http://shop.example/auth/signin", { headers: { "sec-fetch-site": "none" } }),
    see: SERVED,
    code: "origin-differs",
    level: "warn",
    log: /visitors reach this service at https:\/\/shop\.example/,
    says: ["`X-Forwarded-Proto: https`", "set AUTH_URL=https://shop.example"],
  },
  {
    name: "the proxy sends the host of another site in X-Forwarded-Host",
    env: { AUTH_TRUST_HOST: "true" },
    make: () => handlerOf(),
    ask: form("http://10.0.0.7:3000/auth/signin/github", {
      origin: "https://shop.example",
      "sec-fetch-site": "same-origin",
      "x-forwarded-host": "internal.example",
      "x-forwarded-proto": "https",
    }),
    ...refusedForm,
    says: [
      "https://internal.example (from the proxy's headers X-Forwarded-Host and X-Forwarded-Proto)",
      "`X-Forwarded-Host: shop.example`",
      "set AUTH_URL=https://shop.example",
    ],
  },
  {
    name: "a real host is asked for, and neither AUTH_URL nor AUTH_TRUST_HOST is set",
    make: () => handlerOf(),
    ask: "https://shop.example/auth/signin",
    see: ERROR_PAGE,
    code: "untrusted-host",
    log: /Cannot trust the host "shop\.example" of the request/,
    says: ["AUTH_URL", "AUTH_TRUST_HOST=true"],
  },
  {
    name: "a proxy sends X-Forwarded-Host, and nothing says that it is trusted",
    make: () => handlerOf(),
    ask: () => new Request("http://localhost:3000/auth/signin", { headers: { "x-forwarded-host": "shop.example" } }),
    see: SERVED,
    code: "proxy-unheard",
    level: "warn",
    log: /the headers of a proxy are ignored/,
    says: ["AUTH_URL", "AUTH_TRUST_HOST=true"],
  },
  {
    name: "the answer of a provider comes to another host than the one where the sign-in began",
    env: { AUTH_URL: "https://shop.example" },
    make: () => handlerOf(),
    ask: () => new Request("http://10.0.0.7:3000/auth/callback/github?code=c&state=abcdefghijklmnop"),
    see: BACK,
    code: "flow-cookie-missing",
    level: "warn",
    log: /Cannot redeem flow: its cookie is missing/,
    says: [
      "came back to https://shop.example (from AUTH_URL; the request names http://10.0.0.7:3000)",
      "open the site at https://shop.example or set AUTH_URL",
    ],
  },
]);

test("what strangers write into headers does not reach the log unless it is an origin, and is cut", async () => {
  const said: string[] = [];
  const logger = {
    warn: (code: string, message?: string) => void said.push(`${code}: ${message}`),
    error: (error: Error) => void said.push(error.message),
  };
  const handler = handlerOf({ secret: "a".repeat(33), logger, trustHost: true });
  const hostile = [
    "https://a b/",
    "javascript:alert(1)",
    `https://${"x".repeat(300)}.example`,
    "https://a.example/[auth][error]",
  ];
  for (const origin of hostile) {
    const response = await handler(form("http://shop.example/auth/signin/github", { origin })());
    assert.equal(response.status, 302);
  }
  assert.equal(said.length, hostile.length);
  for (const line of said) {
    assert.doesNotMatch(line, /x{120}|alert|a b|\[error\]/);
    assert.ok(line.length < 600, line);
  }
});

test("at most four warnings say that visitors reach the service elsewhere: strangers choose the headers", async () => {
  const said: string[] = [];
  const logger = { warn: (code: string) => void said.push(code) };
  const handler = handlerOf({ secret: "a".repeat(33), logger, trustHost: true });
  for (let n = 0; n < 20; n += 1) {
    await handler(new Request(`http://shop${n}.example/auth/signin`, { headers: { "sec-fetch-site": "none" } }));
  }
  assert.deepEqual(said, ["origin-differs", "origin-differs", "origin-differs", "origin-differs"]);
});

test("nothing is said about an ordinary site: http on this machine, and https behind a proxy", async () => {
  const said: string[] = [];
  const logger = { warn: (code: string) => void said.push(code) };
  const handler = handlerOf({ secret: "a".repeat(33), logger, trustHost: true });
  const browser = { "sec-fetch-site": "none", "accept": "text/html" };
  await handler(new Request("http://localhost:3000/auth/signin", { headers: browser }));
  const proxy = { ...browser, "x-forwarded-proto": "https", "x-forwarded-host": "shop.example" };
  await handler(new Request("http://10.0.0.7:3000/auth/signin", { headers: proxy }));
  await handler(new Request("http://192.168.0.7:3000/auth/signin"));
  assert.deepEqual(said, []);
});

test("a host of any length makes a line of limited length", async () => {
  const lines: string[] = [];
  const logger = { warn: (_code: string, message = "") => void lines.push(message) };
  const handler = handlerOf({ trustHost: true, secret: "a random text of at least 32 characters", logger });
  const headers = { "x-forwarded-host": "a".repeat(8000) + ".example" };
  const url = "http://10.0.0.7:3000/auth";
  await handler(new Request(`${url}/callback/github?code=c&state=abcdefghijklmnop`, { headers }));
  const body = new URLSearchParams({ csrfToken: "x" });
  const origin = "https://other.example";
  await handler(new Request(`${url}/signin/github`, { method: "POST", body, headers: { ...headers, origin } }));
  assert.match(lines.join("\n"), /came back to http:\/\/a+….*\n.*this service is at http:\/\/a+…/);
  for (const line of lines) assert.ok(line.length < 1000, String(line.length));
});
