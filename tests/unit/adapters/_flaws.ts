/** Flaws to put into an adapter that behaves, to see that the cases of conformance find them. */
import { conformanceCases } from "../../../adapters/conformance.ts";
import type { Adapter, CompleteAdapter, Plan } from "../../../src/contract/adapter.ts";
import type { AdapterAccount } from "../../../src/kernel/model.ts";

/** Gives operations that behave wrongly, over an adapter that behaves. */
export type Spoil = (a: CompleteAdapter) => Adapter;

/** Names of cases, each with what it must see. */
export type Flaws = Readonly<Record<string, Spoil | readonly Spoil[]>>;

type Members = Record<string, unknown>;
type Operation = (...args: unknown[]) => unknown;

/** Before this instant sessions, tokens and marks of the cases have ended, or have not. */
const BETWEEN = new Date(Date.UTC(2050, 0, 1));

const IDS = ["id", "userId", "sessionToken", "provider", "providerAccountId", "credentialID", "identifier", "token"];

/** Puts something in the place of one operation. */
export function over<Name extends keyof CompleteAdapter>(
  name: Name,
  run: (a: CompleteAdapter, ...args: Parameters<CompleteAdapter[Name]>) => unknown,
): Spoil {
  return (a) => ({ [name]: async (...args: Parameters<CompleteAdapter[Name]>) => await run(a, ...args) });
}

/** Puts something in the place of some operations, all but `commit` if they are not named. */
function around(
  run: (operation: Operation, args: readonly unknown[], a: CompleteAdapter) => unknown,
  names?: readonly (keyof CompleteAdapter)[],
): Spoil {
  return (a) => {
    const chosen = Object.entries(a).filter(([name]) => names?.some((one) => one === name) ?? name !== "commit");
    return Object.fromEntries(
      chosen.map((
        [name, operation],
      ) => [name, async (...args: unknown[]) => await run(operation as Operation, args, a)]),
    );
  };
}

/** Changes ids on their way in, so that some become the same. */
function folding(fold: (id: string) => string): Spoil {
  const inward = (value: unknown): unknown => {
    if (typeof value === "string") return fold(value);
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, IDS.includes(name) ? inward(member) : member]),
    );
  };
  return around((operation, args) => operation(...args.map(inward)));
}

/** Changes values on their way out, at every depth. */
export function answering(
  change: (value: unknown, name: string) => unknown,
  names?: readonly (keyof CompleteAdapter)[],
): Spoil {
  const outward = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((member) => outward(member, name));
    if (typeof value !== "object" || value === null || value instanceof Date) return change(value, name);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, outward(member, name)]));
  };
  return around(async (operation, args) => outward(await operation(...args), ""), names);
}

/** Gives away and keeps the very objects it is given. */
function sharing(
  create: keyof CompleteAdapter,
  id: string,
  find: keyof CompleteAdapter,
  into = (row: unknown) => row,
): Spoil {
  return (a) => {
    const rows = new Map<unknown, unknown>();
    return {
      [create]: async (row: Members) => {
        await (a[create] as (row: unknown) => unknown)(row);
        rows.set(row[id], row);
        return row;
      },
      [find]: (key: unknown) => into(rows.get(typeof key === "object" ? (key as Members)[id] : key) ?? null),
    };
  };
}

/** Puts members in the place of a plan's. */
export function planning(change: (plan: Plan, a: CompleteAdapter) => Plan | Promise<Plan>): Spoil {
  return over("commit", async (a, plan) => a.commit({ ...plan, ...await change(plan, a) }));
}

async function makeGhost(a: CompleteAdapter, id: unknown): Promise<void> {
  if (!await a.getUser(`${id}`)) await a.createUser({ id: `${id}`, email: `${id}@ghost.test`, emailVerified: null });
}

export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

const FOLDS: Readonly<Record<string, (id: string) => string>> = {
  "case": (id) => id.toLowerCase(),
  "a space at the end": (id) => id.trimEnd(),
  "a space at the beginning": (id) => id.trimStart(),
  "a zero": (id) => id.replace(/^0+/, ""),
  "the way a number is written": (id) => id.replace(/\.0$/, ""),
  "a wildcard": (id) => id.replace("_", "b"),
  "another wildcard": (id) => id.replace("%", "b"),
  "composition": (id) => id.normalize("NFC"),
  "the second half of a surrogate pair": (id) => id.replaceAll(/[\udc00-\udfff]/g, ""),
  "folding": (id) => id.replace("\u00df", "ss"),
  "the 256th character": (id) => id.slice(0, 255),
};

