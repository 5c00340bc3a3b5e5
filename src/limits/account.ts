/**
 * Whose account somebody tries to enter, by what they typed.
 *
 * @module
 */
import type { ResolvedCredentialsProvider } from "../config/resolved_provider.ts";

/** Names an account by what was typed; `null` if that says nothing. */
export type NameAccount = (fields: Readonly<Record<string, unknown>>, provider: string) => string | null | undefined;

/** Names of fields of which each says alone who somebody is. */
const SURE: ReadonlySet<string> = new Set(["email", "username", "user", "login", "identifier", "userid", "phone"]);

/** Names of fields that may be what many people share, the surest first. */
const UNSURE: readonly string[] = ["account", "name", "id"];

/** The most names of a sign-in. */
export const MOST_NAMES = 8;

/**
 * Finds what names an account: the fields with a usual name, or else the first that the provider declares and that is not
 * secret. Only the application knows which of several it looks at, so each of them counts: otherwise strangers could put
 * names that they make up before the one that they mean.
 */
export function typedAccounts(
  fields: Readonly<Record<string, unknown>>,
  { credentials }: Pick<ResolvedCredentialsProvider, "credentials">,
): readonly string[] {
  const declared = Object.entries(credentials).filter(([, { type }]) => !SECRET_TYPES.has(type)).map(([name]) => name);
  // With declared fields no others count.
  const known = Object.keys(credentials).length > 0 ? declared : Object.keys(fields);
  const given = known.filter((name) => textsIn(fields[name]).length > 0);
  const sure = given.filter((name) => SURE.has(plainName(name)));
  if (sure.length > 0) return textsOf(fields, sure);
  const unsure = UNSURE.flatMap((usual) => given.filter((name) => plainName(name) === usual));
  const first = unsure[0] ?? declared.find((name) => given.includes(name));
  return first === undefined ? [] : textsOf(fields, [first]);
}

/** Types of fields whose text is no name. */
const SECRET_TYPES: ReadonlySet<unknown> = new Set(["password", "hidden", "checkbox", "radio", "submit"]);

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

function textsOf(fields: Readonly<Record<string, unknown>>, names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => textsIn(fields[name])))];
}

// JSON may have a number or a list, which an application may make the same text of.
function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value === "number") return [String(value)];
  return typeof value === "string" && value.trim() !== "" ? [value] : [];
}
