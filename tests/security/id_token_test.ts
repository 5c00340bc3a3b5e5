import assert from "node:assert/strict";
import { createHash, createHmac, createPublicKey, sign } from "node:crypto";
import { test } from "node:test";
import type { OidcProvider } from "@x/auth";
import type { Site } from "../_support/browser.ts";
import { type Change, CLIENT, createIssuer, encode, type Issuer, makeKey, signJws } from "../_support/issuer.ts";
import { idTokenFault } from "../_support/oracle_id_token.ts";
import { START, testRuntime } from "../_support/runtime.ts";
import { testConfig } from "../_support/service.ts";
import { createEngine } from "../../src/service/engine.ts";
import { respond } from "../../src/service/respond.ts";
import { answerOf, ask, countRows, formToken, givesSession, keep, locationOf } from "./_service.ts";

const rows = countRows("id_token table");

const NOW = START / 1000;

interface Row {
  /** Changes what the issuer does. */
  readonly issuer?: (issuer: Issuer) => void;
  /** Members of the metadata. */
  readonly metadata?: Change;
  readonly provider?: Partial<OidcProvider>;
  readonly maxAge?: number;
  readonly acrValues?: readonly string[];
  /** The expected result, which the oracle must agree with. @default only the oracle decides */
  readonly accepted?: boolean;
}

/** A sign-in with one issuer: what was sent, and whether it succeeded. */
class Visit {
  readonly issuer: Issuer;
  readonly #row: Row;
  readonly #site: Site;
  #answer: Readonly<Record<string, unknown>> = {};
  #keys: readonly unknown[] = [];

