/**
 * How long something lasts, in the words of a language.
 *
 * @module
 */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The seconds that a unit is rounded up by: a page is shown a little later than the link was sent. */
const LATE = 30;

/** Writes a duration as a number with a unit: "10 minutes", "24 hours". The unit has the plural of the language. */
export function durationIn(tag: string, seconds: number): string {
  const [unit, length] = seconds >= 3 * DAY ? ["day", DAY] : seconds >= 2 * HOUR ? ["hour", HOUR] : ["minute", MINUTE];
  return inUnits(tag, Math.max(1, Math.floor((seconds + LATE) / length)), unit);
}

/** Writes a duration of some seconds: "30 seconds". */
export function secondsIn(tag: string, seconds: number): string {
  return inUnits(tag, Math.ceil(seconds), "second");
}

function inUnits(tag: string, count: number, unit: string): string {
  return new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
