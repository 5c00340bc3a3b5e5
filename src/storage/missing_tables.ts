/**
 * Says what to do where the tables of an adapter are missing, which drivers and databases say in their own words.
 *
 * @module
 */
import { causesOf } from "../kernel/log_line.ts";

/** SQLite, PostgreSQL, MySQL, Prisma and SQL Server. */
const SENTENCE =
  /no such table|relation ".+" does not exist|table [`'"]?.+[`'"]? (?:does not|doesn't) exist|invalid object name/i;

/** PostgreSQL, MySQL and Prisma. */
const CODES: readonly unknown[] = ["42P01", "ER_NO_SUCH_TABLE", "P2021"];

/** The most characters of a message that are read: some drivers quote values in it, which strangers may have sent. */
const MOST_READ = 1000;

/** Gives the end of a sentence about an error that says that a table is missing, or else an empty text. */
export function missingTables(error: unknown): string {
  const isMissing = causesOf(error).some(({ message, code }) => {
    return CODES.includes(code) || (typeof message === "string" && SENTENCE.test(message.slice(0, MOST_READ)));
  });
  return isMissing
    ? ", because a table is missing. Create the tables first: with `migrate()` if the adapter has it, or with the " +
      "schema and the migrations that its documentation gives"
    : "";
}
