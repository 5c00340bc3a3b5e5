import type { Mutant } from "./_mutant.ts";

const DRIZZLE = ["tests/unit/adapters/sql/drizzle_names_test.ts"];
const KYSELY = ["tests/unit/adapters/sql/kysely_names_test.ts"];
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
    file: "adapters/sql/found_names.ts",
    find: "name: assertName(name),",
    replace: "name,",
    tests: [...DRIZZLE, ...KYSELY, ...PRISMA],
  },
  {
    name: "CLN-2: the name of a column reaches statements unchecked",
    file: "adapters/sql/found_names.ts",
    find: "[member, assertName(column)]",
    replace: "[member, column]",
    tests: DRIZZLE,
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
