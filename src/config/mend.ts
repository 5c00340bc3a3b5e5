/**
 * Options that can be meant in one way only although they are not written as they should be. They are read in that way,
 * and the log says so. An option that decides who may do what is never guessed.
 *
 * @module
 */
import type { AuthConfig, PagesOptions } from "../contract/config.ts";
import { isColor } from "../http/color.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { asBoolean } from "./env.ts";
import type { Warning } from "./warning.ts";

/** A configuration that can be read, and what was changed in it. */
export interface Mended {
  /** A copy of the configuration. */
  readonly config: AuthConfig;
  readonly warnings: readonly Warning[];
}

type Members = Record<string, unknown>;

/** Says that an option was read in another way than it was written. */
type Report = (option: string, what: string) => void;

/** Mends a configuration. What it is given does not change. */
export function mendConfig(given: AuthConfig): Mended {
  const warnings: Warning[] = [];
  const report: Report = (option, what) => void warnings.push(["option-mended", `\`${option}\` ${what}`]);
  const config: Members = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => {
      // `null` is how some write "not set". It must not switch off what `protect` says.
      return value !== null || name === "protect";
    }),
  );
  for (const name of LOOKS) ignoreUnlessObject(config, name, report);
  mendMembers(config, "pages", (pages) => mendPages(pages, report));
  mendMembers(config, "theme", (theme) => mendTheme(theme, report));
  mendMembers(config, "timeouts", (timeouts) => mendTimeouts(timeouts, report));
  for (const name of ["session", "jwt"] as const) {
    mendMembers(config, name, (options) => mendDurations(options, name, ["maxAge", "updateAge"], report));
  }
  mendMembers(config, "session", (session) => mendStrategy(session, report));
  mendMembers(config, "cookies", (cookies) => {
    for (const role of Object.keys(cookies)) {
      mendMembers(cookies, role, (cookie) =>
        mendMembers(cookie, "options", (options) => {
          mendWords(options, `cookies.${role}.options`, report);
        }));
    }
  });
  mendMount(config, report);
  mendTrust(config, report);
  mendProviderList(config, report);
  return { config: config as AuthConfig, warnings };
}

/** Options without which the service works all the same. */
const LOOKS = ["pages", "theme", "timeouts", "experimental"] as const;

function ignoreUnlessObject(config: Members, name: string, report: Report): void {
  const value = config[name];
  if (value === undefined || isPlainObject(value)) return;
  delete config[name];
  report(name, "is not an object, so it is ignored");
}

function mendMembers(config: Members, name: string, mend: (members: Members) => void): void {
  const value = config[name];
  if (!isPlainObject(value)) return;
  const members = { ...value };
  mend(members);
  config[name] = members;
}

function mendPages(pages: Members, report: Report): void {
  for (const [name, url] of Object.entries(pages)) {
    // What is no text in it is left out when it is shown.
    if (name === "texts" || url === undefined || (typeof url === "string" && isPageUrl(url))) continue;
    delete pages[name];
    report(
      `pages.${name as keyof PagesOptions}`,
      "is not a path that begins with one slash, nor an http(s) URL: it is ignored",
    );
  }
}

function isPageUrl(url: string): boolean {
  if (/^\/(?![/\\])/.test(url)) return true;
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

const SCHEMES: readonly unknown[] = ["auto", "dark", "light"];

function mendTheme(theme: Members, report: Report): void {
  for (const name of ["brandColor", "buttonText"]) {
    const color = theme[name];
    if (color === undefined || color === "" || isColor(color)) continue;
    delete theme[name];
    if (color !== null) report(`theme.${name}`, 'is not a CSS colour such as "#346df1", so it is ignored');
  }
  const { colorScheme, logo } = theme;
  if (colorScheme !== undefined && !SCHEMES.includes(colorScheme)) {
    delete theme.colorScheme;
    if (colorScheme !== null) report("theme.colorScheme", 'is not "auto", "dark" or "light", so it is ignored');
  }
  if (logo !== undefined && typeof logo !== "string") {
    delete theme.logo;
    if (logo !== null) report("theme.logo", "is not text, so it is ignored");
  }
}

function mendTimeouts(timeouts: Members, report: Report): void {
  mendDurations(timeouts, "timeouts", ["total", "request", "event"], report);
  for (const [name, value] of Object.entries(timeouts)) {
    if (value === undefined || (typeof value === "number" && value >= 0.001 && value < 1e10)) continue;
    delete timeouts[name];
    report(`timeouts.${name}`, "is not a number of seconds, so its default is used");
  }
}

/** Reads numbers that were written as text, as the environment and forms have them. */
export function mendDurations(options: Members, owner: string, names: readonly string[], report: Report): void {
  for (const name of names) {
    const value = options[name];
    if (value === null) delete options[name];
    if (typeof value !== "string" || !/^ *\d{1,10}(?:\.\d{1,9})? *$/.test(value)) continue;
    options[name] = Number(value);
    report(`${owner}.${name}`, `is text: it is read as the number ${Number(value)}`);
  }
}

function mendStrategy(session: Members, report: Report): void {
  const { strategy } = session;
  if (strategy === null) delete session.strategy;
  if (typeof strategy !== "string" || ["jwt", "database"].includes(strategy)) return;
  const lower = strategy.trim().toLowerCase();
  if (!["jwt", "database"].includes(lower)) return;
  session.strategy = lower;
  report("session.strategy", `is read as "${lower}"`);
}

function mendWords(options: Members, owner: string, report: Report): void {
  for (const name of ["sameSite", "priority"]) {
    const word = options[name];
    if (typeof word !== "string" || word === word.toLowerCase()) continue;
    options[name] = word.toLowerCase();
    report(`${owner}.${name}`, `is read as "${word.toLowerCase()}"`);
  }
}

function mendMount(config: Members, report: Report): void {
  const { basePath } = config;
  if (typeof basePath !== "string" || !/^[\w.~%-]+(?:\/[\w.~%-]+)*\/?$/.test(basePath)) return;
  config.basePath = `/${basePath}`;
  report("basePath", `does not begin with a slash: it is read as "/${basePath}"`);
}

function mendTrust(config: Members, report: Report): void {
  const { trustHost } = config;
  if (trustHost === undefined || typeof trustHost === "boolean") return;
  // "false" as text is true for JavaScript, and would have every host trusted.
  config.trustHost = typeof trustHost === "string" ? asBoolean(trustHost) : trustHost === 1;
  report("trustHost", `is neither true nor false: it is read as ${config.trustHost}`);
}

function mendProviderList(config: Members, report: Report): void {
  const { providers } = config;
  if (providers === undefined || Array.isArray(providers)) return;
  if (typeof providers !== "function" && !isPlainObject(providers)) return;
  config.providers = [providers];
  report("providers", "is one provider and not a list: it is read as a list of one");
}
