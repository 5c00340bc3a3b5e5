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
  /**
   * The methods to give a second proof, besides recovery codes, which are always there: a passkey that checks a PIN or a
   * finger, the six digits of an authenticator app, or six digits that are sent to the proven address. `email-code` is weak,
   * and nobody has to add it first.
   *
   * @default {["passkey", "totp"]}
   */
  readonly methods?: readonly ChosenMethod[] | undefined;
  /**
   * Who is asked for a second proof: those who have enrolled, everybody (`"always"`), or those who have enrolled and those
   * for whom a function gives `true`. People who are asked and have no second factor add one in the middle of their sign-in.
   * Their address has to be proven, and they have to be stored.
   *
   * @default {"enrolled"}
   */
  readonly require?: "enrolled" | "always" | RequireSecondFactor | undefined;
  /**
   * For how many days people may say that a browser is not asked again: 1 to 400. Sessions that begin there have level 1.
   *
   * @default {false}
   */
  readonly trustDevices?: { readonly days: number } | false | undefined;
  /**
   * Which providers ask for a second factor themselves, by their id: a function gives 2 where the claims of a verified
   * id_token say so. Claims are read only if the authorization request asked for them, with `acr_values`, `max_age` or
   * `claims` in `authorization.params` of the provider; nothing is added to the request. List a provider only if you, or
   * people whom you trust, decide what it asks for. Use {@linkcode auth0Mfa}, {@linkcode entraMfa}, {@linkcode googleMfa} or
   * {@linkcode oktaMfa}, or write your own.
   *
   * @default none is believed
   */
  readonly upstream?: Readonly<Record<string, UpstreamLevel>> | undefined;
  /** The name of the site in authenticator apps. @default `theme.name`, otherwise the host */
  readonly issuer?: string | undefined;
  /**
   * After how many hours people who have lost every second factor get in by a code by email: 1 to 720. It works for seven days
   * from then on. It does nothing where `methods` has `email-code`.
   *
   * @default {false}
   */
  readonly recoverByEmail?: { readonly hours: number } | false | undefined;
}

/**
 * Asks for a second proof, however somebody signs in. It adds two pages: `/challenge`, where it is given, and `/factors`,
 * where people add, name and remove their second factors. Sessions that begin with a second proof have `auth.level` 2.
 *
 * It needs an adapter with records, as all adapters of this package are; `withRecords()` of `@x/auth/adapters/records` gives
 * them to others. Without records, the service answers with a configuration error. Second proofs are limited for each user:
 * 6 wrong ones at once, 24 a day.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { passkey } from "@x/auth/providers/passkey";
 * import { resend } from "@x/auth/providers/resend";
 * import { secondFactor } from "@x/auth/second-factor";
 *
 * export const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [resend({ from: "Example <no-reply@example.com>" }), passkey()],
 *   features: [secondFactor({ trustDevices: { days: 30 } })],
 * });
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The feature, for `features` of the configuration.
 * @throws {InvalidConfig} if an option is not known, or has a value that it cannot have.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6238 | RFC 6238: the codes of authenticator apps}
 * @see {@link https://www.rfc-editor.org/rfc/rfc8176#section-2 | RFC 8176, section 2: the names in `auth.methods`}
 * @see {@link https://www.w3.org/TR/webauthn-3/ | WebAuthn Level 3: passkeys}
 */
export function secondFactor(options: SecondFactorOptions = {}): Feature {
  // A misspelt name, or a misspelt value, would ask nobody who has not enrolled.
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(NAMES, name));
  if (unknown !== undefined) {
    const names = Object.keys(NAMES).join(", ");
    throw new InvalidConfig(`Cannot use \`secondFactor\`: ${JSON.stringify(unknown)} is not one of ${names}`);
  }
  const { methods = ["passkey", "totp"], require = "enrolled", trustDevices, upstream = {}, issuer, recoverByEmail } =
    options;
  if (!Array.isArray(methods) || methods.length === 0 || !methods.every((method) => METHODS.includes(method))) {
    throw new InvalidConfig(
      `Cannot use \`secondFactor\`: \`methods\` must be a list with one at least of ${METHODS.join(", ")}`,
    );
  }
  if (require !== "enrolled" && require !== "always" && typeof require !== "function") {
    throw new InvalidConfig('Cannot use `secondFactor`: `require` must be "enrolled", "always" or a function');
  }
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
    ...require === "enrolled" ? [] : ["continues"] as const,
    ...trustDevices || recoverByEmail ? ["entered"] as const : [],
  ];
  const load = once(async () => (await making()).makePoints(settings));
  const feature = makeFeature("second-factor", ["records"], load, acts);
  return require === "always" ? askingEverybody(feature) : feature;
}

const NAMES: Readonly<Record<keyof SecondFactorOptions, true>> = {
  methods: true,
  require: true,
  trustDevices: true,
  upstream: true,
  issuer: true,
  recoverByEmail: true,
};

const METHODS: readonly ChosenMethod[] = ["passkey", "totp", "email-code"];

// Browsers keep no cookie for longer.
function isDays(days: unknown): boolean {
  return Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 400;
}

// With less, nobody would read the email in time; with more than 30 days, nobody would wait.
function isHours(hours: unknown): boolean {
  return Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= 720;
}

const making = once(() => import("./second_factor/mod.ts"));
