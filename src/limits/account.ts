/**
 * Whose account somebody tries to enter, by what they typed.
 *
 * @module
 */
import type { ResolvedCredentialsProvider } from "../config/resolved_provider.ts";

/** Names an account by what was typed; `null` if that says nothing. */
export type NameAccount = (fields: Readonly<Record<string, unknown>>, provider: string) => string | null | undefined;

/** Names of fields that say who somebody is, the surest first. */
const NAMES: readonly string[] = [
  ...["email", "username", "user", "login", "identifier", "userid", "account", "phone", "name", "id"],
];

/**
 * Finds the field that names an account: one with a usual name, or else the first that the provider declares and that is
 * not secret. Never several: what strangers may change at will would give them new buckets.
 */
export function typedAccount(
  fields: Readonly<Record<string, unknown>>,
  { credentials }: Pick<ResolvedCredentialsProvider, "credentials">,
): string | null {
  const declared = Object.entries(credentials).filter(([, { type }]) => !SECRET_TYPES.has(type)).map(([name]) => name);
  const given = Object.keys(fields);
  // With declared fields no others count.
  const known = Object.keys(credentials).length > 0 ? declared : given;
  const usual = NAMES.flatMap((name) => known.find((each) => each.toLowerCase().replace(/[-_]/g, "") === name) ?? []);
  const name = usual[0] ?? declared[0];
  const value = name === undefined ? undefined : fields[name];
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

/** Types of fields whose text is no name. */
const SECRET_TYPES: ReadonlySet<unknown> = new Set(["password", "hidden", "checkbox", "radio", "submit"]);
