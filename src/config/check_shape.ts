/**
 * Options that decide who may do what: of the wrong kind, they are no options to leave out.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { cookieSpecs } from "../http/cookie_specs.ts";
import { isAppScheme } from "../http/redirect_url.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import { kindOf, shown } from "../kernel/shown.ts";

/** Lists the options that are not of their kind. */
export function shapeProblems(config: AuthConfig): ConfigError[] {
  const { providers, useSecureCookies, account } = config;
  const wrong = [
    ...["session", "account", "jwt", "callbacks", "events", "cookies"].filter((name) => {
      const value = config[name as keyof AuthConfig];
      return value !== undefined && !isObject(value);
    }).map((name) => `\`${name}\`: it must be an object, not ${kindOf(config[name as keyof AuthConfig])}`),
    ...functionsOf(config).filter(([, value]) => isGiven(value) && typeof value !== "function")
      .map(([option, value]) => `\`${option}\`: it must be a function, not ${shown(value)}`),
    ...cookieMistakes(config.cookies),
  ];
  if (![undefined, "plain", "sealed"].includes(account?.tokens)) {
    wrong.push(`\`account.tokens\`: it must be "plain" or "sealed", not ${shown(account?.tokens)}`);
  }
  if (providers !== undefined && !Array.isArray(providers)) {
    wrong.push(`\`providers\`: it must be a list, not ${kindOf(providers)}; write \`providers: [github()]\``);
  }
  if (!areAppSchemes(config.redirectSchemes)) {
    wrong.push('`redirectSchemes`: it must be a list of schemes of your applications, such as "com.example.app"');
  }
  if (useSecureCookies !== undefined && typeof useSecureCookies !== "boolean") {
    wrong.push(`\`useSecureCookies\`: it must be true or false, not ${shown(useSecureCookies)}`);
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

function cookieMistakes(cookies: AuthConfig["cookies"]): string[] {
  if (!isObject(cookies)) return [];
  const roles = Object.keys(cookieSpecs(true, {}));
  return Object.entries(cookies).flatMap(([role, given]) => {
    // An unknown name is a mistake of its own, which is found elsewhere.
    if (!isGiven(given) || !roles.includes(role)) return [];
    const { options } = given as { readonly options?: unknown };
    return [
      ...(isObject(given) ? [] : [`\`cookies.${role}\`: it must be an object`]),
      ...(isGiven(options) && !isObject(options) ? [`\`cookies.${role}.options\`: it must be an object`] : []),
      ...flagMistakes(role, options),
    ];
  });
}

function flagMistakes(role: string, options: unknown): string[] {
  if (!isObject(options)) return [];
  return ["httpOnly", "secure", "partitioned"]
    .filter((name) => isGiven(options[name]) && typeof options[name] !== "boolean")
    .map((name) => `\`cookies.${role}.options.${name}\`: it must be true or false, not ${shown(options[name])}`);
}
