import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { test } from "node:test";
import type { Profile } from "../../../src/kernel/model.ts";
import { apple, appleClientSecret } from "../../../src/providers/apple.ts";
import { userOf } from "../../_support/one_provider.ts";

test("apple() takes only the name from the unsigned user field", async () => {
  const rows: [user: unknown, name: string][] = [
    [{ name: { firstName: "Ada", lastName: "Lovelace" } }, "Ada Lovelace"],
    [{ name: { firstName: "Ada" } }, "Ada"],
    [{ name: { firstName: "", lastName: "Lovelace" } }, "Lovelace"],
    [{ name: { firstName: { toString: "x" }, lastName: ["y"] } }, "ada@example.com"],
    [{ name: null, email: "other@example.com", sub: "2" }, "ada@example.com"],
    [{ name: "Ada" }, "ada@example.com"],
    [undefined, "ada@example.com"],
  ];
  for (const [user, name] of rows) {
    const profile: Profile = { sub: "1", email: "ada@example.com", user };
    assert.deepEqual(await userOf(apple(), profile), { id: "1", name, email: "ada@example.com", image: null });
  }
});

test("apple() uses response_mode=form_post and sends its secret in the body", () => {
  const { authorization, client } = apple();
  assert.deepEqual(authorization, { params: { scope: "name email", response_mode: "form_post" } });
  assert.deepEqual(client, { token_endpoint_auth_method: "client_secret_post" });
});

test("appleClientSecret() signs issuer, subject, audience and lifetime", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const secret = await appleClientSecret({
    teamId: "TEAM",
    keyId: "KEY",
    clientId: "com.example.web",
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    issuedAt: 1_700_000_000,
  });
  const [header = "", claims = "", signature = ""] = secret.split(".");
  assert.match(secret, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.deepEqual(parse(header), { alg: "ES256", kid: "KEY" });
  assert.deepEqual(parse(claims), {
    iss: "TEAM",
    iat: 1_700_000_000,
    exp: 1_715_777_000,
    aud: "https://appleid.apple.com",
    sub: "com.example.web",
  });
  const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  assert.ok(verify("sha256", Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, "base64url")));
});

function parse(part: string): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}