const KINDS = [
  "users' ids",
  "accounts' ids",
  "sessions' tokens",
  "verification tokens and their addresses",
  "credentials' ids",
];

const FOLDED: Flaws = Object.fromEntries(
  Object.entries(FOLDS).flatMap(([difference, fold]) =>
    KINDS.map((kind) => [`Two ${kind} can differ by ${difference}`, folding(fold)])
  ),
);

const undefinedForNull = answering((value) => value ?? undefined);
const losingMembers = answering((value, name) => ["attempts", "trial", "beta"].includes(name) ? undefined : value);
const listingEveryone: Spoil = (a) => {
  const owners = new Set<string>();
  const all = async (list: (userId: string) => unknown) => (await Promise.all([...owners].map(list))).flat();
  return {
    createUser: (user) => {
      owners.add(user.id);
      return a.createUser(user);
    },
    listAccountsByUserId: async () => await all(a.listAccountsByUserId) as never,
    listSessionsByUserId: async () => await all(a.listSessionsByUserId) as never,
    listAuthenticatorsByUserId: async () => await all(a.listAuthenticatorsByUserId) as never,
  };
};

const READING: Flaws = {
  "getUser() returns null for an unknown id": undefinedForNull,
  "getUserByEmail() returns null for an unknown address": undefinedForNull,
  "getUserByAccount() returns null for an unknown account": undefinedForNull,
  "getAccount() returns null for an unknown account": undefinedForNull,
  "getSessionAndUser() returns null for an unknown token": undefinedForNull,
  "useVerificationToken() returns null for an unknown token": undefinedForNull,
  "getAuthenticator() returns null for an unknown credential": undefinedForNull,
  "Dates of a user are exact to the millisecond": answering((value) =>
    value instanceof Date ? new Date(Math.floor(value.getTime() / 1000) * 1000) : value
  ),
  "createSession() stores a session that is found with its user": answering((value) =>
    value instanceof Date ? value.toISOString() : value
  ),
  "Members of a user that are null, undefined or absent are read as empty": answering((value, name) =>
    name ? value ?? "" : value
  ),
  "Transports of a credential are text, or empty": answering((value, name) =>
    name === "transports" ? value ?? "" : value
  ),
  "linkAccount() stores an account with its tokens": answering((value) =>
    typeof value === "number" ? `${value}` : value
  ),
  "createAuthenticator() stores a credential exactly": [
    answering((value) => typeof value === "boolean" ? Number(value) : value),
    answering((value) => typeof value === "string" ? value.replaceAll("+", "-").replaceAll("/", "_") : value),
  ],
  "Text of a user is stored in any script": answering((value) =>
    typeof value === "string" ? value.replaceAll(/[\ud800-\udfff]/g, "?") : value
  ),
  "Custom members of a user are stored": losingMembers,
  "Custom members of an account are stored": losingMembers,
  "Custom members of a session are stored": losingMembers,
  "getSessionAndUser() finds sessions that have ended": over("getSessionAndUser", async (a, token) => {
    const found = await a.getSessionAndUser(token);
    return found && found.session.expires > BETWEEN ? found : null;
  }),
  "useVerificationToken() returns expired tokens too": over("useVerificationToken", async (a, key) => {
    const found = await a.useVerificationToken(key);
    return found && found.expires > BETWEEN ? found : null;
  }),
  "getVerificationToken() returns a token and keeps it": over(
    "getVerificationToken",
    (a, key) => a.useVerificationToken(key),
  ),
  "getUserByAccount() finds the user of an account": over(
    "getUserByAccount",
    (a, key) => a.getUserByAccount({ ...key, provider: "idp" }),
  ),
  "listAccountsByUserId() lists the accounts of one user": listingEveryone,
  "listSessionsByUserId() lists the sessions of one user": listingEveryone,
  "listSessionsByProviderSid() lists the sessions of one id at one provider, of all users": over(
    "listSessionsByProviderSid",
    async (a, { provider, sid }) => [
      ...await a.listSessionsByProviderSid({ provider, sid }),
      ...await a.listSessionsByProviderSid({ provider, sid: sid.toUpperCase() }),
    ],
  ),
  "listAuthenticatorsByUserId() lists the credentials of one user": listingEveryone,
  "The stored user is not shared with what callers pass or get": sharing("createUser", "id", "getUser"),
  "The stored account is not shared with what callers pass or get": sharing(
    "linkAccount",
    "providerAccountId",
    "getAccount",
  ),
  "The stored session is not shared with what callers pass or get": sharing(
    "createSession",
    "sessionToken",
    "getSessionAndUser",
    (session) => ({ session, user: {} }),
  ),
  "The stored user is not shared with who gets a session": (a) => {
    const cache = new Map<string, unknown>();
    return over("getSessionAndUser", async (a, token) => {
      const known = cache.get(token) ?? await a.getSessionAndUser(token);
      cache.set(token, known);
      return known;
    })(a);
  },
  "The stored token is not shared with who passed it": sharing(
    "createVerificationToken",
    "token",
    "useVerificationToken",
  ),
  "The stored credential is not shared with what callers pass or get": sharing(
    "createAuthenticator",
    "credentialID",
    "getAuthenticator",
  ),
};

