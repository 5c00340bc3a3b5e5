/**
 * The smallest adapter that stores sessions, for `@x/auth` and `@auth/core`.
 *
 * @module
 */
import type { Adapter, AdapterSession, AdapterUser } from "@x/auth";

/** Makes an adapter with two maps. */
export function mapAdapter(): Adapter {
  const users = new Map<string, AdapterUser>();
  const sessions = new Map<string, AdapterSession>();
  const absent = (): never => {
    throw new Error("The benchmark does not use this operation");
  };
  return {
    createUser: (user) => {
      users.set(user.id, user);
      return user;
    },
    createSession: (session) => {
      sessions.set(session.sessionToken, session);
      return session;
    },
    getSessionAndUser: (token) => {
      const session = sessions.get(token);
      const user = session && users.get(session.userId);
      return user ? { session: { ...session }, user: { ...user } } : null;
    },
    updateSession: (session) => sessions.get(session.sessionToken) ?? null,
    deleteSession: (token) => void sessions.delete(token),
    getUser: (id) => users.get(id) ?? null,
    getUserByEmail: () => null,
    getUserByAccount: absent,
    updateUser: absent,
    linkAccount: absent,
  };
}
