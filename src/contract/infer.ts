/**
 * Types that follow a configuration: the session, the claims, and what each provider is signed in with.
 *
 * @module
 */
import type { AuthConfig, Callbacks, JWTCallbackParams, SessionCallbackParams } from "./config.ts";
import type { ProviderInput } from "./provider.ts";
import type { Awaitable, JWT, Session } from "../kernel/model.ts";

/** A key, unless it is one of an index signature. */
type Literal<K> = string extends K ? never : number extends K ? never : symbol extends K ? never : K;

/** The members that a type names, without its index signatures. */
type Named<T> = { [K in keyof T as Literal<K>]: T[K] };

/** The least that a value of the type may be: without `undefined` as a value, which other packages do not allow. */
type Least<T> = { [K in keyof Named<T>]: K extends "user" ? Least<NonNullable<T[K]>> : Exclude<T[K], undefined> };

type KeysOf<T> = keyof Named<T>;

type UserOf<T> = T extends { user?: infer U } ? NonNullable<U> : never;

type IsAny<T> = 0 extends 1 & T ? true : false;

type NamedUser<U> = U extends object ? { [K in keyof U as Literal<K>]: U[K] } : U;

/** Whether a session has no member, and none of the user, that `Session` does not have as wide. */
type IsPlainSession<S> = S extends unknown
  ? Least<Session> extends S
    ? [Exclude<KeysOf<S>, KeysOf<Session>> | Exclude<KeysOf<UserOf<S>>, KeysOf<UserOf<Session>>>] extends [never] ? true
    : false
  : false
  : never;

type IsPlainToken<T> = T extends unknown
  ? Least<JWT> extends T ? [Exclude<KeysOf<T>, KeysOf<JWT>>] extends [never] ? true : false : false
  : never;

/**
 * The session that {@linkcode Callbacks.session} returns, without index signatures: so a member that it does not have is an
 * error. `Session` if it adds nothing to it.
 */
export type SessionOf<S> = IsAny<S> extends true ? Session
  : true extends IsPlainSession<S> ? Session
  : { [K in keyof S as Literal<K>]: K extends "user" ? NamedUser<S[K]> : S[K] };

/** The claims that {@linkcode Callbacks.jwt} returns, without index signatures. `JWT` if it adds none. */
export type TokenOf<T> = IsAny<T> extends true ? JWT
  : true extends IsPlainToken<T> ? JWT
  : { [K in keyof T as Literal<K>]: T[K] };

/** `Awaitable`, with `Promise` by name: inference looks into promises of promises only where both have the same name. */
type Given<T> = T | Promise<T> | PromiseLike<T>;

/** {@linkcode Callbacks} from which the claims `T` and the session `S` are inferred. Write `jwt`, then `session`. */
export interface CallbacksOf<T, S> extends Omit<Callbacks, "jwt" | "session" | "authorized"> {
  /** Like {@linkcode Callbacks.jwt}. */
  jwt?(params: JWTCallbackParams): Given<T | null>;
  /** Like {@linkcode Callbacks.session}; `token` is what `jwt` returns. */
  session?(params: SessionParamsOf<NoInfer<TokenOf<T>>>): Given<S>;
  /** Like {@linkcode Callbacks.authorized}; `auth` is what `session` returns. */
  authorized?(
    params: { auth: NoInfer<SessionOf<S>> | null; request: Request },
  ): Awaitable<boolean | Response | undefined>;
}

/** {@linkcode SessionCallbackParams} with the claims that `jwt` returns. */
export interface SessionParamsOf<T> extends Omit<SessionCallbackParams, "token"> {
  /** The claims of the session token. Only with strategy `jwt`. */
  token?: T | undefined;
}

/** {@linkcode AuthConfig} from which providers `P`, claims `T` and session `S` are inferred. */
export interface ConfigOf<P, T, S> extends Omit<AuthConfig, "providers" | "callbacks"> {
  /** Like {@linkcode AuthConfig.providers}. */
  providers?: P | undefined;
  /** Like {@linkcode AuthConfig.callbacks}. */
  callbacks?: CallbacksOf<T, S> | undefined;
}

/** The configuration, or a function that chooses one for each request, from which types are inferred. */
export type ConfigSourceOf<P, T, S> = ConfigOf<P, T, S> | ((request: Request) => Given<ConfigOf<P, T, S>>);

/** Fields of a form that are not known. */
export interface AnyFields {
  /** A field of the form. */
  readonly [field: string]: unknown;
}

/** For each id of a provider, the fields of its form. */
export type FieldsById = Readonly<Record<string, AnyFields>>;

/** An entry of `providers`, made if it is a factory. */
type Made<E> = IsAny<E> extends true ? { id: string } : E extends (...args: never) => infer R ? R : E;

type IdOf<E> = Made<E> extends { id: infer I extends string } ? I : string;

/** The fields of a provider of type `credentials`, if they are literal; otherwise any. */
type FieldsOf<E> = Made<E> extends { type: "credentials"; credentials?: infer C }
  ? string extends keyof NonNullable<C> ? AnyFields : { readonly [F in keyof NonNullable<C>]?: unknown }
  : AnyFields;

/** The fields of each provider by its id. {@linkcode FieldsById} if there is no provider. */
export type FieldsByIdOf<P extends readonly ProviderInput[]> = [P[number]] extends [never] ? FieldsById
  : { readonly [E in P[number] as IdOf<E>]: FieldsOf<E> };

/** The ids of providers. */
export type ProviderIds<F> = keyof F & string;

/** `Id`, if it is one of the ids or any text; otherwise the ids. */
export type ProviderIdOf<F, Id extends string> = string extends Id ? Id : keyof F & string;

/** What `update()` may change of a session. */
export type SessionPatch<S> = { [K in keyof S]?: K extends "user" ? Partial<NonNullable<S[K]>> | undefined : S[K] };

/** The types of a service. */
export interface Inferred<S = Session, F = FieldsById, T = JWT> {
  /** The session. */
  readonly Session: S;
  /** The claims of the session token. */
  readonly Token: T;
  /** The ids of the providers. */
  readonly ProviderId: ProviderIds<F>;
  /** The fields of each provider by its id. */
  readonly Fields: { readonly [Id in keyof F]: F[Id] };
}
