/**
 * The half of DPoP (RFC 9449) that a server has: it checks proofs as the RFC says, and demands nonces.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from "jose";

/** What a proof must be for. */
export interface ExpectedProof {
  readonly method: string;
  /** Without query and fragment. */
  readonly url: string;
  /** Seconds since 1970. */
  readonly now: number;
  readonly accessToken?: string | undefined;
}

/** A proof that was verified. */
export interface Proof {
  readonly jkt: string;
  readonly jti: string;
  readonly nonce: string | undefined;
  readonly alg: string;
}

/** Verifies the proof of a request, as sections 4.2 and 4.3 say. */
export async function verifyProof(headers: Headers, expected: ExpectedProof): Promise<Proof> {
  const text = headers.get("dpop") ?? "";
  const currentDate = new Date(expected.now * 1000);
  const { payload, protectedHeader: { jwk, alg } } = await jwtVerify(text, EmbeddedJWK, {
    typ: "dpop+jwt",
    currentDate,
    maxTokenAge: 60,
    algorithms: ["ES256", "ES384", "ES512", "Ed25519", "EdDSA"],
  });
  assert.ok(jwk && !("d" in jwk), "the private key is in the header");
  assert.deepEqual([payload.htm, payload.htu], [expected.method, expected.url]);
  const { accessToken } = expected;
  const ath = accessToken === undefined ? undefined : createHash("sha256").update(accessToken).digest("base64url");
  assert.equal(payload.ath, ath);
  assert.equal(typeof payload.jti, "string");
  return {
    jkt: await calculateJwkThumbprint(jwk),
    jti: String(payload.jti),
    nonce: payload.nonce as string | undefined,
    alg,
  };
}
