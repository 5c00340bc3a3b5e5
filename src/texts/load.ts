/**
 * Loads the texts of a language when it is needed. A language that does not have a file yet is shown in English.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { LanguageTag } from "./languages.ts";
import type { Texts } from "./texts.ts";

/** One import a language; English is always there. */
const LOADERS: Readonly<Partial<Record<LanguageTag, () => Promise<{ readonly TEXTS: Texts }>>>> = {
  de: () => import("./de.ts"),
  fr: () => import("./fr.ts"),
  es: () => import("./es.ts"),
  it: () => import("./it.ts"),
  "pt-BR": () => import("./pt_br.ts"),
  nl: () => import("./nl.ts"),
  pl: () => import("./pl.ts"),
  tr: () => import("./tr.ts"),
  ja: () => import("./ja.ts"),
  "zh-Hans": () => import("./zh_hans.ts"),
  ko: () => import("./ko.ts"),
  ar: () => import("./ar.ts"),
  he: () => import("./he.ts"),
  uk: () => import("./uk.ts"),
  hi: () => import("./hi.ts"),
};

/** Gives the texts of a language, and the language that they are in. */
export async function loadTexts(tag: LanguageTag): Promise<{ readonly tag: LanguageTag; readonly texts: Texts }> {
  const load = LOADERS[tag];
  return load ? { tag, texts: (await load()).TEXTS } : { tag: "en", texts: ENGLISH };
}

/** The languages that have a file. */
export const AVAILABLE: readonly LanguageTag[] = ["en", ...Object.keys(LOADERS) as LanguageTag[]];
