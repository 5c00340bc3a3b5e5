/** Solves the built-in challenge as docs/challenges.md describes it, with the hash of Node. */
import { createHash } from "node:crypto";

/** The first 32 bits of the hash of a token with a number. */
export function firstWord(token: string, number: number): number {
  const [, , , digest] = token.split(".");
  return createHash("sha256").update(`${digest}.${number}`).digest().readUInt32BE(0);
}

/** Adds the first number to a token that is right, or that is wrong. */
export function solve(token: string, isRight = true): string {
  const limit = 2 ** 32 / Number(token.split(".")[1]);
  for (let number = 0;; number++) {
    if (firstWord(token, number) < limit === isRight) return `${token}.${number}`;
  }
}
