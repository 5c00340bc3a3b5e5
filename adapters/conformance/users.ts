/**
 * Cases about users.
 *
 * @module
 */
import type { AdapterUser } from "../../src/contract/adapter.ts";
import { type Check, check } from "./case.ts";
import { absent, attempt, equal, fails, holds } from "./expect.ts";
import { account, authenticator, EARLIER, LATER, session, user, userWithoutAddress } from "./records.ts";

export const USERS: readonly Check[] = [
  check("getUser() returns null for an unknown id", async (a) => {
    absent(await a.getUser("nobody"), "getUser()");
  }),
  check("getUserByEmail() returns null for an unknown address", async (a) => {
    absent(await a.getUserByEmail("nobody@example.com"), "getUserByEmail()");
  }),
  check("createUser() stores a user that is found by id and by address", async (a) => {
    const given = user("ada", { image: "https://example.com/ada.png" });
    const { id } = await a.createUser(given);
    holds(await a.getUser(id), { ...given, id }, "getUser()");
    holds(await a.getUserByEmail(given.email), { ...given, id }, "getUserByEmail()");
  }),
  check("createUser() stores the user under the given id", async (a) => {
    holds(await a.createUser(user("ada")), { id: "id-of-ada" }, "createUser()");
    holds(await a.getUser("id-of-ada"), { id: "id-of-ada" }, "getUser()");
  }, "keepsIds"),
  check("createUser() creates an id for a user without one", async (a) => {
    for (const name of ["ada", "bob"]) {
      const { id: _, ...given } = user(name);
      const { id } = await a.createUser(given as AdapterUser);
      equal(Boolean(id), true, "createUser() gives an id");
      holds(await a.getUser(id), { ...given, id }, "getUser()");
    }
  }),
  check("Dates of a user are exact to the millisecond", async (a) => {
    const { id } = await a.createUser(user("ada", { emailVerified: LATER }));
    holds(await a.getUser(id), { emailVerified: LATER }, "getUser()");
  }),
  check("Members of a user that are null, undefined or absent are read as empty", async (a) => {
    const { id } = await a.createUser(user("ada", { name: undefined, image: null }));
    holds(await a.getUser(id), { name: null, image: null, emailVerified: null }, "getUser()");
  }),
  check("Custom members of a user are stored", async (a) => {
    const custom = { role: "admin", logins: 7, trial: false, theme: { dark: true }, tags: ["a", "b"], nickname: null };
    const { id } = await a.createUser({ ...user("ada"), ...custom });
    holds(await a.getUser(id), custom, "getUser()");
    const changes = { id, role: "owner", trial: true };
    await a.updateUser(changes);
    holds(await a.getUser(id), { ...custom, ...changes }, "getUser() after updateUser()");
  }, "keepsMembers"),
  check("Text of a user is stored in any script", async (a) => {
    const name = "Ада \u{1d4d0}\u{1f469}\u200d\u{1f4bb} e\u0301 'quoted' \"twice\" \\ 100% \n";
    const { id } = await a.createUser(user("ada", { name }));
    holds(await a.getUser(id), { name }, "getUser()");
  }),
  check("createUser() rejects an id that exists, and changes nothing", async (a) => {
    await a.createUser(user("ada"));
    await fails(() => a.createUser(user("bob", { id: "id-of-ada" })), "createUser() with the same id");
    holds(await a.getUser("id-of-ada"), user("ada"), "getUser()");
  }, "keepsIds"),
  check("createUser() rejects an address that exists, and changes nothing", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await fails(() => a.createUser(user("bob", { email: "ada@example.com" })), "createUser() with the same address");
    holds(await a.getUserByEmail("ada@example.com"), { id, name: "ada" }, "getUserByEmail()");
    absent(await a.getUser("id-of-bob"), "getUser() of the one refused");
  }, "guardsRelations"),
  check("Several users can have no address", async (a) => {
    const { id } = await a.createUser(userWithoutAddress("ada"));
    const other = await a.createUser(userWithoutAddress("bob"));
    holds(await a.getUser(id), { name: "ada", email: null }, "getUser() of the first");
    holds(await a.getUser(other.id), { name: "bob", email: null }, "getUser() of the second");
  }, "guardsRelations"),
  check("updateUser() changes the given members and keeps the others", async (a) => {
    const given = user("ada", { image: "https://example.com/ada.png" });
    const { id } = await a.createUser(given);
    const changes = { id, emailVerified: EARLIER, name: undefined };
    holds(await a.updateUser(changes), { id, name: "ada", emailVerified: EARLIER }, "updateUser()");
    holds(await a.getUser(id), { ...given, id, emailVerified: EARLIER }, "getUser()");
  }),
  check("updateUser() clears members that are null", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.updateUser({ id, name: null });
    holds(await a.getUser(id), { name: null, email: "ada@example.com" }, "getUser()");
  }),
  check("updateUser() changes the address under which a user is found", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.updateUser({ id, email: "countess@example.com" });
    absent(await a.getUserByEmail("ada@example.com"), "getUserByEmail() with the old address");
    holds(await a.getUserByEmail("countess@example.com"), { id }, "getUserByEmail() with the new address");
    await a.createUser(user("ada", { id: "another" }));
  }),
  check("updateUser() rejects the address of another user, and changes nothing", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    await fails(() => a.updateUser({ id, email: bob.email, name: "x" }), "updateUser() with the address of another");
    holds(await a.getUser(id), { name: "ada", email: "ada@example.com" }, "getUser()");
    holds(await a.getUserByEmail(bob.email), { id: bob.id }, "getUserByEmail()");
  }, "guardsRelations"),
  check("updateUser() fails for an unknown id, and creates no user", async (a) => {
    await fails(() => a.updateUser(user("ada")), "updateUser() of nobody");
    absent(await a.getUser("id-of-ada"), "getUser()");
    absent(await a.getUserByEmail("ada@example.com"), "getUserByEmail()");
  }),
  check("deleteUser() removes the user and frees the address", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.deleteUser(id);
    absent(await a.getUser(id), "getUser()");
    absent(await a.getUserByEmail("ada@example.com"), "getUserByEmail()");
    await a.createUser(user("ada"));
  }),
  check("deleteUser() removes the accounts and sessions of the user, and no others", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    for (const owner of [id, bob.id]) {
      await a.linkAccount(account(owner, `account-${owner}`));
      await a.createSession(session(owner, `session-${owner}`));
    }
    await a.deleteUser(id);
    absent(await a.getAccount(`account-${id}`, "idp"), "getAccount()");
    absent(await a.getUserByAccount(account(id, `account-${id}`)), "getUserByAccount()");
    absent(await a.getSessionAndUser(`session-${id}`), "getSessionAndUser()");
    holds(await a.getUserByAccount(account(bob.id, `account-${bob.id}`)), { name: "bob" }, "getUserByAccount()");
    equal((await a.getSessionAndUser(`session-${bob.id}`))?.user.name, "bob", "getSessionAndUser() of another");
  }, "guardsRelations"),
  check("deleteUser() removes the credentials of the user, and no others", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    await a.createAuthenticator(authenticator(id, "key-of-ada"));
    await a.createAuthenticator(authenticator(bob.id, "key-of-bob"));
    await a.deleteUser(id);
    absent(await a.getAuthenticator("key-of-ada"), "getAuthenticator()");
    equal(await a.listAuthenticatorsByUserId(id), [], "listAuthenticatorsByUserId()");
    equal((await a.listAuthenticatorsByUserId(bob.id)).length, 1, "listAuthenticatorsByUserId() of another");
  }, "guardsRelations"),
  check("deleteUser() of an unknown user removes nothing", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await attempt(() => a.deleteUser("nobody"));
    holds(await a.getUser(id), { name: "ada" }, "getUser()");
  }),
];
