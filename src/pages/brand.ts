/**
 * The colours, logos and marks of the theme and of the providers. Those that fail a check are left out.
 *
 * @module
 */
import { contrastOf, isColor, readableOn } from "../kernel/color.ts";
import { isPathData } from "../http/path_data.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { linkAt, type Logo, logoAt } from "./urls.ts";
import type { Theme, ThemeLinks } from "../kernel/model.ts";
import type { ProviderStyle } from "../contract/provider.ts";

/** Light, dark, or what the visitor's system prefers. */
export type Scheme = "auto" | "dark" | "light";

/** What stands before the text of a button. */
export type Badge = { readonly logo: ButtonLogo } | { readonly mark: string };

/** The logos of a button. */
export interface ButtonLogo {
  /** The logo of the page's scheme; the light one on a page that follows the visitor's system. */
  readonly usual: Logo;
  /** The dark logo of a page that follows the visitor's system, if it differs. */
  readonly dark: Logo | undefined;
}

/** A background and the text on it. */
interface Pair {
  readonly back: string | undefined;
  readonly text: string | undefined;
}

/** The colours of a button. */
interface ButtonColors extends Pair {
  readonly border: string | undefined;
}

function schemeOf({ colorScheme }: Theme): Scheme {
  return colorScheme === "dark" || colorScheme === "light" ? colorScheme : "auto";
}

/** Chooses what stands before the text of a button: a logo, or else a mark. `null` if it has neither. */
function badgeOf(style: ProviderStyle, scheme: Scheme): Badge | null {
  const logo = buttonLogo(style, scheme);
  return logo ? { logo } : isPathData(style.mark) ? { mark: style.mark } : null;
}

function buttonLogo({ logo, logoDark }: ProviderStyle, scheme: Scheme): ButtonLogo | undefined {
  const light = logoAt(logo);
  const dark = logoAt(logoDark) ?? light;
  const usual = scheme === "dark" ? dark : light;
  return usual && { usual, dark: scheme === "auto" && dark !== light ? dark : undefined };
}

/** A button, as far as its colours depend on it. */
export interface Button {
  readonly style: ProviderStyle;
  /** Whether it is filled although the others are neutral: it is that of a form. */
  readonly isFilled: boolean;
}

/** What the theme and the styles of its buttons make of a page. */
export interface Brand {
  readonly scheme: Scheme;
  readonly logo: Logo | undefined;
  /** What stands before the text of each button. */
  readonly badges: readonly (Badge | null)[];
  /** Where the links of the theme lead. */
  readonly links: ThemeLinks;
  /** The rules for the colours of the theme and of the buttons; empty if there are none. */
  readonly css: string;
}

/** Brands by the JSON of what they are made of: every page of a site has one of a few. */
const brands = new BoundedMap<string, Brand>(16);

/** Makes the brand of a page. Colours, logos and marks that fail a check are left out. */
export function brandOf(theme: Theme, buttons: readonly Button[]): Brand {
  const { brandColor, buttonText, buttons: look, colorScheme, logo, links } = theme;
  const key = JSON.stringify([brandColor, buttonText, look, colorScheme, logo, links, buttons]);
  const known = brands.get(key);
  if (known) return known;
  const scheme = schemeOf(theme);
  const badges = buttons.map(({ style }) => badgeOf(style, scheme));
  const brand = { scheme, logo: logoAt(logo), badges, links: linksOf(links), css: brandCss(theme, buttons) };
  brands.set(key, brand);
  return brand;
}

function linksOf(links: ThemeLinks | null | undefined): ThemeLinks {
  const { signUp, help, terms, privacy } = links ?? {};
  return { signUp: linkAt(signUp), help: linkAt(help), terms: linkAt(terms), privacy: linkAt(privacy) };
}

/** Writes the rules for the colours of the theme and of the buttons. Only checked colours get into them. */
export function brandCss(theme: Theme, buttons: readonly Button[]): string {
  const scheme = schemeOf(theme);
  return [
    themeRule(pair(theme.brandColor, theme.buttonText)),
    ...buttons.map(({ style, isFilled }, index) => {
      const isNeutral = theme.buttons !== "brand" && !isFilled && style.fixed !== true;
      return isNeutral ? markRules(style, index, scheme) : providerRules(style, index, scheme);
    }),
  ].join("");
}

