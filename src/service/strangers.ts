/**
 * What answers tell strangers of addresses, for developers who check their service.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";

/** Lists the answers by which strangers learn that an address has a user, and why they are given. */
export function toldToStrangers({ providers, storage }: Pick<ResolvedConfig, "providers" | "storage">): Warning[] {
  if (!storage) return [];
  const all = [...providers.values()];
  const told: Warning[] = all.flatMap((provider) => {
    if (provider.type !== "webauthn" || !provider.registersStrangers || provider.confirms) return [];
    return [[
      "registration-tells",
      `provider "${provider.id}" registers strangers at once: whoever creates a passkey with an address learns whether it ` +
      "has a user, because only one without becomes a user. Set `confirm: true` to answer all of them by email, or " +
      '`registration: "signed-in"`',
    ]];
  });
  if (!all.some(({ type }) => type === "oauth" || type === "oidc")) return told;
  return [...told, [
    "linking-tells",
    "whoever signs in with an account whose address another user has is told so (`OAuthAccountNotLinked`), because its " +
    "owner could not know otherwise that they have to sign in as before. So who can enter any address at a provider can " +
    "find out here which have a user",
  ]];
}
