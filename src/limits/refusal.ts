/**
 * What a refusal says: how long, and which other ways there are.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Limited } from "../request/limited.ts";
import type { Standing } from "./acts.ts";
import type { Refusal } from "./ledger.ts";

/** Why an act was refused. */
interface Refused {
  /** Whether a challenge would help. */
  readonly isSolvable: boolean;
  readonly challenge: object | null;
}

/** Lists the ways that are open at once. They depend on the configuration alone, never on whose account it is. */
export function waysOf(
  { providers }: Pick<ResolvedConfig, "providers">,
  { isSolvable, challenge }: Refused,
): readonly string[] {
  const types = new Set([...providers.values()].map(({ type }) => type));
  return [
    ...isSolvable && challenge ? ["challenge"] : [],
    ...types.has("email") ? ["email"] : [],
    ...types.has("webauthn") ? ["passkey"] : [],
  ];
}

/** Says how long buckets refuse. The one that refuses longest is named. */
export function limitedBy(
  refused: readonly Refusal<Standing>[],
  ways: readonly string[],
  now: number,
): Limited {
  const [longest] = refused.toSorted((one, other) => other.until - one.until);
  const { name = "account", burst = 1, every = 1000 } = longest?.bucket ?? {};
  return {
    retryAfter: Math.max(1, Math.ceil(((longest?.until ?? now) - now) / 1000)),
    ways,
    policy: { name, quota: burst, window: Math.max(1, Math.ceil(burst * every / 1000)) },
  };
}
