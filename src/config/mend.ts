/**
 * Options that can be meant in one way only although they are not written as they should be. They are read in that way,
 * and the log says so. An option that decides who may do what is never guessed.
 *
 * @module
 */
import type { AuthConfig, PagesOptions } from "../contract/config.ts";
import { isColor } from "../http/color.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { kindOf, shown } from "../kernel/shown.ts";
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
  mendDebug(config, report);
  mendLogger(config, report);
  mendProviderList(config, report);
  return { config: config as AuthConfig, warnings };
}

/** Options without which the service works all the same. */
const LOOKS = ["pages", "theme", "timeouts", "experimental"] as const;

function ignoreUnlessObject(config: Members, name: string, report: Report): void {
  const value = config[name];
  if (value === undefined || isPlainObject(value)) return;
  delete config[name];
  report(name, `is ${kindOf(value)} and not an object, so it is ignored`);
}

function mendMembers(config: Members, name: string, mend: (members: Members) => void): void {
  const value = config[name];
  if (!isPlainObject(value)) return;
  const members = { ...value };
  mend(members);
  config[name] = members;
}

const PAGES = ["signIn", "signOut", "error", "verifyRequest", "newUser"] as const satisfies (keyof PagesOptions)[];

function mendPages(pages: Members, report: Report): void {
  if (pages.texts !== undefined && !isTexts(pages.texts)) {
    delete pages.texts;
    report(
      "pages.texts",
      'is not an object with texts for each language and is ignored: write `{ de: { signIn: "Los" } }`',
    );
  }
  for (const name of PAGES) {
    const url = pages[name];
    if (url === undefined || (typeof url === "string" && isPageUrl(url))) continue;
    delete pages[name];
    report(
      `pages.${name}`,
      `is ${shown(url)} and is ignored: set it to a path that begins with one slash, or to an http(s) URL`,
    );
  }
}

