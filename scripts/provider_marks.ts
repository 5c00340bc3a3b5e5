/**
 * Writes the mark of each identity provider into the `style` of its file in src/providers, and a text colour that can be
 * read on its background. Run it again after a provider was added.
 *
 * The marks are icons of the packages simple-icons, CoreUI Brands (`cib`) and SVG Logos (`logos`), which are dedicated to
 * the public domain (CC0 1.0). That does not cover the brands: the icons show trademarks of their owners, who have rules
 * for their use, and a few have licences of their own. The first package names both for each icon, and asks its users to
 * observe them. Icons whose licence asks for more than CC0 does are not used. A provider whose icon none of them has gets
 * an initial.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/provider_marks.ts          # writes
 * deno run -A scripts/provider_marks.ts --check  # says what is out of date
 * ```
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { contrastOf, readableOn } from "../src/kernel/color.ts";
import type { ProviderStyle } from "../src/contract/provider.ts";
import { printLine } from "./print.ts";
import { roundPath, sizeOf } from "./round_path.ts";
import { sourcesBelow } from "./source_files.ts";

/** An icon of a package. */
export interface Icon {
  /** Path data in a square of 24 by 24. */
  readonly path: string;
  /** The colour of the brand, as six digits; `null` if the package does not know it. */
  readonly hex: string | null;
  /** The licence of the icon, if it has its own. */
  readonly license: string | null;
}

const FOLDER = "src/providers";

/** The slugs of icons that differ from the id of the provider. `cib:` is CoreUI Brands, and `logos:` SVG Logos. */
const SLUGS: ReadonlyMap<string, string> = new Map([
  ["42-school", "42"],
  ["azure-ad-b2c", "cib:microsoft"],
  ["battlenet", "battledotnet"],
  ["click-up", "clickup"],
  ["cognito", "cib:amazon-aws"],
  ["epic-games", "epicgames"],
  ["eventbrite", "cib:eventbrite"],
  ["hydra", "ory"],
  ["linkedin", "cib:linkedin"],
  ["mailru", "maildotru"],
  ["microsoft-entra-id", "cib:microsoft"],
  ["salesforce", "cib:salesforce"],
  ["slack", "cib:slack"],
  ["start-gg", "startdotgg"],
  ["twitter", "x"],
  ["wikimedia", "wikimediafoundation"],
  ["workos", "logos:workos-icon"],
  ["yahoo", "cib:yahoo"],
]);

/** Slugs of icons that cannot be read at the size of a button. */
const UNREADABLE: ReadonlySet<string> = new Set(["zoho"]);

/** The most characters of a mark with two decimals; a longer one has one. */
const LONG = 1500;

/** The most characters of a mark. */
const LONGEST = 2000;

/** The least width and height of a mark. Names as long and thin as that are too small to read on a button. */
const LEAST_SIDE = 8;

/** The least contrast of text (WCAG 2.2, section 1.4.3). */
const LEAST_CONTRAST = 4.5;

/** Licences that ask for nothing. What is called custom are the rules of a trademark, which every brand has. */
const FREE: readonly (string | null)[] = [null, "CC0-1.0", "custom"];

/** The literals of a `style`, by name. */
type Style = ReadonlyMap<string, string>;

/** The file of an identity provider. */
export interface ProviderFile {
  readonly path: string;
  readonly text: string;
  readonly id: string;
  /** The label of its button. */
  readonly name: string;
  readonly style: ProviderStyle;
}

/** The slug of a provider's icon. */
export function slugOf(id: string): string {
  return SLUGS.get(id) ?? id;
}

/**
 * Makes a mark of an icon, with two decimals, or one if it is long. `null` if it is too long all the same, if it is a
 * word that could not be read, or if its licence asks for something.
 */
export function markOf(icon: Icon | undefined): string | null {
  if (!icon || !FREE.includes(icon.license)) return null;
  const { width, height } = sizeOf(icon.path);
  if (Math.min(width, height) < LEAST_SIDE) return null;
  // At the size of a button a hundredth of the square cannot be seen, and a tenth hardly.
  const rounded = roundPath(icon.path, 2);
  const exact = icon.path.length <= rounded.length ? icon.path : rounded;
  if (exact.length <= LONG) return exact;
  const mark = roundPath(icon.path, 1);
  return mark.length <= LONGEST ? mark : null;
}

/**
 * Completes the text of a provider's file.
 *
 * @throws {SyntaxError} if its `style` is not an object of literals.
 */
export function completed({ text, path }: Pick<ProviderFile, "text" | "path">, icon: Icon | undefined): string {
  const style = readStyle(text, path);
  const wanted = completedStyle(style ?? new Map(), icon);
  if (wanted.size === 0 || (style && same(style, wanted))) return text;
  if (style) return text.replace(STYLE, (_, indent: string) => writeStyle(wanted, indent));
  const place = /^( *)name: .+,\n/m;
  if (!place.test(text)) throw new SyntaxError(`Cannot add a style to ${path}: it has no line with its name`);
  return text.replace(place, (line, indent: string) => `${line}${writeStyle(wanted, indent)}\n`);
}

const STYLE = /^( *)style: \{((?:"(?:[^"\\\n]|\\.)*"|[^{}"])*)\},$/m;
const MEMBER = /\s*(\w+):\s*("(?:[^"\\\n]|\\.)*"|true|false),?\s*/y;

