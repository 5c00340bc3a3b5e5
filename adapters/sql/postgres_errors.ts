/**
 * What errors of PostgreSQL say, whatever connection they came through.
 *
 * @module
 */
import { MOST_RETRIES } from "./retries.ts";

/** How an error may look. All of it is somebody else's word. */
interface Given {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly meta?: unknown;
  readonly cause?: unknown;
}

/** Five characters, which the codes of Prisma have as well. */
const SQLSTATE = /^(?!P[1-9])[0-9A-Z]{5}$/;

/** The code of an error: that of the database if there is one, otherwise that of the driver or the network. */
export function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  const { code, errno, meta, cause }: Given = error;
  if (isSqlState(code)) return code;
  // Bun's `SQL`.
  if (isSqlState(errno)) return errno;
  // Prisma puts it into `meta`, or throws the error of its driver adapter as it is.
  const wrapped = member(meta, "driverAdapterError");
  const inner = wrapped === undefined && error.name === "DriverAdapterError" ? cause : member(wrapped, "cause");
  return [member(meta, "code"), member(inner, "originalCode")].find(isSqlState) ?? member(inner, "kind") ?? code;
}

function isSqlState(code: unknown): boolean {
  return typeof code === "string" && SQLSTATE.test(code);
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** The server's word that a transaction collided with another, and Prisma's: it did not happen. */
const COLLISIONS: readonly unknown[] = ["40001", "40P01", "TransactionWriteConflict", "P2034"];

/** Whether a transaction collided with another and did not happen. */
export function isCollision(error: unknown): boolean {
  return COLLISIONS.includes(codeOf(error));
}

/** There was no connection. */
const UNREACHED: readonly unknown[] = [
  "57P03",
  "ECONNREFUSED",
  "ERR_POSTGRES_CONNECTION_REFUSED",
  "DatabaseNotReachable",
  "P1001",
];

/** Whether there was no connection, so that nothing happened. */
export function isUnreached(error: unknown): boolean {
  return UNREACHED.includes(codeOf(error));
}

/** How the server, the network and the drivers say that a connection ended, or a transaction with an unknown outcome. */
const LOST: readonly unknown[] = [
  "40003",
  "57P01",
  "57P02",
  "ECONNRESET",
  "EPIPE",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "ERR_POSTGRES_CONNECTION_CLOSED",
  "ConnectionClosed",
  "P1017",
];

/** The same where there is no code: `pg`, and Prisma's engine of earlier versions. */
const LOST_MESSAGE = /^Connection terminated|connection error and is not queryable|kind: Closed/;

/** Whether the connection was lost. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (LOST.includes(code) || isUnreached(error) || (typeof code === "string" && /^08...$/.test(code))) return true;
  return error instanceof Error && LOST_MESSAGE.test(error.message);
}

/** Whether the server itself refused what was asked, and nothing of the transaction happened. */
export function isRefused(error: unknown): boolean {
  return isCollision(error) || (isSqlState(codeOf(error)) && !isConnectionLost(error));
}

/** Undefined function, unsupported feature, syntax error. */
const LACKING: readonly unknown[] = ["42883", "0A000", "42601"];

/** Whether the server is one that speaks like PostgreSQL and does not have what was asked for. */
export function isLacking(error: unknown): boolean {
  return LACKING.includes(codeOf(error));
}

/** The most retries after an error. */
export function mostRetries(error: unknown, repeatable: boolean): number {
  if (isCollision(error)) return MOST_RETRIES.collided;
  return isUnreached(error) || (repeatable && isConnectionLost(error)) ? MOST_RETRIES.lost : 0;
}
