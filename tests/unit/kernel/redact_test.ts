import assert from "node:assert/strict";
import { test } from "node:test";
import { AuthError } from "../../../src/kernel/errors.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { redact } from "../../../src/kernel/redact.ts";

const HIDDEN = "[redacted]";
const JWE = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAAAAAAAAAAAAAA.c2VjcmV0.AAAAAAAAAAAAAAAAAAAAAA";
const JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

const SECRET_NAMES = [
  "secret",
  "clientSecret",
  "client_secret",
  "AUTH_SECRET",
  "access_token",
  "refresh_token",
  "id_token",
  "sessionToken",
  "csrfToken",
  "token",
  "tokens",
  "password",
  "passwd",
  "newPassword",
  "code_verifier",
  "verifier",
  "client_assertion",
  "authorization",
  "Authorization",
  "cookie",
  "set-cookie",
  "privateKey",
  "private_key",
  "clientPrivateKey",
  "code",
  "state",
  "nonce",
  "jwt",
  "credentials",
];

for (const name of SECRET_NAMES) {
  test(`redact() hides what is named ${name}`, () => {
    for (const value of ["canary", 1, ["canary"], { a: "canary" }, () => "canary"]) {
      assert.deepEqual({ ...redact({ [name]: value }) as object }, { [name]: HIDDEN });
      assert.doesNotMatch(JSON.stringify(redact([{ deep: { [name]: value } }])), /canary/);
    }
  });
}

test("redact() shows that a secret is missing, or switched", () => {
  const value = { secret: undefined, token: null, cookie: false };
  assert.deepEqual({ ...redact(value) as object }, value);
});

test("redact() keeps what is no secret", () => {
  const value = {
    provider: "github",
    type: "oauth",
    status: 500,
    user: "ada",
    url: "https://idp.test/token",
    list: [1, "a"],
  };
  assert.deepEqual(JSON.parse(JSON.stringify(redact(value))), value);
});

const TEXTS: readonly (readonly [text: string, shown: string])[] = [
  [JWT, HIDDEN],
  [JWE, HIDDEN],
  [`token ${JWT} is bad`, `token ${HIDDEN} is bad`],
  [`code=${"a1".repeat(16)}`, HIDDEN],
  ["a".repeat(32), "a".repeat(32)],
  [`${"a".repeat(31)}1`, HIDDEN],
  [`${"a".repeat(30)}1`, `${"a".repeat(30)}1`],
  ["Donaudampfschifffahrtsgesellschaftskapitaen", "Donaudampfschifffahrtsgesellschaftskapitaen"],
  ["id_token_signing_alg_values_supported", "id_token_signing_alg_values_supported"],
  ["tokenEndpointAuthMethodsSupportedByServer", "tokenEndpointAuthMethodsSupportedByServer"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
  ["kQxZpLmWvRtYbNcHjGfDsAoIuEyTqWeRzXcVbNmK", HIDDEN],
  ["JBSWYEDPKFXXXWDPQKLMNOPQRSTUVWXYZABC", HIDDEN],
  ["eyJhbGciOiJkaXIiLCJlbmMiOiJBxxxxGQ.abcdefghijkl", HIDDEN],
  ["7e1c8a30-2f0e-4d0e-8a53-5a2d4a1f0b00", HIDDEN],
  ["plain words stay as they are", "plain words stay as they are"],
  ["at file:///app/src/oauth/callback.ts:10:5", "at file:///app/src/oauth/callback.ts:10:5"],
  [
    "at /home/app/node_modules/jose/dist/webapi/jwe/compact/decrypt.js",
    "at /home/app/node_modules/jose/dist/webapi/jwe/compact/decrypt.js",
  ],
  ["one\r\ntwo", "one\\r\\ntwo"],
  ["one\u0000\u001b[31m\u007f\u0085\u2028\u2029two", "one\\u0000\\u001b[31m\\u007f\\u0085\\u2028\\u2029two"],
  ["tab\there", "tab\\there"],
  ["é ü 漢字 🔑", "é ü 漢字 🔑"],
];

for (const [text, shown] of TEXTS) {
  test(`redact() shows ${JSON.stringify(shown)} of ${JSON.stringify(text.slice(0, 60))}`, () => {
    assert.equal(redact(text), shown);
    assert.deepEqual({ ...redact({ text }) as object }, { text: shown });
  });
}

test("redact() cleans names too", () => {
  assert.deepEqual(Object.keys(redact({ "a\r\nb": 1, [JWT]: 2 }) as object), ["a\\r\\nb", HIDDEN]);
});

test("redact() bounds length, depth and number", () => {
  assert.equal((redact("x ".repeat(1_000_000)) as string).length, 8192);
  assert.equal((redact(Array.from({ length: 1000 }, () => 1)) as unknown[]).length, 50);
  assert.equal(
    Object.keys(redact(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`m${i}`, 1]))) as object).length,
    50,
  );
  let deep: object = {};
  for (let i = 0; i < 10_000; i++) deep = { deep };
  assert.ok(JSON.stringify(redact(deep)).length < 200);
});