const takingAnybody = around(async (create, [row], a) => {
  await makeGhost(a, (row as Members).userId);
  return await create(row);
}, ["linkAccount", "createSession", "createAuthenticator"]);

const changingNothing = around(
  (_, [changes]) => changes,
  ["updateUser", "updateSession", "updateAccount", "updateAuthenticator"],
);
const deletingNothing = around(() => null, [
  "deleteUser",
  "unlinkAccount",
  "deleteSession",
  "deleteSessionsByUserId",
  "deleteAuthenticator",
]);

const WRITING: Flaws = {
  "createUser() stores a user that is found by id and by address": over("createUser", (_, user) => user),
  "createUser() creates an id for a user without one": [
    over("createUser", (a, user) => user.id ? a.createUser(user) : user),
    over("createUser", (a, user) => a.createUser({ ...user, id: user.id || "0" })),
  ],
  "createUser() stores the user under the given id": over(
    "createUser",
    (a, user) => a.createUser({ ...user, id: `made-${user.id}` }),
  ),
  "createUser() rejects an id that exists, and changes nothing": over(
    "createUser",
    async (a, user) => await a.getUser(user.id) ? a.updateUser(user) : a.createUser(user),
  ),
  "createUser() rejects an address that exists, and changes nothing": over("createUser", async (a, user) => {
    const other = await a.getUserByEmail(user.email);
    if (other) await a.updateUser({ id: other.id, email: "former@example.com" });
    return await a.createUser(user);
  }),
  "Several users can have no address": over(
    "createUser",
    (a, user) => a.createUser({ ...user, email: user.email ?? "nobody@example.com" }),
  ),
  "updateUser() changes the given members and keeps the others": over(
    "updateUser",
    (a, changes) => a.updateUser({ ...changes, name: changes.name ?? null }),
  ),
  "updateUser() clears members that are null": over(
    "updateUser",
    (a, changes) => a.updateUser({ ...changes, name: changes.name ?? undefined }),
  ),
  "updateUser() changes the address under which a user is found": changingNothing,
  "updateUser() rejects the address of another user, and changes nothing": over("updateUser", async (a, changes) => {
    const other = changes.email && await a.getUserByEmail(changes.email);
    if (other) await a.updateUser({ id: other.id, email: "former@example.com" });
    return await a.updateUser(changes);
  }),
  "updateUser() fails for an unknown id, and creates no user": over("updateUser", async (a, changes) => {
    await makeGhost(a, changes.id);
    return await a.updateUser(changes);
  }),
  "deleteUser() removes the user and frees the address": deletingNothing,
  "deleteUser() removes the accounts and sessions of the user, and no others": deletingNothing,
  "deleteUser() removes the credentials of the user, and no others": deletingNothing,
  "getSessionAndUser() returns null for a session of a deleted user": deletingNothing,
  "deleteUser() of an unknown user removes nothing": over("deleteUser", (a) => a.deleteUser("id-of-ada")),
  "linkAccount() rejects an account that exists, and changes nothing": over("linkAccount", async (a, account) => {
    await a.unlinkAccount(account);
    return await a.linkAccount(account);
  }),
  "linkAccount() rejects a user who does not exist": takingAnybody,
  "createSession() rejects a user who does not exist": takingAnybody,
  "createAuthenticator() rejects a user who does not exist": takingAnybody,
  "Accounts are distinct even if provider and id look alike when joined": [":", "/", "", ","].map((separator) =>
    around((operation, [key]) => {
      const { provider, providerAccountId } = key as Members;
      const joined = [provider, providerAccountId].join(separator);
      return operation({ ...key as Members, provider: "", providerAccountId: joined });
    }, ["linkAccount", "getUserByAccount"])
  ),
  "unlinkAccount() removes one account and keeps the others": deletingNothing,
  "updateAccount() changes the given members and keeps the others": changingNothing,
  "updateAccount() never creates an account": over(
    "updateAccount",
    async (a, changes) => await a.updateAccount(changes) ?? a.linkAccount(changes as never),
  ),
  "createSession() rejects a token that exists, and changes nothing": over("createSession", async (a, session) => {
    await a.deleteSession(session.sessionToken);
    return await a.createSession(session);
  }),
  "updateSession() changes the given members and keeps the others": changingNothing,
  "updateSession() never creates a session": over(
    "updateSession",
    async (a, changes) => await a.updateSession(changes) ?? a.createSession(changes as never),
  ),
  "deleteSession() removes one session and keeps the others": deletingNothing,
  "deleteSession() of an unknown session does not fail": over("deleteSession", async (a, token) => {
    if (!await a.deleteSession(token)) throw new Error("There is none");
  }),
  "deleteSessionsByUserId() removes all sessions of one user": deletingNothing,
  "deleteOtherSessions() removes all sessions of one user but one": [
    over("deleteOtherSessions", () => {}),
    over("deleteOtherSessions", (a, { userId }) => a.deleteSessionsByUserId(userId)),
  ],
  "createAuthenticator() rejects a credential that exists, and changes nothing": over(
    "createAuthenticator",
    async (a, authenticator) => {
      await a.deleteAuthenticator(authenticator.credentialID);
      return await a.createAuthenticator(authenticator);
    },
  ),
  "updateAuthenticatorCounter() changes the counter and nothing else": over(
    "updateAuthenticatorCounter",
    (a, id) => a.getAuthenticator(id),
  ),
  "updateAuthenticatorCounter() fails for an unknown credential, and creates none": over(
    "updateAuthenticatorCounter",
    (a, credentialID, counter) => a.updateAuthenticator({ credentialID, counter }),
  ),
  "updateAuthenticator() changes the given members and keeps the others": changingNothing,
  "updateAuthenticator() never creates a credential": over("updateAuthenticator", async (a, changes) => {
    return await a.updateAuthenticator(changes) ?? a.createAuthenticator(changes as never);
  }),
  "deleteAuthenticator() removes one credential and keeps the others": deletingNothing,
};

