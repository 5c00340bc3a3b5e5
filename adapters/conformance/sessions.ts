/**
 * Cases about sessions.
 *
 * @module
 */
import { type Check, check } from "./case.ts";
import { absent, attempt, equal, fails, holds } from "./expect.ts";
import { EARLIER, LATER, session, SOONER, user } from "./records.ts";

export const SESSIONS: readonly Check[] = [
  check("getSessionAndUser() returns null for an unknown token", async (a) => {
    absent(await a.getSessionAndUser("nothing"), "getSessionAndUser()");
  }),
  check("createSession() stores a session that is found with its user", async (a) => {
    const { id } = await a.createUser(user("ada", { emailVerified: EARLIER }));
    holds(await a.createSession(session(id, "s")), session(id, "s"), "createSession()");
    const found = await a.getSessionAndUser("s");
    holds(found?.session, session(id, "s"), "the session of getSessionAndUser()");
    holds(found?.user, { id, name: "ada", emailVerified: EARLIER }, "the user of getSessionAndUser()");
  }),
  check("getSessionAndUser() finds sessions that have ended", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.createSession(session(id, "s", EARLIER));
    holds((await a.getSessionAndUser("s"))?.session, { expires: EARLIER }, "the session of getSessionAndUser()");
  }),
  check("getSessionAndUser() returns null for a session of a deleted user", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.createSession(session(id, "s"));
    await a.deleteUser(id);
    absent(await a.getSessionAndUser("s"), "getSessionAndUser()");
  }),
  check("Custom members of a session are stored", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const custom = { device: "phone", attempts: 0, trusted: true };
    await a.createSession({ ...session(id, "s"), ...custom });
    await a.updateSession({ sessionToken: "s", expires: SOONER });
    holds((await a.getSessionAndUser("s"))?.session, { ...custom, expires: SOONER }, "the session");
  }, "keepsMembers"),
  check("createSession() rejects a token that exists, and changes nothing", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    await a.createSession(session(id, "s"));
    await fails(() => a.createSession(session(bob.id, "s", SOONER)), "createSession() with the same token");
    const found = await a.getSessionAndUser("s");
    holds(found?.session, session(id, "s"), "the session");
    equal(found?.user.name, "ada", "the name of the session's user");
  }),
  check("createSession() rejects a user who does not exist", async (a) => {
    await fails(() => a.createSession(session("nobody", "s")), "createSession() of nobody");
    absent(await a.getSessionAndUser("s"), "getSessionAndUser()");
  }, "guardsRelations"),
  check("updateSession() changes the given members and keeps the others", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await a.createSession(session(id, "s", SOONER));
    await a.createSession(session(id, "t", SOONER));
    await a.updateSession({ sessionToken: "s", expires: LATER });
    holds((await a.getSessionAndUser("s"))?.session, session(id, "s", LATER), "the session");
    holds((await a.getSessionAndUser("t"))?.session, session(id, "t", SOONER), "the other session");
  }),
  check("updateSession() never creates a session", async (a) => {
    const { id } = await a.createUser(user("ada"));
    await attempt(() => a.updateSession(session(id, "s")));
    absent(await a.getSessionAndUser("s"), "getSessionAndUser()");
  }),
  check("deleteSession() removes one session and keeps the others", async (a) => {
    const { id } = await a.createUser(user("ada"));
    for (const name of ["s", "t"]) await a.createSession(session(id, name));
    await a.deleteSession("s");
    absent(await a.getSessionAndUser("s"), "getSessionAndUser()");
    equal((await a.getSessionAndUser("t"))?.user.id, id, "the user of the other session");
    await a.createSession(session(id, "s"));
  }),
  check("deleteSession() of an unknown session does not fail", async (a) => {
    await a.deleteSession("nothing");
  }),
  check("listSessionsByUserId() lists the sessions of one user", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    equal(await a.listSessionsByUserId(id), [], "listSessionsByUserId() of a user without sessions");
    for (const name of ["s", "t", "u"]) await a.createSession(session(id, name));
    await a.createSession(session(bob.id, "v"));
    await a.deleteSession("t");
    const tokens = (await a.listSessionsByUserId(id)).map(({ sessionToken }) => sessionToken);
    equal(tokens.sort(), ["s", "u"], "listSessionsByUserId()");
    equal(await a.listSessionsByUserId("nobody"), [], "listSessionsByUserId() of nobody");
  }),
  check("listSessionsByProviderSid() lists the sessions of one id at one provider, of all users", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    const known = { provider: "idp", providerSid: "p" };
    for (const name of ["s", "t", "u"]) await a.createSession({ ...session(id, name), ...known });
    await a.createSession({ ...session(bob.id, "v"), ...known });
    await a.createSession({ ...session(id, "w"), ...known, provider: "other" });
    await a.createSession({ ...session(id, "x"), ...known, providerSid: "P" });
    await a.createSession(session(id, "y"));
    await a.deleteSession("t");
    await a.updateSession({ sessionToken: "u", providerSid: "q" });
    await a.updateSession({ sessionToken: "s", expires: SOONER });
    const list = async (sid: string, provider = "idp") => {
      return (await a.listSessionsByProviderSid({ provider, sid })).map(({ sessionToken }) => sessionToken).sort();
    };
    equal(await list("p"), ["s", "v"], "listSessionsByProviderSid()");
    equal(await list("q"), ["u"], "listSessionsByProviderSid() of a changed id");
    equal(await list("p", "other"), ["w"], "listSessionsByProviderSid() of another provider");
    equal(await list("p", "nobody"), [], "listSessionsByProviderSid() of no provider");
    holds((await a.listSessionsByProviderSid({ provider: "idp", sid: "P" }))[0], session(id, "x"), "the session");
    await a.deleteSessionsByUserId(id);
    equal(await list("p"), ["v"], "listSessionsByProviderSid() after deleteSessionsByUserId()");
    await a.deleteUser(bob.id);
    equal(await list("p"), [], "listSessionsByProviderSid() after deleteUser()");
  }, "keepsMembers"),
  check("deleteSessionsByUserId() removes all sessions of one user", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    for (const name of ["s", "t"]) await a.createSession(session(id, name));
    await a.createSession(session(bob.id, "u"));
    await a.deleteSessionsByUserId(id);
    for (const name of ["s", "t"]) absent(await a.getSessionAndUser(name), "getSessionAndUser()");
    equal(await a.listSessionsByUserId(id), [], "listSessionsByUserId()");
    equal((await a.getSessionAndUser("u"))?.user.name, "bob", "the user of another's session");
    await a.deleteSessionsByUserId("nobody");
  }),
  check("deleteOtherSessions() removes all sessions of one user but one", async (a) => {
    const { id } = await a.createUser(user("ada"));
    const bob = await a.createUser(user("bob"));
    for (const name of ["s", "t", "u"]) await a.createSession(session(id, name));
    await a.createSession(session(bob.id, "v"));
    await a.deleteOtherSessions({ userId: id, sessionToken: "t" });
    for (const name of ["s", "u"]) absent(await a.getSessionAndUser(name), "getSessionAndUser()");
    equal((await a.getSessionAndUser("t"))?.user.name, "ada", "the user of the kept session");
    equal((await a.listSessionsByUserId(id)).length, 1, "the sessions that are left");
    equal((await a.getSessionAndUser("v"))?.user.name, "bob", "the user of another's session");
    await a.deleteOtherSessions({ userId: id, sessionToken: "v" });
    equal(await a.listSessionsByUserId(id), [], "listSessionsByUserId()");
    equal((await a.getSessionAndUser("v"))?.user.name, "bob", "the user of another's session");
    await a.deleteOtherSessions({ userId: "nobody", sessionToken: "v" });
  }),
];
