/**
 * What was chosen, with every default written in.
 *
 * @module
 */
import type { Load } from "../kernel/load.ts";
import type { NameAccount } from "./account.ts";
import type { Act, Rules } from "./acts.ts";
import type { Challenge } from "./challenge.ts";
import type { ClientAddress } from "./client_address.ts";

/** The limits of a service. */
export interface LimitsSettings {
  readonly rules: Rules;
  readonly clientAddress: ClientAddress | undefined;
  readonly account: NameAccount | undefined;
  /** Loads the challenge; it gives `null` if there is none. */
  readonly challenge: Load<Challenge | null>;
  /** What is limited, if it is not everything. */
  readonly only?: ReadonlySet<Act>;
}
