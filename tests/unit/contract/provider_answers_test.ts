/** What vendors answer when asked for a profile, and the lies among it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  conformJson,
  joinName,
  type ProfileContext,
  profileError,
  readJson,
  readOptionalJson,
  textId,
} from "../../../src/contract/provider_answers.ts";
import type { OAuthProvider } from "../../../src/contract/provider.ts";
import type { Profile } from "../../../src/kernel/model.ts";
import type { OAuthCallbackError, OAuthProviderError } from "../../../src/kernel/errors.ts";
import { createIssuer, json } from "../../_support/issuer.ts";
import { allOf, type SignedIn, visit } from "../oauth/_flow.ts";

const TOKEN = "access-1";

/** Signs in with a provider whose userinfo is read by a function, from one answer. */
async function signIn(answer: () => Response, read: (context: ProfileContext) => Promise<Profile>): Promise<SignedIn> {
  const issuer = createIssuer();
  issuer.override("userinfo", answer);
  const provider: OAuthProvider = issuer.oauthProvider({
    userinfo: { url: `${issuer.url}/userinfo`, request: read },
  });
  return await visit(issuer, provider).signIn(issuer);
}

const URL_OF_USERINFO = "https://idp.test/userinfo";

/** Answers that are no profile. */
const USELESS: Readonly<Record<string, () => Response>> = {
  "not JSON": () => new Response("<html>Sign in</html>"),
  "half of JSON": () => new Response('{"id":1'),
  "nothing": () => new Response(""),
  "null": () => json(null),
  "a text": () => json("ada"),
  "a number": () => json(7),
  "an error": () => json({ id: 1 }, 401),
  "an error of the server": () => json({ id: 1 }, 503),
};

for (const [what, answer] of Object.entries(USELESS)) {
  test(`readJson() refuses ${what}, and readOptionalJson() does without`, async () => {
    const { status, ok } = answer();
    const problem = ok ? "answered with something that is not JSON" : `answered ${status}`;
    await assert.rejects(
      signIn(answer, (context) => readJson(context, URL_OF_USERINFO)),
      (error: OAuthProviderError) => {
        assert.equal(error.type, "OAuthProviderError");
        assert.equal(error.message, `Cannot read profile: IdP ${problem}`);
        assert.ok(!allOf(error).includes(TOKEN));
        return true;
      },
    );
    const { profile } = await signIn(answer, async (context) => {
      return { id: 1, found: await readOptionalJson(context, URL_OF_USERINFO) };
    });
    assert.equal(profile?.found, null);
  });
}

test("a list is an answer, and no profile", async () => {
  const answer = () => json([{ email: "ada@example.com" }]);
  const { profile } = await signIn(
    answer,
    async (context) => ({ id: 1, list: await readJson(context, URL_OF_USERINFO) }),
  );
  assert.deepEqual(profile?.list, [{ email: "ada@example.com" }]);
  await assert.rejects(signIn(answer, (context) => readJson(context, URL_OF_USERINFO)), { type: "OAuthProviderError" });
});

test("an answer of a megabyte is read, a larger one and one that redirects are refused, needed or not", async () => {
  const large = (size: number) => () => new Response(JSON.stringify({ id: 1, text: "x".repeat(size - 20) }));
  const { profile } = await signIn(large(1024 * 1024), (context) => readJson(context, URL_OF_USERINFO));
  assert.equal(profile?.id, 1);
  const away = () => new Response(null, { status: 302, headers: { location: "https://evil.test/" } });
  for (const answer of [large(1024 * 1024 + 21), away]) {
    for (const read of [readJson, readOptionalJson]) {
      const run = signIn(answer, async (context) => ({ id: 1, found: await read(context, URL_OF_USERINFO) }));
      await assert.rejects(run, (error: OAuthProviderError) => {
        assert.match(error.message, /^Cannot use idp\.test: /);
        return !allOf(error).includes(TOKEN);
      });
    }
  }
});

test("numbers beyond 2^53 in an answer arrive as text", async () => {
  const answer = () => new Response('{"id":90071992547409931}');
  const { account } = await signIn(answer, (context) => readJson(context, URL_OF_USERINFO));
  assert.equal(account.providerAccountId, "90071992547409931");
});

