/**
 * Checks of responses that are stricter than the library's: of client data, public keys and signatures.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#dictdef-collectedclientdata | WebAuthn Level 3, client data}
 *
 * @module
 */
import { fromBase64Url, toHex } from "../crypto/encoding.ts";
import { exceededBound, SENT_JSON } from "../http/json_bounds.ts";

/** Members that must not be repeated: JSON parsers differ in which of two they take. */
const UNIQUE_MEMBERS = ["type", "challenge", "origin", "crossOrigin", "topOrigin"];

/**
 * Makes sure that client data is unambiguous and that the page was not embedded in another site.
 *
 * @param encoded The client data as base64url.
 * @throws {TypeError} if it is ambiguous or too large, or the page was embedded.
 */
export function checkClientData(encoded: string): void {
  // `ignoreBOM` keeps a byte order mark: it is part of what was signed.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const text = decoder.decode(fromBase64Url(encoded));
  if (exceededBound(text, SENT_JSON)) throw new TypeError("Client data has too many members, or is nested too deeply");
  const { crossOrigin, topOrigin }: Readonly<Record<string, unknown>> = JSON.parse(text);
  const names = memberNames(text);
  if (UNIQUE_MEMBERS.some((name) => names.indexOf(name) !== names.lastIndexOf(name))) {
    throw new TypeError("Client data has a member twice");
  }
  const isTop = crossOrigin === undefined || crossOrigin === false;
  if (!isTop || topOrigin !== undefined) throw new TypeError("The page was embedded in another site");
}

// In JSON, a string is a member name if a colon follows it.
function memberNames(text: string): readonly string[] {
  const strings = text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g);
  return [...strings].filter(([, , colon]) => colon !== undefined).map(([, name = ""]) => JSON.parse(name));
}

/** A COSE key: its parameters by their labels (RFC 9052, section 7; RFC 9053, section 7). */
export type CoseKey = ReadonlyMap<number, unknown>;

// The labels of the key type and the algorithm.
const KTY = 1;
const ALG = 3;

/** Bytes of a coordinate by algorithm: ES256, ES384, ES512 (RFC 9053, section 7.1.1). */
const COORDINATE: Readonly<Record<string, number>> = { [-7]: 32, [-35]: 48, [-36]: 66 };

/** RS256, RS384, RS512, PS256, PS384, PS512. */
const RSA: ReadonlySet<unknown> = new Set([-257, -258, -259, -37, -38, -39]);

/** Whether a key is complete, of a supported algorithm and not weak. RSA takes 2048 bits. */
export function isAcceptableKey(key: CoseKey): boolean {
  const algorithm = key.get(ALG);
  const [first, second] = [key.get(-2), key.get(-3)];
  if (RSA.has(algorithm)) return sizeOf(key.get(-1)) >= 256;
  if (algorithm === -8) return first instanceof Uint8Array && first.length === 32 && !hasSmallOrder(first);
  const size = COORDINATE[String(algorithm)];
  return sizeOf(first) === size && sizeOf(second) === size;
}

/** Whether a signature is in its one canonical encoding. Only those of keys with two coordinates are DER. */
export function isCanonicalSignature(key: CoseKey, signature: Uint8Array): boolean {
  return key.get(KTY) !== 2 || isDer(signature);
}

function sizeOf(value: unknown): number {
  return value instanceof Uint8Array ? value.length : 0;
}

/** The y-coordinates of the points of small order on edwards25519, in every encoding (RFC 8032, section 5.1.3). */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]);

// With such a key, one signature is valid for many messages. The highest bit is the sign of the x-coordinate.
function hasSmallOrder(point: Uint8Array): boolean {
  return SMALL_ORDER.has(toHex(point.map((byte, index) => index === 31 ? byte & 0x7f : byte)));
}

// A sequence of two positive integers, each as short as possible (RFC 3279, section 2.2.3; X.690, section 8.3).
function isDer(signature: Uint8Array): boolean {
  const hex = toHex(signature);
  const [, length = "", body = ""] = /^30(81[89a-f].|[0-7].)(.*)$/.exec(hex) ?? [];
  if (parseInt(length.slice(-2), 16) * 2 !== body.length) return false;
  const rest = withoutInteger(body);
  return rest !== null && withoutInteger(rest) === "";
}

function withoutInteger(hex: string): string | null {
  const [, size = "", digits = ""] = /^02([0-7].)(.*)$/.exec(hex) ?? [];
  const end = parseInt(size, 16) * 2;
  const integer = digits.slice(0, end);
  const isMinimal = /^(?:0[1-9a-f]|[1-7].|00[89a-f].)/.test(integer);
  return isMinimal && integer.length === end ? digits.slice(end) : null;
}
