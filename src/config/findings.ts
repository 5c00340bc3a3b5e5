/**
 * What was found in a configuration or in a provider, in the words of the log.
 *
 * @module
 */
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import type { LogCode } from "../kernel/log_codes.ts";
import type { Verdict } from "./kinds.ts";
import type { Warning } from "./warning.ts";

/** What was found. */
export class Findings {
  /** What is wrong. */
  readonly problems: ConfigError[] = [];
  /** What does not do what it looks like. */
  readonly warnings: Warning[] = [];
  /** Whether there is something to say, or something that only rules about several options can judge. */
  needsRules = false;
  readonly #provider: string | null;

  /** @param provider The id of the provider that it is about; `null` for the service. */
  constructor(provider: string | null = null) {
    this.#provider = provider;
  }

  /** Adds what a kind says of an option. */
  add(option: string, verdict: Verdict): void {
    if (verdict.is === "fine" || (verdict.is === "ignored" && !verdict.says)) return;
    this.needsRules = true;
    if (verdict.is === "ruled") return;
    if (verdict.is === "wrong") this.wrong(option, verdict.says, verdict.code);
    else if (verdict.says) {
      const code = verdict.is === "mended" ? verdict.code : undefined;
      this.warn(code ?? "option-mended", `\`${option}\`${this.#of()} ${verdict.says}`);
    }
  }

  /** Says that an option is read in another way than it was written. */
  mended(option: string, says: string): void {
    this.warn("option-mended", `\`${option}\`${this.#of()} ${says}`);
  }

  /** Says what is wrong with an option: it cannot be read in any way. */
  wrong(option: string, says: string, logCode?: LogCode): void {
    const provider = this.#provider;
    const subject = /^(?:must|is) /.test(says) ? "it " : "";
    const ofService = `\`${option}\`: ${subject}${says}`;
    this.problem(provider === null ? ofService : `provider "${provider}": its \`${option}\` ${says}`, { logCode });
  }

  /** Adds a problem: what cannot be used, and why. */
  problem(what: string, { logCode }: { readonly logCode?: LogCode | undefined } = {}): void {
    this.refuse(new InvalidConfig(`Cannot use ${what}`, { logCode }));
  }

  /** Adds a problem. */
  refuse(problem: ConfigError): void {
    this.needsRules = true;
    this.problems.push(problem);
  }

  /** Adds a warning. */
  warn(code: LogCode, message: string): void {
    this.needsRules = true;
    this.warnings.push([code, message]);
  }

  #of(): string {
    return this.#provider === null ? "" : ` of provider "${this.#provider}"`;
  }
}
