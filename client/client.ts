/**
 * The browser's side of the service: who is signed in, signing in and out, and changing the session.
 *
 * Scripts never see a token: the session is in a cookie that they cannot read, and the service answers with what
 * `callbacks.session` lets out.
 *
 * @example Usage
 * ```ts
 * import { signIn, watchSession } from "@x/auth/client";
 *
 * watchSession(({ session }) => {
 *   console.log(session ? `Hello ${session.user?.name}` : "Hello");
 * });
 *
 * async function onSubmit(email: string, password: string) {
 *   const result = await signIn("credentials", { email, password, redirect: false });
 *   if (!result.ok) console.log("Wrong password", result.error);
 * }
 * ```
 *
 * @module
 */
import type { FormsIn, SessionIn } from "../src/kernel/inferred.ts";
import type { ChallengeView, ChallengeWidget } from "../src/kernel/challenge_view.ts";
import type { Session } from "../src/kernel/model.ts";
import {
  passwordOf,
  readProviders,
  secondFactorOf,
  signInAt,
  signOutAt,
  solve,
  syncPasskeysAt,
  updateAt,
  upgradeAt,
} from "./core/act.ts";
import { type AuthClient, clientOf, type RegisterOptions, watchAt } from "./core/auth_client.ts";
import { type ClientOptions, connect, type Providers, readSession, type SessionState } from "./core/connection.ts";
import type { PasswordClient } from "./core/password_results.ts";
import type { AuthorizationParams, AuthResult, SignInOptions, SignOutOptions, UpdateResult } from "./core/results.ts";
import type { SecondFactorClient } from "./core/second_factor_results.ts";

export type * from "../src/kernel/inferred.ts";
export type { ProviderType, PublicProvider, Session, User } from "../src/kernel/model.ts";
export type * from "./core/password_results.ts";
export type * from "./core/results.ts";
export type * from "./core/second_factor_results.ts";
export type { AuthClient, ChallengeView, ChallengeWidget, ClientOptions, Providers, RegisterOptions, SessionState };

