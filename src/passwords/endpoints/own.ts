/**
 * What the endpoints need of the provider of passwords.
 *
 * @module
 */
import { passwordProviderOf, type ResolvedPasswordProvider } from "../../config/password_provider.ts";
import { InvalidProvider } from "../../kernel/errors.ts";
import type { AdapterUser } from "../../kernel/model.ts";
import type { RequestContext } from "../../request/context.ts";
import { revisionFor } from "../../sign_in/stored_password.ts";
import type { StoredPassword } from "../stored.ts";

/** Finds the provider of passwords. @throws {InvalidProvider} if there is none. */
export function passwordsOf({ config }: Pick<RequestContext, "config">): ResolvedPasswordProvider {
  const found = passwordProviderOf(config);
  if (found) return found;
  throw new InvalidProvider("Cannot open the page: `providers` has no `password()`");
}

/** Whether a user may choose a password: with `signUp: false` only who has one, for the address that they have. */
export function mayChoosePassword(
  { passwords }: Pick<ResolvedPasswordProvider, "passwords">,
  user: AdapterUser,
  password: StoredPassword | null,
): boolean {
  return passwords.signUp !== false || revisionFor(password, user) !== "";
}

/** What an endpoint gets. */
export interface EndpointInput {
  readonly query: URLSearchParams;
  readonly fields: Readonly<Record<string, unknown>>;
}
