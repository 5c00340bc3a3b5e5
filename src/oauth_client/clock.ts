/**
 * Tells a clock that is wrong from a token that is.
 *
 * @module
 */
import { OAuthProviderError } from "../kernel/errors.ts";
import type { IdToken, IdTokenExpectations } from "./id_token.ts";

interface Clock extends Pick<IdTokenExpectations, "now" | "tolerance"> {
  /** The greatest age of a new token, in seconds. */
  readonly oldest: number;
}

/** A time of a token that does not fit the clock, and what that means. */
interface Skew {
  readonly time: number;
  readonly meaning: string;
}

/**
 * Makes the error of a new token whose times do not fit the clock of this machine.
 *
 * @returns `null` if its times fit, or are no times.
 */
export function clockProblem(
  provider: string,
  { claims }: Pick<IdToken, "claims">,
  clock: Clock,
): OAuthProviderError | null {
  const skew = skewOf(claims, clock);
  return skew && new OAuthProviderError(
    `Cannot accept id_token: the id_token of \`${provider}\` ${skew.meaning} by this machine's clock ` +
      `(${textOf(skew.time)} against ${textOf(clock.now)}): check the clock`,
    { logCode: "clock-skew" },
  );
}

function skewOf(claims: IdToken["claims"], { now, tolerance, oldest }: Clock): Skew | null {
  const [iat, nbf, exp] = [claims.iat, claims.nbf, claims.exp].map((time) => isDate(time) ? time : null);
  const off = (time: number) => Math.abs(Math.round(time - now));
  if (iat && iat > now + tolerance) return { time: iat, meaning: `was issued ${off(iat)} s in the future` };
  if (nbf && nbf > now + tolerance) return { time: nbf, meaning: `is valid only in ${off(nbf)} s` };
  if (exp && exp <= now - tolerance) return { time: exp, meaning: `expired ${off(exp)} s ago` };
  if (iat && iat < now - oldest) return { time: iat, meaning: `was issued ${off(iat)} s ago` };
  return null;
}

/** The latest time that a date can hold, in seconds since 1970. */
const LATEST = 8.64e12;

function isDate(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < LATEST;
}

function textOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}
