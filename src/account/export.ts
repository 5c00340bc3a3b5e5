/**
 * The file with everything that is stored of somebody. Each member is named here, so a new column is in it only once
 * somebody has decided that it is no secret.
 *
 * @module
 */
import { passwordProviderOf } from "../config/password_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { CallbackRouteError } from "../kernel/errors.ts";
import type { AdapterAuthenticator, AdapterUser } from "../kernel/model.ts";
import { isPlainObject } from "../kernel/objects.ts";
import type { RequestContext } from "../request/context.ts";
import { pointsOf } from "../request/points.ts";
import type { Actor } from "../sign_in/actor.ts";
import { findPassword } from "../sign_in/stored_password.ts";
import { toDescriptor } from "../webauthn/entities.ts";
import { infoOf } from "./passkeys.ts";
import { sessionsOf } from "./seen.ts";
import type { AccountSettings } from "./settings.ts";

/** Writes the file, as JSON. @throws {CallbackRouteError} if the application gives something that JSON cannot hold. */
export async function exportOf(ctx: RequestContext, actor: Actor, settings: AccountSettings): Promise<string> {
  const { config } = ctx;
  const { user } = actor;
  const [accounts, passkeys, sessions, secondFactors, password, application] = await Promise.all([
    accountsOf(config, user),
    passkeysOf(config, user),
    sessionsIn(ctx, actor),
    factorsOf(config, user),
    passwordOf(config, user),
    applicationOf(config, user, settings),
  ]);
  const { id, name = null, email = null, emailVerified = null, image = null } = user;
  const file = {
    exportedAt: new Date(config.runtime.now()),
    user: { id, name, email, emailVerified, image },
    accounts,
    passkeys,
    sessions,
    secondFactors,
    password,
    ...(application !== null && { application }),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

async function accountsOf({ storage }: ResolvedConfig, { id }: AdapterUser) {
  const accounts = await storage?.listAccountsByUserId?.(id) ?? [];
  return accounts.map(({ provider, providerAccountId, type }) => ({ provider, providerAccountId, type }));
}

async function passkeysOf(config: ResolvedConfig, { id }: AdapterUser) {
  if (![...config.providers.values()].some(({ type }) => type === "webauthn")) return [];
  const passkeys: readonly AdapterAuthenticator[] = await config.storage?.listAuthenticatorsByUserId(id) ?? [];
  const infos = await infoOf(config, id, passkeys);
  return passkeys.map((passkey) => {
    const { name = null, createdAt = null, usedAt = null } = infos.get(passkey.credentialID) ?? {};
    const isSynced = Boolean(passkey.credentialBackedUp);
    return { credentialId: toDescriptor(passkey).id, name, createdAt, usedAt, isSynced };
  });
}

async function sessionsIn(ctx: RequestContext, actor: Actor) {
  const sessions = await sessionsOf(ctx, actor);
  return sessions.map(({ signedInAt, expires, provider, browser, system, place }) => {
    return { signedInAt, expires, provider, browser, system, place };
  });
}

async function factorsOf(config: ResolvedConfig, { id }: AdapterUser) {
  const all = await Promise.all((await pointsOf(config)).map(({ factors }) => factors?.list(config, id) ?? []));
  return all.flat().map(({ type, name, createdAt, usedAt }) => ({ type, name, createdAt, usedAt }));
}

async function passwordOf(config: ResolvedConfig, { id }: AdapterUser) {
  const password = passwordProviderOf(config) && await findPassword(config, id);
  if (!password) return null;
  return { setAt: password.setAt === null ? null : new Date(password.setAt * 1000) };
}

/** The share of the time of an answer in which the application adds what it has. */
const PATIENCE = 1 / 2;

async function applicationOf({ runtime, timeouts }: ResolvedConfig, user: AdapterUser, settings: AccountSettings) {
  const { export: add } = settings;
  if (!add) return null;
  const message = "Cannot write the file with the data of a user: `export` of `accountPage()`";
  let given: unknown;
  try {
    const added = await withDeadline(runtime, timeouts.total * PATIENCE, "`export`", () => add(user));
    // What JSON cannot hold fails here, and not where the answer is written.
    given = JSON.parse(JSON.stringify(added));
  } catch (cause) {
    throw new CallbackRouteError(`${message} failed, or gave what JSON cannot hold`, {
      cause,
      logCode: "callback-threw",
    });
  }
  if (!isPlainObject(given)) throw new CallbackRouteError(`${message} gave no object`, { logCode: "callback-result" });
  return given;
}
