import { test } from "node:test";
import assert from "node:assert/strict";
import { missingPackage } from "../../../../src/providers/mail/needed_package.ts";

const fail = () => {
  throw new TypeError("not found");
};

test("a package that is found is not loaded", async () => {
  const load = () => Promise.reject(new Error("it was loaded"));
  assert.equal(await missingPackage("mail", { resolve: () => "file:///mail.js", load }), null);
});

test("a package that a bundle holds is there although it is not found", async () => {
  assert.equal(await missingPackage("mail", { resolve: fail, load: () => Promise.resolve({}) }), null);
});

test("a package that is neither found nor loaded is missing", async () => {
  const lack = await missingPackage("mail", { resolve: fail, load: () => Promise.reject(new Error()) });
  assert.equal(lack, "install the package `mail`: `deno add npm:mail`, or `npm install mail`");
});