test("a request for a profile says what it was told to say", async () => {
  const rows: readonly (readonly [Parameters<typeof readJson>[2], (request: Request) => unknown, unknown])[] = [
    [{}, ({ method, url }) => [method, url], ["GET", URL_OF_USERINFO]],
    [{}, ({ headers }) => headers.get("authorization"), `Bearer ${TOKEN}`],
    [{}, ({ headers }) => [headers.get("accept"), headers.get("user-agent")], ["application/json", "x-auth"]],
    [{ scheme: "OAuth" }, ({ headers }) => headers.get("authorization"), `OAuth ${TOKEN}`],
    [{ scheme: null }, ({ headers }) => headers.has("authorization"), false],
    [{ headers: { accept: "text/plain" } }, ({ headers }) => headers.get("accept"), "text/plain"],
    [{ query: { a: "b&c" } }, ({ url }) => url, `${URL_OF_USERINFO}?a=b%26c`],
    [{ body: { query: "{}" } }, ({ method }) => method, "POST"],
    [{ body: { query: "{}" } }, ({ headers }) => headers.get("content-type"), "application/json"],
    [
      { body: new URLSearchParams({ a: "b" }) },
      ({ headers }) => headers.get("content-type"),
      "application/x-www-form-urlencoded",
    ],
    [{ body: {}, method: "PUT" }, ({ method }) => method, "PUT"],
  ];
  for (const [request, look, expected] of rows) {
    let seen: unknown;
    const fetch = (input: string | URL | Request, init?: RequestInit) => {
      seen = look(new Request(input, init));
      return Promise.resolve(json({ id: 1 }));
    };
    const tokens = { access_token: TOKEN };
    const read = (context: ProfileContext) =>
      readJson<Profile>({ ...context, tokens, fetch }, URL_OF_USERINFO, request);
    await signIn(() => json({ id: 1 }), read);
    assert.deepEqual(seen, expected, JSON.stringify(request));
  }
});

test("profileError() names the provider and what it did", async () => {
  const run = signIn(
    () => json({}),
    (context) => Promise.reject(profileError(context, "answered with nobody", { code: 7 })),
  );
  await assert.rejects(run, (error: OAuthProviderError) => {
    assert.equal(error.message, "Cannot read profile: IdP answered with nobody");
    assert.deepEqual({ ...error.cause }, { code: 7 });
    return true;
  });
});

test("textId() takes numbers and texts, and nothing that several people could share", () => {
  const rows: readonly (readonly [unknown, string | undefined])[] = [
    ["ada", "ada"],
    [1815, "1815"],
    ["90071992547409931", "90071992547409931"],
    ...[undefined, null, "", 0, NaN, true, false, {}, [], [1], ["ada"], { toString: () => "ada" }, () => "ada", 7n]
      .map((odd): readonly [unknown, undefined] => [odd, undefined]),
  ];
  for (const [id, expected] of rows) assert.equal(textId(id), expected, String(typeof id));
});

test("joinName() joins what is there", () => {
  const rows: readonly (readonly [readonly unknown[], string | undefined])[] = [
    [["Ada", "Lovelace"], "Ada Lovelace"],
    [["Ada", ""], "Ada"],
    [[null, "Lovelace"], "Lovelace"],
    [["  ", undefined], undefined],
    [[{}, ["x"], 7, true], undefined],
    [[], undefined],
  ];
  for (const [parts, expected] of rows) assert.equal(joinName(...parts), expected);
});

/** Signs in with a provider whose token answer is repaired. */
async function exchange(answer: () => Response, repair: Parameters<typeof conformJson>[0]): Promise<SignedIn> {
  const issuer = createIssuer();
  issuer.override("token", answer);
  issuer.override("userinfo", () => json({ id: 1 }));
  const token = { url: `${issuer.url}/token`, conform: conformJson(repair) };
  return await visit(issuer, issuer.oauthProvider({ token })).signIn(issuer);
}

const whole = { token_type: "bearer", access_token: TOKEN };

test("conformJson() repairs the members of a token response, and keeps numbers beyond 2^53", async () => {
  const answer = () => new Response('{"data":{"access_token":"access-1","user":90071992547409931}}');
  const { account } = await exchange(answer, ({ data }) => ({ token_type: "bearer", ...(data as object) }));
  assert.deepEqual([account.access_token, account.token_type, account.user], [TOKEN, "bearer", "90071992547409931"]);
});

test("conformJson() is not asked about what is no object, and that is refused", async () => {
  const answers = [() => new Response("<html>"), () => json(null), () => json([whole]), () => json("x"), () => json(7)];
  for (const answer of answers) {
    let asked = 0;
    const run = exchange(answer, (body) => (asked++, { ...whole, ...body }));
    await assert.rejects(run, { type: "OAuthProviderError" });
    assert.equal(asked, 0);
  }
});

test("conformJson() keeps the status: an error that is repaired into tokens stays one", async () => {
  await assert.rejects(exchange(() => json({ message: "no" }, 400), (body) => ({ ...whole, ...body })), {
    type: "OAuthProviderError",
  });
});

test("conformJson() can say that a code was refused, although the vendor answered 200", async () => {
  const answer = () => json({ errcode: 40029, errmsg: "invalid code" });
  const run = exchange(
    answer,
    ({ errcode, errmsg }) => errcode ? { error: "invalid_grant", error_description: errmsg } : {},
  );
  await assert.rejects(run, (error: OAuthCallbackError) => {
    assert.equal(error.type, "OAuthCallbackError");
    assert.equal(error.cause?.error_description, "invalid code");
    return true;
  });
});

test("a repair that throws, or gives nothing, ends in an error of the provider", async () => {
  const repairs = [
    () => {
      throw new TypeError("canary");
    },
    () => ({}),
    (() => undefined) as unknown as () => object,
  ];
  for (const repair of repairs as Parameters<typeof conformJson>[0][]) {
    await assert.rejects(exchange(() => json(whole), repair), { type: "OAuthProviderError" });
  }
});
