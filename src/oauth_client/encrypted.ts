/**
 * Whether answers of a provider are encrypted. How they are decrypted is loaded when it is needed.
 *
 * @module
 */
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { decryption } from "./lazy.ts";

/** What can be encrypted, by the name that the options have for it. */
const NAMES = { id_token: "id_token", userinfo: "userinfo", authorization: "authorization response" } as const;

type Encryptable = keyof typeof NAMES;

// A compact JWE has five parts, and the second one is empty where the key is shared (RFC 7516, section 7.1).
const ENCRYPTED = /^[\w-]+(?:\.[\w-]*){4}$/;

/** Whether a text has the form of a compact JWE. */
export function isEncrypted(text: string): boolean {
  return ENCRYPTED.test(text);
}

/**
 * Checks the options of encryption, if there are any, before a person goes to the provider and comes back in vain.
 *
 * @throws {InvalidConfig} if an algorithm is not supported, or has no key.
 */
export async function assertDecryptable(provider: ResolvedOAuthProvider): Promise<void> {
  for (const what of Object.keys(NAMES) as Encryptable[]) {
    const encryption = encryptionOf(provider, what);
    if (encryption.alg !== undefined || encryption.enc !== undefined) {
      (await decryption()).checkKeys(provider, encryption);
    }
  }
}

/**
 * Gives an answer as it was before it was encrypted, if the client is registered for that, and otherwise as it is.
 *
 * @param name What it is called in errors, if it is encrypted in the same way as something else.
 * @throws {OAuthProviderError} if it is not encrypted as it is registered, or no key opens it.
 */
export async function openAnswer(
  provider: ResolvedOAuthProvider,
  what: Encryptable,
  answer: unknown,
  name: string = NAMES[what],
): Promise<unknown> {
  const encryption = { ...encryptionOf(provider, what), what: name };
  return encryption.alg === undefined ? answer : await (await decryption()).decrypt(provider, answer, encryption);
}

interface Registered {
  readonly what: string;
  readonly option: string;
  readonly alg: string | undefined;
  readonly enc: string | undefined;
}

function encryptionOf({ client }: ResolvedOAuthProvider, what: Encryptable): Registered {
  const option = `${what}_encrypted_response` as const;
  const { [`${option}_alg`]: alg, [`${option}_enc`]: enc } = client;
  return { what: NAMES[what], option: `client.${option}_alg`, alg: asText(alg), enc: asText(enc) };
}

function asText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
