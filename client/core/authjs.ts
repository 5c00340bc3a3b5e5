/**
 * The functions of the browser clients of Auth.js, with their results: for pages that were written for those.
 *
 * @example Usage
 * ```ts
 * import { signIn } from "@x/auth/sveltekit/client";
 *
 * async function onSubmit(email: string, password: string) {
 *   const { error, url } = await signIn("credentials", { email, password, redirect: false });
 *   if (!error) location.assign(url ?? "/");
 * }
 * ```
 *
 * @module
 */
import type { ProviderType, PublicProvider, Session, User } from "../../src/kernel/model.ts";
import { readProviders, signInAt, signOutAt } from "./act.ts";
import { type ClientOptions, type Providers, read, readSession } from "./connection.ts";
import { at } from "./mounted.ts";
import type { AuthorizationParams, AuthResult, Failure, SignInOptions, SignOutOptions } from "./results.ts";

export type { AuthorizationParams, AuthResult, ClientOptions, Providers, SignInOptions, SignOutOptions };
export type { ProviderType, PublicProvider, Session, User };

/** What {@linkcode signIn} gives if the browser stays on the page. */
export interface SignInResponse extends Pick<Failure, "retryAfter" | "ways" | "challenge"> {
  /** What went wrong, such as `CredentialsSignin`; `undefined` if nothing did. */
  readonly error: string | undefined;
  /** The `code` of a `CredentialsSignin` that `authorize` threw. */
  readonly code: string | undefined;
  /** The HTTP status; `0` without an answer. */
  readonly status: number;
  /** Whether it succeeded. A wrong password is not `ok`. */
  readonly ok: boolean;
  /** Where to go next; `null` if something went wrong. */
  readonly url: string | null;
}

/** What {@linkcode signOut} gives if the browser stays on the page. */
export type SignOutResponse = AuthResult & {
  /** Where to go next. */
  readonly url: string;
};

/**
 * Signs somebody in: goes to a provider, sends an email, checks credentials, or asks for a passkey. Without the id of a
 * provider that exists it goes to the sign-in page.
 *
 * @param id The id of the provider.
 * @param options The fields of the form, and where to go. With `redirect: false` this page stays and gets the result.
 * @param params Parameters for the provider's authorization endpoint.
 */
export async function signIn(
  id?: string,
  options: SignInOptions = {},
  params?: AuthorizationParams,
): Promise<SignInResponse> {
  const connection = at(options);
  let result = await signInAt(connection, id, options, params);
  if (!result.ok && result.error === "UnknownProvider" && options.redirect !== false) {
    result = await signInAt(connection, undefined, options);
  }
  return { error: undefined, code: undefined, status: 200, url: null, ...result };
}

/** Signs out here and in the other tabs. With `redirect: false` this page stays, which is the `url` if it failed. */
export async function signOut(options?: SignOutOptions): Promise<SignOutResponse> {
  const connection = at(options);
  return { url: connection.browser.location.href, ...await signOutAt(connection, options) };
}

/** Asks the service who is signed in. `null` if nobody is, or nobody answers. */
export function getSession(options?: ClientOptions): Promise<Session | null> {
  return readSession(at(options)).catch(() => null);
}

/** Gives the CSRF token, for a form of your own. Empty if nobody answers. */
export function getCsrfToken(options?: ClientOptions): Promise<string> {
  return read(at(options), "csrf").then((answer) => `${(answer as { csrfToken?: string }).csrfToken ?? ""}`, () => "");
}

/** Lists the providers by id. `null` if nobody answers. */
export function getProviders(options?: ClientOptions): Promise<Providers | null> {
  return readProviders(at(options)).catch(() => null);
}