const TOKENS: Flaws = {
  "useVerificationToken() returns a token once": over("useVerificationToken", (a, key) => a.getVerificationToken(key)),
  "useVerificationToken() returns null for a token of another address, and keeps it": [(a) => {
    const sent = new Map<string, string>();
    return {
      createVerificationToken: (row) => {
        sent.set(row.token, row.identifier);
        return a.createVerificationToken(row);
      },
      useVerificationToken: ({ identifier, token }) => {
        return a.useVerificationToken({ identifier: sent.get(token) ?? identifier, token });
      },
    };
  }, (a) => ({
    useVerificationToken: async (key) => {
      const found = await a.useVerificationToken(key);
      if (!found) await a.useVerificationToken({ ...key, identifier: "mallory@example.com" });
      return found;
    },
  })],
  "useVerificationToken() returns null for a wrong token, and keeps the right one": over(
    "useVerificationToken",
    (a, { identifier }) => a.useVerificationToken({ identifier, token: "t" }),
  ),
  "Several tokens of one address are used one at a time": (a) => {
    const sent = new Map<string, string>();
    return over("createVerificationToken", async (a, row) => {
      const token = sent.get(row.identifier);
      if (token) await a.useVerificationToken({ identifier: row.identifier, token });
      sent.set(row.identifier, row.token);
      return await a.createVerificationToken(row);
    })(a);
  },
  "The same hash for two addresses is two tokens": (a) => {
    const sent = new Set<string>();
    return over("createVerificationToken", (a, row) => {
      if (sent.has(row.token)) return row;
      sent.add(row.token);
      return a.createVerificationToken(row);
    })(a);
  },
  "createVerificationToken() rejects a token that exists, and changes nothing": over(
    "createVerificationToken",
    async (a, row) => {
      await a.useVerificationToken(row);
      return await a.createVerificationToken(row);
    },
  ),
  "once() returns true for the first call with a key": [over("once", () => false), over("once", () => true)],
  "once() returns true again when the key has expired, and not before": [
    over("once", (a, key) => a.once(key, new Date(Date.UTC(2200, 0, 1)))),
    over("once", (a, key, expires) => a.once(key, new Date(expires.getTime() - 2))),
  ],
};

