/**
 * Texts as elements. What is put into a text may be written in the other direction, so it is isolated.
 *
 * @module
 */
import { partOf, splitText, type TextValues } from "../texts/texts.ts";
import type { VNode } from "preact";

/** Renders a text with its values. */
export function Filled(
  { text, values, kind }: {
    readonly text: string;
    readonly values: TextValues;
    /** The class of the values. */
    readonly kind?: string;
  },
): VNode {
  return (
    <>
      {splitText(text).map((part, index) => {
        const value = partOf(part, values);
        return value === undefined ? part : <bdi key={index} class={kind}>{value}</bdi>;
      })}
    </>
  );
}

/** Renders the text of a provider's button, so that a list of many can show the names alone. */
export function ProviderText({ text, provider }: { readonly text: string; readonly provider: string }): VNode {
  return (
    <>
      {splitText(text).map((part, index) => {
        const value = partOf(part, { provider });
        return value === undefined
          ? part && <span key={index} class="with">{part}</span>
          : <bdi key={index}>{value}</bdi>;
      })}
    </>
  );
}
