/**
 * Reads the programs of a Markdown page: its blocks of TypeScript and JavaScript, and what a comment before a block says
 * of its run.
 *
 * A block whose first line is a comment with a file name is that file: later blocks of the page can import it. A comment
 * `<!-- run: … -->` before a block says what it is asked for, and what it answers, separated by `|`:
 * `GET /members 401`, `POST /auth/callback/credentials username=ada&password=lovelace 302`, `GET / 200 Hello Ada`. `VISIT`
 * is a `GET` of a browser that opens a page. Other parts are `on node bun`: where it runs; `env NAME=value`: what it finds
 * in the environment; `with client.crt`: a file that it reads, which `files.ts` makes; `log Cannot sign in`: what its log
 * may say; `example src/auth.ts`: it is an excerpt of that file of the example for the page's framework;
 * `in example src/routes/logout.ts`: it is compiled as that file of the example, in place of what stands there, with the
 * framework installed. Without a path, `in example` takes the file name of the block; `vitest next`: it is that file of
 * the application `next` of the page, which Vitest tests.
 *
 * @module
 */

/** The runtimes that blocks run on. */
export type RuntimeKind = "deno" | "node" | "bun" | "browser";

const KINDS: readonly RuntimeKind[] = ["deno", "node", "bun", "browser"];

/** A request to the program, and its answer. */
export interface Ask {
  readonly method: "GET" | "POST" | "VISIT";
  readonly path: string;
  /** The fields of a form that is posted. */
  readonly form?: string;
  readonly status: number;
  /** What the answer contains. */
  readonly text?: string;
}

/** A program in a page. */
export interface Block {
  /** The path of the page. */
  readonly page: string;
  /** The line of its fence. */
  readonly line: number;
  readonly language: "ts" | "tsx" | "js" | "jsx";
  readonly code: string;
  /** What it is called in its first line. */
  readonly file?: string;
  readonly asks: readonly Ask[];
  readonly env: Readonly<Record<string, string>>;
  /** What the service writes to its log. Nothing by default. */
  readonly logs: readonly string[];
  /** Files that it reads. */
  readonly files: readonly string[];
  /** The file of the example that it is an excerpt of. */
  readonly example?: string;
  /** The file that it is while the example is compiled. */
  readonly inExample?: string;
  /** The application that it is a file of, which Vitest tests. */
  readonly vitest?: string;
  readonly runsOn: readonly RuntimeKind[];
}

const FENCE = /(?:^<!-- run: ([^\n]*?) -->\n\n?)?^( *)```([a-z]+)([^\n]*)\n([^]*?)^\2```$/gm;

/** The names by which people call TypeScript and JavaScript. */
const LANGUAGES: Readonly<Record<string, Block["language"]>> = {
  ts: "ts",
  typescript: "ts",
  tsx: "tsx",
  js: "js",
  javascript: "js",
  jsx: "jsx",
};

/** Reads the programs of a page. @throws {Error} for a comment that says nothing known. */
export function blocksOf(page: string, markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].flatMap((match) => {
    const [whole, comment = "", indent = "", name = "", flags = "", body = ""] = match;
    const language = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined;
    if (!language) return [];
    const before = markdown.slice(0, match.index + whole.indexOf("```"));
    const line = before.split("\n").length;
    if (flags) throw new Error(`${page}:${line}: nothing stands after the language of a block, but "${flags}"`);
    const code = body.split("\n").map((text) => text.startsWith(indent) ? text.slice(indent.length) : text).join("\n");
    const [, file] = /^\/\/ ([\w./@[\]$+-]+\.m?[jt]sx?)\b/.exec(code) ?? [];
    return [{
      page,
      line,
      language,
      code,
      ...file && { file },
      ...readComment(comment, `${page}:${line}`, code, file),
    }];
  });
}

type Said = Pick<Block, "asks" | "env" | "logs" | "files" | "example" | "inExample" | "vitest" | "runsOn">;

function readComment(comment: string, place: string, code: string, file?: string): Said {
  const asks: Ask[] = [];
  const env: Record<string, string> = {};
  const files: string[] = [];
  const logs: string[] = [];
  let example: string | undefined;
  let inExample: string | undefined;
  let vitest: string | undefined;
  let runsOn = runtimesOf(code);
  for (const part of comment.split(" | ").map((part) => part.trim()).filter(Boolean)) {
    const [word = "", ...rest] = part.split(" ");
    if (word === "on") runsOn = rest.filter((name) => KINDS.some((kind) => kind === name)) as RuntimeKind[];
    else if (word === "env") {
      for (const pair of rest) env[pair.slice(0, pair.indexOf("="))] = pair.slice(pair.indexOf("=") + 1);
    } else if (word === "with") files.push(...rest);
    else if (word === "log") logs.push(rest.join(" "));
    else if (word === "vitest") vitest = rest.join(" ");
    else if (word === "example") example = rest.join(" ");
    else if (word === "in" && rest[0] === "example") {
      inExample = rest[1] ?? file;
      if (!inExample) throw new Error(`${place}: which file of the example is it?`);
    } else asks.push(readAsk(part, place));
  }
  if (vitest) runsOn = [];
  const part = { ...example && { example }, ...inExample && { inExample }, ...vitest && { vitest } };
  return { asks, env, logs, files, runsOn, ...part };
}

function readAsk(text: string, place: string): Ask {
  const match = /^(GET|POST|VISIT) (\/\S*)(?: (\S*=\S*))? (\d{3})(?: (.+))?$/.exec(text);
  const [, method, path = "", form, status, expected] = match ?? [];
  if (method !== "GET" && method !== "POST" && method !== "VISIT") throw new Error(`${place}: what is "${text}"?`);
  return { method, path, ...form && { form }, status: Number(status), ...expected && { text: expected } };
}

/** Where a program runs, by what it uses. */
function runtimesOf(code: string): RuntimeKind[] {
  if (/"@x\/auth\/(?:client|react|solid|svelte|vue)"/.test(code)) return ["browser"];
  if (/\bDeno\./.test(code)) return ["deno"];
  if (/\bBun\./.test(code)) return ["bun"];
  return ["deno", "node", "bun"];
}
