/**
 * The button of an email.
 *
 * @module
 */
import { isColor, readableOn } from "../kernel/color.ts";
import type { Theme } from "../kernel/model.ts";
import { FONT } from "./document.ts";

const BRAND = "#3553cf";

/** Draws a button in the colours of the site. @param link A URL, and `text` what it says: both as HTML. */
export function buttonOf(link: string, text: string, { brandColor, buttonText }: Theme): string {
  const back = brandColor !== undefined && isColor(brandColor) ? brandColor : BRAND;
  const ink = buttonText !== undefined && isColor(buttonText) ? buttonText : readableOn(back) ?? "#ffffff";
  const shape = `display:inline-block;padding:12px 28px;border-radius:10px;${FONT};font-size:16px;font-weight:600`;
  // The cell has the colour too, for programs that ignore the background of links.
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0">
<tr><td align="center" bgcolor="${back}" style="border-radius:10px;background:${back}">
<a href="${link}" style="${shape};line-height:1.4;color:${ink};background:${back};text-decoration:none">${text}</a>
</td></tr>
</table>`;
}
