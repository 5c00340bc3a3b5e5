/**
 * Texts as markup. What is put into a text may be written in the other direction, so it is isolated.
 *
 * @module
 */
import { partOf, splitText, type TextValues } from "../texts/texts.ts";
import { attributes, type Content, markup } from "./markup.ts";

/**
 * Writes a text with its values.
 *
 * @param kind The class of the values.
 */
export function filled(text: string, values: TextValues, kind?: string): Content {
  return splitText(text).map((part) => {
    const value = partOf(part, values);
    return value === undefined ? part : markup`<bdi${attributes({ class: kind })}>${value}</bdi>`;
  });
}

/** Writes the text of a provider's button, so that a list of many can show the names alone. */
export function providerText(text: string, provider: string): Content {
  return splitText(text).map((part) => {
    const value = partOf(part, { provider });
    return value === undefined ? part && markup`<span class="with">${part}</span>` : markup`<bdi>${value}</bdi>`;
  });
}
