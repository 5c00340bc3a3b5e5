/**
 * Second factors that a provider has asked for.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import { asksHow } from "../oauth_client/request_params.ts";
import type { Mint } from "../request/points.ts";
import type { SecondFactorSettings } from "./settings.ts";

type UpstreamSettings = Pick<SecondFactorSettings, "upstream">;

/** Whether a provider that the site believes has asked for a second factor. */
export function isUpstreamEnough(
  { upstream: claims, authentication: { provider } }: Mint,
  { upstream }: UpstreamSettings,
): boolean {
  if (!claims || provider === undefined || !Object.hasOwn(upstream, provider)) return false;
  return upstream[provider]?.(claims) === 2;
}

/** Warns of providers that are believed, and never say anything. */
export function upstreamWarnings(
  { providers }: Pick<ResolvedConfig, "providers">,
  { upstream }: UpstreamSettings,
): readonly Warning[] {
  return Object.keys(upstream).flatMap((id) => {
    const problem = problemOf(providers.get(id));
    return problem ? [["upstream-silent", `\`upstream\` of \`secondFactor\` lists "${id}", ${problem}`] as const] : [];
  });
}

function problemOf(provider: ReturnType<ResolvedConfig["providers"]["get"]>): string | null {
  if (!provider) return "and there is no such provider";
  if (provider.type !== "oauth" && provider.type !== "oidc") return "which is no provider with id_tokens";
  if (asksHow(provider, new URLSearchParams())) return null;
  return "whose requests do not ask how somebody authenticates: set `acr_values`, `max_age` or `claims` in its " +
    "`authorization.params`";
}
