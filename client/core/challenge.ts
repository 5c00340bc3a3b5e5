/**
 * The built-in challenge of limits. Loaded when somebody has tried too often.
 *
 * It hashes with the browser's own SHA-256. The script of the built-in pages has one in plain script, because such a page
 * may be served where the browser has none (src/pages/challenge_client.js).
 *
 * @module
 */
import type { ChallengeView } from "../../src/kernel/challenge_view.ts";

/** Milliseconds of work after which the page may do something else. Promises alone never let it. */
const SLICE = 20;

/** Milliseconds after which a solution would come too late. */
const LIFETIME = 5 * 60 * 1000;

/** Looks for a solution. @returns The fields to send along; `null` if there is nothing that a script can solve. */
export async function solve(
  { fields }: ChallengeView,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>> | null> {
  const token = fields?.proofOfWork;
  const [, work, , digest] = `${token}`.split(".");
  const limit = 2 ** 32 / Number(work);
  // Only pages with https have the hash. What is no number is no challenge.
  if (!crypto.subtle || !(limit > 0)) return null;
  const { performance } = globalThis;
  const encoder = new TextEncoder();
  const start = performance.now();
  let end = start;
  for (let number = 0;; number++) {
    if (performance.now() >= end) {
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
      end = performance.now() + SLICE;
      if (end - start > LIFETIME) return null;
    }
    const hash = await crypto.subtle.digest("SHA-256", encoder.encode(`${digest}.${number}`));
    if (new DataView(hash).getUint32(0) < limit) return { proofOfWork: `${token}.${number}` };
  }
}
