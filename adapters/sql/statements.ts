/**
 * The statements of the operations whose text does not depend on the record. The others are made in steps.ts.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { quoteName, TABLES } from "./schema.ts";
import type { EndingId, SqlStore } from "./store.ts";
import { selectList } from "./table.ts";

/** Texts of statements, by what they do. Those that delete return what they deleted. */
export type Statements = ReturnType<typeof statementsOf>;

/** Seconds that a row stays after its end: the clocks of several machines differ. */
export const SWEEP_GRACE = 24 * 60 * 60;

/** The most rows that one sweep removes from a table. */
const MOST_SWEPT = 100;

export function makeStatements(store: SqlStore): Statements {
  return statementsOf(store);
}

function statementsOf(store: SqlStore) {
  const { users, accounts, sessions, verificationTokens: tokens, authenticators } = store.tables;
  const isAccount = `"provider" = ? and "providerAccountId" = ?`;
  const isToken = `"identifier" = ? and "token" = ?`;
  return {
    userById: `select ${users.list} from ${users.sql} where "id" = ?`,
    userByEmail: `select ${users.list} from ${users.sql} where "email" = ?`,
    userByAccount: `select ${selectList(users, { alias: "u", first: 0 })} from ${accounts.sql} a` +
      ` join ${users.sql} u on u."id" = a."userId" where a."provider" = ? and a."providerAccountId" = ?`,
    deleteUser: `delete from ${users.sql} where "id" = ? returning ${users.list}`,

    accountByKey: `select ${accounts.list} from ${accounts.sql} where ${isAccount}`,
    accountsOfUser: `select ${accounts.list} from ${accounts.sql} where "userId" = ?`,
    deleteAccount: `delete from ${accounts.sql} where ${isAccount} returning ${accounts.list}`,
    deleteAccounts: (count: number) =>
      `delete from ${accounts.sql} where ${Array(count).fill(`(${isAccount})`).join(" or ")} returning 1 as "0"`,
    deleteAccountsOfUser: `delete from ${accounts.sql} where "userId" = ? returning 1 as "0"`,

    sessionByToken: `select ${sessions.list} from ${sessions.sql} where "sessionToken" = ?`,
    sessionAndUser: `select ${selectList(sessions, { alias: "s", first: 0 })},` +
      ` ${selectList(users, { alias: "u", first: sessions.width })} from ${sessions.sql} s` +
      ` join ${users.sql} u on u."id" = s."userId" where s."sessionToken" = ?`,
    sessionsOfUser: `select ${sessions.list} from ${sessions.sql} where "userId" = ?`,
    sessionsOfProvider: () => sessionsOfProvider(store),
    deleteSession: `delete from ${sessions.sql} where "sessionToken" = ? returning ${sessions.list}`,
    deleteSessionsOfUser: `delete from ${sessions.sql} where "userId" = ? returning 1 as "0"`,
    deleteOtherSessions: `delete from ${sessions.sql} where "userId" = ? and "sessionToken" <> ? returning 1 as "0"`,

    tokenByKey: `select ${tokens.list} from ${tokens.sql} where ${isToken}`,
    deleteToken: `delete from ${tokens.sql} where ${isToken} returning ${tokens.list}`,
    consumeToken: (count: number) =>
      `delete from ${tokens.sql} where "identifier" = ? and "token" in (${Array(count).fill("?").join(", ")})` +
      ` and "expires" > ${store.ends.verificationTokens.codec.placeholder} returning 1 as "0"`,

    authenticatorById: `select ${authenticators.list} from ${authenticators.sql} where "credentialID" = ?`,
    authenticatorsOfUser: `select ${authenticators.list} from ${authenticators.sql} where "userId" = ?`,
    countAuthenticators: `select count(*) as "0" from ${authenticators.sql} where "userId" = ?`,
    deleteAuthenticator: `delete from ${authenticators.sql} where "credentialID" = ? returning ${authenticators.list}`,
    deleteAuthenticatorsOfUser: `delete from ${authenticators.sql} where "userId" = ? returning 1 as "0"`,

    insertReplayGuard: insertReplayGuard(store),
    recordEnd: recordEnd(store),
    sweep: (id: EndingId) => sweep(store, id),
  };
}

function sessionsOfProvider({ tables: { sessions } }: SqlStore): string {
  if (!sessions.columns.has("provider") || !sessions.columns.has("providerSid")) {
    throw new AdapterError(
      `Cannot find sessions by the id that a provider has for them: table ${sessions.sql} has no columns "provider" and ` +
        '"providerSid": call migrate() once',
    );
  }
  return `select ${sessions.list} from ${sessions.sql} where "provider" = ? and "providerSid" = ?`;
}

/** Records a key, or records it again if the earlier record has ended. Answers with a row for the caller who recorded it. */
function insertReplayGuard({ ends: { onceMarks } }: SqlStore): string {
  const { sql, codec: { placeholder } } = onceMarks;
  return `insert into ${sql} as guard ("key", "expires") values (?, ${placeholder})` +
    ` on conflict ("key") do update set "expires" = excluded."expires" where guard."expires" <= ${placeholder}` +
    ` returning 1 as "0"`;
}

/** Records when sessions of a user were ended. A record of a later time stays. */
function recordEnd({ ends: { verificationTokens } }: SqlStore): string {
  const { sql, codec: { placeholder } } = verificationTokens;
  return `insert into ${sql} as known ("identifier", "token", "expires") values (?, ?, ${placeholder})` +
    ` on conflict ("identifier", "token") do update set "expires" = excluded."expires"` +
    ` where known."expires" < excluded."expires" returning 1 as "0"`;
}

/** Deletes rows that ended by both clocks, ours and the database's: one of them may be years ahead for a minute. */
function sweep({ ends, skip }: SqlStore, id: EndingId): string {
  const key = TABLES[id].key.map(quoteName).join(", ");
  const { sql, codec, ago } = ends[id];
  const ended = `"expires" <= ${codec.placeholder} and "expires" <= ${ago(SWEEP_GRACE)}`;
  // In the order of the index: without it, a database that expects many such rows reads the whole table for none.
  const rows = `select ${key} from ${sql} where ${ended} order by "expires" limit ${MOST_SWEPT}${skip}`;
  return `delete from ${sql} where (${key}) in (${rows}) returning 1 as "0"`;
}