function themeRule({ back, text }: Pair): string {
  return rule("body", [["brand-color", back], ["button-text-color", text]]);
}

function providerRules(style: ProviderStyle, index: number, scheme: Scheme): string {
  const of = ({ back, text, border }: ButtonColors): string =>
    rule(`.provider-${index}`, [
      ["provider-brand-color", back],
      ["provider-text-color", text],
      ["provider-border-color", border],
    ]);
  const border = colorOf(style.border);
  const light = of({ ...pair(style.bg, style.text), border });
  const dark = of({
    ...pair(colorOf(style.bgDark) ?? style.bg, colorOf(style.textDark) ?? style.text),
    border: colorOf(style.borderDark) ?? border,
  });
  if (scheme !== "auto") return scheme === "dark" ? dark : light;
  return dark === light ? light : `${light}@media (prefers-color-scheme:dark){${dark}}`;
}

/** What neutral buttons stand on, light and dark. */
const SURFACES = { light: "#fff", dark: "#191c23" } as const;

type Surface = (typeof SURFACES)[keyof typeof SURFACES];

/**
 * The contrast from which a mark is left in its own colour: a bright one is known by it, a dark one is lost in the dark.
 * WCAG 2.2 demands none of logos, whose name stands beside them.
 */
const VISIBLE = { "#fff": 1.8, "#191c23": 2.5 } as const;

/** The most contrast with white of a colour that is as good as white. */
const WHITISH = 1.2;

function markRules(style: ProviderStyle, index: number, scheme: Scheme): string {
  // A logo was drawn for the background that its style names.
  const hasMark = isPathData(style.mark) && !logoAt(style.logo);
  const of = (colors: Pair, surface: Surface): string => {
    const { back, text } = markColors(colors, surface, hasMark);
    return rule(`.provider-${index}`, [["mark-color", text], ["mark-back", back]]);
  };
  const light = of(pair(style.bg, style.text), SURFACES.light);
  const dark = of(pair(colorOf(style.bgDark) ?? style.bg, colorOf(style.textDark) ?? style.text), SURFACES.dark);
  if (scheme !== "auto") return scheme === "dark" ? dark : light;
  return dark === light
    ? light
    : `${light}@media (prefers-color-scheme:dark){${dark || `.provider-${index}{${PLAIN}}`}}`;
}

const PLAIN = "--mark-color:currentcolor;--mark-back:transparent";

/**
 * Chooses the colours of a mark on a neutral button: the colour of the brand where that can be seen, or else a tile in it.
 * Dark brands have the colour of the text in the dark, as they do it themselves. An initial is always a tile.
 */
function markColors({ back, text }: Pair, surface: Surface, hasMark: boolean): Pair {
  const isSeen = (color: string | undefined) => color && (contrastOf(color, surface) ?? 0) >= VISIBLE[surface];
  if (!hasMark) return { back, text };
  if (back !== undefined && (contrastOf(back, SURFACES.light) ?? 21) < WHITISH) {
    return { back: undefined, text: isSeen(text) ? text : undefined };
  }
  if (isSeen(back)) return { back: undefined, text: back };
  const isDarkOnDark = surface === SURFACES.dark && back !== undefined && readableOn(back) === "#fff";
  return isDarkOnDark ? { back: undefined, text: undefined } : { back, text };
}

/** Completes a pair: the missing colour becomes black or white, if the given one can be computed with. */
function pair(background: string | undefined, foreground: string | undefined): Pair {
  const back = colorOf(background);
  const text = colorOf(foreground);
  return { back: back ?? (text && readableOn(text)), text: text ?? (back && readableOn(back)) };
}

function rule(selector: string, given: readonly (readonly [name: string, value: string | undefined])[]): string {
  const colors = given.filter(([, value]) => value);
  if (!colors.length) return "";
  // A word may look like a colour without being one, which would make the button transparent. `@supports` skips it.
  const known = colors.map(([, value]) => `(color:${value})`).join(" and ");
  return `@supports ${known}{${selector}{${colors.map(([name, value]) => `--${name}:${value}`).join(";")}}}`;
}

function colorOf(value: string | undefined): string | undefined {
  return isColor(value) ? value : undefined;
}
