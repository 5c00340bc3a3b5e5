/**
 * The site's and the providers' own colours and logos, as far as they may be shown.
 *
 * @module
 */
import { isColor, readableOn } from "../http/color.ts";
import { type Logo, logoAt } from "./urls.ts";
import type { Theme } from "../kernel/model.ts";
import type { ProviderStyle } from "../contract/provider.ts";

/** Light, dark, or as the visitor's system says. */
export type Scheme = "auto" | "dark" | "light";

/** The logo of a button, in the schemes a page can have. */
export interface ButtonLogo {
  /** The logo; in the light scheme, where there are two. */
  readonly usual: Logo;
  /** Another one for the dark scheme of a page that follows the visitor's system. */
  readonly dark: Logo | undefined;
}

/** A background and the text on it. */
interface Pair {
  readonly back: string | undefined;
  readonly text: string | undefined;
}

/** Reads the colour scheme of a theme. */
export function schemeOf({ colorScheme }: Theme): Scheme {
  return colorScheme === "dark" || colorScheme === "light" ? colorScheme : "auto";
}

/** Chooses the logos of a button. */
export function buttonLogo({ logo, logoDark }: ProviderStyle, scheme: Scheme): ButtonLogo | undefined {
  const light = logoAt(logo);
  const dark = logoAt(logoDark) ?? light;
  const usual = scheme === "dark" ? dark : light;
  return usual && { usual, dark: scheme === "auto" && dark !== light ? dark : undefined };
}

/** Writes the rules for the theme's colours and the buttons' own. Nothing but checked colours varies in it. */
export function brandCss(theme: Theme, styles: readonly ProviderStyle[]): string {
  const scheme = schemeOf(theme);
  return [
    rule("body", "brand-color", "button-text-color", pair(theme.brandColor, theme.buttonText)),
    ...styles.map((style, index) => providerRules(style, index, scheme)),
  ].join("");
}

function providerRules(style: ProviderStyle, index: number, scheme: Scheme): string {
  const of = ({ back, text }: Pair): string =>
    rule(`.provider-${index}`, "provider-brand-color", "provider-text-color", { back, text });
  const light = of(pair(style.bg, style.text));
  const dark = of(pair(colorOf(style.bgDark) ?? style.bg, colorOf(style.textDark) ?? style.text));
  if (scheme !== "auto") return scheme === "dark" ? dark : light;
  return dark === light ? light : `${light}@media (prefers-color-scheme:dark){${dark}}`;
}

/** Completes a pair: one colour without the other gets black or white, where that can be computed. */
function pair(background: string | undefined, foreground: string | undefined): Pair {
  const back = colorOf(background);
  const text = colorOf(foreground);
  return { back: back ?? (text && readableOn(text)), text: text ?? (back && readableOn(back)) };
}

function rule(selector: string, backName: string, textName: string, { back, text }: Pair): string {
  const colors = [[backName, back], [textName, text]].filter((color): color is [string, string] => !!color[1]);
  if (!colors.length) return "";
  // A word that is no colour would make the button transparent: a browser that does not know it skips the rule.
  const known = colors.map(([, value]) => `(color:${value})`).join(" and ");
  return `@supports ${known}{${selector}{${colors.map(([name, value]) => `--${name}:${value}`).join(";")}}}`;
}

function colorOf(value: string | undefined): string | undefined {
  return isColor(value) ? value : undefined;
}
