import type { Mutant } from "./_mutant.ts";

const ENCRYPTED = ["tests/security/encrypted_musts_test.ts"];
const DECRYPTION = ["tests/unit/oauth_client/decryption_test.ts"];

/** Encrypted answers, DPoP and mutual TLS. */
export const bound: readonly Mutant[] = [
  {
    name: "Core 3.1.3.7: the header of an encrypted token chooses its algorithms",
    file: "src/oauth_client/decryption.ts",
    find: "if (header.alg !== alg || header.enc !== enc) {",
    replace: "if (header.alg === undefined) {",
    tests: ENCRYPTED,
    only: "Core 3.1.3.7, 1",
  },
  {
    name: "Core 3.1.3.7: a token that is not encrypted is accepted where encryption is registered",
    file: "src/oauth_client/encrypted.ts",
    find: "return encryption.alg === undefined ? answer :",
    replace: "return encryption.alg === undefined || !isEncrypted(String(answer)) ? answer :",
    tests: ENCRYPTED,
    only: "Core 3.1.3.7, 1",
  },
  {
    name: "Core 5.3.2: userinfo that is not encrypted is accepted where encryption is registered",
    file: "src/oauth/userinfo.ts",
    find: "if (encrypted && !isJwt(content)) {",
    replace:
      "if (encrypted && !isJwt(content)) return readObject(await response.arrayBuffer());\n  if (content === null) {",
    tests: ENCRYPTED,
  },
  {
    name: "Core 10.2: the key of symmetric encryption is the client secret itself",
    file: "src/oauth_client/decryption.ts",
    find: "return new Uint8Array(await crypto.subtle.digest(hash, utf8(secret))).slice(0, bits / 8);",
    replace: "return utf8(secret.padEnd(64, hash)).slice(0, bits / 8);",
    tests: DECRYPTION,
  },
  {
    name: "Core 10.2: a public client decrypts with a secret",
    file: "src/oauth_client/decryption.ts",
    find: 'if (provider.clientSecret && method !== "none") return',
    replace: "if (provider.clientSecret) return",
    tests: DECRYPTION,
  },
  {
    name: "RFC 7516, 4.1.3: what is compressed is decrypted",
    file: "src/oauth_client/decryption.ts",
    find: "if (header.zip !== undefined)",
    replace: "if (header.zip === null)",
    tests: ENCRYPTED,
    only: "RFC 7516, 4.1.3",
  },
  {
    name: "RFC 7516, 4: the header of an encrypted token has two members of one name",
    file: "src/oauth_client/decryption.ts",
    find: '? readObject(fromBase64Url(parts[0] ?? ""), { unique: true, rounded: true })',
    replace: '? readObject(fromBase64Url(parts[0] ?? ""), { rounded: true })',
    tests: ENCRYPTED,
    only: "RFC 7516, 4:",
  },
  {
    name: "RFC 7516, 4.1.6: a kid does not choose among the keys",
    file: "src/oauth_client/decryption.ts",
    find: "kid === undefined || entry.kid === undefined || entry.kid === kid",
    replace: "kid !== null",
    tests: DECRYPTION,
  },
  {
    name: "an encrypted token of any length is decrypted",
    file: "src/oauth_client/decryption.ts",
    find: "if (text.length > LONGEST)",
    replace: "if (text.length > 2 ** 30)",
    tests: DECRYPTION,
  },
  {
    name: "RSA1_5 and passwords may be configured",
    file: "src/oauth_client/decryption.ts",
    find: "if (!KEY_ALG.test(alg)) {",
    replace: "if (!alg) {",
    tests: DECRYPTION,
  },
];
