import type { Mutant } from "./_mutant.ts";

const STORY = ["tests/stories/adapters_as_they_are_test.ts"];

/** What adapters and callbacks of Auth.js are given. */
export const adapters: readonly Mutant[] = [
  {
    name: "WAN-11: a passkey is looked for with more than the key of its account",
    file: "src/webauthn/callback.ts",
    find: "await storage.getUserByAccount(accountKeyOf(account));",
    replace: "await storage.getUserByAccount(account);",
    tests: STORY,
  },
  {
    name: "LNK-3: tables without columns of our own are given the stamp of credentials",
    file: "src/sign_in/plan.ts",
    find: "const stamp = storesExtraFields ? { security_stamp: user.securityStamp ?? null } : {};",
    replace: "const stamp = { security_stamp: user.securityStamp ?? null };",
    tests: STORY,
  },
  {
    name: "H07: a user of credentials is looked for by the id of the application alone",
    file: "src/sign_in/facts.ts",
    find: "const linked = await findLinked(storage, account);",
    replace: "const linked = null as LinkedUser | null;",
    tests: STORY,
  },
  {
    name: "V47: credentials open the user who happens to have their number",
    file: "src/sign_in/facts.ts",
    find: "return Boolean(email && stored.email && email.toLowerCase() !== stored.email.toLowerCase());",
    replace: "return false;",
    tests: STORY,
  },
  {
    name: "H07: storage that is down is taken for an id that it cannot look up",
    file: "src/storage/guard.ts",
    find: 'await getUserByAccount({ provider: "", providerAccountId: "" });\n        return undefined;',
    replace: "return undefined;",
    tests: STORY,
  },
  {
    name: "H07: a user is created under an id that storage cannot take",
    file: "src/sign_in/with_storage.ts",
    find: "const id = facts.isIdTaken ? await deriveUserId(ctx, attempt.account) : newId;",
    replace: "const id = newId;",
    tests: STORY,
  },
  {
    name: "SES-8: the session callback is given the session token",
    file: "src/session_stores/rows.ts",
    find: '["sessionToken", "auth_time", ',
    replace: '["auth_time", ',
    tests: STORY,
  },
  {
    name: "SES-8: the session that is sent has members that Auth.js does not store",
    file: "src/session_stores/rows.ts",
    find: '["vouchedEmail", "securityStamp", "sessionsEndedAt"]',
    replace: "[]",
    tests: STORY,
  },
  {
    name: "SES-8: instances of mappers lose the getters of their class",
    file: "src/storage/records.ts",
    find: "return isPlainObject(answer) ? answer : membersOf(answer);",
    replace: "return answer;",
    tests: STORY,
  },
  {
    name: "SES-8: connections of mappers become members of the user",
    file: "src/storage/records.ts",
    find: "return value instanceof Date || ArrayBuffer.isView(value) || !isObject(value) || isPlainObject(value);",
    replace: "return value !== undefined;",
    tests: STORY,
  },
  {
    name: "SES-8: what toJSON of an instance leaves out is shown",
    file: "src/storage/records.ts",
    find: "const json = jsonOf(instance);",
    replace: "const json = null as Row | null;",
    tests: STORY,
  },
  {
    name: "H07: callbacks.jwt is called before the user is stored",
    file: "src/sign_in/writer.ts",
    find: "const session = await planSession(user);\n    const plan",
    replace: "const session = await planSession(user);\n    await session.prepare();\n    const plan",
    tests: STORY,
  },
  {
    name: "H07: callbacks.jwt is called before the events",
    file: "src/sign_in/writer.ts",
    find:
      "    await report(user);\n    const send = await session.prepare();\n    send();\n    return user;\n  };\n}\n\ninterface",
    replace:
      "    const send = await session.prepare();\n    await report(user);\n    send();\n    return user;\n  };\n}\n\ninterface",
    tests: STORY,
  },
  {
    name: "SES-4: the cookie of a session that is gone stops a sign-in",
    file: "src/sign_in/writer.ts",
    find: "if (await storage.getSessionAndUser(sessionToken)) throw error;",
    replace: "throw error;",
    tests: STORY,
  },
  {
    name: "V51: a session that stays in storage does not stop a sign-in over it",
    file: "src/sign_in/writer.ts",
    find: "if (await storage.getSessionAndUser(sessionToken)) throw error;",
    replace: "void error;",
    tests: STORY,
  },
  {
    name: "SES-4: the cookie of a session that is gone stops a sign-out",
    file: "src/session_stores/database_store.ts",
    find: "if (isGone) return null;",
    replace: "",
    tests: STORY,
  },
  {
    name: "V64: numbers come back to storage as text",
    file: "src/storage/user_ids.ts",
    find: "if (this.#toStored) return await operation(convert(name, args, this.#toStored));",
    replace: "if (this.#toStored) return await operation(args);",
    tests: STORY,
  },
  {
    name: "V64: a number is not tried before storage has shown one",
    file: "src/storage/user_ids.ts",
    find: 'if (name !== "getUser" || !isNumeric) throw error;',
    replace: "if (isNumeric || true) throw error;",
    tests: STORY,
  },
];
