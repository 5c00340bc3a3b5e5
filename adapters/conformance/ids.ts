/**
 * Cases about ids that look alike, and about records that are stored as copies.
 *
 * @module
 */
import { type Check, check } from "./case.ts";
import { holds } from "./expect.ts";
import { account, authenticator, LATER, LOOKALIKES, session, token, user } from "./records.ts";

export const IDS: readonly Check[] = LOOKALIKES.flatMap(([id, other, difference]) => [
  check(`Two users' ids can differ by ${difference}`, async (a) => {
    await a.createUser(user("ada", { id, name: id }));
    await a.createUser(user("bob", { id: other, name: other }));
    for (const given of [id, other]) holds(await a.getUser(given), { id: given, name: given }, "getUser()");
  }, "keepsIds"),
  check(`Two accounts' ids can differ by ${difference}`, async (a) => {
    for (const [index, providerAccountId] of [id, other].entries()) {
      const owner = await a.createUser(user(`owner-${index}`, { name: providerAccountId }));
      await a.linkAccount(account(owner.id, providerAccountId));
    }
    for (const name of [id, other]) {
      const found = await a.getUserByAccount({ provider: "idp", providerAccountId: name });
      holds(found, { name }, "getUserByAccount()");
    }
  }),
  check(`Two sessions' tokens can differ by ${difference}`, async (a) => {
    for (const [index, sessionToken] of [id, other].entries()) {
      const owner = await a.createUser(user(`owner-${index}`, { name: sessionToken }));
      await a.createSession(session(owner.id, sessionToken));
    }
    for (const sessionToken of [id, other]) {
      const found = await a.getSessionAndUser(sessionToken);
      holds(found?.session, { sessionToken }, "the session of getSessionAndUser()");
      holds(found?.user, { name: sessionToken }, "the user of getSessionAndUser()");
    }
  }),
  check(`Two verification tokens and their addresses can differ by ${difference}`, async (a) => {
    for (const text of [id, other]) {
      await a.createVerificationToken(token(text, "t"));
      await a.createVerificationToken(token("ada@example.com", text));
    }
    for (const text of [id, other]) {
      const byAddress = { identifier: text, token: "t" };
      const byToken = { identifier: "ada@example.com", token: text };
      holds(await a.useVerificationToken(byAddress), byAddress, "useVerificationToken() by address");
      holds(await a.useVerificationToken(byToken), byToken, "useVerificationToken() by token");
    }
  }),
  check(`Two credentials' ids can differ by ${difference}`, async (a) => {
    const owner = await a.createUser(user("ada"));
    for (const [counter, name] of [id, other].entries()) {
      await a.createAuthenticator(authenticator(owner.id, name, { counter }));
    }
    for (const [counter, credentialID] of [id, other].entries()) {
      holds(await a.getAuthenticator(credentialID), { credentialID, counter }, "getAuthenticator()");
    }
  }),
]);

export const COPIES: readonly Check[] = [
  check("The stored user is not shared with what callers pass or get", async (a) => {
    const given = user("ada", { emailVerified: new Date(LATER) });
    const made = await a.createUser(given);
    const { id } = made;
    for (const record of [given, made, await a.getUser(id), await a.getUserByEmail("ada@example.com")]) {
      record?.emailVerified?.setTime(0);
      if (record) record.name = "changed";
      holds(await a.getUser(id), { name: "ada", emailVerified: LATER }, "getUser()");
    }
  }),
  check("The stored account is not shared with what callers pass or get", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const given = account(id, "1", { scope: "openid" });
    await a.linkAccount(given);
    for (const record of [given, await a.getAccount("1", "idp")]) {
      if (record) record.scope = "changed";
      holds(await a.getAccount("1", "idp"), { scope: "openid" }, "getAccount()");
    }
  }),
  check("The stored session is not shared with what callers pass or get", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const given = session(id, "s", new Date(LATER));
    const made = await a.createSession(given);
    for (const record of [given, made, (await a.getSessionAndUser("s"))?.session]) {
      record?.expires.setTime(0);
      holds((await a.getSessionAndUser("s"))?.session, { expires: LATER }, "the session of getSessionAndUser()");
    }
  }),
  check("The stored user is not shared with who gets a session", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.createSession(session(id, "s"));
    const found = await a.getSessionAndUser("s");
    if (found) found.user.name = "changed";
    holds((await a.getSessionAndUser("s"))?.user, { name: "ada" }, "the user of getSessionAndUser()");
  }),
  check("The stored token is not shared with who passed it", async (a) => {
    const given = token("ada@example.com", "t", new Date(LATER));
    await a.createVerificationToken(given);
    given.expires.setTime(0);
    holds(await a.useVerificationToken({ identifier: "ada@example.com", token: "t" }), { expires: LATER }, "the token");
  }),
  check("The stored credential is not shared with what callers pass or get", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const given = authenticator(id, "key");
    const made = await a.createAuthenticator(given);
    for (const record of [given, made, await a.getAuthenticator("key")]) {
      if (record) record.counter = 99;
      holds(await a.getAuthenticator("key"), { counter: 0 }, "getAuthenticator()");
    }
  }),
];
