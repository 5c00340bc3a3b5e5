/**
 * The migration from `next-auth` version 4: its sessions stay valid here.
 *
 * @module
 */
import type { FormerCookie, FormerSessions } from "../src/contract/config.ts";
import type { OpeningKey } from "../src/crypto/content_encryption.ts";
import { nextAuthKey } from "../src/crypto/next_auth_key.ts";
import { openWith } from "../src/crypto/seal.ts";
import { listSecrets, SECRET_FORM } from "../src/crypto/secrets.ts";
import { InvalidConfig } from "../src/kernel/errors.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";

export type { FormerCookie, FormerSessions };

/** Options of {@linkcode nextAuthV4}. */
export interface NextAuthV4Options {
  /** The secret that `next-auth` had, or several. @default the secrets of this service */
  readonly secret?: string | readonly string[] | undefined;
  /** The name of its session cookie over http. @default {"next-auth.session-token"} */
  readonly cookieName?: string | undefined;
  /** The domain of its session cookie, if it was configured. @default only the host */
  readonly cookieDomain?: string | undefined;
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
}

/**
 * Reads the session cookies of `next-auth` 4: people who are signed in there stay signed in.
 *
 * With strategy `jwt` the cookie is verified, and its claims are sealed again as a session of this service. With strategy
 * `database` the adapter is asked for the row of the token, which stays as it is; give it the tables that `next-auth`
 * used. The first answer that can set cookies removes the old cookie, as signing in and signing out do.
 *
 * A sealed session cannot be revoked, neither here nor in `next-auth`: a copy of its cookie opens until it expires.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { nextAuthV4 } from "@x/auth/migrate/next-auth-v4";
 * import { github } from "@x/auth/providers/github";
 *
 * const { handler } = createAuth({
 *   basePath: "/api/auth",
 *   providers: [github()],
 *   session: { migrateFrom: nextAuthV4() },
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options Its secret, if it is another one, and its cookie, if it was configured.
 * @returns The value of the option `session.migrateFrom`.
 * @throws {InvalidConfig} if `secret` is neither a string nor a list of strings.
 */
export function nextAuthV4(options: NextAuthV4Options = {}): FormerSessions {
  const { secret, cookieName = "next-auth.session-token", cookieDomain, now = systemRuntime.now } = options;
  const own = listSecrets(secret);
  if (own?.length === 0) throw new InvalidConfig(`Cannot use \`secret\` of \`nextAuthV4()\`: ${SECRET_FORM}`);
  const keys = new Map<string, Promise<OpeningKey>>();
  const keyOf = (text: string): Promise<OpeningKey> => {
    const key = keys.get(text) ?? nextAuthKey(text);
    keys.set(text, key);
    return key;
  };
  return {
    cookies: [{ name: cookieName, domain: cookieDomain }],
    read: (cookie) => cookie(cookieName) ?? null,
    async open(token, secrets) {
      return await openWith(token, await Promise.all((own ?? secrets).map(keyOf)), now());
    },
  };
}
