/**
 * Reads interfaces in the sources: their members, and what the comments say of each.
 *
 * @module
 */

/** A member of an interface. */
export interface Member {
  readonly name: string;
  /** Its type, in short. */
  readonly type: string;
  /** What the comment says is the default. */
  readonly fallback: string;
  /** The first paragraph of the comment. */
  readonly meaning: string;
}

const MEMBER = /^ {2}\/\*\*([^]*?)\*\/\n(?: {2}\/\/[^\n]*\n)*^ {2}(?:readonly )?(\[?\w+\]?)\??(:|\(|<)([^]*?;)$/gm;

/** Lists the members of an interface that have comments. @throws {Error} if the source has no such interface. */
export function membersOf(source: string, name: string): Member[] {
  const [, body] = new RegExp(`^export interface ${name}\\b[^{]*\\{\n([^]*?)^\\}`, "m").exec(source) ?? [];
  if (body === undefined) throw new Error(`The source has no interface ${name}`);
  return [...body.matchAll(MEMBER)].flatMap(([, comment = "", member = "", kind, type = ""]) => {
    // Any other member, by an index signature.
    if (member.startsWith("[") && member !== "[customFetch]") return [];
    return [{ name: member, type: kind === ":" ? shortType(type) : "function", ...readComment(comment) }];
  });
}

function shortType(text: string): string {
  const type = text.replace(/;$/, "").replaceAll(/^ *\/\/.*$/gm, "").replaceAll(/\s+/g, " ").trim()
    .replace(/^\| /, "").replaceAll(/ \| undefined\b|\breadonly /g, "").replaceAll(
      " | (string & Record<never, never>)",
      "",
    );
  if (type.includes("=>")) return "function";
  if (/^(?:Readonly<Record<|\{)/.test(type)) return "object";
  return type.replaceAll(/Readonly<Record<[^>]*>>/g, "object").replaceAll(/<(?:P|Profile|Field|Id|T)\b[^>]*>/g, "");
}

function readComment(comment: string): Pick<Member, "fallback" | "meaning"> {
  const text = comment.split("\n").map((line) => line.replace(/^ *\* ?/, "").trim()).join("\n").trim();
  const at = text.search(/(?:^|\s)@(?:default|see|example|param|returns|throws)\b/);
  const [meaning = ""] = (at < 0 ? text : text.slice(0, at)).split("\n\n");
  const [, given = ""] = /@default\s+([^]*?)(?=\n\n|\n@|$)/.exec(text) ?? [];
  return { meaning: prose(meaning), fallback: prose(given).replace(/^\{(.*?)\}(?!\})/, "`$1`").replace(/\.$/, "") };
}

function prose(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/\{@linkcode (?:\w+\.)?(\w+)\}/g, "`$1`").trim();
}

/** A type as code. A long one is several pieces, between which a line can end. */
function shown(type: string): string {
  return (type.length > 60 ? type.split(" | ") : [type]).map((part) => `\`${part}\``).join(" or ");
}

/** Writes members as a list: the name, the type, what it means, and the default. */
export function listOf(members: readonly Member[]): string {
  return members.map(({ name, type, fallback, meaning }) => {
    return `- **\`${name}\`** (${shown(type)}): ${meaning}${fallback && ` Default: ${fallback}.`}`;
  }).join("\n");
}
