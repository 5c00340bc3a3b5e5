/**
 * The types that the signatures of bindings name.
 *
 * @module
 */
import type { FieldsById, Inferred } from "../../src/kernel/inferred.ts";
import type { JWT, Session } from "../../src/kernel/model.ts";

export type { Adapter } from "../../src/contract/adapter.ts";
export type { Strategy } from "../../src/contract/infer.ts";
export type { ProviderInput } from "../../src/contract/provider.ts";
export type { FieldsById, JWT, Session };

/** A service whose types a program can name. */
export interface Typed<S = Session, F = FieldsById, T = JWT> {
  /** The types of this service, for `typeof auth.$infer.Session`. It does not exist at run time. */
  // With the members of `F` one by one, and to be the first that a service extends: otherwise TypeScript 5 does not take one
  // with known providers for one with any.
  readonly $infer: Inferred<S, { [K in keyof F]: F[K] }, T>;
}

/** A service that can be checked before it serves requests. */
export interface Checkable {
  /**
   * Checks the service before the first request: its configuration, its storage, and the metadata of its providers.
   * Warnings are logged. Call it when your program starts.
   *
   * @param request A request, if the configuration is a function. With a request its host is checked, too.
   * @throws {InvalidConfig} if anything is wrong. `problems` lists all of it, and the message has a line for each.
   */
  check(request?: Request): Promise<void>;
}