/** Options of {@linkcode getSession}. */
export interface GetSessionOptions extends ClientOptions {
  /** Stops waiting. @default a signal that is aborted after 30 seconds */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the service who is signed in.
 *
 * @returns The session; `null` if nobody is signed in.
 * @throws {Error} if the service cannot be reached: that says nothing about who is signed in.
 *
 * @example Usage
 * ```ts
 * import { getSession } from "@x/auth/client";
 *
 * async function greet() {
 *   const session = await getSession();
 *   console.log(session?.user?.name ?? "Nobody is signed in");
 * }
 * ```
 */
export function getSession<Service = Session>(options?: GetSessionOptions): Promise<SessionIn<Service> | null> {
  return readSession(connect(options), options?.signal) as Promise<SessionIn<Service> | null>;
}

/**
 * Calls `listener` with what is known about the session: at once, and whenever it changes in this tab, in another tab of
 * the site, or because it has ended.
 *
 * The service is asked when you begin, when the person comes back to the page or online (at most every 5 seconds), and
 * after a change. In between nothing is asked. While the service cannot be reached, the state stays as it was, with
 * `failed`.
 *
 * @returns A function that ends it.
 *
 * @example Usage
 * ```ts
 * import { watchSession } from "@x/auth/client";
 *
 * const stop = watchSession(({ status, session }) => {
 *   if (status === "authenticated") console.log(session.user?.name);
 * });
 * stop();
 * ```
 */
export function watchSession<Service = Session>(
  listener: (state: SessionState<SessionIn<Service>>) => void,
  options?: ClientOptions,
): () => void {
  return watchAt(connect(options), listener);
}

/**
 * Signs somebody in: goes to a provider, sends an email, checks credentials, or asks for a passkey. Without an id it goes
 * to the sign-in page.
 *
 * By default the browser then goes where the service says. With `redirect: false`, this page stays and gets the result;
 * go to `url` of a provider yourself. A wrong password is not `ok`.
 *
 * If there were too many attempts, it solves the built-in challenge of `limits()` by itself, which takes a moment, and tries
 * once more. The page stays usable meanwhile.
 *
 * @param id The id of the provider.
 * @param options The fields of the form, where to go, and how.
 * @param params Parameters for the provider's authorization endpoint.
 *
 * @example A provider in a popup
 * ```ts
 * import { signIn } from "@x/auth/client";
 *
 * async function onClick() {
 *   const result = await signIn("github", { mode: "popup" });
 *   if (!result.ok && result.error !== "PopupClosed") console.log(result.error);
 * }
 * ```
 *
 * @example Passkeys in the field for the address
 * ```ts
 * import { signIn } from "@x/auth/client";
 *
 * async function onLoad() {
 *   await signIn("passkey", { conditional: true, redirectTo: "/members" });
 * }
 * ```
 */
export function signIn(id?: string, options?: SignInOptions, params?: AuthorizationParams): Promise<AuthResult> {
  return signInAt(connect(options), id, options, params);
}

/**
 * Creates a passkey: for the person who is signed in, or for a new user with the field `email`.
 *
 * @param id The id of the provider. @default {"passkey"}
 *
 * @example Usage
 * ```ts
 * import { registerPasskey } from "@x/auth/client";
 *
 * async function onClick() {
 *   const result = await registerPasskey("passkey", { redirect: false });
 *   if (!result.ok && result.error === "InvalidStateError") console.log("This device has a passkey here already.");
 * }
 * ```
 */
export function registerPasskey(id: string = "passkey", options?: RegisterOptions): Promise<AuthResult> {
  return signIn(id, { ...options, action: "register" });
}

/**
 * Solves the built-in challenge of `limits()`, for a page that does not use {@linkcode signIn}: that solves it by itself.
 * It takes a moment, on a slow phone some seconds. The page stays usable meanwhile.
 *
 * @param challenge What came with the error `TooManyAttempts`.
 * @returns The fields to send along; `null` if there is nothing to solve: another service shows the challenge, or the page is
 * not served by https.
 * @throws {DOMException} if `signal` is aborted.
 * @see {@link http://www.hashcash.org/papers/hashcash.pdf | Hashcash}
 *
 * @example Usage
 * ```ts
 * import { type ChallengeView, solveChallenge } from "@x/auth/client";
 *
 * async function sendAgain(form: FormData, challenge: ChallengeView) {
 *   for (const [name, value] of Object.entries(await solveChallenge(challenge) ?? {})) form.set(name, value);
 *   return await fetch("/login", { method: "POST", body: form });
 * }
 * ```
 */
export function solveChallenge(
  challenge: ChallengeView,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Readonly<Record<string, string>> | null> {
  return solve(challenge, signal);
}

/**
 * Tells the device which passkeys the person who is signed in has, where the browser can: others are offered no more.
 * Call it when a passkey was removed. Sign-ins with passkeys do it by themselves.
 *
 * @param id The id of the provider. @default {"passkey"}
 * @returns Whether it was told. `false` also where the browser cannot, or nobody is signed in.
 * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-signalAllAcceptedCredentials | WebAuthn Level 3}
 *
 * @example Usage
 * ```ts
 * import { syncPasskeys } from "@x/auth/client";
 *
 * async function onRemoved() {
 *   await syncPasskeys();
 * }
 * ```
 */
export function syncPasskeys(
  id: string = "passkey",
  options?: ClientOptions & { readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  return syncPasskeysAt(connect(options), id, options?.signal);
}

/**
 * Lets the browser make a passkey by itself for the person who has just signed in with a password that it keeps, without a
 * question. Call it on the page that a sign-in by password or email leads to. The provider needs `upgrade`.
 *
 * @param id The id of the provider. @default {"passkey"}
 * @returns Whether a passkey was added. `false` also where the browser cannot, would not within 5 seconds, or the sign-in was
 * more than 10 minutes ago.
 * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-createCredential | WebAuthn Level 3, conditional mediation}
 *
 * @example Usage
 * ```ts
 * import { upgradeToPasskey } from "@x/auth/client";
 *
 * async function onSignedIn() {
 *   if (await upgradeToPasskey()) console.log("From now on you sign in without a password.");
 * }
 * ```
 */
export function upgradeToPasskey(
  id: string = "passkey",
  options?: ClientOptions & { readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  return upgradeAt(connect(options), id, options?.signal);
}

/**
 * Signs out here and in the other tabs, and at the provider if the service is configured so.
 *
 * @example Usage
 * ```ts
 * import { signOut } from "@x/auth/client";
 *
 * async function onClick() {
 *   await signOut({ redirectTo: "/" });
 * }
 * ```
 */
export function signOut(options?: SignOutOptions): Promise<AuthResult> {
  return signOutAt(connect(options), options);
}

/**
 * Changes the session: the service gives `data` to the `jwt` callback, or with stored sessions to the `session` callback,
 * with the trigger `update`.
 *
 * @example Usage
 * ```ts
 * import { update } from "@x/auth/client";
 *
 * async function onClick() {
 *   const result = await update({ theme: "dark" });
 *   if (result.ok) console.log(result.session);
 * }
 * ```
 */
export function update<Service = Session>(
  data?: unknown,
  options?: ClientOptions,
): Promise<UpdateResult<SessionIn<Service>>> {
  return updateAt(connect(options), data) as Promise<UpdateResult<SessionIn<Service>>>;
}

/**
 * Lists the providers by id. They are asked for once a page.
 *
 * @throws {Error} if the service cannot be reached.
 *
 * @example Usage
 * ```ts
 * import { getProviders } from "@x/auth/client";
 *
 * async function list() {
 *   for (const { id, name } of Object.values(await getProviders())) console.log(id, name);
 * }
 * ```
 */
export function getProviders(options?: ClientOptions): Promise<Providers> {
  return readProviders(connect(options));
}

/**
 * Second factors, for pages of your own: `challenge()` says what is to be proven, `sendCode()` sends a code by email,
 * `prove()` gives the second proof, `factors()` gives the second factors of the person, and `change()` adds, names and removes
 * them. The built-in pages need none of it.
 *
 * Nothing is thrown: a result is `ok`, or has the `error`, its `status`, and the `problem` or the `url` of the page that helps.
 *
 * @example A code after a sign-in
 * ```ts
 * import { secondFactor, signIn } from "@x/auth/client";
 *
 * async function onSubmit(email: string, password: string, askForCode: () => Promise<string>) {
 *   const result = await signIn("credentials", { email, password, redirect: false });
 *   if (!result.ok || !result.challenged) return result;
 *   return await secondFactor.prove({ method: "totp", code: await askForCode(), redirectTo: "/members" });
 * }
 * ```
 *
 * @example A passkey
 * ```ts
 * import { secondFactor } from "@x/auth/client";
 *
 * async function onClick() {
 *   const challenge = await secondFactor.challenge();
 *   if (challenge.ok && challenge.asked.method === "passkey") await secondFactor.prove({ method: "passkey" });
 * }
 * ```
 */
export const secondFactor: SecondFactorClient = /* @__PURE__ */ secondFactorOf(connect);

/**
 * Passwords that the service keeps, for pages of your own: `signUp()` and `requestReset()` send the emails, `claim()` and
 * `reset()` choose a password with the links of them, and `state()`, `set()` and `remove()` are for the person who is signed
 * in. The built-in pages need none of it. `signIn("password", { email, password })` signs in.
 *
 * Nothing is thrown: a result is `ok`, or has the `error`, its `status`, and the `problem` with what was typed or the `url` of
 * the page that helps. A page stays where it is until it is right.
 *
 * @example Registering
 * ```ts
 * import { password } from "@x/auth/client";
 *
 * async function onSubmit(email: string, typed: string) {
 *   const result = await password.signUp({ email, password: typed, redirectTo: "/welcome" });
 *   if (!result.ok && result.problem === "short") console.log(`At least ${result.length?.min} characters`);
 * }
 * ```
 *
 * @example The link of an email, on the page that `pages.reset` names
 * ```ts
 * import { password } from "@x/auth/client";
 *
 * async function onSubmit(typed: string) {
 *   const { email = "", token = "" } = Object.fromEntries(new URLSearchParams(location.search));
 *   return await password.reset({ email, token, password: typed });
 * }
 * ```
 */
export const password: PasswordClient = /* @__PURE__ */ passwordOf(connect);

/**
 * Makes a client for a service that is mounted elsewhere than at `/auth`, or whose session has members of your own.
 *
 * @example Usage
 * ```ts
 * import { createAuthClient, type Session } from "@x/auth/client";
 *
 * interface MySession extends Session {
 *   role: "admin" | "member";
 * }
 *
 * const client = createAuthClient<MySession>({ basePath: "/api/auth" });
 * async function greet() {
 *   console.log((await client.getSession())?.role);
 * }
 * ```
 *
 * @typeParam Service `typeof auth` of the server, or the type of a session.
 */
export function createAuthClient<Service = Session>(
  options?: ClientOptions,
): AuthClient<SessionIn<Service>, FormsIn<Service>> {
  const connection = connect(options);
  return clientOf(connection);
}
