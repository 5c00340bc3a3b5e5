/**
 * Users as storage and cookies can keep them.
 *
 * @module
 */
import type { User } from "../kernel/model.ts";

/** Characters of a name; what is longer is cut. */
const MAX_NAME_LENGTH = 1024;

/** Characters of the URL of a picture; what is longer is left out, as a picture that is its own URL. */
const MAX_IMAGE_LENGTH = 2048;

/** How deep texts are looked for: as deep as JSON of a provider may be. */
const MAX_DEPTH = 32;

/**
 * Takes out of a user what would lock the person out: a text that was cut inside a character or holds NUL, which
 * databases refuse, and a name or a picture that no cookie has room for.
 *
 * What the person is known by stays as it is: another id or address would be somebody else's.
 */
export function toStorableUser(user: User): User {
  return Object.fromEntries(
    Object.entries(user).map(([name, value]) => [storableText(name), storableMember(name, value)]),
  );
}

function storableMember(name: string, value: unknown): unknown {
  if (name === "id" || name === "email") return value;
  if (typeof value !== "string") return storable(value, MAX_DEPTH);
  if (name === "image" && value.length > MAX_IMAGE_LENGTH) return null;
  return storableText(name === "name" ? value.slice(0, MAX_NAME_LENGTH) : value);
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === "string") return storableText(value);
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((member) => storable(member, depth - 1));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storableText(name), storable(member, depth - 1)]),
  );
}

// A date, or an object of a class, is for its own maker to write down.
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
