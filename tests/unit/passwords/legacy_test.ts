import assert from "node:assert/strict";
import { test } from "node:test";
import bcryptjs from "bcryptjs";
import type { PasswordHash } from "../../../src/hashing/password_hash.ts";
import { bcrypt } from "../../../src/passwords/bcrypt.ts";
import { betterAuthScrypt } from "../../../src/passwords/better_auth.ts";
import { django } from "../../../src/passwords/django.ts";
import { firebase, firebaseHash } from "../../../src/passwords/firebase.ts";
import { type LegacyHash, withLegacy } from "../../../src/passwords/legacy.ts";
import { ssha } from "../../../src/passwords/ssha.ts";

const ENGLISH = "correct horse battery staple";
const INTERNATIONAL = "Zürich – 東京 🔑";
/** As some keyboards make it: `u`, and two dots. */
const DECOMPOSED = "Zu\u0308rich";

// The parameters that Firebase's own documentation of its algorithm has as an example.
const FIREBASE = firebase({
  signerKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
});

const FORMATS: readonly LegacyHash[] = [bcrypt(bcryptjs), betterAuthScrypt(), django(), FIREBASE, ssha()];

const WITH_LEGACY = withLegacy({ make: () => "new", verify: () => "no" }, FORMATS);

/** Hashes by other software, with the password of each. */
const FOREIGN: readonly (readonly [tool: string, id: string, password: string, hash: string])[] = [
  ["npm bcrypt 6.0.0", "bcrypt", ENGLISH, "$2b$04$LMrDcSDtVhs4K6Ta5DBvDeMz2LR29qN7xeUZOE5rqKH7u2Ihys0ie"],
  ["npm bcryptjs 3.0.3", "bcrypt", INTERNATIONAL, "$2b$04$p2OXlIGsMTTGD.if20abSOOQgeCvK3Z4NAUF.3usmLmoBgZb0IO.u"],
  ["npm bcryptjs 3.0.3, as 2a", "bcrypt", ENGLISH, "$2a$04$xsE7oZrL8RmnvlbJdFxFdOBu1dHJ6SSQL/ePBs5oHKBsGD7LUOAXi"],
  ["npm @node-rs/bcrypt 2.0.0", "bcrypt", DECOMPOSED, "$2b$04$op.n9eexUx6IxALXqqPSdeFaaMXMhPfT3p8kT/vY5j0KFzbXSCzye"],
  ["PHP 8.2.36", "bcrypt", INTERNATIONAL, "$2y$04$WwKaAvr9YnRJoSqpIyiFxOA1PGepP6S7cze81Ew4pbOotHZbarYs2"],
  ["htpasswd of Apache 2.4.71", "bcrypt", ENGLISH, "$2y$04$r2g/baOQyF3jrygYQsKCc.afhV0zTBzAjhm5LpvefJLiNJ4dgObgC"],
  ["Python's bcrypt 5.0.0", "bcrypt", ENGLISH, "$2b$04$fwaO37J1f0jtEpMxtMDAo.z1x22LZm9gf2Mx.CbRkwxXTduPBUI.6"],
  ["Python's bcrypt 5.0.0, as 2a", "bcrypt", ENGLISH, "$2a$04$QDnmA3RXgT6PoJ4sq1eFIObNuAW48xFZycRDA0YwkB94wmQi6sgqK"],
  [
    "Better Auth 1.7.25",
    ...["better-auth", ENGLISH] as const,
    "a821ae3cad79e4a510941d9b506cce4c:f2308bcbcb8a0a461f4fd08ed4827c2d3ef9672918551ba6d1dc28a200dd06e5" +
    "f830992fc561d574dbbf9c194c5dfe55c0e5612e343c9b5378c20d1fbb514801",
  ],
  [
    "Better Auth 1.7.25, of text that it composes",
    ...["better-auth", DECOMPOSED] as const,
    "d8454933dfdcd4eb74a7f2dc5ba0ef16:2558a409defa4d63e40898d35c7c5b6b6112db4b68cb0abab8f3c6387b947bff" +
    "2e598e21ef3b04e2c1b69d2999f80be34d83f0736eceb6db553c346e19a2fba9",
  ],
  [
    "Better Auth 1.7.25, of text that it makes plain",
    ...["better-auth", "ｗｉｄｅ ﬁsh"] as const,
    "ed77af66599cb48d52ee2d822868ee98:e194d163650a99b1c4061364da3074421d76be35a1b6ea116fd98c51e4f9fca6" +
    "e6267746a94bcbc1e2428eae33a26ec4fd9d9d5233057c94d0f6f30da5f90a44",
  ],
  [
    "Django 5.2.17",
    ...["django", ENGLISH] as const,
    "pbkdf2_sha256$20000$OAqanEA6W2f9LtwtnAwJTS$N21oDs8+5WCkK4xr80SmZWFyQGuDmo0RtapO8zaCIR4=",
  ],
  [
    "Django 5.2.17, of many alphabets",
    ...["django", INTERNATIONAL] as const,
    "pbkdf2_sha256$10000$inxKFQMca2YJzrUf4Q4Yqb$K3sJRX80Mccab6SmE0Xlbud2spMQ1onlwXhJLxq4OMA=",
  ],
  [
    "Django 5.2.17, of text as it was typed",
    ...["django", DECOMPOSED] as const,
    "pbkdf2_sha256$10000$DybnwTYMbTYq14oAOXVshb$NUP9c/jWZ13R643KqYSQfgMqk7IFwIaUb3bV0fEZ2qA=",
  ],
  [
    "Django 5.2.17, with SHA-1",
    ...["django", ENGLISH] as const,
    "pbkdf2_sha1$10000$bxaFb4GOYzLGkQxAbxecA4$d0O1vU+zln7XbUAirGRrtqjBsQQ=",
  ],
  [
    "Firebase, its own example",
    ...["firebase", "user1password"] as const,
    firebaseHash({
      salt: "42xEC+ixf3L2lw==",
      passwordHash: "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
    }),
  ],
  [
    "Firebase, in the characters of its exports",
    ...["firebase", "user1password"] as const,
    firebaseHash({
      salt: "42xEC-ixf3L2lw==",
      passwordHash: "lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==",
    }),
  ],
  [
    "npm firebase-scrypt 2.2.0",
    ...["firebase", INTERNATIONAL] as const,
    firebaseHash({
      salt: "YSBzYWx0IG9mIHNpeHRlZQ==",
      passwordHash: "VLRSLUbllh80IVwwtHVq1lhNrnsNoqpGT/fTNOciB+wFDPev53kXRb8+g4EdGZqATKeiKPBVH7JXLSpAWU5eFA==",
    }),
  ],
  [
    "npm firebase-scrypt 2.2.0, of text as it was typed",
    ...["firebase", DECOMPOSED] as const,
    firebaseHash({
      salt: "YSBzYWx0IG9mIHNpeHRlZQ==",
      passwordHash: "Zhb7I257AtVNhVrD0Wn9GneOwYtLVeZR9I3P+t8bKHdQmTYh7fgGrGrlOCUqXXBnw4GbmUSilROS1CJsF2+dXw==",
    }),
  ],
  ["slappasswd of OpenLDAP 2.5.13", "ssha", ENGLISH, "{SSHA}gxT/2TBf7q57/1AOAjMGAQbhKBHWmOny"],
  ["slappasswd of OpenLDAP 2.5.13, as typed", "ssha", DECOMPOSED, "{SSHA}leAZ0/0UZ7jKXGWqUPMS8u8EJFG5HWBk"],
  ["passlib 1.7.4", "ssha", INTERNATIONAL, "{SSHA}8pY+Bhk58AQVrOzvY+IcdJ1OoUdJ6f2f"],
  [
    "pw-sha2 of OpenLDAP 2.5.13",
    ...["ssha", ENGLISH] as const,
    "{SSHA256}Sl9H5gdsbkbK9qtM1zG+sJ7k6HXZCBsUdwj7BAtxY1YHn1d0uuNGEQ==",
  ],
  [
    "passlib 1.7.4, with SHA-256",
    ...["ssha", INTERNATIONAL] as const,
    "{SSHA256}wA4dEZmDXeQb6du2N8R54x0uuZaiiVnnF89S6Z939kHKmTPGOKd07g==",
  ],
  [
    "pw-sha2 of OpenLDAP 2.5.13, with SHA-512",
    ...["ssha", ENGLISH] as const,
    "{SSHA512}Z2HMyV+QpSxAphdNN9cSsa8xSog7FqzUA/PqNyAL6+Bq0/HZdd0EfrhTC0k2h/Dwg0s+Y/hRqJfEbNol/0n35nEXzbjzVa8t",
  ],
  [
    "passlib 1.7.4, with SHA-512",
    ...["ssha", INTERNATIONAL] as const,
    "{SSHA512}fpdoi6190PIu9VR+69/i+lS8sImgGV0AUV5V7vCPEOqa8wsgGOOwvxzT7JsxmqKFX7h/znSUYPcZoug0DqRpC9T6/98b4/y/",
  ],
];

