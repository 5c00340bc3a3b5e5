/**
 * The statements of the operations whose text does not depend on the record. The others are made in steps.ts.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import type { SqlStore } from "./store.ts";
import { selectList, type Table } from "./table.ts";

/** Texts of statements, by what they do. */
export type Statements = ReturnType<typeof statementsOf>;

export function makeStatements(store: SqlStore): Statements {
  return statementsOf(store);
}

/** Compares columns with parameters. */
export function isEqual(table: Table, members: readonly string[], prefix?: string): string {
  return members.map((member) => table.column(member).isEqual(prefix)).join(" and ");
}

function statementsOf({ tables, writes: { returning } }: SqlStore) {
  const { users, accounts, sessions, verificationTokens: tokens, authenticators } = tables;
  const select = (table: Table, ...by: string[]) =>
    `select ${table.list} from ${table.sql} where ${isEqual(table, by)}`;
  const removeAll = (table: Table, condition: string) => `delete from ${table.sql} where ${condition}${returning}`;
  const withUser = (table: Table) =>
    ` from ${table.sql} t join ${users.sql} u on u.${users.column("id").sql} = t.${table.column("userId").sql}`;
  return {
    userById: select(users, "id"),
    userByEmail: select(users, "email"),
    userByAccount: `select ${selectList(users, { alias: "u", first: 0 })}${withUser(accounts)}` +
      ` where ${isEqual(accounts, ["provider", "providerAccountId"], "t.")}`,

    accountByKey: select(accounts, "provider", "providerAccountId"),
    accountsOfUser: select(accounts, "userId"),
    deleteAccounts: (count: number) => {
      const isAccount = `(${isEqual(accounts, ["provider", "providerAccountId"])})`;
      return removeAll(accounts, Array(count).fill(isAccount).join(" or "));
    },
    deleteTheirAccount: removeAll(accounts, isEqual(accounts, ["provider", "providerAccountId", "userId"])),
    deleteAccountsOfUser: removeAll(accounts, isEqual(accounts, ["userId"])),

    sessionByToken: select(sessions, "sessionToken"),
    sessionAndUser: `select ${selectList(sessions, { alias: "t", first: 0 })},` +
      ` ${selectList(users, { alias: "u", first: sessions.width })}${withUser(sessions)}` +
      ` where ${isEqual(sessions, ["sessionToken"], "t.")}`,
    sessionsOfUser: select(sessions, "userId"),
    sessionsOfProvider: () => {
      assertKnowsProvider(sessions);
      return select(sessions, "provider", "providerSid");
    },
    deleteSessionsOfUser: removeAll(sessions, isEqual(sessions, ["userId"])),
    deleteOtherSessions: removeAll(
      sessions,
      `${isEqual(sessions, ["userId"])} and not (${isEqual(sessions, ["sessionToken"])})`,
    ),

    tokenByKey: select(tokens, "identifier", "token"),
    consumeToken: (count: number) => {
      const isOneOf = Array(count).fill(isEqual(tokens, ["token"])).join(" or ");
      const { sql, codec } = tokens.column("expires");
      return removeAll(tokens, `${isEqual(tokens, ["identifier"])} and (${isOneOf}) and ${sql} > ${codec.placeholder}`);
    },

    authenticatorById: select(authenticators, "credentialID"),
    authenticatorsOfUser: select(authenticators, "userId"),
    countAuthenticators: `select count(*) as "0" from ${authenticators.sql} where ${
      isEqual(authenticators, ["userId"])
    }`,
    deleteTheirAuthenticator: removeAll(authenticators, isEqual(authenticators, ["credentialID", "userId"])),
    deleteAuthenticatorsOfUser: removeAll(authenticators, isEqual(authenticators, ["userId"])),
  };
}

function assertKnowsProvider(sessions: Table): void {
  if (sessions.columns.has("provider") && sessions.columns.has("providerSid")) return;
  throw new AdapterError(
    `Cannot find sessions by the id that a provider has for them: table ${sessions.sql} has no columns "provider" and ` +
      '"providerSid": call migrate() once',
  );
}
