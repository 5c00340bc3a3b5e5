import type { Mutant } from "./_mutant.ts";

const DRIZZLE = ["tests/unit/adapters/sql/drizzle_names_test.ts"];
const CHOSEN = ["tests/unit/adapters/chosen_columns_test.ts"];
const NAMING = ["tests/unit/adapters/sql/table_naming_test.ts"];
const PRISMA = ["tests/unit/adapters/sql/prisma_names_test.ts"];

/** Which tables of a client hold users, accounts and sessions. */
export const clientNames: readonly Mutant[] = [
  {
    name: "CLN-1: a table of the application that is called accounts is taken for that of sign-ins",
    file: "adapters/sql/drizzle_names.ts",
    find: "const fits = schema.filter(([, table]) => mayBe(id, table));",
    replace: "const fits = schema;",
    tests: DRIZZLE,
  },
  {
    name: "CLN-1: where a client has users under another name, empty ones are made beside them",
    file: "adapters/sql/prisma_names.ts",
    find: "if (!tables.users) throw new InvalidConfig(NO_USERS);",
    replace: "",
    tests: PRISMA,
  },
  {
    name: "CLN-1: where a client has accounts under another name, empty ones are made beside them",
    file: "adapters/sql/found_names.ts",
    find: "if (users && !accounts) {",
    replace: "if (users && accounts === null) {",
    tests: [...DRIZZLE, ...PRISMA],
  },
  {
    name: "CLN-1: the tables of several applications in one database are those of one",
    file: "adapters/sql/found_names.ts",
    find: "foundTable(id, { name: prefix + defaults[id], schema: users?.schema })",
    replace: "foundTable(id, { name: defaults[id] })",
    tests: DRIZZLE,
  },
  {
    name: "CLN-2: the name of a table reaches statements unchecked",
    file: "adapters/sql/table_naming.ts",
    find: "    assertName(names[id], chosen.name === undefined ? ofClient : `option \\`tables.${id}\\``);\n",
    replace: "",
    tests: NAMING,
  },
  {
    name: "CLN-2: the name of a schema reaches statements unchecked",
    file: "adapters/sql/table_naming.ts",
    find: "    if (schemas?.[id] !== undefined) assertName(schemas[id], ofClient);\n",
    replace: "",
    tests: NAMING,
  },
  {
    name: "CLN-2: the name of a column reaches statements unchecked",
    file: "adapters/sql/table_naming.ts",
    find: "      assertColumnName(column, isChosen ? `option \\`tables.${id}.columns\\`` : ofClient);\n",
    replace: "",
    tests: NAMING,
  },
  {
    name: "CLN-2: a part of a quoted schema of Kysely is taken for its name",
    file: "adapters/sql/kysely_names.ts",
    find: 'const QUOTED = /"(?:[^"]|"")+"|`(?:[^`]|``)+`/g;',
    replace: 'const QUOTED = /"[^"]+"|`[^`]+`/g;',
    tests: NAMING,
  },
  {
    name: "CLN-2: a name ends the block of a printed statement",
    file: "adapters/sql/postgres_schema.ts",
    find: "for (let at = 1; body.includes(tag); at += 1)",
    replace: "for (let at = 1; body === tag; at += 1)",
    tests: CHOSEN,
  },
  {
    name: "CLN-2: a name ends a text in a statement",
    file: "adapters/sql/postgres_schema.ts",
    find: 'text.replaceAll("\'", "\'\'")',
    replace: "text",
    tests: CHOSEN,
  },
  {
    name: "CLN-2: a name of a column ends the query for its duplicates",
    file: "adapters/sql/mysql_catalogue.ts",
    find: "duplicatesQuery(qualifiedName(naming, id), columns.map(quote))",
    replace: "duplicatesQuery(qualifiedName(naming, id), columns.map((column) => `\\`${column}\\``))",
    tests: CHOSEN,
  },
  {
    name: "CLN-2: a column that is missing is made under the name of its member",
    file: "adapters/sql/column_names.ts",
    find: "?.name ?? columns?.[id]?.get(member) ?? member;",
    replace: "?.name ?? member;",
    tests: CHOSEN,
    only: "sqliteAdapter()",
  },
  {
    name: "CLN-2: what looks like an attribute in a comment or a text of a schema is taken for one",
    file: "adapters/sql/prisma_names.ts",
    find: 'return found.startsWith(\'"\') ? `"${texts.push(found.slice(1, -1)) - 1}"` : "";',
    replace: 'return found.startsWith(\'"\') ? `"${texts.push(found.slice(1, -1)) - 1}"` : found;',
    tests: PRISMA,
  },
  {
    name: "CLN-3: dates are written as milliseconds into a column of seconds",
    file: "adapters/sql/drizzle_names.ts",
    find: "if (dates.includes(member) && isInSeconds(column))",
    replace: "if (dates.includes(member) && isInSeconds(null))",
    tests: DRIZZLE,
  },
];
