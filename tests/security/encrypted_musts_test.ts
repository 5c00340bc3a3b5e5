/**
 * What OpenID Connect Core, RFC 7516 and RFC 7519 demand of whoever is sent encrypted id_tokens and userinfo. Each row is a
 * provider, or somebody in its place, that does not keep to it.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { CompactEncrypt } from "jose";
import { OAuthProviderError } from "../../src/kernel/errors.ts";
import type { ClientMetadata } from "../../src/contract/client_metadata.ts";
import type { OidcProvider } from "../../src/contract/provider.ts";
import { CLIENT, createIssuer, encode, type Issuer, json, makeKey, signJws } from "../_support/issuer.ts";
import { visit } from "../unit/oauth/_flow.ts";

const PAIR = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
const OTHER = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
const RSA = await crypto.subtle.generateKey(
  { name: "RSA-OAEP", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" },
  true,
  ["encrypt", "decrypt"],
);

const ALG = { alg: "ECDH-ES", enc: "A256GCM" };

type Header = Readonly<Record<string, unknown>>;

async function seal(text: string, header: Header = {}, key: CryptoKey | Uint8Array = PAIR.publicKey): Promise<string> {
  const all = { ...ALG, ...header } as { alg: string; enc: string };
  const crit = Array.isArray(header.crit) ? { crit: { [String(header.crit[0])]: true } } : {};
  return await new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(all).encrypt(key, crit);
}

const keyOfSecret = new Uint8Array(createHash("sha256").update(CLIENT.secret).digest());

const REGISTERED: Readonly<Record<"id_token" | "userinfo", ClientMetadata>> = {
  id_token: {
    id_token_encrypted_response_alg: ALG.alg,
    id_token_encrypted_response_enc: ALG.enc,
    decryptionKeys: [{ key: PAIR.privateKey, kid: "enc-1" }, RSA.privateKey],
  },
  userinfo: {
    userinfo_signed_response_alg: "RS256",
    userinfo_encrypted_response_alg: ALG.alg,
    userinfo_encrypted_response_enc: ALG.enc,
    decryptionKeys: [{ key: PAIR.privateKey, kid: "enc-1" }, RSA.privateKey],
  },
};

/** Changes what the provider would send, a signed JWT, to what it sends. */
type Sends = (jws: string, issuer: Issuer) => string | Promise<string>;

const changed = (jwe: string, part: number, change: (text: string) => string): string =>
  jwe.split(".").map((text, at) => at === part ? change(text) : text).join(".");

const flip = (text: string): string => `${text.startsWith("A") ? "B" : "A"}${text.slice(1)}`;

/** By section, what must be, and how it is violated. */
const LIES: Readonly<Record<string, { readonly sends: Sends; readonly says: RegExp }>> = {
  "Core 3.1.3.7, 1: decrypt with the algorithms of the registration, and refuse what is not encrypted": {
    sends: (jws) => jws,
    says: /not encrypted; remove `client\.\w+_encrypted_response_alg`|must be encrypted/,
  },
  "Core 3.1.3.7, 1: another alg is not the one of the registration": {
    sends: (jws) => seal(jws, { alg: "ECDH-ES+A256KW" }),
    says: /must be encrypted with ECDH-ES and A256GCM/,
  },
  "Core 3.1.3.7, 1: the header does not choose another kind of key": {
    sends: (jws) => seal(jws, { alg: "RSA-OAEP-256" }, RSA.publicKey),
    says: /must be encrypted with ECDH-ES/,
  },
  "Core 3.1.3.7, 1: the header does not choose the client secret": {
    sends: (jws) => seal(jws, { alg: "dir" }, keyOfSecret),
    says: /must be encrypted with ECDH-ES/,
  },
  "Core 3.1.3.7, 1: the header does not choose a password": {
    sends: (jws) => seal(jws, { alg: "PBES2-HS256+A128KW" }, new TextEncoder().encode(CLIENT.secret)),
    says: /must be encrypted with ECDH-ES/,
  },
  "Core 3.1.3.7, 1: another enc is not the one of the registration": {
    sends: (jws) => seal(jws, { enc: "A128GCM" }),
    says: /must be encrypted with ECDH-ES and A256GCM/,
  },
  "Core 2 and 16.14: what is encrypted must be signed first": {
    sends: (jws) => seal(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString()),
    says: /not a signed JWT/,
  },
  "Core 2: a signature of nobody is none": {
    sends: (jws) => seal(`${encode({ alg: "none" })}.${jws.split(".")[1]}.`),
    says: /alg/,
  },
  "Core 3.1.3.7, 6: the signature inside is verified": {
    sends: (jws) => seal(changed(jws, 2, flip)),
    says: /./,
  },
  "Core 3.1.3.7, 6: the signature inside is of a key of the issuer": {
    sends: (jws, issuer) => {
      const claims = JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString());
      return seal(signJws(claims, { alg: "RS256", kid: issuer.keys[0]?.kid }, STRANGER));
    },
    says: /./,
  },
  "RFC 7516, 5.2: what was encrypted for another key does not open": {
    sends: (jws) => seal(jws, {}, OTHER.publicKey),
    says: /no key of `client\.decryptionKeys` opens it/,
  },
  "RFC 7516, 4.1.6: a kid names the key": {
    sends: (jws) => seal(jws, { kid: "enc-2" }),
    says: /kid "enc-2"/,
  },
  "RFC 7516, 5.2, 17: a changed ciphertext does not open": {
    sends: async (jws) => changed(await seal(jws), 3, flip),
    says: /no key/,
  },
  "RFC 7516, 5.2, 17: a changed tag does not open": {
    sends: async (jws) => changed(await seal(jws), 4, flip),
    says: /no key/,
  },
  "RFC 7516, 5.2, 14: a changed header does not open": {
    sends: async (jws) =>
      changed(await seal(jws), 0, (text) => {
        return encode({ ...JSON.parse(Buffer.from(text, "base64url").toString()), typ: "JWT" });
      }),
    says: /no key/,
  },
  "RFC 7516, 4: a member of the header must occur once": {
    sends: async (jws) =>
      changed(await seal(jws), 0, (text) => {
        return encode(Buffer.from(text, "base64url").toString().replace("{", '{"alg":"dir",'));
      }),
    says: /header is not a JSON object/,
  },
  "RFC 7516, 4.1.13: an extension that is critical and unknown is refused": {
    sends: (jws) => seal(jws, { crit: ["new"], new: true }),
    says: /no key/,
  },
  "RFC 7516, 4.1.3: what is compressed is refused": {
    sends: async (jws) =>
      changed(await seal(jws), 0, (text) => {
        return encode({ ...JSON.parse(Buffer.from(text, "base64url").toString()), zip: "DEF" });
      }),
    says: /compressed/,
  },
  "RFC 7519, 7.2: what is inside is one signed JWT, not another encrypted one": {
    sends: async (jws) => seal(await seal(jws)),
    says: /encrypted twice/,
  },
  "RFC 7515, 2: unused bits are zero": {
    sends: async (jws) => changed(await seal(jws), 4, (text) => `${text.slice(0, -1)}B`),
    says: /header is not|no key/,
  },
};

