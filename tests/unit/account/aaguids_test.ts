import { test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { authenticatorNamed, knownAaguids } from "../../../src/account/aaguids.ts";

const source = await readFile(new URL("../../../src/account/aaguids.ts", import.meta.url), "utf8");

test("every AAGUID has 32 small hexadecimal digits, and is there once", () => {
  const written = [...source.matchAll(/[0-9a-f]{20,}/gi)].map(([id]) => id);
  assert.ok(written.length >= 80);
  for (const id of written) assert.match(id, /^[0-9a-f]{32}$/);
  assert.deepEqual(new Set(written).size, written.length);
  assert.deepEqual(new Set(knownAaguids()), new Set(written));
});

test("the names take at most 20 kB", () => {
  assert.ok(source.length <= 20_000);
});

test("a name is short and plain", () => {
  for (const id of knownAaguids()) assert.match(authenticatorNamed(id) ?? "", /^[\w. ]{3,32}$/);
});

for (
  const [aaguid, name] of [
    ["ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", "Google Password Manager"],
    ["FBFC3007-154E-4ECC-8C0B-6E020557D7BD", "iCloud Keychain"],
    ["08987058-cadc-4b81-b6e1-30de50dcbe96", "Windows Hello"],
    ["2fc0579f-8113-47ea-b116-bb5a8db9202a", "YubiKey 5 NFC"],
    ["00000000-0000-0000-0000-000000000000", null],
    ["", null],
    ["__proto__", null],
    ["constructor", null],
  ] as const
) {
  test(`the authenticator ${aaguid} is called ${name}`, () => {
    assert.equal(authenticatorNamed(aaguid), name);
  });
}
