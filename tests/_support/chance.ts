/** Chance that can be repeated. */

/** Chance, the same for the same seed. */
export interface Chance {
  /** A number from 0 up to, and without, 1. */
  next(): number;
  /** A whole number below a limit. */
  below(limit: number): number;
  /** Whether something happens that happens so often. */
  hits(share: number): boolean;
  /** One of several. */
  pick<T>(from: readonly T[]): T;
}

/** Makes chance of a seed. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  // Mulberry32: small, and good enough to wander with.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    hits: (share) => next() < share,
    pick: <T>(from: readonly T[]): T => from[below(from.length)] as T,
  };
}

/** The seed of a run: of the environment, or a new one. */
export function seedOf(text: string | undefined): number {
  return text === undefined || text === "" ? Date.now() % 2 ** 32 : Number(text);
}
