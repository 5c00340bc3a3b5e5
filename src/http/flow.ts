/**
 * Flow state: what leaves with a visitor in a sealed cookie and comes back once.
 *
 * @module
 */
import { sameText } from "../crypto/digest.ts";
import type { Claims, Sealer } from "../crypto/seal.ts";
import { InvalidCheck } from "../kernel/errors.ts";
import { FLOW_LIFETIME } from "./cookie_specs.ts";
import type { CookieJar } from "./cookies.ts";
import type { CookieOptions } from "./cookie_text.ts";

/** Flows a browser may have under way, one for each tab. */
const MOST_FLOWS = 5;

/** Flows that one answer removes: a header for each of many would be too much for proxies. */
const MOST_REMOVED = 20;

/** What a flow keeps while the visitor is at the provider. */
export interface Flow {
  /** Id of the provider it was started for. */
  readonly provider: string;
  /** The `state` parameter; its end names the flow. */
  readonly state: string;
  /** The `code_verifier`, if PKCE is used. */
  readonly verifier?: string;
  /** The `nonce`, if one was sent. */
  readonly nonce?: string;
  /** Where the visitor goes when the sign-in is complete. */
  readonly target: string;
  /** Id of the user who was signed in: starting a sign-in then means to add an account. */
  readonly startedBy?: string;
  /** The token endpoint the code is meant for: metadata that changes under way must not carry it elsewhere. */
  readonly endpoint?: string;
}

/** Which flow is taken back. */
export interface FlowKey {
  /** Id of the provider that answered. */
  readonly provider: string;
  /** The `state` that came back. */
  readonly state: string | null;
  /** Whether an answer without `state` is refused: everywhere but where a developer asked for no checks. */
  readonly stateRequired: boolean;
}

/** Seals the state of one flow into its own cookie, so that several tabs do not collide. */
export async function issueFlow(
  cookies: CookieJar,
  sealer: Sealer,
  flow: Flow,
  sameSite?: CookieOptions["sameSite"],
): Promise<void> {
  const slots = cookies.slots("state");
  const over = Math.max(0, slots.length - MOST_FLOWS + 1);
  for (const slot of slots.slice(0, Math.min(over, MOST_REMOVED))) cookies.clear("state", slot);
  const sealed = await sealer.seal({ ...flow }, { salt: cookies.nameOf("state"), maxAge: FLOW_LIFETIME });
  cookies.write("state", sealed, { slot: slotOf(flow.state), maxAge: FLOW_LIFETIME, ...(sameSite && { sameSite }) });
}

/**
 * Takes the state of a flow back, once.
 *
 * @throws {InvalidCheck} if it is missing, forged, expired, of another provider or of another `state`.
 */
export async function redeemFlow(cookies: CookieJar, sealer: Sealer, key: FlowKey): Promise<Flow> {
  if (key.state !== null) return await redeemNamed(cookies, sealer, key.state, key.provider);
  if (key.stateRequired) throw new InvalidCheck("Cannot redeem flow: the answer has no state");
  for (const slot of cookies.slots("state").toReversed()) {
    const flow = await openFlow(cookies, sealer, slot);
    if (flow?.provider !== key.provider) continue;
    cookies.clear("state", slot);
    return flow;
  }
  throw new InvalidCheck("Cannot redeem flow: none was started for this provider");
}

async function redeemNamed(cookies: CookieJar, sealer: Sealer, state: string, provider: string): Promise<Flow> {
  const slot = slotOf(state);
  if (!cookies.slots("state").includes(slot)) {
    throw new InvalidCheck("Cannot redeem flow: its cookie is missing, or it was finished before");
  }
  const flow = await openFlow(cookies, sealer, slot);
  // Cleared whatever it holds: a value that fails once must not be tried again.
  cookies.clear("state", slot);
  if (!flow) throw new InvalidCheck("Cannot redeem flow: its cookie is forged or expired");
  if (!sameText(flow.state, state)) throw new InvalidCheck("Cannot redeem flow: its state is another");
  if (flow.provider !== provider) throw new InvalidCheck("Cannot redeem flow: it was started for another provider");
  return flow;
}

async function openFlow(cookies: CookieJar, sealer: Sealer, slot: string): Promise<Flow | null> {
  const sealed = cookies.read("state", slot);
  const flow = sealed ? asFlow(await sealer.open(sealed, cookies.nameOf("state"))) : null;
  return flow && slotOf(flow.state) === slot ? flow : null;
}

// The end of a state is random in both of its forms: random text, and a sealed token that ends in its tag.
function slotOf(state: string): string {
  return state.slice(-10).replaceAll(/[^\w-]/g, "-");
}

function asFlow(claims: Claims | null): Flow | null {
  if (!claims) return null;
  const { provider, state, verifier, nonce, target, startedBy, endpoint } = claims;
  if (typeof provider !== "string" || typeof state !== "string" || typeof target !== "string") return null;
  return {
    provider,
    state,
    target,
    ...(typeof verifier === "string" && { verifier }),
    ...(typeof nonce === "string" && { nonce }),
    ...(typeof startedBy === "string" && { startedBy }),
    ...(typeof endpoint === "string" && { endpoint }),
  };
}
