/**
 * Turns rows of Better Auth into records of this service.
 *
 * @module
 */
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from "../../src/kernel/model.ts";
import { isInSeconds, type Row } from "./database.ts";

/** The ids of providers: those of Better Auth, and those of this service. */
export type ProviderIds = Readonly<Record<string, string>>;

/** The provider under which Better Auth keeps passwords. */
export const PASSWORD_PROVIDER = "credential";

/** Columns that are not copied: their names have another meaning here, or they have no use. */
const NOT_COPIED = new Set(["createdAt", "updatedAt", "vouchedEmail", "securityStamp", "migration"]);

/** Reads a date: text in ISO 8601, in UTC unless it says otherwise, or seconds or milliseconds since 1970. */
export function dateIn(value: unknown): Date | null {
  if (value instanceof Date) return value;
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number === "number") return new Date(isInSeconds(number) ? number * 1000 : number);
  if (typeof value !== "string") return null;
  const text = /(?:[zZ]|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(" ", "T")}Z`;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Whether a column says yes. SQLite has numbers for it. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === 1n;
}

/** Makes a user, with the columns that the service does not know as members. */
export function userOf(row: Row): AdapterUser {
  const { id, name, email, emailVerified, image, ...others } = row;
  const more = Object.entries(others).filter(([member, value]) => value !== null && !NOT_COPIED.has(member));
  return {
    ...Object.fromEntries(more),
    id: String(id),
    name: textOrNull(name),
    email: String(email ?? ""),
    // The time of the verification is not known. No session is older than the user.
    emailVerified: isTrue(emailVerified) ? dateIn(row.createdAt) ?? new Date(0) : null,
    image: textOrNull(image),
  };
}

/**
 * Whether the address of a user was proven here, but not at Better Auth: then nothing from there opens the user any more.
 *
 * @param row The user at Better Auth.
 * @param user The user here.
 */
export function isProvenHereOnly(row: Row, { emailVerified, securityStamp }: AdapterUser): boolean {
  return !isTrue(row.emailVerified) && (emailVerified !== null || Boolean(securityStamp));
}

/**
 * Makes an account. `null` for a password, which is checked in `authorize`.
 *
 * It is not known which account verified a user. But if the user is not verified, no account confirms the address.
 */
export function accountOf(row: Row, { emailVerified }: AdapterUser, providers: ProviderIds): AdapterAccount | null {
  const provider = String(row.providerId);
  if (provider === PASSWORD_PROVIDER) return null;
  const expires = dateIn(row.accessTokenExpiresAt);
  const tokens = {
    access_token: textOrNull(row.accessToken),
    refresh_token: textOrNull(row.refreshToken),
    id_token: textOrNull(row.idToken),
    expires_at: expires && Math.floor(expires.getTime() / 1000),
    scope: textOrNull(row.scope)?.replaceAll(",", " ") ?? null,
  };
  return {
    ...Object.fromEntries(Object.entries(tokens).filter(([, value]) => value !== null)),
    userId: String(row.userId),
    type: tokens.id_token === null ? "oauth" : "oidc",
    provider: Object.hasOwn(providers, provider) ? providers[provider] ?? provider : provider,
    providerAccountId: String(row.accountId),
    ...(emailVerified === null && { email_verified: false }),
  };
}

/** Makes a passkey. */
export function authenticatorOf(row: Row): AdapterAuthenticator {
  const credentialID = toBase64(String(row.credentialID));
  return {
    credentialID,
    userId: String(row.userId),
    providerAccountId: credentialID,
    credentialPublicKey: toBase64(String(row.publicKey)),
    counter: Number(row.counter),
    credentialDeviceType: String(row.deviceType),
    credentialBackedUp: isTrue(row.backedUp),
    transports: textOrNull(row.transports) || null,
  };
}

/** Writes base64url, or base64 without padding, as padded base64. */
export function toBase64(text: string): string {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, "=");
}

/** Writes base64 as base64url without padding. */
export function toBase64Url(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
