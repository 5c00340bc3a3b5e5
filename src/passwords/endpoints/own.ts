/**
 * What the endpoints need of the provider of passwords.
 *
 * @module
 */
import { passwordProviderOf, type ResolvedPasswordProvider } from "../../config/password_provider.ts";
import { builtInHash, defaultConcurrency, queued } from "../../hashing/mod.ts";
import type { PasswordHash } from "../../hashing/password_hash.ts";
import { InvalidProvider } from "../../kernel/errors.ts";
import type { RequestContext } from "../../request/context.ts";
import { withLegacy } from "../legacy.ts";

/** Finds the provider of passwords. @throws {InvalidProvider} if there is none. */
export function passwordsOf({ config }: Pick<RequestContext, "config">): ResolvedPasswordProvider {
  const found = passwordProviderOf(config);
  if (found) return found;
  throw new InvalidProvider("Cannot open the page: `providers` has no `password()`");
}

/** Gives what makes and compares hashes, one after another. */
export function hashOf(
  { config: { runtime } }: Pick<RequestContext, "config">,
  { passwords }: ResolvedPasswordProvider,
): PasswordHash {
  const { hash, legacy, concurrency } = passwords;
  return queued(withLegacy(hash ?? builtInHash(runtime), legacy), concurrency ?? defaultConcurrency());
}

/** What an endpoint gets. */
export interface EndpointInput {
  readonly query: URLSearchParams;
  readonly fields: Readonly<Record<string, unknown>>;
}
