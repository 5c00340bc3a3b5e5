// deno-lint-ignore-file no-console -- what the default log prints is what some of these tests are about
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AccessDenied,
  AdapterError,
  AuthError,
  CallbackRouteError,
  CredentialsSignin,
  EmailSignInError,
  InvalidConfig,
  MissingSecret,
  OAuthCallbackError,
  OAuthProviderError,
  Timeout,
  Verification,
} from "../../../src/kernel/errors.ts";
import { createLogger, type LogDetails, type Logger } from "../../../src/kernel/logger.ts";

const HIDDEN = "[redacted]";
const JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test("a log shows the kind, message and cause of an error, and none of its secrets", () => {
  const seen: Error[] = [];
  const logger = createLogger({ logger: { error: (error) => void seen.push(error) } });
  const below = Object.assign(new TypeError(`refused: ${JWT}`), { code: "ECONNREFUSED", clientSecret: "canary" });
  logger.error(
    new AdapterError("Cannot sign in\r\n[auth] forged line", {
      cause: { err: below, provider: "idp", password: "canary" },
    }),
  );
  const [error] = seen;
  assert.ok(error instanceof AdapterError);
  assert.equal(error.type, "AdapterError");
  assert.equal(error.message, "Cannot sign in\\r\\n[auth] forged line");
  assert.equal(error.cause?.provider, "idp");
  assert.equal(error.cause?.password, HIDDEN);
  const { name, code, message } = error.cause?.err as Error & { readonly code?: unknown };
  assert.deepEqual([name, code, message], ["TypeError", "ECONNREFUSED", `refused: ${HIDDEN}`]);
  const all = JSON.stringify([error, error.stack]);
  assert.doesNotMatch(all, /canary/);
  assert.ok(!all.includes(JWT));
});

/** What errors of databases repeat: `pg`, `postgres`, and what wraps them. */
const OF_STATEMENTS: Readonly<Record<string, unknown>> = {
  detail: "Key (token)=(canary) already exists.",
  where: "unnamed portal parameter $1 = 'canary'",
  internalQuery: "select 'canary'",
  parameters: ["canary"],
  params: ["canary"],
  query: "select 'canary'",
  args: ["canary"],
  values: ["canary"],
  bindings: ["canary"],
  sql: "select 'canary'",
  sqlMessage: "Duplicate entry 'canary'",
};

for (const [name, value] of Object.entries(OF_STATEMENTS)) {
  test(`a log hides \`${name}\` of an error, wherever it is, and shows the error's code and constraint`, () => {
    const below = Object.assign(new Error("duplicate key"), { code: "23505", constraint: "users_email_unique" });
    const error = new AuthError("Cannot write", { cause: Object.assign(below, { [name]: value }) });
    const seen: Error[] = [];
    createLogger({ logger: { error: (error) => void seen.push(error) } }).error(error);
    const text = JSON.stringify([seen, seen[0]?.stack]);
    assert.doesNotMatch(text, /canary/);
    assert.match(text, /23505.*users_email_unique/);
  });
}

test("a log hides the values that Drizzle puts behind a message", () => {
  const { error } = printed(() => {
    const below = new Error("Failed query: select $1\nparams: canary,\n    at canary");
    createLogger({}).error(new AuthError("Cannot write", { cause: below }));
  });
  assert.doesNotMatch(error.join(), /canary/);
  assert.match(error.join(), /Failed query: select \$1 params: \[redacted\]/);
});

/** Texts that begin a line of their own in a log that prints them as they are, or rewrite one. */
const FORGERIES = [
  "\n",
  "\r",
  "\r\n",
  "\v",
  "\f",
  "\u0085",
  "\u2028",
  "\u2029",
  "\u001b[2K\u001b[1G",
  "\u009b2K",
  "\u202e",
];

