/**
 * Types that follow a configuration: the session, the claims, and what each provider is signed in with.
 *
 * @module
 */
import type { Adapter } from "./adapter.ts";
import type {
  AuthConfig,
  AuthorizedParams,
  BothSessionParams,
  Callbacks,
  DatabaseSessionParams,
  JWTCallbackCases,
  JWTSessionParams,
  SessionCallbackParams,
} from "./config.ts";
import type { ProviderInput } from "./provider.ts";
import type { AnyFields, FieldsById } from "../kernel/inferred.ts";
import type { DefaultSession, JWT, Session } from "../kernel/model.ts";

/**
 * The session that {@linkcode CallbacksOf.session} returns, without index signatures, so that a member it does not have is
 * an error. `Session` if it adds nothing to that.
 */
export type SessionOf<S> = true extends IsPlain<S, Session> | IsPlain<S, DatabaseSessionParams["session"]> ? Session : {
  [K in keyof S as NamedKey<K>]: K extends "user"
    ? S[K] extends infer U ? U extends object ? { [M in keyof U as NamedKey<M>]: U[M] } : U : never
    : S[K];
};

/** The claims that {@linkcode CallbacksOf.jwt} returns, without index signatures. `JWT` if it adds none. */
export type TokenOf<T> = true extends IsPlain<T, JWT> ? JWT : { [K in keyof T as NamedKey<K>]: T[K] };

/** A strategy of sessions. */
export type Strategy = "jwt" | "database";

/** A strategy that is not known. `undefined` alone stands for a configuration that says nothing of it. */
export type MaybeStrategy = Strategy | undefined;

/**
 * The strategy that a configuration has: `N` is the type of `session.strategy`, `A` that of `adapter`, and `never` stands
 * for a member that is not there. Both strategies where they do not tell, `undefined` where both members are missing.
 */
export type StrategyOf<N, A> = [N] extends [never]
  ? [A] extends [never] ? undefined : undefined extends A ? MaybeStrategy : "database"
  : N extends Strategy ? N
  : MaybeStrategy;

/** The parameters of {@linkcode CallbacksOf.session} for the strategy `K`, with the claims `T` that `jwt` returns. */
// What a strategy does not have may be named and looked for, but not used. A configuration that says nothing gets the
// types of Auth.js.
export type SessionParamsOf<T, K = MaybeStrategy> = [K] extends [undefined] ? BothSessionParams<T>
  : [K] extends ["jwt"] ? JWTSessionParams<T> & Partial<Omit<DatabaseSessionParams, "session">>
  : [K] extends ["database"] ? DatabaseSessionParams & { token?: T | undefined }
  : SessionCallbackParams<T>;

/**
 * {@linkcode Callbacks} that the claims `T` and the session `S` are inferred from. TypeScript reads them in the order they
 * are written in: `jwt`, `session`, `authorized`.
 */
// `Promise` is named beside `PromiseLike` because inference looks into a promise in a promise by name only.
export interface CallbacksOf<T, S, K = MaybeStrategy, R = Request>
  extends Omit<Callbacks, "jwt" | "session" | "authorized"> {
  /** Returns the claims of the session token. Return `null` to end the session. */
  jwt?(params: JWTCallbackCases): T | null | Promise<T | null> | PromiseLike<T | null>;
  /** Returns the session that the browser sees. `token` is what `jwt` returns; with strategy `database`, there is `user`. */
  // What lacks a member that the program has added to `Session` is a `Session` all the same, as with Auth.js.
  session?(
    params: SessionParamsOf<NoInfer<TokenOf<T>>, K>,
  ): S | DefaultSession | Promise<S | DefaultSession> | PromiseLike<S | DefaultSession>;
  /** Like {@linkcode Callbacks.authorized}. `auth` is what `session` returns. */
  authorized?(
    params: AuthorizedParams<NoInfer<SessionOf<S>>, R>,
  ): ReturnType<NonNullable<Callbacks["authorized"]>>;
}

/** {@linkcode AuthConfig} that the providers `P`, the claims `T` and the session `S` are inferred from. `K` is the strategy. */
export interface ConfigOf<P, T, S, K = MaybeStrategy, R = Request> extends Omit<AuthConfig, "providers" | "callbacks"> {
  /** The providers that people can sign in with. @default {[]} */
  providers?: P | undefined;
  /** Functions that change what the service does. */
  callbacks?: CallbacksOf<T, S, K, R> | undefined;
}

