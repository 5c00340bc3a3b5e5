/** Encrypted answers by every algorithm, with several keys. Lies are in `tests/security/encrypted_musts_test.ts`. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { CompactEncrypt } from "jose";
import type { ClientMetadata, DecryptionKey } from "../../../src/contract/client_metadata.ts";
import { decrypt, type Recipient } from "../../../src/oauth_client/decryption.ts";
import { InvalidConfig, OAuthProviderError } from "../../../src/kernel/errors.ts";
import { CLIENT, createIssuer } from "../../_support/issuer.ts";
import { visit } from "../oauth/_flow.ts";

const SECRET = "the secret of a client";

const CONTENT: Readonly<Record<string, number>> = {
  "A128CBC-HS256": 256,
  "A192CBC-HS384": 384,
  "A256CBC-HS512": 512,
  A128GCM: 128,
  A192GCM: 192,
  A256GCM: 256,
};

async function rsa(hash = "SHA-256", usages: KeyUsage[] = ["encrypt", "decrypt"]): Promise<CryptoKeyPair> {
  const publicExponent = new Uint8Array([1, 0, 1]);
  return await crypto.subtle.generateKey({ name: "RSA-OAEP", modulusLength: 2048, publicExponent, hash }, true, usages);
}

async function ecdh(namedCurve = "P-256", usages: KeyUsage[] = ["deriveBits"]): Promise<CryptoKeyPair> {
  const algorithm = namedCurve === "X25519" ? { name: "X25519" } : { name: "ECDH", namedCurve };
  return await crypto.subtle.generateKey(algorithm, true, usages) as CryptoKeyPair;
}

function recipient(decryptionKeys: readonly DecryptionKey[] = [], clientSecret?: string): Recipient {
  return { id: "idp", client: { decryptionKeys }, clientSecret };
}

async function encrypt(
  key: CryptoKey | Uint8Array,
  header: { alg: string; enc: string; kid?: string },
  text = "inside",
) {
  return await new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(header).encrypt(key);
}

const as = (alg: string, enc?: string) => ({
  what: "id_token",
  option: "client.id_token_encrypted_response_alg",
  alg,
  enc,
});

for (const hash of ["SHA-1", "SHA-256", "SHA-384", "SHA-512"]) {
  const alg = hash === "SHA-1" ? "RSA-OAEP" : `RSA-OAEP-${hash.slice(4)}`;
  test(`what is encrypted with ${alg} opens with the key of RSA that is for ${hash}`, async () => {
    const { publicKey, privateKey } = await rsa(hash);
    const jwe = await encrypt(publicKey, { alg, enc: "A256GCM" });
    assert.equal(await decrypt(recipient([privateKey]), jwe, as(alg, "A256GCM")), "inside");
  });
}

for (const curve of ["P-256", "P-384", "P-521", "X25519"]) {
  test(`what is encrypted for a key on ${curve} opens by each way of ECDH-ES`, async () => {
    const { publicKey, privateKey } = await ecdh(curve);
    for (const alg of ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW"]) {
      const jwe = await encrypt(publicKey, { alg, enc: "A128CBC-HS256" });
      assert.equal(await decrypt(recipient([privateKey]), jwe, as(alg)), "inside", alg);
    }
  });
}

// OpenID Connect Core, section 10.2, written again.
function keyOfSecret(bits: number): Uint8Array {
  const hash = bits <= 256 ? "sha256" : bits <= 384 ? "sha384" : "sha512";
  return new Uint8Array(createHash(hash).update(SECRET).digest().subarray(0, bits / 8));
}

for (const [enc, bits] of Object.entries(CONTENT)) {
  test(`what is encrypted with dir and ${enc} opens with the first ${bits} bits of the hash of the client secret`, async () => {
    const jwe = await encrypt(keyOfSecret(bits), { alg: "dir", enc });
    assert.equal(await decrypt(recipient([], SECRET), jwe, as("dir", enc)), "inside");
    const elsewhere = recipient([], "another secret");
    await assert.rejects(() => decrypt(elsewhere, jwe, as("dir", enc)), OAuthProviderError);
  });
}

for (const alg of ["A128KW", "A192KW", "A256KW", "A128GCMKW", "A192GCMKW", "A256GCMKW"]) {
  test(`what is encrypted with ${alg} opens with the client secret`, async () => {
    for (const enc of Object.keys(CONTENT)) {
      const jwe = await encrypt(keyOfSecret(Number(alg.slice(1, 4))), { alg, enc });
      assert.equal(await decrypt(recipient([], SECRET), jwe, as(alg, enc)), "inside", enc);
    }
  });
}

test("of several keys the one that the kid names opens it, and keys without a kid are tried", async () => {
  const [first, second, third] = [await ecdh(), await ecdh(), await ecdh("P-384")];
  const named = [{ key: first.privateKey, kid: "1" }, { key: second.privateKey, kid: "2" }];
  const how = as("ECDH-ES", "A256GCM");
  const to = (key: CryptoKey, kid?: string) => encrypt(key, { alg: "ECDH-ES", enc: "A256GCM", ...(kid && { kid }) });
  assert.equal(await decrypt(recipient(named), await to(second.publicKey, "2"), how), "inside");
  assert.equal(await decrypt(recipient(named), await to(second.publicKey), how), "inside");
  const some = recipient([...named, third.privateKey]);
  assert.equal(await decrypt(some, await to(third.publicKey, "3"), how), "inside");
  await assert.rejects(async () => await decrypt(recipient(named), await to(second.publicKey, "3"), how), {
    name: "OAuthProviderError",
    message: /has the kid "3"/,
  });
  // The name of another key does not lead to this one.
  await assert.rejects(async () => await decrypt(recipient(named), await to(second.publicKey, "1"), how), {
    message: /no key of `client.decryptionKeys` opens it/,
  });
});

test("while keys are exchanged, what is encrypted for the old one and for the new one opens", async () => {
  const [old, current] = [await rsa("SHA-1"), await rsa()];
  const keys = recipient([
    { key: current.privateKey, kid: "new", alg: "RSA-OAEP-256" },
    { key: old.privateKey, kid: "old", alg: "RSA-OAEP" },
  ]);
  for (const [alg, { publicKey }] of [["RSA-OAEP-256", current], ["RSA-OAEP", old]] as const) {
    const jwe = await encrypt(publicKey, { alg, enc: "A128GCM" });
    assert.equal(await decrypt(keys, jwe, as(alg, "A128GCM")), "inside");
  }
});

test("a key that is for another algorithm, public, or without its usage is a configuration error", async () => {
  const [pair, shared] = [await rsa(), await ecdh()];
  const derives = (await ecdh("P-256", ["deriveKey"])).privateKey;
  const unwraps = (await rsa("SHA-256", ["wrapKey", "unwrapKey"])).privateKey;
  const signs = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const cases: readonly (readonly [alg: string, keys: readonly DecryptionKey[]])[] = [
    ["RSA-OAEP", [pair.privateKey]],
    ["RSA-OAEP-256", [pair.publicKey]],
    ["RSA-OAEP-256", [unwraps]],
    ["RSA-OAEP-256", [{ key: pair.privateKey, alg: "RSA-OAEP" }]],
    ["RSA-OAEP-256", [shared.privateKey]],
    ["ECDH-ES", [pair.privateKey, signs.privateKey, shared.publicKey]],
    ["ECDH-ES", [derives]],
    ["ECDH-ES", []],
  ];
  for (const [alg, keys] of cases) {
    const [{ publicKey }, enc] = [
      alg === "ECDH-ES" ? shared : alg === "RSA-OAEP" ? await rsa("SHA-1") : pair,
      "A256GCM",
    ];
    const jwe = await encrypt(publicKey, { alg, enc });
    await assert.rejects(() => decrypt(recipient(keys), jwe, as(alg, enc)), (error: Error) => {
      return error instanceof InvalidConfig && error.message.includes(`a private key for ${alg}`);
    });
  }
});

test("an algorithm that is not supported, or has no key, is an error before the person goes to the provider", async () => {
  const { privateKey } = await ecdh();
  const option = "id_token_encrypted_response_alg";
  const wrong: readonly (readonly [hint: string, client: object, clientSecret?: string | undefined])[] = [
    ["`client.decryptionKeys` must", { [option]: "ECDH-ES", decryptionKeys: privateKey }],
    ["`client.decryptionKeys` must", { [option]: "ECDH-ES", decryptionKeys: [{ kty: "EC", d: "…" }] }],
    ["`client.decryptionKeys` must", { [option]: "ECDH-ES", decryptionKeys: [null] }],
    ["`client.decryptionKeys` must", { [option]: "ECDH-ES" }],
    ["`client.decryptionKeys` must", { userinfo_encrypted_response_alg: "RSA-OAEP", decryptionKeys: [privateKey] }],
    ...["RSA1_5", "PBES2-HS256+A128KW", "none", "RS256", "", "ECDH-ES+A128GCMKW", "A512KW", "RSA-OAEP-1", "constructor"]
      .map((alg) => ["alg` must be", { [option]: alg, decryptionKeys: [privateKey] }] as const),
    ["alg` must be", { userinfo_encrypted_response_enc: "A256GCM", decryptionKeys: [privateKey] }],
    ["enc` must be", { [option]: "dir", id_token_encrypted_response_enc: "A128CBC" }],
    ["enc` must be", { [option]: "dir", id_token_encrypted_response_enc: "constructor" }],
    ["needs a confidential client", { [option]: "dir" }, undefined],
    ["needs a confidential client", { [option]: "A128GCMKW", decryptionKeys: [privateKey] }, undefined],
    ["needs a confidential client", { [option]: "A256KW", token_endpoint_auth_method: "none" }],
  ];
  for (const [hint, client, ...secret] of wrong) {
    const issuer = createIssuer();
    const clientSecret = secret.length > 0 ? secret[0] : CLIENT.secret;
    const browser = visit(issuer, issuer.provider({ client: client as ClientMetadata, clientSecret }));
    await assert.rejects(() => browser.start(), (error: Error) => {
      assert.ok(error instanceof InvalidConfig && error.message.includes(hint), `${JSON.stringify(client)}: ${error}`);
      return true;
    });
  }
  const issuer = createIssuer();
  const keys = { decryptionKeys: [privateKey, { key: privateKey, kid: "1", alg: "ECDH-ES" }] };
  for (const alg of ["ECDH-ES", "ECDH-ES+A256KW", "dir", "A128KW", "A256GCMKW", undefined, null]) {
    const client = { ...keys, [option]: alg, userinfo_encrypted_response_alg: alg } as ClientMetadata;
    assert.ok(await visit(issuer, issuer.provider({ client })).start());
  }
});

test("a large text opens, and a longer one than an id_token may be is not tried", async () => {
  const { publicKey, privateKey } = await ecdh();
  const header = { alg: "ECDH-ES", enc: "A256GCM" };
  const large = "x".repeat(128 * 1024);
  const how = as("ECDH-ES", "A256GCM");
  assert.equal(await decrypt(recipient([privateKey]), await encrypt(publicKey, header, large), how), large);
  const larger = await encrypt(publicKey, header, "x".repeat(160 * 1024));
  await assert.rejects(() => decrypt(recipient([privateKey]), larger, how), { message: /too long/ });
});
