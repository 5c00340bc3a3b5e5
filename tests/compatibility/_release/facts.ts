/**
 * What is noted of an answer: one fact a line, with values masked that differ each time.
 *
 * @module
 */
import { answerOf, STORIES, type Story } from "./stories.ts";
import type { Serve } from "./values.ts";

/** The header fields that have facts of their own, or say nothing about the service. */
const ELSEWHERE: ReadonlySet<string> = new Set(["set-cookie", "location", "allow", "content-length"]);

/** Members of JSON whose values are words that programs compare. */
const WORDS: ReadonlySet<string> = new Set(["error", "action", "type"]);

/**
 * Tells every story at a release.
 *
 * @param serve Runs a service of the release.
 * @param now Milliseconds since 1970; by default the machine's clock.
 * @returns Lines: `<story>: <fact> <value>`.
 */
export async function tellStories(serve: Serve, now: number | null): Promise<string[]> {
  const usual = new Map<string, Map<string, string>>();
  const lines: string[] = [];
  for (const story of STORIES) {
    for (const fact of await factsOf(serve, story, { usual, now })) lines.push(`${story.name}: ${fact}`);
  }
  for (const [kind, headers] of usual) {
    for (const [name, value] of headers) lines.push(`every answer with ${kind}: header ${name} ${value}`);
  }
  return lines;
}

/** What is the same for all stories. */
interface Telling {
  /** The headers of the first answer of each kind. */
  readonly usual: Map<string, Map<string, string>>;
  readonly now: number | null;
}

/** Headers are told once for all answers of a kind. A story tells only those that are other than in the first one. */
async function factsOf(serve: Serve, story: Story, { usual, now }: Telling): Promise<string[]> {
  const { response, origin } = await answerOf(serve, story, now);
  const text = await response.text();
  const type = response.headers.get("content-type")?.replace(/;.*/, "") ?? "no body";
  const kind = origin.startsWith("https:") ? `${type}, https` : type;
  const headers = headersOf(response.headers);
  const known = usual.get(kind) ?? headers;
  usual.set(kind, known);
  const names = [...new Set([...known.keys(), ...headers.keys()])];
  const location = response.headers.get("location");
  const allow = response.headers.get("allow");
  return [
    `status ${response.status}`,
    ...location === null ? [] : [`location ${maskUrl(location, origin)}`],
    ...allow === null ? [] : [`header allow ${allow}`],
    ...names.filter((name) => known.get(name) !== headers.get(name)).map((name) => {
      return `header ${name} ${headers.get(name) ?? "is absent"}`;
    }),
    ...response.headers.getSetCookie().map((line) => `cookie ${maskCookie(line, now ?? Date.now())}`),
    ...text !== "" && type === "application/json" ? jsonFacts(JSON.parse(text), origin) : [],
  ];
}

function headersOf(headers: Headers): Map<string, string> {
  const told = [...headers].filter(([name]) => !ELSEWHERE.has(name));
  return new Map(told.map(([name, value]) => [name, name === "content-security-policy" ? maskPolicy(value) : value]));
}

/** What a page may load is the page's own matter. */
function maskPolicy(policy: string): string {
  return policy.split("; ").filter((directive) => !/^(?:script|style|img|connect|form)-/.test(directive)).join("; ");
}

/** Parameters whose values differ each time. */
const RANDOM: ReadonlySet<string> = new Set(["state", "nonce", "code_challenge", "token", "id_token_hint"]);

/** A URL without what differs each time. */
function maskUrl(text: string, origin: string): string {
  const url = new URL(text);
  const words = [...url.searchParams].map(([name, value]) =>
    `${name}=${RANDOM.has(name) || value.length > 60 ? "*" : value}`
  );
  const path = `${url.origin === origin ? "" : url.origin}${url.pathname}`;
  return words.length > 0 ? `${path}?${words.sort().join("&").replaceAll(origin, "")}` : path;
}

function maskCookie(line: string, now: number): string {
  const [pair = "", ...attributes] = line.split("; ");
  const [name = "", ...value] = pair.split("=");
  const kept = attributes.map((attribute) => {
    const [, date] = /^Expires=(.*)$/i.exec(attribute) ?? [];
    return date && Date.parse(date) > now
      ? `Expires in ${Math.round((Date.parse(date) - now) / 60_000)} min`
      : attribute;
  });
  const masked = name.replace(/(\.state\.)[\w-]{10}$/, "$1*");
  return [masked, value.join("=") === "" ? "empty" : "set", ...kept].join("; ").replace("; ", " ");
}

/** Every member of JSON, with the type of its value. */
function jsonFacts(value: unknown, origin: string, path = "", name = ""): string[] {
  if (Array.isArray(value)) {
    return [...new Set(value.flatMap((item) => jsonFacts(item, origin, `${path}[]`)))].concat(
      value.length ? [] : [`json ${path}[] empty`],
    );
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, member]) => jsonFacts(member, origin, `${path}.${key}`, key))
      .concat(Object.keys(value).length ? [] : [`json ${path || "."} empty`]);
  }
  const isUrl = typeof value === "string" && /^https?:/.test(value) && /url$/i.test(name);
  const shown = isUrl
    ? maskUrl(value, origin)
    : WORDS.has(name)
    ? JSON.stringify(value)
    : value === null
    ? "null"
    : typeof value;
  return [`json ${path || "."} ${shown}`];
}
