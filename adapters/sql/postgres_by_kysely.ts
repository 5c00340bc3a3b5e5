/**
 * A `Kysely` instance of the package `kysely`, whatever driver its dialect has.
 *
 * @module
 */
import type { Query } from "./postgres_prepared.ts";
import type { Row } from "./table.ts";
import type { KyselyInstance } from "./kysely_instance.ts";
import { otherDatabase, type Pool, unusable } from "./postgres_pool.ts";

/** What is used of it. */
interface Kysely {
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: readonly unknown[] }>;
  getExecutor(): { compileQuery(node: RawNode, queryId: CompiledQuery["queryId"]): { readonly sql: string } };
  transaction(): {
    setIsolationLevel(level: "read committed"): {
      execute<Result>(run: (transaction: Kysely) => Promise<Result>): Promise<Result>;
    };
  };
  withoutPlugins(): Kysely;
  readonly isTransaction?: boolean;
}

interface RawNode {
  readonly kind: "RawNode";
  readonly sqlFragments: readonly string[];
  readonly parameters: readonly object[];
}

interface CompiledQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly query: RawNode;
  readonly queryId: { readonly queryId: string };
}

/** @throws {InvalidConfig} if its dialect is not PostgreSQL's, or it is a transaction. */
export function kyselyPool(instance: KyselyInstance): Pool {
  // Declared loosely, so that each version fits.
  const given = instance as Kysely;
  if (given.isTransaction) throw unusable("this is a transaction of Kysely, which ends. Pass the `Kysely` instance");
  const dialect = dialectOf(given);
  if (dialect !== "postgres") throw otherDatabase("this Kysely instance", dialect);
  // A plugin could rename columns and tables, or convert values.
  const kysely = given.withoutPlugins();
  const query = kyselyQuery(kysely);
  return {
    query,
    prepared: query,
    transaction: async (run) => {
      const begin = kysely.transaction().setIsolationLevel("read committed");
      return await begin.execute((transaction) => run(kyselyQuery(transaction)));
    },
  };
}

/** How each dialect writes a parameter and a name. */
const WRITTEN: Readonly<Record<string, string>> = {
  '$1 "a"': "postgres",
  '? "a"': "sqlite",
  "? `a`": "mysql",
  '@1 "a"': "sqlserver",
};

// By what it writes: dialects of other packages have classes of their own, and bundlers rename classes.
function dialectOf(kysely: Kysely): string {
  const parameters = [{ kind: "ValueNode", value: "" }, { kind: "IdentifierNode", name: "a" }];
  const node = { kind: "RawNode", sqlFragments: ["", " ", ""], parameters } as const;
  const { sql } = kysely.getExecutor().compileQuery(node, { queryId: "" });
  return WRITTEN[sql] ?? "another database";
}

function kyselyQuery(kysely: Pick<Kysely, "executeQuery">): Query {
  return async (sql, parameters) => {
    const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] } as const;
    const { rows } = await kysely.executeQuery({ sql, parameters, query, queryId: { queryId: "" } });
    return rows as readonly Row[];
  };
}