/** Looks at what a plan expects, and carries it out a moment later. */
export const LOOKING_BEFORE: Spoil = over("commit", async (a, { expect, ...plan }) => {
  const answer = await a.commit({ expect });
  if (answer !== "done") return answer;
  await pause();
  return await a.commit(plan);
});

const RACING: Flaws = {
  "Of many callers who use one token, one gets it": over("useVerificationToken", async (a, key) => {
    const found = await a.getVerificationToken(key);
    await pause();
    await a.useVerificationToken(key);
    return found;
  }),
  "Of many callers of once() with one key, one gets true": (a) => {
    const marks = new Set<string>();
    return over("once", async (_, key) => {
      const isNew = !marks.has(key);
      await pause();
      marks.add(key);
      return isNew;
    })(a);
  },
  "Of many users with one address, one is created": over("createUser", async (a, user) => {
    if (await a.getUserByEmail(user.email)) throw new Error("It is taken");
    await pause();
    return await a.createUser({ ...user, email: await a.getUserByEmail(user.email) ? `x${user.id}` : user.email });
  }),
  "Of many callers who link one account, one succeeds": over("linkAccount", async (a, account) => {
    if (await a.getAccount(account.providerAccountId, account.provider)) throw new Error("It exists");
    await pause();
    await a.unlinkAccount(account);
    return await a.linkAccount(account);
  }),
  "Of many plans that consume one token, one is done and the others return consumed": over(
    "commit",
    async (a, { consume, ...plan }) => {
      const token = { identifier: consume?.identifier ?? "", token: consume?.tokens[0] ?? "" };
      if (consume && !await a.getVerificationToken(token)) return "consumed";
      await pause();
      return await a.commit(plan);
    },
  ),
  "Of many plans that create the same user, one is done and the others return conflict": over(
    "commit",
    async (a, plan) => {
      await a.commit(plan);
      return "done";
    },
  ),
  "Of many plans that raise one counter from one count, one is done": LOOKING_BEFORE,
  "Of many plans that replace the tokens of one account, one is done": LOOKING_BEFORE,
  "Of many plans that remove one of two accounts and expect the other, one is done": [
    LOOKING_BEFORE,
    over("commit", (a, { unlinkAccount: _, ...plan }) => a.commit(plan)),
  ],
  "Of many plans that remove one of two credentials and expect the other, one is done": [
    LOOKING_BEFORE,
    over("commit", (a, { deleteAuthenticator: _, ...plan }) => a.commit(plan)),
  ],
  "Sessions of one user that are created at once are all stored": (a) => {
    let sessions: readonly unknown[] = [];
    return {
      createSession: async (session) => {
        const before = sessions;
        await pause();
        sessions = [...before, session];
        return await a.createSession(session);
      },
      listSessionsByUserId: () => sessions as never,
    };
  },
};

const ORDER: readonly (keyof Plan)[] = [
  "expect",
  "consume",
  "updateUser",
  "createUser",
  "evict",
  "unlinkAccount",
  "deleteAuthenticator",
  "linkAccount",
  "updateAccount",
  "createAuthenticator",
  "updateCounter",
  "deleteSession",
  "createSession",
];

/** Carries plans out member by member, so that those before the one that is refused stay. */
function piecewise(order: readonly (keyof Plan)[]): Spoil {
  return over("commit", async (a, plan) => {
    for (const member of order) {
      const answer = await a.commit({ [member]: plan[member] });
      if (answer !== "done") return answer;
    }
    return "done";
  });
}

const refused = (answer: string, when: string): string => `commit() changes nothing and returns ${answer} if ${when}`;

/** Lists what stands between two parts of the names of cases. */
function inNames(before: string, after = ""): string[] {
  const names = conformanceCases(() => ({ adapter: {} })).map(({ name }) => name);
  return names.filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => name.slice(before.length, name.length - after.length));
}

const ACTS = inNames("No row remains of somebody who ", " while the address is verified");

