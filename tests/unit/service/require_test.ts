import assert from "node:assert/strict";
import { test } from "node:test";
import * as oauth from "oauth4webapi";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { makeFeature } from "../../../src/contract/feature.ts";
import { encode } from "../../../src/jwt.ts";
import { InvalidConfig, StepUpRequired } from "../../../src/kernel/errors.ts";
import { createEngine, type Engine } from "../../../src/service/engine.ts";
import { authFunction } from "../../../src/service/guard.ts";
import { requireFor, type RequireOptions } from "../../../src/service/require.ts";
import { recordLog, SECRET } from "../../_support/service.ts";

const ORIGIN = "http://localhost:3000";
const SALT = "authjs.session-token";
const HOUR = 3600;

/** What the feature is known by. */
const SECOND_FACTOR = makeFeature("second-factor", [], () => Promise.resolve({}), []);

const now = () => Math.floor(Date.now() / 1000);

/** What a session may say of its sign-in. */
const SESSIONS: Readonly<Record<string, { readonly methods?: string; readonly level: 0 | 1 | 2 }>> = {
  "nobody": { level: 0 },
  "a session of unknown methods": { level: 1 },
  "a password": { methods: "pwd", level: 1 },
  "a passkey that checked nothing": { methods: "hwk user", level: 1 },
  "a password and a code": { methods: "pwd otp mfa", level: 2 },
  "a passkey": { methods: "hwk mfa user", level: 2 },
};

/** When it began: seconds ago. */
const AGES: Readonly<Record<string, number | null>> = {
  "just now": 1,
  "at the last moment": HOUR - 5,
  "too long ago": HOUR + 5,
  "at an unknown time": null,
  "in the future": -HOUR,
  "by a clock that is ahead": -30,
};

const ASKED: readonly RequireOptions[] = [
  {},
  { level: 1 },
  { level: 2 },
  { maxAge: "1h" },
  { methods: ["hwk"] },
  { methods: ["hwk", "user"] },
  { methods: ["hwk", "pwd"] },
  { level: 2, maxAge: HOUR },
  { level: 2, methods: ["hwk"] },
  { level: 2, maxAge: "1h", methods: ["hwk"] },
];

const PAGE = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" };
const KINDS: Readonly<Record<string, { readonly method: string; readonly headers: Record<string, string> }>> = {
  "a page": { method: "GET", headers: PAGE },
  "HEAD": { method: "HEAD", headers: PAGE },
  "a form": { method: "POST", headers: { ...PAGE, referer: `${ORIGIN}/settings?tab=2` } },
  "a form of another page": { method: "POST", headers: { ...PAGE, referer: "https://evil.test/x" } },
  "a script": { method: "GET", headers: { "sec-fetch-mode": "cors", referer: `${ORIGIN}/settings?tab=2` } },
  "a script that posts": { method: "POST", headers: { "sec-fetch-mode": "cors", accept: "*/*" } },
  "a program": { method: "GET", headers: { accept: "application/json" } },
};

function open(config: AuthConfig = {}): Engine {
  return createEngine({ secret: SECRET, trustHost: true, logger: recordLog().logger, ...config });
}

async function cookieOf(methods: string | undefined, age: number | null): Promise<string> {
  const claims = { ...(methods && { auth_methods: methods }), ...(age !== null && { auth_time: now() - age }) };
  return `${SALT}=${await encode({ token: { sub: "1", name: "Ada", ...claims }, secret: SECRET, salt: SALT })}`;
}

/** The rule, written a second time: what is missing. */
function expected(asked: RequireOptions, session: string, age: string): string[] {
  const { methods = "", level } = SESSIONS[session] ?? assert.fail();
  if (level === 0) return ["session"];
  const isFresh = age === "just now" || age === "at the last moment" || age === "by a clock that is ahead";
  return [
    ...(asked.level === 2 && level === 1 ? ["level"] : []),
    ...((asked.methods ?? []).some((name) => !methods.split(" ").includes(name)) ? ["methods"] : []),
    ...(asked.maxAge !== undefined && !isFresh ? ["age"] : []),
  ];
}

/** What a second parser finds in the header. */
async function challengesOf(response: Response): Promise<readonly oauth.WWWAuthenticateChallenge[]> {
  const options = { [oauth.customFetch]: () => Promise.resolve(response), [oauth.allowInsecureRequests]: true };
  try {
    await oauth.protectedResourceRequest("token", "GET", new URL(ORIGIN), undefined, undefined, options);
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.cause;
    throw error;
  }
  return [];
}

interface Case {
  readonly asked: RequireOptions;
  readonly missing: readonly string[];
  readonly kind: string;
  readonly isListed: boolean;
}

function expectedPage({ missing, isListed }: Case): string {
  return isListed && (missing.includes("level") || missing.includes("methods")) ? "/auth/challenge" : "/auth/signin";
}

/** Where people go afterwards. */
const BACK: Readonly<Record<string, string | null>> = {
  "a page": `${ORIGIN}/admin/x?y=1`,
  "HEAD": `${ORIGIN}/admin/x?y=1`,
  "a form": `${ORIGIN}/settings?tab=2`,
  "a form of another page": `${ORIGIN}/admin/x?y=1`,
  "a script": `${ORIGIN}/settings?tab=2`,
  "a script that posts": null,
  "a program": null,
};

