/**
 * The types that every binding exports.
 *
 * An application that emits declarations names the types of its service by the paths that the package exports, so these
 * are all types that such a declaration may name: those of the service, of what its callbacks get, and of providers.
 *
 * @module
 */
export type { Adapter } from "../../src/contract/adapter.ts";
export type {
  CredentialsProvider,
  EmailProvider,
  OAuthProvider,
  OidcProvider,
  WebAuthnProvider,
} from "../../src/contract/provider.ts";
export type * from "../../src/kernel/inferred.ts";
export type * from "../../src/kernel/model.ts";
export type { MailProvider } from "../../src/providers/mail/provider.ts";
export type { RequireOptions } from "../../src/service/require.ts";
export type { Duration, SessionRequirement, StepUpPart } from "../../src/kernel/requirement.ts";
export type {
  AuthorizationParams,
  SentForm,
  SignInOptions,
  SignInOptionsOf,
  SignInTarget,
  SignOutOptions,
} from "../../src/service/actions.ts";
export type { Checkable, Typed } from "./types.ts";
