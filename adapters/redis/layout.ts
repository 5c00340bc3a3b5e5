/**
 * The keys and values in Redis.
 *
 * Each value begins with a character that no JSON begins with, or holds line feeds: some clients would parse it.
 *
 * @module
 */
import type { AdapterSession, ProviderSid } from "../../src/contract/adapter.ts";
import type { KeptSession, SessionPlace } from "../../src/contract/sessions_apart.ts";
import { sha256Base64Url } from "../../src/crypto/digest.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import { isDate, withoutUndefined } from "../../src/kernel/objects.ts";

/** Where a session is in Redis. */
export interface RedisPlace extends SessionPlace {
  /** The field of the session in the hash of its user. */
  readonly field: string;
  /** The key of the set of sessions with its `provider` and `providerSid`, if it has these. */
  readonly sid: string | null;
}

/** The field of a session. The token is not in it: keys and fields are shown by many tools. */
export function fieldOf(sessionToken: string): Promise<string> {
  return sha256Base64Url(sessionToken);
}

/** The last part of the key of the set for an id at a provider. */
export function sidOf({ provider, sid }: ProviderSid): Promise<string> {
  return sha256Base64Url(JSON.stringify([provider, sid]));
}

/** The same for a session; `null` if it has no such id. */
export async function sidOfSession({ provider, providerSid: sid }: Partial<AdapterSession>): Promise<string | null> {
  return provider && sid ? await sidOf({ provider, sid }) : null;
}

/** To whom a session belongs. */
export interface Pointer {
  readonly userId: string;
  readonly other: string | null;
}

// Some databases number their users.
function encodeId(id: unknown): unknown {
  return typeof id === "bigint" ? [String(id)] : id;
}

function decodeId(id: unknown): string {
  return (Array.isArray(id) ? BigInt(id[0]) : id) as string;
}

/** Writes to whom a session belongs, and what else it is found by. */
export function encodePointer(userId: string, other: string | null): string {
  return `=${JSON.stringify([encodeId(userId), other])}`;
}

/** Reads to whom a session belongs. */
export function decodePointer(pointer: string | null): Pointer | null {
  return pointer === null ? null : reading(() => {
    const [id, other] = JSON.parse(pointer.slice(1));
    return { userId: decodeId(id), other };
  });
}

// The message of the parser would show what it reads.
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new AdapterError("Cannot read a session in Redis: it is not as it was written", {
      logCode: "adapter-failed",
    });
  }
}

/** Writes a session without when it expires. */
export function encodeSession({ expires: _, userId, ...others }: AdapterSession): string {
  const given = Object.entries(withoutUndefined({ ...others, userId: encodeId(userId) }));
  const dates = given.flatMap(([name, value]) => isDate(value) ? [name] : []);
  return JSON.stringify([Object.fromEntries(given), dates]);
}

/** Writes a session. */
export function encodeKept({ session, epochs }: KeptSession): string {
  return `${session.expires.getTime()}\n${JSON.stringify(epochs)}\n${encodeSession(session)}`;
}

/** A session, as it is stored, and as a program compares it. */
export interface Decoded {
  readonly kept: KeptSession;
  readonly text: string;
}

/** Reads a session. `null` if there is none, or if it was set aside. */
export function decodeKept(stored: string | null): Decoded | null {
  if (stored === null) return null;
  const [expires, epochs = "", text = "", ...aside] = stored.split("\n");
  if (aside.length > 0) return null;
  return reading(() => {
    const [members, dates] = JSON.parse(text);
    for (const name of dates) members[name] = new Date(members[name]);
    const session = { ...members, userId: decodeId(members.userId), expires: new Date(Number(expires)) };
    return { kept: { session, epochs: JSON.parse(epochs) }, text };
  });
}
