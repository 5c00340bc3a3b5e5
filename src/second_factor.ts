/**
 * A second factor on every way in.
 *
 * @module
 */
import { askingEverybody, type Feature, makeFeature } from "./contract/feature.ts";
import { InvalidConfig } from "./kernel/errors.ts";
import { once } from "./kernel/load.ts";
import type {
  ChosenMethod,
  RequireSecondFactor,
  SecondFactorSettings,
  UpstreamClaims,
  UpstreamLevel,
} from "./second_factor/settings.ts";

export { auth0Mfa, entraMfa, googleMfa, oktaMfa } from "./second_factor/providers.ts";
export type { ChosenMethod, RequireSecondFactor, UpstreamClaims, UpstreamLevel };

/** Options of {@linkcode secondFactor}. */
export interface SecondFactorOptions {
  /** The ways to give a second proof, besides recovery codes. @default {["passkey", "totp"]} */
  readonly methods?: readonly ChosenMethod[] | undefined;
  /**
   * Of whom a second proof is asked: of those who have enrolled, of everybody, or also of those for whom a function says so.
   *
   * @default {"enrolled"}
   */
  readonly require?: "enrolled" | "always" | RequireSecondFactor | undefined;
  /** Whether people may say that a browser is not asked again for so many days. @default {false} */
  readonly trustDevices?: { readonly days: number } | false | undefined;
  /**
   * Which providers have asked for a second factor themselves, by their id: a function gives 2 where the claims of an
   * id_token say so. Only claims are read that the authorization request asked for, with `acr_values`, `max_age` or `claims`
   * in `authorization.params` of the provider; nothing is added to the request. List a provider only if nobody but you and
   * whom you trust decides what it says. Use {@linkcode auth0Mfa}, {@linkcode entraMfa}, {@linkcode googleMfa} or
   * {@linkcode oktaMfa}, or write your own.
   *
   * @default none is believed
   */
  readonly upstream?: Readonly<Record<string, UpstreamLevel>> | undefined;
  /** The name of the site in applications that show codes. @default the name of the theme, otherwise the host */
  readonly issuer?: string | undefined;
  /** Whether somebody who has lost everything gets in with their mailbox, after so many hours. @default {false} */
  readonly recoverByEmail?: { readonly hours: number } | false | undefined;
}

/**
 * Asks for a second factor, however somebody signs in.
 *
 * @param options What differs from the defaults.
 * @throws {InvalidConfig} if an option cannot be used.
 */
export function secondFactor(options: SecondFactorOptions = {}): Feature {
  const { methods = ["passkey", "totp"], require = "enrolled", trustDevices, upstream = {}, issuer, recoverByEmail } =
    options;
  if (methods.length === 0) throw new InvalidConfig("Cannot use `secondFactor`: `methods` must have one at least");
  if (trustDevices && !isDays(trustDevices.days)) {
    throw new InvalidConfig("Cannot use `secondFactor`: `trustDevices.days` must be a whole number from 1 to 400");
  }
  if (recoverByEmail && !isHours(recoverByEmail.hours)) {
    throw new InvalidConfig("Cannot use `secondFactor`: `recoverByEmail.hours` must be a whole number from 1 to 720");
  }
  const settings: SecondFactorSettings = {
    methods,
    require,
    trustDays: trustDevices ? trustDevices.days : null,
    upstream,
    issuer: issuer ?? null,
    recoverByEmail: recoverByEmail ? recoverByEmail.hours : null,
  };
  const acts = [
    ...["mint", "demands", "routes", "check"] as const,
    ...require === "enrolled" ? [] : ["reads"] as const,
    ...trustDevices || recoverByEmail ? ["entered"] as const : [],
  ];
  const load = once(async () => (await making()).makePoints(settings));
  const feature = makeFeature("second-factor", ["records"], load, acts);
  return require === "always" ? askingEverybody(feature) : feature;
}

// Browsers keep no cookie for longer.
function isDays(days: unknown): boolean {
  return Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 400;
}

// With less, nobody would read the email in time; with more than 30 days, nobody would wait.
function isHours(hours: unknown): boolean {
  return Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= 720;
}

const making = once(() => import("./second_factor/mod.ts"));