/** {@linkcode ConfigOf} whose strategy is inferred from the types of `session.strategy`, `N`, and of `adapter`, `A`. */
// In members that have to be there, `undefined` counts: it would get lost in optional ones.
export type ConfigTelling<P, T, S, N, A, R = Request> =
  | ConfigOf<P, T, S, StrategyOf<N, A>, R>
  | (ConfigOf<P, T, S, StrategyOf<N, A>, R> & { readonly adapter: A })
  | (ConfigOf<P, T, S, StrategyOf<N, A>, R> & { readonly session: { readonly strategy: N } });

/** A configuration, or a function that chooses one for each request, that types are inferred from. */
export type ConfigSourceOf<P, T, S, N = unknown, A = unknown, R = Request> =
  | ConfigTelling<P, T, S, N, A, R>
  | ((
    request: R,
  ) => AnyConfigOf<P, T, S, R> | Promise<AnyConfigOf<P, T, S, R>> | PromiseLike<AnyConfigOf<P, T, S, R>>);

/** {@linkcode ConfigOf} whose strategy is not known. */
export type AnyConfigOf<P, T, S, R = Request> = ConfigOf<P, T, S, MaybeStrategy, R>;

/**
 * {@linkcode FieldsById} of a list of providers. Ids are known that are literal in the types of the providers, and fields
 * are those that a provider of type `credentials` names. All others may have any.
 */
export type FieldsByIdOf<P extends readonly ProviderInput[]> = [P[number]] extends [never] ? FieldsById
  : { readonly [E in P[number] as IdOf<MadeOf<E>>]: FieldsOf<MadeOf<E>> };

/**
 * Gives back a configuration with its types, for a module of its own. In an object of type `AuthConfig`, or one that is
 * checked with `satisfies AuthConfig`, ids and sessions are as wide as without inference.
 *
 * @example Usage
 * ```ts
 * import { createAuth, defineConfig } from "@x/auth";
 * import { github } from "@x/auth/providers/github";
 *
 * const config = defineConfig({ providers: [github()] });
 *
 * export const auth = createAuth(config);
 * export type ProviderId = typeof auth.$infer.ProviderId; // "github"
 * ```
 *
 * @param config The configuration.
 * @returns The same object.
 */
export function defineConfig<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigTelling<P, T, S, N, A>): ConfigOf<P, T, S, StrategyOf<N, A>> {
  return config;
}

/** A configuration that the session `S` is inferred from. */
export type SessionSource<S> = ConfigSourceOf<readonly ProviderInput[], JWT, S>;

/** @internal A key, unless it is that of an index signature. */
export type NamedKey<K> = string extends K ? never : number extends K ? never : symbol extends K ? never : K;

/** @internal The named keys of a type. */
export type KeysOf<T> = keyof { [K in keyof T as NamedKey<K>]: T[K] };

/** @internal The user in a type, if it has one. */
export type UserOf<T> = T extends { user?: infer U } ? NonNullable<U> : never;

/** @internal The narrowest value of a type. Optional members are absent, not `undefined`, which some packages refuse. */
export type LeastOf<T> = {
  [K in keyof T as NamedKey<K>]: K extends "user" ? LeastOf<NonNullable<T[K]>> : Exclude<T[K], undefined>;
};

/** @internal Whether a type, or one of a union, adds no member to `Base` or its user, and narrows none. */
export type IsPlain<T, Base> = 0 extends 1 & T ? true
  : T extends unknown
    ? LeastOf<Base> extends T
      ? [Exclude<KeysOf<T>, KeysOf<Base>> | Exclude<KeysOf<UserOf<T>>, KeysOf<UserOf<Base>>>] extends [never] ? true
      : false
    : false
  : never;

/** @internal The provider that an entry of `providers` stands for. */
export type MadeOf<E> = 0 extends 1 & E ? ProviderInput : E extends (...args: never) => infer R ? R : E;

/** @internal The id of a provider. */
export type IdOf<E> = E extends { id: infer I extends string } ? I : string;

/** @internal The fields of a provider. */
export type FieldsOf<E> = E extends { type: "credentials"; credentials?: infer C }
  ? string extends keyof NonNullable<C> ? AnyFields : { readonly [F in keyof NonNullable<C>]?: unknown }
  : AnyFields;
