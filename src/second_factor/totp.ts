/**
 * Codes that an application shows: six digits, SHA-1, a new one every 30 seconds, as every such application can.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6238 | RFC 6238}
 * @see {@link https://www.rfc-editor.org/rfc/rfc4226#section-5.3 | RFC 4226, section 5.3}
 *
 * @module
 */

/** Seconds that a code is shown. */
export const STEP = 30;

/** Bytes of a secret: those of the hash (RFC 4226, section 4, R6). */
export const SECRET_LENGTH = 20;

/** Steps that the clock of a device may differ, either way (RFC 6238, section 5.2). */
const DRIFT = 1;

/** Gives the code of a step. @param secret The bytes of the secret. */
export async function totpAt(secret: Uint8Array<ArrayBuffer>, step: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  const mac = new DataView(await crypto.subtle.sign("HMAC", key, counter));
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf;
  const number = mac.getUint32(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/**
 * Finds the step of a code: that of now, or one before or after it.
 *
 * @param after The last step that was used up: it and those before it are not looked at.
 * @param now Milliseconds since 1970.
 * @returns `null` if the code belongs to none of them.
 */
export async function stepOf(
  secret: Uint8Array<ArrayBuffer>,
  code: string,
  { now, after }: { readonly now: number; readonly after: number | null },
): Promise<number | null> {
  const current = Math.floor(now / 1000 / STEP);
  for (let step = current - DRIFT; step <= current + DRIFT; step++) {
    if ((after === null || step > after) && step >= 0 && await totpAt(secret, step) === code) return step;
  }
  return null;
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Writes bytes in base32 without padding (RFC 4648, section 6). */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** Reads base32, also in lower case, with spaces and padding. `null` if it is none. */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | null {
  const letters = text.replace(/[\s=-]/g, "").toUpperCase();
  if (!/^[A-Z2-7]*$/.test(letters)) return null;
  const bits = Array.from(letters, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => parseInt(byte, 2));
}

/** Makes the URI that applications read from a QR code. @see {@link https://github.com/google/google-authenticator/wiki/Key-Uri-Format} */
export function totpUri({ secret, issuer, account }: {
  readonly secret: string;
  readonly issuer: string;
  readonly account: string;
}): string {
  // A colon separates the two.
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(":", " "))).join(":");
  const params = new URLSearchParams({ secret, issuer, algorithm: "SHA1", digits: "6", period: String(STEP) });
  // Applications do not read `+` as a space.
  return `otpauth://totp/${label}?${params.toString().replaceAll("+", "%20")}`;
}
