/**
 * TypeScript as tokens: enough to tell code from comments and strings, and no more.
 *
 * @module
 */

/** A piece of code. Comments are no tokens; the text of a string is without its quotes. */
export interface Token {
  readonly kind: "word" | "number" | "string" | "template" | "regex" | "mark";
  readonly text: string;
  /** Line of its first character, from 1. */
  readonly line: number;
  /** Line of its last character. */
  readonly endLine: number;
}

const SPACE = /\s+/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/y;
const WORD = /[\p{ID_Start}$_#@][\p{ID_Continue}$]*/uy;
const NUMBER = /\.?\d[\w.]*/y;
// An apostrophe in the text of a page opens no string that would outlast its line.
const STRING = /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEXT_OF_TEMPLATE = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y;
const MARK = /\?\.|=>|\.\.\.|[^]/y;

/** Words after which a slash begins a regular expression. */
const BEFORE_REGEX = new Set(["return", "typeof", "case", "in", "of", "await", "yield", "void", "delete", "throw"]);

/** Reads source text. Code inside `${}` of a template counts as code. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  /** For each open template: how many braces are open inside its `${`. */
  const templates: number[] = [];
  let at = 0;
  let line = 1;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0] || undefined;
  };
  const skip = (text: string): void => {
    at += text.length;
    line += text.split("\n").length - 1;
  };
  const push = (kind: Token["kind"], raw: string, text = raw): void => {
    const from = line;
    skip(raw);
    tokens.push({ kind, text, line: from, endLine: line });
  };
  const pushTemplate = (): void => {
    push("template", match(TEXT_OF_TEMPLATE) ?? "");
    if (source[at] === "`") at += 1;
    else if (at < source.length) {
      at += 2; // the "${"
      templates.push(0);
    }
  };

  while (at < source.length) {
    const last = tokens.at(-1);
    const blank = match(SPACE) ?? match(COMMENT);
    if (blank) {
      skip(blank);
      continue;
    }
    const open = templates.at(-1);
    if (source[at] === "}" && open === 0) {
      templates.pop();
      at += 1;
      pushTemplate();
      continue;
    }
    if (source[at] === "`") {
      at += 1;
      pushTemplate();
      continue;
    }
    const string = match(STRING);
    if (string) {
      push("string", string, string.slice(1, -1));
      continue;
    }
    const regex = beginsRegex(last) ? match(REGEX) : undefined;
    if (regex) {
      push("regex", regex);
      continue;
    }
    const word = match(WORD);
    if (word) {
      push("word", word);
      continue;
    }
    const number = match(NUMBER);
    if (number) {
      push("number", number);
      continue;
    }
    const mark = match(MARK) ?? "";
    if (open !== undefined && mark === "{") templates.splice(-1, 1, open + 1);
    if (open !== undefined && mark === "}") templates.splice(-1, 1, open - 1);
    push("mark", mark);
  }
  return tokens;
}

function beginsRegex(last: Token | undefined): boolean {
  if (!last) return true;
  if (last.kind === "word") return BEFORE_REGEX.has(last.text);
  // After "<" the slash closes an element of a page.
  return last.kind === "mark" && ![")", "]", "}", "<"].includes(last.text);
}

/** An import, or an export of what is imported. */
export interface Import {
  /** What is imported; `null` where it is computed. */
  readonly specifier: string | null;
  readonly dynamic: boolean;
  readonly line: number;
}

/** Finds `from "x"`, `import "x"` and `import("x")`. */
export function importsOf(tokens: readonly Token[]): Import[] {
  return tokens.flatMap((token, index): Import[] => {
    const next = tokens[index + 1];
    if (token.kind !== "word" || !next || tokens[index - 1]?.text === ".") return [];
    const { line } = next;
    if (["from", "import"].includes(token.text) && next.kind === "string") {
      return [{ specifier: next.text, dynamic: false, line }];
    }
    if (token.text !== "import" || next.text !== "(") return [];
    const named = tokens[index + 2];
    const literal = named?.kind === "string" && [")", ","].includes(tokens[index + 3]?.text ?? "");
    return [{ specifier: literal ? named.text : null, dynamic: true, line: token.line }];
  });
}

/** Counts the lines that hold code: not blank, not a comment, not part of an import. */
export function countCodeLines(tokens: readonly Token[]): number {
  const lines = new Set<number>();
  let importing = false;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    importing ||= token.text === "import" && token.kind === "word" && next?.text !== "(" && next?.text !== ".";
    if (!importing) { for (let line = token.line; line <= token.endLine; line++) lines.add(line); }
    if (token.text === ";") importing = false;
  }
  return lines.size;
}
