/**
 * The languages that the pages and emails exist in.
 *
 * @module
 */

/** A language. */
export interface Language {
  /** Its tag (BCP 47), and the name of its file in lower case with underscores. */
  readonly tag: string;
  /** What it calls itself. */
  readonly name: string;
  /** Which way it is written. */
  readonly dir: "ltr" | "rtl";
}

/** Every language, English first. */
export const LANGUAGES = [
  { tag: "en", name: "English", dir: "ltr" },
  { tag: "de", name: "Deutsch", dir: "ltr" },
  { tag: "fr", name: "Français", dir: "ltr" },
  { tag: "es", name: "Español", dir: "ltr" },
  { tag: "it", name: "Italiano", dir: "ltr" },
  { tag: "pt-BR", name: "Português (Brasil)", dir: "ltr" },
  { tag: "nl", name: "Nederlands", dir: "ltr" },
  { tag: "pl", name: "Polski", dir: "ltr" },
  { tag: "tr", name: "Türkçe", dir: "ltr" },
  { tag: "ja", name: "日本語", dir: "ltr" },
  { tag: "zh-Hans", name: "简体中文", dir: "ltr" },
  { tag: "ko", name: "한국어", dir: "ltr" },
  { tag: "ar", name: "العربية", dir: "rtl" },
  { tag: "he", name: "עברית", dir: "rtl" },
  { tag: "uk", name: "Українська", dir: "ltr" },
  { tag: "hi", name: "हिन्दी", dir: "ltr" },
] as const satisfies readonly Language[];

/** The tag of a language. */
export type LanguageTag = (typeof LANGUAGES)[number]["tag"];