for (const [tool, id, password, hash] of FOREIGN) {
  test(`a hash of ${tool} is verified, and to be made anew`, async () => {
    assert.deepEqual(FORMATS.filter((format) => format.matches(hash)).map((format) => format.id), [id]);
    assert.equal(await WITH_LEGACY.verify(password, hash), "weak");
    assert.equal(await WITH_LEGACY.verify(`${password}.`, hash), "no");
    // Of a composed password, also who types it on a keyboard that does not compose.
    if (password !== DECOMPOSED) assert.equal(await WITH_LEGACY.verify(password.normalize("NFD"), hash), "weak");
  });
}

test("a password is tried as it was typed, and composed", async () => {
  // Made on a keyboard that composes, and typed on one that does not.
  const composed = "$2b$04$" + bcryptjs.hashSync("Z\u00fcrich", 4).slice(7);
  assert.equal(await WITH_LEGACY.verify(DECOMPOSED, composed), "weak");
  assert.equal(await bcrypt(bcryptjs).verify(DECOMPOSED, composed), false);
});

test("one comparison is made where the composed password is what was typed", async () => {
  const tried: string[] = [];
  const format: LegacyHash = {
    id: "x",
    matches: () => true,
    verify: (text) => {
      tried.push(text);
      return false;
    },
  };
  const hash = withLegacy({ make: () => "", verify: () => "yes" }, [format]);
  assert.equal(await hash.verify(ENGLISH, ""), "no");
  assert.equal(await hash.verify(DECOMPOSED, ""), "no");
  assert.deepEqual(tried, [ENGLISH, DECOMPOSED, DECOMPOSED.normalize("NFC")]);
  assert.equal(await hash.verify("a".repeat(1025), ""), "no");
  assert.equal(await hash.verify("🔑".repeat(257), ""), "no");
  assert.equal(tried.length, 3);
});

