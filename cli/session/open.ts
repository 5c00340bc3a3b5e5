/**
 * Opens a sealed session with the secrets, and finds out why it does not open.
 *
 * @module
 */
import { isPadded } from "../../src/config/padded.ts";
import { deriveKeys } from "../../src/crypto/keys.ts";
import { nextAuthKey } from "../../src/crypto/next_auth_key.ts";
import { type Claims, CLOCK_TOLERANCE, MAX_TOKEN_LENGTH, openIgnoringTime, openWith } from "../../src/crypto/seal.ts";
import { type Kind, USUAL_NAMES } from "./kinds.ts";
import type { SessionVerdict } from "./report.ts";
import type { NamedSecret } from "./secrets.ts";

/** What is to be opened. */
export interface Sealed {
  readonly value: string;
  readonly header: Extract<Kind, { readonly kind: "sealed" }>;
  /** The name of its cookie; `null` if it came without one. */
  readonly name: string | null;
  /** Whether a part may be missing at its end. */
  readonly mayGoOn: boolean;
}

/** What came of it. */
export interface Opened {
  readonly verdict: SessionVerdict;
  readonly says: string;
  readonly fix: string | null;
  readonly openedBy?: string;
  readonly claims?: Claims;
}

/** Opens a session. @param now Seconds since 1970. */
export async function openSealed(sealed: Sealed, secrets: readonly NamedSecret[], now: number): Promise<Opened> {
  const { value, name } = sealed;
  const own = name === null ? USUAL_NAMES : [name];
  const found = await firstOf(value, secrets, own);
  if (found) return inTime(found, now);
  return await elsewhere(sealed, secrets) ?? await refused(sealed, secrets, own);
}

interface Found {
  readonly by: string;
  readonly salt: string;
  readonly claims: Claims;
}

async function firstOf(
  value: string,
  secrets: readonly NamedSecret[],
  salts: readonly string[],
): Promise<Found | null> {
  for (const { name: by, text } of secrets) {
    for (const salt of salts) {
      const claims = await openIgnoringTime(value, salt, [text]);
      if (claims) return { by, salt, claims };
    }
  }
  return null;
}

function inTime({ by, claims }: Found, now: number): Opened {
  const { exp, iat, nbf } = claims;
  const opened = { openedBy: by, claims };
  if (exp !== undefined && !(typeof exp === "number" && exp > now - CLOCK_TOLERANCE)) {
    const fix = "Sign in again; if it has just been made, set the clock of this machine and of the site by NTP";
    return { ...opened, verdict: "expired", says: `It opens with ${by}, and has expired`, fix };
  }
  const isEarly = nbf !== undefined && !(typeof nbf === "number" && nbf <= now + CLOCK_TOLERANCE);
  if (isEarly || (iat !== undefined && typeof iat !== "number")) {
    const fix = "Leave `nbf` and `iat` to the service: remove them from what `callbacks.jwt` returns";
    return { ...opened, verdict: "not-yet", says: `It opens with ${by}, and is not valid yet`, fix };
  }
  return { ...opened, verdict: "opens", says: `It opens with ${by}`, fix: null };
}

// What opens, but not for the service as it is.
async function elsewhere({ value, name, header }: Sealed, secrets: readonly NamedSecret[]): Promise<Opened | null> {
  const renamed = name === null ? null : await firstOf(value, secrets, USUAL_NAMES);
  if (renamed) {
    return {
      verdict: "other-cookie",
      says: `It was sealed for the cookie ${renamed.salt}, and came as another one: the name is a part of the key`,
      fix: "Give the cookie its name back: look at `cookies.sessionToken.name`, `useSecureCookies`, and whether " +
        "AUTH_URL has http or https",
      openedBy: renamed.by,
      claims: renamed.claims,
    };
  }
  const bare = secrets.filter(({ text }) => isPadded(text)).map((secret) => {
    return { ...secret, text: secret.text.trim().replace(/^(["'])(.*)\1$/s, "$2") };
  });
  const mended = await firstOf(value, bare.filter(({ text }) => text !== ""), name === null ? USUAL_NAMES : [name]);
  if (mended) {
    return {
      verdict: "other-secret",
      says: `It was sealed with ${mended.by} without the spaces or quotes that are around it here`,
      fix: `Remove them from ${mended.by}, here or where the site runs: they count as part of it`,
      claims: mended.claims,
    };
  }
  return header.enc === "A256GCM" ? await ofNextAuth(value, secrets) : null;
}

async function ofNextAuth(value: string, secrets: readonly NamedSecret[]): Promise<Opened | null> {
  for (const { name, text } of secrets) {
    // At that time no token has expired.
    const claims = await openWith(value, [await nextAuthKey(text)], 0);
    if (!claims) continue;
    return {
      verdict: "next-auth-v4",
      says: `next-auth 4 has sealed it with ${name}`,
      fix: "Set `session: { migrateFrom: nextAuthV4() }`, from @x/auth/migrate/next-auth-v4: until then it is ignored",
      openedBy: name,
      claims,
    };
  }
  return null;
}

async function refused(
  { value, name, header, mayGoOn }: Sealed,
  secrets: readonly NamedSecret[],
  salts: readonly string[],
): Promise<Opened> {
  if (value.length > MAX_TOKEN_LENGTH) {
    const says = `It has ${value.length} characters, and the service reads ${MAX_TOKEN_LENGTH}`;
    return { verdict: "unreadable", says, fix: "Return less from `callbacks.jwt`, or store sessions" };
  }
  const by = await ownerOf(header.kid, secrets, salts);
  if (mayGoOn && (by || header.kid === undefined)) {
    const fix = "Look for the next part: a proxy, a browser or a copy may have dropped a cookie";
    return { verdict: "incomplete", says: "Its last part is missing", fix };
  }
  if (by) {
    const fix = "Copy the whole value again; if it is whole, something on the way changes cookies";
    return { verdict: "changed", says: `It was sealed with ${by}, and has been changed or cut since`, fix };
  }
  if (/next-auth/.test(name ?? "")) {
    const fix = "Use the secret of next-auth, and `session: { migrateFrom: nextAuthV4({ secret }) }`";
    return { verdict: "other-secret", says: "next-auth 4 has sealed it, and no secret here opens it", fix };
  }
  const unsure = header.kid === undefined ? ", or changed" : "";
  return {
    verdict: "other-secret",
    says: `It was sealed with another secret than ${secrets.map((each) => each.name).join(", ")}, or for a cookie of ` +
      `another name${unsure}`,
    fix:
      "Compare AUTH_SECRET with that of the site, keep an old one by setting the new one as AUTH_SECRET_1 beside it, " +
      "and name the cookie with --cookie if it was renamed",
  };
}

async function ownerOf(
  kid: unknown,
  secrets: readonly NamedSecret[],
  salts: readonly string[],
): Promise<string | null> {
  for (const { name, text } of secrets) {
    for (const salt of salts) {
      const keys = await deriveKeys(text, salt);
      if (kid === keys["A256CBC-HS512"].kid || kid === keys.A256GCM.kid) return name;
    }
  }
  return null;
}
