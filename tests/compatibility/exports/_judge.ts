/**
 * What a change of the exports means for the programs of others.
 *
 * @module
 */
import type { Both, Change, Verdict } from "../_snapshot.ts";
import type { Role } from "./_roles.ts";

/** A line of the snapshot, taken apart. `key` names the promise. */
export type Line =
  | { readonly kind: "export"; readonly key: string; readonly subpath: string; readonly name: string }
  | { readonly kind: "use"; readonly key: string; readonly name: string; readonly type: string }
  | { readonly kind: "type"; readonly key: string; readonly role: Role; readonly rest: string }
  | { readonly kind: "alternative"; readonly key: string; readonly role: Role; readonly owner: string }
  | MemberLine;

interface MemberLine {
  readonly kind: "member";
  readonly key: string;
  readonly role: Role;
  readonly owner: string;
  readonly optional: boolean;
  readonly readonly: boolean;
  readonly type: string;
}

/** The name of a type, which may end with a subpath; that of its member, quoted unless it is a word; and what it is. */
const MEMBER = /^(([\w$]+(?:@\.[\w/-]*)?)\.(?:"[^"]*"|[^\s"?]+))(\?)?: (.*)$/;

/** Takes a line apart. @throws {Error} if it is none of a snapshot of exports. */
export function parse(line: string): Line {
  const [, exported, subpath = "", name = ""] = /^(export (\S+)(?: (\S+))?)/.exec(line) ?? [];
  if (exported) return { kind: "export", key: exported, subpath: subpath.slice(1), name };
  const [, used, value = ""] = /^use (\S+): (.*)$/.exec(line) ?? [];
  if (used) return { kind: "use", key: `use ${used}`, name: used, type: value };
  const [, role, isReadonly, rest = ""] = /^(give|get|both) (readonly )?(.*)$/.exec(line) ?? [];
  if (!isRole(role)) throw new Error(`Cannot read the line "${line}"`);
  const [, type, is = ""] = /^(\S+) is (.*)$/.exec(rest) ?? [];
  if (type) return { kind: "type", key: type, role, rest: is };
  const [, owner] = /^(\S+) \| /.exec(rest) ?? [];
  if (owner) return { kind: "alternative", key: rest, role, owner };
  const [, key, of = "", optional, member = ""] = MEMBER.exec(rest) ?? [];
  if (!key) throw new Error(`Cannot read the line "${line}"`);
  return {
    kind: "member",
    key,
    role,
    owner: of,
    optional: optional === "?",
    readonly: isReadonly !== undefined,
    type: member,
  };
}

function isRole(text: string | undefined): text is Role {
  return text === "give" || text === "get" || text === "both";
}

/** Says which promise a line is. */
export function keyOf(line: string): string {
  return parse(line).key;
}

const MINOR = { level: "minor" } as const;
const PATCH = { level: "patch" } as const;

function major(breaks: string): Verdict {
  return { level: "major", breaks };
}

/** Judges a change of an export, a function, a type or a member. */
export function judge(change: Change, both: Both): Verdict {
  if (change.kind === "added") return judgeAdded(parse(change.after), both);
  const before = parse(change.before);
  return change.kind === "removed" ? judgeRemoved(before, both) : judgeChanged(before, parse(change.after));
}

function judgeAdded(line: Line, { had }: Both): Verdict {
  const isNeeded = line.kind === "member" && !line.optional && line.role !== "get" &&
    !/\.(?:\(\)|\[.*\])$/.test(line.key);
  // All members of a new type are new.
  if (!isNeeded || !had(line.owner) || had(line.key)) return MINOR;
  return major(`programs that make "${line.owner}" without "${memberOf(line)}"`);
}

function judgeRemoved(line: Line, { has }: Both): Verdict {
  switch (line.kind) {
    case "export":
      if (!line.name) return major(`every import of "@x/auth${line.subpath}"`);
      if (!has(`export .${line.subpath}`)) return PATCH;
      return major(`imports of "${line.name}" from "@x/auth${line.subpath}"`);
    case "use":
      return has(line.key) ? major(`some calls of "${line.name}"`) : major(`programs that use "${line.name}"`);
    case "type":
      return major(`programs that name the type "${line.key}"`);
    case "alternative":
    case "member":
      // The type itself is reported.
      return has(line.owner) ? major(`programs that ${VERBS[line.role]} "${line.key}"`) : PATCH;
    default:
      return line satisfies never;
  }
}

const VERBS = { give: "give", get: "read", both: "use" } as const;

