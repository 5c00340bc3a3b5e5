/**
 * Timing of answers.
 *
 * @module
 */

/** One of the services that are compared. */
export interface Subject {
  readonly name: string;
  readonly answer: (request: Request) => Promise<Response>;
}

/** What is asked, and what the answer must be. */
export interface Scenario {
  readonly name: string;
  /** Makes a request; the `index` tells apart those that must not be equal. */
  readonly request: (subject: Subject, index: number) => Request;
  /** Checks the answer, so that nobody is praised for failing quickly. @throws {Error} if it is wrong. */
  readonly prove: (subject: Subject) => Promise<void>;
}

/** Measures the time of one answer, as the mean of several, in milliseconds. Making the requests is not measured. */
export async function millisecondsFor(subject: Subject, { request }: Scenario, count: number): Promise<number> {
  const requests = Array.from({ length: count }, () => request(subject, nextIndex()));
  const start = performance.now();
  for (const each of requests) await (await subject.answer(each)).arrayBuffer();
  return (performance.now() - start) / count;
}

let index = 0;

function nextIndex(): number {
  return index++;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError("Cannot take the median of nothing");
  return middle;
}
