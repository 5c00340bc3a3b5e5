/**
 * The services whose cookies are kept: each differs from the others in what a value depends on.
 *
 * @module
 */
import type { Adapter, AuthConfig, OidcProvider } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { type Clock, oauthDouble, oidcDouble } from "./provider.ts";

/** Secrets, oldest first. */
const [FIRST, SECOND, THIRD] = ["first", "second", "third"].map((word) =>
  `the ${word} secret of a site, kept for long`
);

/** What a service is made of. */
export interface Parts {
  readonly now: Clock;
  readonly adapter: Adapter;
  /** Gets the links that are sent. */
  readonly mail?: (url: string) => void;
}

/** A service. */
export interface Service {
  readonly origin: string;
  config(parts: Parts): AuthConfig;
}

const HTTP = "http://localhost:3000";
const HTTPS = "https://app.example";
const DAY = 24 * 60 * 60;

/** Somebody with a password. */
export const ADA = { id: "1", name: "Ada Lovelace", email: "ada@example.com", image: "https://example.com/ada.png" };

function service(origin: string, more: (parts: Parts) => AuthConfig = () => ({})): Service {
  return { origin, config: (parts) => ({ ...base(parts), ...more(parts) }) };
}

function base({ now }: Parts): AuthConfig {
  return {
    secret: FIRST,
    trustHost: true,
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    providers: [
      credentials({
        credentials: { username: {} },
        authorize: ({ username }) => username === "ada" ? { ...ADA } : null,
      }),
      oauthDouble(now),
      oidcDouble(now),
    ],
  };
}

// With an adapter, and every way in that needs one.
function stored(strategy: "jwt" | "database"): (parts: Parts) => AuthConfig {
  return (parts) => {
    const { adapter, mail = () => {} } = parts;
    const email = { id: "email", name: "Email", type: "email" as const };
    const { providers = [] } = base(parts);
    return {
      adapter,
      session: { strategy },
      experimental: { enableWebAuthn: true },
      providers: [...providers, { ...email, sendVerificationRequest: ({ url }) => mail(url) }, passkey()],
    };
  };
}

/** Long enough for a file that is opened by later releases: adapters remove rows that have ended by the machine's clock. */
const YEARS = 9 * 365 * DAY;

/** Whose rows are kept in files. */
function kept(strategy: "jwt" | "database"): (parts: Parts) => AuthConfig {
  return (parts) => {
    const { adapter, mail = () => {}, now } = parts;
    const profile: OidcProvider["profile"] = ({ sub, name, email }) => {
      return { id: String(sub), name: String(name), email: String(email), department: "Früherkennung" };
    };
    const email = { id: "email", name: "Email", type: "email" as const, maxAge: YEARS };
    return {
      adapter,
      session: { strategy, maxAge: YEARS },
      experimental: { enableWebAuthn: true },
      providers: [
        // Named, because the default has changed.
        oidcDouble(now, { profile, checks: ["pkce", "nonce"] }),
        { ...email, sendVerificationRequest: ({ url }) => mail(url) },
        passkey(),
      ],
      callbacks: {
        session: ({ session: { expires, user: { name, email } = {} }, user: row }) => {
          return { expires, user: { name, email }, department: Reflect.get(row ?? {}, "department") };
        },
      },
    };
  };
}

const LONG = Array.from({ length: 90 }, (_, at) => `a permission with number ${at} and a name that takes some room`);

/** The services by name. */
export const SERVICES: Readonly<Record<string, Service>> = {
  "http": service(HTTP),
  "https": service(HTTPS),
  "one day": service(HTTP, () => ({ session: { maxAge: DAY } })),
  "jwt.maxAge": service(HTTP, () => ({ session: { maxAge: 7 * DAY }, jwt: { maxAge: DAY } })),
  "claims": service(HTTP, () => ({
    callbacks: {
      jwt: ({ token, user }) => user ? { ...token, role: "admin", level: 3, teams: ["a", "b"] } : token,
      session: ({ session, token }) => ({ ...session, role: token?.role, teams: token?.teams }),
    },
  })),
  "long": service(HTTP, () => ({
    callbacks: {
      jwt: ({ token, user }) => user ? { ...token, may: LONG } : token,
      session: ({ session, token }) => ({ ...session, may: (token?.may as string[]).length }),
    },
  })),
  "cookie name": service(HTTP, () => ({ cookies: { sessionToken: { name: "my-session" } } })),
  "cookie names": service(HTTPS, () => ({
    cookies: {
      sessionToken: { name: "__Host-session" },
      csrfToken: { name: "csrf" },
      callbackUrl: { name: "back" },
      state: { name: "away" },
    },
  })),
  "jwt.secret": service(HTTP, () => ({ jwt: { secret: SECOND } })),
  "second secret": service(HTTP, () => ({ secret: SECOND })),
  "rotated once": service(HTTP, () => ({ secret: [SECOND ?? "", FIRST ?? ""] })),
  "rotated twice": service(HTTP, () => ({ secret: [THIRD ?? "", SECOND ?? "", FIRST ?? ""] })),
  "form_post": service(HTTPS, ({ now }) => ({
    providers: [oidcDouble(now, { authorization: { params: { response_mode: "form_post", scope: "openid email" } } })],
  })),
  "every check": service(HTTP, ({ now }) => ({
    providers: [oidcDouble(now, { checks: ["pkce", "state", "nonce"] }), oauthDouble(now, { checks: ["state"] })],
  })),
  "stored": service(HTTP, stored("database")),
  "stored, sealed": service(HTTP, stored("jwt")),
  "stored, https": service(HTTPS, stored("database")),
  "kept": service(HTTP, kept("database")),
  "kept, encrypted": service(HTTP, kept("jwt")),
  "logout": service(HTTP, ({ now }) => ({
    providers: [oidcDouble(now, { logout: { url: "https://idp.test/logout" } })],
  })),
};