function judgeChanged(before: Line, after: Line): Verdict {
  if (before.kind === "member" && after.kind === "member") return judgeMember(before, after);
  if (before.kind === "use" && after.kind === "use") {
    return takesMore(before.type, after.type) ? MINOR : major(`calls of "${before.name}"`);
  }
  if (before.kind === "type" && after.kind === "type") {
    return hasMoreParameters(before.rest, after.rest) ? MINOR : major(`programs that name the type "${before.key}"`);
  }
  // Only the role of an alternative can change.
  if (before.kind === "alternative") return MINOR;
  return major(`imports of what "${before.key.replace("export ", "")}" was`);
}

function judgeMember(before: MemberLine, after: MemberLine): Verdict {
  const [old, now] = [alternativesOf(before), alternativesOf(after)];
  const isWider = old.every((each) => now.includes(each));
  const isNarrower = now.every((each) => old.includes(each));
  const grows = takesMore(before.type, after.type) && before.optional === after.optional;
  const giving = isWider || grows;
  const getting = (isNarrower || grows) && !(after.readonly && !before.readonly);
  const isFine = { give: giving, get: getting, both: giving && getting }[before.role];
  if (isFine) return MINOR;
  return major(
    before.role === "get"
      ? `programs that read "${before.key}" as it was`
      : `programs that ${VERBS[before.role]} "${before.key}" as they could before`,
  );
}

/** What a member may be. One that may be absent may be `undefined`, as far as this can see. */
function alternativesOf({ optional, type }: MemberLine): string[] {
  return [...new Set([...split(type, "|"), ...optional ? ["undefined", "absent"] : []])];
}

/** Whether a function takes what it took, and more parameters that may be left out. */
function takesMore(before: string, after: string): boolean {
  const [old, now] = [functionOf(before), functionOf(after)];
  if (!old || !now || old.result !== now.result || old.head !== now.head) return before === after;
  if (old.params.some((each, at) => now.params[at] !== each)) return false;
  return now.params.slice(old.params.length).every((each) => each.endsWith("?") || each.startsWith("..."));
}

function functionOf(type: string): { head: string; params: string[]; result: string } | null {
  const start = type.startsWith("<") ? endOf(type, 0) + 1 : 0;
  if (type[start] !== "(") return null;
  const end = endOf(type, start);
  if (!type.startsWith(" => ", end + 1)) return null;
  return { head: type.slice(0, start), params: split(type.slice(start + 1, end), ","), result: type.slice(end + 1) };
}

/** Whether a type has the same parameters, and only more that have defaults. */
function hasMoreParameters(before: string, after: string): boolean {
  if (before === after) return true;
  const [old, now] = [parametersOf(before), parametersOf(after)];
  if (old.head !== now.head || old.tail !== now.tail) return false;
  return old.params.every((each, at) => now.params[at] === each) &&
    now.params.slice(old.params.length).every((each) => each.includes(" = "));
}

function parametersOf(rest: string): { head: string; params: string[]; tail: string } {
  const [head = ""] = /^\w+/.exec(rest) ?? [];
  if (rest[head.length] !== "<") return { head, params: [], tail: rest.slice(head.length) };
  const end = endOf(rest, head.length);
  return { head, params: split(rest.slice(head.length + 1, end), ","), tail: rest.slice(end + 1) };
}

const OPENERS = "([{<";
const CLOSERS = ")]}>";

/** The place of the bracket that closes the one at a place. The `>` of an arrow closes nothing. */
function endOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    depth += stepAt(text, at);
    if (depth === 0) return at;
  }
  return text.length;
}

function stepAt(text: string, at: number): number {
  const sign = text[at] ?? "";
  if (sign === '"') return 0;
  if (OPENERS.includes(sign)) return 1;
  return CLOSERS.includes(sign) && text[at - 1] !== "=" ? -1 : 0;
}

/** Splits a type where a sign stands outside of all brackets. A function or a condition is one part. */
function split(text: string, sign: "|" | ","): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    depth += stepAt(text, at);
    if (depth > 0 || text[at] !== sign) continue;
    parts.push(text.slice(from, at).trim());
    from = at + 1;
  }
  const all = [...parts, text.slice(from).trim()].filter((each) => each !== "");
  const isOne = sign === "|" && (functionOf(text) !== null || text.includes(" ? "));
  return isOne ? [text] : all;
}

function memberOf({ key, owner }: MemberLine): string {
  return key.slice(owner.length + 1);
}
