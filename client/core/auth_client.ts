/**
 * The functions of a client, for one connection.
 *
 * @module
 */
import type { FieldsById, IdIn, SomeId } from "../../src/kernel/inferred.ts";
import type { Session } from "../../src/kernel/model.ts";
import {
  passwordOf,
  readProviders,
  secondFactorOf,
  signInAt,
  signOutAt,
  syncPasskeysAt,
  updateAt,
  upgradeAt,
} from "./act.ts";
import { refresh, subscribe } from "./channel.ts";
import { type Connection, type Providers, readSession, type SessionState } from "./connection.ts";
import type { PasswordClient } from "./password_results.ts";
import type {
  AuthorizationParams,
  AuthResult,
  SignInOptions,
  SignInOptionsOf,
  SignOutOptions,
  UpdateResult,
} from "./results.ts";
import type { SecondFactorClient } from "./second_factor_results.ts";

/** Options of {@linkcode registerPasskey}. */
export type RegisterOptions = Omit<SignInOptions, "action" | "conditional" | "mode">;

/** All functions of this module for one service. */
export interface AuthClient<S = Session, F = FieldsById> {
  /** Asks the service who is signed in: `getSession()`. */
  getSession(options?: { readonly signal?: AbortSignal | undefined }): Promise<S | null>;
  /** Follows the session: `watchSession()`. */
  watchSession(listener: (state: SessionState<S>) => void): () => void;
  /** Asks the service who is signed in, for all who watch. */
  refresh(): Promise<void>;
  /** Signs somebody in: `signIn()`. */
  signIn<Id extends SomeId<F> = keyof F & string>(
    id?: IdIn<F, Id>,
    options?: SignInOptionsOf<F, Id>,
    params?: AuthorizationParams,
  ): Promise<AuthResult>;
  /** Creates a passkey: `registerPasskey()`. */
  registerPasskey(id?: string, options?: RegisterOptions): Promise<AuthResult>;
  /** Tells authenticators which passkeys there are: `syncPasskeys()`. */
  syncPasskeys(id?: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<boolean>;
  /** Lets the browser make a passkey by itself: `upgradeToPasskey()`. */
  upgradeToPasskey(id?: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<boolean>;
  /** Signs out: `signOut()`. */
  signOut(options?: SignOutOptions): Promise<AuthResult>;
  /** Changes the session: `update()`. */
  update(data?: unknown): Promise<UpdateResult<S>>;
  /** Lists the providers by id: `getProviders()`. */
  getProviders(): Promise<Providers>;
  /** Second factors, for pages of your own. */
  readonly secondFactor: SecondFactorClient;
  /** Passwords, for pages of your own. */
  readonly password: PasswordClient;
}

/** Makes the functions of a client. */
export function clientOf<S = Session, F = FieldsById>(connection: Connection): AuthClient<S, F> {
  return {
    getSession: (options) => readSession(connection, options?.signal) as Promise<S | null>,
    watchSession: (listener) => watchAt(connection, listener),
    refresh: () => refresh(connection),
    signIn: (id, options, params) => signInAt(connection, id, options as SignInOptions, params),
    registerPasskey: (id = "passkey", options) => signInAt(connection, id, { ...options, action: "register" }),
    syncPasskeys: (id = "passkey", options) => syncPasskeysAt(connection, id, options?.signal),
    upgradeToPasskey: (id = "passkey", options) => upgradeAt(connection, id, options?.signal),
    signOut: (options) => signOutAt(connection, options),
    update: (data) => updateAt(connection, data) as Promise<UpdateResult<S>>,
    getProviders: () => readProviders(connection),
    secondFactor: secondFactorOf(() => connection),
    password: passwordOf(() => connection),
  };
}

/** Calls a listener with what is known about the session, at once and whenever it changes. */
export function watchAt<S>(connection: Connection, listener: (state: SessionState<S>) => void): () => void {
  const tell = (): void => listener(connection.state as SessionState<S>);
  const stop = subscribe(connection, tell);
  tell();
  return stop;
}
