/**
 * What holds of stored rows at any moment, whoever wrote them. It looks at rows as they lie there, so that no adapter
 * can hide anything from it.
 *
 * @module
 */

/** A row as it lies there. */
export type Row = Readonly<Record<string, unknown>>;

/** Everything that is stored; instants as milliseconds since 1970. */
export interface Dump {
  readonly users: readonly Row[];
  readonly accounts: readonly Row[];
  readonly sessions: readonly Row[];
  readonly authenticators: readonly Row[];
  readonly tokens: readonly Row[];
}

/** What the rows are held to. */
export interface Rules {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The longest life of a session, in seconds. */
  readonly maxAge: number;
  /** Ids of users whom the application lets in by itself, so that they need no way in here. */
  readonly exempt?: readonly string[];
  /** Whether a user may be left for whom no account was made yet: their next sign-in finishes what was begun. */
  readonly unfinished?: boolean;
}

/** Lists what is wrong with the rows; nothing, if all is well. */
export function brokenRows(dump: Dump, rules: Rules): string[] {
  const { users, accounts, sessions, authenticators } = dump;
  const ids = new Set(users.map(({ id }) => id));
  const orphans = (name: string, rows: readonly Row[]) => {
    return rows.filter(({ userId }) => !ids.has(userId)).map((row) => `${name} of nobody: ${show(row)}`);
  };
  return [
    ...orphans("I1: account", accounts),
    ...orphans("I2: session", sessions),
    ...orphans("I3: authenticator", authenticators),
    ...(rules.unfinished ? [] : lockedOut(dump, rules)),
    ...duplicates(dump),
    ...sessions.filter(({ expires, sessionToken }) => {
      // The row of a sealed session outlives its token, which may be sealed again without it.
      const longest = rules.maxAge + (String(sessionToken).startsWith("sealed:") ? rules.maxAge : 0);
      return !(typeof expires === "number" && expires <= rules.now + longest * 1000);
    })
      .map((row) => `I9: session that lives too long: ${show(row)}`),
  ];
}

/** Lists what went backwards between two moments: what is verified stays verified, what counts only grows. */
export function brokenSteps(before: Dump, after: Dump): string[] {
  const steps = (name: keyof Dump, key: string, member: string) => {
    return before[name].flatMap((old) => {
      const row = after[name].find((row) => row[key] === old[key]);
      return row && old[member] !== null && !(Number(row[member]) >= Number(old[member])) ? [show(row)] : [];
    });
  };
  const verified = before.users.flatMap((old) => {
    const user = after.users.find(({ id }) => id === old.id);
    const moved = user && typeof old.emailVerified === "number" && user.emailVerified !== old.emailVerified;
    return moved ? [`I11: emailVerified moved: ${show(user)}`] : [];
  });
  return [
    ...verified,
    ...steps("authenticators", "credentialID", "counter").map((row) => `I10: counter went back: ${row}`),
    ...steps("sessions", "sessionToken", "expires").map((row) => `P9: session was shortened: ${row}`),
  ];
}

function lockedOut({ users, accounts, authenticators }: Dump, { exempt = [] }: Rules): string[] {
  const open = new Set([...accounts, ...authenticators].map(({ userId }) => userId));
  return users
    .filter(({ id, emailVerified }) => !open.has(id) && typeof emailVerified !== "number")
    .filter(({ id }) => !exempt.includes(String(id)))
    .map((user) => `I4: user without a way in: ${show(user)}`);
}

const UNIQUE: readonly (readonly [table: keyof Dump, columns: readonly string[]])[] = [
  ["users", ["id"]],
  ["users", ["email"]],
  ["accounts", ["provider", "providerAccountId"]],
  ["sessions", ["sessionToken"]],
  ["authenticators", ["credentialID"]],
  ["tokens", ["identifier", "token"]],
];

function duplicates(dump: Dump): string[] {
  return UNIQUE.flatMap(([table, columns]) => {
    const keys = dump[table]
      .filter((row) => columns.every((column) => row[column] !== null && row[column] !== undefined))
      .map((row) => JSON.stringify(columns.map((column) => column === "email" ? lower(row[column]) : row[column])));
    const twice = keys.filter((key, at) => keys.indexOf(key) !== at);
    return twice.map((key) => `I6: ${columns.join(" and ")} twice in ${table}: ${key}`);
  });
}

function lower(address: unknown): string {
  return String(address).toLowerCase();
}

function show(row: Row): string {
  return JSON.stringify(row);
}
