/**
 * Lets a runtime compile the functions that every first request runs together with their file.
 *
 * V8 compiles most functions when they are first called, and has read their text once before. A function in parentheses
 * is compiled with its file, and Deno keeps what is compiled with a file for the next start, as Node does where its
 * compile cache is on. So the build answers one request with the package, sees which functions run, and puts these in
 * parentheses. They do the same as before.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "rolldown/utils";
import { run } from "./run.ts";

/** The files that every first request needs. */
const FILES = ["chunks/core.js", "chunks/setup.js"];

/** The smallest service. It may not read the environment, so it is the same wherever it runs. */
const PROGRAM = `
const { createAuth } = await import(new URL("mod.js", Deno.args[0]).href);
const { github } = await import(new URL("src/providers/github.js", Deno.args[0]).href);

const { handler } = createAuth({
  providers: [github({ clientId: "id", clientSecret: "secret" })],
  secret: "a random text of at least 32 characters",
  trustHost: true,
});
console.log(await (await handler(new Request("http://localhost/auth/session"))).text());
`;

/** Where a function stands in the text of its file. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Rewrites the files that a first request needs. @throws {Error} if the package does not answer. */
export async function compileEarly(folder: string): Promise<void> {
  const home = pathToFileURL(`${folder}/`).href;
  const profiles = await profile(home);
  for (const file of FILES) {
    const ran = profiles.get(home + file);
    if (!ran) throw new Error(`Cannot build the package: the first request does not load ${file}`);
    await Deno.writeTextFile(`${folder}/${file}`, early(await Deno.readTextFile(`${folder}/${file}`), ran));
  }
}

/** Answers one request. Returns where the functions stand that ran, by the URL of their file. */
async function profile(home: string): Promise<Map<string, readonly Span[]>> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/main.js`, PROGRAM);
    const flags = ["--no-config", "--no-lock", "--no-prompt", "--no-check", "--allow-read"];
    const output = await run(Deno.execPath(), ["run", ...flags, `--coverage=${folder}/ran`, `${folder}/main.js`, home]);
    if (output.trim() !== "null") throw new Error(`Cannot build the package: it answers ${output}`);
    const reports = await Array.fromAsync(Deno.readDir(`${folder}/ran`), async ({ name }) => {
      return JSON.parse(await Deno.readTextFile(`${folder}/ran/${name}`)) as Report;
    });
    return new Map(reports.map(({ url, functions }) => [url, functions.flatMap(spanOf)]));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What V8 reports about a file. The first range of a function is all of it. */
interface Report {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
  }[];
}

function spanOf({ ranges: [whole] }: Report["functions"][number]): readonly Span[] {
  return whole && whole.count > 0 ? [{ start: whole.startOffset, end: whole.endOffset }] : [];
}

/**
 * Puts functions in parentheses.
 *
 * What was declared becomes a variable. It is set before all other code of the file, because that may call it.
 *
 * @param text A module.
 * @param ran Where the functions stand. Methods, and what is declared inside of a function, stay as they are.
 */
export function early(text: string, ran: readonly Span[]): string {
  const { program, errors } = parseSync("module.js", text);
  if (errors.length > 0) throw new Error(`Cannot parse a module: ${errors.map(({ message }) => message)}`);
  const keys = new Set(ran.map(keyOf));
  const marks: { readonly at: number; readonly mark: string }[] = [];
  const enclose = (span: Span): void => {
    if (keys.has(keyOf(span))) marks.push({ at: span.start, mark: "(" }, { at: span.end, mark: ")" });
  };
  new Visitor({ ArrowFunctionExpression: enclose, FunctionExpression: enclose }).visit(program);
  marks.sort((a, b) => a.at - b.at);
  const copy = ({ start, end }: Span): string => {
    let copied = "";
    let from = start;
    for (const { at, mark } of marks.filter(({ at }) => at >= start && at <= end)) {
      copied += text.slice(from, at) + mark;
      from = at;
    }
    return copied + text.slice(from, end);
  };
  const imports = program.body.findLast(({ type }) => type === "ImportDeclaration")?.end ?? 0;
  let declared = "";
  let others = "";
  let from = imports;
  for (const node of program.body) {
    if (node.type !== "FunctionDeclaration" || !node.id || !keys.has(keyOf(node))) continue;
    declared += `var ${node.id.name} = (${copy(node)});\n`;
    others += copy({ start: from, end: node.start });
    from = node.end;
  }
  return `${text.slice(0, imports)}\n${declared}${others}${copy({ start: from, end: text.length })}`;
}

function keyOf({ start, end }: Span): string {
  return `${start}-${end}`;
}