function isPageUrl(url: string): boolean {
  if (/^\/(?![/\\])/.test(url)) return true;
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

function isTexts(value: unknown): boolean {
  return isPlainObject(value) && Object.values(value).every((texts) => texts === undefined || isPlainObject(texts));
}

const SCHEMES: readonly unknown[] = ["auto", "dark", "light"];

function mendTheme(theme: Members, report: Report): void {
  for (const name of ["brandColor", "buttonText"]) {
    const color = theme[name];
    if (color === undefined || color === "" || isColor(color)) continue;
    delete theme[name];
    if (color !== null) {
      report(`theme.${name}`, `is ${shown(color)} and is ignored: set it to a CSS colour such as "#346df1"`);
    }
  }
  const { colorScheme, logo, buttons } = theme;
  if (buttons !== undefined && buttons !== "neutral" && buttons !== "brand") {
    delete theme.buttons;
    if (buttons !== null) {
      report("theme.buttons", `is ${shown(buttons)} and is ignored: set it to "neutral" or "brand"`);
    }
  }
  for (const name of ["name", "language"]) {
    const text = theme[name];
    if (text === undefined || typeof text === "string") continue;
    delete theme[name];
    if (text !== null) report(`theme.${name}`, `is ${kindOf(text)} and is ignored: set it to text`);
  }
  if (colorScheme !== undefined && !SCHEMES.includes(colorScheme)) {
    delete theme.colorScheme;
    if (colorScheme !== null) {
      report("theme.colorScheme", `is ${shown(colorScheme)} and is ignored: set it to "auto", "dark" or "light"`);
    }
  }
  if (logo !== undefined && typeof logo !== "string") {
    delete theme.logo;
    if (logo !== null) report("theme.logo", `is ${shown(logo)} and is ignored: set it to the URL of an image, as text`);
  }
}

function mendTimeouts(timeouts: Members, report: Report): void {
  const names = ["total", "request", "event", "authorize"];
  mendDurations(timeouts, "timeouts", names, report);
  for (const name of names) {
    const value = timeouts[name];
    if (value === undefined || (typeof value === "number" && value >= 0.001 && value < 1e10)) continue;
    delete timeouts[name];
    report(`timeouts.${name}`, `is ${shown(value)}, so its default is used: set it to a number of seconds`);
  }
}

/** Reads numbers that were written as text, as the environment and forms have them. */
export function mendDurations(options: Members, owner: string, names: readonly string[], report: Report): void {
  for (const name of names) {
    const value = options[name];
    if (value === null) delete options[name];
    if (typeof value !== "string" || !/^ *\d{1,10}(?:\.\d{1,9})? *$/.test(value)) continue;
    options[name] = Number(value);
    report(`${owner}.${name}`, `is the text ${shown(value)}: it is read as the number ${Number(value)}`);
  }
}

function mendStrategy(session: Members, report: Report): void {
  const { strategy } = session;
  if (strategy === null) delete session.strategy;
  if (typeof strategy !== "string" || ["jwt", "database"].includes(strategy)) return;
  const lower = strategy.trim().toLowerCase();
  if (!["jwt", "database"].includes(lower)) return;
  session.strategy = lower;
  report("session.strategy", `is ${shown(strategy)}: it is read as "${lower}"`);
}

function mendWords(options: Members, owner: string, report: Report): void {
  for (const name of ["sameSite", "priority"]) {
    const word = options[name];
    if (typeof word !== "string" || word === word.toLowerCase()) continue;
    options[name] = word.toLowerCase();
    report(`${owner}.${name}`, `is ${shown(word)}: it is read as "${word.toLowerCase()}"`);
  }
}

function mendMount(config: Members, report: Report): void {
  const { basePath } = config;
  if (typeof basePath !== "string" || !/^[\w.~%-]+(?:\/[\w.~%-]+)*\/?$/.test(basePath)) return;
  config.basePath = `/${basePath}`;
  report(
    "basePath",
    `is ${shown(basePath)}, without a slash in front: it is read as ${shown(`/${basePath}`)}, so write that`,
  );
}

function mendTrust(config: Members, report: Report): void {
  const { trustHost } = config;
  if (trustHost === undefined || typeof trustHost === "boolean") return;
  // Any text is true for JavaScript: "false", or the one host that somebody means to trust, would have all hosts trusted.
  config.trustHost = /^(?:true|1|yes|on)$/i.test(String(trustHost).trim());
  // What is read as false is a problem, which is reported.
  if (config.trustHost) report("trustHost", `is ${shown(trustHost)}: it is read as true, so write that`);
}

function mendDebug(config: Members, report: Report): void {
  const { debug } = config;
  if (debug === undefined || typeof debug === "boolean") return;
  config.debug = typeof debug === "string" ? asBoolean(debug) : false;
  report("debug", `is ${shown(debug)}: it is read as ${config.debug}, so write that`);
}

// A logger may be an instance of a class, so it is wrapped and not copied.
function mendLogger(config: Members, report: Report): void {
  const { logger } = config;
  if (logger === undefined) return;
  if (typeof logger !== "object" && typeof logger !== "function") {
    delete config.logger;
    return report(
      "logger",
      `is ${shown(logger)}, so the console is used: set it to an object with \`error\`, \`warn\` or \`debug\``,
    );
  }
  const members = logger as Members;
  const names = ["error", "warn", "debug"] as const;
  const wrong = names.filter((name) => members[name] !== undefined && typeof members[name] !== "function");
  if (wrong.length > 0) {
    const kept = names.filter((name) => typeof members[name] === "function");
    config.logger = Object.fromEntries(kept.map((name) => [name, (members[name] as () => unknown).bind(logger)]));
    for (const name of wrong) {
      report(`logger.${name}`, `is ${shown(members[name])} and is ignored: set it to a function`);
    }
  }
}

function mendProviderList(config: Members, report: Report): void {
  const { providers } = config;
  if (providers === undefined || Array.isArray(providers)) return;
  if (typeof providers !== "function" && !isPlainObject(providers)) return;
  config.providers = [providers];
  report("providers", "is one provider and not a list: it is read as a list of one");
}
