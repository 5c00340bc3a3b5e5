/**
 * Measures signing in with passwords: whether the time of an answer tells that an address is known, what many sign-ins
 * at once do to a process, and what `password()` adds to a page view.
 *
 * @module
 */
import { markdownTable, showRatio } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import { ratio, summarize, type Timing } from "./measure.ts";
import type { Progress } from "./report.ts";
import { type BenchRuntime, runProgram } from "./runtimes.ts";

/** How long to measure. */
export interface PasswordsInput {
  /** For the sessions. */
  readonly timing: Timing;
  /** Answers of each form to each kind of address. */
  readonly samples: number;
}

/** The times of a form for one kind of address. */
export interface AddressTimes {
  readonly form: string;
  readonly address: "unknown" | "known" | "known, without a password";
  /** Milliseconds of each answer. */
  readonly times: readonly number[];
}

/** What came of many sign-ins at once. */
export interface MeasuredRush {
  readonly signedIn: number;
  /** Those that were answered 503. */
  readonly toldToWait: number;
  /** Seconds until the last answer. */
  readonly seconds: number;
  /** By how many milliseconds timers are late while nothing happens. */
  readonly idle: readonly number[];
  /** The same during the sign-ins. */
  readonly delays: readonly number[];
}

/** The times of an answer with `password()` and without. */
export interface MeasuredRead {
  readonly name: string;
  /** Milliseconds of an answer, in each round. */
  readonly without: readonly number[];
  readonly listed: readonly number[];
}

/** What is measured on a runtime. */
export interface MeasuredPasswords {
  /** The algorithm of the hashes, and its cost. */
  readonly algorithm: string;
  readonly addresses: readonly AddressTimes[];
  readonly rush: MeasuredRush;
  /** Sign-ins per second. */
  readonly perSecond: number;
  readonly reads: readonly MeasuredRead[];
}

/** Measures each runtime. */
export async function measurePasswords(
  runtimes: readonly BenchRuntime[],
  input: PasswordsInput,
  progress: Progress,
): Promise<string[]> {
  const measured: (readonly [runtime: string, measured: MeasuredPasswords])[] = [];
  for (const runtime of runtimes) {
    measured.push([
      runtime.name,
      await runProgram<MeasuredPasswords>(runtime, "passwords_program.ts", input, progress),
    ]);
  }
  return [
    ...measured.map(([runtime, { addresses }]) => addressesTable(runtime, addresses)),
    rushTable(measured),
    readsTable(measured),
  ];
}

/**
 * The chance that a time of one list is longer than one of the other; equal times count half. This is the area below
 * the ROC curve of a stranger who guesses from one time: 0.5 says that it tells nothing, 0 and 1 that it tells all.
 */
export function chanceOfLonger(times: readonly number[], others: readonly number[]): number {
  let longer = 0;
  for (const time of times) for (const other of others) longer += time > other ? 1 : time === other ? 0.5 : 0;
  return longer / (times.length * others.length);
}

/**
 * How far the chance is from 0.5 at most in 19 of 20 measurements of what does not differ: the normal approximation of
 * the test of Mann and Whitney.
 */
export function chanceByAccident(count: number, others: number): number {
  return 1.96 * Math.sqrt((count + others + 1) / (12 * count * others));
}

/** Writes the table of known and unknown addresses. */
export function addressesTable(runtime: string, measured: readonly AddressTimes[]): string {
  const rows = measured.map(({ form, address, times }) => {
    const unknown = measured.find((other) => other.form === form && other.address === "unknown")?.times ?? [];
    const accident = chanceByAccident(times.length, unknown.length);
    return [
      `${form}: ${address}`,
      String(times.length),
      ...[0.05, 0.5, 0.95].map((share) => quantile(times, share).toFixed(2)),
      ...(address === "unknown"
        ? ["–", "–"]
        : [`**${chanceOfLonger(times, unknown).toFixed(2)}**`, `${digits(0.5 - accident)}–${digits(0.5 + accident)}`]),
    ];
  });
  const head = ["", "answers", "p5", "p50", "p95", "chance to be slower than unknown", "by accident"];
  return section(
    `Passwords: answers to known and unknown addresses on ${runtime}, in milliseconds`,
    CONCLUSIONS.passwords.addresses,
    markdownTable(head, rows),
  );
}

function rushTable(measured: readonly (readonly [runtime: string, measured: MeasuredPasswords])[]): string {
  const rows = measured.map(([runtime, { algorithm, rush, perSecond }]) => {
    const { signedIn, toldToWait, seconds, idle, delays } = rush;
    return [
      runtime,
      algorithm,
      perSecond.toFixed(1),
      String(signedIn),
      String(toldToWait),
      seconds.toFixed(1),
      ...[0.5, 0.99, 1].map((share) => `${quantile(delays, share).toFixed(1)} (${quantile(idle, share).toFixed(1)})`),
    ];
  });
  const head = [
    "",
    "hash",
    "sign-ins per second",
    "of 200 at once: signed in",
    "503",
    "seconds",
    "delay p50, ms (idle)",
    "p99",
    "largest",
  ];
  return section("Passwords: 200 sign-ins at once", CONCLUSIONS.passwords.rush, markdownTable(head, rows));
}

function readsTable(measured: readonly (readonly [runtime: string, measured: MeasuredPasswords])[]): string {
  const rows = measured.flatMap(([runtime, { reads }]) =>
    reads.map(({ name, without, listed }) => [
      `${runtime}: ${name}`,
      ...[without, listed].map((times) => (summarize(times).median * 1000).toFixed(1)),
      showRatio(ratio(without, listed)),
    ])
  );
  return section(
    "Passwords: a session with and without `password()`, in microseconds",
    CONCLUSIONS.passwords.reads,
    markdownTable(["", "without", "with `password()`", "ratio"], rows),
  );
}

function section(title: string, conclusion: string, table: readonly string[]): string {
  return [`### ${title}`, "", conclusion, "", ...table].join("\n");
}

/** The value below which a share of the values is. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

function digits(value: number): string {
  return value.toFixed(2);
}
