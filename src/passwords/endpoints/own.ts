/**
 * What the endpoints need of the provider of passwords.
 *
 * @module
 */
import { passwordProviderOf, type ResolvedPasswordProvider } from "../../config/password_provider.ts";
import { InvalidProvider } from "../../kernel/errors.ts";
import type { RequestContext } from "../../request/context.ts";

/** Finds the provider of passwords. @throws {InvalidProvider} if there is none. */
export function passwordsOf({ config }: Pick<RequestContext, "config">): ResolvedPasswordProvider {
  const found = passwordProviderOf(config);
  if (found) return found;
  throw new InvalidProvider("Cannot open the page: `providers` has no `password()`");
}

/** What an endpoint gets. */
export interface EndpointInput {
  readonly query: URLSearchParams;
  readonly fields: Readonly<Record<string, unknown>>;
}
