/**
 * Chooses the language of a visitor.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc4647#section-3.4 | RFC 4647, section 3.4: lookup}
 *
 * @module
 */
import { LANGUAGES, type LanguageTag } from "./languages.ts";

/** Where a language is asked for, in the order that counts. */
export interface LanguageWishes {
  /** The parameter `lang` of the query. */
  readonly query?: string | null | undefined;
  /** What an earlier page was asked for in. */
  readonly kept?: string | undefined;
  /** `theme.language`. */
  readonly theme?: string | undefined;
  /** The header `Accept-Language`. */
  readonly header?: string | null | undefined;
}

/** Chooses a language: the first wish that names one that exists, or else English. */
export function chooseLanguage({ query, kept, theme, header }: LanguageWishes): LanguageTag {
  return languageOf(query) ?? languageOf(kept) ?? languageOf(theme) ?? acceptedLanguage(header) ?? "en";
}

/** Finds the language that a tag means, such as `pt-BR` for `pt-PT`; `null` if it does not exist here. */
export function languageOf(text: unknown): LanguageTag | null {
  if (typeof text !== "string" || text.length > LONGEST_TAG || !/^[a-z]{2,8}(?:[-_][a-z0-9]{1,8})*$/i.test(text)) {
    return null;
  }
  const [first = ""] = text.toLowerCase().split(/[-_]/);
  return BY_LANGUAGE.get(FORMER.get(first) ?? first) ?? null;
}

const LONGEST_TAG = 64;

/** No two languages of the list differ in region or script only, so the first part of a tag decides. */
const BY_LANGUAGE: ReadonlyMap<string, LanguageTag> = new Map(
  LANGUAGES.map(({ tag }) => [tag.split("-")[0] ?? tag, tag]),
);

/** Subtags that were replaced, and languages that are read with another (ISO 639-3 macrolanguages). */
const FORMER: ReadonlyMap<string, string> = new Map([["iw", "he"], ["cmn", "zh"], ["arb", "ar"]]);

/** Most entries of the header that are read. */
const MOST_ENTRIES = 20;

/** Longest header that is read, in characters. */
const LONGEST_HEADER = 1000;

function acceptedLanguage(header: string | null | undefined): LanguageTag | null {
  const entries = (header ?? "").slice(0, LONGEST_HEADER).split(",").slice(0, MOST_ENTRIES).map(entryOf);
  const wanted = entries.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  for (const { tag } of wanted) {
    const found = languageOf(tag);
    // Traditional Chinese reads simplified only if nothing better is accepted.
    if (found && !(found === "zh-Hans" && isTraditional(tag) && wanted.some((other) => isBetter(other.tag)))) {
      return found;
    }
  }
  return null;
}

function isBetter(tag: string): boolean {
  const found = languageOf(tag);
  return found !== null && found !== "zh-Hans";
}

function isTraditional(tag: string): boolean {
  return /^(?:zh|cmn)-(?:.*\b)?(?:hant|tw|hk|mo)\b/i.test(tag);
}

function entryOf(entry: string): { readonly tag: string; readonly weight: number } {
  const [tag = "", ...params] = entry.split(";").map((part) => part.trim());
  const quality = params.find((param) => /^q=/i.test(param))?.slice(2);
  const weight = quality === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0;
  return { tag, weight };
}
