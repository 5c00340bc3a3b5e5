import assert from "node:assert/strict";
import { test } from "node:test";
import { checkClientData } from "../../../src/webauthn/client_data.ts";
import { b64u, utf8 } from "../../_support/authenticator.ts";

const encoded = (text: string): string => b64u(utf8(text));

const ACCEPTED = [
  '{"type":"webauthn.get","challenge":"AA","origin":"https://app.test"}',
  '{"type":"webauthn.get","challenge":"AA","origin":"https://app.test","crossOrigin":false}',
  '{ "origin" : "https://app.test", "tokenBinding": {"status": "supported"}, "type":"webauthn.get" }',
  '{"other":"\\"origin\\":","origin":"https://app.test"}',
  '{"other":"a\\\\","origin":"https://app.test"}',
  '{"twice":1,"twice":2}',
];

for (const text of ACCEPTED) {
  test(`checkClientData() accepts ${text}`, () => checkClientData(encoded(text)));
}

const REFUSED = [
  '{"origin":"a","origin":"b"}',
  '{"origin":"a","\\u006frigin":"b"}',
  '{"origin":"a", "origin" :"b"}',
  '{"type":"a","type":"a"}',
  '{"challenge":"a","x":{"challenge":"b"}}',
  '{"crossOrigin":true}',
  '{"crossOrigin":null}',
  '{"crossOrigin":"false"}',
  '{"topOrigin":"https://app.test"}',
  '{"crossOrigin":false,"topOrigin":null}',
  '\ufeff{"origin":"a"}',
  `{"origin":"a","x":${"[".repeat(8)}${"]".repeat(8)}}`,
  JSON.stringify(Array(1001).fill(1)).replace("[", '{"origin":"a","x":[') + "}",
  "null",
  "",
];

for (const text of REFUSED) {
  test(`checkClientData() refuses ${JSON.stringify(text).slice(0, 80)}`, () => {
    assert.throws(() => checkClientData(encoded(text)));
  });
}

test("checkClientData() refuses bytes that are not UTF-8", () => {
  assert.throws(() => checkClientData(b64u(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))));
});
