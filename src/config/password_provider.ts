/**
 * The provider of passwords of a configuration, if it has one.
 *
 * @module
 */
import type { PasswordSettings } from "../passwords/settings.ts";
import type { ResolvedConfig } from "./resolve.ts";
import type { ResolvedCredentialsProvider } from "./resolved_provider.ts";

/** A provider of passwords that are checked here. */
export interface ResolvedPasswordProvider extends ResolvedCredentialsProvider {
  readonly passwords: PasswordSettings;
}

/** Finds the provider of passwords; `null` if there is none. A configuration has one at most. */
export function passwordProviderOf({ providers }: Pick<ResolvedConfig, "providers">): ResolvedPasswordProvider | null {
  for (const provider of providers.values()) if (hasPasswords(provider)) return provider;
  return null;
}

function hasPasswords(provider: { readonly type: string }): provider is ResolvedPasswordProvider {
  return Boolean((provider as Partial<ResolvedPasswordProvider>).passwords);
}
