/** Runs tables of mistakes: what a developer wrote, what the visitor sees, and the one line of the log that explains it. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";

export type Handler = (request: Request) => Response | Promise<Response>;

/** What the mistake made: a handler, and perhaps something to close. */
export type Made = Handler | { readonly handler: Handler; readonly close?: () => unknown };

export interface Mistake {
  /** A sentence. */
  readonly name: string;
  /** Variables of the environment while the row runs. `AUTH_SECRET` is set unless the row says otherwise. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the developer wrote. If it throws, what the runtime prints counts as the log. */
  make(): Made | undefined | void | Promise<Made | undefined | void>;
  /** What the visitor asks for: a URL, a request, or several steps of which the last answer counts. @default the sign-in page */
  readonly ask?: string | (() => Request) | ((handler: Handler) => Promise<Response>);
  /** What the visitor sees; `null` if there is nothing to see, because the program did not start. */
  readonly see: { readonly status: number; readonly text?: RegExp } | null;
  /** The one line. Match the sentence: what stands around it may differ. */
  readonly log: RegExp;
  /** Its code, where it has one of its own. */
  readonly code?: string;
  /** @default "error" */
  readonly level?: "error" | "warn";
  /** What the line holds literally: the option and the remedy. */
  readonly says: readonly string[];
  /** Other lines that may stand in the log. No other line may. */
  readonly besides?: readonly RegExp[];
}

/** The error page for a mistake of the configuration. */
export const ERROR_PAGE = { status: 500, text: /<h1>/ } as const;

/** The service works all the same. */
export const SERVED = { status: 200, text: /<h1>/ } as const;

/** A secret that nobody may ever read in a log or on a page. */
export const SECRET = "never-to-be-read-anywhere-0123456789-abcdefgh";

const HEADLINE = /^(?:\[auth\]\[(?:error|warn)\]|Uncaught) /;

/** Makes a test of each row. While the rows are counted, it prints how many there are. */
export function tellMistakes(rows: readonly Mistake[]): void {
  if (process.env.COUNT_MISTAKES) globalThis.console.log(`rows: ${rows.length}`);
  for (const row of rows) test(row.name, () => tell(row));
}

async function tell(row: Mistake): Promise<void> {
  // Bun sets NODE_ENV for tests, and with that every host is trusted.
  const restore = setEnv({ NODE_ENV: undefined, AUTH_SECRET: SECRET, ...row.env });
  const log = captureConsole();
  let body: string | null = null;
  let status = 0;
  let close: (() => unknown) | undefined;
  try {
    const made = await makeOf(row, log.lines);
    if (made) {
      const handler = typeof made === "function" ? made : made.handler;
      close = typeof made === "function" ? undefined : made.close;
      const answer = await askFor(row, handler);
      status = answer.status;
      body = await answer.text();
    }
  } finally {
    await close?.();
    log.restore();
    restore();
  }
  checkLog(row, log.lines);
  checkView(row, status, body, log.lines);
}

async function makeOf(row: Mistake, lines: string[]): Promise<Made | undefined | void> {
  try {
    return await row.make();
  } catch (thrown) {
    assert.ok(thrown instanceof Error, "what is thrown is an error");
    // As a runtime prints it: the whole message, then the stack.
    lines.push(`Uncaught ${thrown.name}: ${thrown.message}`);
    assert.equal(row.see, null, `the program starts, but: ${thrown.stack}`);
    return undefined;
  }
}

async function askFor({ ask = "http://localhost:3000/auth/signin" }: Mistake, handler: Handler): Promise<Response> {
  const headers = { accept: "text/html" };
  if (typeof ask === "string") return await handler(new Request(ask, { headers }));
  const asked = ask.length === 0
    ? (ask as () => Request)()
    : await (ask as (handler: Handler) => Promise<Response>)(handler);
  return asked instanceof Request ? await handler(asked) : asked;
}

function checkLog(row: Mistake, lines: readonly string[]): void {
  const headlines = lines.filter((line) => HEADLINE.test(line));
  const all = `in the log:\n${lines.join("\n")}`;
  const found = headlines.filter((line) => row.log.test(line));
  assert.equal(found.length, 1, `one line matches ${row.log} ${all}`);
  const [line = ""] = found;
  for (const said of row.says) assert.ok(line.includes(said), `the line says ${said}: ${line}`);
  if (!line.startsWith("Uncaught")) assert.ok(line.startsWith(`[auth][${row.level ?? "error"}] `), line);
  // An error may still stand under its type.
  if (row.code && /^\[auth\]\[\w+\] [a-z]/.test(line)) {
    assert.ok(line.includes(`] ${row.code}: `), `the code is ${row.code}: ${line}`);
  }
  const others = headlines.filter((other) => other !== line && !row.besides?.some((known) => known.test(other)));
  assert.deepEqual(others, [], `no other line stands ${all}`);
  assert.ok(!lines.some((printed) => printed.includes(SECRET)), "no secret is logged");
}

function checkView(row: Mistake, status: number, body: string | null, lines: readonly string[]): void {
  if (row.see === null) return assert.equal(body, null, "nothing is answered");
  const said = `with the log:\n${lines.join("\n")}`;
  assert.equal(status, row.see.status, said);
  const text = body ?? "";
  if (row.see.text) assert.match(text, row.see.text, said);
  assert.doesNotMatch(text, /\n\s+at .+:\d+:\d+|file:\/\//, "no stack is shown");
  assert.ok(!text.includes(SECRET), "no secret is shown");
  for (const part of row.says.filter((part) => part.includes("`"))) {
    assert.ok(!text.includes(part), `the visitor does not read ${part}`);
  }
}

/** Sets variables of the environment, and gives the function that puts back what was there. */
export function setEnv(variables: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  const write = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const [name, value] of Object.entries(variables)) write(name, value);
  return () => before.forEach(([name, value]) => write(name, value));
}

/** Takes what is printed, a line each time. */
export function captureConsole(): { readonly lines: string[]; restore(): void } {
  const lines: string[] = [];
  const { error, warn, log } = globalThis.console;
  const take = (...parts: unknown[]): void => void lines.push(parts.map(String).join(" "));
  Object.assign(globalThis.console, { error: take, warn: take, log: take });
  return { lines, restore: () => void Object.assign(globalThis.console, { error, warn, log }) };
}