for (const end of FORGERIES) {
  test(`no text begins a line in the default log with ${JSON.stringify(end)}`, () => {
    const text = `told${end}[auth][error] forged`;
    const late = new Error(text);
    late.message = `other${end}[auth][error] forged`;
    const type = text as AuthError["type"];
    const { error, warn, log } = printed(() => {
      const logger = createLogger({ debug: true });
      logger.error(new AuthError(text, { cause: new Error(text) }));
      logger.error(new AuthError("x", { cause: text }));
      logger.error(Object.assign(new Error(text), { name: text }));
      logger.error(Object.defineProperty(new AuthError("x"), "type", { value: type }));
      logger.error(late);
      logger.error(text as unknown as Error);
      logger.warn(text, text);
      logger.debug(text, { [text]: text });
    });
    const lines = [...error, ...warn, ...log].flatMap((printed) => printed.split(/[\n\r\v\f\u0085\u2028\u2029]/));
    assert.deepEqual(lines.filter((line) => line.startsWith("[auth][error] forged")), []);
    // deno-lint-ignore no-control-regex -- these are what must not be there
    assert.doesNotMatch(lines.join(""), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });
}

test("of a stack only frames keep a line of their own, whatever the message says", () => {
  const seen: Error[] = [];
  const error = new Error("one\n    at forged (file:///forged.ts:1:1)\ntwo");
  createLogger({ logger: { error: (error) => void seen.push(error) } }).error(error);
  const [head, ...frames] = seen[0]?.stack?.split("\n") ?? [];
  assert.equal(head, "Error: one\\n    at forged (file:///forged.ts:1:1)\\ntwo");
  assert.ok(frames.length > 0);
  for (const frame of frames) assert.match(frame, /^ +at (?!forged)/);
});

test("a log names an error by its type, which survives where classes are renamed", () => {
  class e extends AuthError {
    override readonly type = "AdapterError" as const;
  }
  const { error } = printed(() => createLogger({}).error(new e("x", { cause: new e("y") })));
  assert.deepEqual(error, ["[auth][error] adapter-error: x: y"]);
  const seen: Error[] = [];
  createLogger({ logger: { error: (given) => void seen.push(given) } }).error(new e("x", { cause: new e("y") }));
  assert.equal(seen[0]?.name, "AdapterError");
  assert.match(JSON.stringify(seen[0]?.cause), /"name":"AdapterError"/);
});

test("a log tells what was thrown instead of an error", () => {
  const { error } = printed(() => createLogger({}).error("thrown" as unknown as Error));
  assert.equal(error[0], "[auth][error] unexpected: thrown");
});

test("a log does not change the error it is given", () => {
  const error = new AuthError("Cannot do it", { cause: { password: "canary" } });
  createLogger({ logger: { error: () => {} } }).error(error);
  assert.equal(error.cause?.password, "canary");
});

test("a log redacts what it is told for debugging, and calls methods on their object", () => {
  class Lines implements Partial<Logger> {
    readonly lines: unknown[] = [];
    debug(message: string, metadata?: unknown) {
      this.lines.push([message, JSON.stringify(metadata)]);
    }
    warn(code: string, message?: string) {
      this.lines.push([code, message]);
    }
  }
  const lines = new Lines();
  const logger = createLogger({ logger: lines });
  logger.debug("request", { provider: "idp", state: "canary" });
  logger.warn("weak-secret", "`secret` is short");
  assert.deepEqual(lines.lines, [["request", '{"provider":"idp","state":"[redacted]"}'], [
    "weak-secret",
    "`secret` is short",
  ]]);
});

const BROKEN: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error("x");
  },
  rejects: () => Promise.reject(new Error("x")),
  "never settles": () => new Promise(() => {}),
  "gives a thenable that rejects": () => ({
    then: (_: unknown, reject: (error: Error) => void) => reject?.(new Error("x")),
  }),
};

for (const [name, write] of Object.entries(BROKEN)) {
  test(`a log survives a logger that ${name}`, async () => {
    const logger = createLogger({
      logger: { error: write as () => void, warn: write as () => void, debug: write as () => void },
    });
    logger.error(new Error("x"));
    logger.warn("x");
    logger.debug("x", {});
    await new Promise((resolve) => setTimeout(resolve, 1)); // an unhandled rejection would fail the run
  });
}

test("a log catches itself what an asynchronous logger rejects with", () => {
  let caught = 0;
  class Watched extends Promise<void> {
    override catch<T = never>(handle?: ((reason: unknown) => T | PromiseLike<T>) | null): Promise<void | T> {
      caught += 1;
      return super.catch(handle);
    }
  }
  const fail: () => void = () => Watched.reject(new Error("x"));
  const logger = createLogger({ logger: { error: fail, warn: fail, debug: fail } });
  logger.error(new Error("x"));
  logger.warn("x");
  logger.debug("x", {});
  assert.equal(caught, 3);
});

test("a log survives errors that are none", () => {
  const logger = createLogger({ logger: { error: () => {} } });
  for (const thrown of [undefined, null, "x", 1, {}, revoked()]) logger.error(thrown as Error);
});

