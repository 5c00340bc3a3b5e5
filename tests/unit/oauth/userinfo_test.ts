import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { InvalidConfig, OAuthProviderError } from "../../../src/kernel/errors.ts";
import type { OidcProvider } from "../../../src/contract/provider.ts";
import { type Change, CLIENT, createIssuer, encode, type Issuer, makeKey, signJws } from "../../_support/issuer.ts";
import { NOW, visit } from "./_flow.ts";

const PERSON = { sub: "ada-1", name: "Ada of userinfo", email: "ada@userinfo.test" };

/** What the endpoint answers with. */
type Answer = (issuer: Issuer) => Response;

const signed = (issuer: Issuer, claims: Change = {}, header: Change = {}): string =>
  issuer.sign({ iss: issuer.url, aud: CLIENT.id, ...PERSON, ...claims }, header);

const jwt = (text: string, type = "application/jwt"): Response =>
  new Response(text, { headers: { "content-type": type } });

function mac(alg: string, secret: string, claims: Change = PERSON): string {
  const text = `${encode({ alg })}.${encode(claims)}`;
  return `${text}.${createHmac(`sha${alg.slice(2)}`, secret).update(text).digest("base64url")}`;
}

async function signIn(alg: string | undefined, answer: Answer, overrides: Partial<OidcProvider> = {}) {
  const issuer = createIssuer({ metadata: { userinfo_signing_alg_values_supported: ["RS256", "HS256", "none"] } });
  issuer.override("userinfo", () => answer(issuer));
  const client = { userinfo_signed_response_alg: alg };
  const { user } = await visit(issuer, issuer.provider({ idToken: false, client, ...overrides })).signIn(issuer);
  return { name: user.name, accept: issuer.requests.at(-1)?.headers.get("accept"), issuer };
}

const ACCEPTED: Readonly<Record<string, readonly [alg: string, answer: Answer]>> = {
  "of the issuer": ["RS256", (issuer) => jwt(signed(issuer))],
  "of the issuer, with a charset": ["RS256", (issuer) => jwt(signed(issuer), "application/jwt; charset=utf-8")],
  "without iss and aud": ["RS256", (issuer) => jwt(issuer.sign(PERSON))],
  "for several audiences": ["RS256", (issuer) => jwt(signed(issuer, { aud: ["other", CLIENT.id] }))],
  "that is still valid": ["RS256", (issuer) => jwt(signed(issuer, { exp: NOW + 60, nbf: NOW, iat: NOW }))],
  "of the client secret": ["HS256", () => jwt(mac("HS256", CLIENT.secret))],
  "of the client secret, HS512": ["HS512", () => jwt(mac("HS512", CLIENT.secret))],
};

for (const [what, [alg, answer]] of Object.entries(ACCEPTED)) {
  test(`a signed answer of userinfo ${what} is accepted where ${alg} is configured`, async () => {
    const { name, accept } = await signIn(alg, answer);
    assert.deepEqual([name, accept], [PERSON.name, "application/jwt"]);
  });
}

const [other] = [makeKey("RS256")];