/** Does something with every account that a user had before a plan evicts, when the plan is done. */
function changingAccounts(run: (a: CompleteAdapter, account: AdapterAccount) => unknown): Spoil {
  return over("commit", async (a, plan) => {
    const accounts = plan.evict ? await a.listAccountsByUserId(plan.evict.userId) : [];
    const answer = await a.commit(plan);
    for (const account of accounts) await run(a, account);
    return answer;
  });
}

const CONFLICTS = [
  "the id of the new user exists",
  "another user has the address of the new user",
  "the user to change does not exist",
  "the new account exists",
  "the user of the new account does not exist",
  "the account to change does not exist",
  "the same plan removes the account to change",
  "the new user of the account to change does not exist",
  "the account to remove does not exist",
  "the account to remove is one of another provider",
  "the account to remove belongs to another user",
  "the same plan evicts the account to remove",
  "the account to change is the one to remove",
  "the credential to remove does not exist",
  "the credential to remove belongs to another user",
  "the same plan evicts the credential to remove",
  "the credential whose counter to raise is the one to remove",
  "the new credential exists",
  "the user of the new credential does not exist",
  "the credential whose counter to raise does not exist",
  "the new session exists",
  "the new session exists, after an account was linked",
  "the user of the new session does not exist",
];

const without = (member: keyof Plan): Spoil => planning(() => ({ [member]: undefined }));

/** Cases whose names differ in one part, and what all of them must see. */
function each<Part extends string>(parts: readonly Part[], name: (part: Part) => string, ...spoils: Spoil[]): Flaws {
  return Object.fromEntries(parts.map((part) => [name(part), spoils]));
}

const ALIKE: readonly Flaws[] = [
  ...ORDER.filter((member) => member !== "expect").map((member) =>
    each([member], () => `commit() carries out ${member} and changes nothing else`, without(member))
  ),
  each(inNames(refused("consumed", "")), (when) => refused("consumed", when), without("consume")),
  each(
    CONFLICTS,
    (when) => refused("conflict", when),
    piecewise(ORDER),
    over("commit", async (a, plan) => {
      const answer = await a.commit(plan);
      if (answer === "conflict") throw new Error("It was refused");
      return answer;
    }),
  ),
  each(
    inNames(refused("conflict", "")).filter((when) => !CONFLICTS.includes(when)),
    (when) => refused("conflict", when),
    without("expect"),
  ),
  each(
    inNames("commit() keeps ", " when it evicts"),
    (what) => `commit() keeps ${what} when it evicts`,
    changingAccounts((a, account) => a.unlinkAccount(account)),
  ),
  each(
    inNames("commit() removes ", " when it evicts").filter((what) => what !== "nothing of other users"),
    (what) => `commit() removes ${what} when it evicts`,
    changingAccounts((a, account) => a.linkAccount(account)),
  ),
  each(
    ACTS,
    (act) => `commit() returns conflict if somebody ${act} with what was read before the address was verified`,
    without("expect"),
  ),
  each(ACTS, (act) => `No row remains of somebody who ${act} while the address is verified`, LOOKING_BEFORE),
];

