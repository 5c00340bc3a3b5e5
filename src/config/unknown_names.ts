/**
 * Names that no option has. Most are misspelt, and what they should say would be lost without a word.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isObject, isPlainObject } from "../kernel/objects.ts";
import { isSpelledLike, nearest } from "./nearest.ts";
import { CALLBACKS, COOKIE, COOKIES, LINKS, LOGGER, OPTIONS } from "./options.ts";
import { PROTECT } from "./protect_options.ts";
import { type Row, type Table, unknownNames } from "./rows.ts";
import type { Warning } from "./warning.ts";

/** The most warnings: somebody may pass an object that is not a configuration at all. */
const MOST = 20;

/** What is said of unknown names. */
export class Unknown {
  readonly problems: ConfigError[] = [];
  readonly warnings: Warning[] = [];

  /** Names an option, and what to write instead. @param of The provider, if it is an option of one. */
  warn(option: string, hint: string, of = ""): void {
    if (this.warnings.length < MOST) {
      this.warnings.push(["option-unknown", `\`${cut(option)}\`${of} is not known: ${hint}`]);
    }
  }

  /** Refuses a name in the place of an option that decides who may do what. */
  refuse(option: string, hint: string, subject = "it is not known"): void {
    const message = `Cannot use \`${cut(option)}\`: ${subject}; ${hint}`;
    this.problems.push(new InvalidConfig(message, { logCode: "option-misspelt" }));
  }
}

function cut(option: string): string {
  return option.length > 100 ? `${option.slice(0, 100)}…` : option;
}

/** What to do about a name. */
export function hintOf(meant: string | null, known: readonly string[] = []): string {
  if (meant !== null) return `did you mean \`${meant}\`?`;
  return `remove it, or write one of ${known.map((name) => `\`${name}\``).join(", ")}`;
}

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
export function unknownInConfig(config: AuthConfig): Pick<Unknown, "problems" | "warnings"> {
  const found = new Unknown();
  findOptions(config, found);
  // A callback with a wrong name is never called: `callbacks.signin` would let everybody in.
  refuseAll("callbacks", config.callbacks, CALLBACKS, found);
  for (const [owner, members] of GROUPS) {
    for (const name of unknownNames(config[owner as keyof AuthConfig], members)) {
      const option = `${owner}.${name}`;
      if (accessOption(name) === "callbacks.authorized") found.refuse(option, hintOf("callbacks.authorized"));
      else found.warn(option, hintOf(nearest(name, Object.keys(members)), Object.keys(members)));
    }
  }
  const links = Object.keys(LINKS);
  for (const name of unknownNames(config.theme?.links, LINKS)) {
    found.warn(`theme.links.${name}`, hintOf(nearest(name, links), links));
  }
  refuseAll("protect", config.protect, PROTECT, found);
  findLogger(config.logger, found);
  findCookies(config.cookies, found);
  return found;
}

/** Options that have members, of which a wrong name only warns. */
const GROUPS: readonly (readonly [owner: string, members: Table])[] = Object.entries<Row>(
  OPTIONS,
).flatMap(([owner, { members }]) => {
  return members && !["callbacks", "protect", "logger", "cookies"].includes(owner) ? [[owner, members] as const] : [];
});

function findOptions(config: AuthConfig, found: Unknown): void {
  const known = Object.keys(OPTIONS);
  for (const name of unknownNames(config, OPTIONS)) {
    const access = accessOption(name) ?? (Object.hasOwn(CALLBACKS, name) ? `callbacks.${name}` : null);
    const [owner] = GROUPS.find(([, members]) => Object.hasOwn(members, name)) ?? [];
    if (access) found.refuse(name, hintOf(access));
    else if (Object.hasOwn(ELSEWHERE, name)) found.warn(name, ELSEWHERE[name] ?? "");
    else found.warn(name, hintOf(nearest(name, known) ?? (owner ? `${owner}.${name}` : null), known));
  }
}

function refuseAll(owner: string, given: unknown, table: Table, found: Unknown): void {
  const known = Object.keys(table);
  for (const name of unknownNames(given, table)) found.refuse(`${owner}.${name}`, hintOf(nearest(name, known), known));
}

// Loggers have many more methods, so only those are told of that were meant for one of these.
function findLogger(logger: unknown, found: Unknown): void {
  if (!isPlainObject(logger)) return;
  const names = Object.keys(LOGGER);
  const known = names.filter((name) => logger[name] === undefined);
  const others = unknownNames(logger, LOGGER);
  for (const name of others) {
    const meant = nearest(name, known) ?? (name === "warning" && known.includes("warn") ? "warn" : null);
    const isOnly = known.length === names.length && others.length === 1;
    if (meant || isOnly) found.warn(`logger.${name}`, hintOf(meant, names));
  }
}

function findCookies(cookies: unknown, found: Unknown): void {
  if (!isObject(cookies)) return;
  const roles = Object.keys(COOKIES);
  for (const role of unknownNames(cookies, COOKIES)) {
    const meant = nearest(role, roles);
    const hint = meant ? hintOf(meant) : `the cookies are ${roles.join(", ")}`;
    found.refuse(`cookies.${role}`, hint, "there is no such cookie");
  }
  for (const role of roles) {
    const { options } = isObject(cookies[role]) ? cookies[role] : {};
    findPart(`cookies.${role}`, cookies[role], COOKIE, found);
    findPart(`cookies.${role}.options`, options, COOKIE.options?.members ?? {}, found);
  }
}

// `samesite` would be left at its default. `encode` is an option of the package that Auth.js writes cookies with.
function findPart(owner: string, members: unknown, table: Table, found: Unknown): void {
  const known = Object.keys(table);
  for (const name of unknownNames(members, [...known, "encode"])) {
    const meant = nearest(name, known);
    if (meant) found.refuse(`${owner}.${name}`, hintOf(meant));
    else found.warn(`${owner}.${name}`, hintOf(null, known));
  }
}