const STRANGER = makeKey("RS256");

function serve(issuer: Issuer, what: "id_token" | "userinfo", sends: Sends): void {
  if (what === "userinfo") {
    const person = { iss: issuer.url, aud: CLIENT.id, sub: "ada-1", name: "Ada of userinfo" };
    issuer.override("userinfo", async () => {
      return new Response(await sends(issuer.sign(person), issuer), { headers: { "content-type": "application/jwt" } });
    });
    return;
  }
  issuer.override("token", async (_request, honest) => {
    const tokens = await (await honest()).json();
    return json({ ...tokens, id_token: await sends(String(tokens.id_token), issuer) });
  });
}

async function signIn(what: "id_token" | "userinfo", sends: Sends, overrides: Partial<OidcProvider> = {}) {
  const issuer = createIssuer();
  serve(issuer, what, sends);
  const provider = { client: REGISTERED[what], ...(what === "userinfo" && { idToken: false }), ...overrides };
  return await visit(issuer, issuer.provider(provider)).signIn(issuer);
}

for (const what of ["id_token", "userinfo"] as const) {
  test(`an encrypted and signed ${what} is accepted`, async () => {
    for (const header of [{}, { kid: "enc-1" }, { cty: "JWT", typ: "JWT" }]) {
      const { user, account } = await signIn(what, (jws) => seal(jws, header));
      assert.equal(user.name, what === "userinfo" ? "Ada of userinfo" : "Ada");
      // The hint that a sign-out sends back is the token that was inside.
      assert.equal(String(account.id_token).split(".").length, 3);
    }
  });

  for (const [must, { sends, says }] of Object.entries(LIES)) {
    test(`${must} (${what})`, async () => {
      await assert.rejects(() => signIn(what, sends), (error: Error) => {
        assert.ok(error instanceof OAuthProviderError, String(error));
        assert.match(error.message, says);
        return true;
      });
    });
  }

  test(`an encrypted ${what} is refused where no encryption is configured, and the error names the options`, async () => {
    const client = what === "userinfo" ? { userinfo_signed_response_alg: "RS256" } : {};
    await assert.rejects(() => signIn(what, (jws) => seal(jws), { client }), {
      name: "OAuthProviderError",
      message: new RegExp(`set \`client\\.decryptionKeys\` and \`client\\.${what}_encrypted_response_alg\``),
    });
  });
}

test("an encrypted userinfo is refused where plain JSON is configured, and the error names the option", async () => {
  await assert.rejects(() => signIn("userinfo", (jws) => seal(jws), { client: {} }), {
    message: /it is encrypted; set `client\.decryptionKeys` and `client\.userinfo_encrypted_response_alg`/,
  });
  await assert.rejects(() => signIn("userinfo", (jws) => jws, { client: {} }), {
    message: /it is signed; set `client\.userinfo_signed_response_alg`/,
  });
});

test("Core 5.3.2: userinfo that is encrypted and not signed is JSON inside, under the type of a JWT", async () => {
  const client = { ...REGISTERED.userinfo, userinfo_signed_response_alg: undefined };
  const { user } = await signIn("userinfo", () => seal('{"sub":"ada-1","name":"Ada inside"}'), { client });
  assert.equal(user.name, "Ada inside");
  await assert.rejects(() => signIn("userinfo", () => seal('{"sub":"ada-2"}'), { client }), OAuthProviderError);
  await assert.rejects(() => signIn("userinfo", (jws) => seal(jws), { client }), { message: /it is signed/ });
  const issuer = createIssuer();
  issuer.override("userinfo", () => json({ sub: "ada-1" }));
  const provider = issuer.provider({ client, idToken: false });
  await assert.rejects(() => visit(issuer, provider).signIn(issuer), { message: /must be encrypted/ });
});
