/**
 * Users as storage and cookies can keep them.
 *
 * @module
 */
import { isPlainObject } from "../kernel/objects.ts";
import type { User } from "../kernel/model.ts";

/** Characters of a name; what is longer is cut. */
const LONGEST_NAME = 1024;

/** Characters of the URL of a picture; what is longer is left out, as a picture that is its own URL. */
const LONGEST_PICTURE = 2048;

/** How deep texts are looked for: as deep as JSON of a provider may be. */
const DEPTH = 32;

/**
 * Takes out of a user what would lock the person out: a text that was cut inside a character or holds NUL, which
 * databases refuse, and a name or a picture that no cookie has room for.
 *
 * What the person is known by stays as it is: another id or address would be somebody else's.
 */
export function storableUser(user: User): User {
  return Object.fromEntries(
    Object.entries(user).map(([name, value]) => [storableText(name), storableMember(name, value)]),
  );
}

function storableMember(name: string, value: unknown): unknown {
  if (name === "id" || name === "email") return value;
  if (typeof value !== "string") return storable(value, DEPTH);
  if (name === "image" && value.length > LONGEST_PICTURE) return null;
  return storableText(name === "name" ? value.slice(0, LONGEST_NAME) : value);
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