const REFUSED: Readonly<Record<string, readonly [alg: string | undefined, answer: Answer]>> = {
  "without a signature": ["RS256", () => jwt(`${encode({ alg: "none" })}.${encode(PERSON)}.`)],
  "without a signature, under the right alg": ["RS256", () => jwt(`${encode({ alg: "RS256" })}.${encode(PERSON)}.`)],
  "as plain JSON": ["RS256", () => Response.json(PERSON)],
  "as plain JSON under the other type": ["RS256", () => jwt(JSON.stringify(PERSON))],
  "as plain JSON, HS256": ["HS256", () => Response.json(PERSON)],
  "under the type of JSON": ["RS256", (issuer) => jwt(signed(issuer), "application/json")],
  "of another key": ["RS256", (issuer) => jwt(signJws({ iss: issuer.url, ...PERSON }, { alg: "RS256" }, other))],
  "of another key under the kid of the issuer's": [
    "RS256",
    (issuer) => jwt(signJws(PERSON, { alg: "RS256", kid: issuer.keys[0]?.kid }, other)),
  ],
  "of the client secret where a public key is configured": ["RS256", () => jwt(mac("HS256", CLIENT.secret))],
  "of the issuer where the client secret is configured": ["HS256", (issuer) => jwt(signed(issuer))],
  "of another secret": ["HS256", () => jwt(mac("HS256", "other"))],
  "of an empty secret": ["HS256", () => jwt(mac("HS256", ""))],
  "of another HMAC": ["HS256", () => jwt(mac("HS512", CLIENT.secret))],
  "of the issuer's public key as a secret": [
    "HS256",
    (issuer) => jwt(mac("HS256", String(issuer.keys[0]?.jwk.n))),
  ],
  "for another client": ["RS256", (issuer) => jwt(signed(issuer, { aud: "other" }))],
  "for no client": ["RS256", (issuer) => jwt(signed(issuer, { aud: [] }))],
  "of another issuer": ["RS256", (issuer) => jwt(signed(issuer, { iss: "https://evil.test" }))],
  "of an issuer with a slash": ["RS256", (issuer) => jwt(signed(issuer, { iss: `${issuer.url}/` }))],
  "about somebody else": ["RS256", (issuer) => jwt(signed(issuer, { sub: "ada-2" }))],
  "about nobody": ["RS256", (issuer) => jwt(signed(issuer, { sub: undefined }))],
  "that has expired": ["RS256", (issuer) => jwt(signed(issuer, { exp: NOW - 31 }))],
  "that has expired, HS256": ["HS256", () => jwt(mac("HS256", CLIENT.secret, { ...PERSON, exp: NOW - 31 }))],
  "that is not valid yet": ["RS256", (issuer) => jwt(signed(issuer, { nbf: NOW + 31 }))],
  "with times as text": ["RS256", (issuer) => jwt(signed(issuer, { exp: String(NOW + 60) }))],
  "that is an access token": ["RS256", (issuer) => jwt(signed(issuer, {}, { typ: "at+jwt" }))],
  "with crit": ["RS256", (issuer) => jwt(signed(issuer, {}, { crit: ["b64"] }))],
  "with two members of one name": [
    "HS256",
    () => {
      const text = `${encode({ alg: "HS256" })}.${encode('{"sub":"ada-1","name":"Ada","name":"Eve"}')}`;
      return jwt(`${text}.${createHmac("sha256", CLIENT.secret).update(text).digest("base64url")}`);
    },
  ],
  "that is encrypted": ["RS256", () => jwt(`${encode({ alg: "dir", enc: "A256GCM" })}..AAAA.AAAA.AAAA`)],
  "that is empty": ["RS256", () => jwt("")],
  "with an error status": ["RS256", (issuer) => new Response(signed(issuer), { status: 401 })],
  "that nobody configured": [undefined, (issuer) => jwt(signed(issuer))],
};

for (const [what, [alg, answer]] of Object.entries(REFUSED)) {
  test(`a signed answer of userinfo ${what} is refused where ${alg ?? "nothing"} is configured`, async () => {
    await assert.rejects(() => signIn(alg, answer), OAuthProviderError);
  });
}

test("keys for signed answers of an oauth provider are discovered, or taken from jwks_endpoint", async () => {
  const { url } = createIssuer();
  const endpoints = { authorization: `${url}/authorize`, token: `${url}/token`, userinfo: `${url}/userinfo` };
  for (const keys of [{ issuer: url }, { issuer: url, jwks_endpoint: `${url}/jwks` }]) {
    const issuer = createIssuer();
    issuer.override("userinfo", () => jwt(signed(issuer)));
    issuer.grant({ id_token: undefined });
    const client = { userinfo_signed_response_alg: "RS256" };
    const provider = issuer.oauthProvider({ ...endpoints, ...keys, client });
    assert.equal((await visit(issuer, provider).signIn(issuer)).user.name, PERSON.name);
    assert.equal(issuer.count("discovery"), "jwks_endpoint" in keys ? 0 : 1);
  }
  const issuer = createIssuer();
  issuer.grant({ id_token: undefined });
  const client = { userinfo_signed_response_alg: "RS256" };
  const without = visit(issuer, issuer.oauthProvider({ client, jwks_endpoint: `${url}/jwks` }));
  await assert.rejects(() => without.signIn(issuer), (error: Error) => {
    return error instanceof InvalidConfig && error.message.includes("set its `issuer`");
  });
});

test("large numbers in a signed answer stay exact", async () => {
  const issuer = createIssuer();
  const text = `${encode({ alg: "HS256" })}.${encode('{"sub":"ada-1","number":12345678901234567890}')}`;
  const answer = `${text}.${createHmac("sha256", CLIENT.secret).update(text).digest("base64url")}`;
  issuer.override("userinfo", () => jwt(answer));
  const provider = issuer.provider({
    idToken: false,
    client: { userinfo_signed_response_alg: "HS256" },
    profile: ({ sub, number }) => ({ id: sub ?? undefined, name: String(number) }),
  });
  assert.equal((await visit(issuer, provider).signIn(issuer)).user.name, "12345678901234567890");
});
