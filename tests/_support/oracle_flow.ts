/**
 * Whether an answer of a provider may sign somebody in, by the rules alone: every check that is configured needs its
 * own part of the flow that this browser started, and what comes back must be what was sent.
 */
export type Part = "right" | "other" | "absent";

export interface FlowRow {
  /** The checks that are configured when the answer arrives. */
  readonly checks: ReadonlySet<string>;
  /** What the flow was started with, and so what its cookie holds. */
  readonly started: ReadonlySet<string>;
  /** Whether the cookie is there. */
  readonly cookie: boolean;
  /** The parameter `state`. */
  readonly state: Part;
  /** The claim `nonce`. */
  readonly nonce: Part;
}

export interface Verdict {
  /** Whether the code may be sent to the token endpoint. */
  readonly asks: boolean;
  readonly signsIn: boolean;
}

export function verdictOn({ checks, started, cookie, state, nonce }: FlowRow): Verdict {
  // A state that comes back is compared, whatever is configured; only who wants no checks does without one.
  const stateHolds = state === "right" || (state === "absent" && checks.has("none"));
  const hasParts = (!checks.has("pkce") || started.has("pkce")) && (!checks.has("nonce") || started.has("nonce"));
  const asks = cookie && stateHolds && hasParts;
  // A nonce that was sent must come back, and one that was not sent must not come.
  return { asks, signsIn: asks && nonce === (started.has("nonce") ? "right" : "absent") };
}
