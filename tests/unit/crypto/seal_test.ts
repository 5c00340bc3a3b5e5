import assert from "node:assert/strict";
import { test } from "node:test";
import { CompactEncrypt } from "jose/jwe/compact/encrypt";
import { fromBase64Url, toBase64Url, utf8 } from "../../../src/crypto/encoding.ts";
import { deriveKeys } from "../../../src/crypto/keys.ts";
import { createSealer, MAX_TOKEN_LENGTH, openIgnoringTime } from "../../../src/crypto/seal.ts";
import { START, testRuntime } from "../_builders.ts";
import { countCrypto } from "./_count.ts";

const SALT = "authjs.session-token";
const LIVE_TOKEN =
  "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiTFJrYUx2dmR5TWZyd3lPWGwtM3pIVDdILVE2ZnZYZWYyQzVhR0VDOFRWNk0xaG4ybGM0TXFPMzFCTzFjdWJNUUVnVnRQNHJEZV81aXFROTI4dHRDN3cifQ..kA_hHi1EH1XZpmuuWRCzOw.scrAk7kxM0Drz4_yOUemnkOfV6bygdJk-GFSvdpi6rskWJYzwD8YjtZbYbBTT2jTQIDR3wpPYjGthywiLGtQccR3W-aPrSNd-dEyA_pLYVRz5lMmg9MypoNYK_If5e9p8ynPrg0nsCYO1653Yw0_4hQleYKT9YphY1x4N2TpqVekemJbvZW4O5VL8K8OMNTe.xbSjW5Y5X9cj8YMDHRVN_nnsc46n31hZMClzxk7WuLg";

interface Header {
  readonly alg?: string;
  readonly enc?: "A256CBC-HS512" | "A256GCM";
  readonly [member: string]: unknown;
}

/** Seals text with the right key and any header, as somebody would who knows the secret. */
async function forge(
  payload: unknown,
  { alg = "dir", enc = "A256CBC-HS512", ...others }: Header = {},
  secret = "s",
): Promise<string> {
  const { bytes } = (await deriveKeys(secret, SALT))[enc];
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return await new CompactEncrypt(utf8(text)).setProtectedHeader({ alg, enc, ...others }).encrypt(bytes);
}

function sealer(secrets: readonly string[] = ["s"], runtime = testRuntime()) {
  return createSealer(secrets, runtime);
}

test("open() opens a token that Auth.js made", async () => {
  assert.deepEqual(await sealer(["test-secret"]).open(LIVE_TOKEN, SALT), {
    name: "A",
    email: "a@b.c",
    picture: null,
    sub: "1",
    iat: 1795222348,
    exp: 3687382348,
    jti: "dfdeaedb-4151-4309-9e72-8d18b75c7bf2",
  });
});

test("seal() writes the header that Auth.js expects", async () => {
  const token = await sealer(["test-secret"]).seal({ sub: "1" }, { salt: SALT, maxAge: 60 });
  const [header = "", key, ...rest] = token.split(".");
  assert.deepEqual(JSON.parse(atob(header)), {
    alg: "dir",
    enc: "A256CBC-HS512",
    kid: "LRkaLvvdyMfrwyOXl-3zHT7H-Q6fvXef2C5aGEC8TV6M1hn2lc4MqO31BO1cubMQEgVtP4rDe_5iqQ928ttC7w",
  });
  assert.equal(key, "");
  assert.equal(rest.length, 3);
});

test("seal() writes iat, exp and jti over those in the claims", async () => {
  const keys = sealer();
  const token = await keys.seal({ sub: "1", iat: 1, exp: 2, jti: "x", nbf: 3 }, { salt: SALT, maxAge: 60 });
  const { jti, ...claims } = await keys.open(token, SALT) ?? {};
  assert.deepEqual(claims, { sub: "1", iat: START / 1000, exp: START / 1000 + 60, nbf: 3 });
  assert.match(String(jti), /^[0-9a-f-]{36}$/);
});

test("seal() makes another token of the same claims every time", async () => {
  const keys = sealer();
  const tokens = await Promise.all(Array.from({ length: 20 }, () => keys.seal({}, { salt: SALT, maxAge: 60 })));
  assert.equal(new Set(tokens).size, 20);
});

test("open() opens A256GCM tokens, with and without a kid", async () => {
  const { A256GCM } = await deriveKeys("s", SALT);
  for (const kid of [{ kid: A256GCM.kid }, {}]) {
    const token = await forge({ sub: "1" }, { enc: "A256GCM", ...kid });
    assert.deepEqual(await sealer().open(token, SALT), { sub: "1" });
  }
});

