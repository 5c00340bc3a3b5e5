/**
 * Which paths are for people who are signed in, and how they must have signed in.
 *
 * Servers, proxies and routers behind the guard may decode or rewrite a path before they choose a page. So a path is
 * protected if anything is that it may be rewritten to.
 *
 * @module
 */
import { isObject, isPlainObject } from "../kernel/objects.ts";
import {
  asksMore,
  readRequirement,
  type Requirement,
  REQUIREMENT_NAMES,
  requirementProblem,
  type SessionRequirement,
  strictestOf,
} from "../kernel/requirement.ts";
import { decoded, spellingsOf } from "./readings.ts";

/** Paths, and what is asked on them. */
export interface Rule {
  /** The segments of each path. `*` matches one segment, at the end any number. */
  readonly patterns: readonly (readonly string[])[];
  readonly ignoreCase: boolean;
  readonly requirement: Requirement;
}

/** The option `protect`, parsed. */
export interface Protection {
  readonly rules: readonly Rule[];
  /** Whether a rule asks for more than a session. */
  readonly asksMore: boolean;
}

interface GivenRule extends SessionRequirement {
  readonly routes: readonly string[];
  readonly ignoreCase?: boolean | undefined;
}

type Given = GivenRule | readonly (string | GivenRule)[];

/** Returns what is wrong with the option `protect`, or `null`. */
export function protectProblem(given: unknown): string | null {
  if (given === undefined) return null;
  // Copied, so that the holes of an array count.
  if (!Array.isArray(given)) return ruleProblem(Object(given));
  for (const member of [...given]) {
    const problem = isRule(member) ? unknownMember(member) ?? ruleProblem(member) : patternProblem(member);
    if (problem !== null) return problem;
  }
  return null;
}

const MEMBERS: readonly string[] = ["routes", "ignoreCase", ...REQUIREMENT_NAMES];

// A misspelt name asks for nothing.
function unknownMember(rule: object): string | null {
  const unknown = Object.keys(rule).find((name) => !MEMBERS.includes(name));
  if (unknown === undefined) return null;
  return `${JSON.stringify(unknown)} is not a member of a rule, which are ${MEMBERS.join(", ")}`;
}

function isRule(member: unknown): member is object {
  return isObject(member) && ("routes" in member || isPlainObject(member));
}

function ruleProblem(given: object): string | null {
  const { routes, ignoreCase } = given as Readonly<Record<keyof GivenRule, unknown>>;
  if (!Array.isArray(routes)) return "it must be a list of paths, or have one as its `routes`";
  if (ignoreCase !== undefined && typeof ignoreCase !== "boolean") return "its `ignoreCase` must be true or false";
  const [problem = null] = [...routes].flatMap((route: unknown) => patternProblem(route) ?? []);
  return problem ?? requirementProblem(given);
}

function patternProblem(route: unknown): string | null {
  if (isPattern(route)) return null;
  const wrong = typeof route === "string" ? JSON.stringify(route) : `a member of type ${typeof route}`;
  return `${wrong} is not a path such as "/members/*", in which * stands for a whole segment, at the end for any number`;
}

// Refuses the pattern syntax of routers, such as `/:id`: it would be compared as plain text, and protect nothing.
function isPattern(route: unknown): route is string {
  if (typeof route !== "string" || !route.startsWith("/") || /[?#\\;|^()[\]{}\s\p{Cc}]/u.test(route)) return false;
  const segments = decoded(route)?.split("/").slice(1);
  // An encoded slash would make one segment more.
  if (!segments || segments.length !== route.split("/").length - 1) return false;
  return segments.every((segment, at) => {
    if (segment === "") return at === segments.length - 1;
    return segment === "*" || !/^[:$]|^\.\.?$|[*;\\]|\p{Cc}/u.test(segment);
  });
}

/** Parses the option `protect`. `null` if it is not set, lists no path, or is wrong. */
export function readProtection(given: Given | undefined): Protection | null {
  if (given === undefined || protectProblem(given) !== null) return null;
  const members = "routes" in given ? [given] : given;
  const plain = { routes: members.filter((member) => typeof member === "string") };
  const rules = [plain, ...members.filter((member) => typeof member !== "string")]
    .filter(({ routes }) => routes.length > 0).map(ruleOf);
  if (rules.length === 0) return null;
  return Object.freeze({
    rules: Object.freeze(rules),
    asksMore: rules.some(({ requirement }) => asksMore(requirement)),
  });
}

function ruleOf({ routes, ignoreCase = true, ...asked }: GivenRule): Rule {
  const patterns = routes.map((route) => Object.freeze(segmentsOf(route).map((part) => folded(part, ignoreCase))));
  return Object.freeze({ patterns: Object.freeze(patterns), ignoreCase, requirement: readRequirement(asked) });
}

/** Whether a path is protected: one of its spellings is, or they cannot be determined. */
export function isProtected(pathname: string, protection: Protection): boolean {
  const spellings = spellingsOf(pathname);
  return spellings === null || spellings.some((spelling) => isListed(spelling, protection));
}

/**
 * Gives what is asked on a path: the strictest of all rules that one of its spellings fits, or of all rules if they cannot
 * be determined.
 */
export function requirementOn(pathname: string, { rules }: Protection): Requirement {
  const spellings = spellingsOf(pathname);
  const fitting = rules.filter((rule) => spellings === null || spellings.some((spelling) => fitsRule(spelling, rule)));
  return strictestOf(fitting.map(({ requirement }) => requirement));
}

/** Whether a path fits one of the patterns. An encoded slash separates no segments. */
export function isListed(path: string, { rules }: Protection): boolean {
  return rules.some((rule) => fitsRule(path, rule));
}

function fitsRule(path: string, { patterns, ignoreCase }: Rule): boolean {
  const guards = (segments: readonly string[]) => patterns.some((pattern) => fits(pattern, segments));
  return guardsAny(segmentsOf(path).map((segment) => folded(segment, ignoreCase)), guards);
}

// Through upper case, because some letters share only their upper case, such as `s` and `ſ`.
function folded(text: string, ignoreCase: boolean): string {
  const one = text.normalize();
  return ignoreCase ? one.toUpperCase().toLowerCase() : one;
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").map((segment) => (decoded(segment) ?? segment).trim()).filter((segment) => segment !== "");
}

// Routers also serve the data and the file of a page, under names such as `page.data`, `page.html` and `page/index`.
function guardsAny(segments: readonly string[], guards: (segments: readonly string[]) => boolean): boolean {
  if (guards(segments)) return true;
  const last = segments.at(-1) ?? "";
  const bare = last.replace(/^(?:__data\.json|_root\.data)$|(?:\.html)?__data\.json$|\.(?:data|html?|json|rsc)$/i, "");
  const above = segments.slice(0, -1);
  if (bare !== last && bare !== "" && guards([...above, bare])) return true;
  return (bare === "" || bare.toLowerCase() === "index") && guards(above);
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === "*";
  const length = isOpen ? pattern.length - 1 : pattern.length;
  if (isOpen ? segments.length < length : segments.length !== length) return false;
  return pattern.slice(0, length).every((segment, at) => segment === "*" || segment === segments[at]);
}
