/**
 * The types that every binding exports.
 *
 * @module
 */
export type { Session } from "../../src/kernel/model.ts";
export type {
  AuthorizationParams,
  SentForm,
  SignInOptions,
  SignInOptionsOf,
  SignOutOptions,
} from "../../src/service/actions.ts";
export type { Checkable, Typed } from "./types.ts";