function readStyle(text: string, path: string): Style | null {
  const members = STYLE.exec(text)?.[2];
  if (members === undefined) {
    if (/^\s*style:/m.test(text)) throw new SyntaxError(`Cannot read ${path}: its style is not an object of literals`);
    return null;
  }
  const style = new Map<string, string>();
  let at = 0;
  while (at < members.length) {
    MEMBER.lastIndex = at;
    const [whole, name, value] = MEMBER.exec(members) ?? [];
    if (!whole || !name || !value) {
      throw new SyntaxError(
        `Cannot read ${path}: its style has something else than literals at "${members.slice(at)}"`,
      );
    }
    style.set(name, value);
    at += whole.length;
  }
  return style;
}

function completedStyle(style: Style, icon: Icon | undefined): Style {
  const wanted = new Map(style);
  wanted.delete("mark");
  if (!wanted.has("bg") && icon?.hex) wanted.set("bg", `"#${icon.hex}"`);
  makeReadable(wanted, "bg", "text");
  if (wanted.has("bgDark") || wanted.has("textDark")) makeReadable(wanted, "bgDark", "textDark");
  // A logo is shown in place of a mark.
  const mark = wanted.has("logo") ? null : markOf(icon);
  if (mark !== null) wanted.set("mark", JSON.stringify(mark));
  return wanted;
}

function makeReadable(style: Map<string, string>, backName: string, textName: string): void {
  const back = colorIn(style, backName) ?? colorIn(style, "bg");
  const text = colorIn(style, textName) ?? colorIn(style, "text");
  const readable = back && readableOn(back);
  if (!back || !readable || (text && (contrastOf(back, text) ?? 0) >= LEAST_CONTRAST)) return;
  style.set(textName, `"${readable}"`);
}

function colorIn(style: Style, name: string): string | undefined {
  return style.get(name)?.slice(1, -1);
}

function same(one: Style, other: Style): boolean {
  return one.size === other.size && [...other].every(([name, value]) => one.get(name) === value);
}

function writeStyle(style: Style, indent: string): string {
  const members = [...style].map(([name, value]) => `${name}: ${value}`);
  const line = `${indent}style: { ${members.join(", ")} },`;
  if (line.length <= 120) return line;
  const lines = [...style].map(([name, value]) => {
    const start = `${indent}  ${name}:`;
    return `${start}${start.length + value.length > 118 ? `\n${indent}    ` : " "}${value},\n`;
  });
  return `${indent}style: {\n${lines.join("")}${indent}},`;
}

/**
 * Reads the files of identity providers. Those of other kinds have no mark: their buttons are at forms. Nothing is
 * called, because many factories need options.
 */
export function providerFiles(): readonly ProviderFile[] {
  return sourcesBelow(FOLDER).flatMap((path) => {
    const text = readFileSync(path, "utf8");
    if (!/\bO(?:Auth|idc)Options\b/.test(text)) return [];
    const [id, name] = ["id", "name"].map((member) => new RegExp(`^ *${member}: "(.+)",$`, "m").exec(text)?.[1]);
    // Such as one that gives another provider a second id. Services that have ended have no mark.
    if (id === undefined || name === undefined || path.includes("/deprecated/")) return [];
    const style = [...readStyle(text, path) ?? []].map(([member, value]) => [member, JSON.parse(value)]);
    return [{ path, text, id, name, style: Object.fromEntries(style) }];
  });
}

/** Reads icons from the package, which is installed when it is missing. @throws {Error} if that is impossible. */
async function readIcons(slugs: readonly string[]): Promise<ReadonlyMap<string, Icon>> {
  const project = new URL("./marks/", import.meta.url);
  const wanted = slugs.filter((slug) => !UNREADABLE.has(slug));
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--frozen", "--no-prompt", "--config=deno.json", "icons.ts", ...wanted],
    cwd: project,
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(`Cannot read icons: ${new TextDecoder().decode(stderr)}`);
  return new Map(Object.entries(JSON.parse(new TextDecoder().decode(stdout)) as Record<string, Icon>));
}

async function format(paths: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", ...paths] }).spawn().status;
  if (!success) throw new Error("Cannot format the files that were written");
}

if (import.meta.main) {
  const isCheck = Deno.args.includes("--check");
  const files = providerFiles();
  const icons = await readIcons(files.map(({ id }) => slugOf(id)));
  const changed = files.flatMap((file) => {
    const text = completed(file, icons.get(slugOf(file.id)));
    return text === file.text ? [] : [{ ...file, text }];
  });
  if (!isCheck) {
    for (const { path, text } of changed) Deno.writeTextFileSync(path, text);
    if (changed.length > 0) await format(changed.map(({ path }) => path));
  }
  for (const { path } of changed) printLine(`${isCheck ? "out of date" : "written"}: ${path}`);
  const initials = files.filter(({ id, style }) => !style.logo && !markOf(icons.get(slugOf(id))));
  printLine(
    `${files.length} providers, of which an initial have: ${initials.map(({ id }) => id).join(", ") || "none"}`,
  );
  if (isCheck && changed.length > 0) Deno.exit(1);
}
