/**
 * The other origins whose pages use the passkeys of a domain, and where browsers look for them.
 *
 * @module
 */
import type { ResolvedConfig } from "./resolve.ts";

/** @see {@link https://www.w3.org/TR/webauthn-3/#sctn-validating-relation-ops | WebAuthn Level 3, related origins} */
const PATH = "/.well-known/webauthn";

/** Lists what browsers find at a path: nothing where the path is another, or no provider has related origins. */
export function relatedOriginsAt(
  pathname: string,
  { providers }: Pick<ResolvedConfig, "providers">,
): readonly string[] {
  if (pathname !== PATH) return [];
  const all = [...providers.values()].flatMap((provider) => {
    return provider.type === "webauthn" ? provider.relyingParty.related : [];
  });
  return [...new Set(all)];
}
