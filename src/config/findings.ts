/**
 * What was found in a configuration, in the words of the log.
 *
 * @module
 */
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import type { LogCode } from "../kernel/log_codes.ts";
import type { Warning } from "./warning.ts";

/** The most warnings: somebody may pass an object that is no configuration at all. */
const MOST = 20;

/** What was found in a configuration. */
export class Findings {
  /** What is wrong. */
  readonly problems: ConfigError[] = [];
  /** What does not do what it looks like. */
  readonly warnings: Warning[] = [];

  /** Names an option that is not known, and the one that was meant. */
  unknown(option: string, meant: string | null, known: readonly string[]): void {
    this.warn("option-unknown", `\`${cut(option)}\` is not known: ${hintOf(meant, known)}`);
  }

  /** Names an option of another library, and what to do instead. */
  elsewhere(option: string, remedy: string): void {
    this.warn("option-unknown", `\`${cut(option)}\` is not known: ${remedy}`);
  }

  /** Names an option of a provider that is not known, and the one that was meant. */
  unknownOf(option: string, id: string, meant: string | null, known: readonly string[]): void {
    this.warn("option-unknown", `\`${cut(option)}\` of provider "${id}" is not known: ${hintOf(meant, known)}`);
  }

  /** Names an option of a provider of another library, and what to do instead. */
  elsewhereOf(option: string, id: string, remedy: string): void {
    this.warn("option-unknown", `\`${cut(option)}\` of provider "${id}" is not known: ${remedy}`);
  }

  /** Refuses an option that decides who may do what, and whose name is wrong. */
  misspelt(option: string, meant: string | null, known: readonly string[] = []): void {
    this.problem("option-misspelt", `\`${cut(option)}\`: it is not known; ${hintOf(meant, known)}`);
  }

  /** Adds a problem. */
  problem(logCode: LogCode | undefined, what: string): void {
    this.problems.push(new InvalidConfig(`Cannot use ${what}`, { logCode }));
  }

  /** Adds a warning. */
  warn(code: LogCode, message: string): void {
    if (this.warnings.length < MOST) this.warnings.push([code, message]);
  }
}

function hintOf(meant: string | null, known: readonly string[]): string {
  return meant === null
    ? `remove it, or write one of ${known.map((name) => `\`${name}\``).join(", ")}`
    : `did you mean \`${meant}\`?`;
}

function cut(option: string): string {
  return option.length > 100 ? `${option.slice(0, 100)}…` : option;
}