/** What the console is told while something runs. */
function printed(run: () => void): Readonly<Record<"error" | "warn" | "log", readonly string[]>> {
  const lines = { error: [] as string[], warn: [] as string[], log: [] as string[] };
  const originals = { error: console.error, warn: console.warn, log: console.log };
  for (const name of ["error", "warn", "log"] as const) {
    console[name] = (...parts: unknown[]) => void lines[name].push(parts.filter((part) => part !== "").join(" "));
  }
  try {
    run();
  } finally {
    Object.assign(console, originals);
  }
  return lines;
}

test("the default log prints an error with its code and the sentence of its cause, in one line", () => {
  const cause = Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new AggregateError([new Error("connect ECONNREFUSED ::1:9")]), { code: "ECONNREFUSED" }),
  });
  const { error, warn, log } = printed(() => {
    createLogger({}).error(new OAuthProviderError('Cannot read the metadata of provider "idp".', { cause }));
  });
  assert.deepEqual(error, [
    '[auth][error] oauth-provider-error: Cannot read the metadata of provider "idp": connect ECONNREFUSED ::1:9',
  ]);
  assert.deepEqual([warn, log], [[], []]);
});

test("the default log names the action, the provider and the request that a line is about", () => {
  const request = new Request("https://app.test/auth/callback/idp");
  const subject = { request, url: new URL(request.url), config: { basePath: "/auth" } };
  const { error, warn } = printed(() => {
    createLogger({}).error(new OAuthProviderError("Cannot sign in"), subject);
    createLogger({}).warn("userinfo-refused", "no userinfo", subject);
  });
  const [, id = ""] = /request ([0-9a-f]{8})\)$/.exec(error[0] ?? "") ?? [];
  assert.match(id, /^[0-9a-f]{8}$/);
  const where = `(action callback, provider idp, request ${id})`;
  assert.deepEqual(error, [`[auth][error] oauth-provider-error: Cannot sign in ${where}`]);
  assert.deepEqual(warn, [`[auth][warn] userinfo-refused: no userinfo ${where}`]);
});

test("a mistake of a visitor is one line: a warning without a stack", () => {
  const { error, warn } = printed(() => {
    createLogger({}).error(new CredentialsSignin("Cannot sign in", { cause: { provider: "idp", code: "canary" } }));
    createLogger({}).error(new Verification("Cannot use link", { cause: new TypeError("x") }));
  });
  assert.deepEqual(error, []);
  assert.deepEqual(warn, [
    "[auth][warn] credentials-signin: Cannot sign in: provider idp, code [redacted]",
    "[auth][warn] verification: Cannot use link: x",
  ]);
});

test("the stack of code that threw follows its headline once", () => {
  const cause = new TypeError("undefined is not a function");
  const { error } = printed(() => createLogger({}).error(new CallbackRouteError("Cannot answer", { cause })));
  assert.equal(error.length, 2);
  assert.equal(error[0], "[auth][error] callback-route-error: Cannot answer: undefined is not a function");
  assert.match(error[1] ?? "", /^TypeError: undefined is not a function\n +at .*logger_test/);
});

test("a fault is an error in the log, although the visitor sees that they may not sign in", () => {
  const { error, warn } = printed(() => {
    const logger = createLogger({});
    logger.error(new AccessDenied("x", { logCode: "callback-threw", cause: new Error("y") }));
    logger.error(new EmailSignInError("x", { logCode: "email-not-sent" }));
    logger.error(new EmailSignInError("x", { logCode: "email-address" }));
    logger.error(new OAuthCallbackError("x"));
    logger.error(new OAuthCallbackError("x", { logCode: "sign-in-cancelled" }));
  });
  assert.deepEqual(error.filter((line) => line.startsWith("[")), [
    "[auth][error] callback-threw: x: y",
    "[auth][error] email-not-sent: x",
    "[auth][error] oauth-callback-error: x",
  ]);
  assert.deepEqual(warn, ["[auth][warn] email-address: x", "[auth][warn] sign-in-cancelled: x"]);
});

const STACKLESS: Readonly<Record<string, AuthError>> = {
  "a provider": new OAuthProviderError("x", { cause: new Error("y") }),
  "storage that says why": new AdapterError("x", { cause: Object.assign(new Error("y"), { code: "ECONNREFUSED" }) }),
  "a deadline": new CallbackRouteError("x", { cause: new Timeout("y") }),
  "an option": new InvalidConfig("x", { cause: new Error("y") }),
};

