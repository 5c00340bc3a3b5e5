/**
 * Names that no option has. Most are misspelt, and what they should say would be lost without a word.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { cookieSpecs } from "../http/cookie_specs.ts";
import { COOKIE_ATTRIBUTES } from "../http/cookie_text.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import { isObject, isPlainObject } from "../kernel/objects.ts";
import { CALLBACKS, GROUPS, LOGGER, OPTIONS, PROTECT } from "./members.ts";
import { isSpelledLike, nearest } from "./nearest.ts";
import type { Findings } from "./findings.ts";

/** What other libraries, and other versions of Auth.js, call an option, and what it is called here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  baseURL: "set the environment variable AUTH_URL",
  baseUrl: "set the environment variable AUTH_URL",
  url: "set the environment variable AUTH_URL",
  site: "set the environment variable AUTH_URL",
  prefix: "write `basePath`",
  path: "write `basePath`",
  database: "write `adapter`",
  storage: "write `adapter`",
  store: "write `adapter`",
  socialProviders: "write `providers`, a list",
  plugins: "remove it",
  emailAndPassword: "add a provider of @x/auth/providers/credentials to `providers`",
  trustedOrigins: "remove it: forms of other origins are never accepted",
  secureCookies: "write `useSecureCookies`",
};

/** The option that decides who may do what, where a name looks like one. */
function accessOption(name: string): string | null {
  if (isSpelledLike(name, "authorized") || nearest(name, ["authorized"])) return "callbacks.authorized";
  if (nearest(name, ["callbacks"])) return "callbacks";
  return nearest(name, ["protect", "protected"]) ? "protect" : null;
}

/** Finds unknown names in a configuration, as it was written. */
export function findMemberMistakes(config: AuthConfig, found: Findings): void {
  findOptions(config, found);
  findCallbacks(config.callbacks, found);
  for (const [owner, known] of Object.entries(GROUPS)) {
    const members: unknown = config[owner as keyof AuthConfig];
    for (const name of unknownIn(members, known)) {
      if (accessOption(name) === "callbacks.authorized") found.misspelt(`${owner}.${name}`, "callbacks.authorized");
      else found.unknown(`${owner}.${name}`, nearest(name, known), known);
    }
  }
  for (const name of unknownIn(config.protect, PROTECT)) {
    found.misspelt(`protect.${name}`, nearest(name, PROTECT), PROTECT);
  }
  findLogger(config.logger, found);
  findCookies(config.cookies, found);
}

function unknownIn(members: unknown, known: readonly string[]): string[] {
  if (!isObject(members)) return [];
  return Object.keys(members).filter((name) => isGiven(members[name]) && !known.includes(name));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function findOptions(config: AuthConfig, found: Findings): void {
  for (const name of unknownIn(config, OPTIONS)) {
    const access = accessOption(name);
    const [owner] = Object.entries(GROUPS).find(([, known]) => known.includes(name)) ?? [];
    if (access) found.misspelt(name, access);
    else if (CALLBACKS.includes(name)) found.misspelt(name, `callbacks.${name}`);
    else if (Object.hasOwn(ELSEWHERE, name)) found.elsewhere(name, ELSEWHERE[name] ?? "");
    else found.unknown(name, nearest(name, OPTIONS) ?? (owner ? `${owner}.${name}` : null), OPTIONS);
  }
}

// A callback with a wrong name is never called: `callbacks.signin` would let everybody in.
function findCallbacks(callbacks: unknown, found: Findings): void {
  for (const name of unknownIn(callbacks, CALLBACKS)) {
    found.misspelt(`callbacks.${name}`, nearest(name, CALLBACKS), CALLBACKS);
  }
}

// Loggers have many more methods, so only those are told of that were meant for one of these.
function findLogger(logger: unknown, found: Findings): void {
  if (!isPlainObject(logger)) return;
  const known = LOGGER.filter((name) => logger[name] === undefined);
  const others = unknownIn(logger, LOGGER);
  for (const name of others) {
    const meant = nearest(name, known) ?? (name === "warning" && known.includes("warn") ? "warn" : null);
    const isOnly = known.length === LOGGER.length && others.length === 1;
    if (meant || isOnly) found.unknown(`logger.${name}`, meant, LOGGER);
  }
}

function findCookies(cookies: unknown, found: Findings): void {
  if (!isObject(cookies)) return;
  const roles = Object.keys(cookieSpecs(true, {}));
  for (const role of unknownIn(cookies, roles)) {
    const meant = nearest(role, roles);
    const hint = meant ? `did you mean \`${meant}\`?` : `the cookies are ${roles.join(", ")}`;
    found.problems.push(
      new InvalidConfig(`Cannot use \`cookies.${role}\`: there is no such cookie; ${hint}`, {
        logCode: "option-misspelt",
      }),
    );
  }
  for (const role of roles) {
    const { options } = isObject(cookies[role]) ? cookies[role] : {};
    findPart(`cookies.${role}`, cookies[role], COOKIE_PARTS, found);
    findPart(`cookies.${role}.options`, options, COOKIE_ATTRIBUTES, found);
  }
}

// `samesite` would be left at its default. `encode` is an option of the package that Auth.js writes cookies with.
function findPart(owner: string, members: unknown, known: readonly string[], found: Findings): void {
  for (const name of unknownIn(members, [...known, "encode"])) {
    const meant = nearest(name, known);
    if (meant) found.misspelt(`${owner}.${name}`, meant);
    else found.unknown(`${owner}.${name}`, null, known);
  }
}

const COOKIE_PARTS: readonly string[] = ["name", "options"];
