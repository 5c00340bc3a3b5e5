/**
 * What may be asked of the sign-in of a session: a level, an age, methods.
 *
 * @module
 */

/** How long something may last: seconds, or a whole number of seconds, minutes, hours or days, such as `"10m"`. */
export type Duration = number | `${number}${"s" | "m" | "h" | "d"}`;

/** What is asked of the sign-in of a session. All of it has to hold. */
export interface SessionRequirement {
  /** How sure it has to be who signed in: 2 is a second factor, or a passkey that checked a PIN or a finger. @default {1} */
  readonly level?: 1 | 2 | undefined;
  /**
   * How long ago the sign-in may be: seconds, or text such as `"10m"`, `"1h"` or `"1d"`. A session that does not say when it
   * began is too old.
   *
   * @default any time
   */
  readonly maxAge?: Duration | undefined;
  /** How it must have been done, as `methods` of {@linkcode SessionAuth} has it. Each of them is needed. @default anyhow */
  readonly methods?: readonly string[] | undefined;
}

/** What a session lacks: that there is one, its level, one of the methods, or a sign-in that is new enough. */
export type StepUpPart = "session" | "level" | "methods" | "age";

/** What is asked, with every default written in. */
export interface Requirement {
  readonly level: 1 | 2;
  /** In seconds; `null` if any age will do. */
  readonly maxAge: number | null;
  readonly methods: readonly string[];
}

/** Asks for a session, and for nothing more. */
const ANY_SESSION: Requirement = Object.freeze({ level: 1, maxAge: null, methods: Object.freeze([]) });

/** The names of what may be asked. */
export const REQUIREMENT_NAMES: readonly string[] = ["level", "maxAge", "methods"];

/** Returns what is wrong with what is asked, or `null`. */
export function requirementProblem(given: object): string | null {
  const { level, maxAge, methods } = given as Readonly<Record<keyof SessionRequirement, unknown>>;
  if (level !== undefined && level !== 1 && level !== 2) return "its `level` must be 1 or 2";
  if (maxAge !== undefined && secondsOf(maxAge) === null) {
    return 'its `maxAge` must be a whole number of seconds, at least 1, or text such as "10m", "1h" or "1d"';
  }
  if (methods !== undefined && !isMethods(methods)) {
    return 'its `methods` must be a list of names, such as ["hwk"]';
  }
  return null;
}

/** Reads what is asked. It must have no problem. */
export function readRequirement({ level = 1, maxAge, methods = [] }: SessionRequirement): Requirement {
  if (level === 1 && maxAge === undefined && methods.length === 0) return ANY_SESSION;
  return Object.freeze({ level, maxAge: secondsOf(maxAge), methods: Object.freeze([...methods]) });
}

/** Whether more is asked than a session. */
export function asksMore({ level, maxAge, methods }: Requirement): boolean {
  return level > 1 || maxAge !== null || methods.length > 0;
}

/** Gives what meets all requirements at once. */
export function strictestOf(all: readonly Requirement[]): Requirement {
  const ages = all.flatMap(({ maxAge }) => maxAge ?? []);
  return {
    level: all.some(({ level }) => level === 2) ? 2 : 1,
    maxAge: ages.length > 0 ? Math.min(...ages) : null,
    methods: [...new Set(all.flatMap(({ methods }) => methods))],
  };
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

function secondsOf(given: unknown): number | null {
  if (typeof given === "number") return Number.isSafeInteger(given) && given > 0 ? given : null;
  const [, count, unit = ""] = typeof given === "string" ? /^([1-9]\d{0,8})([smhd])$/.exec(given) ?? [] : [];
  return count === undefined ? null : Number(count) * (SECONDS[unit] ?? 1);
}

// Sessions keep their methods as one text with spaces.
function isMethods(given: unknown): boolean {
  return Array.isArray(given) && given.length > 0 &&
    [...given].every((name: unknown) => typeof name === "string" && /^[!-~]{1,64}$/.test(name));
}
