import type { Mutant } from "./_mutant.ts";

const SESSIONS = ["tests/unit/stores/database_sessions_test.ts"];
const STORAGE = ["tests/unit/config/storage_test.ts"];
const OUTAGE = ["tests/unit/service/outage_test.ts"];
const GUARD = ["tests/unit/config/storage_test.ts"];
const STEPS = ["tests/unit/sign_in/steps_test.ts"];
const PARALLEL = ["tests/security/parallel_test.ts"];
const KV = ["tests/unit/adapters/deno_kv_store_test.ts"];
const EVERY_CALL = ["tests/security/every_storage_call_test.ts"];

/** What storage keeps, and what becomes of a request when it fails. */
export const storage: readonly Mutant[] = [
  {
    name: "V52: a session outlives its row in storage",
    file: "src/stores/database_store.ts",
    find: "if (found.session.expires.valueOf() > runtime.now()) return found;",
    replace: "if (found.session.expires.valueOf() > 0) return found;",
    tests: SESSIONS,
  },
  {
    name: "V52: a session ends a millisecond late in storage",
    file: "src/stores/database_store.ts",
    find: "if (found.session.expires.valueOf() > runtime.now()) return found;",
    replace: "if (found.session.expires.valueOf() >= runtime.now()) return found;",
    tests: SESSIONS,
  },
  {
    name: "SES-3: a session in storage is renewed at every read",
    file: "src/stores/database_store.ts",
    find: "if (!renew || !isDue || wanted <= before) return",
    replace: "if (!renew) return",
    tests: SESSIONS,
  },
  {
    name: "CSRF-5: a session in storage is renewed for a caller who cannot send its cookie on",
    file: "src/stores/database_store.ts",
    find: "if (!renew || !isDue || wanted <= before) return",
    replace: "if (!isDue || wanted <= before) return",
    tests: SESSIONS,
  },
  {
    name: "SES-4: a renewal brings a session back to storage that was ended meanwhile",
    file: "src/stores/database_store.ts",
    find: "const extended = await storage.updateSession({ sessionToken, expires });",
    replace: "const extended = await storage.updateSession({ sessionToken, expires }) ??\n" +
      "        await storage.createSession({ sessionToken, expires, userId: active.user.id });",
    tests: SESSIONS,
  },
  {
    name: "SES-6: storage that does not say what it has changed signs people out",
    file: "src/stores/database_store.ts",
    find: "return await lookUp(sessionToken);",
    replace: "return null;",
    tests: SESSIONS,
  },
  {
    name: "H21: the cookie does not follow the row in storage",
    file: "src/stores/database_store.ts",
    find: "if (expires > before) writeToken(cookies, sessionToken, expires);",
    replace: "",
    tests: SESSIONS,
  },
  {
    name: "V51: a sign-in leaves the session before it in storage",
    file: "src/sign_in/session.ts",
    find: "...(replaced && { deleteSession: replaced })",
    replace: "",
    tests: SESSIONS,
  },
  {
    name: "V67: a sign-out that storage refuses is reported as done",
    file: "src/stores/database_store.ts",
    find: 'throw new SignOutError("Cannot remove the session from storage: it may still be valid", { cause: error });',
    replace: 'logger.error(new SignOutError("Cannot end the session", { cause: error }));\n' +
      "        return { session: null };",
    tests: OUTAGE,
  },
  {
    name: "V67: a sign-out that storage refuses leaves the cookie",
    file: "src/stores/database_store.ts",
    find: '      const token = tokenIn(cookies);\n      cookies.clearChunked("sessionToken");\n      if (!token)',
    replace: "      const token = tokenIn(cookies);\n      if (!token)",
    tests: OUTAGE,
  },
  {
    name: "SES-6, V15: while storage is down people count as signed out",
    file: "src/session/read.ts",
    find:
      'if (error instanceof AdapterError) throw new SessionTokenError("Cannot read the session", { cause: error });',
    replace: "",
    tests: OUTAGE,
  },
  {
    name: "SES-6: storage that is away costs people their cookies",
    file: "src/session/read.ts",
    find:
      'if (error instanceof AdapterError) throw new SessionTokenError("Cannot read the session", { cause: error });',
    replace: "sessions.forget(cookies);\n" +
      '    if (error instanceof AdapterError) throw new SessionTokenError("Cannot read it", { cause: error });',
    tests: OUTAGE,
  },
  {
    name: "V60: a session of somebody else is taken from storage",
    file: "src/config/storage.ts",
    find: "return session.sessionToken === token && session.userId === user.id;",
    replace: "return session.sessionToken !== undefined && user.id !== undefined && token !== undefined;",
    tests: GUARD,
  },
  {
    name: "V60: a user with another id is taken from storage",
    file: "src/config/storage.ts",
    find: "matching(parseUser(answer), (user) => user.id === id)",
    replace: "matching(parseUser(answer), (user) => user.id !== undefined && id !== undefined)",
    tests: GUARD,
  },
  {
    name: "H26: failures of storage go on as they are",
    file: "src/config/storage.ts",
    find: "throw new AdapterError(`Cannot use storage: the adapter's \\`${name}\\` failed`, {\n" +
      '        cause: error,\n        logCode: "adapter-failed",\n      });',
    replace: "throw error;",
    tests: OUTAGE,
  },
  {
    name: "V15: a record of storage that cannot be read is no failure of storage",
    file: "src/config/storage.ts",
    find: "throw new AdapterError(`Cannot use storage: the adapter's \\`${name}\\` returned an unusable record`, {\n" +
      '        logCode: "adapter-answer",\n        cause,\n      });',
    replace: "throw cause;",
    tests: OUTAGE,
  },
  {
    name: "V15: a session of storage may end at no time at all",
    file: "src/config/records.ts",
    find: "if (date instanceof Date && Number.isFinite(date.valueOf())) return date;",
    replace: "if (date instanceof Date) return date;",
    tests: OUTAGE,
  },
  {
    name: "V22, H07: the browser is told of a session before storage has it",
    file: "src/sign_in/writer.ts",
    find: 'const result = Object.keys(plan).length === 0 ? "done" : await commit(plan);',
    replace: 'session.send();\n      const result = Object.keys(plan).length === 0 ? "done" : await commit(plan);',
    tests: EVERY_CALL,
  },
  {
    name: "H07: a plan that storage refused counts as carried out",
    file: "src/sign_in/writer.ts",
    find: 'if (result === "conflict") return null;',
    replace: "",
    tests: PARALLEL,
  },
  {
    name: "H17: a link that storage no longer has lets in",
    file: "src/sign_in/writer.ts",
    find: 'if (result === "consumed") throw new Verification("Cannot sign in: the link was used meanwhile");',
    replace: "",
    tests: PARALLEL,
  },
  {
    name: "V16: a user whose making storage did not confirm is not looked for",
    file: "src/sign_in/steps.ts",
    find: "if (await hasUserLike(storage, user)) return null;",
    replace: "",
    tests: STEPS,
  },
  {
    name: "V16: an account whose making storage did not confirm is not looked for",
    file: "src/sign_in/steps.ts",
    find: "if (owner?.id === account.userId) return true;",
    replace: "",
    tests: STEPS,
  },
  {
    name: "V16: a user whom storage numbered keeps the address of an account that failed",
    file: "src/sign_in/steps.ts",
    find: "if (created && (owner || !created.isFoundAgain)) await removeUser(storage, created);",
    replace: "",
    tests: STEPS,
  },
  {
    name: "V16: a user is removed from storage whom another tab builds upon",
    file: "src/sign_in/steps.ts",
    find: "if (created && (owner || !created.isFoundAgain)) await removeUser(storage, created);",
    replace: "if (created) await removeUser(storage, created);",
    tests: STEPS,
  },
  {
    name: "V26: an address is verified in storage before what was unverified is gone",
    file: "src/sign_in/steps.ts",
    find:
      "revoke before, and again what was added meanwhile.\n  if (plan.evict) await revoke(storage, plan.evict, passkeyProviders);\n",
    replace: "revoke before, and again what was added meanwhile.\n",
    tests: ["tests/unit/sign_in/steps_test.ts"],
  },
  {
    name: "V16: whoever broke off half-way in storage is refused for ever",
    file: "src/sign_in/facts.ts",
    find: "return found && ids.includes(found.id) && found.emailVerified === null ? found : null;",
    replace: "return null;",
    tests: ["tests/security/every_storage_call_test.ts"],
  },
  {
    name: "V16: two sign-ins of one person at once take each other for a stranger in storage",
    file: "src/sign_in/facts.ts",
    find: "if (meanwhile) return { ...NO_FACTS, byAccount: meanwhile };",
    replace: "",
    tests: PARALLEL,
    only: "a sign-in that is overtaken",
  },
  {
    name: "V16: a user whose sign-in storage finished later is never reported as new",
    file: "src/sign_in/with_storage.ts",
    find: 'if (isNewUser) await emit(ctx.config, "createUser", { user }, ctx);',
    replace: 'if (plan.createUser) await emit(ctx.config, "createUser", { user }, ctx);',
    tests: OUTAGE,
  },
  {
    name: "V28, H18: storage is not asked whether a flow was finished before",
    file: "src/oauth/callback.ts",
    find: "if (await storage.once(`flow:${await sha256Hex(state)}`, expires)) return;",
    replace: "await storage.once(`flow:${await sha256Hex(state)}`, expires);\n  return;",
    tests: PARALLEL,
  },
  {
    name: "V15: a session of storage without its user is none",
    file: "src/config/records.ts",
    find: "return { session: required(parseSession(row.session)), user: required(parseUser(row.user)) };",
    replace: "const [session, user] = [parseSession(row.session), parseUser(row.user)];\n" +
      "  return session && user && { session, user };",
    tests: OUTAGE,
  },
  {
    name: "V15: an account of storage may be any record",
    file: "src/config/records.ts",
    find: '  parseText(row, "provider");\n  parseText(row, "providerAccountId");\n',
    replace: "",
    tests: STORAGE,
  },
  {
    name: "V60: an account with another key is taken from storage",
    file: "src/config/storage.ts",
    find: "row.providerAccountId === id && row.provider === provider",
    replace: "id !== provider && row.provider !== undefined",
    tests: STORAGE,
  },
  {
    name: "V15: a credential of storage may have any counter",
    file: "src/config/records.ts",
    find: "if (!Number.isInteger(row.counter)) throw",
    replace: "if (row.counter === null) throw",
    tests: STORAGE,
  },
  {
    name: "V60: a list of storage may hold what is somebody else's",
    file: "src/config/records.ts",
    find: "(parsed) => parsed.userId === userId",
    replace: "() => userId !== undefined",
    tests: STORAGE,
  },
  {
    name: "V67: a sign-out fails where storage tells oddly what it removed",
    file: "src/config/storage.ts",
    find: "    return parseSession(answer);\n  } catch {\n    return null;",
    replace: "    return parseSession(answer);\n  } catch (error) {\n    throw error;",
    tests: OUTAGE,
  },
  {
    name: "SES-6: a renewal that hangs takes the session with it",
    file: "src/stores/database_store.ts",
    find: "return withDeadline(runtime, timeouts.total * WRITE_SHARE, what, run);",
    replace: "return withDeadline(runtime, timeouts.total, what, run);",
    tests: OUTAGE,
    only: "a renewal that hangs",
  },
  {
    name: "SES-6: a row that cannot be removed after its end is waited for",
    file: "src/stores/database_store.ts",
    find: 'await withShortDeadline("an ended session to be removed", () => storage.deleteSession(token));',
    replace: "await storage.deleteSession(token);",
    tests: OUTAGE,
    only: "an expired row that cannot be removed",
  },
  {
    name: "KV-1: a key of exactly the greatest length is refused",
    file: "adapters/kv/store.ts",
    find: "<= LONGEST_KEY;",
    replace: "< LONGEST_KEY;",
    tests: KV,
    only: "denoKvAdapter() stores a key",
  },
  {
    name: "KV-2: an address that was cleared stays taken",
    file: "adapters/kv/records.ts",
    find: "    if (formerly) tx.delete(addressKey(formerly));",
    replace: "    if (formerly && user.email) tx.delete(addressKey(formerly));",
    tests: KV,
    only: "denoKvAdapter() frees an address",
  },
  {
    name: "V85: without transactions, a counter is raised from anywhere",
    file: "src/sign_in/steps.ts",
    find: "  if (found?.counter !== expect?.authenticator?.counter) return false;\n",
    replace: "",
    tests: ["tests/unit/sign_in/steps_test.ts"],
  },
  {
    name: "V26: without transactions, what is added while the address is being verified stays",
    file: "src/sign_in/steps.ts",
    find: "  if (plan.evict) await revoke(storage, plan.evict, passkeyProviders);\n  if (plan.linkAccount) {",
    replace: "  if (plan.linkAccount) {",
    tests: ["tests/unit/sign_in/steps_test.ts"],
  },
  {
    name: "V26: without transactions, an account of another user is evicted",
    file: "src/sign_in/steps.ts",
    find: "return keys.filter((_, index) => owners[index]?.id === userId);",
    replace: "return keys.filter((_, index) => owners[index]?.id !== undefined);",
    tests: ["tests/unit/sign_in/steps_test.ts"],
  },
  {
    name: "V26: without transactions, an address is freed only after the user who is to have it is made",
    file: "src/sign_in/steps.ts",
    find: "  if (plan.updateUser && freesAddress) await storage.updateUser(plan.updateUser);\n",
    replace: "",
    tests: ["tests/unit/sign_in/steps_test.ts"],
  },
];
