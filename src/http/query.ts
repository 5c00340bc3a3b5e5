/**
 * Reads and writes many parameters of a query in one pass.
 *
 * @module
 */

/** The longest query of which all parameters are read, in characters. */
const LONGEST_QUERY = 16 * 1024;

/**
 * Reads parameters of a query. Only those that are wanted are decoded, so that a long query costs little.
 *
 * @param url The URL with the query.
 * @param wanted The names of parameters, or `"all"`.
 * @returns The parameters in the order they were sent; `null` if all are wanted and the query is too long.
 */
export function readQuery({ search }: Pick<URL, "search">, wanted: readonly string[] | "all"): URLSearchParams | null {
  if (wanted === "all") return search.length > LONGEST_QUERY ? null : new URLSearchParams(search);
  if (search === "" || wanted.length === 0) return new URLSearchParams();
  const pairs = search.slice(1).split("&");
  return new URLSearchParams(pairs.filter((pair) => wanted.includes(nameOf(pair))).join("&"));
}

function nameOf(pair: string): string {
  const equals = pair.indexOf("=");
  const name = equals < 0 ? pair : pair.slice(0, equals);
  // The wanted names are ASCII, so other bytes need not be decoded as UTF-8.
  return name.includes("%")
    ? name.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
    : name;
}

type Pairs = Iterable<readonly [name: string, value: string]>;

/**
 * Sets parameters like `URLSearchParams.set()`: a parameter that is there keeps its place, a new one goes to the end.
 *
 * In one pass: `set()` searches the whole list for each parameter, and on `URL.searchParams` also serializes the URL.
 *
 * @param own The parameters that are there.
 * @param wanted The parameters to set. Further values of a name go to the end.
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
