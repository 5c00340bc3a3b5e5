import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPhc, readPhc } from "../../../src/hashing/phc.ts";

const SALT = "7YZlw/n8U2KmmUTyh5a5nw";
const KEY = "Cxk8W2ceNJJM1Rmzg14UmXN0JeeVDRC+TjVZO6mEgis";

const READABLE = [
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$m=8,t=1,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$m=262144,t=4,p=16$${SALT}$${KEY}`,
  `$scrypt$ln=14,r=8,p=5$${SALT}$${KEY}`,
  `$scrypt$ln=17,r=16,p=2$${SALT}$${KEY}`,
  `$scrypt$ln=14,r=8,p=5$${"A".repeat(11)}$${"A".repeat(22)}`,
  `$scrypt$ln=14,r=8,p=5$${"A".repeat(86)}$${"A".repeat(86)}`,
];

for (const text of READABLE) {
  test(`${text} is read, and written the same`, () => assert.equal(formatPhc(readPhc(text)), text));
}

const TOO_COSTLY = [
  "$argon2id$v=19$m=262145,t=1,p=1",
  "$argon2id$v=19$m=262144,t=5,p=1",
  "$argon2id$v=19$m=9999999,t=99,p=99",
  "$argon2id$v=19$m=19456,t=99,p=1",
  "$argon2id$v=19$m=19456,t=2,p=17",
  "$argon2id$v=19$m=15,t=2,p=2",
  "$argon2id$v=19$m=7,t=2,p=1",
  "$scrypt$ln=19,r=8,p=1",
  "$scrypt$ln=18,r=8,p=3",
  "$scrypt$ln=99,r=99,p=99",
  "$scrypt$ln=21,r=1,p=1",
  "$scrypt$ln=14,r=33,p=1",
  "$scrypt$ln=14,r=8,p=17",
];

for (const cost of TOO_COSTLY) {
  test(`${cost} is refused as out of bounds`, () => {
    assert.throws(() => readPhc(`${cost}$${SALT}$${KEY}`), { type: "AdapterError", message: /cost is out of bounds/ });
  });
}

const MALFORMED = [
  "",
  "correct horse battery staple",
  "$argon2id$",
  `$argon2i$v=19$m=19456,t=2,p=1$${SALT}$${KEY}`,
  `$argon2d$v=19$m=19456,t=2,p=1$${SALT}$${KEY}`,
  `$argon2id$m=19456,t=2,p=1$${SALT}$${KEY}`,
  `$argon2id$v=16$m=19456,t=2,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$t=2,m=19456,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$m=19456,t=2,p=1,keyid=AA$${SALT}$${KEY}`,
  `$argon2id$v=19$m=019456,t=2,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$m=0,t=2,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$m=19456,t=0,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$m=19456,t=2,p=0$${SALT}$${KEY}`,
  `$argon2id$v=19$m=-1,t=2,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$m=1e5,t=2,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$m=4294967296,t=2,p=1$${SALT}$${KEY}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$`,
  `$argon2id$v=19$m=19456,t=2,p=1$$${KEY}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${KEY}$`,
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT}==$${KEY}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${KEY}=`,
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT.replace("/", "_")}$${KEY}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${KEY.replace("+", "-")}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${KEY} `,
  `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${KEY}\n`,
  ` $argon2id$v=19$m=19456,t=2,p=1$${SALT}$${KEY}`,
  // A salt of 7 bytes, a key of 15, and either of 65.
  `$scrypt$ln=14,r=8,p=5$${"A".repeat(10)}$${KEY}`,
  `$scrypt$ln=14,r=8,p=5$${SALT}$${"A".repeat(20)}`,
  `$scrypt$ln=14,r=8,p=5$${"A".repeat(87)}$${KEY}`,
  `$scrypt$ln=14,r=8,p=5$${SALT}$${"A".repeat(87)}`,
  `$scrypt$ln=14,r=8,p=5$${SALT}$${"A".repeat(1_000_000)}`,
  // Lengths that no bytes have, and unused bits that are set.
  `$scrypt$ln=14,r=8,p=5$${"A".repeat(13)}$${KEY}`,
  `$scrypt$ln=14,r=8,p=5$${SALT.slice(0, -1)}x$${KEY}`,
  `$scrypt$ln=14,r=8,p=5$${SALT}$${KEY.slice(0, -1)}t`,
  `$scrypt$ln=0,r=8,p=5$${SALT}$${KEY}`,
  `$scrypt$N=16384,r=8,p=5$${SALT}$${KEY}`,
  `$2b$12$abcdefghijklmnopqrstuuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`,
];

for (const text of MALFORMED) {
  test(`${JSON.stringify(text).slice(0, 90)} is refused as malformed`, () => {
    assert.throws(() => readPhc(text), { type: "AdapterError", message: /none of argon2id or scrypt/ });
  });
}

test("what is stored never gets into the error", () => {
  for (const text of ["hunter2 in plain text", `$scrypt$ln=99,r=8,p=5$${SALT}$${KEY}`]) {
    assert.throws(() => readPhc(text), (error: Error) => !`${error.stack} ${error.cause}`.includes(text.slice(0, 10)));
  }
});
