/**
 * The provider of passwords, and what the endpoints need of it.
 *
 * @module
 */
import type { ResolvedConfig } from "../../config/resolve.ts";
import { InvalidProvider } from "../../kernel/errors.ts";
import type { PasswordLength } from "../../request/password_views.ts";
import type { PasswordSettings } from "../settings.ts";

/** The provider of passwords. */
export interface Passwords {
  /** Its id. */
  readonly id: string;
  readonly settings: PasswordSettings;
}

/** Finds the provider of passwords. @throws {InvalidProvider} if there is none. */
export function passwordsOf({ providers }: Pick<ResolvedConfig, "providers">): Passwords {
  for (const provider of providers.values()) {
    if (provider.type === "credentials" && provider.passwords) {
      return { id: provider.id, settings: provider.passwords };
    }
  }
  throw new InvalidProvider("Cannot open the page: `providers` has no `password()`");
}

/** Gives how long passwords are. */
export function lengthOf(_config: ResolvedConfig, { length }: PasswordSettings): PasswordLength {
  return { min: length.min ?? 15, max: length.max };
}
