/**
 * Cases about verification tokens and `once()`.
 *
 * @module
 */
import { type Check, check } from "./case.ts";
import { absent, equal, fails, holds } from "./expect.ts";
import { EARLIER, LATER, SOONER, token } from "./records.ts";

export const TOKENS: readonly Check[] = [
  check("useVerificationToken() returns null for an unknown token", async (a) => {
    absent(await a.useVerificationToken({ identifier: "ada@example.com", token: "t" }), "useVerificationToken()");
  }),
  check("useVerificationToken() returns a token once", async (a) => {
    const given = token("ada@example.com", "t");
    await a.createVerificationToken(given);
    holds(await a.useVerificationToken(given), given, "useVerificationToken()");
    absent(await a.useVerificationToken(given), "useVerificationToken() again");
  }),
  check("useVerificationToken() returns expired tokens too", async (a) => {
    const given = token("ada@example.com", "t", EARLIER);
    await a.createVerificationToken(given);
    holds(await a.useVerificationToken(given), given, "useVerificationToken()");
  }),
  check("useVerificationToken() returns null for a token of another address, and keeps it", async (a) => {
    const given = token("mallory@example.com", "t");
    await a.createVerificationToken(given);
    absent(await a.useVerificationToken({ ...given, identifier: "ada@example.com" }), "with another address");
    absent(await a.useVerificationToken({ ...given, identifier: "" }), "without an address");
    holds(await a.useVerificationToken(given), given, "with its own address");
  }),
  check("useVerificationToken() returns null for a wrong token, and keeps the right one", async (a) => {
    const given = token("ada@example.com", "t");
    await a.createVerificationToken(given);
    absent(await a.useVerificationToken({ ...given, token: "wrong" }), "with a wrong token");
    absent(await a.useVerificationToken({ ...given, token: "" }), "without a token");
    holds(await a.useVerificationToken(given), given, "with the right token");
  }),
  check("Several tokens of one address are used one at a time", async (a) => {
    for (const hash of ["t", "u"]) await a.createVerificationToken(token("ada@example.com", hash));
    const key = { identifier: "ada@example.com", token: "u" };
    holds(await a.useVerificationToken(key), key, "the second token");
    holds(await a.useVerificationToken({ ...key, token: "t" }), { token: "t" }, "the first token");
  }),
  check("The same hash for two addresses is two tokens", async (a) => {
    for (const name of ["ada", "bob"]) await a.createVerificationToken(token(`${name}@example.com`, "t"));
    const key = { identifier: "ada@example.com", token: "t" };
    holds(await a.useVerificationToken(key), key, "the one of the first address");
    absent(await a.useVerificationToken(key), "the same again");
    const other = { ...key, identifier: "bob@example.com" };
    holds(await a.useVerificationToken(other), other, "the one of the other address");
  }),
  check("createVerificationToken() rejects a token that exists, and changes nothing", async (a) => {
    const given = token("ada@example.com", "t", SOONER);
    await a.createVerificationToken(given);
    await fails(() => a.createVerificationToken({ ...given, expires: LATER }), "createVerificationToken() again");
    holds(await a.useVerificationToken(given), given, "useVerificationToken()");
  }, "guardsRelations"),
  check("getVerificationToken() returns a token and keeps it", async (a) => {
    const given = token("ada@example.com", "t");
    absent(await a.getVerificationToken(given), "getVerificationToken() of nothing");
    await a.createVerificationToken(given);
    for (const time of ["once", "twice"]) holds(await a.getVerificationToken(given), given, `read ${time}`);
    absent(await a.getVerificationToken({ ...given, identifier: "bob@example.com" }), "with another address");
    absent(await a.getVerificationToken({ ...given, token: "wrong" }), "with a wrong token");
    holds(await a.useVerificationToken(given), given, "used");
    absent(await a.getVerificationToken(given), "read after it was used");
  }),
  check("once() returns true for the first call with a key", async (a) => {
    equal(await a.once("m", LATER), true, "once() for the first time");
    equal(await a.once("m", LATER), false, "once() for the second time");
    equal(await a.once("n", LATER), true, "once() with another key");
  }),
  check("once() returns true again when the key has expired, and not before", async (a, clock) => {
    if (!clock) return;
    const end = LATER.getTime();
    clock.set(end - 1000);
    equal(await a.once("m", LATER), true, "once() for the first time");
    clock.set(end - 1);
    equal(await a.once("m", LATER), false, "once() a millisecond before the end");
    clock.set(end);
    equal(await a.once("m", new Date(end + 1000)), true, "once() at the end");
    equal(await a.once("m", new Date(end + 1000)), false, "once() after the key was recorded again");
  }),
];
