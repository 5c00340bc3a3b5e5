import type { Mutant } from "./_mutant.ts";

const ROWS = ["tests/unit/stores/sealed_rows_test.ts"];
const ADOPT = ["tests/unit/stores/adopt_test.ts"];
const LIST = ["tests/unit/session/user_sessions_test.ts"];
const MODEL = ["tests/security/ended_sessions_test.ts"];
const MEMORY = ["tests/unit/adapters/memory_test.ts"];

/** Sessions that are ended: who is out, who stays, and what is looked up. */
export const endedSessions: readonly Mutant[] = [
  {
    name: "END-1: the key of a sealed session's row opens a stored session",
    file: "src/stores/database_store.ts",
    find: " && !token.startsWith(SEALED_PREFIX)",
    replace: "",
    tests: ROWS,
  },
  {
    name: "END-2: a look-up counts for ever",
    file: "src/stores/look_up.ts",
    find: "time > now - seconds * 1000",
    replace: "time > 0",
    tests: ROWS,
  },
  {
    name: "END-2: a session is looked up at every read",
    file: "src/stores/look_up.ts",
    find: "const time = Math.max(last, own?.seenAt ?? 0);",
    replace: "const time = -1;",
    tests: ROWS,
  },
  {
    name: "END-2: each of many requests looks up for itself",
    file: "src/stores/look_up.ts",
    find: "if (other && counts(",
    replace: "if (other === null && counts(",
    tests: ROWS,
  },
  {
    name: "END-2: a time in the future counts as a look-up",
    file: "src/stores/look_up.ts",
    find: "return time <= now && time",
    replace: "return time",
    tests: ROWS,
  },
  {
    name: "END-3: a session without its row goes on",
    file: "src/stores/rows.ts",
    find: "return row !== null && row !== undefined && row.ended",
    replace: "return row === null || row === undefined || row.ended",
    tests: MODEL,
  },
  {
    name: "END-3: a session that this process has ended goes on until the bound",
    file: "src/stores/rows.ts",
    find: "  if (key.startsWith(SEALED_PREFIX)) lookUps.end(key);",
    replace: "",
    tests: ROWS,
  },
  {
    name: "END-3: all sessions that this process has ended go on until the bound",
    file: "src/session/user_sessions.ts",
    find:
      "  for (const { sessionToken } of rows) storage.lookUps.end(sessionToken);\n  storage.lookUps.distrust(userId, config.runtime.now());",
    replace: "",
    tests: ROWS,
  },
  {
    name: "END-4: a renewal brings back a session that was ended meanwhile",
    file: "src/stores/sealed_rows.ts",
    find: "return isLiveRow(row, now) ? id : null;",
    replace: "return id;",
    tests: ROWS,
  },
  {
    name: "END-4: a renewal does not extend the row",
    file: "src/stores/sealed_rows.ts",
    find: "{ sessionToken, expires: new Date(now + lifetime) }",
    replace: "{ sessionToken }",
    tests: ROWS,
  },
  {
    name: "END-4: a row ends before its token",
    file: "src/stores/sealed_rows.ts",
    find: "Math.min(session.maxAge, jwt.maxAge) * 1000 + extendAfter",
    replace: "Math.min(session.maxAge, jwt.maxAge) * 1000",
    tests: ROWS,
  },
  {
    name: "END-5: a jwt callback chooses the row of the session",
    file: "src/stores/jwt_store.ts",
    find: "return rows && chosen ? { ...chosen, auth_session } : chosen as JWT | null;",
    replace: "return chosen as JWT | null;",
    tests: ROWS,
  },
  {
    name: "END-6: signing out leaves the row of a sealed session",
    file: "src/stores/jwt_store.ts",
    find: "      if (token) await rows?.end(token);\n",
    replace: "",
    tests: ROWS,
  },
  {
    name: "END-6: signing in again leaves the session before",
    file: "src/stores/sealed_rows.ts",
    find: "if (replaced) await tryWriting",
    replace: "if (replaced === undefined) await tryWriting",
    tests: ROWS,
  },
  {
    name: "END-6: the row of a sign-in that the jwt callback stopped stays",
    file: "src/sign_in/session.ts",
    find: "if (!prepared && owner.row) await removeQuietly",
    replace: "if (owner.row === null) await removeQuietly",
    tests: ["tests/stories/ended_sessions_test.ts"],
  },
  {
    name: "END-7: while storage is down a sealed session is taken for ended",
    file: "src/stores/look_up.ts",
    find: "throw cause instanceof AdapterError ? cause : new AdapterError",
    replace: "return false; throw cause instanceof AdapterError ? cause : new AdapterError",
    tests: ROWS,
  },
  {
    name: "END-8: the old cookie of a session that was ended gets another row",
    file: "src/stores/rows.ts",
    find:
      "if (isAdopted(key)) await updateSession({ sessionToken: key, ended: true });\n  else await deleteSession(key);",
    replace: "await deleteSession(key);",
    tests: ADOPT,
  },
  {
    name: "END-8: a session from before outlives the end of all",
    file: "src/stores/rows.ts",
    find: 'return !(typeof time === "number" && time * 1000 > new Date(sessionsEndedAt).getTime());',
    replace: "return false;",
    tests: ADOPT,
  },
  {
    name: "END-8: a session from before outlives the proof that its user is somebody else's",
    file: "src/stores/rows.ts",
    find: "if ((security_stamp ?? id) !== (securityStamp ?? id)) return true;",
    replace: "",
    tests: ADOPT,
  },
  {
    name: "END-8: a row that was made while all sessions were ended stays",
    file: "src/stores/adopt.ts",
    find: "if (!made || !isSealedBefore(claims, made.user)) return id;",
    replace: "if (made || userId) return id;",
    tests: ADOPT,
  },
  {
    name: "END-8: a session from before takes the row of somebody else",
    file: "src/stores/adopt.ts",
    find: "if (known.session.userId !== userId) return undefined;",
    replace: "",
    tests: ADOPT,
  },
  {
    name: "END-9: the id of a session is enough to end that of somebody else",
    file: "src/service/session_actions.ts",
    find: "revokeSession(config, id, signedIn.userId)",
    replace: "revokeSession(config, id)",
    tests: LIST,
  },
  {
    name: "END-9: another site ends sessions",
    file: "src/service/session_actions.ts",
    find: "    if (act !== null) assertOwnSite(ctx, act);\n",
    replace: "",
    tests: LIST,
  },
  {
    name: "END-9: an id that was made up ends a session",
    file: "src/session/user_sessions.ts",
    find: "if (sameText(await idOf(secret, row), id)) return row;",
    replace: 'if ((await idOf(secret, row)).split(".")[1] === id.split(".")[1]) return row;',
    tests: LIST,
  },
  {
    name: "END-10: a provider ends sessions of another one",
    file: "adapters/memory.ts",
    find: "row.provider === provider && row.providerSid === sid",
    replace: "row.providerSid === sid",
    tests: MEMORY,
  },
  {
    name: "END-10: the record of another provider's session is believed",
    file: "src/config/records.ts",
    find: "(parsed) => parsed.provider === provider && parsed.providerSid === sid",
    replace: "() => provider !== sid",
    tests: ["tests/unit/config/storage_test.ts"],
  },
  {
    name: "END-11: a session that was ended elsewhere adds an account until the bound",
    file: "src/sign_in/current.ts",
    find: "return isLiveRow(found?.session, runtime.now()) && found ? found.user : null;",
    replace:
      'return isLiveRow(found?.session, runtime.now()) && found ? found.user : await storage.getUser(claims.sub ?? "");',
    tests: ["tests/stories/ended_sessions_test.ts"],
  },
  {
    name: "END-11: a session that ends while an account is added adds it",
    file: "src/sign_in/current.ts",
    find: "return { user, sessionToken: hasRow ? rowKeyOf(active) : null };",
    replace: 'return { user, sessionToken: active.strategy === "database" && hasRow ? rowKeyOf(active) : null };',
    tests: ["tests/stories/ended_sessions_test.ts"],
  },
];
