/**
 * What errors of MySQL, MariaDB and their drivers mean: which are retried, and which constraint was broken.
 *
 * @module
 */
import type { Constraint } from "./adapter.ts";
import { codeOf } from "./postgres_errors.ts";
import { MOST_RETRIES } from "./retries.ts";

/** Errors after which a transaction did not happen, because it collided with another one. */
const COLLISIONS: readonly unknown[] = [
  1020, // the row was changed since it was read
  1213, // deadlock
  3101, // rolled back during the commit, by a group of servers
  "P2034", // one of these, as Prisma says it
];

/** The server has waited for a lock for as long as its settings say. */
const LOCK_WAIT_TIMEOUT = 1205;

/** There was no connection, so nothing happened. */
const UNREACHED: readonly unknown[] = ["ECONNREFUSED", "ERR_MYSQL_CONNECTION_REFUSED", "P1001", 1040, 1203];

/** How the server, the network and the drivers say that a connection ended. */
const LOST: readonly unknown[] = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "PROTOCOL_CONNECTION_LOST",
  "PROTOCOL_SEQUENCE_TIMEOUT",
  "ER_SOCKET_UNEXPECTED_CLOSE",
  1053, // the server is shutting down
  1927, // somebody ended the connection
  2006,
  2013,
  4031, // it was idle for too long
  45009, // these are of the package `mariadb`, which Prisma uses
  45013,
  "P1001",
  "P1017",
  "ERR_MYSQL_CONNECTION_CLOSED", // Bun's `SQL`
];

/** The most retries after an error. */
export function mostRetries(error: unknown, repeatable: boolean): number {
  if (isOneOf(COLLISIONS, error)) return MOST_RETRIES.collided;
  const didNotHappen = numberOf(error) === LOCK_WAIT_TIMEOUT || isOneOf(UNREACHED, error);
  const mayRetry = didNotHappen || (repeatable && isConnectionLost(error));
  return mayRetry ? MOST_RETRIES.lost : 0;
}

/** Whether the connection was lost. */
export function isConnectionLost(error: unknown): boolean {
  if (isOneOf(LOST, error)) return true;
  // `mysql2` has no code for this one.
  return error instanceof Error && /connection is in closed state|Connection is closed/i.test(error.message);
}

/** A table or column is missing: the tables were changed meanwhile. */
export function isTablesChanged(error: unknown): boolean {
  return isOneOf([1146, 1054, 1176], error);
}

/** Whether a row of the same key exists. */
export function isDuplicate(error: unknown): boolean {
  return numberOf(error) === 1062;
}

export function constraintOf(error: unknown): Constraint | null {
  if (isDuplicate(error)) return "unique";
  return isOneOf([1216, 1452], error) ? "foreign key" : null;
}

function isOneOf(known: readonly unknown[], error: unknown): boolean {
  return known.includes(codeOf(error)) || known.includes(numberOf(error));
}

/** The number of an error of the server. Prisma has it as text, in what it says about the error. */
function numberOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if ("errno" in error && typeof error.errno === "number") return error.errno;
  const meta = Object("meta" in error ? error.meta : undefined);
  // Prisma throws the error of a driver adapter as it is if it comes from a commit.
  const ofDriver = error.name === "DriverAdapterError" ? error : Object(meta.driverAdapterError);
  const code: unknown = Object(ofDriver.cause).originalCode ?? meta.code;
  return typeof code === "string" && /^\d{4,5}$/.test(code) ? Number(code) : null;
}
