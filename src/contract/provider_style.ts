/**
 * How the button of a provider looks.
 *
 * @module
 */

/** The colours of a provider's button, and what stands before its text: a logo, a mark, or an initial. */
export interface ProviderStyle {
  /** Background colour. */
  bg?: string | undefined;
  /** Background colour in the dark scheme. @default `bg` */
  bgDark?: string | undefined;
  /** Border colour. @default a shade of the text colour */
  border?: string | undefined;
  /** Border colour in the dark scheme. @default `border` */
  borderDark?: string | undefined;
  /**
   * Whether the rules of the brand fix how the button looks. A page with many providers shows the others as a list of
   * names; this one keeps its colours and its whole text.
   *
   * @default {false}
   */
  fixed?: boolean | undefined;
  /** Logo: a `data:image/` URL, a path of this site, or https. */
  logo?: string | undefined;
  /** Logo in the dark scheme. @default `logo` */
  logoDark?: string | undefined;
  /**
   * Mark: the path data of a shape in a square of 24 by 24, at most 8192 characters. It is part of the page, and has the
   * colour of the text. Where there is a logo, that is shown instead.
   *
   * @default the first letter or digit of the name
   * @see {@link https://www.w3.org/TR/SVG2/paths.html#PathData | Path data in SVG 2}
   */
  mark?: string | undefined;
  /** Text colour. */
  text?: string | undefined;
  /** Text colour in the dark scheme. @default `text` */
  textDark?: string | undefined;
}
