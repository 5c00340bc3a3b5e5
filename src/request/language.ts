/**
 * The language that a visitor gets, and the texts in it.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { chooseLanguage, languageOf } from "../texts/choose.ts";
import { LANGUAGES } from "../texts/languages.ts";
import { loadTexts } from "../texts/load.ts";
import type { TextChanges, Texts, Wording } from "../texts/texts.ts";
import type { RequestContext } from "./context.ts";

/** Who asks. Without cookies if the request could not be read so far. */
export type Visitor = Pick<RequestContext, "request"> & {
  readonly url: URL | null;
  readonly cookies?: Pick<RequestContext["cookies"], "read">;
};

/** What texts depend on in addition to the visitor. */
export interface WordingOptions {
  readonly theme: ResolvedConfig["theme"];
  /** `pages.texts`. */
  readonly texts?: TextChanges | undefined;
}

/** Loads the texts for a visitor, with those that the configuration replaces. */
export async function wordingFor(visitor: Visitor | undefined, { theme, texts }: WordingOptions): Promise<Wording> {
  const wanted = chooseLanguage({
    query: visitor?.url && langOf(visitor.url),
    kept: visitor?.cookies?.read("language"),
    theme: theme.language,
    header: visitor?.request.headers.get("accept-language"),
  });
  const loaded = await loadTexts(wanted);
  const dir = LANGUAGES.find(({ tag }) => tag === loaded.tag)?.dir ?? "ltr";
  return {
    texts: isPlainObject(texts) ? changed(loaded.texts, texts, loaded.tag) : loaded.texts,
    tag: loaded.tag,
    dir,
    // It goes into the subject of emails, which is one line.
    name: oneLine(theme.name) || visitor?.url?.host || "",
  };
}

// A configuration may come from JSON.
function oneLine(text: unknown): string {
  return typeof text === "string" ? text.replace(/[\s\p{Cc}]+/gu, " ").trim() : "";
}

/** Keeps the language that a page was asked for in, for the pages and the email that follow. */
export function keepLanguage({ url, cookies }: Pick<RequestContext, "url" | "cookies">): void {
  const wanted = languageOf(langOf(url));
  if (wanted && wanted !== cookies.read("language")) cookies.write("language", wanted);
}

function langOf(url: URL): string | null {
  return url.searchParams.get("lang");
}

function changed(texts: Texts, changes: TextChanges, tag: string): Texts {
  const fitting = Object.entries(changes)
    .filter(([key]) => key === "*" || languageOf(key) === tag)
    .sort(([one], [other]) => Number(other === "*") - Number(one === "*"));
  const given = fitting.flatMap(([, own]) => Object.entries(own ?? {})).filter(([, text]) => typeof text === "string");
  return { ...texts, ...Object.fromEntries(given) };
}
