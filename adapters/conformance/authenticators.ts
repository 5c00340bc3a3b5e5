/**
 * Cases about WebAuthn credentials.
 *
 * @module
 */
import { type Check, check } from "./case.ts";
import { absent, attempt, equal, fails, holds } from "./expect.ts";
import { authenticator, user } from "./records.ts";

export const AUTHENTICATORS: readonly Check[] = [
  check("getAuthenticator() returns null for an unknown credential", async (a) => {
    absent(await a.getAuthenticator("nothing"), "getAuthenticator()");
  }),
  check("createAuthenticator() stores a credential exactly", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const given = authenticator(id, "+/a0bQ==", { counter: 4_294_967_295, credentialBackedUp: false, transports: "" });
    holds(await a.createAuthenticator(given), given, "createAuthenticator()");
    holds(await a.getAuthenticator("+/a0bQ=="), given, "getAuthenticator()");
    for (const other of ["+/a0bQ", "-_a0bQ==", "+/A0bQ=="]) absent(await a.getAuthenticator(other), `with ${other}`);
  }),
  check("Transports of a credential are text, or empty", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const cases = { a: "internal,hybrid", b: "usb", c: null, d: undefined };
    for (const [name, transports] of Object.entries(cases)) {
      await a.createAuthenticator(authenticator(id, name, { transports }));
      holds(await a.getAuthenticator(name), { transports, credentialBackedUp: true }, "getAuthenticator()");
    }
  }),
  check("createAuthenticator() rejects a credential that exists, and changes nothing", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    await a.createAuthenticator(authenticator(id, "key"));
    const again = () => a.createAuthenticator(authenticator(bob.id, "key", { counter: 9 }));
    await fails(again, "createAuthenticator() of another's credential");
    holds(await a.getAuthenticator("key"), authenticator(id, "key"), "getAuthenticator()");
    equal(await a.listAuthenticatorsByUserId(bob.id), [], "listAuthenticatorsByUserId()");
  }),
  check("createAuthenticator() rejects a user who does not exist", async (a) => {
    await fails(() => a.createAuthenticator(authenticator("nobody", "key")), "createAuthenticator() of nobody");
    absent(await a.getAuthenticator("key"), "getAuthenticator()");
  }, "guardsRelations"),
  check("listAuthenticatorsByUserId() lists the credentials of one user", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    equal(await a.listAuthenticatorsByUserId(id), [], "of a user without credentials");
    for (const name of ["1", "2"]) await a.createAuthenticator(authenticator(id, name));
    await a.createAuthenticator(authenticator(bob.id, "3"));
    const names = (await a.listAuthenticatorsByUserId(id)).map(({ credentialID }) => credentialID);
    equal(names.sort(), ["1", "2"], "listAuthenticatorsByUserId()");
    equal(await a.listAuthenticatorsByUserId("nobody"), [], "listAuthenticatorsByUserId() of nobody");
  }),
  check("updateAuthenticatorCounter() changes the counter and nothing else", async (a) => {
    const { id } = await a.createUser(user("ada"));
    for (const name of ["key", "other"]) await a.createAuthenticator(authenticator(id, name));
    const raised = authenticator(id, "key", { counter: 7 });
    holds(await a.updateAuthenticatorCounter("key", 7), raised, "updateAuthenticatorCounter()");
    holds(await a.getAuthenticator("key"), raised, "getAuthenticator()");
    holds(await a.getAuthenticator("other"), { counter: 0 }, "getAuthenticator() of the other");
  }),
  check("updateAuthenticatorCounter() fails for an unknown credential, and creates none", async (a) => {
    await fails(() => a.updateAuthenticatorCounter("nothing", 1), "updateAuthenticatorCounter() of nothing");
    absent(await a.getAuthenticator("nothing"), "getAuthenticator()");
  }),
  check("updateAuthenticator() changes the given members and keeps the others", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.createAuthenticator(authenticator(id, "key"));
    const changes = { credentialID: "key", credentialBackedUp: false, transports: undefined };
    await a.updateAuthenticator(changes);
    const expected = authenticator(id, "key", { credentialBackedUp: false });
    holds(await a.getAuthenticator("key"), expected, "getAuthenticator()");
  }),
  check("updateAuthenticator() never creates a credential", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await attempt(() => a.updateAuthenticator(authenticator(id, "key")));
    absent(await a.getAuthenticator("key"), "getAuthenticator()");
  }),
  check("deleteAuthenticator() removes one credential and keeps the others", async (a) => {
    const { id } = await a.createUser(user("ada"));
    for (const name of ["1", "2"]) await a.createAuthenticator(authenticator(id, name));
    await a.deleteAuthenticator("1");
    absent(await a.getAuthenticator("1"), "getAuthenticator()");
    const names = (await a.listAuthenticatorsByUserId(id)).map(({ credentialID }) => credentialID);
    equal(names, ["2"], "listAuthenticatorsByUserId()");
    await attempt(() => a.deleteAuthenticator("nothing"));
  }),
];
