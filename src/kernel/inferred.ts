/**
 * The types of a service: its session, its claims, its providers and their forms. Servers and browsers share them.
 *
 * @module
 */
import type { JWT, Session } from "./model.ts";

/** Fields of a form whose names are not known to TypeScript. */
export interface AnyFields {
  /** A field of the form. */
  readonly [field: string]: unknown;
}

/** The fields of the form of each provider, by its id. */
export type FieldsById = Readonly<Record<string, AnyFields>>;

/** An id of these providers, or any text: an id that is not known before the program runs, such as one that a form sent. */
// The text is not `string`, in which the known ids would get lost: editors offer them.
export type SomeId<F> = keyof F & string | string & Record<never, never>;

/** `Id`, if it is one of these providers or any text. */
export type IdIn<F, Id extends string> = Id extends keyof F ? Id : string extends Id ? Id : keyof F & string;

/** The fields of the form of a provider. */
export type FieldsIn<F, Id extends string> = Id extends keyof F ? F[Id] : AnyFields;

/** What `update()` may change of a session. */
export type SessionPatch<S> = { [K in keyof S]?: K extends "user" ? Partial<NonNullable<S[K]>> | undefined : S[K] };

/** The types of a service, such as `typeof auth.$infer.Session`. They are types only: there are no values. */
export interface Inferred<S = Session, F = FieldsById, T = JWT, I extends string = keyof F & string> {
  /** The session. */
  readonly Session: S;
  /** The claims of the session token. */
  readonly Token: T;
  /** The ids of the providers. */
  readonly ProviderId: I;
  /** The fields of the form of each provider, by its id. */
  readonly Fields: F;
}

/** The session of a service. `Service` is `typeof auth`, or the type of a session. */
export type SessionIn<Service> = Service extends { readonly $infer: { readonly Session: infer S } } ? S
  : Service extends Session ? Service
  : Session;

/** The fields of the form of each provider of a service. `Service` is `typeof auth`. */
export type FormsIn<Service> = Service extends { readonly $infer: { readonly Fields: infer F } } ? F : FieldsById;