for (const [name, given] of Object.entries(STACKLESS)) {
  test(`no stack is printed for ${name}`, () => {
    assert.deepEqual(printed(() => createLogger({}).error(given)).error.map((line) => line.replace(/^.*: x/, "x")), [
      "x: y",
    ]);
  });
}

test("each problem of an error has a line of its own", () => {
  const problems = [new InvalidConfig("one", { logCode: "option-mended" }), new MissingSecret("two")];
  const given = Object.assign(new InvalidConfig("Cannot start:\none\ntwo"), { problems });
  const seen: (LogDetails | undefined)[] = [];
  createLogger({ logger: { error: (_error, details) => void seen.push(details) } }).error(given);
  assert.deepEqual(seen[0]?.problems, [{ code: "option-mended", message: "one" }, {
    code: "missing-secret",
    message: "two",
  }]);
  const { error } = printed(() => createLogger({}).error(given));
  assert.deepEqual(error, ["[auth][error] option-mended: one", "[auth][error] missing-secret: two"]);
});

test("a logger gets each line as data, without secrets", () => {
  const seen: (LogDetails | undefined)[] = [];
  const take = (details: LogDetails | undefined) => void seen.push(details && JSON.parse(JSON.stringify(details)));
  const logger = createLogger({
    logger: { error: (_error, details) => take(details), warn: (_code, _message, details) => take(details) },
  });
  const request = new Request("https://app.test/auth/session");
  const subject = { request, url: new URL(request.url), config: { basePath: "/auth" } };
  logger.error(new OAuthProviderError("Cannot sign in", { cause: { status: 500, token: "canary" } }), subject);
  logger.error(new CredentialsSignin("Cannot sign in"));
  logger.warn("weak-secret", "`secret` is short");
  const requestId = seen[0]?.requestId;
  assert.match(requestId ?? "", /^[0-9a-f]{8}$/);
  assert.deepEqual(seen, [
    {
      level: "error",
      code: "oauth-provider-error",
      message: "Cannot sign in",
      reason: "status 500, token [redacted]",
      type: "OAuthProviderError",
      action: "session",
      requestId,
      cause: { status: 500, token: HIDDEN },
    },
    { level: "warn", code: "credentials-signin", message: "Cannot sign in", type: "CredentialsSignin" },
    { level: "warn", code: "weak-secret", message: "`secret` is short" },
  ]);
});

test("a path of a stranger cannot forge a line, nor make it long", () => {
  const request = new Request(`https://app.test/auth/callback/${"x".repeat(5000)}`);
  const url = new URL(request.url);
  const { warn } = printed(() => createLogger({}).warn("a", "b", { request, url, config: { basePath: "/auth" } }));
  assert.ok((warn[0]?.length ?? 0) < 200);
});

test("a reason is at most 500 characters long", () => {
  const { error } = printed(() => createLogger({}).error(new OAuthProviderError("x", { cause: "y ".repeat(5000) })));
  assert.ok((error[0]?.length ?? 0) < 600);
});

test("the default log prints warnings, and debugging only when it is told to", () => {
  const { warn, log } = printed(() => {
    createLogger({}).warn("a");
    createLogger({}).warn("b", "c");
    createLogger({}).debug("hidden");
    createLogger({ debug: true }).debug("shown", { a: 1 });
    createLogger({ debug: true }).debug("alone");
  });
  assert.deepEqual(warn, ["[auth][warn] a", "[auth][warn] b: c"]);
  assert.deepEqual(log, ['[auth][debug] shown {"a":1}', "[auth][debug] alone"]);
});

test("each method of a logger replaces its default on its own", () => {
  const seen: unknown[] = [];
  const lines = printed(() => {
    const logger = createLogger({ logger: { warn: (code) => void seen.push(code) }, debug: false });
    logger.warn("mine");
    logger.error(new AuthError("default"));
  });
  assert.deepEqual(seen, ["mine"]);
  assert.deepEqual(lines.warn, []);
  assert.equal(lines.error[0], "[auth][error] auth-error: default");
});

test("a debug method of the developer's is called although debug is off", () => {
  const seen: unknown[] = [];
  createLogger({ logger: { debug: (message) => void seen.push(message) }, debug: false }).debug("x");
  assert.deepEqual(seen, ["x"]);
});
