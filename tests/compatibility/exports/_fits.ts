/**
 * Compares types as text, as far as the text tells: unions, objects, functions, lists, and what is in a promise. Names are
 * only the same or not. So it may call a type unfit that would do, and never the other way round.
 *
 * @module
 */

/**
 * Who makes a value. TypeScript refuses members and arguments too many in what a program writes down, and lets them pass
 * in what it is given.
 */
export type Maker = "program" | "library";

const OTHER = { program: "library", library: "program" } as const;

/** Whether every value of one type can stand where the other is expected. */
export function fits(given: string, wanted: string, maker: Maker): boolean {
  if (given === wanted || wanted === "unknown" || given === "never") return true;
  const [from, to] = [split(bare(given), "|"), split(bare(wanted), "|")];
  if (from.length > 1 || to.length > 1) return from.every((each) => to.some((other) => fits(each, other, maker)));
  const [value, place] = [from[0] ?? "", to[0] ?? ""];
  if (value !== given || place !== wanted) return fits(value, place, maker);
  if (value === "true" || value === "false") return place === "boolean";
  if (/^".*"$/.test(value) && !value.slice(1, -1).includes('"')) return place === "string";
  return [functionFits, objectFits, listFits, containerFits].some((each) => each(value, place, maker));
}

function functionFits(given: string, wanted: string, maker: Maker): boolean {
  const [value, place] = [functionOf(given), functionOf(wanted)];
  if (!value || !place || value.head !== place.head) return false;
  const takesAny = value.params.at(-1)?.startsWith("...");
  if (maker === "library" && place.params.length > value.params.length && !takesAny) return false;
  const isTaken = value.params.every((each, at) => {
    const expected = place.params[at];
    if (expected === undefined) return isOptional(each);
    if (isOptional(expected) && !isOptional(each)) return false;
    return each.startsWith("...") || expected.startsWith("...")
      ? each === expected
      : fits(plain(expected), plain(each), OTHER[maker]);
  });
  return isTaken && (place.result === "void" || fits(value.result, place.result, maker));
}

const isOptional = (param: string): boolean => param.endsWith("?") || param.startsWith("...");
const plain = (param: string): string => param.replace(/\?$/, "");

function objectFits(given: string, wanted: string, maker: Maker): boolean {
  const [value, place] = [membersOf(given), membersOf(wanted)];
  if (!value || !place) return false;
  if (maker === "program" && [...value.keys()].some((name) => !place.has(name))) return false;
  return [...place].every(([name, expected]) => {
    const own = value.get(name);
    if (!own) return expected.optional;
    if (own.optional && !expected.optional || own.readonly && !expected.readonly) return false;
    return fits(own.type, expected.type, maker);
  });
}

function listFits(given: string, wanted: string, maker: Maker): boolean {
  const [, isReadonly, item] = /^(readonly )?(.*)\[\]$/.exec(given) ?? [];
  const [, mayBeReadonly, place] = /^(readonly )?(.*)\[\]$/.exec(wanted) ?? [];
  if (item === undefined || place === undefined || isReadonly && !mayBeReadonly) return false;
  return fits(item, place, maker);
}

/** Types whose values hold values of their only parameter, which nobody can replace. */
const HOLDERS = new Set(["Awaitable", "Iterable", "NonNullable", "Promise", "Readonly", "ReadonlyArray", "Settled"]);

function containerFits(given: string, wanted: string, maker: Maker): boolean {
  const [value, place] = [given, wanted].map((type) => {
    const [, head = ""] = /^(\w+)</.exec(type) ?? [];
    const isWhole = HOLDERS.has(head) && endOf(type, head.length) === type.length - 1;
    return isWhole ? { head, held: type.slice(head.length + 1, -1) } : null;
  });
  if (!place) return false;
  if (!value) return place.head === "Awaitable" && fits(given, place.held, maker);
  const isSame = value.head === place.head || value.head === "Promise" && place.head === "Awaitable";
  return isSame && fits(value.held, place.held, maker);
}

/** Takes away brackets around a whole type. */
function bare(type: string): string {
  return type.startsWith("(") && endOf(type, 0) === type.length - 1 ? bare(type.slice(1, -1)) : type;
}

interface FunctionText {
  readonly head: string;
  readonly params: readonly string[];
  readonly result: string;
}

function functionOf(type: string): FunctionText | null {
  const start = type.startsWith("<") ? endOf(type, 0) + 1 : 0;
  if (type[start] !== "(") return null;
  const end = endOf(type, start);
  if (!type.startsWith(" => ", end + 1)) return null;
  const params = split(type.slice(start + 1, end), ",");
  return { head: type.slice(0, start), params, result: type.slice(end + " => ".length + 1) };
}

interface MemberText {
  readonly optional: boolean;
  readonly readonly: boolean;
  readonly type: string;
}

function membersOf(type: string): Map<string, MemberText> | null {
  if (!type.startsWith("{") || endOf(type, 0) !== type.length - 1) return null;
  const members = new Map<string, MemberText>();
  for (const text of split(type.slice(1, -1), ";")) {
    const [, readonly, name, optional, of = ""] = /^(readonly )?([\w$]+)(\?)?: (.*)$/.exec(text) ?? [];
    // A mapped type or a signature.
    if (!name || members.has(name)) return null;
    members.set(name, { optional: optional === "?", readonly: readonly !== undefined, type: of });
  }
  return members;
}

const OPENERS = "([{<";
const CLOSERS = ")]}>";

/** The place of the bracket that closes the one at a place. */
export function endOf(text: string, from: number): number {
  let depth = 0;
  for (const { at, step } of stepsOf(text, from)) {
    depth += step;
    if (depth === 0 && step !== 0) return at;
  }
  return text.length;
}

/** Splits a type where a sign stands outside of all brackets. A function or a condition is one alternative. */
export function split(text: string, sign: "|" | "," | ";"): string[] {
  if (sign === "|" && (functionOf(text) || text.includes(" ? "))) return [text];
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (const { at, step } of stepsOf(text, 0)) {
    depth += step;
    if (depth > 0 || text[at] !== sign) continue;
    parts.push(text.slice(from, at).trim());
    from = at + 1;
  }
  return [...parts, text.slice(from).trim()].filter((each) => each !== "");
}

/** Every sign outside of quotes, and whether it opens or closes something. The `>` of an arrow closes nothing. */
function* stepsOf(text: string, from: number): Generator<{ readonly at: number; readonly step: -1 | 0 | 1 }> {
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    const closes = CLOSERS.includes(sign) && !(sign === ">" && text[at - 1] === "=");
    yield { at, step: OPENERS.includes(sign) ? 1 : closes ? -1 : 0 };
  }
}
