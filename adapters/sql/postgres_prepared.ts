/**
 * Prepared statements on PostgreSQL: planning a statement takes the server longer than running it.
 *
 * @module
 */
import { sha256Hex } from "../../src/crypto/digest.ts";
import { codeOf } from "./postgres_errors.ts";
import type { Row } from "./table.ts";

/** Runs a statement and gives its rows. */
export type Query = (sql: string, params: readonly (string | null)[]) => Promise<readonly Row[]>;

/** Runs a statement that the connection prepares under a name, unless it has done so before. */
export type NamedQuery = (name: string, sql: string, params: readonly (string | null)[]) => ReturnType<Query>;

/** The most statements that are prepared. Each connection keeps them, so others are sent as they are. */
const MOST_NAMES = 128;

/**
 * There is no statement of this name, another one of this name, or one whose tables have changed. All three fail before
 * anything is done.
 */
const UNUSABLE: readonly unknown[] = ["26000", "42P05", "0A000"];

/** A statement of a transaction could not be prepared, which ended the transaction. The next one prepares nothing. */
export class Unprepared extends Error {}

/** Prepares statements on the connections of one pool. */
export interface Preparing {
  /** Statements that stand alone. */
  alone(query: Query, named: NamedQuery): Query;
  /** Statements of a transaction. @throws {Unprepared} if the transaction has to begin again. */
  within(query: Query, named: NamedQuery): Query;
}

/**
 * Prepares statements, until that fails for the first time: a pooler that gives every transaction another connection may
 * not know which connection has which statement.
 */
export function makePreparing(): Preparing {
  const names = new Map<string, Promise<string>>();
  let works = true;
  const preparing = (query: Query, named: NamedQuery, orElse: (error: unknown) => Query): Query => {
    return async (sql, params) => {
      const known = names.get(sql);
      if (!works || (!known && names.size >= MOST_NAMES)) return await query(sql, params);
      const name = known ?? nameOf(sql);
      names.set(sql, name);
      try {
        return await named(await name, sql, params);
      } catch (error) {
        if (!UNUSABLE.includes(codeOf(error))) throw error;
        works = false;
        return await orElse(error)(sql, params);
      }
    };
  };
  return {
    alone: (query, named) => preparing(query, named, () => query),
    within: (query, named) =>
      preparing(query, named, (error) => {
        throw new Unprepared("Cannot prepare a statement", { cause: error });
      }),
  };
}

// From the text, so that all programs that share a connection of a pooler use the same name for a statement.
async function nameOf(sql: string): Promise<string> {
  return `x_auth_${(await sha256Hex(sql)).slice(0, 40)}`;
}
