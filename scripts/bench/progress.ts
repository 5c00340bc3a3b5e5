/**
 * Shows the progress of the benchmark.
 *
 * @module
 */

/** Prints what the benchmark does now. */
export type Progress = (what: string) => void;

/** Prints progress on standard error, with the seconds since the start. Standard output is for the report alone. */
export function startProgress(): Progress {
  const start = performance.now();
  return (what) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(0).padStart(4);
    Deno.stderr.writeSync(new TextEncoder().encode(`${seconds} s  ${what}\n`));
  };
}
