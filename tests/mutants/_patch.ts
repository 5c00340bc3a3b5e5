/**
 * Replaces the one place in a source text that reads like `find`. White space, line breaks and trailing commas do not
 * count, so a formatter breaks no patch.
 *
 * @throws {Error} If there is no such place or more than one.
 */
export function patch(source: string, find: string, replace: string): string {
  const places = [...source.matchAll(patternOf(find))];
  const [place] = places;
  if (!place || places.length > 1) throw new Error(`its text occurs ${places.length} times`);
  return source.slice(0, place.index) + replace + source.slice(place.index + place[0].length);
}

/** Words and single signs, with the white space a formatter may put between them. */
function patternOf(find: string): RegExp {
  const tokens = find.replace(/,(?=\s*[)\]}])/g, "").match(/[\w$]+|[^\s\w$]/g) ?? [];
  let pattern = "";
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    if (before !== undefined) pattern += isWord(before) && isWord(token) ? "\\s+" : "\\s*";
    if (before !== undefined && isCloser(token)) pattern += "(?:,\\s*)?";
    const ends = at === tokens.length - 1;
    // A formatter that joins the lines takes the last comma of a list away.
    pattern += ends && token === "," ? "(?:,|(?=\\s*[)\\]}]))" : token.replace(/[^\w]/, "\\$&");
  }
  return new RegExp(pattern, "g");
}

const isWord = (token: string): boolean => /^[\w$]/.test(token);
const isCloser = (token: string): boolean => /^[)\]}]$/.test(token);
