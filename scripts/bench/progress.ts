/**
 * What is being done, told beside the result.
 *
 * @module
 */

/** Tells what is being done. */
export type Progress = (what: string) => void;

/** Tells it on standard error, with the seconds since the start: standard output is the report alone. */
export function startProgress(): Progress {
  const start = performance.now();
  return (what) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(0).padStart(4);
    Deno.stderr.writeSync(new TextEncoder().encode(`${seconds} s  ${what}\n`));
  };
}