  constructor(row: Row) {
    this.#row = row;
    this.issuer = createIssuer({ metadata: row.metadata ?? {} });
    row.issuer?.(this.issuer);
    const runtime = testRuntime({ fetch: (request) => this.#watch(request) });
    const providers = [this.issuer.provider({ checks: ["pkce", "state", "nonce"], ...row.provider })];
    const engine = createEngine(testConfig({ providers }), runtime);
    this.#site = async (request) => respond(await engine.run(request));
  }

  async #watch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const response = await this.issuer.fetch(request);
    if (pathname === "/token" && response.ok) this.#answer = await response.clone().json();
    if (pathname === "/jwks") this.#keys = await keysIn(response.clone());
    return response;
  }

  /** Signs in, and asserts that the oracle agrees with the result. */
  async signIn(what: string): Promise<boolean> {
    const { signedIn, fault } = await this.attempt();
    assert.equal(signedIn, fault === null, `${what}: the oracle says ${fault ?? "yes"}`);
    return signedIn;
  }

  /** Signs in, and gives the result and the fault that the oracle finds. */
  async attempt(): Promise<{ readonly signedIn: boolean; readonly fault: string | null }> {
    const { csrfToken, cookies } = await formToken(this.#site);
    const started = await ask(this.#site, "/auth/signin/idp", { cookies, fields: { csrfToken } });
    const location = locationOf(started);
    const response = await ask(this.#site, await answerOf(this.issuer, location), { cookies: keep(started) });
    const { metadata, provider, maxAge, acrValues } = this.#row;
    const listed = metadata?.id_token_signing_alg_values_supported as string[] | undefined;
    const configured = provider?.client?.id_token_signed_response_alg;
    const fault = idTokenFault({
      idToken: this.#answer.id_token,
      accessToken: this.#answer.access_token,
      keys: this.#keys,
      issuer: this.issuer.url,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      now: NOW,
      nonce: new URL(location).searchParams.get("nonce"),
      algs: configured ? [configured] : listed ?? ["RS256"],
      maxAge,
      acrValues,
    });
    rows();
    return { signedIn: givesSession(response), fault };
  }
}

async function keysIn(response: Response): Promise<readonly unknown[]> {
  const { keys } = response.status === 200 ? await response.json().catch(() => ({})) : {};
  return Array.isArray(keys) ? keys : [];
}

async function check(what: string, row: Row): Promise<void> {
  const accepted = await new Visit(row).signIn(what);
  if (row.accepted !== undefined) assert.equal(accepted, row.accepted, `${what} does not test what it says`);
}

function table(name: string, of: Readonly<Record<string, Row>>): void {
  test(name, async () => {
    for (const [what, row] of Object.entries(of)) await check(what, row);
  });
}

const show = (value: unknown) => (JSON.stringify(value) ?? String(value)).slice(0, 60);

/** Makes a row of each change to the claims. */
function claims(changes: readonly Change[], row: Row = {}): Record<string, Row> {
  return Object.fromEntries(changes.map((change) => [
    `${Object.keys(change)}: ${Object.values(change).map(show)}`,
    { ...row, issuer: (issuer: Issuer) => issuer.claim(change) },
  ]));
}

/** One change for each value of a claim. */
const each = (name: string, values: readonly unknown[]) => values.map((value) => ({ [name]: value }));

/** Values that are never valid. */
const JUNK = [undefined, null, true, false, {}, [], [[]], "", " ", "\u0000", -1, 0, 1, 1.5, 9e15, "1"];

table("O-01: a valid token is accepted", { "as it is": { accepted: true } });

table(
  "O-02: iss is exactly that of the issuer",
  claims(
    each("iss", [
      ...JUNK,
      "https://evil.test",
      "https://idp.test/",
      "https://IDP.test",
      "HTTPS://idp.test",
      "https://idp.test:443",
      "https://idp.test ",
      " https://idp.test",
      "https://idp.test.evil.test",
      "https://idp.test#",
      "https://idp.test?",
      "http://idp.test",
      ["https://idp.test"],
      ["https://idp.test", "https://evil.test"],
      { "0": "https://idp.test" },
    ]),
    { accepted: false },
  ),
);

table("O-03 to O-06: aud and azp are those of this client", {
  ...claims([
    ...each("aud", [
      ...JUNK,
      "other",
      `${CLIENT.id} other`,
      CLIENT.id.toUpperCase(),
      `${CLIENT.id} `,
      [[CLIENT.id]],
      { [CLIENT.id]: true },
      ["other"],
      ["other", "x"],
      [CLIENT.id, "x"],
      ["x", CLIENT.id],
      [CLIENT.id, CLIENT.id],
    ]),
    ...each("azp", [...JUNK.slice(1), "other", CLIENT.id.toUpperCase(), [CLIENT.id], { id: CLIENT.id }]),
    ...each("azp", ["x", "", null, [CLIENT.id]]).map((azp) => ({ aud: [CLIENT.id, "x"], ...azp })),
    { aud: "other", azp: CLIENT.id },
    { aud: ["other"], azp: CLIENT.id },
  ], { accepted: false }),
  ...claims([{ aud: [CLIENT.id] }, { azp: CLIENT.id }, { aud: [CLIENT.id, "x"], azp: CLIENT.id }, {
    aud: ["x", CLIENT.id],
    azp: CLIENT.id,
  }], { accepted: true }),
});

/** Times around a limit. */
const around = (edge: number) => [edge - 1, edge - 0.001, edge, edge + 0.001, edge + 1];

table("O-07 to O-10: exp, nbf and iat are numbers close to now", {
  ...claims([
    ...each("exp", [...around(NOW - 30), ...JUNK, String(NOW + 300), [NOW + 300], NOW * 1000]),
    ...each("nbf", [...around(NOW + 30), ...JUNK, String(NOW), [NOW], NOW * 1000]),
    ...each("iat", [...around(NOW + 30), ...around(NOW - 600), ...JUNK, String(NOW), [NOW], NOW * 1000]),
  ]),
  ...claims([{ exp: 2 ** 63 }], { accepted: true }),
  "an infinite exp": {
    accepted: false,
    issuer: (issuer) => respell(issuer, (payload) => payload.replace(/"exp":\d+/, '"exp":1e400')),
  },
});

table("O-11: sub is 1 to 255 characters", {
  ...claims(each("sub", ["a", "a".repeat(255), "é".repeat(255), "__proto__"]), { accepted: true }),
  ...claims(
    each("sub", [...JUNK.filter((value) => typeof value !== "string"), "", "a".repeat(256), ["ada-1"], 2 ** 63]),
    { accepted: false },
  ),
});

table("O-12: nonce is that of the flow", {
  ...claims(each("nonce", [...JUNK, "other", "A".repeat(43)]), { accepted: false }),
  ...claims([{ nonce: "unasked" }, { nonce: "" }, { nonce: null }], {
    accepted: false,
    provider: { checks: ["pkce"] },
  }),
  "none where none was asked for": { accepted: true, provider: { checks: ["pkce"] } },
});

test("O-12: the nonce of an older flow is refused", async () => {
  const visit = new Visit({});
  let older: unknown;
  visit.issuer.rewrite((idToken) => {
    older = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString()).nonce;
    return idToken;
  });
  assert.ok(await visit.signIn("first"));
  visit.issuer.claim({ nonce: older });
  assert.ok(!await visit.signIn("again"));
});

/** Changes the text of claims and header before they are signed. */
function respell(issuer: Issuer, change: (payload: string) => string, header?: (header: string) => string): void {
  issuer.rewrite((idToken) => {
    const [head = "", payload = ""] = idToken.split(".").map((part) => Buffer.from(part, "base64url").toString());
    const [key] = issuer.keys;
    assert.ok(key);
    return signJws(change(payload), (header ? header(head) : JSON.parse(head)) as Change, key);
  });
}

const EVERY_ALG = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
const lists = (...algs: string[]): Change => ({ id_token_signing_alg_values_supported: algs });

table(
  "O-13: a token without a signature is refused, whatever spelling of none its alg has",
  Object.fromEntries(
    [
      "none",
      "None",
      "NONE",
      "nOnE",
      "none ",
      "",
      " ",
      "0",
      null,
      undefined,
      0,
      1,
      true,
      [],
      ["RS256"],
      {},
      "rs256",
      "RS256 ",
      "RSA",
      "constructor",
      "__proto__",
      "toString",
    ]
      .flatMap((alg) =>
        [true, false].map((signed) =>
          [
            `${show(alg)} ${signed ? "with" : "without"} a signature`,
            {
              accepted: false,
              metadata: lists("RS256", "none", "None", "NONE"),
              issuer: (issuer: Issuer) => {
                issuer.header({ alg });
                if (!signed) issuer.rewrite((idToken) => idToken.replace(/[^.]*$/, ""));
              },
            },
          ] as const
        )
      ),
  ),
);

table(
  "O-14, O-15: HMAC is accepted only where it is configured, and only with the client secret as its key",
  Object.fromEntries(
    (["HS256", "HS384", "HS512"] as const).flatMap((alg) =>
      (["secret", "pem", "der", "pkcs1", "jwk", "x", "empty"] as const).flatMap((keyed) =>
        [undefined, alg, alg === "HS256" ? "HS512" : "HS256", "RS256"].map((configured) =>
          [
            `${alg} keyed with ${keyed}, ${configured ?? "nothing"} configured`,
            {
              accepted: configured === alg && keyed === "secret",
              metadata: lists("RS256", alg),
              ...(configured && { provider: { client: { id_token_signed_response_alg: configured } } }),
              issuer: (issuer: Issuer) => {
                const [key] = issuer.keys;
                assert.ok(key);
                const open = createPublicKey(key.privateKey);
                const secrets = {
                  secret: CLIENT.secret,
                  pem: open.export({ type: "spki", format: "pem" }),
                  der: open.export({ type: "spki", format: "der" }),
                  pkcs1: open.export({ type: "pkcs1", format: "pem" }),
                  jwk: JSON.stringify(key.jwk),
                  x: String(key.jwk.n),
                  empty: "",
                };
                issuer.rewrite((idToken) => {
                  const signed = `${encode({ alg, kid: key.kid })}.${idToken.split(".")[1]}`;
                  return `${signed}.${
                    createHmac(`sha${alg.slice(2)}`, secrets[keyed]).update(signed).digest("base64url")
                  }`;
                });
              },
            },
          ] as const
        )
      )
    ),
  ),
);

test("O-15: where HMAC is configured, no token with the key of the issuer passes, nor one of another secret", async () => {
  for (const configured of ["HS256", "HS384", "HS512"]) {
    for (const alg of EVERY_ALG) {
      await check(`${alg} where ${configured} is configured`, {
        accepted: false,
        metadata: lists(...EVERY_ALG, configured),
        provider: { client: { id_token_signed_response_alg: configured } },
        issuer: (issuer) => void issuer.rotate(alg),
      });
    }
  }
});

const ORDER = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
const HALVES = ["0".repeat(64), "1".padStart(64, "0"), ORDER, "f".repeat(64)];

table("O-16: elliptic signatures that are zero, too large, too long or in another form are refused", {
  ...Object.fromEntries(
    [...HALVES.flatMap((r) => HALVES.map((s) => r + s)), "", "00", "0".repeat(126), "0".repeat(130), ORDER]
      .map((signature) => [`${signature.slice(0, 20)}… of ${signature.length}`, {
        accepted: false,
        metadata: lists("ES256"),
        issuer: (issuer: Issuer) => {
          issuer.rotate("ES256");
          issuer.rewrite((idToken) => idToken.replace(/[^.]*$/, Buffer.from(signature, "hex").toString("base64url")));
        },
      }]),
  ),
  "DER": {
    accepted: false,
    metadata: lists("ES256"),
    issuer: (issuer) => {
      const key = issuer.rotate("ES256");
      issuer.rewrite((idToken) => {
        const signed = idToken.slice(0, idToken.lastIndexOf("."));
        return `${signed}.${sign("sha256", Buffer.from(signed), key.privateKey).toString("base64url")}`;
      });
    },
  },
  "an honest one": { accepted: true, metadata: lists("ES256"), issuer: (issuer) => void issuer.rotate("ES256") },
});

for (const alg of ["RS256", "ES256"]) {
  test(`O-17: a token of ${alg} with one bit changed is refused, in every byte of it`, async () => {
    const visit = new Visit({ metadata: lists(alg), issuer: (issuer) => void issuer.rotate(alg) });
    let flip = { part: 0, byte: 0 };
    let sizes: number[] = [];
    visit.issuer.rewrite((idToken) => {
      const parts = idToken.split(".").map((part) => Buffer.from(part, "base64url"));
      sizes = parts.map(({ length }) => length);
      const bytes = parts[flip.part];
      if (bytes) bytes[flip.byte] = (bytes[flip.byte] ?? 0) ^ (1 << (flip.byte % 8));
      return parts.map((part) => part.toString("base64url")).join(".");
    });
    await visit.signIn("to learn the sizes");
    for (const [part, size] of sizes.entries()) {
      for (let byte = 0; byte < size; byte++) {
        flip = { part, byte };
        assert.ok(!await visit.signIn(`byte ${byte} of part ${part}`));
      }
    }
    flip = { part: 3, byte: 0 };
    assert.ok(await visit.signIn("unchanged"), "the others were refused for what was changed");
  });
}

table(
  "O-18: an algorithm is accepted if the metadata lists it; if one is configured, only that",
  Object.fromEntries([
    ...EVERY_ALG.flatMap((alg) =>
      EVERY_ALG.map((listed) =>
        [`${alg} where ${listed} is listed`, {
          metadata: lists(listed),
          accepted: alg === listed,
          issuer: (issuer: Issuer) => void issuer.rotate(alg),
        }] as const
      )
    ),
    ...EVERY_ALG.map((alg) =>
      [`${alg} where nothing is listed`, {
        accepted: alg === "RS256",
        issuer: (issuer: Issuer) => void issuer.rotate(alg),
      }] as const
    ),
    ...["RS256", "ES256", "EdDSA"].flatMap((alg) =>
      ["RS256", "ES256", "EdDSA"].map((configured) =>
        [
          `${alg} where all are listed and ${configured} is configured`,
          {
            metadata: lists(...EVERY_ALG),
            accepted: alg === configured,
            provider: { client: { id_token_signed_response_alg: configured } },
            issuer: (issuer: Issuer) => void issuer.rotate(alg),
          },
        ] as const
      )
    ),
  ]),
);

/** Replaces the signature with that of another key, and members of the header. */
function forge(issuer: Issuer, header: Change, key = makeKey("ES256")): void {
  issuer.rewrite((idToken) => {
    return signJws(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString(), { alg: key.alg, ...header }, key);
  });
}

const MALLORY = makeKey("RS256");

table(
  "O-19, O-27: a key that is not the issuer's is not used, even if the header holds it or points to it",
  Object.fromEntries(
    [
      {},
      { jwk: MALLORY.jwk },
      { jku: "https://evil.test/jwks" },
      { jku: "https://idp.test/jwks" },
      { x5u: "https://evil.test/x" },
      { x5c: ["AAAA"] },
      { kid: MALLORY.kid, jwk: MALLORY.jwk },
      { kid: "../../jwks" },
      { kid: "https://evil.test/jwks" },
      { kid: "" },
      { kid: 1 },
      { kid: null },
      { kid: ["key-1"] },
      { kid: {} },
    ]
      .map((header) => [show(header), {
        accepted: false,
        issuer: (issuer: Issuer) => forge(issuer, { kid: issuer.keys[0]?.kid, ...header }, MALLORY),
      }]),
  ),
);

/** Adds a key to the JWK Set. */
function add(issuer: Issuer, alg: string): void {
  const [first] = issuer.keys;
  const second = issuer.rotate(alg);
  if (first) issuer.keys.splice(0, 1, first, second);
}

table("O-20, O-21: without kid exactly one key must fit", {
  "one key": { accepted: true, issuer: (issuer) => issuer.header({ kid: undefined }) },
  "another of another kind": {
    accepted: true,
    issuer: (issuer) => {
      add(issuer, "ES256");
      issuer.header({ kid: undefined });
    },
  },
  "another that fits too": {
    accepted: false,
    issuer: (issuer) => {
      add(issuer, "RS256");
      issuer.header({ kid: undefined });
    },
  },
  "two with one kid": {
    accepted: false,
    issuer: (issuer) =>
      issuer.override(
        "jwks",
        () => Response.json({ keys: [issuer.keys[0]?.jwk, { ...MALLORY.jwk, kid: issuer.keys[0]?.kid }] }),
      ),
  },
});

table(
  "O-22: an unknown kid is refused",
  Object.fromEntries(
    ["unknown", "", " ", "__proto__", "key-1\u0000", "a".repeat(10_000)].map((kid) => [show(kid), {
      accepted: false,
      issuer: (issuer: Issuer) => issuer.header({ kid }),
    }]),
  ),
);

test("O-23, O-24: right after a rotation, a token of the new key is accepted and one of the old key refused", async () => {
  const visit = new Visit({});
  assert.ok(await visit.signIn("before"));
  const [old] = visit.issuer.keys;
  visit.issuer.rotate();
  assert.ok(await visit.signIn("after"));
  assert.ok(old);
  assert.equal(visit.issuer.count("jwks"), 2);
  visit.issuer.rewrite((idToken) =>
    signJws(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString(), { alg: "RS256", kid: old.kid }, old)
  );
  assert.ok(!await visit.signIn("with the withdrawn key"));
});

/** Changes the key in the JWK Set and adds others. */
const keysWith = (change: Change, ...others: unknown[]) => (issuer: Issuer) =>
  issuer.override("jwks", () => Response.json({ keys: [...others, { ...issuer.keys[0]?.jwk, ...change }] }));

table("O-25, O-26: a key is used only as its use, alg and key_ops allow, and invalid entries beside it do no harm", {
  "junk beside it": {
    accepted: true,
    issuer: keysWith({}, null, "x", 1, [], {}, { kty: "RSA" }, { kty: "XYZ", kid: "x" }, {
      kty: "EC",
      crv: "P-256",
      x: "!",
      y: "!",
    }),
  },
  ...Object.fromEntries(
    [
      { use: "enc" },
      { alg: "RS512" },
      { alg: "HS256" },
      { key_ops: ["encrypt"] },
      { key_ops: [] },
      { kty: "oct", k: "AAAA" },
      { kty: "EC" },
      { kid: "other" },
      { kid: undefined },
      { n: undefined },
      { e: undefined },
    ]
      .map((change) => [show(change), { accepted: false, issuer: keysWith(change) }]),
  ),
  ...Object.fromEntries(
    [{ use: undefined }, { alg: undefined }, { use: undefined, alg: undefined }, { key_ops: ["verify"] }]
      .map((
        change,
      ) => [`only ${Object.keys(change)} changed: ${show(change)}`, { accepted: true, issuer: keysWith(change) }]),
  ),
  ...Object.fromEntries(
    [{}, [], { keys: {} }, { keys: [] }, null].map((document) => [`the key document ${show(document)}`, {
      accepted: false,
      issuer: (issuer: Issuer) => issuer.override("jwks", () => Response.json(document)),
    }]),
  ),
  "a key document with status 404": {
    accepted: false,
    issuer: (issuer) =>
      issuer.override("jwks", async (_, honest) => new Response((await honest()).body, { status: 404 })),
  },
  "RSA of 1024 bits": { accepted: false, issuer: (issuer) => void issuer.keys.splice(0, 1, makeKey("RS256", 1024)) },
  "P-256 for ES384": {
    accepted: false,
    metadata: lists("ES384"),
    issuer: (issuer) => {
      issuer.rotate("ES256");
      issuer.header({ alg: "ES384" });
    },
  },
});

/** A row that changes the encoded token. */
const rewritten = (change: (idToken: string) => string): Row => ({
  accepted: false,
  issuer: (issuer) => issuer.rewrite(change),
});

table("O-28: what is not exactly a compact JWS of two objects is refused", {
  "two parts": rewritten((idToken) => idToken.slice(0, idToken.lastIndexOf("."))),
  "one part": rewritten((idToken) => idToken.split(".")[0] ?? ""),
  "four parts": rewritten((idToken) => `${idToken}.`),
  "five parts, as if encrypted": rewritten((idToken) => `${idToken}.x.y`),
  "an empty signature": rewritten((idToken) => idToken.replace(/[^.]*$/, "")),
  "an empty payload": rewritten((idToken) => idToken.replace(/\.[^.]*\./, "..")),
  "an empty header": rewritten((idToken) => idToken.replace(/^[^.]*/, "")),
  "a space before": rewritten((idToken) => ` ${idToken}`),
  "a space behind": rewritten((idToken) => `${idToken} `),
  "a line break behind": rewritten((idToken) => `${idToken}\n`),
  "a space inside": rewritten((idToken) => idToken.replace(".", " .")),
  "padding": rewritten((idToken) => `${idToken}==`),
  "padding inside": rewritten((idToken) => idToken.replace(".", "=.")),
  "standard base64": rewritten((idToken) => idToken.replaceAll("_", "/").replaceAll("-", "+").replace(/.$/, "+")),
  "spare bits set": rewritten((idToken) =>
    idToken.replace(/[AQgw]$/, (char) => String.fromCharCode(char.charCodeAt(0) + 1))
  ),
  "the JSON form": rewritten((idToken) => {
    const [header, payload, signature] = idToken.split(".");
    return JSON.stringify({ protected: header, payload, signature });
  }),
  "Bearer before": rewritten((idToken) => `Bearer ${idToken}`),
  "nothing": rewritten(() => ""),
  ...Object.fromEntries(
    [undefined, null, "", 1, true, {}, [], ["x"]].map((id_token) => [`id_token: ${show(id_token)}`, {
      accepted: false,
      issuer: (issuer: Issuer) => issuer.grant({ id_token }),
    }]),
  ),
  ...Object.fromEntries(
    [{ crit: ["x"] }, { crit: [] }, { crit: ["b64"], b64: true }, { b64: false }, { b64: true }].map((header) => [
      show(header),
      { accepted: false, issuer: (issuer: Issuer) => issuer.header(header) },
    ]),
  ),
  ...Object.fromEntries(
    ["[]", "null", "1", '"text"', "{", "", "\ufeff{}", "{}{}"].map((payload) => [`a payload that is ${payload}`, {
      accepted: false,
      issuer: (issuer: Issuer) => respell(issuer, () => payload),
    }]),
  ),
  "a byte order mark": { accepted: false, issuer: (issuer) => respell(issuer, (payload) => `\ufeff${payload}`) },
  "claims twice": {
    accepted: false,
    issuer: (issuer) => respell(issuer, (payload) => payload.replace("{", '{"sub":"eve",')),
  },
  "claims twice, one of them escaped": {
    accepted: false,
    issuer: (issuer) => respell(issuer, (payload) => payload.replace("{", '{"\\u0073ub":"eve",')),
  },
  "members twice below": {
    accepted: false,
    issuer: (issuer) => respell(issuer, (payload) => payload.replace("{", '{"x":{"a":1,"a":2},')),
  },
  "header members twice": {
    accepted: false,
    issuer: (issuer) => respell(issuer, (payload) => payload, (header) => header.replace("{", '{"\\u0061lg":"none",')),
  },
  "white space between members": {
    accepted: true,
    issuer: (issuer) => respell(issuer, (payload) => payload.replaceAll(",", " ,\n ")),
  },
});

table(
  "O-29: a token with another typ is refused",
  Object.fromEntries([
    ...[
      "at+jwt",
      "AT+JWT",
      "application/at+jwt",
      "logout+jwt",
      "dpop+jwt",
      "at+jwt ",
      "secevent+jwt",
      1,
      null,
      [],
      {},
      ["JWT"],
    ]
      .map((typ) => [show(typ), { accepted: false, issuer: (issuer: Issuer) => issuer.header({ typ }) }] as const),
    ...["JWT", "jwt", "application/jwt", ""].map((typ) =>
      [show(typ), { accepted: true, issuer: (issuer: Issuer) => issuer.header({ typ }) }] as const
    ),
  ]),
);

table(
  "O-30: a token of another issuer that has the same keys is refused",
  claims([
    { iss: "https://twin.test" },
    { iss: "https://twin.test", aud: [CLIENT.id] },
  ], { accepted: false }),
);

const userinfo = { idToken: false } as const;

test("O-31, O-32: userinfo about somebody else is refused, and so is signed userinfo", async () => {
  const people: readonly unknown[] = [
    { sub: "ada-2" },
    { sub: undefined },
    { sub: null },
    { sub: "" },
    { sub: ["ada-1"] },
    { sub: "ADA-1" },
    { sub: "ada-1 " },
  ];
  for (const person of people) {
    const visit = new Visit({ provider: userinfo });
    visit.issuer.person(person as Change);
    assert.deepEqual(await visit.attempt(), { signedIn: false, fault: null }, show(person));
  }
  assert.ok(await new Visit({ provider: userinfo }).signIn("the same"));
  for (const key of [undefined, "none", "other"]) {
    const visit = new Visit({ provider: userinfo });
    visit.issuer.override("userinfo", () => {
      const claims = { iss: visit.issuer.url, aud: key === "other" ? "other" : CLIENT.id, sub: "ada-1" };
      const jwt = key === "none" ? `${encode({ alg: "none" })}.${encode(claims)}.` : visit.issuer.sign(claims);
      return new Response(jwt, { headers: { "content-type": "application/jwt" } });
    });
    assert.deepEqual(await visit.attempt(), { signedIn: false, fault: null }, `userinfo as a JWT, ${key}`);
  }
});

const hashOf = (text: string, bits = 256) => {
  const digest = createHash(`sha${bits}`).update(text).digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
};

table("O-33: a hash of another access token is refused", {
  ...claims(
    each("at_hash", [
      ...JUNK.slice(1),
      hashOf("access-1"),
      hashOf("access-3"),
      `${hashOf("access-2")}=`,
      hashOf("access-2", 512),
      hashOf("access-2").toLowerCase(),
    ]),
    { accepted: false },
  ),
  ...claims([{ at_hash: hashOf("access-2") }], { accepted: true }),
  ...Object.fromEntries(EVERY_ALG.flatMap((alg) =>
    [256, 384, 512].map((bits) => [`half of SHA-${bits} for ${alg}`, {
      accepted: (alg.startsWith("Ed") ? [256, 512] : [Number(/(?:256|384|512)$/.exec(alg)?.[0])]).includes(bits),
      metadata: lists(alg),
      issuer: (issuer: Issuer) => {
        issuer.rotate(alg);
        issuer.claim({ at_hash: hashOf("access-2", bits) });
      },
    }])
  )),
});

for (const provider of [{ authorization: { params: { max_age: 100 } } }, { client: { default_max_age: 100 } }]) {
  table(`O-34: where ${show(provider)} is configured, auth_time is not older`, {
    ...claims(each("auth_time", [...around(NOW - 130), NOW, ...JUNK, String(NOW), [NOW], NOW * 1000]), {
      provider,
      maxAge: 100,
    }),
    ...claims([{ auth_time: NOW - 131 }, { auth_time: undefined }], { provider, maxAge: 100, accepted: false }),
  });
}
table(
  "O-34: where no age is configured, auth_time does not matter",
  claims(each("auth_time", [1, NOW, undefined]), { accepted: true }),
);

const acr = { provider: { authorization: { params: { acr_values: "gold silver" } } }, acrValues: ["gold", "silver"] };
table("O-35: where ways of authenticating are configured, acr is one of them", {
  ...claims(each("acr", [...JUNK, "bronze", "Gold", "gold silver", "gold ", ["gold"], { gold: true }]), {
    ...acr,
    accepted: false,
  }),
  ...claims(each("acr", ["gold", "silver"]), { ...acr, accepted: true }),
});
table(
  "O-35: where none are configured, acr does not matter",
  claims(each("acr", ["bronze", undefined]), { accepted: true }),
);

table("O-36: a token that is huge or deep is refused", {
  "a claim of 1 MiB": { accepted: false, issuer: (issuer) => issuer.claim({ x: "a".repeat(1024 * 1024) }) },
  "lists in lists": {
    accepted: false,
    issuer: (issuer) =>
      respell(issuer, (payload) => payload.replace("{", `{"x":${"[".repeat(10_000)}${"]".repeat(10_000)},`)),
  },
  "objects in objects": {
    accepted: false,
    issuer: (issuer) =>
      respell(issuer, (payload) => payload.replace("{", `{"x":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)},`)),
  },
  "a deep header": {
    accepted: false,
    issuer: (issuer) =>
      respell(
        issuer,
        (payload) => payload,
        (header) => header.replace("{", `{"x":${"[".repeat(10_000)}${"]".repeat(10_000)},`),
      ),
  },
  "many claims": {
    issuer: (issuer) => issuer.claim(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x${at}`, at]))),
  },
});