const PLANNING: Flaws = {
  [refused("consumed", "its token is wrong, even if there is a conflict too")]: over(
    "commit",
    async (a, { consume, ...plan }) => await a.commit(plan) === "done" ? a.commit({ consume }) : "conflict",
  ),
  [refused("consumed", "its token expires at that very moment")]: planning(({ consume }) => ({
    consume: consume && { ...consume, now: new Date(consume.now.getTime() - 1) },
  })),
  [refused("consumed", "its token is wrong")]: planning(({ consume }) => ({
    consume: consume && { ...consume, tokens: [...consume.tokens, "right", "other"] },
  })),
  "commit() consumes the one of several hashes that is stored": planning(({ consume }) => ({
    consume: consume && { ...consume, tokens: consume.tokens.slice(0, 1) },
  })),
  "commit() carries out evict and changes nothing else": over("commit", async (a, plan) => {
    const sessions = plan.evict ? await a.listSessionsByUserId(plan.evict.userId) : [];
    const answer = await a.commit(plan);
    for (const session of sessions) await a.createSession(session);
    return answer;
  }),
  "commit() removes nothing of other users when it evicts": over("commit", async (a, plan) => {
    const answer = await a.commit(plan);
    if (plan.evict) await a.commit({ evict: { userId: "id-of-bob", email: null } });
    return answer;
  }),
  [refused("conflict", "the account to remove belongs to another user")]: planning(async ({ unlinkAccount }, a) => {
    const owner = unlinkAccount && await a.getUserByAccount(unlinkAccount);
    return { unlinkAccount: owner ? { ...unlinkAccount, userId: owner.id } : unlinkAccount };
  }),
  [refused("conflict", "the account to remove does not exist")]: planning(async ({ unlinkAccount }, a) => {
    return { unlinkAccount: unlinkAccount && await a.getUserByAccount(unlinkAccount) ? unlinkAccount : undefined };
  }),
  [refused("conflict", "the account to remove is one of another provider")]: planning(({ unlinkAccount }) => ({
    unlinkAccount: unlinkAccount && { ...unlinkAccount, provider: "idp" },
  })),
  [refused("conflict", "the credential to remove belongs to another user")]: planning(
    async ({ deleteAuthenticator }, a) => {
      const found = deleteAuthenticator && await a.getAuthenticator(deleteAuthenticator.credentialID);
      return { deleteAuthenticator: found ? { ...deleteAuthenticator, userId: found.userId } : deleteAuthenticator };
    },
  ),
  [refused("conflict", "the credential to remove does not exist")]: planning(async ({ deleteAuthenticator }, a) => {
    const found = deleteAuthenticator && await a.getAuthenticator(deleteAuthenticator.credentialID);
    return { deleteAuthenticator: found ? deleteAuthenticator : undefined };
  }),
  "commit() removes an account and a credential before it creates others with their ids": piecewise(
    ORDER.toReversed(),
  ),
  "commit() removes an account only while another one is as the plan expects": without("expect"),
  "commit() removes a credential only while another one is as the plan expects": without("expect"),
  "commit() removes unverified rows before it creates new ones": piecewise([
    ...ORDER.filter((one) => one !== "evict"),
    "evict",
  ]),
  "commit() carries out expect and changes nothing else": over(
    "commit",
    (a, plan) => plan.expect ? "conflict" : a.commit(plan),
  ),
  "commit() moves an address from one user to a new one": piecewise([
    "createUser",
    ...ORDER.filter((one) => one !== "createUser"),
  ]),
  "commit() can change rows that the same plan creates": piecewise(ORDER.toReversed()),
  "commit() removes a session before it creates one with the same token": piecewise(ORDER.toReversed()),
  "commit() returns done if the session to remove does not exist": over("commit", async (a, plan) => {
    return plan.deleteSession && !await a.getSessionAndUser(plan.deleteSession) ? "conflict" : a.commit(plan);
  }),
  "commit() of an empty plan returns done and changes nothing": over(
    "commit",
    (a, plan) => Object.keys(plan).length > 0 ? a.commit(plan) : "conflict",
  ),
  "commit() carries out all members of a plan together": over(
    "commit",
    (a, plan) => a.commit(Object.fromEntries(Object.entries(plan).slice(0, 1))),
  ),
  "commit() stores copies of what is passed": (a) => {
    const given = new Map<string, unknown>();
    return {
      commit: (plan) => {
        given.set("session", plan.createSession);
        given.set("user", plan.createUser);
        return a.commit(plan);
      },
      getSessionAndUser: async (token) => {
        const found = await a.getSessionAndUser(token);
        return found && (Object.fromEntries(given) as never);
      },
    };
  },
  "commit() removes all unverified rows without a list of them": without("evict"),
  "commit() can create again what it removed": (a) => {
    let evicted = false;
    return {
      commit: async (plan) => {
        if (evicted && plan.linkAccount) return "conflict";
        evicted ||= plan.evict !== undefined;
        return await a.commit(plan);
      },
    };
  },
  "commit() can evict the same user twice": (a) => {
    let evicted = false;
    return {
      commit: async (plan) => {
        const { evict, ...rest } = plan;
        if (evicted) return await a.commit(rest);
        evicted ||= evict !== undefined;
        return await a.commit(plan);
      },
    };
  },
  "Of many credentials that are added at once, commit() stores no more than the plans expect": LOOKING_BEFORE,
};

/** Every case with every flaw that it must see. */
export const FLAWS: readonly (readonly [name: string, spoil: Spoil])[] = [
  READING,
  WRITING,
  FOLDED,
  TOKENS,
  RACING,
  ...ALIKE,
  PLANNING,
].flatMap((flaws) =>
  Object.entries(flaws).flatMap(([name, spoils]) => [spoils].flat().map((spoil) => [name, spoil] as const))
);
