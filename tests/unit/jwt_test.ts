import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidConfig, MissingSecret } from "../../src/kernel/errors.ts";
import { decode, encode, getToken, type GetTokenParams } from "../../src/jwt.ts";
import { SECRET } from "./_builders.ts";

const NAME = "authjs.session-token";
const sealed = await encode({ token: { sub: "1" }, secret: SECRET, salt: NAME });

function request(headers: Readonly<Record<string, string>>): Request {
  return new Request("https://app.test/", { headers });
}

async function subject(headers: Readonly<Record<string, string>>, params: Partial<GetTokenParams> = {}) {
  return (await getToken({ req: request(headers), secret: SECRET, ...params }))?.sub;
}

test("encode() and decode() refuse to work without a secret", async () => {
  for (const secret of ["", [], [""], undefined as unknown as string]) {
    await assert.rejects(encode({ secret, salt: NAME }), MissingSecret);
    await assert.rejects(decode({ token: sealed, secret, salt: NAME }), MissingSecret);
    await assert.rejects(getToken({ req: request({}), secret }), MissingSecret);
  }
});

const NO_SECRETS: readonly unknown[] = [
  crypto.getRandomValues(new Uint8Array(32)),
  [...new Uint8Array(32)],
  new ArrayBuffer(32),
  42,
  true,
  {},
  { 0: SECRET, length: 1 },
  [SECRET, ""],
  [SECRET, 7],
  [[SECRET]],
  // deno-lint-ignore no-sparse-arrays -- what is refused
  [SECRET, , SECRET],
  new Array(3),
];

test("encode(), decode() and getToken() refuse secrets that are no text", async () => {
  const refusal = (error: unknown) => error instanceof InvalidConfig && error.message.includes("`secret`");
  for (const given of NO_SECRETS) {
    const secret = given as string;
    await assert.rejects(encode({ secret, salt: NAME }), refusal);
    await assert.rejects(decode({ token: sealed, secret, salt: NAME }), refusal);
    await assert.rejects(getToken({ req: request({ cookie: `${NAME}=${sealed}` }), secret }), refusal);
    await assert.rejects(getToken({ req: request({}), secret, decode: () => ({}) }), refusal);
  }
});

test("encode() seals for thirty days unless it is told", async () => {
  const lifetime = async (maxAge?: number) => {
    const token = await encode({ secret: SECRET, salt: NAME, maxAge });
    const { iat = 0, exp = 0 } = await decode({ token, secret: SECRET, salt: NAME }) ?? {};
    return exp - iat;
  };
  assert.deepEqual([await lifetime(), await lifetime(60)], [2_592_000, 60]);
});

test("decode() gives null without a token, and throws over one that does not open", async () => {
  for (const token of ["", undefined]) assert.equal(await decode({ token, secret: SECRET, salt: NAME }), null);
  for (const token of ["x", `${sealed}A`, sealed.slice(1)]) {
    await assert.rejects(decode({ token, secret: SECRET, salt: NAME }), InvalidConfig);
  }
  const expired = await encode({ secret: SECRET, salt: NAME, maxAge: -16 });
  await assert.rejects(decode({ token: expired, secret: SECRET, salt: NAME }), InvalidConfig);
});

test("decode() tells nothing of the token or the secret in its error", async () => {
  await assert.rejects(decode({ token: `${sealed}A`, secret: SECRET, salt: NAME }), (error: Error) => {
    return !`${error.message}${JSON.stringify(error.cause)}`.includes(sealed) && !error.message.includes(SECRET);
  });
});

const BEARERS: readonly (readonly [authorization: string, found: boolean])[] = [
  [`Bearer ${sealed}`, true],
  [`bearer ${sealed}`, true],
  [`BEARER   ${sealed}`, true],
  [`Bearer ${sealed.replaceAll(".", "%2E")}`, true],
  ["Bearer %", false],
  ["Bearer %A", false],
  ["Bearer %ZZ", false],
  ["Bearer %00", false],
  ["Bearer", false],
  ["Bearer ", false],
  ["bearer x", false],
  [`Basic ${sealed}`, false],
  [`Bearerx ${sealed}`, false],
  [`x Bearer ${sealed}`, false],
  [`Bearer ${sealed} x`, false],
  [`Bearer ${sealed}, Bearer ${sealed}`, false],
  [`Bearer x, Bearer ${sealed}`, false],
  [`Bearer ${"x".repeat(65_536)}`, false],
  [sealed, false],
  ["", false],
];

for (const [authorization, found] of BEARERS) {
  test(`getToken() finds ${found ? "a token" : "nothing"} in ${JSON.stringify(authorization.slice(0, 30))}`, async () => {
    assert.equal(await subject({ authorization }), found ? "1" : undefined);
  });
}

