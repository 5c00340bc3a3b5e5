/**
 * Options that decide who may do what: of the wrong kind or misspelt, they are no options to leave out.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { COOKIE_ATTRIBUTES } from "../http/cookie_text.ts";
import { cookieSpecs } from "../http/cookie_specs.ts";
import { isAppScheme } from "../http/redirect_url.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";

/** Lists the options that are not of their kind. */
export function shapeProblems(config: AuthConfig): ConfigError[] {
  const { providers, useSecureCookies, account } = config;
  const wrong = [
    ...["session", "account", "jwt", "callbacks", "events", "cookies"].filter((name) => {
      const value = config[name as keyof AuthConfig];
      return value !== undefined && !isObject(value);
    }).map((name) => `\`${name}\`: it must be an object`),
    ...functionsOf(config).filter(([, value]) => isGiven(value) && typeof value !== "function")
      .map(([option]) => `\`${option}\`: it must be a function`),
    ...misspelt("callbacks", config.callbacks, CALLBACKS),
    ...cookieMistakes(config.cookies),
  ];
  if (![undefined, "plain", "sealed"].includes(account?.tokens)) {
    wrong.push("`account.tokens`: it must be plain or sealed");
  }
  if (providers !== undefined && !Array.isArray(providers)) wrong.push("`providers`: it must be a list");
  if (!areAppSchemes(config.redirectSchemes)) {
    wrong.push('`redirectSchemes`: it must be a list of schemes of your applications, such as "com.example.app"');
  }
  if (useSecureCookies !== undefined && typeof useSecureCookies !== "boolean") {
    wrong.push("`useSecureCookies`: it must be true or false");
  }
  return wrong.map((what) => new InvalidConfig(`Cannot use ${what}`));
}

function areAppSchemes(schemes: unknown): boolean {
  return schemes === undefined || (Array.isArray(schemes) && schemes.every(isAppScheme));
}

const CALLBACKS = ["signIn", "redirect", "jwt", "session", "authorized"] as const;

function functionsOf({ callbacks, session, jwt }: AuthConfig): [option: string, value: unknown][] {
  return [
    ...CALLBACKS.map((name): [string, unknown] => [`callbacks.${name}`, callbacks?.[name]]),
    ["session.generateSessionToken", session?.generateSessionToken],
    ["jwt.encode", jwt?.encode],
    ["jwt.decode", jwt?.decode],
  ];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

// `callbacks.signin` would let everybody in, and `samesite` would be left at its default.
function misspelt(owner: string, members: unknown, known: readonly string[]): string[] {
  if (!isObject(members)) return [];
  return Object.keys(members).flatMap((name) => {
    const meant = known.find((other) => other !== name && plain(other) === plain(name));
    return meant ? [`\`${owner}.${name}\`: it must be spelled \`${meant}\``] : [];
  });
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "").replaceAll("z", "s");
}

function cookieMistakes(cookies: AuthConfig["cookies"]): string[] {
  if (!isObject(cookies)) return [];
  const roles = Object.keys(cookieSpecs(true, {}));
  return Object.entries(cookies).flatMap(([role, given]) => {
    if (!isGiven(given)) return [];
    if (!roles.includes(role)) {
      return [`\`cookies.${role}\`: there is no such cookie; the cookies are ${roles.join(", ")}`];
    }
    const { options } = given as { readonly options?: unknown };
    return [
      ...(isObject(given) ? [] : [`\`cookies.${role}\`: it must be an object`]),
      ...(isGiven(options) && !isObject(options) ? [`\`cookies.${role}.options\`: it must be an object`] : []),
      ...misspelt(`cookies.${role}`, given, ["name", "options"]),
      ...misspelt(`cookies.${role}.options`, options, COOKIE_ATTRIBUTES),
      ...flagMistakes(role, options),
    ];
  });
}

function flagMistakes(role: string, options: unknown): string[] {
  if (!isObject(options)) return [];
  return ["httpOnly", "secure", "partitioned"]
    .filter((name) => isGiven(options[name]) && typeof options[name] !== "boolean")
    .map((name) => `\`cookies.${role}.options.${name}\`: it must be true or false`);
}