test("redact() survives what is cyclic", () => {
  const cyclic: Record<string, unknown> = { name: "a" };
  cyclic.self = cyclic;
  cyclic.list = [cyclic];
  assert.deepEqual(JSON.parse(JSON.stringify(redact(cyclic))), { name: "a", self: "[…]", list: ["[…]"] });
});

test("redact() shows the same object twice where it is no cycle", () => {
  const shared = { a: 1 };
  assert.deepEqual(JSON.parse(JSON.stringify(redact([shared, shared]))), [{ a: 1 }, { a: 1 }]);
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const UNREADABLE: Readonly<Record<string, () => unknown>> = {
  "a getter that throws": () => ({
    get name() {
      throw new Error("canary");
    },
  }),
  "a revoked proxy": revoked,
  "a proxy that throws": () =>
    new Proxy({}, {
      ownKeys() {
        throw new Error("canary");
      },
    }),
  "a proxy that hides its prototype": () =>
    new Proxy({}, {
      getPrototypeOf() {
        throw new Error("canary");
      },
    }),
  "an error whose message throws": () =>
    Object.defineProperty(new Error(), "message", {
      get() {
        throw new Error("canary");
      },
    }),
  "an error whose name is no text": () => Object.assign(new Error("x"), { name: Symbol("x") }),
  "a date that cannot be written": () =>
    Object.defineProperty(new Date(0), Symbol.toPrimitive, {
      value() {
        throw new Error("canary");
      },
    }),
};

for (const [name, make] of Object.entries(UNREADABLE)) {
  test(`redact() survives ${name}`, () => {
    assert.doesNotMatch(JSON.stringify(redact(make())), /canary/);
    assert.match(JSON.stringify(redact({ beside: "kept", value: make() })), /"beside":"kept"/);
  });

  test(`a log still tells of an error caused by ${name}`, () => {
    const seen: Error[] = [];
    const logger = createLogger({ logger: { error: (error) => void seen.push(error) } });
    logger.error(new AuthError("Cannot do it", { cause: { err: make() } }));
    assert.equal(seen[0]?.message, "Cannot do it");
  });
}

test("redact() gives only what JSON can hold", () => {
  const value = {
    big: 10n,
    symbol: Symbol("x"),
    run: () => 1,
    date: new Date(0),
    bad: new Date(NaN),
    url: new URL("https://a.test/x"),
    no: NaN,
  };
  assert.deepEqual(JSON.parse(JSON.stringify(redact(value))), {
    big: "10",
    symbol: "[symbol]",
    run: "[function]",
    date: String(new Date(0)),
    bad: "Invalid Date",
    url: "https://a.test/x",
    no: null,
  });
});

test("redact() makes nothing a prototype", () => {
  const copied = redact(JSON.parse('{"__proto__":{"polluted":1}}')) as { polluted?: unknown };
  assert.equal(copied.polluted, undefined);
});

test("what a provider says about an error is shown with the ids to look up there, and without tokens", () => {
  const trace = "Trace ID: 7e1c8a30-2f0e-4d0e-8a53-5a2d4a1f0b00. Next: '3b1a7c0e-59b4-4c5e-9f6c-0d7a1f2b3c4d'";
  const shown = redact({ error_description: trace, description: trace }) as Record<string, string>;
  assert.equal(shown.error_description, trace);
  assert.equal(shown.description?.includes("7e1c8a30"), false);
  const code = "7e1c8a30-2f0e-4d0e-8a53-5a2d4a1f0b00.7e1c8a30-2f0e-4d0e-8a53-5a2d4a1f0b00";
  for (const secret of [JWT, JWE, "a1".repeat(16), code]) {
    assert.deepEqual({ ...redact({ error_description: secret }) as object }, { error_description: HIDDEN });
  }
});

test("redact() hides the name and the password in a URL", () => {
  for (const password of ["canary", "can/ary", "can:ary"]) {
    const text = `Invalid URL: 'postgres://owner:${password}@db.test:5432/app'`;
    assert.equal(redact(text), "Invalid URL: 'postgres://…@db.test:5432/app'");
  }
  for (const text of ["https://idp.test:8443/a?b=c@d", "at https://a.test, and mail@b.test"]) {
    assert.equal(redact(text), text);
  }
});

test("redact() reads long texts that look like URLs in little time", () => {
  for (const text of ["://".repeat(2730), "://a:".repeat(1638), `://${"a".repeat(8189)}`]) {
    const begun = performance.now();
    redact(text);
    assert.ok(performance.now() - begun < 500);
  }
});
