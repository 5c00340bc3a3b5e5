/** Flaws to put into an adapter that behaves, to see that the cases of conformance find them. */
import { conformanceCases } from "../../../adapters/conformance.ts";
import type { Adapter, CompleteAdapter, Plan } from "../../../src/contract/adapter.ts";

/** Gives operations that behave wrongly, over an adapter that behaves. */
export type Spoil = (a: CompleteAdapter) => Adapter;

/** What is wrong, how, and the case that must see it. */
export type Flaw = readonly [name: string, spoil: Spoil, red: string];

type Members = Record<string, unknown>;
type Operation = (...args: unknown[]) => unknown;

/** Before this instant sessions, tokens and marks of the cases have ended, or have not. */
const BETWEEN = new Date(Date.UTC(2050, 0, 1));

const IDS = ["id", "userId", "sessionToken", "provider", "providerAccountId", "credentialID", "identifier", "token"];

/** Puts something in the place of one operation. */
function over<Name extends keyof CompleteAdapter>(
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
function answering(
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
function planning(change: (plan: Plan, a: CompleteAdapter) => Plan | Promise<Plan>): Spoil {
  return over("commit", async (a, plan) => a.commit({ ...plan, ...await change(plan, a) }));
}

async function makeGhost(a: CompleteAdapter, id: unknown): Promise<void> {
  if (!await a.getUser(`${id}`)) await a.createUser({ id: `${id}`, email: `${id}@ghost.test`, emailVerified: null });
}

function pause(): Promise<void> {
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

const FOLDED: readonly Flaw[] = Object.entries(FOLDS).flatMap(([difference, fold]) =>
  KINDS.map((kind): Flaw => [`${kind} lose ${difference}`, folding(fold), `Two ${kind} can differ by ${difference}`])
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

const READING: readonly Flaw[] = [
  ["getUser() gives undefined", undefinedForNull, "getUser() returns null for an unknown id"],
  ["getUserByEmail() gives undefined", undefinedForNull, "getUserByEmail() returns null for an unknown address"],
  ["getUserByAccount() gives undefined", undefinedForNull, "getUserByAccount() returns null for an unknown account"],
  ["getAccount() gives undefined", undefinedForNull, "getAccount() returns null for an unknown account"],
  ["getSessionAndUser() gives undefined", undefinedForNull, "getSessionAndUser() returns null for an unknown token"],
  [
    "useVerificationToken() gives undefined",
    undefinedForNull,
    "useVerificationToken() returns null for an unknown token",
  ],
  ["getAuthenticator() gives undefined", undefinedForNull, "getAuthenticator() returns null for an unknown credential"],
  [
    "dates lose their milliseconds",
    answering((value) => value instanceof Date ? new Date(Math.floor(value.getTime() / 1000) * 1000) : value),
    "Dates of a user are exact to the millisecond",
  ],
  [
    "dates come back as text",
    answering((value) => value instanceof Date ? value.toISOString() : value),
    "createSession() stores a session that is found with its user",
  ],
  [
    "nothing comes back as empty text",
    answering((value, name) => name ? value ?? "" : value),
    "Members of a user that are null, undefined or absent are read as empty",
  ],
  [
    "transports come back as empty text",
    answering((value, name) => name === "transports" ? value ?? "" : value),
    "Transports of a credential are text, or empty",
  ],
  [
    "numbers come back as text",
    answering((value) => typeof value === "number" ? `${value}` : value),
    "linkAccount() stores an account with its tokens",
  ],
  [
    "booleans come back as numbers",
    answering((value) => typeof value === "boolean" ? Number(value) : value),
    "createAuthenticator() stores a credential exactly",
  ],
  [
    "base64 comes back as base64url",
    answering((value) => typeof value === "string" ? value.replaceAll("+", "-").replaceAll("/", "_") : value),
    "createAuthenticator() stores a credential exactly",
  ],
  [
    "text loses what is beyond the basic plane",
    answering((value) => typeof value === "string" ? value.replaceAll(/[\ud800-\udfff]/g, "?") : value),
    "Text of a user is stored in any script",
  ],
  ["users lose unknown members", losingMembers, "Custom members of a user are stored"],
  ["accounts lose unknown members", losingMembers, "Custom members of an account are stored"],
  ["sessions lose unknown members", losingMembers, "Custom members of a session are stored"],
  [
    "ended sessions are hidden",
    over("getSessionAndUser", async (a, token) => {
      const found = await a.getSessionAndUser(token);
      return found && found.session.expires > BETWEEN ? found : null;
    }),
    "getSessionAndUser() finds sessions that have ended",
  ],
  [
    "ended tokens are hidden",
    over("useVerificationToken", async (a, key) => {
      const found = await a.useVerificationToken(key);
      return found && found.expires > BETWEEN ? found : null;
    }),
    "useVerificationToken() returns expired tokens too",
  ],
  [
    "getVerificationToken() uses tokens up",
    over("getVerificationToken", (a, key) => a.useVerificationToken(key)),
    "getVerificationToken() returns a token and keeps it",
  ],
  [
    "getUserByAccount() looks at the id only",
    over("getUserByAccount", (a, key) => a.getUserByAccount({ ...key, provider: "idp" })),
    "getUserByAccount() finds the user of an account",
  ],
  ["accounts of everyone are listed", listingEveryone, "listAccountsByUserId() lists the accounts of one user"],
  ["sessions of everyone are listed", listingEveryone, "listSessionsByUserId() lists the sessions of one user"],
  [
    "credentials of everyone are listed",
    listingEveryone,
    "listAuthenticatorsByUserId() lists the credentials of one user",
  ],
  [
    "users are given away",
    sharing("createUser", "id", "getUser"),
    "The stored user is not shared with what callers pass or get",
  ],
  [
    "accounts are given away",
    (a) => ({ ...sharing("linkAccount", "providerAccountId", "getAccount")(a) }),
    "The stored account is not shared with what callers pass or get",
  ],
  [
    "sessions are given away",
    sharing("createSession", "sessionToken", "getSessionAndUser", (session) => ({ session, user: {} })),
    "The stored session is not shared with what callers pass or get",
  ],
  [
    "users of sessions are given away",
    (a) => {
      const cache = new Map<string, unknown>();
      return over("getSessionAndUser", async (a, token) => {
        const known = cache.get(token) ?? await a.getSessionAndUser(token);
        cache.set(token, known);
        return known;
      })(a);
    },
    "The stored user is not shared with who gets a session",
  ],
  [
    "tokens are given away",
    sharing("createVerificationToken", "token", "useVerificationToken"),
    "The stored token is not shared with who passed it",
  ],
  [
    "credentials are given away",
    sharing("createAuthenticator", "credentialID", "getAuthenticator"),
    "The stored credential is not shared with what callers pass or get",
  ],
];

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

const WRITING: readonly Flaw[] = [
  [
    "users are not stored",
    over("createUser", (_, user) => user),
    "createUser() stores a user that is found by id and by address",
  ],
  [
    "a user without an id is stored under none",
    over("createUser", (a, user) => user.id ? a.createUser(user) : user),
    "createUser() creates an id for a user without one",
  ],
  [
    "all users without an id get the same one",
    over("createUser", (a, user) => a.createUser({ ...user, id: user.id || "0" })),
    "createUser() creates an id for a user without one",
  ],
  [
    "users are given another id",
    over("createUser", (a, user) => a.createUser({ ...user, id: `made-${user.id}` })),
    "createUser() stores the user under the given id",
  ],
  [
    "users are overwritten",
    over("createUser", async (a, user) => await a.getUser(user.id) ? a.updateUser(user) : a.createUser(user)),
    "createUser() rejects an id that exists, and changes nothing",
  ],
  [
    "addresses are taken from others",
    over("createUser", async (a, user) => {
      const other = await a.getUserByEmail(user.email);
      if (other) await a.updateUser({ id: other.id, email: "former@example.com" });
      return await a.createUser(user);
    }),
    "createUser() rejects an address that exists, and changes nothing",
  ],
  [
    "one user only can be without an address",
    over("createUser", (a, user) => a.createUser({ ...user, email: user.email ?? "nobody@example.com" })),
    "Several users can have no address",
  ],
  [
    "what is not given is cleared",
    over("updateUser", (a, changes) => a.updateUser({ ...changes, name: changes.name ?? null })),
    "updateUser() changes the given members and keeps the others",
  ],
  [
    "what is cleared is left",
    over("updateUser", (a, changes) => a.updateUser({ ...changes, name: changes.name ?? undefined })),
    "updateUser() clears members that are null",
  ],
  ["addresses stay", changingNothing, "updateUser() changes the address under which a user is found"],
  [
    "updateUser() takes addresses from others",
    over("updateUser", async (a, changes) => {
      const other = changes.email && await a.getUserByEmail(changes.email);
      if (other) await a.updateUser({ id: other.id, email: "former@example.com" });
      return await a.updateUser(changes);
    }),
    "updateUser() rejects the address of another user, and changes nothing",
  ],
  [
    "updateUser() makes users",
    over("updateUser", async (a, changes) => {
      await makeGhost(a, changes.id);
      return await a.updateUser(changes);
    }),
    "updateUser() fails for an unknown id, and creates no user",
  ],
  ["users stay", deletingNothing, "deleteUser() removes the user and frees the address"],
  ["accounts stay", deletingNothing, "deleteUser() removes the accounts and sessions of the user, and no others"],
  ["credentials stay", deletingNothing, "deleteUser() removes the credentials of the user, and no others"],
  ["sessions outlive users", deletingNothing, "getSessionAndUser() returns null for a session of a deleted user"],
  [
    "anybody is deleted",
    over("deleteUser", (a) => a.deleteUser("id-of-ada")),
    "deleteUser() of an unknown user removes nothing",
  ],
  [
    "accounts are overwritten",
    over("linkAccount", async (a, account) => {
      await a.unlinkAccount(account);
      return await a.linkAccount(account);
    }),
    "linkAccount() rejects an account that exists, and changes nothing",
  ],
  ["accounts are anybody's", takingAnybody, "linkAccount() rejects a user who does not exist"],
  ["sessions are anybody's", takingAnybody, "createSession() rejects a user who does not exist"],
  ["credentials are anybody's", takingAnybody, "createAuthenticator() rejects a user who does not exist"],
  ...[":", "/", "", ","].map((separator): Flaw => [
    `accounts' keys are joined by "${separator}"`,
    around((operation, [key]) => {
      const { provider, providerAccountId } = key as Members;
      return operation({
        ...key as Members,
        provider: "",
        providerAccountId: [provider, providerAccountId].join(separator),
      });
    }, ["linkAccount", "getUserByAccount"]),
    "Accounts are distinct even if provider and id look alike when joined",
  ]),
  ["accounts cannot be unlinked", deletingNothing, "unlinkAccount() removes one account and keeps the others"],
  ["accounts cannot be changed", changingNothing, "updateAccount() changes the given members and keeps the others"],
  [
    "updateAccount() makes accounts",
    over("updateAccount", async (a, changes) => await a.updateAccount(changes) ?? a.linkAccount(changes as never)),
    "updateAccount() never creates an account",
  ],
  [
    "sessions are overwritten",
    over("createSession", async (a, session) => {
      await a.deleteSession(session.sessionToken);
      return await a.createSession(session);
    }),
    "createSession() rejects a token that exists, and changes nothing",
  ],
  ["sessions cannot be changed", changingNothing, "updateSession() changes the given members and keeps the others"],
  [
    "updateSession() makes sessions",
    over("updateSession", async (a, changes) => await a.updateSession(changes) ?? a.createSession(changes as never)),
    "updateSession() never creates a session",
  ],
  ["sessions cannot be deleted", deletingNothing, "deleteSession() removes one session and keeps the others"],
  [
    "deleting what is not there fails",
    over("deleteSession", async (a, token) => {
      if (!await a.deleteSession(token)) throw new Error("There is none");
    }),
    "deleteSession() of an unknown session does not fail",
  ],
  ["sessions of a user stay", deletingNothing, "deleteSessionsByUserId() removes all sessions of one user"],
  [
    "credentials are overwritten",
    over("createAuthenticator", async (a, authenticator) => {
      await a.deleteAuthenticator(authenticator.credentialID);
      return await a.createAuthenticator(authenticator);
    }),
    "createAuthenticator() rejects a credential that exists, and changes nothing",
  ],
  [
    "the counter is not stored",
    over("updateAuthenticatorCounter", (a, id) => a.getAuthenticator(id)),
    "updateAuthenticatorCounter() changes the counter and nothing else",
  ],
  [
    "no credential is no error",
    over("updateAuthenticatorCounter", (a, credentialID, counter) => a.updateAuthenticator({ credentialID, counter })),
    "updateAuthenticatorCounter() fails for an unknown credential, and creates none",
  ],
  [
    "credentials cannot be changed",
    changingNothing,
    "updateAuthenticator() changes the given members and keeps the others",
  ],
  [
    "updateAuthenticator() makes credentials",
    over("updateAuthenticator", async (a, changes) => {
      return await a.updateAuthenticator(changes) ?? a.createAuthenticator(changes as never);
    }),
    "updateAuthenticator() never creates a credential",
  ],
  [
    "credentials cannot be deleted",
    deletingNothing,
    "deleteAuthenticator() removes one credential and keeps the others",
  ],
];

const TOKENS: readonly Flaw[] = [
  [
    "tokens are not used up",
    over("useVerificationToken", (a, key) => a.getVerificationToken(key)),
    "useVerificationToken() returns a token once",
  ],
  [
    "tokens of any address are given",
    (a) => {
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
    },
    "useVerificationToken() returns null for a token of another address, and keeps it",
  ],
  [
    "a wrong address burns the token",
    (a) => ({
      useVerificationToken: async (key) => {
        const found = await a.useVerificationToken(key);
        if (!found) await a.useVerificationToken({ ...key, identifier: "mallory@example.com" });
        return found;
      },
    }),
    "useVerificationToken() returns null for a token of another address, and keeps it",
  ],
  [
    "any token of an address is given",
    over("useVerificationToken", (a, { identifier }) => a.useVerificationToken({ identifier, token: "t" })),
    "useVerificationToken() returns null for a wrong token, and keeps the right one",
  ],
  [
    "a new token replaces the old one",
    (a) => {
      const sent = new Map<string, string>();
      return over("createVerificationToken", async (a, row) => {
        const token = sent.get(row.identifier);
        if (token) await a.useVerificationToken({ identifier: row.identifier, token });
        sent.set(row.identifier, row.token);
        return await a.createVerificationToken(row);
      })(a);
    },
    "Several tokens of one address are used one at a time",
  ],
  [
    "a hash is stored once",
    (a) => {
      const sent = new Set<string>();
      return over("createVerificationToken", (a, row) => {
        if (sent.has(row.token)) return row;
        sent.add(row.token);
        return a.createVerificationToken(row);
      })(a);
    },
    "The same hash for two addresses is two tokens",
  ],
  [
    "tokens are overwritten",
    over("createVerificationToken", async (a, row) => {
      await a.useVerificationToken(row);
      return await a.createVerificationToken(row);
    }),
    "createVerificationToken() rejects a token that exists, and changes nothing",
  ],
  ["marks are never set", over("once", () => false), "once() returns true for the first call with a key"],
  ["marks are always set", over("once", () => true), "once() returns true for the first call with a key"],
  [
    "marks never end",
    over("once", (a, key) => a.once(key, new Date(Date.UTC(2200, 0, 1)))),
    "once() returns true again when the key has expired, and not before",
  ],
  [
    "marks end early",
    over("once", (a, key, expires) => a.once(key, new Date(expires.getTime() - 2))),
    "once() returns true again when the key has expired, and not before",
  ],
];

/** Looks at what a plan expects, and carries it out a moment later. */
const LOOKING_BEFORE: Spoil = over("commit", async (a, { expect, ...plan }) => {
  const answer = await a.commit({ expect });
  if (answer !== "done") return answer;
  await pause();
  return await a.commit(plan);
});

const RACING: readonly Flaw[] = [
  [
    "tokens are read, then deleted",
    over("useVerificationToken", async (a, key) => {
      const found = await a.getVerificationToken(key);
      await pause();
      await a.useVerificationToken(key);
      return found;
    }),
    "Of many callers who use one token, one gets it",
  ],
  [
    "marks are read, then set",
    (a) => {
      const marks = new Set<string>();
      return over("once", async (_, key) => {
        const isNew = !marks.has(key);
        await pause();
        marks.add(key);
        return isNew;
      })(a);
    },
    "Of many callers of once() with one key, one gets true",
  ],
  [
    "addresses are looked for, then taken",
    over("createUser", async (a, user) => {
      if (await a.getUserByEmail(user.email)) throw new Error("It is taken");
      await pause();
      return await a.createUser({ ...user, email: await a.getUserByEmail(user.email) ? `x${user.id}` : user.email });
    }),
    "Of many users with one address, one is created",
  ],
  [
    "accounts are looked for, then linked",
    over("linkAccount", async (a, account) => {
      if (await a.getAccount(account.providerAccountId, account.provider)) throw new Error("It exists");
      await pause();
      await a.unlinkAccount(account);
      return await a.linkAccount(account);
    }),
    "Of many callers who link one account, one succeeds",
  ],
  [
    "plans look for the token, then go on",
    over("commit", async (a, { consume, ...plan }) => {
      const token = { identifier: consume?.identifier ?? "", token: consume?.tokens[0] ?? "" };
      if (consume && !await a.getVerificationToken(token)) return "consumed";
      await pause();
      return await a.commit(plan);
    }),
    "Of many plans that consume one token, one is done and the others return consumed",
  ],
  [
    "plans that conflict are done",
    over("commit", async (a, plan) => {
      await a.commit(plan);
      return "done";
    }),
    "Of many plans that create the same user, one is done and the others return conflict",
  ],
  [
    "counters are compared, then raised",
    LOOKING_BEFORE,
    "Of many plans that raise one counter from one count, one is done",
  ],
  [
    "lists are read, then written",
    (a) => {
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
    "Sessions of one user that are created at once are all stored",
  ],
];

const ORDER: readonly (keyof Plan)[] = [
  "expect",
  "consume",
  "updateUser",
  "createUser",
  "evict",
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

/** Leaves a member of every plan undone. */
const FORGETFUL: readonly Flaw[] = ORDER.filter((member) => member !== "expect").map((member) => [
  `plans forget ${member}`,
  planning(() => ({ [member]: undefined })),
  `commit() carries out ${member} and changes nothing else`,
]);

const refused = (answer: string, when: string): string => `commit() changes nothing and returns ${answer} if ${when}`;

/** Lists what stands between two parts of the names of cases. */
function inNames(before: string, after = ""): string[] {
  const names = conformanceCases(() => ({ adapter: {} })).map(({ name }) => name);
  return names.filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => name.slice(before.length, name.length - after.length));
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
  "the new credential exists",
  "the user of the new credential does not exist",
  "the credential whose counter to raise does not exist",
  "the new session exists",
  "the new session exists, after an account was linked",
  "the user of the new session does not exist",
];

const PLANNING: readonly Flaw[] = [
  ...FORGETFUL,
  ...inNames(refused("consumed", "")).map((when): Flaw => [
    `plans go on when ${when}`,
    over("commit", (a, { consume: _, ...plan }) => a.commit(plan)),
    refused("consumed", when),
  ]),
  ...CONFLICTS.map((when): Flaw => [`half of a plan stays when ${when}`, piecewise(ORDER), refused("conflict", when)]),
  ...CONFLICTS.map((when): Flaw => [
    `a plan throws when ${when}`,
    over("commit", async (a, plan) => {
      const answer = await a.commit(plan);
      if (answer === "conflict") throw new Error("It was refused");
      return answer;
    }),
    refused("conflict", when),
  ]),
  [
    "plans are checked before the token",
    over(
      "commit",
      async (a, { consume, ...plan }) => await a.commit(plan) === "done" ? a.commit({ consume }) : "conflict",
    ),
    refused("consumed", "its token is wrong, even if there is a conflict too"),
  ],
  [
    "plans use tokens up to the very end",
    planning(({ consume }) => ({ consume: consume && { ...consume, now: new Date(consume.now.getTime() - 1) } })),
    refused("consumed", "its token expires at that very moment"),
  ],
  [
    "plans use any of the address's tokens",
    planning(({ consume }) => ({ consume: consume && { ...consume, tokens: [...consume.tokens, "right", "other"] } })),
    refused("consumed", "its token is wrong"),
  ],
  [
    "plans look at the first hash only",
    planning(({ consume }) => ({ consume: consume && { ...consume, tokens: consume.tokens.slice(0, 1) } })),
    "commit() consumes the one of several hashes that is stored",
  ],
  [
    "plans leave sessions to who is evicted",
    over("commit", async (a, plan) => {
      const sessions = plan.evict ? await a.listSessionsByUserId(plan.evict.userId) : [];
      const answer = await a.commit(plan);
      for (const session of sessions) await a.createSession(session);
      return answer;
    }),
    "commit() carries out evict and changes nothing else",
  ],
  [
    "plans evict what is another's",
    over("commit", async (a, plan) => {
      const answer = await a.commit(plan);
      if (plan.evict) await a.commit({ evict: { userId: "id-of-bob", email: null } });
      return answer;
    }),
    "commit() removes nothing of other users when it evicts",
  ],
  [
    "plans evict last",
    piecewise([...ORDER.filter((one) => one !== "evict"), "evict"]),
    "commit() removes unverified rows before it creates new ones",
  ],
  [
    "an expectation is a conflict",
    over("commit", (a, plan) => plan.expect ? "conflict" : a.commit(plan)),
    "commit() carries out expect and changes nothing else",
  ],
  [
    "an address is free only after the plan",
    piecewise(["createUser", ...ORDER.filter((one) => one !== "createUser")]),
    "commit() moves an address from one user to a new one",
  ],
  [
    "plans are carried out backwards",
    piecewise(ORDER.toReversed()),
    "commit() can change rows that the same plan creates",
  ],
  [
    "plans are carried out backwards, sessions too",
    piecewise(ORDER.toReversed()),
    "commit() removes a session before it creates one with the same token",
  ],
  [
    "plans demand the session that they remove",
    over("commit", async (a, plan) => {
      return plan.deleteSession && !await a.getSessionAndUser(plan.deleteSession) ? "conflict" : a.commit(plan);
    }),
    "commit() returns done if the session to remove does not exist",
  ],
  [
    "an empty plan is a conflict",
    over("commit", (a, plan) => Object.keys(plan).length > 0 ? a.commit(plan) : "conflict"),
    "commit() of an empty plan returns done and changes nothing",
  ],
  [
    "plans have one member at most",
    over("commit", (a, plan) => a.commit(Object.fromEntries(Object.entries(plan).slice(0, 1)))),
    "commit() carries out all members of a plan together",
  ],
  [
    "plans keep what they are given",
    (a) => {
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
    "commit() stores copies of what is passed",
  ],
];

const ACTS = inNames("No row remains of somebody who ", " while the address is verified");
const OTHERS = "nothing of other users";

const EVICTING: readonly Flaw[] = [
  ...inNames(refused("conflict", "")).filter((when) => !CONFLICTS.includes(when)).map((when): Flaw => [
    `plans expect nothing when ${when}`,
    planning(() => ({ expect: undefined })),
    refused("conflict", when),
  ]),
  ...inNames("commit() keeps ", " when it evicts").map((what): Flaw => [
    `eviction removes ${what}`,
    over("commit", async (a, plan) => {
      const answer = await a.commit(plan);
      const accounts = plan.evict ? await a.listAccountsByUserId(plan.evict.userId) : [];
      for (const account of accounts) await a.unlinkAccount(account);
      return answer;
    }),
    `commit() keeps ${what} when it evicts`,
  ]),
  ...inNames("commit() removes ", " when it evicts").filter((what) => what !== OTHERS).map((what): Flaw => [
    `eviction keeps ${what}`,
    over("commit", async (a, plan) => {
      const accounts = plan.evict ? await a.listAccountsByUserId(plan.evict.userId) : [];
      const answer = await a.commit(plan);
      for (const account of accounts) await a.linkAccount(account);
      return answer;
    }),
    `commit() removes ${what} when it evicts`,
  ]),
  [
    "plans evict nobody",
    planning(() => ({ evict: undefined })),
    "commit() removes all unverified rows without a list of them",
  ],
  [
    "what was evicted cannot be made again",
    (a) => {
      let evicted = false;
      return {
        commit: async (plan) => {
          if (evicted && plan.linkAccount) return "conflict";
          evicted ||= plan.evict !== undefined;
          return await a.commit(plan);
        },
      };
    },
    "commit() can create again what it removed",
  ],
  [
    "plans evict once",
    (a) => {
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
    "commit() can evict the same user twice",
  ],
  ...ACTS.map((act): Flaw => [
    `plans expect nothing of who ${act}`,
    planning(() => ({ expect: undefined })),
    `commit() returns conflict if somebody ${act} with what was read before the address was verified`,
  ]),
  ...ACTS.map((act): Flaw => [
    `expectations are looked at before the plan of who ${act}`,
    LOOKING_BEFORE,
    `No row remains of somebody who ${act} while the address is verified`,
  ]),
  [
    "credentials are counted before they are added",
    LOOKING_BEFORE,
    "Of many credentials that are added at once, commit() stores no more than the plans expect",
  ],
];

/** Every flaw. */
export const FLAWS: readonly Flaw[] = [
  ...READING,
  ...WRITING,
  ...FOLDED,
  ...TOKENS,
  ...RACING,
  ...PLANNING,
  ...EVICTING,
];
