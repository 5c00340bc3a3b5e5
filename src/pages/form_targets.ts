/**
 * Where the forms of pages may lead.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { LogoutOption } from "../contract/provider.ts";

/**
 * Lists the sources of `form-action` besides this site. Browsers check it at every redirect that follows a form, and a
 * provider may redirect through any site. So any https site may follow, and a provider on this machine by its origin.
 */
export function formTargets(
  { providers, redirectSchemes }: Pick<ResolvedConfig, "providers" | "redirectSchemes">,
): string[] {
  const sources = new Set(redirectSchemes.map((scheme) => `${scheme}:`));
  for (const provider of providers.values()) {
    if (provider.type !== "oauth" && provider.type !== "oidc") continue;
    sources.add("https:");
    const url = provider.authorization.url ?? provider.issuer ?? provider.wellKnown;
    for (const each of [url, logoutUrlOf(provider.logout)]) {
      if (each?.startsWith("http://")) sources.add(new URL(each).origin);
    }
  }
  return [...sources];
}

function logoutUrlOf(logout: LogoutOption | null): string | undefined {
  const url = typeof logout === "object" ? logout?.url : logout;
  return typeof url === "string" || url instanceof URL ? String(url) : undefined;
}