async function assertAnswer(response: Response, url: URL, given: Case): Promise<void> {
  const { missing, kind, asked } = given;
  assert.equal(url.pathname, expectedPage(given));
  assert.equal(url.searchParams.get("callbackUrl"), BACK[kind] ?? null);
  const isNobody = missing.includes("session");
  assert.equal(
    url.searchParams.get("error"),
    url.pathname === "/auth/signin" && !isNobody ? "SessionRequired" : null,
  );
  const isPage = kind === "a page" || kind === "HEAD";
  const isForm = kind.startsWith("a form");
  if (isPage || (isForm && !isNobody)) {
    assert.equal(response.status, isPage ? 302 : 303);
    assert.equal(response.headers.get("location"), url.href);
    assert.equal(response.headers.get("www-authenticate"), null);
    return;
  }
  assert.equal(response.status, 401);
  assert.equal(response.headers.get("location"), null);
  const body = await response.clone().json();
  if (isNobody) {
    assert.deepEqual(body, { message: "Sign in first" });
    assert.equal(response.headers.get("www-authenticate"), null);
    return;
  }
  assert.deepEqual({ ...body, message: typeof body.message }, {
    message: "string",
    error: "insufficient_user_authentication",
    missing,
    url: url.href,
  });
  assert.deepEqual(await challengesOf(response), [{
    scheme: "bearer",
    parameters: {
      error: "insufficient_user_authentication",
      error_description: body.message,
      ...(asked.level === 2 && { acr_values: "2" }),
      ...(asked.maxAge !== undefined && { max_age: "3600" }),
    },
  }]);
}

for (const session of Object.keys(SESSIONS)) {
  for (const isListed of [true, false]) {
    test(`require() and protect give ${session} the same, ${isListed ? "with" : "without"} a second factor`, async () => {
      const features = isListed ? [SECOND_FACTOR] : [];
      const plain = open({ features });
      for (const asked of ASKED) {
        const guarded = authFunction(open({ features, protect: { routes: ["/admin/*"], ...asked } }))(() =>
          new Response("in")
        );
        for (const [age, seconds] of Object.entries(AGES)) {
          const { methods, level } = SESSIONS[session] ?? assert.fail();
          const cookie: Record<string, string> = level === 0 ? {} : { cookie: await cookieOf(methods, seconds) };
          for (const [kind, { method, headers }] of Object.entries(KINDS)) {
            const missing = expected(asked, session, age);
            const given: Case = { asked, missing, kind, isListed };
            const about = JSON.stringify({ ...given, age });
            const request = () => {
              return new Request(`${ORIGIN}/admin/x?y=1`, { method, headers: { ...headers, ...cookie } });
            };
            const passed = await guarded(request());
            if (missing.length === 0) {
              assert.equal(await passed.text(), "in", about);
              assert.equal((await requireFor(plain, request(), asked)).user?.name, "Ada", about);
              continue;
            }
            const refused = await requireFor(plain, request(), asked).then(() => assert.fail(about), (error) => error);
            assert.ok(refused instanceof StepUpRequired, about);
            assert.deepEqual(refused.missing, missing, about);
            try {
              await assertAnswer(refused.response(), new URL(refused.url), given);
              await assertAnswer(refused.response(), new URL(refused.url), given);
              assert.equal(passed.status, refused.response().status);
              await assertAnswer(passed, new URL(refused.url), given);
            } catch (cause) {
              throw new Error(about, { cause });
            }
          }
        }
      }
    });
  }
}

for (
  const wrong of [
    { level: 3 },
    { maxAge: "soon" },
    { methods: [] },
    { maxage: "10m" },
    { Level: 2 },
    { routes: ["/x"] },
    null,
    2,
  ]
) {
  test(`require() refuses the options ${JSON.stringify(wrong)}, also of somebody who is signed in`, async () => {
    const request = new Request(ORIGIN, { headers: { cookie: await cookieOf("hwk mfa user", 1) } });
    await assert.rejects(requireFor(open(), request, wrong as RequireOptions), (error) => {
      return error instanceof InvalidConfig && /`require`/.test(error.message);
    });
  });
}

test("redirectTo says where people go afterwards, and another site is left to `callbacks.redirect`", async () => {
  const back = async (redirectTo: string) => {
    const error = await requireFor(open(), new Request(`${ORIGIN}/api`), { redirectTo }).catch((error) => error);
    return new URL((error as StepUpRequired).url).searchParams.get("callbackUrl");
  };
  assert.equal(await back("/keys?x=1"), `${ORIGIN}/keys?x=1`);
  assert.equal(await back(`${ORIGIN}/keys`), `${ORIGIN}/keys`);
  assert.equal(await back(`/${"x".repeat(2000)}`), null);
});

test("a refusal is not logged, and a console that prints it does not print the page that people wanted", async () => {
  const log = recordLog();
  const engine = open({ logger: log.logger });
  const error = await requireFor(engine, new Request(`${ORIGIN}/x?token=secret`)).catch((error) => error);
  assert.match((error as StepUpRequired).url, /secret/);
  assert.doesNotMatch(JSON.stringify(Object.entries(error)) + error.message, /secret/);
  assert.deepEqual(log.errors, []);
});

test("an error that the service did not make is answered with 401", async () => {
  const response = new StepUpRequired("no").response();
  assert.equal(response.status, 401);
  assert.deepEqual(await response.json(), { message: "Sign in first" });
  assert.match(response.headers.get("cache-control") ?? "", /no-store/);
});
