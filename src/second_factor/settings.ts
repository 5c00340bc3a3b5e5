/**
 * What was chosen, with every default written in.
 *
 * @module
 */
import type { SessionAuth } from "../contract/config.ts";
import type { Awaitable, User } from "../kernel/model.ts";
import type { UpstreamClaims } from "../request/points.ts";

export type { UpstreamClaims };

/** What stands for the provider in events, and where attempts are counted. */
export const PROVIDER = "second-factor";

/** A way to give a second proof that a site may choose. Recovery codes are always one. */
export type ChosenMethod = "passkey" | "totp" | "email-code";

/**
 * Decides whether a second proof is demanded of somebody, whether they have enrolled or not: `true` demands it. It is asked
 * at each sign-in with one factor, and at each reading of such a session, so it has to be quick. If it throws, nobody is let
 * in.
 *
 * @param user The user who signs in, or whose session of level 1 is read.
 * @param auth How and when they have signed in.
 */
export type RequireSecondFactor = (user: User, auth: SessionAuth) => Awaitable<boolean>;

/** The second factors of a service. */
export interface SecondFactorSettings {
  readonly methods: readonly ChosenMethod[];
  readonly require: "enrolled" | "always" | RequireSecondFactor;
  /** Days that a browser is trusted; `null` if none is. */
  readonly trustDays: number | null;
  /** Tells the level that a provider proves, from the claims of its id_token, by the id of the provider. */
  readonly upstream: Readonly<Record<string, UpstreamLevel>>;
  /** The name of the site in applications that show codes; `null` for that of the theme, or the host. */
  readonly issuer: string | null;
  /** Hours after which somebody who has lost everything gets in with their mailbox; `null` if never. */
  readonly recoverByEmail: number | null;
}

/** Gives the level that a provider has authenticated somebody with, from the claims of an id_token that was verified. */
export type UpstreamLevel = (claims: UpstreamClaims) => 1 | 2;
