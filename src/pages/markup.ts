/**
 * Builds HTML from templates. What is put into a template is escaped, unless it is markup that this file made itself.
 *
 * @module
 */

/** A piece of HTML. Only this file makes one, so text of a visitor or a configuration cannot pass for it. */
export class Markup {
  readonly #html: string;

  /** @internal */
  constructor(html: string) {
    this.#html = html;
  }

  /** The HTML itself. */
  toString(): string {
    return this.#html;
  }
}

/** Attributes of an element, each with a space before it. Only this file makes them. */
export class Attributes {
  readonly #html: string;

  /** @internal */
  constructor(html: string) {
    this.#html = html;
  }

  /** The attributes as they are written. */
  toString(): string {
    return this.#html;
  }
}

/** What may stand between tags. Nothing is written for `null`, `undefined` and `false`. */
export type Content = Markup | string | null | undefined | false | readonly Content[];

/** Where a value stands: between tags, in the quotes of an attribute, or where attributes are written. */
type Place = "text" | "quotes" | "tag";

interface Template {
  readonly texts: readonly string[];
  /** Where the value after each text stands. */
  readonly places: readonly Place[];
}

/** Templates by their parts, which are one object for each place in the source. */
const templates = new WeakMap<TemplateStringsArray, Template>();

/**
 * Makes markup of a template. Its line breaks are left out, together with the spaces that follow them.
 *
 * Text may stand between tags and in the double quotes of an attribute, markup between tags, and what
 * {@linkcode attributes} returns behind the name of an element.
 *
 * @throws {TypeError} if something stands where it may not.
 *
 * @example Usage
 * ```ts
 * markup`<p class="${"lead"}"${attributes({ id: undefined })}>${"Jack & Jill"}</p>`;
 * ```
 */
export function markup(parts: TemplateStringsArray, ...values: readonly (Content | Attributes)[]): Markup {
  const { texts, places } = templateOf(parts);
  let html = texts[0] ?? "";
  for (let at = 0; at < values.length; at++) html += written(values[at], places[at]) + texts[at + 1];
  return new Markup(html);
}

/** Makes attributes. Those that are `undefined` or `false` are left out. The names must be plain: they are not escaped. */
export function attributes(given: Readonly<Record<string, string | boolean | undefined>>): Attributes {
  let html = "";
  for (const name of Object.keys(given)) {
    const value = given[name];
    if (!/^[a-z-]+$/.test(name)) throw new TypeError(`Not the name of an attribute: ${JSON.stringify(name)}`);
    if (value === undefined || value === false) continue;
    if (value !== true && typeof value !== "string") throw new TypeError(`Not the value of an attribute: ${name}`);
    html += value === true || value === "" ? ` ${name}` : ` ${name}="${escaped(value)}"`;
  }
  return new Attributes(html);
}

/** Takes a text for markup as it is. It must be a constant of ours: nothing of it is escaped. */
export function asMarkup(html: string): Markup {
  return new Markup(html);
}

function written(value: Content | Attributes, place: Place | undefined): string {
  if (typeof value === "string" && place !== "tag") return escaped(value);
  if (value === null || value === undefined || value === false) return "";
  if (place === "tag" ? value instanceof Attributes : place === "text" && value instanceof Markup) {
    return value.toString();
  }
  if (place === "text" && Array.isArray(value)) return value.reduce((html, each) => html + written(each, place), "");
  throw new TypeError("A template holds a value where it may not stand");
}

const ENTITIES: Readonly<Record<string, string>> = { '"': "&quot;", "&": "&amp;", "<": "&lt;" };

function escaped(text: string): string {
  return /["&<]/.test(text) ? text.replaceAll(/["&<]/g, (char) => ENTITIES[char] ?? "") : text;
}

function templateOf(parts: TemplateStringsArray): Template {
  let template = templates.get(parts);
  if (!template) templates.set(parts, template = readTemplate(parts));
  return template;
}

function readTemplate(parts: TemplateStringsArray): Template {
  const places: Place[] = [];
  let place: Place = "text";
  for (const part of parts) {
    for (const char of part) place = NEXT[place][char] ?? place;
    places.push(place);
  }
  if (place !== "text") throw new TypeError(`A template ends within a tag: ${parts.join("…")}`);
  return { texts: parts.map((part) => part.replaceAll(/\n\s*/g, "")), places };
}

/** The place behind a character that changes it. */
const NEXT: Readonly<Record<Place, Readonly<Record<string, Place>>>> = {
  text: { "<": "tag" },
  tag: { '"': "quotes", ">": "text" },
  quotes: { '"': "tag" },
};
