/**
 * What routers do with a path, written separately: each is a chain of habits, and leads to the page it leads to.
 *
 * @module
 */

/** Something that a server, a proxy or a router does with a path. `null` is a refusal. */
export interface Habit {
  readonly name: string;
  apply(path: string): string | null;
}

/** Every habit that is looked at. */
export const HABITS: readonly Habit[] = [
  { name: "decodes", apply: (path) => attempt(() => decodeURIComponent(path)) },
  { name: "decodes what it can", apply: decodeLeniently },
  { name: "decodes each segment", apply: (path) => path.split("/").map(decodeLeniently).join("/") },
  { name: "takes a backslash for a slash", apply: (path) => path.split("\\").join("/") },
  { name: "joins slashes", apply: joinSlashes },
  { name: "resolves dots", apply: resolveDots },
  { name: "drops parameters", apply: (path) => path.split("/").map((part) => part.split(";")[0]).join("/") },
  { name: "drops the last slash", apply: (path) => path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path },
  { name: "ignores case", apply: (path) => path.toLowerCase() },
  { name: "ignores case by upper case", apply: (path) => path.toUpperCase().toLowerCase() },
  { name: "composes", apply: (path) => path.normalize("NFC") },
  { name: "makes wide letters narrow", apply: (path) => path.normalize("NFKC") },
];

/** Where all chains of habits lead from a path; a chain that would lead on for ever is cut off. */
export function destinations(path: string, habits: readonly Habit[] = HABITS): ReadonlySet<string> {
  const found = new Set([path]);
  for (const place of found) {
    if (found.size > 5000) return found;
    for (const habit of habits) {
      const next = habit.apply(place);
      if (next !== null) found.add(next);
    }
  }
  return found;
}

/** Whether some router takes a path to a page below `/members`, or to it. */
export function leadsToMembers(path: string): boolean {
  return [...destinations(path)].some((place) => place === "/members" || place.startsWith("/members/"));
}

function attempt(act: () => string): string | null {
  try {
    return act();
  } catch {
    return null;
  }
}

function decodeLeniently(path: string): string {
  let text = "";
  for (let at = 0; at < path.length;) {
    const bytes: number[] = [];
    while (/^%[0-9A-Fa-f]{2}/.test(path.slice(at, at + 3))) {
      bytes.push(parseInt(path.slice(at + 1, at + 3), 16));
      at += 3;
    }
    text += new TextDecoder().decode(new Uint8Array(bytes));
    text += path.slice(at, at + 1);
    at += 1;
  }
  return text;
}

function joinSlashes(path: string): string {
  let joined = path;
  while (joined.includes("//")) joined = joined.split("//").join("/");
  return joined;
}

// The algorithm of RFC 3986, section 5.2.4, word for word.
function resolveDots(path: string): string {
  let input = path;
  let output = "";
  while (input !== "") {
    if (input.startsWith("../")) input = input.slice(3);
    else if (input.startsWith("./")) input = input.slice(2);
    else if (input.startsWith("/./")) input = input.slice(2);
    else if (input === "/.") input = "/";
    else if (input.startsWith("/../") || input === "/..") {
      input = input === "/.." ? "/" : input.slice(3);
      output = output.slice(0, Math.max(0, output.lastIndexOf("/")));
    } else if (input === "." || input === "..") input = "";
    else {
      const end = input.indexOf("/", 1);
      output += end === -1 ? input : input.slice(0, end);
      input = end === -1 ? "" : input.slice(end);
    }
  }
  return output;
}