test("open() takes a header of 512 characters, and none that is longer", async () => {
  const lengths: number[] = [];
  for (let more = 300; more < 400; more++) {
    const token = await forge({ sub: "1" }, { typ: "x".repeat(more) });
    const length = token.indexOf(".");
    if (length < 508 || length > 516) continue;
    lengths.push(length);
    assert.equal((await sealer().open(token, SALT))?.sub, length <= 512 ? "1" : undefined, `${length} characters`);
  }
  assert.ok(lengths.includes(512) && lengths.includes(514), String(lengths));
});

test("open() refuses another secret and another salt", async () => {
  const token = await sealer().seal({ sub: "1" }, { salt: SALT, maxAge: 60 });
  assert.equal(await sealer(["other"]).open(token, SALT), null);
  assert.equal(await sealer().open(token, "__Secure-authjs.session-token"), null);
  assert.equal(await sealer([]).open(token, SALT), null);
});

const CLOCK: readonly (readonly [past: number, opens: boolean])[] = [
  [-60, true],
  [10, true],
  [14.9, true],
  [15, false],
  [
    16,
    false,
  ],
];

for (const [past, opens] of CLOCK) {
  test(`open() ${opens ? "opens" : "refuses"} a token ${past} s past its end`, async () => {
    const runtime = testRuntime();
    const keys = sealer(["s"], runtime);
    const token = await keys.seal({ sub: "1" }, { salt: SALT, maxAge: 100 });
    runtime.advance(100 + past);
    for (const remember of [false, true]) {
      assert.equal((await keys.open(token, SALT, { remember }))?.sub, opens ? "1" : undefined);
    }
  });
}

const NOW = START / 1000;
const TIMES: readonly (readonly [claims: Record<string, unknown>, opens: boolean])[] = [
  [{}, true],
  [{ exp: NOW + 1 }, true],
  [{ nbf: NOW + 15 }, true],
  [{ nbf: NOW + 16 }, false],
  [{ nbf: NOW - 9999 }, true],
  [{ exp: String(NOW + 60) }, false],
  [{ exp: null }, false],
  [{ exp: [NOW + 60] }, false],
  [{ nbf: "0" }, false],
  [{ nbf: null }, false],
  [{ iat: NOW }, true],
  [{ iat: String(NOW) }, false],
  [{ iat: null }, false],
  [{ iat: [NOW] }, false],
  [{ iat: true }, false],
];

for (const [claims, opens] of TIMES) {
  test(`open() ${opens ? "opens" : "refuses"} the claims ${JSON.stringify(claims)}`, async () => {
    assert.deepEqual(await sealer().open(await forge(claims), SALT), opens ? claims : null);
  });
}

test("open() refuses exp beyond what a number holds", async () => {
  assert.deepEqual(await sealer().open(await forge('{"exp":1e400}'), SALT), { exp: Infinity });
  assert.equal(await sealer().open(await forge('{"exp":-1e400}'), SALT), null);
});

const PAYLOADS = ["null", "[]", '"x"', "1", "true", "", "{", "\ufeff{", "{} x"];

for (const payload of PAYLOADS) {
  test(`open() refuses a token that holds ${JSON.stringify(payload)}`, async () => {
    assert.equal(await sealer().open(await forge(payload), SALT), null);
  });
}

test("open() refuses a payload that is not UTF-8", async () => {
  const { bytes } = (await deriveKeys("s", SALT))["A256CBC-HS512"];
  const payload = Uint8Array.of(...utf8('{"a":"'), 0xc3, ...utf8('"}'));
  const token = await new CompactEncrypt(payload).setProtectedHeader({ alg: "dir", enc: "A256CBC-HS512" }).encrypt(
    bytes,
  );
  assert.equal(await sealer().open(token, SALT), null);
});

