/**
 * What a value is, as far as one sees without a secret.
 *
 * @module
 */
import { fromBase64Url } from "../../src/crypto/encoding.ts";
import { isObject } from "../../src/kernel/objects.ts";

/** What a value is. */
export type Kind =
  | { readonly kind: "sealed"; readonly enc: unknown; readonly kid: unknown }
  | { readonly kind: "stored" | "better-auth" | "signed" | "unreadable" };

/** The names of session cookies: of this package and of Auth.js, of next-auth 4, and of Better Auth. */
export const SESSION_COOKIE =
  /^(?:__(?:Secure|Host)-)?(?:authjs\.session-token|next-auth\.session-token|better-auth\.session_token)$/;

/** The names that a cookie may have been sealed for. */
export const USUAL_NAMES: readonly string[] = ["", "__Secure-", "__Host-"].map((prefix) => {
  return `${prefix}authjs.session-token`;
});

const LONGEST_HEADER = 512;

/** Tells what a value is by its form. */
export function kindOf(value: string): Kind {
  // A token and its HMAC.
  if (/^[^.;,\s]{1,512}\.[A-Za-z0-9+/]{43}=$/.test(value)) return { kind: "better-auth" };
  const parts = value.split(".", 6);
  const [first = ""] = parts;
  if (parts.length === 1) return { kind: /^[\w-]{20,1024}$/.test(first) ? "stored" : "unreadable" };
  const header = headerOf(first);
  if (!header) return { kind: "unreadable" };
  if (header.alg === "dir") return { kind: "sealed", enc: header.enc, kid: header.kid };
  return { kind: parts.length === 3 ? "signed" : "unreadable" };
}

function headerOf(encoded: string): Readonly<Record<string, unknown>> | null {
  if (encoded.length > LONGEST_HEADER || !/^[\w-]+$/.test(encoded)) return null;
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(encoded)));
    return isObject(header) ? header : null;
  } catch {
    return null;
  }
}
