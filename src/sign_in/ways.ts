/**
 * The ways in which a user gets in now, and whether one of them may be removed.
 *
 * @module
 */
import { passwordProviderOf } from "../config/password_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Expectation } from "../contract/adapter.ts";
import type { AccountKey, AdapterAccount, AdapterAuthenticator, AdapterUser } from "../kernel/model.ts";
import { passwordKey, type StoredPassword } from "../passwords/stored.ts";
import type { Storage } from "../storage/guard.ts";
import { isEmailProven } from "./proven.ts";
import { countsFor, findPassword } from "./stored_password.ts";
import { withMark } from "./verification.ts";

/** What lets somebody in. */
export type WayKind = "email" | "password" | "account" | "passkey" | "credentials";

/** A way in that works now. */
export interface Way {
  readonly kind: WayKind;
  /** What tells it from others of its kind. */
  readonly key: string;
  /** What has to be true for it still when another way is removed. */
  readonly expect: Pick<Expectation, "account" | "authenticator" | "records">;
}

/** Tells ways apart. */
export type WayKey = Pick<Way, "kind" | "key">;

/** Gives the key of an account. */
export function accountWay({ provider, providerAccountId }: AccountKey): WayKey {
  return { kind: "account", key: JSON.stringify([provider, providerAccountId]) };
}

/** Gives the key of a passkey. */
export function passkeyWay({ credentialID }: Pick<AdapterAuthenticator, "credentialID">): WayKey {
  return { kind: "passkey", key: credentialID };
}

/** The password of a user. They have one at most. */
export const PASSWORD_WAY: WayKey = { kind: "password", key: "" };

/** The ways from those that stay by themselves to those that may be lost. */
const RANK: readonly WayKind[] = ["email", "password", "account", "passkey", "credentials"];

/**
 * Whether ways may be removed: only if another one is left.
 *
 * @param ways The ways that work now.
 * @param removed Those to remove. One that does not work is no loss.
 * @returns The way that is left, the safest one of several; `null` if there would be none.
 */
export function canRemove(ways: readonly Way[], removed: readonly WayKey[]): Way | null {
  const left = ways.filter((way) => !removed.some(({ kind, key }) => kind === way.kind && key === way.key));
  return left.toSorted((one, other) => RANK.indexOf(one.kind) - RANK.indexOf(other.kind))[0] ?? null;
}

/** What is known of a user. */
export interface Owned {
  readonly user: AdapterUser;
  readonly isProven: boolean;
  /** `null` if storage cannot list them. */
  readonly accounts: readonly AdapterAccount[] | null;
  readonly passkeys: readonly AdapterAuthenticator[];
  /** The password; `null` if there is none that counts. */
  readonly password: Pick<StoredPassword, "version" | "setAt"> | null;
}

type Configured = Pick<ResolvedConfig, "providers" | "storage">;

/** Finds the ways in of a user that work now. */
export async function findWays(config: Configured, user: AdapterUser): Promise<readonly Way[]> {
  return waysOf(config, await findOwned(config, user));
}

/** Reads what a user has. */
export async function findOwned(config: Configured, user: AdapterUser): Promise<Owned> {
  const { storage } = config;
  if (!storage) return { user, isProven: isEmailProven(user), accounts: null, passkeys: [], password: null };
  const [accounts, passkeys, known, password] = await Promise.all([
    storage.listAccountsByUserId?.(user.id) ?? null,
    passkeysOf(config, storage, user.id),
    withMark(storage, user),
    passwordProviderOf(config) ? findPassword(config, user.id) : null,
  ]);
  const owned = { user, isProven: isEmailProven(known), accounts, passkeys };
  if (!password || !countsFor(password, user)) return { ...owned, password: null };
  const { version, setAt } = password;
  return { ...owned, password: { version, setAt } };
}

// Adapters need not know of passkeys where there are none.
async function passkeysOf(
  { providers }: Configured,
  storage: Storage,
  userId: string,
): Promise<readonly AdapterAuthenticator[]> {
  const hasPasskeys = [...providers.values()].some(({ type }) => type === "webauthn");
  return hasPasskeys ? await storage.listAuthenticatorsByUserId(userId) : [];
}

/** Decides which ways work: their provider is configured. */
export function waysOf(
  config: Pick<ResolvedConfig, "providers">,
  { user, isProven, accounts, passkeys, password }: Owned,
): readonly Way[] {
  const { providers } = config;
  // Of a password, the record is the way in, and not the account.
  const ofPasswords = passwordProviderOf(config)?.id;
  const typeOf = (provider: string) => provider === ofPasswords ? undefined : providers.get(provider)?.type;
  const userId = user.id;
  const sendsMail = [...providers.values()].some(({ type }) => type === "email");
  const email: Way[] = isProven && sendsMail ? [{ kind: "email", key: "", expect: {} }] : [];
  return [
    ...email,
    ...password && isProven ? [passwordIn(userId, password.version)] : [],
    ...(accounts ?? []).flatMap((account): Way[] => {
      const type = typeOf(account.provider);
      if (type !== "oauth" && type !== "oidc" && type !== "credentials") return [];
      const { provider, providerAccountId } = account;
      const expect = { account: { provider, providerAccountId, userId } };
      return [{ ...accountWay(account), kind: type === "credentials" ? type : "account", expect }];
    }),
    ...passkeys.filter((passkey) => hasAccount(passkey, accounts, typeOf)).map((passkey): Way => {
      const { credentialID, counter } = passkey;
      return { ...passkeyWay(passkey), expect: { authenticator: { credentialID, counter, userId } } };
    }),
  ];
}

// In a table of the application nothing can be expected.
function passwordIn(userId: string, version: number | null): Way {
  return { ...PASSWORD_WAY, expect: version === null ? {} : { records: [{ ...passwordKey(userId), version }] } };
}

// A passkey whose account was removed signs nobody in.
function hasAccount(
  { providerAccountId }: AdapterAuthenticator,
  accounts: Owned["accounts"],
  typeOf: (provider: string) => string | undefined,
): boolean {
  if (accounts === null) return true;
  return accounts.some((account) => {
    return account.providerAccountId === providerAccountId && typeOf(account.provider) === "webauthn";
  });
}
