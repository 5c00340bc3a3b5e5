import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { type Signable, signAws, signAzure } from "../../../../src/providers/mail/signature.ts";

const now = new Date("2015-08-30T12:36:00Z");

/** The credentials and the scope of the test suite that AWS publishes. */
const SCOPE = {
  credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
  region: "us-east-1",
  service: "service",
};

const URL_OF_SUITE = "https://example.amazonaws.com/";

/** Rows of that suite. */
const VECTORS: readonly (readonly [name: string, request: Partial<Signable>, signature: string])[] = [
  ["get-vanilla", {}, "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  ["post-vanilla", { method: "POST" }, "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
  [
    "get-vanilla-query-order-key-case",
    { url: `${URL_OF_SUITE}?Param2=value2&Param1=value1` },
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
  [
    "post-x-www-form-urlencoded",
    { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "Param1=value1" },
    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
  ],
];

for (const [name, request, signature] of VECTORS) {
  test(`signAws() makes the signature of the vector ${name}`, async () => {
    const signed = await signAws({ method: "GET", url: URL_OF_SUITE, headers: {}, body: "", now, ...request }, SCOPE);
    const names = Object.keys(request.headers ?? {}).map((header) => `${header.toLowerCase()};`).join("");
    assert.equal(
      signed.authorization,
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, " +
        `SignedHeaders=${names}host;x-amz-date, Signature=${signature}`,
    );
    assert.equal(signed["x-amz-date"], "20150830T123600Z");
  });
}

test("signAws() signs the session token of temporary credentials", async () => {
  const credentials = { ...SCOPE.credentials, sessionToken: "a-session-token" };
  const request = { method: "POST", url: URL_OF_SUITE, headers: {}, body: "{}", now };
  const signed = await signAws(request, { ...SCOPE, credentials });
  assert.equal(signed["x-amz-security-token"], "a-session-token");
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const canonical = `POST\n/\n\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n` +
    `x-amz-security-token:a-session-token\n\nhost;x-amz-date;x-amz-security-token\n${hash("{}")}`;
  const hmac = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();
  const key = hmac(
    hmac(hmac(hmac(`AWS4${credentials.secretAccessKey}`, "20150830"), "us-east-1"), "service"),
    "aws4_request",
  );
  const text = `AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/service/aws4_request\n${hash(canonical)}`;
  assert.ok(signed.authorization?.endsWith(`Signature=${hmac(key, text).toString("hex")}`));
});

test("signAzure() signs the method, the path with its query, the date, the host and the body", async () => {
  const url = "https://example.communication.azure.com/emails:send?api-version=2023-03-31";
  const body = '{"subject":"Gr\u00fc\u00dfe"}';
  const key = new Uint8Array(createHash("sha256").update("key").digest());
  const signed = await signAzure({ method: "POST", url, headers: { accept: "application/json" }, body, now }, key);
  const hash = createHash("sha256").update(body).digest("base64");
  const text = "POST\n/emails:send?api-version=2023-03-31\n" +
    `Sun, 30 Aug 2015 12:36:00 GMT;example.communication.azure.com;${hash}`;
  assert.deepEqual(signed, {
    accept: "application/json",
    "x-ms-date": "Sun, 30 Aug 2015 12:36:00 GMT",
    "x-ms-content-sha256": hash,
    authorization: "HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=" +
      createHmac("sha256", key).update(text).digest("base64"),
  });
});
