/**
 * QR codes, for applications that read them with a camera.
 *
 * @module
 */
import { once } from "../kernel/load.ts";

// Only the page with a new key has a picture.
const library = once(() => import("./qr_library.ts"));

/** A square of modules, without the margin that has to be around it. */
export interface QrCode {
  /** Modules in a row. */
  readonly size: number;
  /** The dark modules, as the path of an SVG in which a module is one unit wide. */
  readonly path: string;
}

/**
 * Makes the QR code of a text, with error correction of level M.
 *
 * @throws {RangeError} if the text has more than 2331 bytes.
 * @see {@link https://www.iso.org/standard/83389.html | ISO/IEC 18004}
 */
export async function qrOf(text: string): Promise<QrCode> {
  const { encode } = await library();
  const { size, data } = encode(text, { ecc: "M", border: 0 });
  return { size, path: data.map(rowOf).join("") };
}

/** Draws a row: each run of dark modules is one rectangle. */
function rowOf(row: readonly boolean[], y: number): string {
  const runs = row.map((isDark) => isDark ? "1" : "0").join("").matchAll(/1+/g);
  return Array.from(runs, ({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`).join("");
}
