/**
 * Finds the passwords of users, and says whether they count.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { passwordProviderOf } from "../config/password_provider.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { AdapterUser, Awaitable } from "../kernel/model.ts";
import {
  type ChosenPassword,
  passwordKey,
  readPassword,
  recordOf,
  recordWithHash,
  type StoredPassword,
} from "../passwords/stored.ts";
import type { PasswordStore } from "../passwords/settings.ts";
import { type Records, recordsIn } from "../storage/stored_records.ts";
import { hasVerifiedEmail } from "./proven.ts";

type Configured = Pick<ResolvedConfig, "providers" | "storage">;

/** Finds the password of a user, also one that does not count; `null` if there is none. */
export async function findPassword(config: Configured, userId: string): Promise<StoredPassword | null> {
  const store = passwordStoreOf(config);
  if (!store) {
    const record = await passwordRecords(config).getRecord(passwordKey(userId));
    return record && readPassword(record);
  }
  const hash = await callStore("get", () => store.get(userId));
  if (typeof hash !== "string" || hash === "") return null;
  return { userId, hash, email: null, setAt: null, revision: await sha256Base64Url(hash), version: null };
}

/** Whether a user may have a password: their address is proven. */
export function mayHavePassword(user: AdapterUser): boolean {
  return Boolean(user.email) && hasVerifiedEmail(user);
}

/** Whether a password counts: the address of its user is proven, and it was chosen for that address. */
export function countsFor(password: StoredPassword, user: AdapterUser): boolean {
  return mayHavePassword(user) && isChosenFor(password, user);
}

/**
 * Gives the revision of the password that was chosen for the address of a user; empty if there is none. A link says which
 * one it replaces, so it is void once there is another one. Whether the address is proven does not matter for that.
 */
export function revisionFor(password: StoredPassword | null, user: AdapterUser): string {
  return password && isChosenFor(password, user) ? password.revision : "";
}

// Of a table of the application, only the application knows.
function isChosenFor({ email, version }: StoredPassword, user: AdapterUser): boolean {
  return email === user.email || version === null;
}

/**
 * Replaces the hash of a password by a better one, unless the password was changed meanwhile.
 *
 * @returns The password with the hash that it was given; as it was, if it was changed.
 */
export async function replaceHash(
  config: Configured,
  password: StoredPassword,
  hash: string,
): Promise<StoredPassword> {
  const store = passwordStoreOf(config);
  if (!store) {
    const version = await passwordRecords(config).putRecord(recordWithHash(password, hash));
    return version === null ? password : { ...password, hash, version };
  }
  const { userId, hash: former } = password;
  if (!await replaceInStore(store, { userId, hash, former })) return password;
  return { ...password, hash, revision: await sha256Base64Url(hash) };
}

/**
 * Stores a hash in a table of the application, if the one is still there that it replaces, or still none.
 *
 * @returns Whether it was stored.
 */
export async function replaceInStore(
  store: PasswordStore,
  { userId, hash, former }: { readonly userId: string; readonly hash: string; readonly former: string | null },
): Promise<boolean> {
  const read = async () => await callStore("get", () => store.get(userId)) || null;
  // Not every table is asked for the former one.
  if (await read() !== former) return false;
  await callStore("set", () => store.set(userId, hash, former ?? undefined));
  return await read() === hash;
}

/**
 * Stores a password that was chosen, where nothing else is written with it.
 *
 * @returns Whether it was stored: not if the one that it replaces was changed meanwhile.
 */
export async function storePassword(
  config: Configured & Pick<ResolvedConfig, "runtime">,
  password: ChosenPassword,
): Promise<boolean> {
  const store = passwordStoreOf(config);
  if (!store) return await passwordRecords(config).putRecord(recordOf(password, config.runtime)) !== null;
  await callStore("set", () => store.set(password.userId, password.hash));
  return true;
}

/** Removes the password of a user. @returns Whether there was one. */
export async function removePassword(config: Configured, userId: string): Promise<boolean> {
  const store = passwordStoreOf(config);
  if (!store) return await passwordRecords(config).removeRecord(passwordKey(userId));
  const found = await findPassword(config, userId);
  await callStore("remove", () => store.remove(userId));
  return found !== null;
}

/** Where the application keeps hashes; `null` if they are records of the adapter. */
export function passwordStoreOf(config: Pick<ResolvedConfig, "providers">): PasswordStore | null {
  return passwordProviderOf(config)?.passwords.store ?? null;
}

/** Gives the operations on records. @throws {AdapterError} if there are none: the configuration is refused before. */
export function passwordRecords({ storage }: Pick<ResolvedConfig, "storage">): Records {
  const records = storage && recordsIn(storage);
  if (!records) throw new AdapterError("Cannot use passwords: the adapter has no records");
  return records;
}

/** Calls a function of `store`. @throws {AdapterError} if it fails. */
export async function callStore<T>(name: keyof PasswordStore, run: () => Awaitable<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw new AdapterError(`Cannot use passwords: \`store.${name}\` of provider "password" failed`, { cause });
  }
}