test("hashes in no format of others, and new ones, are left to the other hash", async () => {
  const asked: unknown[] = [];
  const own: PasswordHash = {
    make: (text) => `made of ${text}`,
    verify: (...given) => {
      asked.push(given);
      return "yes";
    },
  };
  const hash = withLegacy(own, FORMATS);
  assert.equal(await hash.verify("x", "$argon2id$…"), "yes");
  assert.deepEqual(asked, [["x", "$argon2id$…"]]);
  assert.equal(await hash.make("x"), "made of x");
});

const DJANGO_KEY = "oS7XF/dp0UFkC+32I2h2jPmymoVQpqzcJkUeko8GjnY=";

for (
  const [format, hash] of [
    [bcrypt({ compare: () => Promise.reject(new Error("It was computed")) }), `$2b$16$${"a".repeat(53)}`],
    [bcrypt({ compare: () => Promise.reject(new Error("It was computed")) }), `$2y$31$${"a".repeat(53)}`],
    [django(), `pbkdf2_sha256$5000001$salt$${DJANGO_KEY}`],
    [django(), `pbkdf2_sha256$9999999999$salt$${DJANGO_KEY}`],
  ] as const
) {
  test(`${hash} would cost too much, and is not computed`, async () => {
    assert.equal(format.matches(hash), true);
    await assert.rejects(async () => await format.verify(ENGLISH, hash), {
      type: "AdapterError",
      message: /its cost is out of bounds/,
    });
  });
}

