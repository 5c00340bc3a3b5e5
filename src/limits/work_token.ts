/**
 * The token of the built-in challenge: when it was made, how much work it asks for, and a keyed digest that binds both to
 * a subject. Nothing of it is stored.
 *
 * @module
 */
import { keyedUuid, sameText } from "../crypto/digest.ts";
import { randomText } from "../crypto/random.ts";
import type { ResolvedConfig } from "../config/resolve.ts";

/** A token, and what was added to it. */
export interface WorkToken {
  /** When it was made, in seconds since 1970. */
  readonly issued: number;
  /** Hashes that a solution takes on average. */
  readonly work: number;
  /** The keyed digest: no other token has the same. A solution is a number that is hashed with it. */
  readonly mac: string;
  /** The token without a solution. */
  readonly text: string;
  /** The solution as text; `null` if there is none. */
  readonly solution: string | null;
}

/** What tokens depend on. */
export type TokenConfig = Pick<ResolvedConfig, "secrets" | "runtime">;

/** Seconds that a token is good for. */
export const LIFETIME = 5 * 60;

/** Seconds that the clock of the machine that made a token may be ahead. */
const CLOCK_TOLERANCE = 15;

// The digest with a number of ten digits fits into one block of SHA-256.
const TOKEN =
  /^((\d{10})\.(\d{1,10})\.([\w-]{22})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))(?:\.(0|[1-9]\d{0,9}))?$/;

/** Makes a token for a subject. */
export async function makeToken({ secrets, runtime }: TokenConfig, subject: string, work: number): Promise<string> {
  const issued = String(secondsOf(runtime));
  const nonce = randomText(runtime, 16);
  return [issued, work, nonce, await macOf(secrets[0] ?? "", { issued, work: String(work), nonce, subject })].join(".");
}

/**
 * Reads what came back.
 *
 * @returns `null` if it is not a token of ours for this subject, or is older than {@linkcode LIFETIME}.
 */
export async function readToken(
  { secrets, runtime }: TokenConfig,
  subject: string,
  sent: unknown,
): Promise<WorkToken | null> {
  const [, text = "", issued = "", work = "", nonce = "", mac = "", solution = null] =
    TOKEN.exec(typeof sent === "string" ? sent : "") ?? [];
  const age = secondsOf(runtime) - Number(issued);
  // What is malformed or too old costs no hash.
  if (text === "" || age > LIFETIME || age < -CLOCK_TOLERANCE) return null;
  for (const secret of secrets) {
    if (!sameText(mac, await macOf(secret, { issued, work, nonce, subject }))) continue;
    return { issued: Number(issued), work: Number(work), mac, text, solution };
  }
  return null;
}

/** The seconds since 1970. */
export function secondsOf({ now }: TokenConfig["runtime"]): number {
  return Math.floor(now() / 1000);
}

interface Parts {
  readonly issued: string;
  readonly work: string;
  readonly nonce: string;
  readonly subject: string;
}

function macOf(secret: string, { issued, work, nonce, subject }: Parts): Promise<string> {
  return keyedUuid(secret, "proof-of-work", issued, work, nonce, subject);
}
