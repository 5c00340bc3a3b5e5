/**
 * The session cookie of Better Auth: a token and its HMAC.
 *
 * @module
 */
import { utf8 } from "../../src/crypto/encoding.ts";
import { listSecrets, SECRET_FORM, secretProblem } from "../../src/crypto/secrets.ts";
import { InvalidConfig, MissingSecret } from "../../src/kernel/errors.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";

/** Signs session tokens, and verifies signed ones. */
export interface TokenSigner {
  /** Returns the token of a signed value; `null` if it is malformed or the signature is wrong. */
  verify(signed: string): Promise<string | null>;
  /** Signs a token with the first secret. */
  sign(token: string): Promise<string>;
}

/** What Better Auth uses if no secret is configured. It is public. */
const DEFAULT_SECRET = "better-auth-secret-12345678901234567890";

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

/**
 * Makes a signer.
 *
 * @param given The secret of Better Auth, or several. Without one, it is read from the environment at first use.
 * @throws {InvalidConfig} if it is neither a string nor a list of strings.
 */
export function tokenSigner(
  given: string | readonly string[] | undefined,
  { env }: Pick<Runtime, "env">,
): TokenSigner {
  if (secretProblem(given)) throw new InvalidConfig(`Cannot use \`secret\` of \`betterAuth()\`: ${SECRET_FORM}`);
  let imported: Promise<readonly CryptoKey[]> | undefined;
  const keys = (): Promise<readonly CryptoKey[]> => {
    return imported ??= Promise.all(secretsOf(given, env).map(importKey)).catch((error) => {
      imported = undefined;
      throw error;
    });
  };
  return {
    async verify(signed) {
      const [, token = "", signature = ""] = /^([^.;,\s]{1,512})\.([A-Za-z0-9+/]{43}=)$/.exec(signed) ?? [];
      if (token === "") return null;
      const bytes = Uint8Array.from(atob(signature), (char) => char.charCodeAt(0));
      for (const key of await keys()) {
        if (await crypto.subtle.verify(ALGORITHM.name, key, bytes, utf8(token))) return token;
      }
      return null;
    },
    async sign(token) {
      const [key] = await keys();
      if (!key) return token;
      const bytes = new Uint8Array(await crypto.subtle.sign(ALGORITHM.name, key, utf8(token)));
      return `${token}.${btoa(String.fromCharCode(...bytes))}`;
    },
  };
}

function secretsOf(given: string | readonly string[] | undefined, env: Runtime["env"]): readonly string[] {
  const secrets = listSecrets(given) ?? listSecrets(env("BETTER_AUTH_SECRET") || env("AUTH_SECRET")) ?? [];
  if (secrets.length === 0) {
    throw new MissingSecret(
      "Cannot read sessions of Better Auth: set `secret` of `betterAuth()` or the environment variable BETTER_AUTH_SECRET",
    );
  }
  if (!secrets.includes(DEFAULT_SECRET)) return secrets;
  throw new InvalidConfig(
    "Cannot read sessions of Better Auth: `secret` is its default, so anybody could sign in as anybody else",
  );
}

function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", utf8(secret), ALGORITHM, false, ["sign", "verify"]);
}
