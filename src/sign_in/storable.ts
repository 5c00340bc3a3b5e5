/**
 * Users that storage and cookies can hold.
 *
 * @module
 */
import { isPlainObject } from "../kernel/objects.ts";
import type { User } from "../kernel/model.ts";
import { isTooLongToStore } from "../kernel/pictures.ts";

/** Characters of a name; a longer one is cut. */
const MAX_NAME_LENGTH = 1024;

/** How deep texts are cleaned: as deep as JSON of a provider may be. */
const MAX_DEPTH = 32;

/**
 * Removes from a user what would make every sign-in fail: NUL and lone surrogates, which databases refuse, names that
 * are too long for a cookie, and images that are too long for a row.
 *
 * Id and address stay as they are: changed, they would be somebody else's.
 */
export function toStorableUser(user: User): User {
  return Object.fromEntries(
    Object.entries(user).map(([name, value]) => [storableText(name), storableMember(name, value)]),
  );
}

function storableMember(name: string, value: unknown): unknown {
  if (name === "id" || name === "email") return value;
  if (typeof value !== "string") return storable(value, MAX_DEPTH);
  if (name === "image" && isTooLongToStore(value)) return null;
  return storableText(name === "name" ? value.slice(0, MAX_NAME_LENGTH) : value);
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === "string") return storableText(value);
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((member) => storable(member, depth - 1));
  // A date, or an instance of a class, is for its own maker to write down.
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storableText(name), storable(member, depth - 1)]),
  );
}
