/**
 * Parameters of a query, many at once.
 *
 * @module
 */

/** The longest query that is read as a whole, in characters. */
const LONGEST_QUERY = 16 * 1024;

/**
 * Reads a query: nothing of it costs more than looking at it but what somebody wants to know.
 *
 * @param url The URL whose query it is.
 * @param wanted The names of parameters, or `"all"`.
 * @returns Those that were sent, in their order; `null` if all of them are wanted of a query that is too long.
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
  // Names that we know are of ASCII, so that bytes beyond it may become whatever is not.
  return name.includes("%")
    ? name.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
    : name;
}

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
