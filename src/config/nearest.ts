/**
 * Finds the name that somebody meant.
 *
 * @module
 */

/** Longer names are not compared: the work grows with the square of the length. */
const LONGEST = 64;

/** Finds the known name that is nearest to another one; `null` if none is near. */
export function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > LONGEST) return null;
  const same = known.find((other) => plain(other) === plain(name));
  if (same !== undefined) return same;
  const most = name.length < 4 ? 1 : name.length < 9 ? 2 : 3;
  const near = known
    .map((other) => ({ other, steps: steps(plain(name), plain(other)) }))
    // A short name is near to every other short one.
    .filter(({ other, steps }) => steps <= most && steps * 2 < other.length)
    .sort((one, other) => one.steps - other.steps);
  return near[0]?.other ?? null;
}

/** Whether two names differ only in case, in what joins words, or in an s that is written as z elsewhere. */
export function isSpelledLike(name: string, other: string): boolean {
  return name.length <= LONGEST && plain(name) === plain(other);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "").replaceAll("z", "s");
}

/** How many letters have to be changed, added, removed or exchanged with their neighbour. */
function steps(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const differs = one[row - 1] === other[column - 1] ? 0 : 1;
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + differs,
        isSwapped ? at(before, column - 2) + 1 : Infinity,
      );
    }
    before = above;
    above = current;
  }
  return at(above, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
