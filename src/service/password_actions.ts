/**
 * `auth.passwords`: sets, removes and imports the passwords of users.
 *
 * @module
 */
import { passwordProviderOf, type ResolvedPasswordProvider } from "../config/password_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { readPhc } from "../hashing/phc.ts";
import { AuthError, BadRequest, InvalidConfig } from "../kernel/errors.ts";
import { judgePassword, type PasswordFault } from "../passwords/judge.ts";
import type { PasswordSettings } from "../passwords/settings.ts";
import { passwordHash } from "../passwords/work.ts";
import { type EventSubject, tell } from "../request/events.ts";
import { endWaiting } from "../session_stores/without_rows.ts";
import { findPassword, mayHavePassword, removePassword, storePassword } from "../sign_in/stored_password.ts";
import type { Storage } from "../storage/guard.ts";
import type { Engine } from "./engine.ts";

/** A password that other software has stored. */
export interface ImportedPassword {
  /** Id of the user, whom the adapter has already. */
  readonly userId: string;
  /** The hash: in the PHC format, or in one of the formats of `legacy`. */
  readonly hash: string;
}

/**
 * Why a password was not imported: there is no such user, their address is not proven, they have a password already, or the
 * hash has no format that is known.
 */
export type NotImported = "no-user" | "unproven" | "has-password" | "unknown-format";

/** What became of an import. */
export interface PasswordImport {
  /** How many passwords were stored. */
  readonly imported: number;
  /** The others. */
  readonly skipped: readonly { readonly userId: string; readonly why: NotImported }[];
}

/**
 * The passwords of users, for administration. They need `password()` of `@x/auth/providers/password`.
 *
 * Each function throws an {@linkcode AuthError}: `InvalidConfig` if the provider is not listed or cannot be used, or the
 * configuration is a function of the request, and `AdapterError` if storage fails.
 */
export interface AuthPasswords {
  /**
   * Gives a user a password, instead of the one that they may have. Sessions go on: end them with
   * `auth.sessions.revokeAll()`. A sign-in that waits for its second proof ends. Nobody is told.
   *
   * @param userId Id of the user, whose address is proven.
   * @param text The password. It is judged as if they had chosen it.
   * @throws {BadRequest} if there is no such user, their address is not proven, or the password cannot be chosen.
   * @throws {Overloaded} if too many hashes wait.
   */
  set(userId: string, text: string): Promise<void>;
  /**
   * Removes the password of a user. They choose a new one with the link of a reset, or sign in another way. Sessions go on:
   * end them with `auth.sessions.revokeAll()`.
   *
   * @param userId Id of the user.
   * @returns Whether they had one.
   */
  remove(userId: string): Promise<boolean>;
  /**
   * Stores hashes of users that other software has made, one after the other. It can be repeated: who has a password keeps
   * it. A user whose address is not proven is skipped, because anybody may have chosen that password; they choose one with
   * the link of a reset.
   *
   * @param rows The users and their hashes.
   * @returns What was stored, and what was not.
   */
  import(rows: Iterable<ImportedPassword> | AsyncIterable<ImportedPassword>): Promise<PasswordImport>;
}

/** Makes the functions of `auth.passwords`. */
export function passwordFunctions(engine: Engine): AuthPasswords {
  return {
    set: async (userId, text) => await administer(engine, async (at) => await setPassword(at, userId, text)),
    remove: async (userId) => {
      return await administer(engine, async ({ config, subject }) => {
        const isRemoved = await removePassword(config, userId);
        await endWaiting(config, userId);
        const event = isRemoved ? () => ({ userId, by: "application" as const }) : null;
        await tell(config, { type: "passwordRemoved", event, message: null }, subject);
        return isRemoved;
      });
    },
    async import(rows) {
      let imported = 0;
      const skipped: { userId: string; why: NotImported }[] = [];
      // Each within a deadline of its own: a list may be long.
      for await (const { userId, hash } of rows) {
        const why = await administer(engine, async (at) => await importPassword(at, { userId, hash }));
        if (why === null) imported++;
        else skipped.push({ userId, why });
      }
      return { imported, skipped };
    },
  };
}

interface Administration {
  readonly config: ResolvedConfig;
  readonly storage: Storage;
  readonly provider: ResolvedPasswordProvider;
  readonly subject: EventSubject;
}

async function administer<T>(engine: Engine, run: (at: Administration) => Promise<T>): Promise<T> {
  if (engine.needsRequest) {
    throw new InvalidConfig(
      "Cannot set, remove or import passwords: the configuration is a function of the request. Make a service of the " +
        "configuration that the user belongs to",
    );
  }
  return await engine.runWithoutRequest(async (config, subject) => {
    const provider = passwordProviderOf(config);
    if (provider && config.storage) return await run({ config, storage: config.storage, provider, subject });
    throw config.brokenProviders.get("password")?.problems[0] ?? new InvalidConfig(
      "Cannot set, remove or import passwords: add `password()` of `@x/auth/providers/password` to `providers`",
    );
  });
}

async function setPassword({ config, storage, provider, subject }: Administration, userId: string, text: string) {
  const user = await storage.getUser(userId);
  if (!user) throw new BadRequest("Cannot set a password: there is no user with this id");
  if (!mayHavePassword(user)) {
    throw new BadRequest(
      "Cannot set a password: the address of the user is not proven, so it would not count. Let them prove it with the " +
        "link of a reset",
    );
  }
  const { runtime, timeouts, theme, logger } = config;
  const { passwords } = provider;
  const words = [user.email, user.name, theme.name].filter((word) => typeof word === "string");
  const { fault, error } = await judgePassword(passwords, text, { words, runtime, timeouts });
  if (error) logger.error(error, subject);
  if (fault) throw new BadRequest(`Cannot set a password: ${sayFault(fault, passwords)}`);
  const hash = await passwordHash(passwords, runtime).make(text);
  const before = await findPassword(config, userId);
  if (!await storePassword(config, { userId, hash, email: user.email, version: before?.version ?? 0 })) {
    throw new BadRequest("Cannot set a password: another request has changed it meanwhile; try again");
  }
  await endWaiting(config, userId);
  await tell(config, { type: "passwordSet", event: () => ({ userId, by: "application" }), message: null }, subject);
}

function sayFault(fault: PasswordFault, { length: { min, max } }: PasswordSettings): string {
  switch (fault) {
    case "short":
      return `it must have ${min} characters at least`;
    case "long":
      return `it must have ${max} characters at most`;
    case "common":
      return "it is among those that are guessed first";
    case "breached":
      return "it has leaked elsewhere";
    default:
      return fault satisfies never;
  }
}

async function importPassword(
  { config, storage, provider }: Administration,
  { userId, hash }: ImportedPassword,
): Promise<NotImported | null> {
  if (!isKnown(provider.passwords, hash)) return "unknown-format";
  const user = await storage.findUser(userId);
  if (!user) return "no-user";
  if (!mayHavePassword(user)) return "unproven";
  if (await findPassword(config, user.id)) return "has-password";
  const isStored = await storePassword(config, { userId: user.id, hash, email: user.email });
  return isStored ? null : "has-password";
}

// Of hashes that a developer makes, only they know the format.
function isKnown({ hash: own, legacy }: PasswordSettings, hash: unknown): boolean {
  if (typeof hash !== "string" || hash === "") return false;
  if (own || legacy.some((format) => format.matches(hash))) return true;
  try {
    readPhc(hash);
    return true;
  } catch (error) {
    if (error instanceof AuthError) return false;
    throw error;
  }
}
