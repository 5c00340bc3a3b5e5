/**
 * The state of sign-ins that are under way at a provider. Each is sealed in its own cookie and can be used once.
 *
 * @module
 */
import { sameText } from "../crypto/digest.ts";
import type { Claims, Sealer } from "../crypto/seal.ts";
import { InvalidCheck } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import { FLOW_LIFETIME } from "../http/cookie_specs.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { CookieOptions } from "../http/cookie_text.ts";

/** The most flows of one browser, one for each tab. Five sealed cookies stay below the header limits of common servers. */
const MOST_FLOWS = 5;

/** The most flows that one response removes: proxies limit the headers of a response. */
const MOST_REMOVED = 20;

/** A sign-in that is under way at a provider. */
export interface Flow {
  /** The id of the provider. */
  readonly provider: string;
  /** The `state` parameter. Its last characters are part of the cookie's name. */
  readonly state: string;
  /** The `code_verifier`, if PKCE is used. */
  readonly verifier?: string;
  /** The `nonce`, if one was sent. */
  readonly nonce?: string;
  /** Where the visitor is redirected to when the sign-in is complete. */
  readonly target: string;
  /** The id of the user who was signed in at the start: the new account is linked to this user. */
  readonly startedBy?: string;
  /** The `max_age` that the caller demanded for this sign-in, in seconds. */
  readonly maxAge?: number;
  /** The `acr_values` that the caller demanded for this sign-in. */
  readonly acrValues?: string;
  /** Whether the request asks the provider how the person authenticates. */
  readonly asksHow?: boolean;
  /** When it was started, in seconds since 1970: `max_age` counts from here. */
  readonly askedAt?: number;
  /** The scopes with claims about a person, if the caller chose others than the configured ones. */
  readonly scopes?: string;
  /** The token endpoint: the code must not be sent elsewhere if the metadata changes meanwhile. */
  readonly endpoint?: string;
  /** The private key that the tokens will be bound to, with DPoP. */
  readonly dpopKey?: JsonWebKey;
}

/** Which flow to redeem. */
export interface FlowKey {
  /** The id of the provider that answered. */
  readonly provider: string;
  /** The `state` of the answer. */
  readonly state: string | null;
  /** Whether an answer without `state` is refused. Only the option `checks: ["none"]` allows it. */
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
 * Returns the flow that an answer belongs to, and removes its cookie.
 *
 * @throws {InvalidCheck} if the cookie is missing, forged or expired, or belongs to another provider or `state`.
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
    throw new InvalidCheck("Cannot redeem flow: its cookie is missing, or it was finished before", {
      logCode: "flow-cookie-missing",
    });
  }
  const flow = await openFlow(cookies, sealer, slot);
  // Removed in any case: a value that fails must not be tried again.
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

// A state is random text, or a sealed token for a redirect proxy. The end of both is unpredictable.
function slotOf(state: string): string {
  return state.slice(-10).replaceAll(/[^\w-]/g, "-");
}

function asFlow(claims: Claims | null): Flow | null {
  if (!claims) return null;
  const { provider, state, verifier, nonce, target, startedBy, endpoint } = claims;
  const { maxAge, acrValues, asksHow, askedAt, scopes, dpopKey } = claims;
  if (typeof provider !== "string" || typeof state !== "string" || typeof target !== "string") return null;
  return {
    provider,
    state,
    target,
    ...(typeof verifier === "string" && { verifier }),
    ...(typeof nonce === "string" && { nonce }),
    ...(typeof startedBy === "string" && { startedBy }),
    ...(typeof endpoint === "string" && { endpoint }),
    ...(typeof maxAge === "number" && { maxAge }),
    ...(typeof acrValues === "string" && { acrValues }),
    ...(asksHow === true && { asksHow }),
    ...(typeof askedAt === "number" && { askedAt }),
    ...(typeof scopes === "string" && { scopes }),
    ...(isObject(dpopKey) && { dpopKey }),
  };
}
