/**
 * A day on which strangers try passwords that leaked elsewhere, while people sign in.
 *
 * @module
 */
import { chanceOf } from "./chance.ts";

/** How many people there are. */
export const PEOPLE = 100;

/** A guess of a stranger. */
export interface Stuffed {
  /** Milliseconds after the day began. */
  readonly at: number;
  readonly account: string;
  /** One of 10,000 addresses. */
  readonly address: string;
  /** Who signs in at that moment, behind the same address, in a browser that they have used before. */
  readonly owner: string | null;
}

const DAY = 86_400_000;

/** Spreads guesses over a day, and over 100 people and 10,000 addresses. For each 100 of them somebody signs in. */
export function* stuffing(guesses: number): Generator<Stuffed> {
  const chance = chanceOf(33);
  for (let guess = 0; guess < guesses; guess++) {
    yield {
      at: Math.floor(guess * DAY / guesses),
      account: `person-${chance.below(PEOPLE)}`,
      address: `10.${chance.below(10)}.${chance.below(100)}.${chance.below(10)}`,
      owner: guess % 100 === 0 ? `person-${chance.below(PEOPLE)}` : null,
    };
  }
}

/** Gives the address of one of the strangers who come within a minute. */
export function strangerAddress(request: number): string {
  return `198.51.${request % 100}.${request % 250}`;
}
