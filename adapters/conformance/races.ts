/**
 * Cases about many concurrent callers.
 *
 * @module
 */
import { type AdapterAccount, asRead, type Plan } from "../../src/contract/adapter.ts";
import { type Check, check, planCheck } from "./case.ts";
import { equal, oneWins } from "./expect.ts";
import { account, authenticator, LATER, session, token, user } from "./records.ts";

export const RACES: readonly Check[] = [
  check("Of many callers who use one token, one gets it", async (a) => {
    const given = token("ada@example.com", "t");
    await a.createVerificationToken(given);
    await oneWins(() => a.useVerificationToken(given), (found) => found !== null, "useVerificationToken()");
  }, "survivesRaces"),
  check("Of many callers of once() with one key, one gets true", async (a) => {
    await oneWins(() => a.once("m", LATER), (set) => set, "once()");
  }, "survivesRaces"),
  check("Of many users with one address, one is created", async (a) => {
    const email = "ada@example.com";
    const made: string[] = [];
    const run = async (caller: number) => made.push((await a.createUser(user(`ada-${caller}`, { email }))).id);
    await oneWins(run, () => true, "createUser()");
    equal((await a.getUserByEmail(email))?.id, made[0], "the id of the user who was made");
  }, "survivesRaces"),
  check("Of many callers who link one account, one succeeds", async (a) => {
    const owners = [await a.createUser(user("ada")), await a.createUser(user("bob"))];
    const linked: string[] = [];
    const run = async (caller: number) => {
      const id = owners[caller % owners.length]?.id ?? "";
      await a.linkAccount(account(id, "1"));
      linked.push(id);
    };
    await oneWins(run, () => true, "linkAccount()");
    const found = await a.getUserByAccount({ provider: "idp", providerAccountId: "1" });
    equal(found?.id, linked[0], "the id of the account's owner");
  }, "survivesRaces"),
  planCheck("Of many plans that consume one token, one is done and the others return consumed", async (a) => {
    const identifier = "ada@example.com";
    await a.createVerificationToken(token(identifier, "t"));
    const answers: string[] = [];
    const run = async (caller: number) => {
      const createUser = user(`ada-${caller}`, { email: identifier });
      const answer = await a.commit({
        consume: { identifier, tokens: ["t"], now: new Date(0) },
        createUser,
        createSession: session(createUser.id, `s-${caller}`),
      });
      answers.push(answer);
      return answer;
    };
    await oneWins(run, (answer) => answer === "done", "commit()");
    equal(answers.filter((answer) => answer === "consumed").length, answers.length - 1, "those who came too late");
    const made = await a.getUserByEmail(identifier);
    equal((await a.listSessionsByUserId(made?.id ?? "")).length, 1, "the sessions of the user who was made");
  }, "survivesRaces"),
  planCheck("Of many plans that create the same user, one is done and the others return conflict", async (a) => {
    const answers: string[] = [];
    const run = async (caller: number) => {
      const createUser = user(`ada-${caller}`, { email: "ada@example.com" });
      const answer = await a.commit({
        createUser,
        linkAccount: account(createUser.id, "1"),
        createSession: session(createUser.id, `s-${caller}`),
      });
      answers.push(answer);
      return answer;
    };
    await oneWins(run, (answer) => answer === "done", "commit()");
    equal(answers.filter((answer) => answer === "conflict").length, answers.length - 1, "the conflicts");
    const owner = await a.getUserByAccount({ provider: "idp", providerAccountId: "1" });
    equal((await a.getUserByEmail("ada@example.com"))?.id, owner?.id, "the user by address and by account");
    equal((await a.listAccountsByUserId(owner?.id ?? "")).length, 1, "the accounts of the user who was made");
  }, "survivesRaces"),
  planCheck("Of many plans that raise one counter from one count, one is done", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.createAuthenticator(authenticator(id, "key"));
    const expect = { authenticator: { credentialID: "key", userId: id, counter: 0 } };
    const run = (caller: number) => {
      return a.commit({ expect, updateCounter: { credentialID: "key", counter: caller + 1 } });
    };
    await oneWins(run, (answer) => answer === "done", "commit()");
  }, "survivesRaces"),
  planCheck("Of many plans that replace the tokens of one account, one is done", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.linkAccount(account(id, "1", { access_token: "old", refresh_token: "r-old" }));
    const key = { provider: "idp", providerAccountId: "1" };
    const expect = { account: { ...key, userId: id, tokens: { access_token: "old", refresh_token: "r-old" } } };
    const run = (caller: number) => {
      return a.commit({ expect, updateAccount: { ...key, access_token: `${caller}`, refresh_token: `r-${caller}` } });
    };
    await oneWins(run, (answer) => answer === "done", "commit()");
    const stored = await a.getAccount("1", "idp");
    equal(stored?.refresh_token, `r-${stored?.access_token}`, "the tokens of the one that was done");
  }, "survivesRaces"),
  planCheck("Of many plans that remove one of two accounts and expect the other, one is done", async (a) => {
    const { id: userId } = await a.createUser(user("ada"));
    const [one, other] = [account(userId, "1"), account(userId, "2")];
    for (const each of [one, other]) await a.linkAccount(each);
    const run = (caller: number) => {
      const [removed, kept] = caller % 2 === 0 ? [one, other] : [other, one];
      return a.commit({ expect: { user: asRead(user("ada")), account: keyOf(kept) }, unlinkAccount: keyOf(removed) });
    };
    await oneWins(run, (answer) => answer === "done", "commit()");
    equal((await a.listAccountsByUserId(userId)).length, 1, "the accounts that are left");
  }, "survivesRaces"),
  planCheck("Of many plans that remove one of two credentials and expect the other, one is done", async (a) => {
    const { id: userId } = await a.createUser(user("ada"));
    for (const name of ["1", "2"]) await a.createAuthenticator(authenticator(userId, name));
    const run = (caller: number) => {
      const [removed = "", kept = ""] = caller % 2 === 0 ? ["1", "2"] : ["2", "1"];
      return a.commit({
        expect: { user: asRead(user("ada")), authenticator: { credentialID: kept, userId, counter: 0 } },
        deleteAuthenticator: { credentialID: removed, userId },
      });
    };
    await oneWins(run, (answer) => answer === "done", "commit()");
    equal((await a.listAuthenticatorsByUserId(userId)).length, 1, "the credentials that are left");
  }, "survivesRaces"),
  check("Sessions of one user that are created at once are all stored", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const names = Array.from({ length: 64 }, (_, caller) => `s-${caller}`);
    await Promise.all(names.map((name) => a.createSession(session(id, name))));
    const found = (await a.listSessionsByUserId(id)).map(({ sessionToken }) => sessionToken);
    equal(found.sort(), names.sort(), "listSessionsByUserId()");
  }, "survivesRaces"),
];

function keyOf({ provider, providerAccountId, userId }: AdapterAccount): NonNullable<Plan["unlinkAccount"]> {
  return { provider, providerAccountId, userId };
}
