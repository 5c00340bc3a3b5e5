import type { Mutant } from "./_mutant.ts";

const SERVER = ["tests/unit/adapters/mysql_server_test.ts"];
const CONTEST = ["tests/unit/adapters/mysql_contest_test.ts"];
const DATABASE = ["tests/unit/adapters/sql/mysql_database_test.ts"];
const DRIVER = ["tests/unit/adapters/sql/mysql_driver_test.ts"];
const PLANS = ["tests/unit/adapters/mysql_plans_test.ts"];
const WRITES = "adapters/sql/mysql_writes.ts";
const CODECS = "adapters/sql/mysql_codecs.ts";
const PRISMA = "adapters/sql/mysql_by_prisma.ts";
const INFORMATION = "adapters/sql/mysql_information.ts";
const CATALOGUE = "adapters/sql/mysql_catalogue.ts";

/** What MySQL and MariaDB do not do by themselves. */
export const mysql: readonly Mutant[] = [
  {
    name: "MYS-1: a token is whatever the collation of its column takes for the same",
    file: "adapters/sql/mysql_store.ts",
    find: "return `(${sql} = ? and cast(${bytes} as binary) = cast(?^ as binary))`;",
    replace: "return bytes && `(${sql} = ?)`;",
    tests: SERVER,
  },
  {
    name: "MYS-1: what is longer than its column is stored without its end",
    file: CODECS,
    find: "if (long) {",
    replace: "if (long && type === undefined) {",
    tests: SERVER,
  },
  {
    name: "MYS-1: a character that a charset does not have is stored as another one",
    file: CODECS,
    find: "if (charset !== null && ",
    replace: "if (charset === undefined && ",
    tests: SERVER,
  },
  {
    name: "MYS-1: an address that a user must have is stored as an empty text",
    file: WRITES,
    find: "param === null && isRequired(table.sql, sql)",
    replace: "param === undefined && isRequired(table.sql, sql)",
    tests: SERVER,
  },
  {
    name: "MYS-1: values are written into the text of a statement with backslashes",
    file: "adapters/sql/mysql_literals.ts",
    find: "`_utf8mb4 x'${toHex(utf8(value))}'`",
    replace: "toHex(utf8(value)) && `'${value.replaceAll(\"'\", \"\\\\'\")}'`",
    tests: DRIVER,
  },
  {
    name: "MYS-1: Prisma escapes values in the text of a statement",
    file: PRISMA,
    find: "withLiterals(sql, params, needsNoEscape)",
    replace: "withLiterals(sql, params, (value) => needsNoEscape(value) || true)",
    tests: DRIVER,
  },
  {
    name: "MYS-1: values are in the text of a statement, which Prisma logs",
    file: PRISMA,
    find: "withLiterals(sql, params, needsNoEscape)",
    replace: "withLiterals(sql, params, (value) => needsNoEscape(value) && false)",
    tests: DRIVER,
  },
  {
    name: "MYS-1: text of a binary collation is read as bytes",
    file: CODECS,
    find: 'read: asText,\n  placeholder: "?",\n  encode: encodeText,',
    replace: 'read: (column) => column,\n  placeholder: "?",\n  encode: encodeText,',
    tests: DATABASE,
  },
  {
    name: "MYS-1: errors of a driver quote the values of a statement",
    file: "adapters/sql/mysql_kysely.ts",
    find: 'error instanceof Error && "sql" in error ? Object.assign(error, { sql }) : error',
    replace: "error",
    tests: DRIVER,
  },
  {
    name: "MYS-2: a time for which the clock of a session has no name is refused",
    file: CODECS,
    find: "isTimestamp ? `from_unixtime(unix_timestamp(${codec.placeholder}))` : codec.placeholder",
    replace: "codec.placeholder",
    tests: SERVER,
  },
  {
    name: "MYS-2: an end of sessions is stored as an earlier one",
    file: CODECS,
    find: "Math.ceil(encodeTimestamp(value) / unit)",
    replace: "Math.floor(encodeTimestamp(value) / unit)",
    tests: SERVER,
  },
  {
    name: "MYS-2: a connection reads what was true when it read for the first time",
    file: INFORMATION,
    find: 'const problem = autocommit === "0"',
    replace: 'const problem = autocommit === ""',
    tests: SERVER,
  },
  {
    name: "MYS-2: a date changes whenever its row does",
    file: CATALOGUE,
    find: "if (column.changesAlone) {",
    replace: "if (column.changesAlone && !column.name) {",
    tests: SERVER,
  },
  {
    name: "MYS-3: a token is used by all who have read it",
    file: WRITES,
    find: "where ${sql}${LOCK}`, params };\n    if (row)",
    replace: "where ${sql}`, params };\n    if (row)",
    tests: CONTEST,
  },
  {
    name: "MYS-3: an earlier end of sessions replaces a later one",
    file: WRITES,
    find: "if (Number(found[0]) === 0) return false;",
    replace: "",
    tests: CONTEST,
  },
  {
    name: "MYS-3: a duplicate is no error, wherever it occurs",
    file: "adapters/sql/mysql_database.ts",
    find: "if (orDuplicate && isDuplicate(error)) return [];",
    replace: "if (isDuplicate(error)) return orDuplicate ? [] : [];",
    tests: DATABASE,
  },
  {
    name: "MYS-3: transactions have the isolation that the server likes",
    file: "adapters/sql/mysql_pool.ts",
    find: '["set transaction isolation level read committed", "start transaction"]',
    replace: '["start transaction"]',
    tests: DATABASE,
  },
  {
    name: "MYS-3: a sweep waits for rows that others have locked",
    file: WRITES,
    find: "limit ${most}${LOCK} skip locked`",
    replace: "limit ${most}${LOCK}`",
    tests: PLANS,
  },
  {
    name: "MYS-4: a transaction whose commit may have happened is repeated",
    file: "adapters/sql/mysql_pool.ts",
    find: "throw isConnectionLost(error) ? new CommitUnknown(error) : error;",
    replace: "throw isConnectionLost(error) && error === null ? new CommitUnknown(error) : error;",
    tests: DATABASE,
  },
  {
    name: "MYS-4: a deadlock is an error",
    file: "adapters/sql/mysql_retries.ts",
    find: "  1213, // deadlock\n",
    replace: "",
    tests: DATABASE,
  },
  {
    name: "MYS-4: a connection goes back into the pool in the middle of a transaction",
    file: "adapters/sql/mysql_driver.ts",
    find: "usable = await isRolledBack(connection);",
    replace: "usable = await isRolledBack(connection) || usable;",
    tests: DRIVER,
  },
  {
    name: "MYS-4: a commit of Prisma that may have happened is repeated",
    file: PRISMA,
    find: "if (isDone) await committed(() => Promise.reject(error));",
    replace: "if (isDone) await committed(() => Promise.resolve(error));",
    tests: DRIVER,
  },
  {
    name: "MYS-4: what Prisma says of a deadlock or a lost connection is an error",
    file: "adapters/sql/mysql_retries.ts",
    find: "Object(ofDriver.cause).originalCode ?? meta.code",
    replace: "ofDriver.originalCode ?? meta.code",
    tests: DATABASE,
  },
  {
    name: "MYS-4: a connection of Bun does not go back into the pool",
    file: "adapters/sql/mysql_by_bun.ts",
    find: "const connection = await source.reserve();",
    replace: "const connection = Object.assign(await source.reserve(), { release: () => {} });",
    tests: DRIVER,
  },
  {
    name: "MYS-5: tables of another database are looked for in that of the connection",
    file: INFORMATION,
    find: 'const schema = database === undefined ? "database()" : "?";',
    replace: 'const schema = database === undefined ? "database()" : "coalesce(database(), ?)";',
    tests: SERVER,
  },
  {
    name: "MYS-5: rows are written to the table of that name in the database of the connection",
    file: "adapters/sql/mysql_names.ts",
    find: "return database === undefined ? quote(names[id])",
    replace: "return database === undefined || id ? quote(names[id])",
    tests: SERVER,
  },
  {
    name: "MYS-5: a time that Prisma fills has the time zone of the session",
    file: "adapters/sql/prisma_names.ts",
    find: 'const isZoned = dialect !== "sqlite" &&',
    replace: 'const isZoned = dialect === "unknown" &&',
    tests: ["tests/unit/adapters/sql/prisma_names_test.ts"],
  },
];
