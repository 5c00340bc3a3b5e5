/**
 * How, and how long ago, a person has to have authenticated at the provider: `max_age` and `acr_values`, of the
 * configuration and of one request.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest | OpenID Connect Core, section 3.1.2.1}
 */
import { AccessDenied, BadRequest } from "../kernel/errors.ts";
import type { Flow } from "./flow.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { UpstreamClaims } from "../request/points.ts";

import type { JsonObject } from "../oauth_client/json.ts";
import { isTime } from "../oauth_client/jwt.ts";
import { configuredParam } from "../oauth_client/request_params.ts";

/** What one request demands, and when it was sent. */
export type Demands = Pick<Flow, "maxAge" | "acrValues" | "askedAt">;

/** The most seconds of `max_age`: a hundred years. */
const LONGEST_AGE = 100 * 365 * 24 * 60 * 60;

/**
 * Reads what a caller's parameters demand.
 *
 * @throws {BadRequest} if one is malformed or there twice. It would not be clear what is demanded.
 */
export function demandsOf(added: URLSearchParams, now: number): Demands {
  const [age, ...moreAges] = added.getAll("max_age");
  const [acrValues, ...moreValues] = added.getAll("acr_values");
  const maxAge = Number(age);
  if (moreAges.length > 0 || (age !== undefined && !(/^\d{1,10}$/.test(age) && maxAge <= LONGEST_AGE))) {
    throw new BadRequest("The parameter max_age must be one number of seconds");
  }
  if (moreValues.length > 0) throw new BadRequest("The parameter acr_values must be given once");
  return {
    askedAt: Math.floor(now / 1000),
    ...(age !== undefined && { maxAge }),
    ...(acrValues && { acrValues }),
  };
}

/** What a person is held to. */
export interface Authentication {
  readonly provider: ResolvedOAuthProvider;
  readonly flow: Demands;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * Checks how a person authenticated, by the verified claims of an id_token. What is configured holds for every request:
 * a caller can add to it, and does not loosen it.
 *
 * @throws {AccessDenied} if it was too long ago, or not in one of the demanded ways.
 */
export function assertAuthenticated(claims: Readonly<JsonObject>, expected: Authentication): void {
  const problem = ageProblem(claims, expected) ?? acrProblem(claims, expected);
  if (problem) throw new AccessDenied(`Cannot sign in with "${expected.provider.id}": ${problem}`);
}

// As of the request: afterwards the person may take some minutes to consent.
function ageProblem({ auth_time }: JsonObject, { provider, flow, now }: Authentication): string | null {
  const { clockTolerance, client } = provider;
  const max_age = configuredParam(provider, "max_age");
  const configured = max_age === undefined || max_age === "" ? client.default_max_age : Number(max_age);
  const ages = [configured, flow.maxAge].filter((age) => age !== undefined);
  if (ages.length === 0) return null;
  const maxAge = Math.min(...ages);
  if (!isTime(auth_time)) return "its id_token has no auth_time, which max_age demands";
  const age = (flow.askedAt ?? now) - auth_time;
  if (age <= maxAge + clockTolerance) return null;
  return `the person authenticated ${age} seconds before, and max_age allows ${maxAge} seconds`;
}

function acrProblem({ acr }: JsonObject, { provider, flow }: Authentication): string | null {
  const acr_values = configuredParam(provider, "acr_values");
  for (const values of [acr_values, flow.acrValues]) {
    const accepted = values ? values.split(" ") : null;
    if (!accepted || (typeof acr === "string" && accepted.includes(acr))) continue;
    const found = typeof acr === "string" ? `the acr ${JSON.stringify(acr.slice(0, 200))}` : "no acr";
    const demanded = accepted.map((value) => JSON.stringify(value)).join(", ");
    return `its id_token has ${found}, and acr_values demands one of ${demanded}`;
  }
  return null;
}

/** The longest claim, and the most values of one: they wait in storage for a second proof. */
const LONGEST_CLAIM = 256;
const MOST_VALUES = 32;

/**
 * Gives what an id_token says of how a person authenticated, where it was asked for: what comes without being asked may be
 * about another session at the provider.
 *
 * @param claims The claims of the id_token; `null` if it was not verified.
 */
export function upstreamClaims(
  claims: Readonly<JsonObject> | null,
  { asksHow = false }: Pick<Flow, "asksHow">,
): UpstreamClaims | undefined {
  if (!claims || !asksHow) return undefined;
  const { acr, acrs, amr, auth_time } = claims;
  return {
    ...(isShort(acr) && { acr }),
    ...(isList(acrs) && { acrs }),
    ...(isList(amr) && { amr }),
    ...(isTime(auth_time) && { auth_time }),
  };
}

function isShort(claim: unknown): claim is string {
  return typeof claim === "string" && claim.length <= LONGEST_CLAIM;
}

function isList(claim: unknown): claim is string[] {
  return Array.isArray(claim) && claim.length <= MOST_VALUES && claim.every(isShort);
}
