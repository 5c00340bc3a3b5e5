/**
 * Cases about accounts.
 *
 * @module
 */
import { type Check, check } from "./case.ts";
import { absent, attempt, equal, fails, holds } from "./expect.ts";
import { account, user } from "./records.ts";

export const ACCOUNTS: readonly Check[] = [
  check("getAccount() returns null for an unknown account", async (a) => {
    absent(await a.getAccount("nothing", "idp"), "getAccount()");
  }),
  check("getUserByAccount() returns null for an unknown account", async (a) => {
    absent(await a.getUserByAccount({ provider: "idp", providerAccountId: "nothing" }), "getUserByAccount()");
  }),
  check("linkAccount() stores an account with its tokens", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const given = account(id, "1", {
      access_token: "a".repeat(4000),
      refresh_token: "r/+=",
      expires_at: 4_102_444_800,
      token_type: "bearer",
      scope: "openid email",
      id_token: undefined,
    });
    await a.linkAccount(given);
    holds(await a.getAccount("1", "idp"), given, "getAccount()");
  }),
  check("getUserByAccount() finds the user of an account", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.linkAccount(account(id, "1"));
    const key = { provider: "idp", providerAccountId: "1" };
    holds(await a.getUserByAccount(key), { id, email: "ada@example.com" }, "getUserByAccount()");
    absent(await a.getUserByAccount({ ...key, provider: "other" }), "getUserByAccount() at another provider");
  }),
  check("Custom members of an account are stored", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const custom = { refresh_expires_in: 1800, tenant: "acme", beta: true, authorization_details: [{ type: "x" }] };
    await a.linkAccount(account(id, "1", custom));
    holds(await a.getAccount("1", "idp"), custom, "getAccount()");
  }, "keepsMembers"),
  check("linkAccount() rejects an account that exists, and changes nothing", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    await a.linkAccount(account(id, "1"));
    await fails(() => a.linkAccount(account(bob.id, "1")), "linkAccount() of another's account");
    await fails(() => a.linkAccount(account(id, "1")), "linkAccount() of one's own account again");
    holds(await a.getUserByAccount(account(id, "1")), { id }, "getUserByAccount()");
  }),
  check("linkAccount() rejects a user who does not exist", async (a) => {
    await fails(() => a.linkAccount(account("nobody", "1")), "linkAccount() of nobody");
    absent(await a.getAccount("1", "idp"), "getAccount()");
    absent(await a.getUserByAccount(account("nobody", "1")), "getUserByAccount()");
  }, "guardsRelations"),
  check("Accounts are distinct even if provider and id look alike when joined", async (a) => {
    const keys = ["a b:c", "a:b c", "a b/c", "a/b c", "ab c", "a bc", "a,b c", "a b,c"].map((text) => text.split(" "));
    for (const [index, [provider = "", providerAccountId = ""]] of keys.entries()) {
      const { id } = await a.createUser(user(`owner-${index}`, { name: `${provider} ${providerAccountId}` }));
      await a.linkAccount(account(id, providerAccountId, { provider }));
    }
    for (const [provider = "", providerAccountId = ""] of keys) {
      const name = `${provider} ${providerAccountId}`;
      holds(await a.getUserByAccount({ provider, providerAccountId }), { name }, "getUserByAccount()");
    }
  }),
  check("unlinkAccount() removes one account and keeps the others", async (a) => {
    const { id } = await a.createUser(user("ada"));
    for (const name of ["1", "2"]) await a.linkAccount(account(id, name));
    await a.unlinkAccount({ provider: "idp", providerAccountId: "1" });
    absent(await a.getAccount("1", "idp"), "getAccount()");
    absent(await a.getUserByAccount(account(id, "1")), "getUserByAccount()");
    holds(await a.getUserByAccount(account(id, "2")), { id }, "getUserByAccount() of the other");
    await attempt(() => a.unlinkAccount({ provider: "idp", providerAccountId: "nothing" }));
    await a.linkAccount(account(id, "1"));
  }),
  check("updateAccount() changes the given members and keeps the others", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const given = account(id, "1", { access_token: "old", refresh_token: "kept", expires_at: 1 });
    await a.linkAccount(given);
    const changes = { provider: "idp", providerAccountId: "1", access_token: "new", expires_at: 2, scope: undefined };
    await a.updateAccount(changes);
    holds(await a.getAccount("1", "idp"), { ...given, ...changes }, "getAccount()");
  }),
  check("updateAccount() never creates an account", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await attempt(() => a.updateAccount(account(id, "1")));
    absent(await a.getAccount("1", "idp"), "getAccount()");
    equal(await a.listAccountsByUserId(id), [], "listAccountsByUserId()");
  }),
  check("listAccountsByUserId() lists the accounts of one user", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    equal(await a.listAccountsByUserId(id), [], "listAccountsByUserId() of a user without accounts");
    for (const name of ["1", "2", "3"]) await a.linkAccount(account(id, name));
    await a.linkAccount(account(bob.id, "4"));
    await a.unlinkAccount({ provider: "idp", providerAccountId: "2" });
    const names = (await a.listAccountsByUserId(id)).map(({ providerAccountId }) => providerAccountId);
    equal(names.sort(), ["1", "3"], "listAccountsByUserId()");
    equal(await a.listAccountsByUserId("nobody"), [], "listAccountsByUserId() of nobody");
  }),
];
