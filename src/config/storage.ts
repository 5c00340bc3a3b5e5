/**
 * Storage as the service uses it: whatever an adapter does, a clean record comes back or an `AdapterError`.
 *
 * @module
 */
import type { Adapter } from "../contract/adapter.ts";
import { spellingsOf } from "../kernel/address.ts";
import { asIs, CHECKS, JUNK } from "./check_records.ts";
import { AdapterError } from "../kernel/errors.ts";

type Operations = Required<Adapter>;

/** The operations that an adapter may lack because they are not among those of the service family. */
type Extra =
  | "commit"
  | "once"
  | "getVerificationToken"
  | "updateAccount"
  | "listAccountsByUserId"
  | "listSessionsByUserId"
  | "deleteSessionsByUserId"
  | "updateAuthenticator"
  | "deleteAuthenticator";

type Guarded<Name extends keyof Adapter> = (
  ...args: Parameters<Operations[Name]>
) => Promise<Exclude<Awaited<ReturnType<Operations[Name]>>, undefined | void>>;

/** Storage. The operations of the family are always there and say so if the adapter lacks them; the others may be `null`. */
export type Storage =
  & { readonly [Name in Exclude<keyof Adapter, Extra>]-?: Guarded<Name> }
  & { readonly [Name in Extra]-?: Guarded<Name> | null }
  & {
    /** Whether the adapter has an operation. */
    readonly has: (name: keyof Adapter) => boolean;
  };

const BASIC: readonly Exclude<keyof Adapter, Extra>[] = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "getAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "createAuthenticator",
  "getAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
];

const EXTRA: readonly Extra[] = [
  "commit",
  "once",
  "getVerificationToken",
  "updateAccount",
  "listAccountsByUserId",
  "listSessionsByUserId",
  "deleteSessionsByUserId",
  "updateAuthenticator",
  "deleteAuthenticator",
];

/**
 * Guards an adapter.
 *
 * Failures are wrapped once, methods keep their `this`, and a record that is not what the contract says is a failure
 * too: nobody is signed in on the strength of junk.
 */
export function guardAdapter(adapter: Adapter): Storage {
  const has = (name: keyof Adapter): boolean => typeof adapter[name] === "function";
  const storage: Record<string, unknown> = { has };
  for (const name of BASIC) storage[name] = guarded(adapter, name);
  for (const name of EXTRA) storage[name] = has(name) ? guarded(adapter, name) : null;
  storage.getUserByEmail = inEachSpelling(guarded(adapter, "getUserByEmail"));
  return Object.freeze(storage) as Storage;
}

function inEachSpelling(find: (address: string) => Promise<unknown>): (address: string) => Promise<unknown> {
  return async (address) => {
    const [given, ...others] = spellingsOf(address);
    let found = await find(given);
    for (const other of others) found ??= await find(other);
    return found;
  };
}

function guarded(adapter: Adapter, name: keyof Adapter): (...args: unknown[]) => Promise<unknown> {
  const check = CHECKS[name] ?? asIs;
  return async (...args) => {
    const operation = adapter[name] as ((...args: unknown[]) => unknown) | undefined;
    if (typeof operation !== "function") throw new AdapterError(`Cannot use storage: the adapter has no \`${name}\``);
    let result: unknown;
    try {
      result = await operation.apply(adapter, args);
    } catch (error) {
      if (error instanceof AdapterError) throw error;
      throw new AdapterError(`Cannot use storage: the adapter's \`${name}\` failed`, { cause: error });
    }
    let cause: unknown;
    try {
      const checked = check(result, args);
      if (checked !== JUNK) return checked;
    } catch (error) {
      cause = error; // the record cannot even be read
    }
    throw new AdapterError(`Cannot use storage: the adapter's \`${name}\` gave an unusable record`, { cause });
  };
}
