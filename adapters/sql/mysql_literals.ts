/**
 * Values in the text of a statement, for drivers that would write them there themselves.
 *
 * They escape quotes by backslashes, which the server takes for ordinary characters if its `sql_mode` says so: then a
 * value could end the text that it stands in. Bytes in hexadecimal mean the same everywhere.
 *
 * @module
 */
import { toHex, utf8 } from "../../src/crypto/encoding.ts";

/** A statement and the values that are left to its driver. */
interface Written {
  readonly text: string;
  readonly values: readonly string[];
}

/** Writes values into a statement, but for those that `isLeft` leaves to the driver. */
export function withLiterals(
  sql: string,
  params: readonly (string | null)[],
  isLeft: (value: string) => boolean = () => false,
): Written {
  const left = [...params];
  const values: string[] = [];
  const text = sql.replaceAll(/`[^`]*`|\?/g, (found) => {
    if (found !== "?") return found;
    const value = left.shift() ?? null;
    if (value === null || !isLeft(value)) return literal(value);
    values.push(value);
    return found;
  });
  return { text, values };
}

function literal(value: string | null): string {
  return value === null ? "null" : `_utf8mb4 x'${toHex(utf8(value))}'`;
}

/** Whether a value has nothing that a driver would escape. */
export function needsNoEscape(value: string): boolean {
  return /^[^\p{Cc}"'\\]*$/u.test(value);
}
