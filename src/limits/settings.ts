/**
 * What was chosen, with every default written in.
 *
 * @module
 */
import type { NameAccount } from "./account.ts";
import type { Act, Rules } from "./acts.ts";
import type { Challenge } from "./challenge.ts";
import type { ClientAddress } from "./client_address.ts";

/** The limits of a service. */
export interface LimitsSettings {
  readonly rules: Rules;
  readonly clientAddress: ClientAddress | undefined;
  readonly account: NameAccount | undefined;
  /** Another way past the bucket of an account, if there is one. */
  readonly challenge: Challenge | null;
  /** What is limited, if it is not everything. */
  readonly only?: ReadonlySet<Act>;
}
