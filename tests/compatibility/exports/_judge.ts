/**
 * What a change of the exports means for the programs of others.
 *
 * @module
 */
import type { Both, Change, Verdict } from "../_snapshot.ts";
import { endOf, fits, split } from "./_fits.ts";
import type { Role } from "./_roles.ts";

/** A line of the snapshot, taken apart. `key` names the promise. */
export type Line =
  | { readonly kind: "export"; readonly key: string; readonly subpath: string; readonly name: string }
  | { readonly kind: "use"; readonly key: string; readonly name: string; readonly type: string }
  | TypeLine
  | { readonly kind: "alternative"; readonly key: string; readonly role: Role; readonly owner: string }
  | MemberLine;

interface TypeLine {
  readonly kind: "type";
  readonly key: string;
  readonly role: Role;
  readonly rest: string;
}

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

function judgeRemoved(line: Line, both: Both): Verdict {
  const { has } = both;
  switch (line.kind) {
    case "export":
      if (!line.name) return major(`every import of "@x/auth${line.subpath}"`);
      if (!has(`export .${line.subpath}`)) return PATCH;
      return major(`imports of "${line.name}" from "@x/auth${line.subpath}"`);
    case "use":
      return has(line.key) ? major(`some calls of "${line.name}"`) : major(`programs that use "${line.name}"`);
    case "type":
      return major(`programs that name the type "${line.key}"`);
    case "member": {
      const moved = inheritedOf(line, line.owner, both);
      if (moved) return judgeMember(line, moved);
    }
    // falls through
    case "alternative":
      // The type itself is reported.
      return has(line.owner) ? major(`programs that ${VERBS[line.role]} "${line.key}"`) : PATCH;
    default:
      return line satisfies never;
  }
}

/** Finds a member that a type has from another that it extends. */
function inheritedOf(line: MemberLine, type: string, both: Both): MemberLine | null {
  const head = both.now(type);
  const [, bases = ""] = / extends (.*)$/.exec(head ?? "") ?? [];
  for (const base of split(bases, ",").map((each) => each.replace(/<.*$/, ""))) {
    const own = both.now(`${base}.${memberOf(line)}`);
    const found = own ? parse(own) : inheritedOf(line, base, both);
    if (found?.kind === "member") return found;
  }
  return null;
}

const VERBS = { give: "give", get: "read", both: "use" } as const;

function judgeChanged(before: Line, after: Line): Verdict {
  if (before.kind === "member" && after.kind === "member") return judgeMember(before, after);
  if (before.kind === "use" && after.kind === "use") {
    return fits(after.type, before.type, "library") ? MINOR : major(`calls of "${before.name}"`);
  }
  if (before.kind === "type" && after.kind === "type") return judgeType(before, after);
  // Only the role of an alternative can change.
  if (before.kind === "alternative") return MINOR;
  return major(`imports of what "${before.key.replace("export ", "")}" was`);
}

function judgeMember(before: MemberLine, after: MemberLine): Verdict {
  const isTaken = !(before.optional && !after.optional) && isFit("give", before.type, after.type);
  const isRead = !(after.optional && !before.optional) && !(after.readonly && !before.readonly) &&
    isFit("get", before.type, after.type);
  if ({ give: isTaken, get: isRead, both: isTaken && isRead }[before.role]) return MINOR;
  return major(
    before.role === "get"
      ? `programs that read "${before.key}" as it was`
      : `programs that ${VERBS[before.role]} "${before.key}" as they could before`,
  );
}

/** Whether a type still does what it did: it takes what was given, and what is read of it is what was expected. */
function isFit(role: Role, before: string, after: string): boolean {
  return (role === "get" || fits(before, after, "program")) && (role === "give" || fits(after, before, "library"));
}

function judgeType(before: TypeLine, after: TypeLine): Verdict {
  const [old, now] = [partsOf(before.rest), partsOf(after.rest)];
  const isSame = old.head === now.head && old.params.every((each, at) => now.params[at] === each) &&
    // More parameters have to have defaults.
    now.params.slice(old.params.length).every((each) => each.includes(" = "));
  const [is, was] = [now.tail, old.tail].map((tail) => tail.startsWith("= ") ? tail.slice(2) : null);
  const fit = old.tail === now.tail || before.role === "get" && extendsMore(old.tail, now.tail) ||
    typeof is === "string" && typeof was === "string" && isFit(before.role, was, is);
  return isSame && fit ? MINOR : major(`programs that name the type "${before.key}"`);
}

/** Whether a type extends what it did, and more. Who makes its values may have to add something. */
function extendsMore(before: string, after: string): boolean {
  const [old, now] = [before, after].map((tail) => split(tail.replace(/^extends /, ""), ","));
  return !before.startsWith("=") && !after.startsWith("=") && (old ?? []).every((each) => now?.includes(each));
}

/** The word for what a type is, its parameters, and what follows: what it extends, or stands for. */
function partsOf(rest: string): { readonly head: string; readonly params: readonly string[]; readonly tail: string } {
  const [head = ""] = /^\w+/.exec(rest) ?? [];
  if (rest[head.length] !== "<") return { head, params: [], tail: rest.slice(head.length).trim() };
  const end = endOf(rest, head.length);
  return { head, params: split(rest.slice(head.length + 1, end), ","), tail: rest.slice(end + 1).trim() };
}

function memberOf({ key, owner }: MemberLine): string {
  return key.slice(owner.length + 1);
}