test("getToken() reads the bearer's token only where no cookie has one", async () => {
  const other = await encode({ token: { sub: "2" }, secret: SECRET, salt: NAME });
  assert.equal(await subject({ cookie: `${NAME}=${sealed}`, authorization: `Bearer ${other}` }), "1");
  assert.equal(await subject({ cookie: `${NAME}=x`, authorization: `Bearer ${other}` }), undefined);
  assert.equal(await subject({ cookie: "a=b", authorization: `Bearer ${other}` }), "2");
});

test("getToken() reads chunks in any order, and not a cookie that arrives twice", async () => {
  const [a, b] = [sealed.slice(0, 100), sealed.slice(100)];
  assert.equal(await subject({ cookie: `${NAME}.1=${b}; ${NAME}.0=${a}` }), "1");
  assert.equal(await subject({ cookie: `${NAME}-x=junk; ${NAME}=${sealed}; ${NAME}.a=junk` }), "1");
  assert.equal(await subject({ cookie: `${NAME}=${sealed}; ${NAME}=${sealed}` }), undefined);
});

test("getToken() chooses name and salt as it is told", async () => {
  const secure = await encode({ token: { sub: "2" }, secret: SECRET, salt: `__Secure-${NAME}` });
  const cookie = `${NAME}=${sealed}; __Secure-${NAME}=${secure}; mine=${sealed}`;
  assert.equal(await subject({ cookie }), "1");
  assert.equal(await subject({ cookie }, { secureCookie: true }), "2");
  assert.equal(await subject({ cookie }, { cookieName: "mine", salt: NAME }), "1");
  assert.equal(await subject({ cookie }, { cookieName: "mine" }), undefined);
});

test("getToken() reads plain header records too", async () => {
  const cookie = `${NAME}=${sealed}`;
  assert.equal((await getToken({ req: { headers: { cookie } }, secret: SECRET }))?.sub, "1");
  assert.equal((await getToken({ req: { headers: new Headers({ cookie }) }, secret: SECRET }))?.sub, "1");
});

test("getToken() gives the sealed text with raw, for which it needs no secret", async () => {
  assert.equal(await getToken({ req: request({ cookie: `${NAME}=${sealed}` }), raw: true }), sealed);
  assert.equal(await getToken({ req: request({}), raw: true }), null);
});

test("getToken() asks the developer's decoder, and takes its failure for no token", async () => {
  const req = request({ cookie: `${NAME}=opaque` });
  const asked: unknown[] = [];
  const decoded = await getToken({
    req,
    secret: [SECRET, "older"],
    decode(params) {
      asked.push(params);
      return { sub: "7" };
    },
  });
  assert.equal(decoded?.sub, "7");
  assert.deepEqual(asked, [{ token: "opaque", secret: [SECRET, "older"], salt: NAME }]);
  assert.equal(await getToken({ req, secret: SECRET, decode: () => Promise.reject(new Error("x")) }), null);
});

test("decode() and getToken() refuse what is too long before they look into it", async () => {
  for (const length of [270_000, 5_000_000]) {
    const part = "A".repeat(length);
    for (const token of [part, `${part}..${part}.${part}.${part}`, `${sealed}${part}`]) {
      await assert.rejects(decode({ token, secret: SECRET, salt: NAME }), InvalidConfig);
      for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `${NAME}=${token}` }]) {
        assert.equal(await getToken({ req: { headers }, secret: SECRET }), null);
        assert.equal(await getToken({ req: { headers }, raw: true }), null);
      }
    }
  }
});

test("encode() seals megabytes that do not open", async () => {
  for (const length of [270_000, 5_000_000]) {
    const token = await encode({ token: { x: "x".repeat(length) }, secret: SECRET, salt: NAME });
    await assert.rejects(decode({ token, secret: SECRET, salt: NAME }), InvalidConfig);
  }
});

test("getToken() reads an Authorization header of 32 KiB and not a character more", async () => {
  const read = async (length: number) => {
    const authorization = `Bearer ${"x".repeat(length - 7)}`;
    return (await getToken({ req: { headers: { authorization } }, raw: true }))?.length ?? null;
  };
  assert.deepEqual([await read(32_768), await read(32_769)], [32_761, null]);
});

test("getToken() finds the session among many cookies of other software", async () => {
  const others = Array.from({ length: 400 }, (_, i) => `other${i}=${i}`).join("; ");
  assert.equal(await subject({ cookie: `${others}; ${NAME}=${sealed}; ${others}` }), "1");
});
