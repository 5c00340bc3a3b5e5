/**
 * Parameters of a query, many at once.
 *
 * @module
 */

/** Names and values, in their order. */
export type Pairs = Iterable<readonly [name: string, value: string]>;

/**
 * Sets parameters as `URLSearchParams.set()` does each: the first of a name keeps its place, new ones follow at the
 * end. In one pass, because `set()` looks at all of them for each, and that of a URL writes and reads the URL anew.
 *
 * @param own What is there.
 * @param wanted What is set. Further values of a name follow at the end.
 * @returns All of them.
 */
export function withParams(own: Pairs, wanted: Pairs): URLSearchParams {
  const firsts = new Map<string, string>();
  const more: [string, string][] = [];
  for (const [name, value] of wanted) {
    if (firsts.has(name)) more.push([name, value]);
    else firsts.set(name, value);
  }
  const placed = new Set<string>();
  const all: [string, string][] = [];
  for (const [name, value] of own) {
    const first = firsts.get(name);
    if (first === undefined) all.push([name, value]);
    else if (!placed.has(name)) all.push([name, first]);
    if (first !== undefined) placed.add(name);
  }
  for (const [name, value] of firsts) if (!placed.has(name)) all.push([name, value]);
  return new URLSearchParams([...all, ...more]);
}
