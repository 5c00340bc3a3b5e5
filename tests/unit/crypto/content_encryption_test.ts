import assert from "node:assert/strict";
import { test } from "node:test";
import process from "node:process";
import { cbcHmacKey, gcmKey } from "../../../src/crypto/content_encryption.ts";
import { sha256Base64Url, sha256Hex } from "../../../src/crypto/digest.ts";
import { toHex, utf8 } from "../../../src/crypto/encoding.ts";
import type { NodeCrypto } from "../../../src/kernel/runtime.ts";

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

// RFC 7518, appendix B.3.
const KEY = Uint8Array.from({ length: 64 }, (_, at) => at);
const PLAINTEXT = utf8(
  "A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without inconvenience",
);
const AAD = utf8("The second principle of Auguste Kerckhoffs");
const IV = fromHex("1af38c2dc2b96ffdd86694092341bc04");
const CIPHERTEXT = "4affaaadb78c31c5da4b1b590d10ffbd3dd8d5d302423526912da037ecbcc7bd822c301dd67c373bccb584ad3e9279c2" +
  "e6d12a1374b77f077553df829410446b36ebd97066296ae6427ea75c2e0846a11a09ccf5370dc80bfecbad28c73f09b3" +
  "a3b75e662a2594410ae496b2e2e6609e31e6e02cc837f053d21f37ff4f51950bbe2638d09dd7a4930930806d0703b1f6";
const TAG = "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5";

const SEALED = { iv: IV, ciphertext: fromHex(CIPHERTEXT), tag: fromHex(TAG) };

function changed(bytes: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

const PLATFORMS: readonly (readonly [name: string, platform: () => NodeCrypto | null])[] = [
  ["WebCrypto", () => null],
  ["node:crypto", () => process.getBuiltinModule("node:crypto") as unknown as NodeCrypto],
];

for (const [name, platform] of PLATFORMS) {
  test(`cbcHmacKey() encrypts and decrypts the example of RFC 7518, by ${name}`, async () => {
    const key = await cbcHmacKey(KEY, platform);
    const sealed = await key.encrypt(PLAINTEXT, AAD, IV);
    assert.equal(toHex(sealed.ciphertext), CIPHERTEXT);
    assert.equal(toHex(sealed.tag), TAG);
    assert.deepEqual(await key.decrypt(sealed, AAD), PLAINTEXT);
  });

  test(`decrypt() of A256CBC-HS512 gives nothing for any change of any part, by ${name}`, async () => {
    const key = await cbcHmacKey(KEY, platform);
    for (const part of ["iv", "ciphertext", "tag"] as const) {
      for (let at = 0; at < SEALED[part].length; at++) {
        assert.equal(await key.decrypt({ ...SEALED, [part]: changed(SEALED[part], at) }, AAD), null, `${part} ${at}`);
      }
      assert.equal(await key.decrypt({ ...SEALED, [part]: SEALED[part].slice(0, -1) }, AAD), null, `${part} cut`);
      assert.equal(await key.decrypt({ ...SEALED, [part]: new Uint8Array() }, AAD), null, `${part} empty`);
    }
    for (let at = 0; at < AAD.length; at++) assert.equal(await key.decrypt(SEALED, changed(AAD, at)), null);
    // A byte must not wander from what is authenticated into what is encrypted.
    const moved = {
      ...SEALED,
      iv: fromHex(toHex(SEALED.iv) + CIPHERTEXT.slice(0, 2)),
      ciphertext: SEALED.ciphertext.slice(1),
    };
    assert.equal(await key.decrypt(moved, AAD), null);
  });

  test(`decrypt() of A256CBC-HS512 refuses a tag that is right but for its length, by ${name}`, async () => {
    const key = await cbcHmacKey(KEY, platform);
    const mac = await crypto.subtle.importKey("raw", KEY.slice(0, 32), { name: "HMAC", hash: "SHA-512" }, false, [
      "sign",
    ]);
    const length = fromHex((AAD.length * 8).toString(16).padStart(16, "0"));
    const signed = Uint8Array.from([...AAD, ...IV, ...SEALED.ciphertext, ...length]);
    const whole = new Uint8Array(await crypto.subtle.sign("HMAC", mac, signed));
    assert.equal(toHex(whole.slice(0, 32)), TAG);
    for (const bytes of [0, 16, 31, 33, 64]) {
      assert.equal(await key.decrypt({ ...SEALED, tag: whole.slice(0, bytes) }, AAD), null);
    }
  });
}

test("what one platform encrypts the other decrypts, whatever the length", async () => {
  const [web, node] = await Promise.all(PLATFORMS.map(([, platform]) => cbcHmacKey(KEY, platform)));
  assert.ok(web && node);
  // SHA-512 takes in 128 bytes at a time.
  for (let length = 0; length < 300; length++) {
    const plaintext = crypto.getRandomValues(new Uint8Array(length));
    assert.deepEqual(await web.decrypt(await node.encrypt(plaintext, AAD, IV), AAD), plaintext);
    assert.deepEqual(await node.decrypt(await web.encrypt(plaintext, AAD, IV), AAD), plaintext);
  }
});

test("digests are the same on both platforms, of text beyond ASCII too", async () => {
  for (const [, platform] of PLATFORMS) {
    // FIPS 180-2, appendix B.1; RFC 7636, appendix B.
    const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert.equal(await sha256Hex("abc", platform), abc);
    const challenge = await sha256Base64Url("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", platform);
    assert.equal(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    const snowman = "51643361c79ecaef25a8de802de24f570ba25d9c2df1d22d94fade11b4f466cc";
    assert.equal(await sha256Hex("\u2603", platform), snowman);
  }
});

test("gcmKey() decrypts the last example of the GCM specification for 256 bits, and nothing that was changed", async () => {
  const key = await gcmKey(fromHex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"));
  const aad = fromHex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
  const sealed = {
    iv: fromHex("cafebabefacedbaddecaf888"),
    ciphertext: fromHex(
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
    ),
    tag: fromHex("76fc6ece0f4e1768cddf8853bb2d551b"),
  };
  const plaintext = await key.decrypt(sealed, aad);
  assert.equal(
    toHex(plaintext ?? new Uint8Array()),
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
  );
  for (const part of ["iv", "ciphertext", "tag"] as const) {
    assert.equal(await key.decrypt({ ...sealed, [part]: changed(sealed[part], 0) }, aad), null);
    assert.equal(await key.decrypt({ ...sealed, [part]: sealed[part].slice(0, -1) }, aad), null);
  }
  assert.equal(await key.decrypt(sealed, changed(aad, 3)), null);
  const moved = Uint8Array.from([...sealed.ciphertext.slice(-1), ...sealed.tag]);
  assert.equal(await key.decrypt({ ...sealed, ciphertext: sealed.ciphertext.slice(0, -1), tag: moved }, aad), null);
});