/** What no format takes for its own. */
const MALFORMED = [
  "",
  ENGLISH,
  "$2b$04$short",
  `$2x$04$${"a".repeat(53)}`,
  `$2$04$${"a".repeat(53)}`,
  `$2b$03$${"a".repeat(53)}`,
  `$2b$32$${"a".repeat(53)}`,
  `$2b$4$${"a".repeat(53)}`,
  `$2b$04$${"a".repeat(54)}`,
  `$2b$04$${"a".repeat(53)}\n`,
  `salt:${"0".repeat(127)}`,
  `salt:${"0".repeat(129)}`,
  `:${"0".repeat(128)}`,
  `${"a".repeat(129)}:${"0".repeat(128)}`,
  `salt:${"g".repeat(128)}`,
  `pbkdf2_sha256$0$salt$${DJANGO_KEY}`,
  `pbkdf2_sha256$-1$salt$${DJANGO_KEY}`,
  `pbkdf2_sha256$1e3$salt$${DJANGO_KEY}`,
  `pbkdf2_sha256$10000$$${DJANGO_KEY}`,
  `pbkdf2_sha256$10000$${"a".repeat(129)}$${DJANGO_KEY}`,
  `pbkdf2_md5$10000$salt$${DJANGO_KEY}`,
  "pbkdf2_sha256$10000$salt$",
  "$firebase$$" + "A".repeat(86) + "==",
  "$firebase$AAAA$",
  `$firebase$AAAA$${"A".repeat(129)}`,
  "{SSHA}",
  "{SSHA}AAAA",
  "{SHA}gxT/2TBf7q57/1AOAjMGAQbhKBE=",
  "{SSHA256}gxT/2TBf7q57/1AOAjMGAQbhKBHWmOny",
  "{SSHA384}gxT/2TBf7q57/1AOAjMGAQbhKBHWmOny",
  `{SSHA}${"A".repeat(176)}`,
  `{SSHA}${"A".repeat(100_000)}`,
];

for (const hash of MALFORMED) {
  test(`${JSON.stringify(hash).slice(0, 60)} is in no format`, () => {
    assert.deepEqual(FORMATS.filter((format) => format.matches(hash)).map(({ id }) => id), []);
  });
}

test("no password has a hash that is malformed", async () => {
  const broken = [
    ...MALFORMED,
    "pbkdf2_sha256$10000$salt$d0O1vU+zln7XbUAirGRrtqjBsQQ=",
    `pbkdf2_sha1$10000$salt$${DJANGO_KEY}`,
    `pbkdf2_sha256$10000$salt$${DJANGO_KEY.slice(0, -2)}Z=`,
    "$firebase$AAAAA$" + "A".repeat(86) + "==",
    "$firebase$AAAA$" + "A".repeat(22),
  ];
  for (const format of FORMATS) {
    for (const hash of broken) assert.equal(await format.verify(ENGLISH, hash), false, `${format.id} ${hash}`);
  }
});

test("a library for bcrypt need not know PHP's name of the algorithm", async () => {
  const compared: string[] = [];
  const format = bcrypt({ compare: (_, hash) => compared.push(hash) > 0 });
  for (const version of ["2a", "2b", "2y"]) await format.verify(ENGLISH, `$${version}$04$${"a".repeat(53)}`);
  assert.deepEqual(compared.map((hash) => hash.slice(0, 4)), ["$2a$", "$2b$", "$2b$"]);
});

test("only `true` of a library for bcrypt is a match", async () => {
  for (const answer of [false, undefined, null, 1, "true"]) {
    const format = bcrypt({ compare: () => answer as boolean });
    assert.equal(await format.verify(ENGLISH, `$2b$04$${"a".repeat(53)}`), false);
  }
});

test("options of Firebase that cannot be right are named", () => {
  const signerKey = "jxspr8Ki0RYycVU8";
  for (
    const [name, options] of [
      ["signerKey", { signerKey: "" }],
      ["signerKey", { signerKey: "not base64!" }],
      ["signerKey", {} as { signerKey: string }],
      ["saltSeparator", { signerKey, saltSeparator: "?" }],
      ["rounds", { signerKey, rounds: 0 }],
      ["rounds", { signerKey, rounds: 9 }],
      ["memCost", { signerKey, memCost: 15 }],
      ["memCost", { signerKey, memCost: 1.5 }],
    ] as const
  ) {
    assert.throws(() => firebase(options), { type: "InvalidConfig", message: new RegExp(`\`${name}\``) });
  }
});

test("parameters of Firebase matter", async () => {
  const hash = firebaseHash({
    salt: "42xEC+ixf3L2lw==",
    passwordHash: "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
  });
  const signerKey = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==";
  for (const other of [{ memCost: 13 }, { rounds: 7 }, { saltSeparator: "CA==" }, { signerKey: "AAAA" }]) {
    assert.equal(await firebase({ signerKey, ...other }).verify("user1password", hash), false);
  }
});
