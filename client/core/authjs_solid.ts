/**
 * What `@auth/solid-start/client` has, for a service at `/api/auth`, which is the path of every application that was
 * written for it.
 *
 * @example Usage
 * ```ts
 * import { signIn } from "@x/auth/solid-start/client";
 *
 * async function onSubmit(email: string, password: string) {
 *   const { error, url } = await signIn("credentials", { email, password, redirect: false });
 *   if (!error) location.assign(url ?? "/");
 * }
 * ```
 *
 * @module
 */
import type { Session } from "../../src/kernel/model.ts";
import * as authjs from "./authjs.ts";
import type { SignInResponse } from "./authjs.ts";
import type { ClientOptions, Providers } from "./connection.ts";
import type { AuthorizationParams, AuthResult, SignInOptions, SignOutOptions } from "./results.ts";

export type * from "./authjs.ts";

const SOLID: ClientOptions = { basePath: "/api/auth" };

/** Signs somebody in: `signIn` of `@x/auth/sveltekit/client`. */
export function signIn(id?: string, options?: SignInOptions, params?: AuthorizationParams): Promise<SignInResponse> {
  return authjs.signIn(id, { ...SOLID, ...options }, params);
}

/** Signs out here and in the other tabs. With `redirect: false` this page stays. */
export function signOut(options?: SignOutOptions): Promise<AuthResult> {
  return authjs.signOut({ ...SOLID, ...options });
}

/** Asks the service who is signed in. `null` if nobody is, or nobody answers. */
export function getSession(options?: ClientOptions): Promise<Session | null> {
  return authjs.getSession({ ...SOLID, ...options });
}

/** Gives the CSRF token, for a form of your own. Empty if nobody answers. */
export function getCsrfToken(options?: ClientOptions): Promise<string> {
  return authjs.getCsrfToken({ ...SOLID, ...options });
}

/** Lists the providers by id. `null` if nobody answers. */
export function getProviders(options?: ClientOptions): Promise<Providers | null> {
  return authjs.getProviders({ ...SOLID, ...options });
}