test("open() keeps a claim named __proto__ from becoming a prototype", async () => {
  const claims = await sealer().open(await forge('{"__proto__":{"polluted":1},"sub":"1"}'), SALT, { remember: true });
  assert.equal((claims as { polluted?: unknown }).polluted, undefined);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

for (const [name, enc] of [["A256CBC-HS512", "A256CBC-HS512"], ["A256GCM", "A256GCM"]] as const) {
  test(`open() refuses a ${name} token with any bit of its bytes flipped`, async () => {
    const token = await forge({ sub: "1" }, { enc, kid: (await deriveKeys("s", SALT))[enc].kid });
    const keys = sealer();
    assert.ok(await keys.open(token, SALT));
    const parts = token.split(".");
    for (const [at, part] of parts.entries()) {
      const bytes = fromBase64Url(part);
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = bytes.slice();
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const forged = parts.with(at, toBase64Url(flipped)).join(".");
        assert.equal(await keys.open(forged, SALT), null, `part ${at}, bit ${bit}`);
      }
    }
  });

  test(`open() refuses a ${name} token with any bit of its text flipped`, async () => {
    const token = await forge({ sub: "1" }, { enc, kid: (await deriveKeys("s", SALT))[enc].kid });
    const keys = sealer();
    for (let at = 0; at < token.length; at++) {
      const others = new Set<string>();
      const value = ALPHABET.indexOf(token.charAt(at));
      for (let bit = 0; bit < 8; bit++) {
        others.add(String.fromCharCode(token.charCodeAt(at) ^ (1 << bit)));
        if (value >= 0 && bit < 6) others.add(ALPHABET.charAt(value ^ (1 << bit)));
      }
      for (const other of others) {
        const forged = token.slice(0, at) + other + token.slice(at + 1);
        assert.equal(await keys.open(forged, SALT), null, `position ${at}: ${JSON.stringify(other)}`);
      }
    }
  });
}

test("open() refuses a token cut anywhere, and one with anything added", async () => {
  const keys = sealer();
  const token = await keys.seal({ sub: "1" }, { salt: SALT, maxAge: 60 });
  for (let length = 0; length < token.length; length++) {
    assert.equal(await keys.open(token.slice(0, length), SALT), null);
  }
  for (const more of ["A", "AA", "AAA", "AAAA", "=", ".", " "]) assert.equal(await keys.open(token + more, SALT), null);
});

test("open() refuses parts of two tokens put together", async () => {
  const keys = sealer();
  const [one = [], two = []] = [
    await keys.seal({ sub: "1" }, { salt: SALT, maxAge: 60 }),
    await keys.seal({ sub: "2" }, { salt: SALT, maxAge: 60 }),
  ].map((token) => token.split("."));
  for (const at of [2, 3, 4]) assert.equal(await keys.open(one.with(at, two[at] ?? "").join("."), SALT), null);
});

test("open() refuses malformed tokens without any cryptography", async () => {
  const token = await sealer(["test-secret"]).seal({ sub: "1" }, { salt: SALT, maxAge: 60 });
  const [header = "", , iv, text, tag] = token.split(".");
  const junk = [
    "",
    ".",
    "....",
    "a.b.c",
    "\u0000",
    `${header}.${iv}.${text}.${tag}`,
    `${token}.${tag}`,
    `${header}.AAAA.${iv}.${text}.${tag}`,
    ` ${token}`,
    `${token} `,
    `${token}\n`,
    token.replace(".", ". "),
    `${token}=`,
    `${header}=..${iv}.${text}.${tag}`,
    `${header}..${iv}..${tag}`,
    `${header}...${text}.${tag}`,
    token.replaceAll(".", "%2E"),
    token.replaceAll(".", ","),
    "x".repeat(1_000_000),
    `${header}..${iv}.${"A".repeat(MAX_TOKEN_LENGTH)}.${tag}`,
  ];
  const keys = sealer(["never used before"]); // so that deriving its keys would be seen
  assert.deepEqual(
    await countCrypto(async () => {
      for (const text of junk) assert.equal(await keys.open(text, SALT), null, text.slice(0, 80));
    }),
    {},
  );
});

/** A token of just so many characters: the claims are longer or shorter, and the header by what they cannot be. */
async function tokenOf(length: number): Promise<string> {
  for (const cty of ["", "x", "xx", "xxx"]) {
    const short = (await forge({ x: "" }, { enc: "A256GCM", cty })).length;
    const about = Math.floor((length - short) * 3 / 4);
    for (let more = about - 3; more <= about + 3; more++) {
      const token = await forge({ x: "x".repeat(more) }, { enc: "A256GCM", cty });
      if (token.length === length) return token;
    }
  }
  throw new Error(`There is no token of ${length} characters`);
}

test("open() opens 19680 characters, which is five cookies, and none of a character more", async () => {
  assert.ok(await sealer().open(await tokenOf(19_680), SALT));
  assert.equal(await sealer().open(await tokenOf(19_681), SALT), null);
});

const HEADERS: readonly (readonly [name: string, header: unknown])[] = [
  ["an array", []],
  ["null", null],
  ["text", "dir"],
  ["nothing", {}],
  ["alg none", { alg: "none", enc: "A256GCM" }],
  ["alg None", { alg: "None", enc: "A256GCM" }],
  ["no alg", { enc: "A256GCM" }],
  ["alg Dir", { alg: "Dir", enc: "A256GCM" }],
  ["alg as a list", { alg: ["dir"], enc: "A256GCM" }],
  ["alg constructor", { alg: "constructor", enc: "A256GCM" }],
  ["no enc", { alg: "dir" }],
  ["enc A128GCM", { alg: "dir", enc: "A128GCM" }],
  ["enc A128CBC-HS256", { alg: "dir", enc: "A128CBC-HS256" }],
  ["enc __proto__", { alg: "dir", enc: "__proto__" }],
  ["alg RSA-OAEP", { alg: "RSA-OAEP", enc: "A256GCM" }],
  ["alg A256KW", { alg: "A256KW", enc: "A256GCM" }],
  ["alg ECDH-ES", { alg: "ECDH-ES", enc: "A256GCM", epk: { kty: "EC", crv: "P-256", x: "AA", y: "AA" } }],
  ["PBES2 with 2^31 rounds", { alg: "PBES2-HS256+A128KW", enc: "A256CBC-HS512", p2c: 2 ** 31 - 1, p2s: "AAAA" }],
  ["p2c", { alg: "dir", enc: "A256GCM", p2c: 2 ** 31 - 1 }],
  ["zip", { alg: "dir", enc: "A256GCM", zip: "DEF" }],
  ["crit", { alg: "dir", enc: "A256GCM", crit: ["exp"], exp: 1 }],
  ["empty crit", { alg: "dir", enc: "A256GCM", crit: [] }],
  ["jku", { alg: "dir", enc: "A256GCM", jku: "https://evil.test/keys" }],
  ["x5u", { alg: "dir", enc: "A256GCM", x5u: "https://evil.test/cert" }],
  ["jwk", { alg: "dir", enc: "A256GCM", jwk: { kty: "oct", k: "AAAA" } }],
  ["b64", { alg: "dir", enc: "A256GCM", b64: false }],
  ["epk", { alg: "dir", enc: "A256GCM", epk: {} }],
  ["a kid that is no text", { alg: "dir", enc: "A256GCM", kid: 1 }],
  ["a null kid", { alg: "dir", enc: "A256GCM", kid: null }],
  ["512 characters and more", { alg: "dir", enc: "A256GCM", kid: "k".repeat(512) }],
];

for (const [name, header] of HEADERS) {
  test(`open() refuses a header with ${name} without any cryptography`, async () => {
    const encoded = toBase64Url(utf8(JSON.stringify(header)));
    const keys = sealer([`never used before: ${name}`]); // so that deriving its keys would be seen
    assert.deepEqual(
      await countCrypto(async () => {
        assert.equal(await keys.open(`${encoded}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`, SALT), null);
      }),
      {},
    );
  });
}

test("open() refuses a compressed token although it is sealed with our own key", async () => {
  const { "A256CBC-HS512": key } = await deriveKeys("s", SALT);
  const token = await forge({ sub: "1", bomb: "0".repeat(200_000) }, { kid: key.kid, zip: "DEF" });
  assert.ok(token.length < 2000, "it is compressed");
  assert.deepEqual(await countCrypto(async () => assert.equal(await sealer().open(token, SALT), null)), {});
});

test("open() decrypts nothing for kids it does not know", async () => {
  const keys = sealer(["s", "t"]);
  await keys.open(await forge({}, { kid: "unknown" }), SALT);
  const token = await forge({ sub: "1" }, { kid: "unknown" });
  assert.deepEqual(await countCrypto(async () => assert.equal(await keys.open(token, SALT), null)), {});
});

test("open() tries each secret in turn for a token without kid", async () => {
  const token = await forge({ sub: "1" }, {}, "third");
  assert.deepEqual(await sealer(["first", "second", "third"]).open(token, SALT), { sub: "1" });
  assert.equal(await sealer(["first", "second"]).open(token, SALT), null);
});

test("open() opens what any listed secret sealed, while secrets are added, promoted and removed", async () => {
  const seal = (secrets: readonly string[]) => sealer(secrets).seal({ by: secrets[0] }, { salt: SALT, maxAge: 60 });
  const [old, young] = [await seal(["old"]), await seal(["young", "old"])];
  const opened = async (secrets: readonly string[]) => {
    return await Promise.all([old, young].map(async (token) => (await sealer(secrets).open(token, SALT))?.by));
  };
  assert.deepEqual(await opened(["old"]), ["old", undefined]);
  assert.deepEqual(await opened(["old", "young"]), ["old", "young"]);
  assert.deepEqual(await opened(["young", "old"]), ["old", "young"]);
  assert.deepEqual(await opened(["young"]), [undefined, "young"]);
});

test("open() gives a remembered token without decryption, and a copy each time", async () => {
  const keys = sealer();
  const token = await keys.seal({ sub: "1", roles: ["a"] }, { salt: SALT, maxAge: 60 });
  const first = await keys.open(token, SALT, { remember: true });
  (first?.roles as string[]).push("admin");
  if (first) first.sub = "2";
  const counts = await countCrypto(async () => {
    const second = await keys.open(token, SALT, { remember: true });
    assert.deepEqual([second?.sub, second?.roles], ["1", ["a"]]);
    assert.notEqual(second, await keys.open(token, SALT, { remember: true }));
  });
  assert.deepEqual(counts, {});
});

test("whoever is given remembered claims cannot change them for the next one, however deep", async () => {
  const keys = sealer();
  const claims = { roles: [{ name: "reader" }], address: { city: { name: "Rome" } }, none: null };
  const token = await keys.seal(claims, { salt: SALT });
  const open = async () => await keys.open(token, SALT, { remember: true }) as unknown as typeof claims;
  for (let round = 0; round < 3; round++) {
    const given = await open();
    assert.deepEqual({ roles: given.roles, address: given.address, none: given.none }, claims);
    given.address.city.name = "Oslo";
    Object.assign(given.roles[0] ?? {}, { name: "admin" });
    given.roles.push({ name: "owner" });
    Object.assign(given, { sub: "2" });
  }
});

test("open() gives no remembered token past its end", async () => {
  const runtime = testRuntime();
  const keys = sealer(["s"], runtime);
  const token = await keys.seal({ sub: "1" }, { salt: SALT, maxAge: 100 });
  for (const [seconds, sub] of [[0, "1"], [114, "1"], [1, undefined], [1000, undefined]] as const) {
    runtime.advance(seconds);
    assert.equal((await keys.open(token, SALT, { remember: true }))?.sub, sub);
  }
});

test("open() decrypts every time unless it is told to remember", async () => {
  const keys = sealer();
  const token = await keys.seal({ sub: "1" }, { salt: SALT, maxAge: 60 });
  await keys.open(token, SALT, { remember: true });
  const counts = await countCrypto(() => keys.open(token, SALT));
  assert.equal(counts.decrypt, 1);
});

test("open() remembers a token for no other salt and no other secret", async () => {
  const runtime = testRuntime();
  const keys = sealer(["s"], runtime);
  const token = await keys.seal({ sub: "1" }, { salt: SALT, maxAge: 60 });
  await keys.open(token, SALT, { remember: true });
  assert.equal(await keys.open(token, "authjs.state", { remember: true }), null);
  assert.equal(await keys.open(token, "", { remember: true }), null);
  assert.equal(await sealer(["t"], runtime).open(token, SALT, { remember: true }), null);
});

test("open() forgets the tokens that were not used lately", async () => {
  const keys = sealer();
  const first = await keys.seal({ sub: "first" }, { salt: SALT, maxAge: 60 });
  await keys.open(first, SALT, { remember: true });
  for (let i = 0; i < 1000; i++) {
    await keys.open(await keys.seal({ i }, { salt: SALT, maxAge: 60 }), SALT, { remember: true });
  }
  const counts = await countCrypto(async () => {
    assert.equal((await keys.open(first, SALT, { remember: true }))?.sub, "first");
  });
  assert.equal(counts.decrypt, 1);
});

test("openIgnoringTime() opens what has expired, and nothing that another secret or purpose has sealed", async () => {
  const token = await createSealer(["secret"], testRuntime()).seal({ sub: "42" }, { salt: SALT, maxAge: -3600 });
  assert.equal((await openIgnoringTime(token, SALT, ["other", "secret"]))?.sub, "42");
  assert.equal(await openIgnoringTime(token, SALT, ["other"]), null);
  assert.equal(await openIgnoringTime(token, "other", ["secret"]), null);
  assert.equal(await openIgnoringTime(`${token.slice(0, -1)}`, SALT, ["secret"]), null);
});
