/**
 * Second factors that a provider has asked for.
 *
 * @module
 */
import type { Mint } from "../request/points.ts";
import type { SecondFactorSettings } from "./settings.ts";

/** Whether a provider that the site believes has asked for a second factor. */
export function isUpstreamEnough(
  { upstream: claims, authentication: { provider } }: Mint,
  { upstream }: Pick<SecondFactorSettings, "upstream">,
): boolean {
  if (!claims || provider === undefined || !Object.hasOwn(upstream, provider)) return false;
  return upstream[provider]?.(claims) === 2;
}
